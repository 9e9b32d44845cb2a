//! A person as a player: picking or typing moves, and passing them to the referee.
//!
//! It turns picked squares or a typed line into the text of an `output.txt` ([`PersonTurn`]), provides a
//! [`Player`](crate::referee::Player) that is a person ([`Person`]), asked by any interface ([`Voice`]), and plays a
//! game between a person and an agent ([`PersonMatch`]). Terminals ([`crate::console`]) and pages ([`crate::serve`])
//! show it, and the judge is that of agents.
//!
//! Every legal move must be pickable, and every complete pick must be a legal move. A person must never be run as a
//! program; a record must say that a person played, and with which clock. A person who leaves must leave no record,
//! since the game is not over; only the word [`RESIGNATION`](crate::referee::RESIGNATION) loses it.

mod asked;
mod notation;
mod person;
mod sitting;

pub use asked::PersonTurn;
pub use notation::{Misread, Typed};
pub use person::{Heard, Person, Voice};
pub use sitting::{NotPlayed, PersonMatch, Sitting};
