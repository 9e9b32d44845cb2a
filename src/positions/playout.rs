//! A game played on the spot, for the positions that it goes through.

use std::ops::RangeInclusive;

use super::{Practised, Style};
use crate::agents::builtin::{TurnRng, choose_random, minimax};
use crate::games::{FirstTurn, Side, Status};

/// The digits that are drawn to decide whether a move is made at random.
const TEN: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/// Plays a game of `P` from the start and calls `meet` with each position in which a side is to move, before each turn
/// in `turns`, counted from 0. The game is not played further than that.
///
/// Draws by the game's history are not looked for: what is left to do in a position does not depend on them.
pub(super) fn play_out<P: Practised>(
    rules: P::Rules,
    turns: &RangeInclusive<u32>,
    chance: &mut TurnRng,
    mut meet: impl FnMut(&P),
) {
    let Some(style) = chance.choose(P::STYLES) else {
        return;
    };
    let mut position = start::<P>(rules, chance);
    for turn in 0..=*turns.end() {
        match position.status() {
            Status::Over(_) => return,
            Status::MustPass => position.pass(),
            Status::ToMove => {
                if turns.contains(&turn) {
                    meet(&position);
                }
                if !play_turn(&mut position, style, chance) {
                    return;
                }
            }
        }
    }
}

/// The start, by lot where either side may begin.
fn start<P: Practised>(rules: P::Rules, chance: &mut TurnRng) -> P {
    let start = P::start(rules);
    let drawn = match P::PROFILE.first {
        FirstTurn::Always(_) => None,
        FirstTurn::Either => chance.choose(&Side::BOTH),
    };
    match drawn {
        Some(side) => start.with_side_to_move(side),
        None => start,
    }
}

/// Makes one move; `false` where there is none to make.
fn play_turn<P: Practised>(position: &mut P, style: Style, chance: &mut TurnRng) -> bool {
    let is_random = chance.choose(&TEN).is_some_and(|digit| digit < style.random_in_ten);
    let mv = if is_random {
        choose_random(position, chance)
    } else {
        minimax(position, style.depth, chance)
    };
    if let Some(mv) = mv {
        position.play_unchecked(mv);
    }
    mv.is_some()
}
