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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Side;

    const EMPTY: &str = "............";
    const BLACK: &str = "XXXXXXXXXXXX";
    const WHITE: &str = "OOOOOOOOOOOO";

    /// Boards with the side to move, and all their kinds in the order of `KINDS`.
    fn table() -> Vec<([&'static str; 12], Side, &'static [&'static str])> {
        let mut start = [EMPTY; 12];
        (start[2], start[3]) = ("..XO........", "..OX........");
        // Black closes lines from below, white from above.
        let mut crowded = [EMPTY; 12];
        crowded[2] = BLACK;
        crowded[3..7].fill(WHITE);
        let mut sparse = crowded;
        sparse[6] = EMPTY;
        let mut fan = [EMPTY; 12];
        // d4 closes the lines to h4, to d8 and to h8: three disks each.
        (fan[3], fan[7]) = ("....OOOX....", "...X...X....");
        (fan[4], fan[5], fan[6]) = ("...OO.......", "...O.O......", "...O..O.....");
        let mut thin_fan = fan;
        thin_fan[7] = "...X........";
        let mut corners = [EMPTY; 12];
        (corners[0], corners[11]) = (".OX.........", "XO..........");
        let mut last = [WHITE; 12];
        last[0] = ".OX.........";
        last[1] = BLACK;
        vec![
            (start, Side::White, &["opening"]),
            (crowded, Side::Black, &["many-flips", "crowded"]),
            (crowded, Side::White, &["crowded"]),
            (sparse, Side::White, &[]),
            (fan, Side::Black, &["opening", "many-flips", "only-move"]),
            (thin_fan, Side::Black, &["opening", "only-move"]),
            // On a1 black takes the last disk that could close a line for white; not on c12.
            (corners, Side::Black, &["opening", "corner", "opponent-passes", "few-moves"]),
            (last, Side::Black, &["corner", "only-move", "nearly-full"]),
        ]
    }

    #[test]
    fn boards_are_of_the_kinds_that_they_show() {
        for (rows, side, expected) in table() {
            let position = DuoOthello::from_rows(&rows.map(str::as_bytes), side, ()).unwrap();
            let kinds = DuoOthello::KINDS.iter().filter(|kind| (kind.holds)(&position));
            let shown: Vec<&str> = kinds.map(|kind| kind.name).collect();
            assert_eq!(shown, expected, "{rows:?}");
        }
    }
}
