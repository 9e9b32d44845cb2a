//! One game between two players: turns, clocks, judgement, result.
//!
//! Does everything that the handouts give to the "master game playing agent", for one game. It does not run programs
//! ([`referee_seat`]), interpret texts ([`referee_games::protocol`]) or decide how many games are played (`tournament`,
//! its main caller).
//!
//! The core is [`OngoingGame`], a value without I/O: it names the side to run and judges the report of that run.
//! [`play_game()`] drives it with two living players, [`verify()`] with the reports of a record, so there is one judge.
//!
//! Time must be judged first, then existence, then format, then legality. A fault of ours must make a [`Void`] game,
//! never a verdict.

mod answer;
mod close_calls;
mod draw;
mod explanation;
mod judgement;
mod ongoing_game;
mod play;
mod rejudge;
mod verify;
mod void;

pub use answer::{UnjudgedAnswer, as_lost_game, ask, verify_answer};
pub use explanation::{
    ClockHistory, ClockStory, DrawByTime, Explanation, Forfeit, LegalMoves, MissingAnswer, ProcessEnd, TimeLoss,
    TimeStory, TurnTime, UselessTurn, UselessTurnReason, explain, explain_missing_answer, time_loss, time_story,
};
pub use judgement::{RESIGNATION, text_of};
pub use ongoing_game::{GameStep, OngoingGame};
pub use play::{GameSlot, GameSnapshot, Player, play_game};
pub use rejudge::{rejudged_answer, rejudged_game};
pub use verify::{Difference, TurnDifference, at_each_turn, recorded_positions, snapshots, verify};
pub use void::{Void, VoidCause};
