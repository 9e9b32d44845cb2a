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

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "........";

    /// Boards with the side to move, and all their kinds in the order of `KINDS`.
    const TABLE: [([&str; 8], Side, &[&str]); 16] = [
        (
            [".b.b.b.b", "b.b.b.b.", ".b.b.b.b", EMPTY, EMPTY, "w.w.w.w.", ".w.w.w.w", "w.w.w.w."],
            Side::Black,
            &["opening"],
        ),
        // 17 pieces: white has nine moves, black one too few.
        ([".b.b.b.b", "b.b.b.b.", EMPTY, "....w...", EMPTY, EMPTY, ".w.w.w.w", "w.w.w.w."], Side::White, &["crowded"]),
        ([".b.b.b.b", "b.b.b.b.", EMPTY, "....w...", EMPTY, EMPTY, ".w.w.w.w", "w.w.w.w."], Side::Black, &[]),
        // The four examples of RULES.md, section 2. In the second one, one king has two chains.
        (
            [".b.....b", "b...b.b.", ".b...b.b", "..b.w...", EMPTY, "w...w...", ".w.w...w", "w...w.w."],
            Side::Black,
            &["forced-jump"],
        ),
        (
            [".b...b..", "..b...b.", ".....w.b", "....w...", ".b......", "w...w.w.", "...B....", "......w."],
            Side::Black,
            &[],
        ),
        (
            [EMPTY, "w...b.b.", EMPTY, "..w.b...", ".w...b..", "....b...", ".w.....b", "..w...w."],
            Side::White,
            &["crowning"],
        ),
        (
            [".b...b..", "..b.b.b.", "...b...b", "..b.....", ".....w..", "w.b.w.w.", ".w.....w", EMPTY],
            Side::White,
            &["forced-jump", "crowning", "long-chain", "crowned-mid-chain"],
        ),
        (
            [EMPTY, EMPTY, EMPTY, "..b.b.b.", "...w...w", EMPTY, EMPTY, EMPTY],
            Side::White,
            &["jump-choice", "almost-over"],
        ),
        // The king on d2 can go around in both directions; with a man on f4 it cannot.
        (
            [EMPTY, EMPTY, EMPTY, "..b.b...", EMPTY, "..b.b...", "...W....", EMPTY],
            Side::White,
            &["long-chain", "loop", "almost-over"],
        ),
        ([EMPTY, EMPTY, EMPTY, "..b.b...", ".....w..", "..b.b...", "...W....", EMPTY], Side::White, &[]),
        // The man is crowned on d8; this stops it only if another piece is on e7.
        (
            [EMPTY, "..b.b...", ".w......", EMPTY, EMPTY, EMPTY, EMPTY, "....B..."],
            Side::White,
            &["forced-jump", "crowning", "crowned-mid-chain", "almost-over"],
        ),
        (
            [EMPTY, "..b.....", ".w......", EMPTY, EMPTY, EMPTY, EMPTY, "....B..."],
            Side::White,
            &["forced-jump", "crowning", "almost-over"],
        ),
        (
            [EMPTY, "..B.....", EMPTY, "....B...", EMPTY, "......W.", EMPTY, "W......."],
            Side::White,
            &["kings-only", "almost-over"],
        ),
        (
            ["...b....", EMPTY, EMPTY, "w.......", EMPTY, EMPTY, EMPTY, EMPTY],
            Side::White,
            &["only-move", "almost-over"],
        ),
        // Only d2 can move, to e3; one piece fewer is no crowd.
        (
            [EMPTY, EMPTY, EMPTY, "b.b.b...", ".b.b....", "w.w.....", ".w.w....", "w.w....."],
            Side::White,
            &["blocked", "only-move"],
        ),
        (
            [EMPTY, EMPTY, EMPTY, "b.b.b...", ".b.b....", "w.w.....", ".w.w....", "..w....."],
            Side::White,
            &["only-move"],
        ),
    ];

    #[test]
    fn boards_are_of_the_kinds_that_they_show() {
        for (rows, side, expected) in TABLE {
            let position = Checkers::from_rows(&rows.map(str::as_bytes), side, ()).unwrap();
            let kinds = Checkers::KINDS.iter().filter(|kind| (kind.holds)(&position));
            let shown: Vec<&str> = kinds.map(|kind| kind.name).collect();
            assert_eq!(shown, expected, "{rows:?}");
        }
    }
}
