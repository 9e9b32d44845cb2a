//! The values of all moves of a position, for the analysis of recorded games. `interface` calls it.
//!
//! They must depend on the position and the number of nodes alone: a budget of positions, no clock, and no chance but
//! that of playouts, whose seed follows from the position. All moves are searched with a full window and to the same
//! depth. Rules that fail, or that list other moves when they are asked again, have no values.
//!
//! With an `evaluate`, a value has its unit, however shallow the search is. Without one, the search knows only wins and
//! losses, and every other move is valued by [playouts](super::playout_values) in a unit of their own. So the values of
//! one game always have one unit.

use super::alphabeta::{CandidateSearch, DEEPEST, SearchPurpose};
use super::budget::SearchBudget;
use super::explorer::Explorer;
use super::ordering::{MoveId, MoveOrdering};
use super::playout_values::value_by_playouts;
use super::tree::SearchTree;
use crate::rules_program::as_custom;
use crate::rules_program::game::CustomGame;
use crate::rules_program::state::CustomState;
use referee_games::builtin::WIN_VALUE;
use referee_games::{Game, GameState, MoveValues, State};

/// For each position that may be asked for, the search may enter so many.
const VISITS: u64 = 64;

/// The values of all moves; see [`Game::value_moves`].
pub(in crate::rules_program) fn move_values(position: &State, nodes: u64) -> MoveValues {
    let Some(custom) = as_custom(position) else { return MoveValues::default() };
    let game = custom.game;
    let moves = position.moves();
    note_other_moves(custom, &moves);
    let found = search_values(game, position, &moves, nodes);
    if game.fault().is_some() { MoveValues::default() } else { found }
}

/// Notes a fault if the rules now list other moves. The values have the order of the moves.
fn note_other_moves(position: &CustomState, moves: &[String]) {
    let game = position.game;
    if game.fault().is_none() && position.copy().moves() != moves {
        let what = "asked about one position again, it listed other moves, or in another order".to_owned();
        game.note(&game.client.fault("moves", what));
    }
}

fn search_values(game: &'static CustomGame, position: &State, moves: &[String], nodes: u64) -> MoveValues {
    let explorer = Explorer::new(game, position.side_to_move(), SearchBudget::of_positions(game, nodes));
    let mut tree = SearchTree::new(explorer, MoveOrdering::new(&game.profile().board));
    let ids: Vec<MoveId> = moves.iter().map(|mv| tree.ordering.id(mv)).collect();
    let seen = tree.explorer.seen(position);
    let root = tree.add(seen);
    let mut found = MoveValues { values: vec![0; moves.len()], depth: 0 };
    if !tree.open_all(root) {
        return found;
    }
    let mut search = CandidateSearch::new(tree, root, SearchPurpose::Values { visits: VISITS.saturating_mul(nodes) });
    for depth in 1..=DEEPEST {
        let Some((values, is_final)) = search.root_values(depth) else { break };
        let value = |id: &MoveId| values.iter().find(|(mv, _)| mv == id).map_or(0, |&(_, value)| value);
        found.values = ids.iter().map(value).collect();
        found.depth = u32::try_from(depth).unwrap_or(u32::MAX);
        if is_final {
            return found;
        }
        if found.values.iter().all(|value| value.abs() >= WIN_VALUE) {
            break;
        }
    }
    if !game.described.evaluates && game.fault().is_none() {
        value_by_playouts(position, &mut found.values, nodes);
    }
    found
}
