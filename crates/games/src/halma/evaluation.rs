//! The static value of a Halma position for the minimax agent: the progress of the pieces. It searches nothing.
//!
//! While many pieces are under way, the distance to the far corner counts, most of all for those furthest behind. The
//! last few count by the distance to the nearest empty square of the camp instead: the far corner is then taken, and a
//! piece walking towards it could wait forever at the wrong gap. Inside the camp deeper squares are worth more, so
//! pieces move inwards, which leaves the squares near the last ones empty.
//!
//! Bringing a piece into the camp must gain more than it can cost the others, and keeping the camp from being filled
//! must never pay.

use super::camp::corner;
use super::places::{LAST_PIECES, Places, Race};
use super::{Halma, Move, Square};
use crate::builtin::Evaluate;
use crate::{Position, Side};

/// A piece in the opposing camp is worth more than the others can lose when it takes the square that they head for.
static PLACES: Places = Places::of(&Race { arrived: 600, underway: 0, camp_depth: 0 });

/// Each unit of [`Square::walk_to`] towards the nearest empty square of the camp.
const PULL: i32 = 4;

/// The longest possible walk on the board.
const LONGEST_WALK: i32 = 60;

impl Evaluate for Halma {
    fn evaluate(&self, side: Side) -> i32 {
        value(self, side) - value(self, side.other())
    }

    /// One piece moves: while both sides count by squares, and the game cannot end yet, a move gains what its squares
    /// differ.
    fn gains(&self) -> Option<impl Fn(Move) -> i32> {
        let side = self.side_to_move();
        let on_the_way = |side: Side| {
            let outside = |piece: &Square| !piece.is_in_camp_of(side.other());
            self.pieces(side).filter(outside).count()
        };
        // One more: the move itself may bring a piece in.
        let is_early = Side::BOTH.into_iter().all(|side| on_the_way(side) > LAST_PIECES + 1)
            && self.empty_goal_squares(side).nth(1).is_some()
            && self.keeps_a_move(side.other());
        is_early.then_some(move |mv: Move| PLACES.at(mv.to, side) - PLACES.at(mv.from, side))
    }
}

fn value(halma: &Halma, side: Side) -> i32 {
    let goal = side.other();
    let mut on_their_way = [corner(goal); LAST_PIECES];
    let mut outside = 0;
    let (mut arrived, mut advanced) = (0, 0);
    for piece in halma.pieces(side) {
        if piece.is_in_camp_of(goal) {
            arrived += PLACES.at(piece, side);
        } else {
            advanced += PLACES.at(piece, side);
            if let Some(last) = on_their_way.get_mut(outside) {
                *last = piece;
            }
            outside += 1;
        }
    }
    match on_their_way.get(..outside) {
        Some(last) => {
            let pulls = last.iter().map(|&piece| PULL * (LONGEST_WALK - halma.walk_to_goal(piece, side)));
            arrived + pulls.sum::<i32>()
        }
        None => arrived + advanced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::{Depth, TurnRng, minimax};
    use crate::halma::Rules;
    use crate::{Ending, Status};

    #[test]
    fn two_players_who_look_one_move_ahead_come_to_an_end() {
        for (rules, seed) in (0..5).flat_map(|seed| [(Rules::Addendum, seed), (Rules::Original, seed)]) {
            let mut position = Halma::start(rules);
            for turn in 0..1000 {
                match minimax(&position, Depth::ONE, &mut TurnRng::new(seed, turn)) {
                    Some(mv) => position.play_unchecked(mv),
                    None if position.status() == Status::MustPass => position.pass(),
                    None => break,
                }
            }
            assert!(matches!(position.status(), Status::Over(Ending::Won { .. })), "{rules:?} {seed}");
        }
    }
}
