//! A position of a custom game ([`GameState`]). `game` makes it, and the referee asks it.
//!
//! The program's own state is opaque JSON, stored in ASCII so that it survives records unchanged. A position that could
//! not be made, or an unanswered question, must break the position and all that follow from it
//! ([`GameState::breakdown`]), and must never count as an agent's fault.

mod judging;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::fault::RulesFault;
use super::game::CustomGame;
use super::protocol::{
    ChangedAnswer, MovesAnswer, NextAnswer, PositionAnswer, RulesQuestion, TextAnswer, ValuesAnswer, in_ascii,
};
use super::status::{side, status};
use judging::is_move;
use referee_games::protocol::{InputPurpose, Refusal, TimeLeft, Tolerance, counted, is_blank_text, plain};
use referee_games::{
    BoardDraw, Cells, Ending, GameRef, GameState, Judged, POSITION_LINE, Picking, RulesUnavailable, Side, State,
    Status, pick_squares_or_texts,
};

/// What is said of a move or a pass that keeps the turn.
pub(super) const SAME_SIDE: &str = "the same side is to move";

/// The longest text of a move.
const LONGEST_MOVE: usize = 1_000;

/// The most positions in one question or answer, and about so many bytes of them.
const MAX_BATCH: usize = 64;
const BATCH_BYTES: usize = 1 << 20;

/// What a position takes on a usual machine besides its texts, and a row besides its letters.
const POSITION_BYTES: usize = 400;
const ROW_BYTES: usize = 24;

/// The most notes beside a board, and the most characters of a label and of a text; more is left out, because it is no
/// reason to stop a game.
const MAX_NOTES: (usize, usize, usize) = (6, 30, 80);

/// A position of a custom game.
#[derive(Clone)]
pub(super) struct CustomState {
    pub(super) game: &'static CustomGame,
    /// Whose turn it is.
    pub(super) side: Side,
    status: Status,
    /// What the program told of it; its state is in ASCII.
    told: PositionAnswer,
    moves: OnceLock<Vec<String>>,
    successors: OnceLock<Vec<State>>,
    broken: OnceLock<RulesUnavailable>,
}

impl CustomState {
    /// The position of an answer; a broken one where it cannot be made.
    pub(super) fn answered(game: &'static CustomGame, position: Result<Self, Box<RulesFault>>) -> State {
        State::new(position.unwrap_or_else(|fault| Self::broken(game, game.note(&fault))))
    }

    /// The position of an answer after a move or a pass.
    fn next(&self, answer: PositionAnswer) -> Result<Self, String> {
        let next = Self::of(self.game, answer)?;
        if next.side == self.side {
            return Err(format!(
                "{SAME_SIDE} afterwards: two players take turns (for an extra turn, the other side passes)"
            ));
        }
        Ok(next)
    }

    /// A position that nothing can be asked.
    fn broken(game: &'static CustomGame, reason: RulesUnavailable) -> Self {
        Self {
            game,
            side: Side::Black,
            status: Status::Over(Ending::Drawn(BoardDraw::Blocked)),
            told: PositionAnswer::default(),
            moves: OnceLock::new(),
            successors: OnceLock::new(),
            broken: OnceLock::from(reason),
        }
    }

    /// The position of an answer, or what is wrong with it.
    pub(super) fn of(game: &'static CustomGame, mut answer: PositionAnswer) -> Result<Self, String> {
        let side = side(game, &answer.to_move)?;
        let status = status(game, &answer.status)?;
        let board = game.described.profile.board;
        let is_known = |letter: char| {
            let Cells::Letters { empty } = board.cells else {
                return false;
            };
            letter == empty || game.described.profile.piece(letter).is_some()
        };
        if answer.board.len() != board.rows.len() {
            return Err(format!(
                "`board`: expected {}, found {}",
                counted(board.rows.len(), "row"),
                answer.board.len()
            ));
        }
        for row in &answer.board {
            if row.chars().count() != board.columns.len() || !row.chars().all(is_known) {
                return Err(format!(
                    "`board`: expected rows of {} of `pieces` or `empty`, found `{}`",
                    counted(board.columns.len(), "letter"),
                    plain(row)
                ));
            }
        }
        if let Cow::Owned(ascii) = in_ascii(answer.state.get()) {
            answer.state = RawValue::from_string(ascii).map_err(|error| format!("`state`: {error}"))?;
        }
        Ok(Self {
            game,
            side,
            status,
            told: answer,
            moves: OnceLock::new(),
            successors: OnceLock::new(),
            broken: OnceLock::new(),
        })
    }

