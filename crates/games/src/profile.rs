//! The profile of a game: everything about it except its rules, as data. Help texts, defaults, messages, boards and
//! pages derive from it, so that no crate above matches on a game. Each game's `profile.rs` fills one.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Goal, Notation, RuleText, Side};
use referee_time::CpuTime;

/// The properties of a game.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The name on the command line, in assignments and in records: `duo-othello`.
    pub name: &'static str,
    /// The name in a sentence: `Duo-Othello`.
    pub title: &'static str,
    /// The side of the first turn.
    pub first_turn: FirstTurn,
    /// The sides, in the order of [`Side::BOTH`].
    pub sides: [SideLook; 2],
    /// The board and the names of its squares.
    pub board: BoardLook,
    /// The letters of a drawn board.
    pub pieces: &'static [PieceLook],
    /// The form of a move's squares in `output.txt`.
    pub moves: MoveForm,
    /// How to recognize an `input.txt`.
    pub input: InputForm,
    /// The default play time of a side per game.
    pub play_time: CpuTime,
    /// The limit for one move, if the rules have one.
    pub move_time: Option<CpuTime>,
    /// The draws that depend on the history of a game.
    pub draws: DrawRules,
    /// The moves that restart the count of idle turns: "50 turns without *a capture or a crowning*".
    pub progress: &'static str,
    /// What decides a draw, in order.
    pub draw_decisions: &'static [DrawDecision],
    /// The number of one side's moves in a typical game, for projections of its time.
    pub typical_moves: u32,
    /// The exchange formats of the game.
    pub notations: &'static [Notation],
    /// The goals particular to this game.
    pub goals: &'static [&'static Goal],
    /// Reasons for a draw that only this game has.
    pub draw_reasons: &'static [&'static Goal],
    /// The rules about winning and drawing.
    pub end_rules: EndRules,
    /// The handout that describes the game; `None` if its rules program alone does.
    pub handout: Option<Handout>,
    /// Additional file names of submissions in this game's homeworks, each with the word of its language in an
    /// assignment: `("my_player3.py", "python3")`.
    pub program_names: &'static [(&'static str, &'static str)],
    /// Which files of an agent's working directory persist between moves.
    pub memory: Memory,
}

impl Profile {
    /// What most games have in common: a game's own profile states the rest, above all its name, board and pieces.
    pub(super) const USUAL: Self = Self {
        name: "",
        title: "",
        first_turn: FirstTurn::Always(Side::White),
        sides: [SideLook::new("BLACK", "black", 'b'), SideLook::new("WHITE", "white", 'w')],
        board: BoardLook::LETTERS,
        pieces: &[],
        moves: MoveForm::Squares(" "),
        input: InputForm::untimed(&[], 0),
        play_time: CpuTime::from_secs(300),
        move_time: None,
        draws: DrawRules::NONE,
        progress: "a move",
        draw_decisions: &[],
        typical_moves: 0,
        notations: &[],
        goals: &[],
        draw_reasons: &[],
        end_rules: EndRules::NONE,
        handout: Some(Handout::Untitled),
        program_names: &[],
        memory: Memory::Playdata,
    };

    /// The name and look of `side`.
    pub const fn side(&self, side: Side) -> &SideLook {
        &self.sides[side.index()]
    }

