//! The kinds of practice positions of Heirs. `positions` searches for them.

use super::{Heirs, Move, Piece, Square, Squares};
use crate::positions::{PositionKind, PracticeGame};
use crate::{Position, Side};

impl PracticeGame for Heirs {
    const KINDS: &'static [PositionKind<Self>] = &[
        PositionKind::new("opening", "46 pieces or more, nothing to capture", 1..=8, |board| {
            pieces(board) >= 46 && captures(board).is_empty()
        }),
        PositionKind::new("win-in-one", "the enemy Prince can be captured", 8..=200, |board| {
            is_attacked(board, board.side_to_move().other())
        }),
        PositionKind::new(
            "prince-attacked",
            "the own Prince is attacked, the enemy's cannot be captured",
            8..=200,
            |board| {
                let own = board.side_to_move();
                is_attacked(board, own) && !is_attacked(board, own.other())
            },
        ),
        PositionKind::new(
            "capture-choice",
            "three captures or more to choose from, by two pieces or more",
            10..=80,
            |board| {
                let captures = captures(board);
                captures.len() >= 3 && captures.iter().any(|mv| mv.from != captures[0].from)
            },
        ),
        PositionKind::new("leap", "a Scout can capture by leaping over a piece", 8..=200, |board| {
            captures(board).into_iter().any(|mv| leaps(board, mv))
        }),
        PositionKind::new(
            "company",
            "a Sibling may not go to every adjacent free square, because no other piece would be beside it",
            10..=80,
            |board| {
                let siblings = board.pieces_of(Piece::Sibling, board.side_to_move());
                siblings.iter().any(|sibling| is_held(board, sibling))
            },
        ),
        PositionKind::new("crowded", "24 pieces or more, 45 moves or more", 10..=80, |board| {
            pieces(board) >= 24 && board.count_moves() >= 45
        }),
        PositionKind::new("few-pieces", "ten pieces or fewer", 80..=600, |board| pieces(board) <= 10),
    ];
}

fn pieces(position: &Heirs) -> u32 {
    (!position.empty()).count()
}

/// Whether a Sibling may move to some of its neighbouring squares, but not to others.
fn is_held(position: &Heirs, sibling: Square) -> bool {
    let beside = Squares::of(sibling).with_neighbours();
    let free = beside.without(position.pieces(position.side_to_move())).count();
    let moves = position.moves().iter().filter(|mv| mv.from == sibling).count();
    (1..free as usize).contains(&moves)
}

fn captures(position: &Heirs) -> Vec<Move> {
    let mut captures = Vec::new();
    position.for_each_capture(|mv| captures.push(mv));
    captures
}

/// Whether the Prince of `side` could be captured if it were the other side's turn.
fn is_attacked(position: &Heirs, side: Side) -> bool {
    let prince = position.pieces_of(Piece::Prince, side);
    !position.attackers(prince, side.other()).is_empty()
}

/// Whether a Scout jumps over a piece in its own column.
fn leaps(position: &Heirs, mv: Move) -> bool {
    let is_scout = position.at(mv.from).is_some_and(|(_, piece)| piece == Piece::Scout);
    let mut between = mv.from.squares_to(mv.to);
    is_scout && mv.from.column() == mv.to.column() && between.any(|square| position.at(square).is_some())
}
