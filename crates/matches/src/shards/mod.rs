//! A run played in parts: by several processes, on one or more machines, that share its folder or merge their copies
//! afterwards.
//!
//! It assigns parts ([`Share`], [`PairQueue`]), plays them ([`ShardWorker`]), makes agents on demand ([`AgentPool`]),
//! compares machines ([`RunMachines`]) and merges copies ([`merge()`]). It does not plan competitions
//! ([`next_rounds`](crate::tournament::next_rounds)) or start processes elsewhere (Slurm, ssh, GNU parallel).
//! `cli/shard`, `cli/merge` and `cli/status` call it.
//!
//! Shards must share nothing but the folder, and a finished game must never be played again. The holder of the
//! [claim](referee_records::Claims) on a pair begins its games. If two processes play a game anyway (one was frozen for
//! longer than a claim lives), the first record stays. One process plays both games of a pair, in which the agents
//! exchange colours, so both run on one kind of machine; half a pair left by a dead shard is played last by machines of
//! another kind.

mod agent_pool;
mod merge;
mod nodes;
mod pair_queue;
mod share;
mod worker;

pub use agent_pool::{AgentPool, AgentPoolError};
pub use merge::{Merge, MergeError, MergeReport, merge};
pub use nodes::{Machine, MachineReport, RunMachines};
pub use pair_queue::{Extent, PairQueue};
pub use share::{Share, pairs};
pub use worker::{NextPair, PairOfGames, PairSource, ShardError, ShardEvent, ShardPlace, ShardWorker};
