//! One game between two players: turns, clocks, judgement, result.
//!
//! For: everything that the handouts give to the "master game playing agent", for one game. Deliberately not here: how
//! a program is run ([`crate::seat`]), what a text means ([`crate::protocol`]), and how many games are played.
//!
//! The heart is [`OngoingGame`], a value without I/O: it says whose run is due and judges the report of that run.
//! [`play()`] drives it with two living players, [`verify()`] with the reports of a record; so a record that verifies
//! is one that the same judge would decide in the same way again.
//!
//! What must always hold: time is judged first, then existence, then format, then legality; a fault of ours is a
//! [`Void`] game and never a verdict.

mod answer;
mod close_calls;
mod explanation;
mod history;
mod judgement;
mod ongoing_game;
mod play;
mod verify;

pub use answer::{Answer, JudgedAnswer, QuestionError, as_lost_game, ask, judge_answer, verify_answer};
pub use explanation::{
    Citation, ClockCourse, Explanation, Forfeit, LegalMoves, MissingAnswer, ProcessEnd, TurnTime, explain,
    explain_missing_answer,
};
pub use judgement::{RESIGNATION, text_of};
pub use ongoing_game::{Due, OngoingGame};
pub use play::{Player, Scene, Void, play};
pub use verify::{Difference, TurnDifference, scenes, verify};
