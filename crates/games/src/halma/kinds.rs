//! The kinds of practice positions of Halma. `positions` searches for them.
//!
//! The original rules force nobody to leave a camp, so kinds about that exist only under the addendum.

use super::reasons::STAY_IN_OPPOSING_CAMP;
use super::{Halma, Move, Rules, Square};
use crate::builtin::Depth;
use crate::positions::{PositionKind, PracticeGame, Style};
use crate::{Ending, Hop, Play, Position, Side, Status};

impl PracticeGame for Halma {
    /// Without a search, no piece ever reaches the other camp.
    const STYLES: &'static [Style] = &[Style::new(3, Depth::ONE), Style::new(1, Depth::ONE)];

    const KINDS: &'static [PositionKind<Self>] = &[
        PositionKind::new("opening", "both sides have 14 pieces or more in their own camps", 1..=12, |board| {
            Side::BOTH.into_iter().all(|side| in_camp(board, side, side) >= 14)
        }),
        of_the_addendum(
            "must-leave",
            "most pieces are out, but one that is still in the camp must leave it (addendum b)",
            |board| {
                let own = board.side_to_move();
                (1..=6).contains(&in_camp(board, own, own))
                    && outside(board, own) >= 5
                    && !board.any_move(|mv| !mv.from.is_in_camp_of(own) || mv.to.is_in_camp_of(own))
            },
        ),
        PositionKind::new("crowded", "the sides have met between the camps", 30..=150, |board| {
            Side::BOTH.into_iter().all(|side| outside(board, side) >= 12) && meetings(board) >= 4
        }),
        PositionKind::new("long-chain", "a chain of five jumps or more", 10..=150, |board| {
            board.any_move(|mv| jumps(board, mv) >= 5)
        }),
        of_the_addendum(
            "within-camp",
            "no piece can leave the camp: it must go further from the corner (addendum b)",
            |board| {
                let own = board.side_to_move();
                !board.any_move(|mv| !mv.from.is_in_camp_of(own) || !mv.to.is_in_camp_of(own))
            },
        ),
        PositionKind::new(
            "held-in-camp",
            "a piece in the opposing camp could step out of it, but may not",
            60..=250,
            |board| {
                let side = board.side_to_move();
                let mut arrived = board.pieces(side).filter(|from| from.is_in_camp_of(side.other()));
                arrived.any(|from| is_held(board, from))
            },
        ),
        PositionKind::new("last-pieces", "15 pieces or more have arrived, and another one can", 80..=400, |board| {
            let (side, goal) = (board.side_to_move(), board.side_to_move().other());
            in_camp(board, side, goal) >= 15
                && board.any_move(|mv| !mv.from.is_in_camp_of(goal) && mv.to.is_in_camp_of(goal))
        }),
        PositionKind::new("win-in-one", "a move that wins", 80..=400, |board| board.any_move(|mv| wins(board, mv))),
    ];
}

/// A kind in which the addendum forces a piece to leave its camp, or to move away from the corner.
const fn of_the_addendum(name: &'static str, about: &'static str, holds: fn(&Halma) -> bool) -> PositionKind<Halma> {
    PositionKind {
        exists_under: |rules| matches!(rules, Rules::Addendum),
        ..PositionKind::new(name, about, 20..=200, holds)
    }
}

/// The number of `side`'s pieces in the camp of `camp`.
fn in_camp(position: &Halma, side: Side, camp: Side) -> usize {
    position.pieces(side).filter(|square| square.is_in_camp_of(camp)).count()
}

/// The number of `side`'s pieces between the camps.
fn outside(position: &Halma, side: Side) -> usize {
    let is_out = |square: &Square| Side::BOTH.into_iter().all(|camp| !square.is_in_camp_of(camp));
    position.pieces(side).filter(is_out).count()
}

/// The number of pieces of the side to move next to an enemy.
fn meetings(position: &Halma) -> usize {
    let side = position.side_to_move();
    let meets = |square: &Square| neighbours(*square).any(|beside| position.piece_on(beside) == Some(side.other()));
    position.pieces(side).filter(meets).count()
}

fn neighbours(square: Square) -> impl Iterator<Item = Square> {
    let steps = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
    steps.filter(|&step| step != (0, 0)).filter_map(move |(dx, dy)| square.offset(dx, dy))
}

fn jumps(position: &Halma, mv: Move) -> usize {
    match position.path(mv) {
        Some(Play::Jumps(hops)) => hops.len(),
        Some(Play::Step(_)) | None => 0,
    }
}

