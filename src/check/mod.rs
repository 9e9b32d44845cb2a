//! What a student wants to know before handing in: would this submission stand its grading?
//!
//! For: running a submission as the course will, in an ordinary seat, and judging what it did: names and build,
//! `calibrate`, answers to practice positions, little time, stale files, what it leaves behind, a quick game.
//! Deliberately not here: points, and anything that writes files or terminals; the practice positions are not those of
//! the grading.
//!
//! What must always hold: a light is judged from facts alone, in functions that run nothing; red is only what costs
//! points; yellow and red come with a remedy; a check ends, however the submission behaves: no single run is waited for
//! longer than a minute, and each step has a bound of its own. What was stopped by such a bound is never a fault.
//!
//! Which file has what: `examine` the steps in their order, `prepared` the submission in its seats, `exercises` what it
//! is asked, `report` the lights, `shown` their lines on a terminal, and each of the others one step: its facts and
//! their judgement.

mod answers;
mod budget;
mod calibration;
mod conduct;
mod examine;
mod exercises;
mod games;
mod hurry;
mod playdata;
mod prepared;
mod references;
mod report;
mod shown;
mod start;
mod submission;

pub use examine::{CheckError, CheckPlan, CheckStep, Quick, examine};
pub use references::{Reference, default_assignment, references};
pub use report::{CheckItem, CheckReport, FailedAnswer, Light};
pub use shown::item_lines;
