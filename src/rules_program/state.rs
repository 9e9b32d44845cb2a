//! A position of a custom game ([`GameState`]). `game` makes it, and the referee asks it.
//!
//! The program's own state is opaque JSON, stored in ASCII so that it survives records unchanged. A position that could
//! not be made, or an unanswered question, must break the position and all that follow from it
//! ([`GameState::breakdown`]), and must never count as an agent's fault.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde_json::value::RawValue;

use super::fault::RulesFault;
use super::game::CustomGame;
use super::protocol::{
    Ask, FindingAnswer, FindingFields, JudgeAnswer, MovesAnswer, NoteAnswer, PositionAnswer, RefusalAnswer,
    RefusalKind, TextAnswer, ValuesAnswer, in_ascii,
};
use super::status::{side, status, status_text};
use crate::games::{BrokenRule, Cells, Ending, GameId, GameState, Judged, Level, POSITION_LINE, Side, State, Status};
use crate::protocol::{Finding, InputPurpose, Location, Refusal, TimeLeft, Tolerance, counted, is_blank_text, plain};

/// The longest text of a move.
const LONGEST_MOVE: usize = 1_000;

/// The most notes beside a board, and the most characters of a label and of a text; more is left out, because it is no
/// reason to stop a game.
const MOST_NOTES: (usize, usize, usize) = (6, 30, 80);

/// A position of a custom game.
pub(super) struct CustomState {
    game: &'static CustomGame,
    side: Side,
    status: Status,
    /// The rows of the board.
    rows: Vec<String>,
    /// What the program keeps of it, in ASCII.
    state: Box<RawValue>,
    key: Option<String>,
    notes: Vec<NoteAnswer>,
    moves: OnceLock<Vec<String>>,
    successors: OnceLock<Vec<State>>,
    broken: OnceLock<String>,
}

impl CustomState {
    /// The position of an answer, which `objection` may find fault with; a broken one where it cannot be made.
    pub(super) fn answered(
        game: &'static CustomGame,
        word: &str,
        answer: Result<PositionAnswer, Box<RulesFault>>,
        objection: impl FnOnce(&Self) -> Option<String>,
    ) -> State {
        let position = answer.and_then(|answer| {
            let position = Self::of(game, answer).map_err(|what| game.client.fault(word, what))?;
            match objection(&position) {
                Some(what) => Err(game.client.fault(word, what)),
                None => Ok(position),
            }
        });
        State::new(position.unwrap_or_else(|fault| Self::broken(game, game.note(&fault))))
    }

    /// A position that nothing can be asked.
    fn broken(game: &'static CustomGame, reason: String) -> Self {
        Self {
            game,
            side: Side::Black,
            status: Status::Over(Ending::Level(Level::Blocked)),
            rows: Vec::new(),
            state: RawValue::NULL.to_owned(),
            key: None,
            notes: Vec::new(),
            moves: OnceLock::new(),
            successors: OnceLock::new(),
            broken: OnceLock::from(reason),
        }
    }

    fn of(game: &'static CustomGame, answer: PositionAnswer) -> Result<Self, String> {
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
        let state = match in_ascii(answer.state.get()) {
            Cow::Borrowed(_) => answer.state,
            Cow::Owned(ascii) => RawValue::from_string(ascii).map_err(|error| format!("`state`: {error}"))?,
        };
        Ok(Self {
            game,
            side,
            status,
            rows: answer.board,
            state,
            key: answer.key,
            notes: answer.notes,
            moves: OnceLock::new(),
            successors: OnceLock::new(),
            broken: OnceLock::new(),
        })
    }

    /// The position of a line that begins with [`POSITION_LINE`]; `None` where it does not.
    pub(super) fn read_line(game: &'static CustomGame, line: &str) -> Option<State> {
        let told = line.strip_prefix(POSITION_LINE)?;
        let position: Result<PositionAnswer, _> = serde_json::from_str(told);
        let position = position.map_err(|error| {
            game.client
                .fault("position", format!("a position of a record: {error}"))
        });
        Some(Self::answered(game, "position", position, |_| None))
    }

