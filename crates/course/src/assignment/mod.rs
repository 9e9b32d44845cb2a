//! Assignment files: everything that a course specifies about one homework, in one file.
//!
//! Reads the TOML file into one checked value, [`Assignment`], and its folders of positions and cases into questions.
//! It does not ask or play them, count points, or know command-line options. `grading`, `check`, competitions and
//! reports use it.
//!
//! Reading must give a complete assignment or [`AssignmentErrors`], never a part. All faults must be reported together,
//! each with file, line and column, the expected value, and a remedy. Every omitted key must have a default that
//! `tournaments/README.md` documents. An `Assignment` must not contradict itself.
//!
//! A fault of an assignment is its author's, never a submission's.

#[expect(clippy::module_inception, reason = "the assignment is what the module is about")]
mod assignment;
mod competition;
mod criterion;
mod fault;
mod gradebook_columns;
mod late;
mod points;
mod questions;
mod reading;
mod win_rate;
mod zone;

pub use assignment::{
    Assignment, AssignmentAgent, ClockRules, Competition, LadderRules, NamedParticipants, SubmissionRules,
};
pub use competition::standings_of;
pub use criterion::{
    Criterion, CriterionKind, CriterionPoints, DrawPoints, FirstMoves, QuestionFolder, QuestionText, RightAnswers,
    agent_begins,
};
pub use fault::{AssignmentError, AssignmentErrors, ErrorSpan};
pub use gradebook_columns::{DRAWN_COLUMNS, LATE_COLUMNS, STATE_COLUMNS, STUDENT_COLUMNS, TOTAL_COLUMN};
pub use late::{ClocksChange, Deadline, DeadlineError, LateCost, LateRules, LateUnit, PenaltyBase};
pub use points::{Points, PointsError};
pub use win_rate::{BandOrderError, BandPoints, WinCount, WinRateBand, WinRateBands};
