//! Questions with one right answer. The interface only; a game that has them implements it, and grading, `judge` and
//! `solve` use it.

use super::State;
use crate::protocol::{Comparison, InputError, Refusal, Tolerance};
use crate::time::CpuTime;

/// The questions of a game whose assignment asks for right answers instead of games.
///
/// Its inputs contain no time, and its programs run once each.
#[derive(Clone, Copy, Debug)]
pub struct Puzzles {
    /// The default time for one answer.
    pub time: CpuTime,
    /// The right answer to an `input.txt`.
    pub solve: fn(&[u8]) -> Result<Solved, InputError>,
    /// Compares an `output.txt` with the right answer, line by line.
    pub compare: fn(&str, &[u8], Tolerance) -> Result<Comparison, Refusal>,
}

/// A right answer.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The whole `output.txt`, without a LF after the last line.
    pub text: String,
    /// The same as JSON.
    pub json: serde_json::Value,
    /// The position after the answer's move.
    pub next: State,
}
