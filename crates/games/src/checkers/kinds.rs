//! The kinds of practice positions of checkers. `positions` searches for them.

use super::generate::crowning_row;
use super::{Checkers, Move};
use crate::positions::{PositionKind, PracticeGame};
use crate::{Position, Side};

impl PracticeGame for Checkers {
    const KINDS: &'static [PositionKind<Self>] = &[
        PositionKind::new("opening", "22 pieces or more, no king and no jump", 1..=14, |board| {
            pieces(board) >= 22 && board.kings == 0 && !board.must_jump()
        }),
        PositionKind::new("forced-jump", "the only legal move is a jump", 4..=100, |board| {
            board.must_jump() && board.count_moves() == 1
        }),
        PositionKind::new("crowded", "15 to 21 pieces, no jump, eight moves or more", 6..=60, |board| {
            (15..=21).contains(&pieces(board)) && !board.must_jump() && board.count_moves() >= 8
        }),
        PositionKind::new(
            "jump-choice",
            "three jumps or more to choose from, by two pieces or more",
            4..=100,
            |board| board.must_jump() && board.count_moves() >= 3 && movers(board) >= 2,
        ),
        PositionKind::new("crowning", "a man can become a king", 10..=150, |board| {
            board.any_move(|mv| crowns(board, mv))
        }),
        PositionKind::new("long-chain", "a chain of three jumps or more", 10..=150, |board| {
            board.any_move(|mv| mv.captures() >= 3)
        }),
        PositionKind::new("blocked", "six pieces or more, all of them blocked but one", 10..=150, |board| {
            !board.must_jump() && movers(board) == 1 && board.own().count_ones() >= 6
        }),
        PositionKind::new(
            "crowned-mid-chain",
            "a man is crowned by a jump where a king could jump on: its play ends",
            10..=150,
            |board| board.any_move(|mv| is_stopped_by_crowning(board, mv)),
        ),
        PositionKind::new("kings-only", "kings alone, two or more of each side", 20..=250, |board| {
            let has_two = |side| board.men(side) == 0 && board.kings(side).count_ones() >= 2;
            Side::BOTH.into_iter().all(has_two)
        }),
        PositionKind::new("loop", "a chain of jumps that ends where it began", 20..=250, |board| {
            board.any_move(|mv| mv.is_jump() && mv.destination() == mv.origin())
        }),
        PositionKind::new("only-move", "the only legal move is a step", 20..=250, |board| {
            !board.must_jump() && board.count_moves() == 1
        }),
        PositionKind::new("almost-over", "five pieces or fewer", 20..=250, |board| pieces(board) <= 5),
    ];
}

fn pieces(position: &Checkers) -> u32 {
    (position.own() | position.enemy()).count_ones()
}

/// The number of pieces that can move.
fn movers(position: &Checkers) -> u32 {
    let mut origins = 0;
    position.for_each_move(|mv| origins |= mv.origin().bit());
    origins.count_ones()
}

fn crowns(position: &Checkers, mv: Move) -> bool {
    let is_man = position.kings & mv.origin().bit() == 0;
    is_man && mv.destination().bit() & crowning_row(position.side) != 0
}

fn is_stopped_by_crowning(position: &Checkers, mv: Move) -> bool {
    let again = position.after(mv).with_side_to_move(position.side_to_move());
    mv.is_jump() && crowns(position, mv) && again.any_move(|next| next.is_jump() && next.origin() == mv.destination())
}
