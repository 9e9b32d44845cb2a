//! A run on a Slurm cluster: what is submitted, what is in the queue, and what follows from both.
//!
//! For: the job scripts, the calls of `sbatch`, `squeue` and `scontrol`, the reading of what they say, and the view
//! that joins the queue with the results. Deliberately not here: playing games (a task of a job is `referee shard`, as
//! on any other machine), planning rounds, and anything that Slurm does itself: waiting, starting, requeueing,
//! dependencies.
//!
//! # Theory of operation
//!
//! ```text
//! referee slurm submit ──sbatch──► array of shards, round 1 ──afterany──► small job: referee slurm advance
//!                                  each task: exec referee shard    │ games missing: the array again, and itself
//!                                                                   │ next round planned: its array, and itself
//!                                                                   ▼ the competition is over: nothing
//! ```
//!
//! The dependency is `afterany`, never `afterok`: a task that failed leaves games missing, and missing games are played
//! again, while a job that waits for the success of a failed one stays in the queue for ever. A chain cannot go on for
//! ever either: [`RoundRetry`] counts how often a round was submitted and whether that finished a game.
//!
//! What must always hold: the results alone say what is finished. What Slurm says, and what is remembered below
//! `slurm/`, is only told beside it, because a task cancelled while it waits leaves no trace, a lost node's task may
//! still be running while its successor starts, and a cluster without accounting forgets every job after some minutes.
//!
//! ```text
//! <run>/slurm/shards.sh        the script of the array, as it was submitted last
//! <run>/slurm/next.sh          the script of the job that plans what follows
//! <run>/slurm/jobs/<id>.json   one job that was submitted; one file each, so that two submissions cannot lose one
//! <run>/slurm/logs/            what the tasks said
//! ```

mod advice;
mod cluster;
mod commands;
mod jobs;
mod location;
mod queue;
mod quoting;
mod ranges;
mod request;
mod retry;
mod script;
mod time_limit;
mod view;

pub use cluster::{Cluster, Partition};
pub use commands::{Slurm, SlurmError};
pub use jobs::{JobKind, SlurmJob, SlurmJobs};
pub use location::{LocationError, RunLocation};
pub use queue::{Queue, QueuedTask, TaskStage};
pub use request::{ScriptWord, SlurmRequest};
pub use retry::RoundRetry;
pub use script::{JobSubmission, array, next};
pub use time_limit::{Notice, TimeLimit};
pub use view::{RunResults, SlurmView};
