//! The kinds of positions of Duo-Othello.

use std::ops::RangeInclusive;

use super::{Kind, Style};
use crate::agents::builtin::Depth;
use crate::games::othello::{DuoOthello, Square, SquareSet, Squares12};
use crate::games::{Position, Side, Status};

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
            Self::Corner => moves.meets(CORNERS),
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

const CORNERS: Squares12 = Squares12::drawn([
    b"#..........#",
    b"............",
    b"............",
    b"............",
    b"............",
    b"............",
    b"............",
    b"............",
    b"............",
    b"............",
    b"............",
    b"#..........#",
]);

fn disks(position: &DuoOthello) -> u32 {
    Side::BOTH.into_iter().map(|side| position.disks(side).count()).sum()
}

fn flips_many(position: &DuoOthello, mv: Square) -> bool {
    let flips = position.flips(mv);
    // Each line begins beside the disk that closes it, and no two lines on the same square.
    let beginnings = flips & Squares12::of(mv).with_neighbours();
    flips.count() >= 8 && beginnings.count() >= 3
}
