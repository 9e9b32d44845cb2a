//! The kinds of positions of Duo-Othello.

use std::ops::RangeInclusive;

use super::{DuoOthello, Square, SquareSet, Squares12};
use crate::agents::builtin::Depth;
use crate::games::{Position, Side, Status};
use crate::positions::{Kind, Listed, Made, PositionsFault, Practised, Request, Style, listed, made};

/// A kind of positions of Duo-Othello.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OthelloKind {
    /// 20 disks or fewer.
    Opening,
    /// A move that flips eight disks or more, in three directions or more.
    ManyFlips,
    /// 60 to 100 disks and 12 moves or more.
    Crowded,
    /// A move that puts a disk into a corner.
    Corner,
    /// A move after which the opponent must pass.
    OpponentPasses,
    /// Two or three legal moves.
    FewMoves,
    /// One legal move.
    OnlyMove,
    /// Ten empty squares or fewer.
    NearlyFull,
}

impl Practised for DuoOthello {
    fn kinds(rules: Self::Rules) -> Vec<Listed> {
        listed::<OthelloKind>(rules)
    }

    fn positions(rules: Self::Rules, request: &Request) -> Result<Vec<Made>, PositionsFault> {
        made::<OthelloKind>(rules, request)
    }
}

impl Kind for OthelloKind {
    type Position = DuoOthello;

    const ALL: &'static [Self] = &[
        Self::Opening,
        Self::ManyFlips,
        Self::Crowded,
        Self::Corner,
        Self::OpponentPasses,
        Self::FewMoves,
        Self::OnlyMove,
        Self::NearlyFull,
    ];

    const STYLES: &'static [Style] = &[
        Style {
            random_in_ten: 10,
            depth: Depth::ONE,
        },
        Style {
            random_in_ten: 5,
            depth: Depth::ONE,
        },
        Style {
            random_in_ten: 2,
            depth: Depth::ONE,
        },
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::ManyFlips => "many-flips",
            Self::Crowded => "crowded",
            Self::Corner => "corner",
            Self::OpponentPasses => "opponent-passes",
            Self::FewMoves => "few-moves",
            Self::OnlyMove => "only-move",
            Self::NearlyFull => "nearly-full",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Opening => "20 disks or fewer",
            Self::ManyFlips => "a move that flips eight disks or more, in three directions or more",
            Self::Crowded => "60 to 100 disks, 12 moves or more",
            Self::Corner => "a move that puts a disk into a corner",
            Self::OpponentPasses => "a move after which the opponent must pass",
            Self::FewMoves => "two or three legal moves",
            Self::OnlyMove => "one legal move",
            Self::NearlyFull => "ten empty squares or fewer",
        }
    }

    fn holds(self, position: &DuoOthello) -> bool {
        let moves = position.legal_squares(position.side_to_move());
        match self {
            Self::Opening => disks(position) <= 20,
            Self::ManyFlips => position.moves().into_iter().any(|mv| flips_many(position, mv)),
            Self::Crowded => (60..=100).contains(&disks(position)) && moves.count() >= 12,
            Self::Corner => moves.meets(Squares12::CORNERS),
            Self::OpponentPasses => position.moves().into_iter().any(|mv| {
                let mut after = position.clone();
                after.play_unchecked(mv);
                after.status() == Status::MustPass
            }),
            Self::FewMoves => (2..=3).contains(&moves.count()),
            Self::OnlyMove => moves.count() == 1,
            Self::NearlyFull => position.empty().count() <= 10,
        }
    }

    fn turns(self) -> RangeInclusive<u32> {
        match self {
            Self::Opening => 1..=14,
            Self::ManyFlips => 20..=110,
            Self::Crowded => 50..=95,
            Self::Corner => 30..=120,
            Self::OpponentPasses | Self::FewMoves | Self::OnlyMove => 10..=160,
            Self::NearlyFull => 120..=160,
        }
    }
}

fn disks(position: &DuoOthello) -> u32 {
    Side::BOTH.into_iter().map(|side| position.disks(side).count()).sum()
}

fn flips_many(position: &DuoOthello, mv: Square) -> bool {
    let flips = position.flips(mv);
    // Each line begins beside the disk that closes it, and no two lines on the same square.
    let beginnings = flips & Squares12::of(mv).with_neighbours();
    flips.count() >= 8 && beginnings.count() >= 3
}

#[cfg(test)]
mod tests {
    use OthelloKind::{Corner, Crowded, FewMoves, ManyFlips, NearlyFull, OnlyMove, Opening, OpponentPasses};

    use super::*;

    const EMPTY: &str = "............";
    const BLACK: &str = "XXXXXXXXXXXX";
    const WHITE: &str = "OOOOOOOOOOOO";

    /// Boards with the side to move, and all kinds that each is of, in the order of [`OthelloKind::ALL`].
    fn table() -> Vec<([&'static str; 12], Side, &'static [OthelloKind])> {
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
            (start, Side::White, &[Opening]),
            (crowded, Side::Black, &[ManyFlips, Crowded]),
            (crowded, Side::White, &[Crowded]),
            (sparse, Side::White, &[]),
            (fan, Side::Black, &[Opening, ManyFlips, OnlyMove]),
            (thin_fan, Side::Black, &[Opening, OnlyMove]),
            // On a1 black takes the last disk that could close a line for white; not on c12.
            (corners, Side::Black, &[Opening, Corner, OpponentPasses, FewMoves]),
            (last, Side::Black, &[Corner, OnlyMove, NearlyFull]),
        ]
    }

    #[test]
    fn boards_are_of_the_kinds_that_they_show() {
        for (rows, side, expected) in table() {
            let position = DuoOthello::from_rows(&rows.map(str::as_bytes), side, ()).unwrap();
            let kinds = OthelloKind::ALL.iter().copied();
            let shown: Vec<_> = kinds.filter(|kind| kind.holds(&position)).collect();
            assert_eq!(shown, expected, "{rows:?}");
        }
    }
}
