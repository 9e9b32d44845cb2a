//! A run on a Slurm cluster: submitting jobs, and deciding the next step.
//!
//! It writes job scripts, and calls `sbatch`, `squeue` and `scontrol`. It shows no queue, because `squeue` and `sacct`
//! do, and no results, because `referee status` does. It plays no games (a task is `referee shard`, as on any other
//! machine) and plans no rounds; waiting, starting, requeueing and dependencies are Slurm's. `cli/slurm` calls it.
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
//! The dependency must be `afterany`, never `afterok`: missing games of a failed task are played again, but a job that
//! waits for the success of a failed one stays in the queue forever. A chain must end: [`RoundRetry`] counts how often
//! a round was submitted and whether that finished a game.
//!
//! Only the results may decide what is finished, never Slurm's state or the files below `slurm/`: a task cancelled
//! while waiting leaves no trace, a lost node's task may still run while its successor starts, and a cluster without
//! accounting forgets every job after some minutes.
//!
//! ```text
//! <run>/slurm/shards.sh        the script of the last submitted array
//! <run>/slurm/next.sh          the script of the job that plans the next round
//! <run>/slurm/jobs/<id>.json   a submitted job; one file each, so that concurrent submissions lose none
//! <run>/slurm/logs/            the tasks' output
//! ```

mod cluster;
mod commands;
mod jobs;
mod location;
mod queue;
mod request;
mod retry;
mod script;
mod time_limit;

pub use cluster::Cluster;
pub use commands::{Slurm, SlurmError};
pub use jobs::{JobKind, SlurmJob, SlurmJobs};
pub use location::{LocationError, RunLocation};
pub use queue::Queue;
pub use request::{ScriptWord, SlurmRequest};
pub use retry::RoundRetry;
pub use script::{JobSubmission, array, next};
pub use time_limit::TimeLimit;
