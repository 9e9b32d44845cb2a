//! The built-in agents for custom games: random, plain minimax, and alpha-beta without knowledge of the game.
//! `interface` calls them.
//!
//! They know moves as texts and positions as what the program says of them. A question costs up to milliseconds, so all
//! ask for many positions at once, for no more than they need, and stop within their share of the clock (`budget`):
//! however slow the rules are, there is a move. If the program gives no evaluation, only results count, and equal moves
//! are chosen by lot.
//!
//! The analysis of recorded games asks for the values of all moves (`valuation`, `playout_values`) and for certain
//! results (`proof`, `proof_tree`), which depend on positions alone.
//!
//! Evaluations are always asked for the side of the agent, of positions in which the game goes on.

mod alphabeta;
mod budget;
mod explorer;
mod minimax;
mod ordering;
mod playout_values;
mod proof;
mod proof_tree;
mod tree;
mod valuation;

pub(super) use proof::proved_result;
pub(super) use valuation::move_values;

use super::game::CustomGame;
use budget::{SearchBudget, share_of_time_left};
use explorer::Explorer;
use referee_games::Game;
use referee_games::builtin::{BuiltinAgent, BuiltinAnswerError, BuiltinReply, BuiltinTurn, TurnRng, depth_for};
use referee_games::protocol::InputError;

/// The answer of a built-in agent to the text of an `input.txt`; its play data counts the turns.
pub(super) fn answer(
    game: &'static CustomGame,
    BuiltinTurn { agent, seed, input, playdata }: BuiltinTurn<'_>,
) -> Result<BuiltinReply, BuiltinAnswerError> {
    let turn: u64 = playdata.and_then(|text| text.strip_prefix("turn ")?.trim_end().parse().ok()).unwrap_or(0);
    let mut chance = TurnRng::new(agent.seed().unwrap_or(seed), turn);
    let input = game.read_input(input)?;
    let position = &input.position;
    let share = share_of_time_left(game, input.own, input.purpose);
    let explorer = |budget| Explorer::new(game, position.side_to_move(), budget);
    let chosen = match *agent {
        BuiltinAgent::Random { .. } => chance.choose(&position.moves()),
        BuiltinAgent::Minimax { depth, .. } => {
            let budget =
                depth.map_or_else(|| SearchBudget::of_minimax(game, share), |_| SearchBudget::of_time(game, share));
            let depth = depth.unwrap_or_else(|| depth_for(input.own));
            minimax::choose(&mut explorer(budget), position, depth, &mut chance)
        }
        BuiltinAgent::AlphaBeta { nodes, .. } => {
            let of_time = || SearchBudget::of_time(game, share);
            let budget = nodes.map_or_else(of_time, |nodes| SearchBudget::of_positions(game, nodes.count()));
            alphabeta::choose(explorer(budget), position, &mut chance)
        }
        BuiltinAgent::Own { name, .. } => {
            let game = game.profile().title;
            return Err(BuiltinAnswerError::OtherGame { agent: name, game });
        }
    };
    let unanswered = position.breakdown().map(|unavailable| unavailable.to_string());
    if let Some(message) = unanswered.or_else(|| game.fault().map(str::to_owned)) {
        let (line, column) = (1, None);
        return Err(InputError { line, column, message }.into());
    }
    let mv = chosen.ok_or(BuiltinAnswerError::NoMove)?;
    Ok(BuiltinReply { output: format!("{mv}\n"), playdata: format!("turn {}\n", turn.wrapping_add(1)) })
}
