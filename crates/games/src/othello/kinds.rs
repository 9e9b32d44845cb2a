//! The kinds of practice positions of Duo-Othello. `positions` searches for them.

use super::{DuoOthello, Square, Squares};
use crate::builtin::Depth;
use crate::positions::{PositionKind, PracticeGame, Style};
use crate::{Position, Status};

impl PracticeGame for DuoOthello {
    const STYLES: &'static [Style] =
        &[Style::new(10, Depth::ONE), Style::new(5, Depth::ONE), Style::new(2, Depth::ONE)];

    const KINDS: &'static [PositionKind<Self>] = &[
        PositionKind::new("opening", "20 disks or fewer", 1..=14, |board| disks(board) <= 20),
        PositionKind::new(
            "many-flips",
            "a move that flips eight disks or more, in three directions or more",
            20..=110,
            |board| board.any_move(|mv| flips_many(board, mv)),
        ),
        PositionKind::new("crowded", "60 to 100 disks, 12 moves or more", 50..=95, |board| {
            (60..=100).contains(&disks(board)) && board.count_moves() >= 12
        }),
        PositionKind::new("corner", "a move that puts a disk into a corner", 30..=120, |board| {
            board.legal_squares(board.side_to_move()).meets(Squares::CORNERS)
        }),
        PositionKind::new("opponent-passes", "a move after which the opponent must pass", 10..=160, |board| {
            board.any_move(|mv| board.after(mv).status() == Status::MustPass)
        }),
        PositionKind::new("few-moves", "two or three legal moves", 10..=160, |board| {
            (2..=3).contains(&board.count_moves())
        }),
        PositionKind::new("only-move", "one legal move", 10..=160, |board| board.count_moves() == 1),
        PositionKind::new("nearly-full", "ten empty squares or fewer", 120..=160, |board| board.empty().count() <= 10),
    ];
}

fn disks(position: &DuoOthello) -> u32 {
    (!position.empty()).count()
}

fn flips_many(position: &DuoOthello, mv: Square) -> bool {
    let flips = position.flips(mv);
    // Each line begins beside the disk that closes it, and no two lines share a square there.
    let beginnings = flips & Squares::of(mv).with_neighbours();
    flips.count() >= 8 && beginnings.count() >= 3
}
