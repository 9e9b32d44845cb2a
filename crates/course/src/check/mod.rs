//! Checks a submission before it is handed in: would it stand its grading?
//!
//! It runs the submission as the course will, in ordinary seats, and judges names and build, `calibrate`, answers to
//! practice positions, moves with little time, stale files, leftovers and a quick game. It gives no points, and writes
//! no files or terminals; `cli/check` calls it. Practice positions differ from those of the grading,
//! which are asked as well where the course has handed them out.
//!
//! A light must be judged from facts alone, by functions that run nothing. Only what costs points may be red. Yellow
//! and red must have a remedy. A check must end, however the submission behaves: no run takes longer than a minute, and
//! each step has a limit. A run stopped by such a limit must never count as a fault.
//!
//! Files: `examine` (the steps in order), `prepared` (the submission in its seats), `exercises` (questions), `report`
//! (lights), `shown` (their lines on a terminal), and one file per step with its facts and their judgement.

mod answers;
mod budget;
mod calibration;
mod conduct;
mod error;
mod examine;
mod exercises;
mod games;
mod living;
mod playdata;
mod prepared;
mod references;
mod report;
mod shown;
mod start;
mod submission;
mod time_pressure;

pub use error::CheckError;
pub use examine::{CheckPlan, CheckStep, GameChecks, examine};
pub use references::{default_assignment, own_questions, references};
pub use report::{CheckReport, FailedAnswer};
pub use shown::item_lines;
pub use start::{EmptyStart, start_empty};
