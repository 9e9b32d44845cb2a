//! The interface that a game implements for the search. It contains no search; each game's `search.rs` implements it.

use crate::games::{Position, Status};

/// The move of a node's game.
pub(super) type MoveOf<N> = <<N as SearchNode>::Position as Position>::Move;

/// A position with the data that the search updates from move to move.
///
/// It contains everything in which one game's search differs from another's, and not the search itself.
pub trait SearchNode: Clone {
    /// The rules of the game.
    type Position: Position;

    /// The value of a drawn game to the searching side: slightly less than an even position, since a draw goes to the
    /// side that used less time.
    const LEVEL: i32 = -20;

    /// One more than the maximum of [`Self::slot`].
    const SLOTS: usize;

    /// The node of a position.
    fn enter(position: &Self::Position) -> Self;

    /// The position of the node.
    fn position(&self) -> &Self::Position;

    /// Plays a legal move.
    fn play(&mut self, mv: MoveOf<Self>);

    /// Passes, where the rules say so.
    fn pass(&mut self);

    /// A hash of the position and the side to move, practically unique, and the same in every process and on every
    /// machine.
    fn key(&self) -> u64;

    /// The value of the position to the side to move, without looking ahead; strictly between minus and plus
    /// [`crate::agents::builtin::WORTH_LIMIT`].
    fn evaluate(&self) -> i32;

    /// A number for the move, for tables of earlier successes. Moves may share one.
    fn slot(mv: MoveOf<Self>) -> usize;

    /// A quick estimate of the move; higher ones are searched first.
    fn promise(&self, mv: MoveOf<Self>) -> i32;

    /// Tells whether a legal move is so rarely good that lines with it are not worth searching; at the root all moves
    /// are searched.
    fn hopeless(&self) -> impl Fn(MoveOf<Self>) -> bool {
        |_| false
    }

    /// The captures, in a game without compulsory captures: they are tried before a position is evaluated.
    fn captures(&self) -> impl Iterator<Item = MoveOf<Self>> {
        std::iter::empty()
    }

    /// Whether the position must become quiet before it is evaluated.
    fn is_restless(&self) -> bool {
        false
    }

    /// The maximum number of remaining moves, if the board determines it.
    fn moves_left(&self) -> Option<u32> {
        None
    }

    /// How many of them are a choice, if that determines how hard the end is to solve.
    fn choices_left(&self) -> Option<u32> {
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

    /// The status, from [`Position::status`].
    fn status(&self) -> Status {
        self.position().status()
    }
}

/// Mixes words into one; each bit of the result depends on each bit of theirs.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the product is folded: both halves are used"
)]
pub fn mixed(words: impl IntoIterator<Item = u64>) -> u64 {
    let mixed = words.into_iter().fold(0x243f_6a88_85a3_08d3_u64, |mixed, word| {
        let product = u128::from(mixed ^ word) * 0x9e37_79b9_7f4a_7c15;
        product as u64 ^ (product >> 64) as u64
    });
    mixed ^ mixed >> 32
}
