//! Many games: who meets whom, the runner that plays them, and the score.
//!
//! For: everything between one game and a finished run. Deliberately not here: how one game is played
//! ([`crate::referee`]) and what a run looks like to people ([`crate::console`]).
//!
//! What must always hold: pairings and scores are pure functions; all randomness comes from the run's seed through the
//! game's name ([`derive_seed`]); a game is on disk before anybody hears that it is finished.

mod encounter;
mod formats;
mod runner;
mod score;
mod seed;

pub use encounter::encounter;
pub use formats::{Conclusion, Encounter, Field, FieldError, Format, Merit, Next, Place, Results, Round, next_rounds};
pub use runner::{Event, RunError, Runner, Undone};
pub use score::{Score, Tally};
pub use seed::derive_seed;
