//! Positions that are worth asking for: what an agent is graded with where it plays single moves.
//!
//! For: the kinds of positions of each game (openings, forced jumps, a camp that has to be left, ...), each told by the
//! position alone ([`PositionKind::holds`]), and the endless [`Series`] of positions of given kinds that belongs to a
//! seed. Deliberately not here: the kinds themselves, which are in the games' own folders, files ([`crate::cli`] writes
//! them) and judging the answers.
//!
//! What must always hold: the same seed, kinds, side and rules give the same series, on every machine and in every
//! version, so that a shorter set is the beginning of a longer one; every position is of its kind, is not over and has
//! a legal move; no two of a series are the same, and none is another one's mirror image with the colours exchanged.
//!
//! Every position is met in play, so that an agent can meet it, too: games from the start are played by a shallow
//! search, at random, or a bit of both ([`Style`]), until one of them comes upon what is looked for. Nothing is set
//! up by hand: even for the rarest kind, a chain of checkers that ends where it began, the search takes about a
//! quarter of a second.

mod kind;
mod playout;
mod request;
mod series;
mod twin;

pub use kind::{PositionKind, Style};
pub use request::{ListedKind, MadePosition, PositionsError, PositionsRequest, Practised, unknown_kind};
pub use series::{NotFound, Series};
