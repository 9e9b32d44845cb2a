//! Questions of an assignment that have one right answer.

use super::State;
use crate::protocol::{Comparison, InputError, Refusal, Tolerance};
use crate::time::CpuTime;

/// What a game has whose assignment asks questions with one right answer each, instead of games.
///
/// Its inputs tell no time, and its programs have one run each.
#[derive(Clone, Copy, Debug)]
pub struct Puzzles {
    /// The time for one answer, where nobody asks for another.
    pub time: CpuTime,
    /// The right answer to an `input.txt`.
    pub solve: fn(&[u8]) -> Result<Solved, InputError>,
    /// Compares an `output.txt` with the right one, line by line.
    pub compare: fn(&str, &[u8], Tolerance) -> Result<Comparison, Refusal>,
}

/// A right answer.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The whole `output.txt`, without a LF after the last line.
    pub text: String,
    /// The same as an object, for programs.
    pub json: serde_json::Value,
    /// The position after the move of the answer.
    pub next: State,
}
