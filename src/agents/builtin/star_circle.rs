//! The built-in agents in Star and Circle, where an input asks for more than a move.
//!
//! The minimax agent does the assignment: it answers with all four lines, by the algorithm and to the depth that the
//! input names, so nothing is left to chance; a depth of its own takes the place of the input's. The random agent and the
//! alpha-beta agent write a legal move and nothing else. All write `pass` where there is no move: an input of the assignment
//! may ask that.

use super::{Allowance, AnswerFault, BuiltinAgent, Chance, Past, alphabeta, choose_random};
use crate::games::star_circle::{SearchDepth, StarCircle, solve};
use crate::protocol::{Game, read_question};
use crate::time::CpuTime;

/// What the alpha-beta agent spends on a move. The input does not tell the time left, and a game has up to 50 moves a side,
/// so that a clock of 5 s lasts even if each of them takes the most.
const A_MOVE: Allowance = Allowance::Time {
    enough: CpuTime::from_millis(70),
    most: CpuTime::from_millis(90),
};

pub(super) fn output(agent: &BuiltinAgent, chance: &mut Chance, input: &[u8]) -> Result<String, AnswerFault> {
    match *agent {
        BuiltinAgent::AlphaBeta { nodes, .. } => {
            let position = StarCircle::read_input(input, ())?.position;
            let allowance = nodes.map_or(A_MOVE, |nodes| Allowance::Nodes(nodes.count()));
            let chosen = alphabeta(&position, allowance, &Past::default(), chance);
            Ok(chosen.map_or_else(|| "pass".to_owned(), |(mv, _)| position.write_move(mv)) + "\n")
        }
        BuiltinAgent::Random { .. } => {
            let position = StarCircle::read_input(input, ())?.position;
            let mv = choose_random(&position, chance);
            Ok(mv.map_or_else(|| "pass".to_owned(), |mv| position.write_move(mv)) + "\n")
        }
        BuiltinAgent::Minimax { depth, .. } => {
            let question = read_question(input)?;
            let own_depth = depth.and_then(|depth| SearchDepth::new(depth.plies().min(SearchDepth::MOST)));
            let depth = own_depth.unwrap_or(question.depth());
            Ok(solve(&question.with_depth(depth)).to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(agent: &str, input: &str) -> String {
        output(&agent.parse().unwrap(), &mut Chance::new(0, 0), input.as_bytes()).unwrap()
    }

    fn input(first: &str, rows: &str) -> String {
        let rest = "0,0,0,0,0,0,0,0\n".repeat(8 - rows.lines().count());
        format!("{first}\n{rows}{rest}10,20,30,40,50,60,70,80\n")
    }

    #[test]
    fn the_minimax_agent_does_the_assignment() {
        let rows = "0,S1,0,0,0,0,0,0\n0,0,C1,0,0,0,0,0\n0,0,0,S1,0,0,0,0\n";
        assert_eq!(
            answers("minimax", &input("Star\nMINIMAX\n2", rows)),
            "F4-H2\n160\n160\n5"
        );
        assert_eq!(
            answers("minimax", &input("Star\nALPHABETA\n2", rows)),
            "F4-H2\n160\n160\n4"
        );
        assert_eq!(
            answers("minimax,depth=1", &input("Star\nMINIMAX\n2", rows)),
            "F4-H2\n160\n160\n3"
        );
    }

    #[test]
    fn a_side_without_a_move_passes() {
        let rows = "0,S2,0,0,0,0,0,0\nS1,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,C1\n0,0,0,0,0,0,S1,0\n0,0,0,0,0,S1,0,0\n";
        let input = input("Circle\nALPHABETA\n2", rows);
        assert_eq!(answers("minimax", &input), "pass\n-290\n-300\n5");
        assert_eq!(answers("random", &input), "pass\n");
    }
}