/// Whether only the rule of the opposing camp forbids the piece on `from` a step.
fn is_held(position: &Halma, from: Square) -> bool {
    neighbours(from).any(|to| {
        let judged = position.judge(&Play::Step(Hop { from, to }));
        judged.is_err_and(|illegal| *illegal.reason.rule == STAY_IN_OPPOSING_CAMP)
    })
}

fn wins(position: &Halma, mv: Move) -> bool {
    let side = position.side_to_move();
    matches!(position.after(mv).status(), Status::Over(Ending::Won { winner, .. }) if winner == side)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board with each side's pieces on the given squares.
    fn position(black: &[(u8, u8)], white: &[(u8, u8)], side: Side, rules: Rules) -> Halma {
        let mut rows = [[b'.'; 16]; 16];
        for (squares, letter) in [(black, b'B'), (white, b'W')] {
            for &(x, y) in squares {
                rows[usize::from(y)][usize::from(x)] = letter;
            }
        }
        Halma::from_rows(&rows.each_ref().map(<[u8; 16]>::as_slice), side, rules).unwrap()
    }

    fn kinds(position: &Halma) -> Vec<&'static str> {
        let exist = Halma::KINDS.iter().filter(|kind| (kind.exists_under)(position.rules()));
        let shown = exist.filter(|kind| (kind.holds)(position));
        shown.map(|kind| kind.name).collect()
    }

    /// The camp that black starts from.
    fn camp() -> Vec<(u8, u8)> {
        let squares = (0..5).flat_map(|y| (0..5).map(move |x| (x, y)));
        let is_inside = |&(x, y): &(u8, u8)| Square::new(x, y).unwrap().is_in_camp_of(Side::Black);
        squares.filter(is_inside).collect()
    }

    #[test]
    fn the_start_is_an_opening_by_either_rules() {
        for rules in [Rules::Addendum, Rules::Original] {
            assert_eq!(kinds(&Halma::start(rules)), ["opening"]);
        }
    }

    #[test]
    fn a_piece_in_the_own_camp_has_to_leave_it_or_to_go_further() {
        let out = [(8, 8), (8, 9), (9, 8), (9, 9), (10, 10)];
        let far = [(14, 0)];
        let with = |in_camp: &[(u8, u8)], rules| kinds(&position(&[&out, in_camp].concat(), &far, Side::Black, rules));
        assert!(with(&[(3, 3)], Rules::Addendum).is_empty());
        assert_eq!(with(&[(3, 2)], Rules::Addendum), ["must-leave"]);
        assert_eq!(with(&[(0, 0)], Rules::Addendum), ["within-camp"]);
        assert_eq!(with(&[(0, 0), (3, 2)], Rules::Addendum), ["must-leave"]);
        assert_eq!(with(&[(0, 0), (3, 2)], Rules::Original), [""; 0]);
    }

    #[test]
    fn a_piece_that_has_arrived_is_held_where_it_could_step_out() {
        let at = |x, y| kinds(&position(&[(8, 8)], &[(x, y)], Side::White, Rules::Addendum));
        assert_eq!((at(4, 0), at(0, 0), at(5, 0)), (vec!["held-in-camp"], vec![], vec![]));
    }

    #[test]
    fn the_last_piece_wins_where_the_camp_gets_full() {
        let beside_the_last = (1, 4);
        let with_empty = |empty: &[(u8, u8)]| {
            let mut white = camp();
            white.retain(|square| !empty.contains(square));
            white.push((2, 5));
            kinds(&position(&[(9, 9)], &white, Side::White, Rules::Addendum))
        };
        assert_eq!(with_empty(&[beside_the_last]), ["held-in-camp", "last-pieces", "win-in-one"]);
        assert_eq!(with_empty(&[beside_the_last, (4, 1)]), ["held-in-camp", "last-pieces"]);
    }

    #[test]
    fn chains_are_long_from_five_jumps_on() {
        let ladder: Vec<(u8, u8)> = (0..5).map(|step| (6 + 2 * step, 7)).collect();
        let with = |rungs: usize| kinds(&position(&ladder[..rungs], &[(5, 7)], Side::White, Rules::Addendum));
        assert_eq!((with(4), with(5)), (vec![], vec!["long-chain"]));
    }

    #[test]
    fn it_is_crowded_where_the_sides_have_met() {
        let row = |y| -> Vec<(u8, u8)> { (2..14).map(|x| (x, y)).collect() };
        let at = |black, white| kinds(&position(&row(black), &row(white), Side::Black, Rules::Addendum));
        assert_eq!((at(7, 8), at(6, 8)), (vec!["crowded"], vec![]));
    }
}
