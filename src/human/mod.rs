//! A person at the board: how a move is picked or typed, and how the referee hears of it.
//!
//! For: turning squares that a person points at, or a line that a person types, into the text that an agent would have
//! written as its `output.txt` ([`PersonTurn`]); a [`Player`](crate::referee::Player) that is a person ([`Person`]),
//! whoever asks it ([`Voice`]); a game between a person and an agent ([`PersonMatch`]). Deliberately not here:
//! terminals ([`crate::console`]) and pages, and any judgement: what a person answers is judged like the answer of any
//! agent.
//!
//! What must always hold: every legal move can be picked, and every complete pick is a legal move; a person is never
//! run as a program, and a record says that a person played, and by which clock; a person who goes away leaves no
//! record, for the game is not over: only the word [`RESIGNATION`](crate::referee::RESIGNATION) loses it.

mod asked;
mod notation;
mod person;
mod sitting;

pub use asked::PersonTurn;
pub use notation::{Misread, Typed};
pub use person::{Heard, Person, Voice};
pub use sitting::{NotPlayed, PersonMatch, Sitting};