    /// The position of a line that begins with [`POSITION_LINE`]; `None` where it does not.
    pub(super) fn read_line(game: &'static CustomGame, line: &str) -> Option<State> {
        let told = line.strip_prefix(POSITION_LINE)?;
        let answer: Result<PositionAnswer, _> = serde_json::from_str(told);
        let position = answer.map_err(|error| error.to_string()).and_then(|answer| Self::of(game, answer));
        let fault = |what| game.client.fault("position", format!("a position of a record: {what}"));
        Some(Self::answered(game, position.map_err(fault)))
    }

    /// What [`Self::read_line`] reads.
    pub(super) fn line(&self) -> String {
        let told = serde_json::to_string(&self.told).expect("a position consists of texts, numbers and JSON");
        format!("{POSITION_LINE}{}", in_ascii(&told))
    }

    /// The position as the program tells it.
    pub(super) fn as_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.told).unwrap_or_default()
    }

    fn is_start(&self) -> bool {
        let start = self.game.start_of(self.side);
        super::as_custom(&start).is_some_and(|start| start.told.state.get() == self.told.state.get())
    }

    /// Breaks the position.
    fn fail(&self, fault: &RulesFault) -> RulesUnavailable {
        let reason = self.game.note(&self.located(fault));
        self.broken.get_or_init(|| reason.clone());
        reason
    }

    /// The fault with the board that was asked about, each row after its label.
    fn located(&self, fault: &RulesFault) -> RulesFault {
        let rows = self.told.board.iter().zip(self.game.described.profile.board.rows);
        let board = rows.map(|(row, label)| format!("{label} {row}")).collect();
        RulesFault { board, ..fault.clone() }
    }

    /// What `check` makes of the answer to a question about the position; `None` breaks it.
    fn ask_about<A: DeserializeOwned, T>(
        &self,
        question: RulesQuestion<'_>,
        check: impl FnOnce(A) -> Result<T, String>,
    ) -> Option<T> {
        if self.broken.get().is_some() {
            return None;
        }
        self.game.client.ask_for(question, check).map_err(|fault| self.fail(&fault)).ok()
    }

    fn ask_moves<T>(&self, check: impl FnOnce(Vec<String>) -> Result<T, String>) -> Option<T> {
        let check = |MovesAnswer { moves, changed }| {
            self.note_change(changed);
            check(moves)
        };
        self.ask_about(RulesQuestion::Moves { state: &self.told.state }, check)
    }

    fn note_change(&self, changed: Option<ChangedAnswer>) {
        if let Some(changed) = changed {
            self.game.note_change(changed);
        }
    }

    /// The positions after some of its legal moves, in their order; `None` breaks the position.
    pub(super) fn after(&self, moves: &[String]) -> Option<Vec<State>> {
        let parts = moves.chunks(self.batch()).map(|part| self.after_batch(part));
        Some(parts.collect::<Option<Vec<_>>>()?.concat())
    }

    /// How many positions like this one are asked for, or asked about, in one line.
    fn batch(&self) -> usize {
        (BATCH_BYTES / (self.told.state.get().len() + self.letters()).max(1)).clamp(1, MAX_BATCH)
    }

    fn after_batch(&self, moves: &[String]) -> Option<Vec<State>> {
        let check = |NextAnswer { next, changed }| {
            self.note_change(changed);
            if moves.len() != next.len() {
                let (moves, next) = (counted(moves.len(), "move"), counted(next.len(), "position"));
                return Err(format!("{moves} and {next}"));
            }
            let made = |(mv, answer): (&String, PositionAnswer)| {
                let next = self.next(answer);
                next.map(State::new).map_err(|what| format!("after the move `{}`: {what}", plain(mv)))
            };
            moves.iter().zip(next).map(made).collect()
        };
        self.ask_about(RulesQuestion::Next { state: &self.told.state, moves }, check)
    }

    /// What the program lists, whatever the status is.
    pub(super) fn listed_moves(&self) -> Vec<String> {
        self.ask_moves(Ok).unwrap_or_default()
    }

    /// The moves of an answer; it is asked only where somebody is to move.
    fn checked_moves(moves: Vec<String>) -> Result<Vec<String>, String> {
        if let Some(mv) = moves.iter().find(|mv| !is_move(mv)) {
            return Err(format!("`{}` is no text of a move", plain(mv)));
        }
        if moves.is_empty() {
            return Err("the status is `to-move`, and there is no move".to_owned());
        }
        Ok(moves)
    }

    /// The text of `input.txt`. An agent that cannot read it would lose, so it must be as long as the program said.
    fn checked_input(&self, TextAnswer { text, .. }: TextAnswer, purpose: InputPurpose) -> Result<String, String> {
        if is_blank_text(text.as_bytes()) {
            return Err("`to_input` writes nothing".to_owned());
        }
        let (expected, found) = (self.game.described.profile.input.lines, text.lines().count());
        if purpose == InputPurpose::Game && expected > 0 && found != expected {
            return Err(format!("`input_lines` is {expected}, and `to_input` writes {}", counted(found, "line")));
        }
        Ok(text)
    }

    /// What `positions` of games that go on are worth to `side`; `None` where the program does not say.
    pub(super) fn evaluate(game: &'static CustomGame, positions: &[&Self], side: Side) -> Option<Vec<i32>> {
        let first = positions.first().filter(|_| game.described.evaluates)?;
        let parts = positions.chunks(first.batch()).map(|part| Self::evaluate_batch(game, part, side));
        Some(parts.collect::<Option<Vec<_>>>()?.concat())
    }

    fn evaluate_batch(game: &'static CustomGame, positions: &[&Self], side: Side) -> Option<Vec<i32>> {
        let ask = RulesQuestion::Evaluate {
            states: positions.iter().map(|position| &*position.told.state).collect(),
            side: game.word(side),
        };
        let check = |ValuesAnswer { values }| {
            if values.len() == positions.len() {
                return Ok(values);
            }
            let (values, positions) = (counted(values.len(), "value"), counted(positions.len(), "position"));
            Err(format!("{values} for {positions}"))
        };
        positions.first()?.ask_about(ask, check)
    }

    /// About how much memory it takes: the same on every machine, because searches end by it.
    pub(super) fn bytes(&self) -> usize {
        POSITION_BYTES + self.told.state.get().len() + self.told.board.len() * ROW_BYTES + self.letters()
    }

    fn letters(&self) -> usize {
        self.told.board.iter().map(String::len).sum()
    }

    /// What tells its placement from others, whoever is to move.
    pub(super) fn placement(&self) -> (&[String], Option<&str>) {
        (&self.told.board, self.told.key.as_deref())
    }

    /// Its state, which tells it from every other position.
    pub(super) fn state_text(&self) -> &str {
        self.told.state.get()
    }
}

