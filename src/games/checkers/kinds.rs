//! The kinds of positions of checkers.

use std::ops::RangeInclusive;

use super::{Checkers, Move};
use crate::agents::builtin::Depth;
use crate::games::{Position, Side};
use crate::positions::{Kind, Listed, Made, PositionsFault, Practised, Request, Style, listed, made};

/// A kind of positions of checkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckersKind {
    /// 22 pieces or more, none of them a king, and no jump.
    Opening,
    /// The only legal move is a jump.
    ForcedJump,
    /// 15 to 21 pieces, no jump, and eight moves or more.
    Crowded,
    /// Three jumps or more to choose from, by two pieces or more.
    JumpChoice,
    /// A man can become a king.
    Crowning,
    /// A chain of three jumps or more.
    LongChain,
    /// Six pieces or more of one's own, of which only one can move, by a step.
    Blocked,
    /// A man can become a king by a jump, and a king could jump on from there: crowning ends the play all the same.
    CrownedMidChain,
    /// Kings alone, two or more of each side.
    KingsOnly,
    /// A chain of jumps that ends where it began.
    Loop,
    /// The only legal move is a step.
    OnlyMove,
    /// Five pieces or fewer.
    AlmostOver,
}

impl Practised for Checkers {
    fn kinds(rules: Self::Rules) -> Vec<Listed> {
        listed::<CheckersKind>(rules)
    }

    fn positions(rules: Self::Rules, request: &Request) -> Result<Vec<Made>, PositionsFault> {
        made::<CheckersKind>(rules, request)
    }
}

impl Kind for CheckersKind {
    type Position = Checkers;

    const ALL: &'static [Self] = &[
        Self::Opening,
        Self::ForcedJump,
        Self::Crowded,
        Self::JumpChoice,
        Self::Crowning,
        Self::LongChain,
        Self::Blocked,
        Self::CrownedMidChain,
        Self::KingsOnly,
        Self::Loop,
        Self::OnlyMove,
        Self::AlmostOver,
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
            depth: Depth::TWO,
        },
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::ForcedJump => "forced-jump",
            Self::Crowded => "crowded",
            Self::JumpChoice => "jump-choice",
            Self::Crowning => "crowning",
            Self::LongChain => "long-chain",
            Self::Blocked => "blocked",
            Self::CrownedMidChain => "crowned-mid-chain",
            Self::KingsOnly => "kings-only",
            Self::Loop => "loop",
            Self::OnlyMove => "only-move",
            Self::AlmostOver => "almost-over",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Opening => "22 pieces or more, no king and no jump",
            Self::ForcedJump => "the only legal move is a jump",
            Self::Crowded => "15 to 21 pieces, no jump, eight moves or more",
            Self::JumpChoice => "three jumps or more to choose from, by two pieces or more",
            Self::Crowning => "a man can become a king",
            Self::LongChain => "a chain of three jumps or more",
            Self::Blocked => "six pieces or more, all of them blocked but one",
            Self::CrownedMidChain => "a man is crowned by a jump where a king could jump on: its play ends",
            Self::KingsOnly => "kings alone, two or more of each side",
            Self::Loop => "a chain of jumps that ends where it began",
            Self::OnlyMove => "the only legal move is a step",
            Self::AlmostOver => "five pieces or fewer",
        }
    }

    fn holds(self, position: &Checkers) -> bool {
        let moves = position.moves();
        let jumps = moves.iter().any(|mv| mv.is_jump());
        match self {
            Self::Opening => pieces(position) >= 22 && kings(position) == 0 && !jumps,
            Self::ForcedJump => moves.len() == 1 && jumps,
            Self::Crowded => (15..=21).contains(&pieces(position)) && !jumps && moves.len() >= 8,
            Self::JumpChoice => jumps && moves.len() >= 3 && movers(&moves) >= 2,
            Self::Crowning => moves.iter().any(|&mv| crowns(position, mv)),
            Self::LongChain => moves.iter().any(|mv| mv.captures() >= 3),
            Self::Blocked => !jumps && movers(&moves) == 1 && pieces_of(position, position.side_to_move()) >= 6,
            Self::CrownedMidChain => moves.iter().any(|&mv| is_stopped_by_crowning(position, mv)),
            Self::KingsOnly => {
                let has_two = |side| position.men(side) == 0 && position.kings(side).count_ones() >= 2;
                Side::BOTH.into_iter().all(has_two)
            }
            Self::Loop => moves.iter().any(|mv| mv.is_jump() && mv.destination() == mv.origin()),
            Self::OnlyMove => moves.len() == 1 && !jumps,
            Self::AlmostOver => pieces(position) <= 5,
        }
    }

    fn turns(self) -> RangeInclusive<u32> {
        match self {
            Self::Opening => 1..=14,
            Self::Crowded => 6..=60,
            Self::ForcedJump | Self::JumpChoice => 4..=100,
            Self::Crowning | Self::LongChain | Self::Blocked | Self::CrownedMidChain => 10..=150,
            Self::KingsOnly | Self::Loop | Self::OnlyMove | Self::AlmostOver => 20..=250,
        }
    }
}

fn pieces_of(position: &Checkers, side: Side) -> u32 {
    (position.men(side) | position.kings(side)).count_ones()
}

fn pieces(position: &Checkers) -> u32 {
    Side::BOTH.into_iter().map(|side| pieces_of(position, side)).sum()
}

fn kings(position: &Checkers) -> u32 {
    Side::BOTH
        .into_iter()
        .map(|side| position.kings(side).count_ones())
        .sum()
}

