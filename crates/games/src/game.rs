//! The interface of a game for the rest of the program: [`Game`], its positions ([`State`]), and the handle
//! [`GameRef`]. [`super::adapter`] implements it for built-in games, and rules programs for others.
//!
//! The three name each other, so they are one file. It contains no rules; the names of games are in [`super::id`].

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use super::picking::pick_among;
use super::{BoardError, DrawRules, MoveValues, Picking, Profile, ProvedResult, RulesUnavailable, Side, Status};
use crate::builtin::{BuiltinAnswerError, BuiltinReply, BuiltinTurn};
use crate::positions::{ListedKind, MadePosition, PositionsError, PositionsRequest};
use crate::protocol::{Comparison, Finding, Input, InputError, InputPurpose, Refusal, TimeLeft, Tolerance};
use referee_time::CpuTime;

/// A game with the variant of its rules.
///
/// A handle to a [`Game`] that lives as long as the process. In records it is a [`GameId`](super::GameId).
#[derive(Clone, Copy)]
pub struct GameRef(pub(crate) &'static dyn Game);

impl GameRef {
    /// The handle of a game that is not in the registry: one whose rules are a program of their own.
    pub const fn of(game: &'static dyn Game) -> Self {
        Self(game)
    }
}

impl Deref for GameRef {
    type Target = dyn Game;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

/// A game in one variant of its rules.
///
/// It requires no Rust type of the game, so that external rules programs can implement it.
pub trait Game: Send + Sync {
    /// The profile of the game.
    fn profile(&self) -> &'static Profile;

    /// The name of the variant; `None` if there is only one.
    fn rules(&self) -> Option<&'static str> {
        None
    }

    /// The start position, with the side of the first turn to move.
    fn start(&self) -> State;

    /// The position drawn in `rows`, top row first, as [`GameState::setup`] draws it, with `side` to move.
    ///
    /// # Errors
    ///
    /// [`BoardError`] for a wrong size, an unknown letter, or an impossible arrangement of pieces.
    fn read_board(&self, rows: &[&[u8]], side: Side) -> Result<State, BoardError>;

    /// Reads a whole `input.txt`.
    ///
    /// # Errors
    ///
    /// [`InputError`] with the line at fault and the expected content.
    fn read_input(&self, text: &[u8]) -> Result<Input<State>, InputError>;

    /// The answer of a built-in agent to the text of an `input.txt`; see [`answer`](crate::builtin::answer()).
    ///
    /// # Errors
    ///
    /// [`BuiltinAnswerError`] if the text is not an input in which the side to move has a legal move.
    fn answer(&self, turn: BuiltinTurn<'_>) -> Result<BuiltinReply, BuiltinAnswerError>;

    /// The values of all legal moves of a position whose side can move, by the alpha-beta agent's search of `nodes`
    /// nodes; empty if it is no position of this game. They depend on nothing else, such as the machine or chance.
    fn value_moves(&self, _position: &ReachedPosition<'_>, _nodes: u64) -> MoveValues {
        MoveValues::default()
    }

    /// The certain result of the move at `index` of [`GameState::moves`], to which [`Self::value_moves`] gives `value`,
    /// if searches of `nodes` nodes each prove one: against every reply, and with the history of the game, so that no
    /// draw by repetition, idle turns or the turn limit can prevent it.
    fn proved_result(
        &self,
        _position: &ReachedPosition<'_>,
        _index: usize,
        _value: i32,
        _nodes: u64,
    ) -> Option<ProvedResult> {
        None
    }

    /// The curve that turns values into expected scores, as JSON; `referee-analysis` has its format.
    fn expected_score_curve(&self) -> Option<&'static str> {
        None
    }

    /// Where the rules come from, where they are a program of their own.
    fn rules_program(&self) -> Option<&'static RulesProgram> {
        None
    }

    /// The game's questions with one right answer, if its assignment asks such.
    fn puzzles(&self) -> Option<&'static Puzzles> {
        None
    }

    /// How the rules fail when they are started anew and these legal moves are replayed, without any text of an agent;
    /// `None` if they do not, or if not all moves are listed. Rules that are part of this program never fail.
    fn fault_at_legal_moves(&self, _replayed: &ReplayedMoves<'_>) -> Option<String> {
        None
    }

    /// The reference agents of this game alone.
    fn own_agents(&self) -> Vec<ListedKind> {
        Vec::new()
    }

    /// The kinds of practice positions.
    fn kinds(&self) -> Vec<ListedKind>;

    /// The kinds of which `position` is, whose side can move; none for a position of another game.
    fn kinds_of(&self, _position: &State) -> Vec<ListedKind> {
        Vec::new()
    }

    /// The positions of `request`.
    ///
    /// # Errors
    ///
    /// [`PositionsError`] if a kind is unknown or was not found.
    fn positions(&self, request: &PositionsRequest) -> Result<Vec<MadePosition>, PositionsError>;
}

