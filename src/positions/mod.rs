//! Positions that are worth asking for: what an agent is graded with where it plays single moves.
//!
//! For: the kinds of positions of each game (openings, forced jumps, a camp that has to be left, ...), each told by the
//! position alone ([`Kind::holds`]), and the endless [`Series`] of positions of given kinds that belongs to a seed.
//! Deliberately not here: files ([`crate::cli`] writes them), judging the answers, and Star and Circle, whose cases have
//! one right answer each and are made elsewhere.
//!
//! What must always hold: the same seed, kinds, side and rules give the same series, on every machine and in every
//! version, so that a shorter set is the beginning of a longer one; every position is of its kind, is not over and has a
//! legal move; no two of a series are the same, and none is another one's mirror image with the colours exchanged.
//!
//! Most positions are met in play: games from the start in which each side plays by a shallow search, at random, or a bit
//! of both ([`Style`]), so an agent could meet them, too. A kind that such play almost never meets is
//! set up at random instead and then looked at by the rules ([`Source::SetUp`]); whether a game can
//! lead there is not known of these.

mod checkers;
mod halma;
mod kind;
mod othello;
mod playout;
mod request;
mod series;
mod twin;

pub use checkers::CheckersKind;
pub use halma::HalmaKind;
pub use kind::{Kind, KindVisitor, Source, Style, visit_kinds};
pub use othello::OthelloKind;
pub use request::{Listed, Made, PositionsFault, Request, list, make};
pub use series::{NotFound, Series};
