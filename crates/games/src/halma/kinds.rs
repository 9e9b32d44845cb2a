//! The kinds of practice positions of Halma. `positions` searches for them.
//!
//! The original rules force nobody to leave a camp, so kinds about that exist only under the addendum.

use super::generate::NEIGHBOURS;
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
    let enemies = position.pieces[side.other().index()];
    position.pieces(side).filter(|square| !(NEIGHBOURS[square.index()] & enemies).is_empty()).count()
}

fn jumps(position: &Halma, mv: Move) -> usize {
    match position.path(mv) {
        Some(Play::Jumps(hops)) => hops.len(),
        Some(Play::Step(_)) | None => 0,
    }
}

/// Whether only the rule of the opposing camp forbids the piece on `from` a step.
fn is_held(position: &Halma, from: Square) -> bool {
    NEIGHBOURS[from.index()].iter().any(|to| {
        let judged = position.judge(&Play::Step(Hop { from, to }));
        judged.is_err_and(|illegal| *illegal.reason.rule == STAY_IN_OPPOSING_CAMP)
    })
}

fn wins(position: &Halma, mv: Move) -> bool {
    let side = position.side_to_move();
    matches!(position.after(mv).status(), Status::Over(Ending::Won { winner, .. }) if winner == side)
}
