//! Checks a rules program against laws, on positions of random games. `referee game check` calls it.
//!
//! Authors use it before a class depends on the program. Some violations (a side that moves twice, a board of the wrong
//! size) are also detected in play, and make the game void; here they are failures like others. It cannot check that
//! the rules are those of the handout.
//!
//! Files: `laws` (what has to hold, in words), `report` (results), `difference` (where two answers differ), `trial`
//! (tries a law on a position), `evaluations` (signs of values over all positions), `games` (the positions, and how
//! many moves are tried at each).

mod difference;
mod evaluations;
mod games;
mod laws;
mod report;
mod trial;

pub use games::check;
pub use report::{GameCheck, LawResult, LawViolation, MetEnding, QuestionSpeed};