/// The moves of a game in which the rules failed.
#[derive(Clone, Copy, Debug)]
pub struct ReplayedMoves<'a> {
    /// The start of the game.
    pub start: &'a State,
    /// Its moves; `None` is a forced pass.
    pub moves: &'a [Option<&'a str>],
    /// The answer after them that was not judged, if there is one.
    pub unjudged: Option<&'a [u8]>,
}

/// A position that a game has reached, with the part of its history on which draws depend.
#[derive(Clone, Copy, Debug)]
pub struct ReachedPosition<'a> {
    /// The position.
    pub position: &'a State,
    /// The positions since the last progress, oldest first; the last one may be `position`.
    pub since_progress: &'a [State],
    /// The number of consecutive turns without progress.
    pub idle_turns: u32,
    /// The number of turns so far.
    pub turns: u32,
    /// The rules about such draws.
    pub draws: DrawRules,
}

impl ReachedPosition<'_> {
    /// The number of turns after a move from here in which no draw by the rules can come up, if no position recurs with
    /// the same side to move; `None` if that is never certain.
    pub fn turns_without_draw(&self, is_progress: bool) -> Option<u32> {
        // A line may come twice to one placement, with either side to move.
        if self.draws.repetitions.is_some_and(|times| times < 3) {
            return None;
        }
        let idle = if is_progress { 0 } else { self.idle_turns + 1 };
        let by_idle_turns = self.draws.idle_turns.map(|limit| limit.saturating_sub(idle + 1));
        let by_limit = self.draws.turn_limit.map(|limit| limit.saturating_sub(self.turns + 2));
        Some(by_idle_turns.into_iter().chain(by_limit).fold(u32::MAX, u32::min))
    }
}

