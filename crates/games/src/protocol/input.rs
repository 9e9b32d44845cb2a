//! `input.txt`: its content, and the parts of reading and writing it that games share. Each game's `texts.rs` calls it;
//! it does no I/O.

use std::fmt::{self, Write as _};

use super::Texts;
use super::finding::quote;
use super::lines::trim_end;
use crate::{Position, Side};
use referee_time::CpuTime;

/// Whether an agent is asked for a single move or plays a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputPurpose {
    /// `SINGLE`: this move may use all remaining time.
    Single,
    /// `GAME`: the remaining time must last for the rest of the game.
    Game,
}

/// The clocks in an `input.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLeft {
    /// The time left for the side to move.
    pub own: CpuTime,
    /// The time left for the other side, which not every game shows.
    pub opponent: CpuTime,
}

/// A parsed `input.txt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input<P> {
    /// Single move or game; a game where the format does not say.
    pub purpose: InputPurpose,
    /// The board and the side to move.
    pub position: P,
    /// The time left for the side to move; without a clock in the format, what the handout allows for one answer.
    pub own: CpuTime,
    /// The time left for the other side, if the format has it.
    pub opponent: Option<CpuTime>,
}

/// An unreadable `input.txt`: the fault of its author, never of the agent that gets it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct InputError {
    /// The line at fault, from 1; one past the last if a line is missing.
    pub line: usize,
    /// The column at fault, from 1, if known.
    pub column: Option<usize>,
    /// What was expected and what was found, in lower case, without a full stop.
    pub message: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

/// How a game's `input.txt` is written and read.
#[derive(Debug)]
pub struct InputText<P: Position> {
    /// Writes the whole text for the side to move.
    pub(crate) write: fn(&P, InputPurpose, TimeLeft) -> String,
    /// Parses a whole text.
    pub(crate) read: ReadInput<P>,
}

/// Parses a whole `input.txt`.
type ReadInput<P> = fn(&[u8], <P as Position>::Rules) -> Result<Input<P>, InputError>;

impl<P: Texts> InputText<P> {
    /// Four parts: purpose, side, time, board.
    pub(crate) const PURPOSE_SIDE_TIME_BOARD: Self = Self {
        write: |position, purpose, TimeLeft { own, .. }| {
            let side = P::side_name(position.side_to_move());
            let purpose = match purpose {
                InputPurpose::Single => "SINGLE",
                InputPurpose::Game => "GAME",
            };
            // The handout's whole seconds have a decimal point.
            let tenths = if own.micros().is_multiple_of(1_000_000) { ".0" } else { "" };
            with_board(format_args!("{purpose}\n{side}\n{own}{tenths}\n"), position)
        },
        read: |text, rules| {
            let mut lines = InputLines::new(text);
            let purpose = lines.read("`SINGLE` or `GAME`", |line| match line {
                b"SINGLE" => Some(InputPurpose::Single),
                b"GAME" => Some(InputPurpose::Game),
                _ => None,
            })?;
            let side = lines.read("`BLACK` or `WHITE`", P::side_called)?;
            let own = lines.read("the remaining seconds, more than zero, such as `100.0`", read_time)?;
            Ok(Input { purpose, position: lines.read_board(side, rules)?, own, opponent: None })
        },
    };

    /// Three parts: side, both clocks, board. They do not distinguish a single move from a game.
    pub(crate) const SIDE_CLOCKS_BOARD: Self = Self {
        write: |position, _, TimeLeft { own, opponent }| {
            let side = P::side_name(position.side_to_move());
            with_board(format_args!("{side}\n{own} {opponent}\n"), position)
        },
        read: |text, rules| {
            let mut lines = InputLines::new(text);
            let side = lines.read(Alternatives(P::PROFILE.input.first_line), P::side_called)?;
            let (own, opponent) = lines.read(
                "your and your opponent's remaining seconds, both more than zero, with one blank between them, such \
                 as `300 286.46`",
                read_times,
            )?;
            let position = lines.read_board(side, rules)?;
            Ok(Input { purpose: InputPurpose::Game, position, own, opponent: Some(opponent) })
        },
    };
}