/// How many pieces the moves are of.
fn movers(moves: &[Move]) -> u32 {
    moves
        .iter()
        .fold(0, |origins, mv| origins | mv.origin().bit())
        .count_ones()
}

fn crowns(position: &Checkers, mv: Move) -> bool {
    let side = position.side_to_move();
    let far_row = match side {
        Side::Black => 0,
        Side::White => 7,
    };
    position.men(side) & mv.origin().bit() != 0 && mv.destination().row() == far_row
}

fn is_stopped_by_crowning(position: &Checkers, mv: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let again = after.with_side_to_move(position.side_to_move());
    mv.is_jump()
        && crowns(position, mv)
        && again
            .moves()
            .iter()
            .any(|next| next.is_jump() && next.origin() == mv.destination())
}

#[cfg(test)]
mod tests {
    use CheckersKind::{
        AlmostOver, Blocked, Crowded, CrownedMidChain, Crowning, ForcedJump, JumpChoice, KingsOnly, LongChain, Loop,
        OnlyMove, Opening,
    };

    use super::*;

    const EMPTY: &str = "........";

    /// Boards with the side to move, and all kinds that each is of, in the order of [`CheckersKind::ALL`].
    const TABLE: [([&str; 8], Side, &[CheckersKind]); 16] = [
        (
            [
                ".b.b.b.b", "b.b.b.b.", ".b.b.b.b", EMPTY, EMPTY, "w.w.w.w.", ".w.w.w.w", "w.w.w.w.",
            ],
            Side::Black,
            &[Opening],
        ),
        // 17 pieces: white has nine moves, black one less than it takes.
        (
            [
                ".b.b.b.b", "b.b.b.b.", EMPTY, "....w...", EMPTY, EMPTY, ".w.w.w.w", "w.w.w.w.",
            ],
            Side::White,
            &[Crowded],
        ),
        (
            [
                ".b.b.b.b", "b.b.b.b.", EMPTY, "....w...", EMPTY, EMPTY, ".w.w.w.w", "w.w.w.w.",
            ],
            Side::Black,
            &[],
        ),
        // The four examples of RULES.md, section 2. In the second one, one king has two chains to choose from.
        (
            [
                ".b.....b", "b...b.b.", ".b...b.b", "..b.w...", EMPTY, "w...w...", ".w.w...w", "w...w.w.",
            ],
            Side::Black,
            &[ForcedJump],
        ),
        (
            [
                ".b...b..", "..b...b.", ".....w.b", "....w...", ".b......", "w...w.w.", "...B....", "......w.",
            ],
            Side::Black,
            &[],
        ),
        (
            [
                EMPTY, "w...b.b.", EMPTY, "..w.b...", ".w...b..", "....b...", ".w.....b", "..w...w.",
            ],
            Side::White,
            &[Crowning],
        ),
        (
            [
                ".b...b..", "..b.b.b.", "...b...b", "..b.....", ".....w..", "w.b.w.w.", ".w.....w", EMPTY,
            ],
            Side::White,
            &[ForcedJump, Crowning, LongChain, CrownedMidChain],
        ),
        (
            [EMPTY, EMPTY, EMPTY, "..b.b.b.", "...w...w", EMPTY, EMPTY, EMPTY],
            Side::White,
            &[JumpChoice, AlmostOver],
        ),
        // The king on d2 can go around, both ways; with a man on f4 it cannot.
        (
            [EMPTY, EMPTY, EMPTY, "..b.b...", EMPTY, "..b.b...", "...W....", EMPTY],
            Side::White,
            &[LongChain, Loop, AlmostOver],
        ),
        (
            [
                EMPTY, EMPTY, EMPTY, "..b.b...", ".....w..", "..b.b...", "...W....", EMPTY,
            ],
            Side::White,
            &[],
        ),
        // The man is crowned on d8; only where there is another one on e7 does that stop him.
        (
            [EMPTY, "..b.b...", ".w......", EMPTY, EMPTY, EMPTY, EMPTY, "....B..."],
            Side::White,
            &[ForcedJump, Crowning, CrownedMidChain, AlmostOver],
        ),
        (
            [EMPTY, "..b.....", ".w......", EMPTY, EMPTY, EMPTY, EMPTY, "....B..."],
            Side::White,
            &[ForcedJump, Crowning, AlmostOver],
        ),
        (
            [
                EMPTY, "..B.....", EMPTY, "....B...", EMPTY, "......W.", EMPTY, "W.......",
            ],
            Side::White,
            &[KingsOnly, AlmostOver],
        ),
        (
            ["...b....", EMPTY, EMPTY, "w.......", EMPTY, EMPTY, EMPTY, EMPTY],
            Side::White,
            &[OnlyMove, AlmostOver],
        ),
        // Only d2 can move, to e3; one piece fewer is no crowd.
        (
            [
                EMPTY, EMPTY, EMPTY, "b.b.b...", ".b.b....", "w.w.....", ".w.w....", "w.w.....",
            ],
            Side::White,
            &[Blocked, OnlyMove],
        ),
        (
            [
                EMPTY, EMPTY, EMPTY, "b.b.b...", ".b.b....", "w.w.....", ".w.w....", "..w.....",
            ],
            Side::White,
            &[OnlyMove],
        ),
    ];

    #[test]
    fn boards_are_of_the_kinds_that_they_show() {
        for (rows, side, expected) in TABLE {
            let position = Checkers::from_rows(&rows.map(str::as_bytes), side, ()).unwrap();
            let kinds = CheckersKind::ALL.iter().copied();
            let shown: Vec<_> = kinds.filter(|kind| kind.holds(&position)).collect();
            assert_eq!(shown, expected, "{rows:?}");
        }
    }
}
