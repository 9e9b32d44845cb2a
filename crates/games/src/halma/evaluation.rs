//! The static value of a Halma position for the minimax agent: the progress of the pieces. It searches nothing.
//!
//! While many pieces are under way, the distance to the far corner counts, most of all for those furthest behind. The
//! last few count by the distance to the nearest empty square of the camp instead: the far corner is then taken, and a
//! piece walking towards it could wait forever at the wrong gap. Inside the camp deeper squares are worth more, so
//! pieces move inwards, which leaves the squares near the last ones empty.
//!
//! Bringing a piece into the camp must gain more than it can cost the others, and keeping the camp from being filled
//! must never pay.

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
    let mut on_their_way = [Square::CORNERS[goal.index()]; LAST_PIECES];
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
    use rand::RngExt as _;
    use rand::SeedableRng as _;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::builtin::WIN_VALUE;
    use crate::halma::{Move, Rules};
    use crate::{Ending, Status};

    const TURN_LIMIT: u32 = 1000;

    fn random(position: &Halma, dice: &mut ChaCha8Rng) -> Move {
        let moves = position.moves();
        moves[dice.random_range(..moves.len())]
    }

    /// Searches only one move ahead.
    fn greedy(position: &Halma, dice: &mut ChaCha8Rng) -> Move {
        let side = position.side_to_move();
        let value = |mv: &Move| {
            let next = position.play(*mv).unwrap();
            match next.status() {
                Status::Over(_) => WIN_VALUE,
                Status::ToMove | Status::MustPass => next.evaluate(side),
            }
        };
        let mut moves: Vec<_> = position.moves().into_iter().map(|mv| (value(&mv), mv)).collect();
        let best = moves.iter().map(|&(value, _)| value).max().unwrap();
        moves.retain(|&(value, _)| value == best);
        moves[dice.random_range(..moves.len())].1
    }

    fn playout(rules: Rules, seed: u64, mut choose: impl FnMut(&Halma, &mut ChaCha8Rng) -> Move) -> (Status, u32) {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut position = Halma::start(rules);
        for turn in 0..TURN_LIMIT {
            match position.status() {
                over @ Status::Over(_) => return (over, turn),
                Status::MustPass => position.pass(),
                Status::ToMove => {
                    let mv = choose(&position, &mut dice);
                    position.play_unchecked(mv);
                }
            }
        }
        (position.status(), TURN_LIMIT)
    }

    #[test]
    fn what_one_side_gains_the_other_loses_and_the_mirrored_board_is_worth_the_same() {
        playout(Rules::Original, 1, |position, dice| {
            let value = position.evaluate(Side::Black);
            assert_eq!(position.evaluate(Side::White), -value);
            assert!(value.abs() < WIN_VALUE);
            let rows: Vec<Vec<u8>> = position.rows().iter().rev().map(|row| reflected(row)).collect();
            let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
            let mirrored = Halma::from_rows(&rows, Side::Black, Rules::Original).unwrap();
            assert_eq!(mirrored.evaluate(Side::White), value);
            random(position, dice)
        });
        assert_eq!(Halma::start(Rules::Addendum).evaluate(Side::Black), 0);
    }

    fn reflected(row: &str) -> Vec<u8> {
        let other = |letter| match letter {
            b'B' => b'W',
            b'W' => b'B',
            empty => empty,
        };
        row.bytes().rev().map(other).collect()
    }

    #[test]
    fn a_player_who_looks_one_move_ahead_beats_a_random_one_and_brings_the_game_to_its_end() {
        for rules in [Rules::Addendum, Rules::Original] {
            for side in Side::BOTH {
                for seed in 0..4 {
                    let (status, turns) = playout(rules, seed, |position, dice| {
                        let player = if position.side_to_move() == side { greedy } else { random };
                        player(position, dice)
                    });
                    let won = matches!(status, Status::Over(Ending::Won { winner, .. }) if winner == side);
                    assert!(won && turns < 500, "{rules:?} {side:?} {seed}: {status:?} after {turns} turns");
                }
            }
        }
    }

    #[test]
    fn two_players_who_look_one_move_ahead_come_to_an_end() {
        for (rules, seed) in (0..5).flat_map(|seed| [(Rules::Addendum, seed), (Rules::Original, seed)]) {
            let (status, turns) = playout(rules, seed, greedy);
            assert!(
                matches!(status, Status::Over(Ending::Won { .. })),
                "{rules:?} {seed}: {status:?} after {turns} turns"
            );
        }
    }
}