    /// What [`Self::read_line`] reads.
    pub(super) fn line(&self) -> String {
        let text = |value: &str| serde_json::to_string(value).unwrap_or_default();
        let rows: Vec<String> = self.rows.iter().map(|row| text(row)).collect();
        let key = self
            .key
            .as_deref()
            .map(|key| format!(",\"key\":{}", in_ascii(&text(key))));
        let notes = serde_json::to_string(&self.notes).unwrap_or_default();
        let notes = (!self.notes.is_empty()).then(|| format!(",\"notes\":{}", in_ascii(&notes)));
        format!(
            "{POSITION_LINE}{{\"to_move\":{},\"status\":{},\"board\":[{}]{}{},\"state\":{}}}",
            text(self.game.word(self.side)),
            status_text(self.game, self.status),
            rows.join(","),
            key.unwrap_or_default(),
            notes.unwrap_or_default(),
            self.state.get()
        )
    }

    /// The position as the program tells it.
    pub(super) fn told(&self) -> serde_json::Value {
        serde_json::from_str(self.line().trim_start_matches(POSITION_LINE)).unwrap_or_default()
    }

    /// The game.
    pub(super) const fn custom_game(&self) -> &'static CustomGame {
        self.game
    }

    /// Whose turn it is.
    pub(super) const fn side(&self) -> Side {
        self.side
    }

    fn is_start(&self) -> bool {
        let start = self.game.start_of(self.side);
        super::as_custom(&start).is_some_and(|start| start.state.get() == self.state.get())
    }

    /// Breaks the position.
    fn fail(&self, fault: &RulesFault) -> String {
        let reason = self.game.note(&RulesFault {
            board: self.rows_with_pieces(),
            ..fault.clone()
        });
        self.broken.get_or_init(|| reason.clone());
        reason
    }

    /// The board in a few words: the rows that are not empty, each after its label.
    fn rows_with_pieces(&self) -> Vec<String> {
        let look = &self.game.described.profile.board;
        let is_shown = |row: &str| row.chars().any(|letter| look.cells != Cells::Letters { empty: letter });
        let rows = self.rows.iter().zip(look.rows).filter(|(row, _)| is_shown(row));
        rows.map(|(row, label)| format!("{label} {row}")).collect()
    }

    fn contradiction(&self, word: &str, what: String) -> String {
        self.fail(&self.game.client.fault(word, what))
    }

    fn ask_moves(&self, next: bool) -> Option<MovesAnswer> {
        if self.broken.get().is_some() {
            return None;
        }
        let asked: Result<MovesAnswer, _> = self.game.client.ask(Ask::Moves {
            state: &self.state,
            next,
        });
        match asked {
            Ok(mut answer) => {
                if let Some(changed) = answer.changed.take() {
                    self.game.note_change(changed);
                }
                Some(answer)
            }
            Err(fault) => {
                self.fail(&fault);
                None
            }
        }
    }

    /// What the program lists, whatever the status is.
    pub(super) fn listed_moves(&self) -> Vec<String> {
        self.ask_moves(false).map(|answer| answer.moves).unwrap_or_default()
    }

    fn keep_moves(&self, moves: Vec<String>) -> Vec<String> {
        if let Some(mv) = moves.iter().find(|mv| !is_move(mv)) {
            self.contradiction("moves", format!("`{}` is no text of a move", plain(mv)));
            return Vec::new();
        }
        if moves.is_empty() && self.status == Status::ToMove {
            self.contradiction("moves", "the status is `to-move`, and there is no move".to_owned());
        }
        if !moves.is_empty() && self.status != Status::ToMove {
            self.contradiction("moves", "there are moves, and the status is not `to-move`".to_owned());
        }
        moves
    }

    fn judged(&self, answer: JudgeAnswer) -> Result<Result<Judged, Refusal>, String> {
        match (answer.mv, answer.next, answer.refusal) {
            (Some(mv), Some(next), None) => {
                if !is_move(&mv) {
                    return Err(format!("`{}` is no text of a move", plain(&mv)));
                }
                let next = Self::of(self.game, next)?;
                if next.side == self.side {
                    return Err("the same side is to move after the move".to_owned());
                }
                Ok(Ok(Judged {
                    mv,
                    warnings: answer.warnings.into_iter().map(|found| self.finding(found)).collect(),
                    is_progress: answer.progress,
                    next: State::new(next),
                }))
            }
            (None, None, Some(refusal)) => self.refusal(refusal).map(Err),
            (_, _, _) => Err("expected `move` and `next`, or `refusal`".to_owned()),
        }
    }

    fn refusal(&self, refusal: RefusalAnswer) -> Result<Refusal, String> {
        let finding = refusal.finding.map(|found| self.finding(found));
        match (refusal.kind, finding) {
            (RefusalKind::Empty, _) => Ok(Refusal::Empty),
            (RefusalKind::Format, Some(finding)) => Ok(Refusal::Format(finding)),
            (RefusalKind::Illegal, Some(finding)) => Ok(Refusal::Illegal(finding)),
            (RefusalKind::Format | RefusalKind::Illegal, None) => {
                Err("a refusal needs a `code` and a `message`".to_owned())
            }
        }
    }

    fn finding(&self, found: FindingAnswer) -> Finding {
        let FindingFields {
            code,
            message,
            line,
            column,
            length,
            hint,
        } = found;
        let rule = self.game.described.rules.get(&code).copied();
        Finding {
            code: Cow::Owned(plain(&code)),
            place: line.map(|line| Location {
                line: line.max(1),
                column: column.unwrap_or(1).max(1),
                length: length.unwrap_or(0),
            }),
            hint: hint.map(|hint| plain(&hint)),
            rule: BrokenRule(rule),
            ..Finding::new("rules", message)
        }
    }

    /// What `positions` are worth to `side`; `None` where the program does not say.
    pub(super) fn evaluate(game: &'static CustomGame, positions: &[&Self], side: Side) -> Option<Vec<i32>> {
        if !game.described.evaluates || positions.is_empty() {
            return None;
        }
        let asked: Result<ValuesAnswer, _> = game.client.ask(Ask::Evaluate {
            states: positions.iter().map(|position| &*position.state).collect(),
            side: game.word(side),
        });
        let values = asked.and_then(|answer| {
            if answer.values.len() == positions.len() {
                return Ok(answer.values);
            }
            let what = format!(
                "{} for {}",
                counted(answer.values.len(), "value"),
                counted(positions.len(), "position")
            );
            Err(game.client.fault("evaluate", what))
        });
        match values {
            Ok(values) => Some(values),
            Err(fault) => {
                positions[0].fail(&fault);
                None
            }
        }
    }
}

