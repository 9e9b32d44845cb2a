//! Plays a game internally to visit its positions. It records nothing; [`super::Series`] calls it.

use std::ops::RangeInclusive;

use super::Style;
use crate::builtin::{Evaluate, TurnRng, choose_random, minimax};
use crate::protocol::Texts;
use crate::{FirstTurn, Side, Status};

/// The digits drawn to decide whether a move is random.
const TEN: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/// Plays a game of `P` from the start, in one of `styles`, and calls `meet` with each position in which a side is to
/// move, before each turn in `turns`, counted from 0. It plays no further.
///
/// Draws by history are ignored: the legal moves of a position do not depend on them.
pub(super) fn play_out<P: Texts + Evaluate>(
    rules: P::Rules,
    styles: &[Style],
    turns: &RangeInclusive<u32>,
    chance: &mut TurnRng,
    mut meet: impl FnMut(&P),
) {
    let Some(style) = chance.choose(styles) else {
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

/// The start, by lot if either side may begin.
fn start<P: Texts + Evaluate>(rules: P::Rules, chance: &mut TurnRng) -> P {
    let start = P::start(rules);
    match P::PROFILE.first_turn {
        FirstTurn::Always(_) => start,
        FirstTurn::Either => start.with_side_to_move(chance.choose(&Side::BOTH).unwrap_or(Side::Black)),
    }
}

/// Plays one move; `false` if there is none.
fn play_turn<P: Texts + Evaluate>(position: &mut P, style: Style, chance: &mut TurnRng) -> bool {
    let is_random = chance.choose(&TEN).is_some_and(|digit| digit < style.random_in_ten);
    let mv = if is_random { choose_random(position, chance) } else { minimax(position, style.depth, chance) };
    if let Some(mv) = mv {
        position.play_unchecked(mv);
    }
    mv.is_some()
}
