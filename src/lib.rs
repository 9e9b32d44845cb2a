//! Referees games between external agent programs.
//!
//! In a course's assignment, a program reads `input.txt`, chooses a move, writes `output.txt`, and is charged CPU time.
//! This library runs and judges such programs; the `referee` command ([`cli`]) calls it. Its rooms, from the inside
//! out:
//!
//! - [`console`]: live progress and tables on a terminal.
//! - [`slurm`]: runs on a Slurm cluster: job scripts and the queue.
//! - [`doctor`]: tests what this machine can enforce and measure.
//! - [`runs`]: a match, a competition or a grading as a whole, from a request to its results.
//! - [`cli`]: the command line.
//!
//! `ARCHITECTURE.md` lists which room may use which, and the invariants.
#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

pub mod cli;
pub mod console;
pub mod doctor;
pub mod runs;
pub mod slurm;
