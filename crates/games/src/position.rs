//! The interface of a game's rules. Each game implements it; agents, positions and the adapter call it.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use super::{BoardError, Side, Status};

/// A position of a game with the side to move: the rules as a value.
///
/// Positions are cheap to copy and contain no history, unless a rule of the game itself needs it.
pub trait Position: Clone + Debug + Eq + Hash + Send + Sync + 'static {
    /// Whether perft continues with passes after neither side can move, as the tables for Othello do; otherwise a
    /// finished game counts nothing.
    const PASSES_AFTER_END: bool = false;

    /// The variant of the rules; `()` if there is only one.
    type Rules: Copy + Debug + Default + Eq + Send + Sync + 'static;

    /// One whole move of one side, displayed as in `output.txt`: a chain of jumps is one move.
    type Move: Copy + Debug + Display + Eq + Hash + Send + Sync + 'static;

    /// The start position, with the side of the first turn to move.
    fn start(rules: Self::Rules) -> Self;

    /// The position drawn in `rows`, top row first, with `side` to move.
    ///
    /// # Errors
    ///
    /// [`BoardError`] for a wrong size, an unknown letter, or an impossible arrangement of pieces.
    fn from_rows(rows: &[&[u8]], side: Side, rules: Self::Rules) -> Result<Self, BoardError>;

    /// The board drawn as in `input.txt`, top row first, each row ended by a LF: one letter per square, but
    /// comma-separated cells in Star and Circle.
    fn board(&self) -> String;

    /// The rows of [`Self::board`].
    fn rows(&self) -> Vec<String> {
        self.board().lines().map(str::to_owned).collect()
    }

    /// The rows from which [`Self::from_rows`] restores this position: the board, and more if the board alone does not
    /// determine the legal moves.
    fn setup(&self) -> Vec<String> {
        self.rows()
    }

    /// The variant of the rules.
    fn rules(&self) -> Self::Rules {
        Self::Rules::default()
    }

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The same board with `side` to move.
    #[must_use]
    fn with_side_to_move(self, side: Side) -> Self;

    /// Whether the side to move can move, must pass, or the game is over.
    fn status(&self) -> Status;

    /// Calls `visit` once with each legal move of the side to move, in an order that depends only on the position.
    /// Visits none if the side must pass or has lost for want of a move.
    fn for_each_move(&self, visit: impl FnMut(Self::Move));

    /// Plays a legal move and passes the turn to the other side.
    ///
    /// After an illegal move the position is meaningless, but this never panics.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// Passes the turn without a move. Only legal if [`Self::status`] is [`Status::MustPass`].
    fn pass(&mut self) {
        *self = self.clone().with_side_to_move(self.side_to_move().other());
    }

    /// Whether `mv` is irreversible (captures, crowns, ...): then the count of idle turns restarts, and no earlier
    /// position can recur. Every move is, unless the game overrides it.
    fn makes_progress(&self, mv: Self::Move) -> bool {
        let _ = mv;
        true
    }

    /// Whether the two count as the same for repetition. Most games override it: the pieces count, and not the turn.
    fn same_placement(&self, other: &Self) -> bool {
        self == other
    }

    /// All legal moves, in the order of [`Self::for_each_move`].
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.for_each_move(|mv| moves.push(mv));
        moves
    }

    /// The number of legal moves. A game overrides it if counting is cheaper than listing.
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_move(|_| count += 1);
        count
    }

    /// Whether `holds` for one of the legal moves.
    fn any_move(&self, holds: impl Fn(Self::Move) -> bool) -> bool {
        let mut found = false;
        self.for_each_move(|mv| found = found || holds(mv));
        found
    }

    /// Whether `mv` is one of the legal moves.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.any_move(|legal| legal == mv)
    }

    /// The position after the legal move `mv`; see [`Self::play_unchecked`].
    #[inline]
    #[must_use]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(mv);
        next
    }
}

/// The position drawn in `rows`, by the usual rules.
#[cfg(test)]
pub(crate) fn drawn<P: Position>(rows: &[&str], side: Side) -> P {
    let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
    P::from_rows(&rows, side, P::Rules::default()).unwrap()
}
