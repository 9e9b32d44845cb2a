//! Assignment files: all that a course says about one homework, in one text.
//!
//! For: reading the TOML of an assignment into one checked value, [`Assignment`], and the folders of positions and
//! cases that it names into questions. Deliberately not here: asking them, playing the games, and counting the points;
//! and what is written on the command line instead.
//!
//! What must always hold: there is no half-read assignment, but a whole one or [`AssignmentErrors`]; all faults are
//! told at once, each with its file, line and column, what was expected, and what to do; whatever is not said has a
//! default that `tournaments/README.md` names; nothing in an `Assignment` contradicts anything else in it.
//!
//! What is wrong with an assignment is the fault of whoever wrote it, never of a submission.

#[expect(clippy::module_inception, reason = "the assignment is what the room is about")]
mod assignment;
mod competition;
mod criterion;
mod fault;
mod points;
mod questions;
mod reading;
mod win_rate;

pub use assignment::{Assignment, ClockRules, Competition, Invited, SubmissionRules};
pub use competition::standings_of;
pub use criterion::{CaseSource, Criterion, CriterionKind, DrawWorth, FirstMoves, Worth, agent_begins};
pub use fault::{AssignmentError, AssignmentErrors, ErrorSpan};
pub use points::{NotPoints, Points};
pub use questions::QuestionText;
pub use win_rate::{Band, Earns, NotRising, WinRateBands, Wins};
