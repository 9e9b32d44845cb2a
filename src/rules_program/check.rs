//! Laws that a rules program has to keep, tried on positions of random games: `referee game check`.
//!
//! For: what an author wants to know before a class depends on the program. Answers that are wrong in any game (the
//! same side moves twice, a board of the wrong size) make a game void in play; here they are failures like all others.
//! Deliberately not here: whether the rules are those of the handout, which only its author can know.

mod laws;
mod report;

pub use laws::check;
pub use report::{Contradiction, GameCheck, LawResult, QuestionSpeed};
