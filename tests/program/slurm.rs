//! `referee slurm`, with the real binary and a real Slurm of four virtual nodes, which the tests start themselves.

mod array;
mod chain;
pub(crate) mod cluster;
mod ladder;
mod notice;
mod offline;
pub(crate) mod submitted;
