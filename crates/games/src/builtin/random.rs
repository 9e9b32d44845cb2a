//! Random play: every legal move with equal probability. Playouts call it, and the random agent of most games
//! ([`Plays::random_move`](super::Plays::random_move)).

use super::TurnRng;
use crate::Position;

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