    /// What describes the game, in a sentence: its handout, or else its rules program.
    pub const fn described_by(&self) -> &'static str {
        match self.handout {
            Some(_) => "the handout",
            None => "the rules",
        }
    }

    /// The goal called `code`.
    pub fn goal(&self, code: &str) -> Option<&'static Goal> {
        self.goals.iter().copied().find(|goal| goal.code == code)
    }

    /// The reason for a draw called `code`.
    pub fn draw_reason(&self, code: &str) -> Option<&'static Goal> {
        self.draw_reasons.iter().copied().find(|reason| reason.code == code)
    }

    /// The piece for `letter` on a drawn board; `None` for an empty square.
    pub fn piece(&self, letter: char) -> Option<&PieceLook> {
        self.pieces.iter().find(|piece| piece.letter == letter)
    }

    /// The cells of a drawn board, row by row: the letter and the number of pieces; `None` if empty.
    pub fn cells<'a>(&self, rows: impl IntoIterator<Item = &'a str>) -> Vec<Vec<Option<(char, u32)>>> {
        rows.into_iter().map(|row| self.board.cells.of_row(row)).collect()
    }

    /// The number of `side`'s pieces on `board`.
    pub fn count(&self, board: &str, side: Side) -> u32 {
        let cells = self.cells(board.lines()).into_iter().flatten().flatten();
        cells
            .filter(|(letter, _)| self.piece(*letter).is_some_and(|piece| piece.side == Some(side)))
            .map(|(_, count)| count)
            .sum()
    }
}

impl Cells {
    fn of_row(self, row: &str) -> Vec<Option<(char, u32)>> {
        match self {
            Self::Letters { empty } => row.chars().map(|letter| (letter != empty).then_some((letter, 1))).collect(),
            Self::Stacks => row.split(',').map(stack).collect(),
        }
    }
}

/// `S2`: two pieces `S`.
fn stack(cell: &str) -> Option<(char, u32)> {
    let mut letters = cell.chars();
    let letter = letters.next().filter(char::is_ascii_alphabetic)?;
    Some((letter, letters.as_str().parse().unwrap_or(1)))
}

/// Which files of an agent's working directory persist between the moves of one game. Nothing persists between games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// `playdata.txt` alone.
    Playdata,
    /// Every file that the agent writes or changes.
    WorkingDirectory,
}

/// The side of the first turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstTurn {
    /// Always this side.
    Always(Side),
    /// Either, each in half of the games.
    Either,
}

impl FirstTurn {
    /// The side that begins; `lot` decides if either may.
    pub const fn drawn_by(self, lot: u64) -> Side {
        match self {
            Self::Always(side) => side,
            Self::Either if lot.is_multiple_of(2) => Side::Black,
            Self::Either => Side::White,
        }
    }
}

/// The name of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideLook {
    /// Its word in `input.txt`: `BLACK`, `X`, `1`.
    pub word: &'static str,
    /// Its name in a sentence: `black`, `X`.
    pub name: &'static str,
    /// One letter for lists of moves.
    pub letter: char,
    /// Its colour, if other than dark for the first side and light for the second; both sides have one, or neither.
    pub colour: Option<SideColour>,
}

/// A colour of a side's pieces that is seen on every board, on light and dark pages, and on terminals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SideColour {
    /// Black.
    Black,
    /// White.
    White,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Blue.
    Blue,
    /// Green.
    Green,
    /// Purple.
    Purple,
}

impl SideLook {
    /// A side by its word, name and letter.
    pub const fn new(word: &'static str, name: &'static str, letter: char) -> Self {
        Self { word, name, letter, colour: None }
    }
}

/// The look of a board and the names of its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardLook {
    /// The labels of the columns, from the left.
    pub columns: &'static [&'static str],
    /// The labels of the rows, from the top.
    pub rows: &'static [&'static str],
    /// How labels form the name of a square.
    pub square: SquareName,
    /// The surface.
    pub surface: BoardSurface,
    /// The form of the rows of a drawn board.
    pub cells: Cells,
    /// Whether the start squares of each side are marked as its camp.
    pub has_camps: bool,
}

impl BoardLook {
    /// A board of squares named like `c2`, with one letter per square and `.` for an empty one: a game's own states its
    /// labels.
    pub(super) const LETTERS: Self = Self {
        columns: &[],
        rows: &[],
        square: SquareName::ColumnRow,
        surface: BoardSurface::Plain,
        cells: Cells::Letters { empty: '.' },
        has_camps: false,
    };

