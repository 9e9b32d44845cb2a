//! What the search asks of a game.

use crate::games::{Position, Status};

/// The move of a node's game.
pub(super) type MoveOf<N> = <<N as SearchNode>::Position as Position>::Move;

/// A position together with what the search keeps up to date from move to move.
///
/// For: all that one game's search does differently from another's. Deliberately not here: the search itself.
pub trait SearchNode: Clone {
    /// The rules of the game.
    type Position: Position;

    /// What a level game is worth to the side whose move is searched for: a little less than an even position, since it
    /// goes to whoever has used less time.
    const LEVEL: i32 = -20;

    /// One more than the highest number that [`Self::slot`] gives.
    const SLOTS: usize;

    /// The node of a position.
    fn enter(position: &Self::Position) -> Self;

    /// The position of the node.
    fn position(&self) -> &Self::Position;

    /// Plays a legal move.
    fn play(&mut self, mv: MoveOf<Self>);

    /// Passes, where the rules say so.
    fn pass(&mut self);

    /// A number of the position and the side to move: as good as certainly another one for any other position, and
    /// always the same, in every process and on every machine.
    fn key(&self) -> u64;

    /// What the position is worth to the side to move, without looking ahead; strictly between minus and plus
    /// [`crate::agents::builtin::WORTH_LIMIT`].
    fn evaluate(&self) -> i32;

    /// A number of the move, for tables of what such moves were good for elsewhere. Moves may share one.
    fn slot(mv: MoveOf<Self>) -> usize;

    /// How good a move looks before it is searched; higher is earlier.
    fn promise(&self, mv: MoveOf<Self>) -> i32;

    /// Tells of a legal move whether it is good so seldom, or so seldom better than another one, that lines with it are
    /// not worth the time; one at the root is always looked at.
    fn hopeless(&self) -> impl Fn(MoveOf<Self>) -> bool {
        |_| false
    }

    /// The moves that capture, in a game in which nobody has to: before a position is evaluated, they are tried.
    fn captures(&self) -> impl Iterator<Item = MoveOf<Self>> {
        std::iter::empty()
    }

    /// Whether the board has to settle before it can be evaluated.
    fn is_restless(&self) -> bool {
        false
    }

    /// How many moves the game lasts at the most, where the board tells.
    fn moves_left(&self) -> Option<u32> {
        None
    }

    /// How many of them are a choice, as far as that tells how hard the end is to search.
    fn choices_left(&self) -> Option<u32> {
        self.moves_left()
    }

    /// Whether the game may be over although the side to move could move.
    fn may_be_over(&self) -> bool {
        false
    }

    /// A number that changes whenever a move makes progress ([`Position::makes_progress`]) and only then, where the
    /// game counts idle turns.
    fn stage(&self) -> Option<u64> {
        None
    }

    /// Whether the game goes on, with [`Position::status`].
    fn status(&self) -> Status {
        self.position().status()
    }
}

/// Words mixed into one, each bit of which depends on each of theirs.
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
