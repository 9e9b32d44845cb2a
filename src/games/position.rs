//! The rules of a game, in the form of a value.

use std::fmt::Debug;
use std::hash::Hash;

use super::{BoardError, Side, Status};

/// A position of one game together with the side to move: the rules, in the form of a value.
///
/// Positions are cheap to copy and know nothing of the past, except where a rule of the game itself asks for it.
pub trait Position: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// Whether perft counts a game that is over because neither side can move as going on by passes, as the tables for
    /// Othello do; otherwise a game that is over counts nothing.
    const PASSES_AFTER_END: bool = false;

    /// Which variant of the rules is played; `()` where there is only one.
    type Rules: Copy + Debug + Default + Eq + Send + Sync + 'static;

    /// One whole move of one side: a chain of jumps is one move.
    type Move: Copy + Debug + Eq + Hash + Send + Sync + 'static;

    /// The position that a game begins with, the side with the first move to move.
    fn start(rules: Self::Rules) -> Self;

    /// The position that is drawn in `rows`, top row first, with `side` to move.
    ///
    /// # Errors
    ///
    /// [`BoardError`] where the drawing has another size, a foreign letter, or pieces that cannot stand so.
    fn from_rows(rows: &[&[u8]], side: Side, rules: Self::Rules) -> Result<Self, BoardError>;

    /// The board drawn as in `input.txt`, top row first, each row ended by a LF: a letter a square, but in Star and
    /// Circle cells with commas between them.
    fn board(&self) -> String;

    /// The rows of [`Self::board`].
    fn rows(&self) -> Vec<String> {
        self.board().lines().map(str::to_owned).collect()
    }

    /// What [`Self::from_rows`] makes this position of: the rows of the board, and more where the board alone does not
    /// tell what can be played.
    fn setup(&self) -> Vec<String> {
        self.rows()
    }

    /// The rules by which this position is played.
    fn rules(&self) -> Self::Rules;

    /// Whose turn it is.
    fn side_to_move(&self) -> Side;

    /// The same board with `side` to move.
    #[must_use]
    fn with_side_to_move(self, side: Side) -> Self;

    /// Whether the side to move can move, must pass, or finds the game over.
    fn status(&self) -> Status;

    /// Calls `visit` with each legal move of the side to move, each once, in an order that depends on the position
    /// alone. Visits none where the side must pass or has lost for want of a move.
    fn for_each_move(&self, visit: impl FnMut(Self::Move));

    /// Plays a move that is known to be legal, and gives the turn to the other side.
    ///
    /// An illegal move leaves a position that means nothing; it never panics and never breaks memory safety.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// Gives the turn to the other side without a move. Only legal where [`Self::status`] is [`Status::MustPass`].
    fn pass(&mut self);

    /// Whether `mv` captures, crowns, or otherwise can never be undone: such a move starts the count of idle turns
    /// anew, and no position before it can occur again.
    fn makes_progress(&self, mv: Self::Move) -> bool;

    /// Whether all pieces of both sides stand on the same squares, whosever turn it is.
    fn same_placement(&self, other: &Self) -> bool;

    /// All legal moves, in the order of [`Self::for_each_move`].
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// The number of legal moves. A game overrides it where counting is cheaper than listing.
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }

    /// Whether `mv` is one of the legal moves.
    fn is_legal(&self, mv: Self::Move) -> bool {
        let mut found = false;
        self.for_each_move(|legal| found |= legal == mv);
        found
    }

    /// The position after `mv`.
    ///
    /// # Errors
    ///
    /// [`NotLegal`] where `mv` is not a legal move here.
    fn play(&self, mv: Self::Move) -> Result<Self, NotLegal> {
        if !self.is_legal(mv) {
            return Err(NotLegal);
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        Ok(next)
    }
}

/// A move that the rules do not allow in this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is not a legal move here")]
pub struct NotLegal;
