//! `referee slurm`, with the real binary and a real Slurm of four virtual nodes, which the tests start themselves.
//!
//! Where the packages `slurm-wlm` and `munge` are absent these tests are skipped with a message; with `CI=true` they fail.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

#[path = "competition/arena.rs"]
#[expect(dead_code, reason = "the tests of competitions use more of it")]
mod arena;
#[path = "slurm/array.rs"]
mod array;
#[path = "slurm/chain.rs"]
mod chain;
#[path = "slurm/cluster.rs"]
mod cluster;
#[path = "slurm/notice.rs"]
mod notice;
#[path = "slurm/offline.rs"]
mod offline;
#[path = "slurm/submitted.rs"]
mod submitted;