    /// The name of the square in `row` and `column`, counted from 0 at the top left; empty off the board.
    pub fn square(&self, row: usize, column: usize) -> String {
        let mut name = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_square(&mut name, row, column);
        name
    }

    /// Writes that name.
    ///
    /// # Errors
    ///
    /// Those of `text`.
    pub fn write_square(&self, text: &mut impl fmt::Write, row: usize, column: usize) -> fmt::Result {
        let label = |labels: &[&'static str], index: usize| labels.get(index).copied().unwrap_or_default();
        let (row, column) = (label(self.rows, row), label(self.columns, column));
        let (first, between, second) = self.square.arranged(row, column);
        text.write_str(first)?;
        text.write_str(between)?;
        text.write_str(second)
    }

    /// The row and column of the square `name`.
    pub fn place(&self, name: &str) -> Option<(usize, usize)> {
        let (firsts, between, seconds) = self.square.arranged(self.rows, self.columns);
        let (first, second) = firsts.iter().enumerate().find_map(|(first, label)| {
            let rest = name.strip_prefix(label)?.strip_prefix(between)?;
            Some((first, seconds.iter().position(|label| *label == rest)?))
        })?;
        // Arranging twice restores the order.
        let (row, _, column) = self.square.arranged(first, second);
        Some((row, column))
    }
}

/// How the labels of column and row form the name of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SquareName {
    /// `c2`
    #[default]
    ColumnRow,
    /// `C5`
    RowColumn,
    /// `x,y`
    ColumnCommaRow,
    /// `row,column`
    RowCommaColumn,
}

impl SquareName {
    /// What belongs to the row and to the column, in the order of the name, with the text between them.
    fn arranged<T>(self, row: T, column: T) -> (T, &'static str, T) {
        match self {
            Self::ColumnRow => (column, "", row),
            Self::RowColumn => (row, "", column),
            Self::ColumnCommaRow => (column, ",", row),
            Self::RowCommaColumn => (row, ",", column),
        }
    }
}

/// The surface of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardSurface {
    /// Alternating light and dark squares, light at the top left.
    Chequered,
    /// Squares of one colour.
    #[default]
    Plain,
    /// Squares of green felt.
    Felt,
    /// Points where lines cross.
    Points,
}

/// The form of the rows of a drawn board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// One letter per square.
    Letters {
        /// The letter of an empty square.
        empty: char,
    },
    /// Comma-separated cells: a letter and a number of pieces, or `0` if empty.
    Stacks,
}

/// A kind of pieces of one side, or a sign of neither, such as a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceLook {
    /// Its letter on a drawn board.
    pub letter: char,
    /// The letter shown to people.
    pub shown: char,
    /// Its side, if it has one.
    pub side: Option<Side>,
    /// Its name, if a side has several kinds: `king`.
    pub word: Option<&'static str>,
    /// What is drawn.
    pub shape: Shape,
}

impl PieceLook {
    /// The disk of a side, its only or usual kind.
    pub const fn disk(letter: char, side: Side) -> Self {
        Self { letter, shown: letter, side: Some(side), word: None, shape: Shape::Disk }
    }

    /// The same piece with another letter for people.
    pub(super) const fn shown_as(self, shown: char) -> Self {
        Self { shown, ..self }
    }

    /// The same piece with a name.
    pub(super) const fn named(self, word: &'static str) -> Self {
        Self { word: Some(word), ..self }
    }

    /// The same piece with another shape.
    pub(super) const fn with_shape(self, shape: Shape) -> Self {
        Self { shape, ..self }
    }
}

/// The shape of a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A round piece.
    #[default]
    Disk,
    /// A round piece with a crown.
    King,
    /// A star.
    Star,
    /// A large, plain round piece: a stone.
    Stone,
    /// A round piece with its letter, such as a number.
    Letter,
    /// A round piece with its letter and a figure above it: an SVG path in a box from -1 to 1, y downwards.
    #[serde(skip_deserializing)]
    Figure(#[serde(skip_deserializing)] &'static str),
}