impl GameState for CustomState {
    fn game(&self) -> GameRef {
        self.game.game_ref()
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn with_side_to_move(&self, side: Side) -> State {
        if side == self.side {
            return State::new(self.copy());
        }
        if self.is_start() {
            return self.game.start_of(side);
        }
        let what = "a position other than the start cannot be given to the other side".to_owned();
        let reason = self.fail(&self.game.client.fault("start", what));
        State::new(Self::broken(self.game, reason))
    }

    fn status(&self) -> Status {
        self.status
    }

    fn board(&self) -> String {
        self.told.board.iter().flat_map(|row| [row.as_str(), "\n"]).collect()
    }

    fn setup(&self) -> Vec<String> {
        let mut rows = self.told.board.clone();
        if self.broken.get().is_none() && !self.is_start() {
            rows.push(self.line());
        }
        rows
    }

    fn write_input(&self, purpose: InputPurpose, time: TimeLeft) -> String {
        let ask = RulesQuestion::Input {
            state: &self.told.state,
            single: purpose == InputPurpose::Single,
            own: time.own.to_string(),
            opponent: time.opponent.to_string(),
        };
        self.ask_about(ask, |answer| self.checked_input(answer, purpose)).unwrap_or_default()
    }

    fn judge(&self, output: &[u8], tolerance: Tolerance) -> Result<Judged, Refusal> {
        if is_blank_text(output) {
            return Err(Refusal::Empty);
        }
        let asked = if let Some(reason) = self.broken.get() {
            Err(reason.clone())
        } else {
            let ask = self.judge_question(output, tolerance);
            let asked = self.game.client.ask_for(ask, |answer| self.judged(answer));
            asked.and_then(|judged| self.contradicts_the_list(output, judged)).map_err(|fault| self.fail(&fault))
        };
        let reason = match asked {
            Ok(judged) => return judged,
            Err(reason) => reason,
        };
        // Not a refusal, which would be the agent's loss: the game goes on to a position that makes it void.
        Ok(Judged {
            mv: String::new(),
            warnings: Vec::new(),
            is_progress: false,
            next: State::new(Self::broken(self.game, reason)),
        })
    }

    fn recheck_forfeit(&self, refused: Option<&[u8]>, tolerance: Tolerance) {
        self.moves();
        let Some(output) = refused.filter(|output| self.broken.get().is_none() && !is_blank_text(output)) else {
            return;
        };
        let client = &self.game.client;
        client.restart();
        let fault = match client.ask_for(self.judge_question(output, tolerance), |answer| self.judged(answer)) {
            Ok(Err(_)) => return,
            Ok(Ok(Judged { mv, .. })) => {
                client.fault("judge", format!("it refuses `{}`; started anew, it does not refuse it", plain(&mv)))
            }
            Err(fault) => fault,
        };
        self.fail(&fault);
    }

    fn moves(&self) -> Vec<String> {
        if self.status != Status::ToMove {
            return Vec::new();
        }
        let ask = || self.ask_moves(Self::checked_moves);
        self.moves.get_or_init(|| ask().unwrap_or_default()).clone()
    }

    fn successors(&self) -> Vec<State> {
        if self.status != Status::ToMove {
            return Vec::new();
        }
        let ask = || self.after(&self.moves());
        self.successors.get_or_init(|| ask().unwrap_or_default()).clone()
    }

    fn pass(&self) -> State {
        if let Some(reason) = self.broken.get() {
            return State::new(Self::broken(self.game, reason.clone()));
        }
        let state = &self.told.state;
        let asked = self.game.client.ask_for(RulesQuestion::Pass { state }, |answer| self.next(answer));
        let located = |fault: Box<RulesFault>| Box::new(self.located(&fault));
        Self::answered(self.game, asked.map_err(located))
    }

    fn notes(&self) -> String {
        let (most, label, text) = MAX_NOTES;
        let cut = |whole: &str, most: usize| plain(&whole.chars().take(most).collect::<String>());
        let notes = self.told.notes.iter().take(most);
        let notes = notes.map(|note| format!("{}: {}", cut(&note.label, label), cut(&note.text, text)));
        notes.collect::<Vec<_>>().join("; ")
    }

    fn picking(&self, picked: &[String]) -> Option<Picking> {
        let board = &self.game.described.profile.board;
        let places = (0..board.rows.len()).flat_map(|row| (0..board.columns.len()).map(move |column| (row, column)));
        let squares: BTreeSet<String> = places.map(|(row, column)| board.square(row, column)).collect();
        pick_squares_or_texts(self.moves(), picked, |name| squares.contains(name))
    }

    fn same_placement(&self, other: &State) -> bool {
        super::as_custom(other).is_some_and(|other| self.placement() == other.placement())
    }

    fn perft(&self, depth: u32) -> u64 {
        match (depth, self.status) {
            (0, _) => 1,
            (_, Status::Over(_)) => 0,
            (_, Status::MustPass) => self.pass().perft(depth - 1),
            (1, Status::ToMove) => self.moves().len() as u64,
            // Not kept: a tree of positions would fill the memory.
            (_, Status::ToMove) => self.copy().successors().iter().map(|next| next.perft(depth - 1)).sum(),
        }
    }

    fn breakdown(&self) -> Option<RulesUnavailable> {
        self.broken.get().cloned()
    }

    fn position_line(&self) -> Option<String> {
        Some(self.line())
    }
}

impl CustomState {
    /// The same without what has been asked so far.
    pub(super) fn copy(&self) -> Self {
        Self { moves: OnceLock::new(), successors: OnceLock::new(), ..self.clone() }
    }
}

impl CustomGame {
    /// The start with `side` to move.
    pub(super) fn start_of(&'static self, side: Side) -> State {
        let start = self.starts[side.index()].get_or_init(|| {
            let to_move = self.word(side);
            let check = |answer| {
                let start = CustomState::of(self, answer)?;
                if start.side != side {
                    return Err(format!("expected `{to_move}` to move"));
                }
                Ok(start)
            };
            CustomState::answered(self, self.client.ask_for(RulesQuestion::Start { to_move }, check))
        });
        start.clone()
    }
}
