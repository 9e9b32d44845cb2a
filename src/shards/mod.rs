//! A run that is played in parts: by several processes, on one machine or on many, that share its folder or bring their
//! copies of it together afterwards.
//!
//! For: which part is whose ([`Share`]), playing it ([`ShardWorker`]), agents that are made only when they are needed
//! ([`AgentPool`]), what the machines have to do with the results ([`RunMachines`]), and joining copies ([`merge()`]).
//! Deliberately not here: what is played next in a competition ([`next_rounds`](crate::tournament::next_rounds)), and
//! starting processes elsewhere, which is for Slurm, ssh or GNU parallel.
//!
//! What must always hold: the folder is all that parts have in common, and a game that is finished there is never
//! played again. A game is begun by whoever holds the [claim](crate::records::Claims) on its pair. Should two play it
//! all the same (one was frozen for longer than a claim lives), the record that was there first stays. The two games of
//! a pair, in which the agents exchange colours, are played by one process, so on one kind of machine; where one that
//! died leaves half a pair behind, machines of another kind leave it to the last.

mod agent_pool;
mod merge;
mod nodes;
mod share;
mod worker;

pub use agent_pool::{AgentPool, AgentPoolError};
pub use merge::{Merge, MergeError, MergeReport, merge};
pub use nodes::{Machine, MachineKind, MachineReport, RunMachines};
pub use share::{Share, pairs};
pub use worker::{Extent, ShardEnd, ShardError, ShardEvent, ShardWorker};
