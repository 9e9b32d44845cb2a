//! The interface that a game implements for the search. It contains no search; each game's `search.rs` implements it.

use crate::Position;

/// A game that the alpha-beta agent plays: everything in which its search differs from another game's, and not the
/// search itself.
pub trait Searched: Position {
    /// What the search updates from move to move besides the position; `()` if a position is evaluated faster than
    /// anything is updated.
    type Cache: Clone;

    /// The value of a drawn game to the searching side: slightly less than an even position, since a draw goes to the
    /// side that used less time.
    const DRAW_VALUE: i32 = -20;

    /// One more than the maximum of [`Self::history_index`].
    const HISTORY_SIZE: usize;

    /// The cache of this position.
    fn cache(&self) -> Self::Cache;

    /// Changes the cache of this position to that of the position after the legal move `mv`.
    #[inline]
    fn update(&self, cache: &mut Self::Cache, mv: Self::Move) {
        let _ = (cache, mv);
    }

    /// Changes the cache of this position to that of the position after a pass.
    fn update_by_pass(&self, cache: &mut Self::Cache) {
        let _ = cache;
    }

    /// A hash of the position and the side to move, practically unique, and the same in every process and on every
    /// machine.
    fn key(&self, cache: &Self::Cache) -> u64;

    /// The value of the position to the side to move, without looking ahead; strictly between minus and plus
    /// [`crate::builtin::WIN_VALUE`].
    fn static_evaluation(&self, cache: &Self::Cache) -> i32;

    /// A number for the move, for tables of earlier successes. Moves may share one.
    fn history_index(mv: Self::Move) -> usize;

    /// A quick estimate of the move; higher ones are searched first.
    fn ordering_score(&self, mv: Self::Move) -> i32;

    /// Tells whether a legal move is so rarely good that lines with it are not worth searching; at the root all moves
    /// are searched.
    fn forward_pruning(&self) -> impl Fn(Self::Move) -> bool {
        |_| false
    }

    /// The captures, in a game without compulsory captures: they are tried before a position is evaluated.
    fn quiescence_captures(&self) -> impl Iterator<Item = Self::Move> {
        std::iter::empty()
    }

    /// Whether the position must become quiet before it is evaluated.
    fn needs_quiescence(&self) -> bool {
        false
    }

    /// The maximum number of remaining moves, if the board determines it.
    fn moves_left(&self) -> Option<u32> {
        None
    }

    /// How many of them are a choice, if that determines how hard the end is to solve.
    fn remaining_choices(&self) -> Option<u32> {
        self.moves_left()
    }

    /// Whether the game may be over although the side to move could move.
    fn may_be_over(&self) -> bool {
        false
    }

    /// A number that changes exactly with moves that make progress ([`Position::makes_progress`]), if the game counts
    /// idle turns.
    fn stage(&self) -> Option<u64> {
        None
    }
}

/// A position with its cache.
#[derive(Clone)]
pub(super) struct SearchNode<P: Searched> {
    pub(super) position: P,
    cache: P::Cache,
}

impl<P: Searched> SearchNode<P> {
    pub(super) fn enter(position: &P) -> Self {
        Self { cache: position.cache(), position: position.clone() }
    }

    /// The node after a legal move.
    #[inline]
    pub(super) fn after(&self, mv: P::Move) -> Self {
        let mut next = self.clone();
        self.position.update(&mut next.cache, mv);
        next.position.play_unchecked(mv);
        next
    }

    /// The node after a pass, where the rules say so.
    pub(super) fn after_pass(&self) -> Self {
        let mut next = self.clone();
        self.position.update_by_pass(&mut next.cache);
        next.position.pass();
        next
    }

    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.position.key(&self.cache)
    }

    /// See [`Searched::static_evaluation`].
    #[inline]
    pub(super) fn static_evaluation(&self) -> i32 {
        self.position.static_evaluation(&self.cache)
    }
}

/// Mixes words into one; each bit of the result depends on each bit of theirs.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the product is folded: both halves are used")]
pub fn mixed(words: impl IntoIterator<Item = u64>) -> u64 {
    let mixed = words.into_iter().fold(0x243f_6a88_85a3_08d3_u64, |mixed, word| {
        let product = u128::from(mixed ^ word) * 0x9e37_79b9_7f4a_7c15;
        product as u64 ^ (product >> 64) as u64
    });
    mixed ^ mixed >> 32
}