/// Words in a message: `` `X` or `O` ``.
pub(crate) struct Alternatives(pub(crate) &'static [&'static str]);

impl fmt::Display for Alternatives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for word in self.0 {
            write!(f, "{between}`{word}`")?;
            between = " or ";
        }
        Ok(())
    }
}

fn read_times(line: &[u8]) -> Option<(CpuTime, CpuTime)> {
    let blank = line.iter().position(|&byte| byte == b' ')?;
    Some((read_time(&line[..blank])?, read_time(&line[blank + 1..])?))
}

/// As many lines as the longest input of a built-in game has.
const USUAL_LINES: usize = 19;

/// More than the lines above a board need.
const LONGEST_HEADING: usize = 64;

/// A heading followed by the board, each row ended by a LF.
pub(crate) fn with_board<P: Position>(heading: fmt::Arguments<'_>, position: &P) -> String {
    let board = position.board();
    let mut text = String::with_capacity(LONGEST_HEADING + board.len());
    // Writing to a string cannot fail.
    let _ = text.write_fmt(heading);
    text.push_str(&board);
    text
}

/// A positive finite number of seconds.
pub(crate) fn read_time(word: &[u8]) -> Option<CpuTime> {
    CpuTime::read_remaining(str::from_utf8(word).ok()?)
}

/// The lines of an `input.txt`, in order. Ignores blanks and CR at line ends and blank lines at the end, since people
/// write these files with various editors.
pub(crate) struct InputLines<'a> {
    lines: Vec<&'a [u8]>,
    next: usize,
}

impl<'a> InputLines<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        let text = text.trim_ascii_end();
        let mut lines = Vec::with_capacity(USUAL_LINES);
        // An empty text has no line, rather than an empty one.
        if !text.is_empty() {
            lines.extend(text.split(|&byte| byte == b'\n').map(trim_end));
        }
        Self { lines, next: 0 }
    }

    /// Parses the next line; `expected` describes what `read` accepts.
    pub(crate) fn read<T>(
        &mut self,
        expected: impl fmt::Display,
        read: impl FnOnce(&'a [u8]) -> Option<T>,
    ) -> Result<T, InputError> {
        let number = self.next + 1;
        let Some(&line) = self.lines.get(self.next) else {
            return Err(fault(number, None, format!("expected {expected}, found the end of the file")));
        };
        self.next += 1;
        read(line).ok_or_else(|| fault(number, None, format!("expected {expected}, found {}", quote(line))))
    }

    /// The number of the next line, from 1.
    pub(crate) const fn next_number(&self) -> usize {
        self.next + 1
    }

    /// The number of remaining lines.
    pub(crate) const fn left(&self) -> usize {
        self.lines.len().saturating_sub(self.next)
    }

    /// Parses all remaining lines as the board.
    pub(crate) fn read_board<P: Position>(&mut self, side: Side, rules: P::Rules) -> Result<P, InputError> {
        self.read_board_rows(self.left(), side, rules)
    }

    /// Parses the next lines, at most `rows`, as the board.
    pub(crate) fn read_board_rows<P: Position>(
        &mut self,
        rows: usize,
        side: Side,
        rules: P::Rules,
    ) -> Result<P, InputError> {
        let first = self.next + 1;
        let end = self.lines.len().min(self.next + rows);
        let rows = &self.lines[self.next.min(end)..end];
        self.next = end;
        P::from_rows(rows, side, rules).map_err(|found| {
            let line = first + found.row.unwrap_or(0);
            fault(line, found.column.map(|column| column + 1), found.message)
        })
    }
}

pub(crate) fn fault(line: usize, column: Option<usize>, message: String) -> InputError {
    InputError { line, column, message }
}
