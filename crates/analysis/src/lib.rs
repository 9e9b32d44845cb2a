//! What lost a recorded game: the value of every move, expected scores, mistakes, and what is proved.
//!
//! An [`Analyst`] computes the [`GameAnalysis`](referee_records::GameAnalysis) of a record; [`fit()`] makes the curve
//! that it needs for a game; [`common_losses()`] tells what the lost games of a run have in common. It runs no agents
//! of students, and writes no files.
//!
//! An analysis must depend only on its basis: no clock, no machine and no number of threads may change a byte.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

mod analyst;
mod budget;
mod common_losses;
mod curve;
mod fit;
mod self_play;

pub use analyst::{AnalysisError, AnalysisSettings, Analyst};
pub use budget::default_nodes;
pub use common_losses::{CommonLosses, LossGroup, LossKind, LostGame, common_losses};
pub use curve::{CurveError, ExpectedScoreCurve};
pub use fit::{FitSettings, fit};
pub use self_play::SelfPlayError;
