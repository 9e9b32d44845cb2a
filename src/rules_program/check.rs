//! Checks a rules program against laws, on positions of random games. `referee game check` calls it.
//!
//! Authors use it before a class depends on the program. Some violations (a side that moves twice, a board of the wrong
//! size) are also detected in play, and make the game void; here they are failures like others. It cannot check that
//! the rules are those of the handout.

mod laws;
mod report;

pub use laws::check;
pub use report::{Contradiction, GameCheck, LawResult, QuestionSpeed};
