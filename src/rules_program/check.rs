//! Laws that a rules program has to keep, tried on positions of random games: `referee game check`.
//!
//! For: what an author wants to know before a class depends on the program. What the program may never do at all (a
//! side that moves twice, a board of the wrong size) the client notices in play, too, and makes the game void; here it
//! is a failure like any other. Deliberately not here: whether the rules are those of the handout, which only its
//! author can know.

mod laws;
mod report;

pub use laws::check;
pub use report::{Contradiction, GameCheck, LawResult, QuestionSpeed};