/// The files of a rules program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesProgram {
    /// The digest of its files.
    pub digest: String,
    /// The folder of its files, which a run copies.
    pub folder: PathBuf,
    /// The folder with everything that it needs to run, besides the system.
    pub place: PathBuf,
    /// The executables that it needs, by their absolute paths.
    pub tools: Vec<PathBuf>,
    /// How a built-in agent, itself a program, starts it: for
    /// [`RulesLoader::attached`](super::RulesLoader::attached).
    pub attachment: String,
}

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
    fn game(&self) -> GameRef;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The same board with `side` to move.
    fn with_side_to_move(&self, side: Side) -> State;

    /// Whether the side to move can move, must pass, or the game is over.
    fn status(&self) -> Status;

    /// The board as shown, top row first, each row ended by a LF.
    fn board(&self) -> String;

    /// The rows from which [`Game::read_board`] restores this position: the board, and more if the board alone does not
    /// determine the legal moves.
    fn setup(&self) -> Vec<String>;

    /// The whole `input.txt` for the side to move, with a LF after every line.
    fn write_input(&self, purpose: InputPurpose, time: TimeLeft) -> String;

    /// Reads and judges an `output.txt`.
    ///
    /// # Errors
    ///
    /// [`Refusal`], which distinguishes an empty text, a wrong format and an illegal move.
    fn judge(&self, output: &[u8], tolerance: Tolerance) -> Result<Judged, Refusal>;

    /// Asks the rules whatever may show that a forfeit here is their fault, not the agent's: whether there is a move at
    /// all and, for an answer that they `refused`, whether they do so again when started anew. [`Self::breakdown`] then
    /// says what they do wrong. Rules that are part of this program are never at fault.
    fn recheck_forfeit(&self, _refused: Option<&[u8]>, _tolerance: Tolerance) {}

    /// Every legal move of the side to move, as written.
    fn moves(&self) -> Vec<String>;

    /// The positions after each of [`Self::moves`], in the same order.
    fn successors(&self) -> Vec<State> {
        let judged = |mv: String| self.judge(mv.as_bytes(), Tolerance::Exact).ok();
        self.moves().into_iter().filter_map(judged).map(|judged| judged.next).collect()
    }

    /// The position with the other side to move. Only legal if [`Self::status`] is [`Status::MustPass`].
    fn pass(&self) -> State;

    /// What stands beside the board, such as `Captures: X 4, O 2`, in a line that is safe to show; empty if the board
    /// shows everything.
    fn notes(&self) -> String {
        String::new()
    }

    /// Whether all pieces of both sides are on the same squares as in `other`, regardless of the turn.
    fn same_placement(&self, other: &State) -> bool {
        self.board() == other.board()
    }

    /// The number of `side`'s pieces on the board.
    fn pieces(&self, side: Side) -> u32 {
        self.game().profile().count(&self.board(), side)
    }

    /// Counts the sequences of `depth` turns; see [`perft`](super::perft()).
    fn perft(&self, depth: u32) -> u64;

    /// Why the rules have not answered a question about this position, if one has gone unanswered: our own fault. All
    /// that the position has said since is worth nothing, and so is every position that follows from it.
    ///
    /// Rules that are part of this program always answer. A rules program may fail, and no other method can say so.
    fn breakdown(&self) -> Option<RulesUnavailable> {
        None
    }

    /// Whether the rules have answered all that they were asked about this position.
    ///
    /// # Errors
    ///
    /// What [`Self::breakdown`] says.
    fn expect_answers(&self) -> Result<(), RulesUnavailable> {
        self.breakdown().map_or(Ok(()), Err)
    }

    /// A line that begins with [`POSITION_LINE`] and tells the whole position, which [`Game::read_input`] understands
    /// at the end of an `input.txt`: for people and for built-in agents, where the rules need not be able to read an
    /// input.
    fn position_line(&self) -> Option<String> {
        None
    }

    /// The state after picking these squares in order; `None` if they cannot be picked.
    fn picking(&self, picked: &[String]) -> Option<Picking> {
        pick_among(&self.moves(), picked)
    }
}

/// The beginning of a line that tells the whole position of a game whose rules are a separate program.
pub const POSITION_LINE: &str = "#position ";

/// An `input.txt` without a last line that tells the whole position: what agents may see of it.
///
/// ```
/// use referee_games::without_position_line;
///
/// assert_eq!(without_position_line("X\n...\n#position {}\n"), "X\n...\n");
/// assert_eq!(without_position_line("X\n...\n"), "X\n...\n");
/// ```
pub fn without_position_line(input: &str) -> &str {
    let last = input.trim_end().rfind('\n').map_or(0, |end| end + 1);
    if input[last..].starts_with(POSITION_LINE) { &input[..last] } else { input }
}

impl State {
    /// A position.
    pub fn new(position: impl GameState) -> Self {
        Self(Arc::new(position))
    }

    /// The input of a question about this position, which [`Game::read_input`] can read: where the rules cannot read
    /// their own `input.txt`, it ends with the [position](GameState::position_line), which agents are not shown.
    pub fn write_question(&self, purpose: InputPurpose, time: TimeLeft) -> String {
        let mut input = self.write_input(purpose, time);
        if let Some(line) = self.position_line()
            && self.game().read_input(input.as_bytes()).is_err()
        {
            input.push_str(&line);
            input.push('\n');
        }
        input
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
        write!(f, "{}, {:?} to move:\n{}", self.game(), self.side_to_move(), self.board())
    }
}

/// The questions of a game whose assignment asks for right answers instead of games.
///
/// Its inputs contain no time, and its programs run once each.
#[derive(Clone, Copy, Debug)]
pub struct Puzzles {
    /// The default time for one answer.
    pub time: CpuTime,
    /// The right answer to an `input.txt`.
    pub solve: fn(&[u8]) -> Result<SolvedQuestion, InputError>,
    /// Compares an `output.txt` with the right answer, line by line.
    pub compare: fn(&str, &[u8], Tolerance) -> Result<Comparison, Refusal>,
}

/// A right answer.
#[derive(Clone, Debug)]
pub struct SolvedQuestion {
    /// The whole `output.txt`, without a LF after the last line.
    pub text: String,
    /// The same as JSON.
    pub json: serde_json::Value,
    /// The position after the answer's move.
    pub next: State,
}