impl GameState for CustomState {
    fn game(&self) -> GameId {
        self.game.id()
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
        State::new(Self::broken(self.game, self.contradiction("start", what)))
    }

    fn status(&self) -> Status {
        self.status
    }

    fn board(&self) -> String {
        let mut board = String::new();
        for row in &self.rows {
            board.push_str(row);
            board.push('\n');
        }
        board
    }

    fn setup(&self) -> Vec<String> {
        let mut rows = self.rows.clone();
        if self.broken.get().is_none() && !self.is_start() {
            rows.push(self.line());
        }
        rows
    }

    fn write_input(&self, purpose: InputPurpose, time: TimeLeft) -> String {
        if self.broken.get().is_some() {
            return String::new();
        }
        let asked: Result<TextAnswer, _> = self.game.client.ask(Ask::Input {
            state: &self.state,
            single: purpose == InputPurpose::Single,
            own: time.own.to_string(),
            opponent: time.opponent.to_string(),
        });
        match asked {
            Ok(answer) => answer.text,
            Err(fault) => {
                self.fail(&fault);
                String::new()
            }
        }
    }

    fn judge(&self, output: &[u8], tolerance: Tolerance) -> Result<Judged, Refusal> {
        if is_blank_text(output) {
            return Err(Refusal::Empty);
        }
        let asked = match self.broken.get() {
            Some(_) => None,
            None => Some(self.game.client.ask(Ask::Judge {
                state: &self.state,
                output: output.iter().copied().map(char::from).collect(),
                exact: tolerance == Tolerance::Exact,
            })),
        };
        let reason = match asked.map(|asked| asked.map(|answer| self.judged(answer))) {
            Some(Ok(Ok(judged))) => return judged,
            Some(Ok(Err(what))) => self.contradiction("judge", what),
            Some(Err(fault)) => self.fail(&fault),
            None => self.broken.get().cloned().unwrap_or_default(),
        };
        // Not a refusal, which would be the agent's loss: the game goes on to a position that makes it void.
        Ok(Judged {
            mv: String::new(),
            warnings: Vec::new(),
            is_progress: false,
            next: State::new(Self::broken(self.game, reason)),
        })
    }

