//! The built-in agents in Star and Circle, where an input asks for more than a move. [`crate::builtin`] calls
//! it.
//!
//! The minimax agent does the assignment: it writes all four lines, with the algorithm and depth of the input; a depth
//! of its own overrides the input's. The random and alpha-beta agents write only a legal move. All write `pass` if
//! there is no move, since an input of the assignment may ask that.

use super::texts::read_question;
use super::{SearchDepth, StarCircle, solve};
use crate::Position;
use crate::builtin::{Depth, Plays, SearchLimit, TurnRng};
use crate::protocol::{Input, InputError};
use referee_time::CpuTime;

/// The alpha-beta agent's maximum time per move, for each of its remaining moves. The input does not contain the time
/// left; all its moves together take 4.4 s, which fits a clock of 5 s. The first moves get most of it, because the last
/// ones are soon solved.
const A_MOVE_LEFT: CpuTime = CpuTime::from_micros(3_200);

/// The maximum number of a side's moves at the start, with each piece advancing one row at a time.
const MOVES: u32 = 52;

impl Plays for StarCircle {
    const PASS: Option<&'static str> = Some("pass\n");

    fn allowance(&self, _: &Input<Self>) -> SearchLimit {
        let moves = self.rows_to_go(self.side_to_move()).min(MOVES);
        SearchLimit::exactly(A_MOVE_LEFT.saturating_mul(moves.into()))
    }

    fn minimax_output(
        _: &Input<Self>,
        text: &[u8],
        depth: Option<Depth>,
        _: &mut TurnRng,
    ) -> Result<Option<String>, InputError> {
        let question = read_question(text)?;
        let own_depth = depth.and_then(|depth| SearchDepth::new(depth.plies().min(SearchDepth::MAX)));
        let depth = own_depth.unwrap_or(question.depth());
        Ok(Some(solve(&question.with_depth(depth)).to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;
    use crate::builtin::{BuiltinTurn, reply};

    fn answers(agent: &str, input: &str) -> String {
        let turn = BuiltinTurn { agent: &agent.parse().unwrap(), seed: 0, input: input.as_bytes(), playdata: None };
        reply::<StarCircle>(turn, ()).unwrap().output
    }

    fn input(first: &str, rows: &str) -> String {
        let rest = "0,0,0,0,0,0,0,0\n".repeat(8 - rows.lines().count());
        format!("{first}\n{rows}{rest}10,20,30,40,50,60,70,80\n")
    }

    #[test]
    fn the_minimax_agent_does_the_assignment() {
        let rows = "0,S1,0,0,0,0,0,0\n0,0,C1,0,0,0,0,0\n0,0,0,S1,0,0,0,0\n";
        assert_eq!(answers("minimax", &input("Star\nMINIMAX\n2", rows)), "F4-H2\n160\n160\n5");
        assert_eq!(answers("minimax", &input("Star\nALPHABETA\n2", rows)), "F4-H2\n160\n160\n4");
        assert_eq!(answers("minimax,depth=1", &input("Star\nMINIMAX\n2", rows)), "F4-H2\n160\n160\n3");
    }

    #[test]
    fn a_clock_of_five_seconds_lasts() {
        let start = StarCircle::start(());
        assert_eq!(Side::BOTH.map(|side| start.rows_to_go(side)), [MOVES; 2]);
        let all: u64 = (1..=MOVES).map(|moves| u64::from(moves) * A_MOVE_LEFT.micros()).sum();
        let starting = u64::from(MOVES) * 5_000;
        assert!(all + starting < 5_000_000, "{all}");
    }

    #[test]
    fn a_side_without_a_move_passes() {
        let rows = "0,S2,0,0,0,0,0,0\nS1,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,C1\n0,0,0,0,0,0,S1,0\n0,0,0,0,0,S1,0,0\n";
        let input = input("Circle\nALPHABETA\n2", rows);
        assert_eq!(answers("minimax", &input), "pass\n-290\n-300\n5");
        assert_eq!(answers("random", &input), "pass\n");
    }
}
