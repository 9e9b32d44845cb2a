//! Values of moves by random playouts, where a search knows neither a result nor an evaluation. `valuation` calls it.

use sha2::{Digest, Sha256};

use crate::rules_program::as_custom;
use crate::rules_program::playouts::random_game_from;
use crate::rules_program::state::CustomState;
use referee_games::builtin::WIN_VALUE;
use referee_games::{Side, State, Status};

/// What winning all playouts is worth.
const ALL_WON: i64 = 1000;

/// Fewer playouts of a move say nothing.
const LEAST_PLAYOUTS: u64 = 8;

/// A playout is stopped after so many typical lengths of a game, and then drawn.
const LONGEST: u32 = 2;

/// Replaces the values of moves whose result no search has found: 1000 for a move that wins all playouts, -1000 for one
/// that loses all, 0 for as many wins as losses. They ask for about `nodes` positions. If these do not suffice for a
/// few playouts of each move, the values stay as they are.
///
/// Each move is continued as many times, by random numbers of its own.
pub(super) fn value_by_playouts(position: &State, values: &mut [i32], nodes: u64) {
    let Some(custom) = as_custom(position) else { return };
    let open: Vec<usize> = (0..values.len()).filter(|&index| values[index].abs() < WIN_VALUE).collect();
    let turns = position.game().profile().typical_moves.max(1);
    let of_one_round = (open.len() as u64).saturating_mul(u64::from(turns));
    if open.is_empty() || LEAST_PLAYOUTS.saturating_mul(of_one_round) > nodes {
        return;
    }
    let Some(next) = custom.after(&position.moves()) else { return };
    let longest = 2 * LONGEST * turns;
    let (mover, seed) = (position.side_to_move(), seed_of(custom));
    let mut totals = vec![0; open.len()];
    let (mut asked, mut playouts) = (0, 0);
    while asked < nodes {
        for (total, &index) in totals.iter_mut().zip(&open) {
            // Rules that have failed would be started again for each question.
            if custom.game.fault().is_some() {
                return;
            }
            let (score, plies) = play_out(&next[index], longest, seed.wrapping_add(playouts), mover);
            *total += score;
            asked += plies;
            playouts += 1;
        }
    }
    let rounds = i64::try_from(playouts / open.len() as u64).unwrap_or(i64::MAX).max(1);
    for (total, &index) in totals.iter().zip(&open) {
        values[index] = i32::try_from(total * ALL_WON / rounds).unwrap_or(0);
    }
}

/// The score of a playout to `side`, from -1 to 1, and the number of its positions.
fn play_out(start: &State, plies: u32, seed: u64, side: Side) -> (i64, u64) {
    let played = random_game_from(start.clone(), plies, seed);
    let last = played.positions.last().map(|position| position.status());
    let score = match last {
        Some(Status::Over(ending)) if played.draw.is_none() => ending.worth(side, 1),
        Some(Status::Over(_) | Status::ToMove | Status::MustPass) | None => 0,
    };
    (score.into(), played.positions.len().max(1) as u64)
}

/// The seed of a position's playouts: the same on every machine.
fn seed_of(position: &CustomState) -> u64 {
    let digest = Sha256::digest(format!("{:?} {}", position.side, position.state_text()));
    digest.iter().take(8).fold(0, |seed, &byte| seed << 8 | u64::from(byte))
}
