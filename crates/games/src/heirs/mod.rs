//! Heirs, the game of Spring 2026 (RULES.md section 7): 12x12, eight kinds of pieces; a side that loses its Prince has
//! lost. The registry ([`crate`]) lists it.
//!
//! It has everything particular to this game. Repetition and idle turns need the history of a game
//! (`referee`).
//!
//! Decisions where the handout is silent: a side without a legal move draws, so nobody ever passes; a board without any
//! Prince is refused, and one that lacks one side's is a finished game.

mod evaluation;
mod judge;
mod kinds;
mod piece;
mod profile;
mod reasons;
mod rules;
mod search;
mod texts;

pub use piece::Piece;
pub use profile::ID;
pub use rules::{Heirs, HeirsBoard, Move, Square, Squares};
