//! `referee slurm`, with the real binary and a real Slurm of four virtual nodes, which the tests start themselves.
//!
//! Where the packages `slurm-wlm` and `munge` are absent these tests are skipped with a message; with `CI=true` they fail.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod array;
mod chain;
mod cluster;
mod notice;
mod offline;
mod submitted;
