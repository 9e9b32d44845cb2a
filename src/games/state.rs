//! The interface of a position for the rest of the program. [`super::adapter`] implements it for built-in games, and
//! rules programs for others.

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::picking::pick_among;
use super::{GameId, Picking, Side, Status};
use crate::protocol::{Finding, InputPurpose, Refusal, TimeLeft, Tolerance};

/// A position of some game, cheap to clone.
#[derive(Clone)]
pub struct State(Arc<dyn GameState>);

/// A legal answer: the move and its result.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The play as written, in the exact format without a final LF. If several plays make the same move, it may differ
    /// from the one in [`GameState::moves`].
    pub mv: String,
    /// Every tolerance used, in the words of an exact reading, and every remark on the move.
    pub warnings: Vec<Finding>,
    /// Whether the move restarts the count of idle turns; then no earlier position can recur.
    pub is_progress: bool,
    /// The position after the move.
    pub next: State,
}

/// The operations on a position.
pub trait GameState: Any + Send + Sync {
    /// The game and its rules.
    fn game(&self) -> GameId;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The same board with `side` to move.
    fn with_side_to_move(&self, side: Side) -> State;

    /// Whether the side to move can move, must pass, or the game is over.
    fn status(&self) -> Status;

    /// The board as shown, top row first, each row ended by a LF.
    fn board(&self) -> String;

    /// The rows from which [`Game::read_board`](super::Game::read_board) restores this position: the board, and more if
    /// the board alone does not determine the legal moves.
    fn setup(&self) -> Vec<String>;

    /// The whole `input.txt` for the side to move, with a LF after every line.
    fn write_input(&self, purpose: InputPurpose, time: TimeLeft) -> String;

    /// Reads and judges an `output.txt`.
    ///
    /// # Errors
    ///
    /// [`Refusal`], which distinguishes an empty text, a wrong format and an illegal move.
    fn judge(&self, output: &[u8], tolerance: Tolerance) -> Result<Judged, Refusal>;

    /// Every legal move of the side to move, as written.
    fn moves(&self) -> Vec<String>;

    /// The positions after each of [`Self::moves`], in the same order.
    fn successors(&self) -> Vec<State> {
        let judged = |mv: String| self.judge(mv.as_bytes(), Tolerance::Exact).ok();
        self.moves()
            .into_iter()
            .filter_map(judged)
            .map(|judged| judged.next)
            .collect()
    }

    /// The position with the other side to move. Only legal if [`Self::status`] is [`Status::MustPass`].
    fn pass(&self) -> State;

    /// Whether all pieces of both sides are on the same squares as in `other`, regardless of the turn.
    fn same_placement(&self, other: &State) -> bool {
        self.board() == other.board()
    }

    /// The number of `side`'s pieces on the board.
    fn pieces(&self, side: Side) -> u32;

    /// Counts the sequences of `depth` turns; see [`perft`](super::perft()).
    fn perft(&self, depth: u32) -> u64;

    /// Why the rules have not answered a question about this position, if one has gone unanswered: our own fault. All
    /// that the position has said since is worth nothing, and so is every position that follows from it.
    ///
    /// Rules that are part of this program always answer. A rules program may fail, and no other method can say so.
    fn breakdown(&self) -> Option<String> {
        None
    }

    /// A line that tells the whole position, which [`Game::read_input`](super::Game::read_input) understands at the end
    /// of an `input.txt`: for people and for built-in agents, where the rules need not be able to read an input.
    fn position_line(&self) -> Option<String> {
        None
    }

    /// The state after picking these squares in order; `None` if they cannot be picked.
    fn picking(&self, picked: &[String]) -> Option<Picking> {
        pick_among(&self.moves(), picked)
    }
}

impl State {
    /// A position.
    pub fn new(position: impl GameState) -> Self {
        Self(Arc::new(position))
    }

    /// The rows of the board, top row first.
    pub fn rows(&self) -> Vec<String> {
        self.board().lines().map(str::to_owned).collect()
    }

    /// The position as a `T`, if it is one.
    pub fn downcast<T: GameState>(&self) -> Option<&T> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref()
    }
}

impl Deref for State {
    type Target = dyn GameState;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.game() == other.game() && self.side_to_move() == other.side_to_move() && self.setup() == other.setup()
    }
}

impl Eq for State {}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, {:?} to move:\n{}",
            self.game(),
            self.side_to_move(),
            self.board()
        )
    }
}
