//! Little-Go, Go on 5x5 points (2020 to 2025; RULES.md section 8). The registry ([`crate`]) lists it.
//!
//! It has everything particular to this game. The time limit of each move belongs to `referee`.
//!
//! Decisions where the course's material is silent or inconsistent: Black's pass on the first turn does not end the
//! game, since passes are counted. A position parsed from an `input.txt` is assumed to be as early in the game as its
//! stones allow, since the text does not contain the turn; two equal boards in it mean that the opponent passed. Boards
//! that no single move connects are accepted too, since exercises have them.

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

pub use points::{GoBoard, Point, PointSet};
pub use profile::ID;
pub use rules::{LAST_TURN, LittleGo, Move, Reason};
