//! Little-Go, Go on 5x5 points (2020 to 2025; RULES.md section 8).
//!
//! For: everything that is particular to this game. Deliberately not here: the limit of each move, which belongs to
//! [`crate::referee`].
//!
//! Decided where the course's material is silent or differs: Black's pass on the first turn does not end the game,
//! since passes are counted; a position that is read from an `input.txt` is taken to be as early in the game as its
//! stones allow, since the text does not tell the turn; two equal boards in it mean that the opponent has passed.
//! Boards that no single move connects are read all the same: exercises have them.

mod evaluation;
mod kinds;
mod plays;
mod points;
mod profile;
mod reasons;
mod rules;
mod search;
mod sgf;
mod texts;

pub use points::{Point, PointSet, SIZE};
pub use profile::ID;
pub use reasons::Reason;
pub use rules::{LAST_TURN, LittleGo, Move};
