//! Random play: every legal move with equal probability. Playouts call it, and the random agent of most games
//! ([`Plays::random_move`](super::Plays::random_move)).

use super::TurnRng;
use crate::Position;
#[cfg(test)]
use crate::Status;

/// A uniformly random legal move of the side to move; `None` if it has none.
///
/// ```
/// use referee_games::builtin::{TurnRng, choose_random};
/// use referee_games::{Position, othello::DuoOthello};
///
/// let start = DuoOthello::start(());
/// let mv = choose_random(&start, &mut TurnRng::new(7, 0)).unwrap();
/// assert!(start.is_legal(mv));
/// ```
pub fn choose_random<P: Position>(position: &P, chance: &mut TurnRng) -> Option<P::Move> {
    chance.choose(&position.moves())
}

/// The position after `plies` plies of a random game, or the last one in which the side to move can move.
#[cfg(test)]
pub(crate) fn reached<P: Position>(rules: P::Rules, seed: u64, plies: u64) -> P {
    let mut position = P::start(rules);
    let mut last = position.clone();
    for ply in 0..plies {
        match position.status() {
            Status::ToMove => {
                position = position.after(choose_random(&position, &mut TurnRng::new(seed, ply)).unwrap());
            }
            Status::MustPass => position.pass(),
            Status::Over(_) => break,
        }
        if position.status() == Status::ToMove {
            last = position.clone();
        }
    }
    last
}
