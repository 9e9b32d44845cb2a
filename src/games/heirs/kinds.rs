//! The kinds of positions of Heirs.

use std::ops::RangeInclusive;

use super::{Heirs, Move, Piece, Squares};
use crate::agents::builtin::Depth;
use crate::games::{Position, Side};
use crate::positions::{Kind, Listed, Made, PositionsFault, Practised, Request, Style, listed, made};

/// A kind of positions of Heirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeirsKind {
    /// 46 pieces or more, and nothing to capture.
    Opening,
    /// The enemy Prince can be captured.
    WinInOne,
    /// The own Prince can be captured if nothing is done about it, and the enemy's cannot.
    PrinceAttacked,
    /// Three captures or more, by two pieces or more.
    CaptureChoice,
    /// A Scout can capture by leaping over a piece.
    Leap,
    /// A Sibling that may go to some of the squares beside it, but not to others for want of company.
    Company,
    /// 24 pieces or more, and 45 moves or more.
    Crowded,
    /// Ten pieces or fewer.
    FewPieces,
}

impl Practised for Heirs {
    fn kinds(rules: Self::Rules) -> Vec<Listed> {
        listed::<HeirsKind>(rules)
    }

    fn positions(rules: Self::Rules, request: &Request) -> Result<Vec<Made>, PositionsFault> {
        made::<HeirsKind>(rules, request)
    }
}

impl Kind for HeirsKind {
    type Position = Heirs;

    const ALL: &'static [Self] = &[
        Self::Opening,
        Self::WinInOne,
        Self::PrinceAttacked,
        Self::CaptureChoice,
        Self::Leap,
        Self::Company,
        Self::Crowded,
        Self::FewPieces,
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
            Self::WinInOne => "win-in-one",
            Self::PrinceAttacked => "prince-attacked",
            Self::CaptureChoice => "capture-choice",
            Self::Leap => "leap",
            Self::Company => "company",
            Self::Crowded => "crowded",
            Self::FewPieces => "few-pieces",
        }
    }

    fn about(self) -> &'static str {
        match self {
            Self::Opening => "46 pieces or more, nothing to capture",
            Self::WinInOne => "the enemy Prince can be captured",
            Self::PrinceAttacked => "the own Prince is attacked, the enemy's cannot be captured",
            Self::CaptureChoice => "three captures or more to choose from, by two pieces or more",
            Self::Leap => "a Scout can capture by leaping over a piece",
            Self::Company => "a Sibling may not go to every free square beside it, for want of company",
            Self::Crowded => "24 pieces or more, 45 moves or more",
            Self::FewPieces => "ten pieces or fewer",
        }
    }

    fn holds(self, position: &Heirs) -> bool {
        let (own, other) = (position.side_to_move(), position.side_to_move().other());
        match self {
            Self::Opening => pieces(position) >= 46 && captures(position).is_empty(),
            Self::WinInOne => is_attacked(position, other),
            Self::PrinceAttacked => is_attacked(position, own) && !is_attacked(position, other),
            Self::CaptureChoice => {
                let captures = captures(position);
                captures.len() >= 3 && captures.iter().any(|mv| mv.from != captures[0].from)
            }
            Self::Leap => captures(position).into_iter().any(|mv| leaps(position, mv)),
            Self::Company => {
                let siblings = position.pieces_of(Piece::Sibling, own);
                let free = |sibling| {
                    Squares::of(sibling)
                        .with_neighbours()
                        .without(position.pieces(own))
                        .count()
                };
                let moves = |sibling| position.moves().iter().filter(|mv| mv.from == sibling).count();
                let is_held = |sibling| (1..free(sibling) as usize).contains(&moves(sibling));
                siblings.iter().any(is_held)
            }
            Self::Crowded => pieces(position) >= 24 && position.count_moves() >= 45,
            Self::FewPieces => pieces(position) <= 10,
        }
    }

    fn turns(self) -> RangeInclusive<u32> {
        match self {
            Self::Opening => 1..=8,
            Self::WinInOne | Self::PrinceAttacked | Self::Leap => 8..=200,
            Self::CaptureChoice | Self::Company | Self::Crowded => 10..=80,
            Self::FewPieces => 80..=600,
        }
    }
}

fn pieces(position: &Heirs) -> u32 {
    Side::BOTH.into_iter().map(|side| position.pieces(side).count()).sum()
}

fn captures(position: &Heirs) -> Vec<Move> {
    let mut captures = Vec::new();
    position.for_each_capture(|mv| captures.push(mv));
    captures
}

/// Whether the Prince of `side` could be captured if it were the other side's turn.
fn is_attacked(position: &Heirs, side: Side) -> bool {
    let prince = position.pieces_of(Piece::Prince, side).iter().next();
    prince.is_some_and(|prince| !position.attackers(prince, side.other()).is_empty())
}

/// Whether a Scout goes over a piece in its own column.
fn leaps(position: &Heirs, mv: Move) -> bool {
    let is_scout = position.at(mv.from).is_some_and(|(_, piece)| piece == Piece::Scout);
    let between = || {
        let (first, last) = (mv.from.row().min(mv.to.row()), mv.from.row().max(mv.to.row()));
        let squares = Squares::BOARD.without(position.empty());
        let column = move |row: u8| {
            squares
                .iter()
                .any(|at| at.row() == row && at.column() == mv.from.column())
        };
        (first + 1..last).any(column)
    };
    is_scout && mv.from.column() == mv.to.column() && between()
}
