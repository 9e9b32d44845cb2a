//! The random agent: every legal move is as likely as any other.

use super::TurnRng;
use crate::games::Position;

/// A legal move of the side to move, each as likely as any other; `None` where it has none.
///
/// ```
/// use referee::agents::builtin::{TurnRng, choose_random};
/// use referee::games::{Position, othello::DuoOthello};
///
/// let start = DuoOthello::start(());
/// let mv = choose_random(&start, &mut TurnRng::new(7, 0)).unwrap();
/// assert!(start.is_legal(mv));
/// ```
pub fn choose_random<P: Position>(position: &P, chance: &mut TurnRng) -> Option<P::Move> {
    chance.choose(&position.moves())
}
