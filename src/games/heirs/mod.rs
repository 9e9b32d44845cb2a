//! Heirs, the game of Spring 2026 (RULES.md section 7): 12x12, eight kinds of pieces, lost is who loses the Prince.
//!
//! For: everything that is particular to this game. Deliberately not here: repetition and idle turns, which need a
//! memory of the game ([`crate::referee`]).
//!
//! Decided where the handout is silent: a side without a legal move has drawn, so a side is never passed; a board
//! without anybody's Prince cannot be read, one that lacks one side's is a game that is over.

mod evaluation;
mod kinds;
mod piece;
mod profile;
mod reasons;
mod rules;
mod search;
mod squares;
mod texts;

pub use piece::Piece;
pub use profile::ID;
pub use reasons::Reason;
pub use rules::{Heirs, Move};
pub use squares::{COLUMNS, SIZE, Square, Squares};
