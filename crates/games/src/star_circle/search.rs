//! The alpha-beta agent's view of Star and Circle: pieces above all, and the end of the game as early as possible. The
//! search itself is in `agents/builtin/alphabeta`.
//!
//! The handout's evaluation rewards advancing. But every uncaptured piece finally reaches the last row, so the number
//! of pieces matters, and a piece that cannot meet an enemy does not delay anybody. So this evaluation counts pieces,
//! and prefers meeting enemies to hurrying past.

use super::{Move, StarCircle};
use crate::Side;
use crate::builtin::{Searched, mixed};

/// The value of a piece.
const PIECE: i32 = 80;
/// The deduction for a piece that cannot meet an enemy any more, per row that it has to go.
const CLEAR: i32 = 4;

impl Searched for StarCircle {
    type Cache = ();

    /// As bad as being two pieces behind: with equal pieces, a game becomes a draw.
    const DRAW_VALUE: i32 = -2 * PIECE;

    const HISTORY_SIZE: usize = 1 << 12;

    fn cache(&self) {}

    #[inline]
    fn key(&self, (): &()) -> u64 {
        let [black, white, stacks] = self.words();
        mixed([black, white, stacks, self.side.index() as u64 + 1])
    }

    #[inline]
    fn static_evaluation(&self, (): &()) -> i32 {
        let value = |side| {
            let clear = self.clear(side);
            let off = clear.pieces + clear.rows;
            PIECE * self.count_all(side).cast_signed() - CLEAR * off.cast_signed()
        };
        value(self.side) - value(self.side.other())
    }

    #[inline]
    fn history_index(mv: Move) -> usize {
        mv.from.index() << 6 | mv.to.index()
    }

    #[inline]
    fn ordering_score(&self, mv: Move) -> i32 {
        if mv.jumped().is_some() { 1000 } else { 0 }
    }

    #[inline]
    fn forward_pruning(&self) -> impl Fn(Move) -> bool {
        self.repeats()
    }

    #[inline]
    fn quiescence_captures(&self) -> impl Iterator<Item = Move> {
        self.jumps()
    }

    /// Each piece advances by at least one row per move.
    fn moves_left(&self) -> Option<u32> {
        let rows = Side::BOTH.map(|side| self.rows_to_go(side));
        Some(rows.iter().sum())
    }

    /// Rows past enemies count, since the rest has only one move at a time; three of them are about as hard to search
    /// as two empty squares of Othello.
    fn remaining_choices(&self) -> Option<u32> {
        let rows = Side::BOTH.map(|side| self.rows_to_go(side) - self.clear(side).rows);
        Some(rows.iter().sum::<u32>() * 2 / 3)
    }
}
