//! A person as a player: picking or typing moves, and passing them to the referee.
//!
//! It turns picked squares or a typed line into the text of an `output.txt` ([`TypedMove`]), provides a
//! [`Player`](crate::referee::Player) that is a person ([`Person`]), asked by any interface ([`PersonInterface`]), and
//! plays a game between a person and an agent ([`PersonMatch`]). Terminals (`console`) and pages
//! (`serve`) show it, and the judge is that of agents.
//!
//! Every legal move must be pickable, and every complete pick must be a legal move. A person must never be run as a
//! program; a record must say that a person played, and with which clock. A person who leaves must leave no record,
//! since the game is not over; only the word [`RESIGNATION`](crate::referee::RESIGNATION) loses it.

mod game;
mod notation;
mod person;

pub use game::{NotPlayed, PersonMatch};
pub use notation::{TypedMove, TypedMoveError};
pub use person::{Person, PersonAnswer, PersonInterface};
