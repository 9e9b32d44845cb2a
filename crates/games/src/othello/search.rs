//! The alpha-beta agent's view of Duo-Othello: mobility early, permanent disks throughout, and a solved end. The search
//! itself is in `agents/builtin/alphabeta`.

use super::{DuoOthello, Square, Squares};
use crate::builtin::{Plays, Searched, mixed};
use crate::{Position, Side};

/// A legal move.
const MOBILITY: i32 = 12;
/// An own disk beside an empty square.
const FRONTIER: i32 = -5;
/// A disk on a corner, or connected to one along an edge: never flipped again.
const CORNER: i32 = 90;
const ANCHORED: i32 = 18;
/// A disk that gives away an empty corner: diagonally inside, or beside it on the edge.
const INSIDE_FREE_CORNER: i32 = -45;
const BESIDE_FREE_CORNER: i32 = -15;
/// With at most this many empty squares, disks count.
const LAST_SQUARES: u32 = 24;
/// Having the last move is an advantage.
const PARITY: i32 = 10;

impl Plays for DuoOthello {}

impl Searched for DuoOthello {
    type Cache = ();

    /// A column and a row take four bits each.
    const HISTORY_SIZE: usize = 256;

    fn cache(&self) {}

    #[inline]
    fn key(&self, (): &()) -> u64 {
        let side = self.side_to_move();
        let [own, other] = [side, side.other()].map(|side| self.disks(side).words());
        let turn = [side.index() as u64 + 1];
        mixed(own.into_iter().chain(other).chain(turn))
    }

    fn static_evaluation(&self, (): &()) -> i32 {
        let side = self.side_to_move();
        let ground = SearchGround::of(self);
        ground.value(self, side) - ground.value(self, side.other()) + ground.parity
    }

    #[inline]
    fn history_index(mv: Square) -> usize {
        mv.index()
    }

    #[inline]
    fn ordering_score(&self, mv: Square) -> i32 {
        ORDERING_SCORES[Self::history_index(mv)]
    }

    fn moves_left(&self) -> Option<u32> {
        Some(self.empty().count())
    }
}

/// The properties of the empty squares, common to both sides.
struct SearchGround {
    frontier: Squares,
    inside_free_corner: Squares,
    beside_free_corner: Squares,
    /// The value of a disk.
    disk: i32,
    /// To the side to move.
    parity: i32,
}

impl SearchGround {
    fn of(position: &DuoOthello) -> Self {
        let empty = position.empty();
        let around = (Squares::CORNERS & empty).with_neighbours();
        let left = empty.count();
        Self {
            frontier: empty.with_neighbours(),
            inside_free_corner: around.without(Squares::EDGES),
            beside_free_corner: around & Squares::EDGES,
            disk: LAST_SQUARES.saturating_sub(left).cast_signed() / 3,
            parity: match left {
                0 | LAST_SQUARES.. => 0,
                _ if left.is_multiple_of(2) => -PARITY,
                _ => PARITY,
            },
        }
    }

    fn value(&self, position: &DuoOthello, side: Side) -> i32 {
        let disks = position.disks(side);
        let on = |squares: Squares| (disks & squares).count().cast_signed();
        let corners = disks & Squares::CORNERS;
        let anchored = corners.flood_fill(disks & Squares::EDGES);
        CORNER * corners.count().cast_signed()
            + ANCHORED * anchored.count().cast_signed()
            + FRONTIER * on(self.frontier)
            + INSIDE_FREE_CORNER * on(self.inside_free_corner)
            + BESIDE_FREE_CORNER * on(self.beside_free_corner)
            + MOBILITY * position.legal_squares(side).count().cast_signed()
            + self.disk * disks.count().cast_signed()
    }
}

/// The ordering score of a move to each square: corners first, squares beside them last.
static ORDERING_SCORES: [i32; 256] = ordering_scores();

const fn ordering_scores() -> [i32; 256] {
    let mut scores = [0; 256];
    let mut slot = 0;
    while slot < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "both are below 16")]
        let (column, row) = ((slot & 15) as u8, (slot >> 4) as u8);
        scores[slot] = ordering_score_of(column, row);
        slot += 1;
    }
    scores
}

const fn ordering_score_of(column: u8, row: u8) -> i32 {
    match (from_edge(column), from_edge(row)) {
        (0, 0) => 2000,
        (1, 1) => -1000,
        (0, 1) | (1, 0) => -500,
        (0, _) | (_, 0) => 100,
        (_, _) => 0,
    }
}

/// How far a column or row is from the nearest edge.
const fn from_edge(index: u8) -> u8 {
    let other = index.abs_diff(11);
    if index < other { index } else { other }
}