/// The form of a move's squares in `output.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveForm {
    /// `E` and two squares for a step, `J` and two squares for each jump, one per line.
    StepsAndJumps {
        /// Whether jumps capture. If not, several ways to a square are the same move.
        captures: bool,
    },
    /// The squares in one line, joined by this; or a single square.
    Squares(&'static str),
}

/// How to recognize an `input.txt`, and its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputForm {
    /// The possible first lines.
    pub first_line: &'static [&'static str],
    /// The number of lines.
    pub lines: usize,
    /// The line with the time left, from 1; `None` if the format has none.
    pub time_line: Option<u32>,
}

impl InputForm {
    /// The form of [`InputText::PURPOSE_SIDE_TIME_BOARD`](crate::protocol::InputText::PURPOSE_SIDE_TIME_BOARD), with a
    /// board of this many rows.
    pub(super) const fn purpose_side_time_board(rows: usize) -> Self {
        Self { first_line: &["SINGLE", "GAME"], lines: 3 + rows, time_line: Some(3) }
    }

    /// The form of [`InputText::SIDE_CLOCKS_BOARD`](crate::protocol::InputText::SIDE_CLOCKS_BOARD), with these words
    /// for the sides.
    pub(super) const fn side_clocks_board(sides: &'static [&'static str], rows: usize) -> Self {
        Self { first_line: sides, lines: 2 + rows, time_line: Some(2) }
    }

    /// The form of a game without a time line.
    pub(super) const fn untimed(sides: &'static [&'static str], lines: usize) -> Self {
        Self { first_line: sides, lines, time_line: None }
    }
}

/// The draws that depend on the history of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRules {
    /// A draw after this many consecutive turns without progress.
    pub idle_turns: Option<u32>,
    /// A draw when the same placement has occurred this often.
    pub repetitions: Option<u32>,
    /// A draw after this many turns in all.
    pub turn_limit: Option<u32>,
}

impl DrawRules {
    /// None of them.
    pub const NONE: Self = Self { idle_turns: None, repetitions: None, turn_limit: None };
}

/// A way to decide a draw on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawDecision {
    /// The side with more play time left wins.
    Time,
    /// The side with more pieces on the board wins.
    Pieces,
    /// The side that moved second wins, if scores are equal.
    SecondMove,
}

/// The rules about common ends; `None` if a game cannot end so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndRules {
    /// A side has no piece left.
    pub no_pieces: Option<&'static RuleText>,
    /// A side has no legal move on its turn.
    pub no_moves: Option<&'static RuleText>,
    /// The scores are compared.
    pub scores: Option<&'static RuleText>,
    /// Equal scores go to the side that moved second.
    pub second_move: Option<&'static RuleText>,
}

impl EndRules {
    /// None of them.
    pub const NONE: Self = Self { no_pieces: None, no_moves: None, scores: None, second_move: None };
}

/// The handout of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handout {
    /// Its sections.
    Titled(HandoutSections),
    /// The titles of its sections are unknown.
    Untitled,
}

/// The titles of the handout's sections with the rules common to all games; `None` if there is no such section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandoutSections {
    /// How submissions are run and graded.
    pub grading: Option<&'static str>,
    /// The rules of play.
    pub play: Option<&'static str>,
    /// How a game ends between two agents.
    pub endings: Option<&'static str>,
    /// Time and turns.
    pub turns: Option<&'static str>,
    /// The files.
    pub formats: Option<&'static str>,
}

impl HandoutSections {
    /// The titles of the handouts of 2019 and 2021; later ones changed some.
    pub(super) const USUAL: Self = Self {
        grading: Some("Grading"),
        play: Some("Play sequence"),
        endings: Some("Playing with agents"),
        turns: Some("Agent vs agent games"),
        formats: Some("Input and output file formats"),
    };
}
