//! `referee slurm`, with the real binary and a real Slurm of four virtual nodes, which the tests start themselves.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod array;
mod chain;
pub(crate) mod cluster;
mod notice;
mod offline;
pub(crate) mod submitted;
