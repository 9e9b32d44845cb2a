//! The alpha-beta agent's view of Star and Circle: pieces above all, and the end of the game as early as possible. The
//! search itself is in `agents/builtin/alphabeta`.
//!
//! The handout's evaluation rewards advancing. But every uncaptured piece finally reaches the last row, so the number
//! of pieces matters, and a piece that cannot meet an enemy does not delay anybody. So this evaluation counts pieces,
//! and prefers meeting enemies to hurrying past.

use super::{Move, StarCircle};
use crate::agents::builtin::{SearchNode, Searched, mixed};
use crate::games::{Position, Side};

/// The value of a piece.
const PIECE: i32 = 80;
/// The deduction for a piece that cannot meet an enemy any more, per row that it has to go.
const CLEAR: i32 = 4;

impl Searched for StarCircle {
    type Node = StarCircleNode;
}

/// A position without cached values.
#[derive(Clone, Debug)]
pub struct StarCircleNode(StarCircle);

impl SearchNode for StarCircleNode {
    type Position = StarCircle;

    /// As bad as being two pieces behind: with equal pieces, a game becomes a draw.
    const LEVEL: i32 = -2 * PIECE;

    const SLOTS: usize = 1 << 12;

    fn enter(position: &StarCircle) -> Self {
        Self(position.clone())
    }

    #[inline]
    fn position(&self) -> &StarCircle {
        &self.0
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.0.play_unchecked(mv);
    }

    fn pass(&mut self) {
        self.0.pass();
    }

    #[inline]
    fn key(&self) -> u64 {
        let [black, white, stacks] = self.0.words();
        mixed([black, white, stacks, self.0.side_to_move().index() as u64 + 1])
    }

    #[inline]
    fn evaluate(&self) -> i32 {
        let worth = |side| {
            let clear = self.0.clear(side);
            let off = clear.pieces + clear.rows;
            PIECE * self.0.count_all(side).cast_signed() - CLEAR * off.cast_signed()
        };
        let side = self.0.side_to_move();
        worth(side) - worth(side.other())
    }

    #[inline]
    fn slot(mv: Move) -> usize {
        let index =
            |square: crate::games::star_circle::Square| usize::from(square.row()) << 3 | usize::from(square.column());
        index(mv.from) << 6 | index(mv.to)
    }

    #[inline]
    fn promise(&self, mv: Move) -> i32 {
        if mv.jumped().is_some() { 1000 } else { 0 }
    }

    #[inline]
    fn hopeless(&self) -> impl Fn(Move) -> bool {
        self.0.repeats()
    }

    #[inline]
    fn captures(&self) -> impl Iterator<Item = Move> {
        self.0.jumps()
    }

    /// Each piece advances by at least one row per move.
    fn moves_left(&self) -> Option<u32> {
        let rows = Side::BOTH.map(|side| self.0.rows_to_go(side));
        Some(rows.iter().sum())
    }

    /// Rows past enemies count, since the rest has only one move at a time; three of them are about as hard to search
    /// as two empty squares of Othello.
    fn choices_left(&self) -> Option<u32> {
        let rows = Side::BOTH.map(|side| self.0.rows_to_go(side) - self.0.clear(side).rows);
        Some(rows.iter().sum::<u32>() * 2 / 3)
    }
}
