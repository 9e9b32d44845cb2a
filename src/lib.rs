//! The command `referee`: plays, judges and grades games between agent programs.
//!
//! In a course's assignment, a program reads `input.txt`, chooses a move, writes `output.txt`, and is charged CPU time.
//! The crates below `crates/` run and judge such programs. Here is what a person at the command line meets:
//!
//! - [`cli`]: arguments, one file or folder per command, exit codes.
//! - [`runs`]: a match, a competition or a grading as a whole, from a request to its results.
//! - [`console`]: live progress and tables on a terminal.
//! - [`doctor`]: tests what this machine can enforce and measure.
//! - [`slurm`]: runs on a Slurm cluster: job scripts and the queue.
//!
//! `ARCHITECTURE.md` has the map of the crates, and the invariants.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

pub mod cli;
pub mod console;
pub mod doctor;
pub mod runs;
mod shell;
pub mod slurm;