    fn moves(&self) -> Vec<String> {
        if self.status != Status::ToMove {
            return Vec::new();
        }
        let ask = || {
            self.ask_moves(false)
                .map_or_else(Vec::new, |answer| self.keep_moves(answer.moves))
        };
        self.moves.get_or_init(ask).clone()
    }

    fn successors(&self) -> Vec<State> {
        if self.status != Status::ToMove {
            return Vec::new();
        }
        let ask = || {
            let Some(MovesAnswer { moves, next, .. }) = self.ask_moves(true) else {
                return Vec::new();
            };
            let (moves, next) = (self.keep_moves(moves), next.unwrap_or_default());
            if moves.len() != next.len() {
                self.contradiction(
                    "moves",
                    format!(
                        "{} and {}",
                        counted(moves.len(), "move"),
                        counted(next.len(), "position")
                    ),
                );
                return Vec::new();
            }
            let _ = self.moves.set(moves);
            let made = |answer| {
                let objection =
                    |next: &Self| (next.side == self.side).then(|| "the same side is to move after a move".to_owned());
                Self::answered(self.game, "moves", Ok(answer), objection)
            };
            next.into_iter().map(made).collect()
        };
        self.successors.get_or_init(ask).clone()
    }

    fn pass(&self) -> State {
        if let Some(reason) = self.broken.get() {
            return State::new(Self::broken(self.game, reason.clone()));
        }
        let asked = self.game.client.ask(Ask::Pass { state: &self.state });
        Self::answered(self.game, "pass", asked, |next| {
            (next.side == self.side).then(|| "the same side is to move after the pass".to_owned())
        })
    }

    fn notes(&self) -> String {
        let (most, label, text) = MOST_NOTES;
        let cut = |whole: &str, most: usize| plain(&whole.chars().take(most).collect::<String>());
        let notes = self.notes.iter().take(most);
        let notes = notes.map(|note| format!("{}: {}", cut(&note.label, label), cut(&note.text, text)));
        notes.collect::<Vec<_>>().join("; ")
    }

    fn same_placement(&self, other: &State) -> bool {
        super::as_custom(other).is_some_and(|other| self.rows == other.rows && self.key == other.key)
    }

    fn pieces(&self, side: Side) -> u32 {
        self.game.described.profile.count(&self.board(), side)
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

    fn breakdown(&self) -> Option<String> {
        self.broken.get().cloned()
    }

    fn position_line(&self) -> Option<String> {
        Some(self.line())
    }
}

impl CustomState {
    /// The same without what has been asked so far.
    pub(super) fn copy(&self) -> Self {
        Self {
            game: self.game,
            side: self.side,
            status: self.status,
            rows: self.rows.clone(),
            state: self.state.clone(),
            key: self.key.clone(),
            notes: self.notes.clone(),
            moves: OnceLock::new(),
            successors: OnceLock::new(),
            broken: self.broken.clone(),
        }
    }
}

impl CustomGame {
    /// The start with `side` to move.
    pub(super) fn start_of(&'static self, side: Side) -> State {
        let start = self.starts[side.index()].get_or_init(|| {
            let asked = self.client.ask(Ask::Start {
                to_move: self.word(side),
            });
            CustomState::answered(self, "start", asked, |state| {
                (state.side() != side).then(|| format!("expected `{}` to move", self.word(side)))
            })
        });
        start.clone()
    }
}

/// Whether it can stand in `output.txt` and be shown.
fn is_move(text: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_graphic() || matches!(c, ' ' | '\n');
    !text.trim().is_empty() && text.len() <= LONGEST_MOVE && text.chars().all(is_sign) && !text.ends_with('\n')
}
