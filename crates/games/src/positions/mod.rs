//! Positions for practice and grading of single moves.
//!
//! It provides the kinds of positions of each game (openings, forced jumps, a camp that must be left, ...), each
//! recognized from the position alone ([`PositionKind::holds`]), and an endless [`Series`] of positions for a seed. The
//! kinds are defined in the games' folders. It writes no files (`cli` does) and judges no answers.
//! `cli/positions` and `check` call it.
//!
//! The same seed, kinds, side and rules must give the same series on every machine and in every version, so that a
//! shorter set is a prefix of a longer one. Every position must be of its kind, not over, and have a legal move. No two
//! positions of a series may be equal, or mirror images with exchanged colours.
//!
//! Every position occurs in play, so an agent can meet it: games from the start are played by a shallow search, at
//! random, or mixed ([`Style`]), until one reaches a wanted position. Even for the rarest kind, a chain of checkers
//! that ends where it began, this takes about a quarter of a second.

mod kind;
mod playout;
mod request;
mod series;
mod twin;

pub use kind::{ListedKind, PositionKind, Style};
pub use request::{MadePosition, PositionsError, PositionsRequest, PracticeGame, unknown_kind};
pub use series::{NotFound, Series};
#[cfg(test)]
pub(crate) use twin::twin;
