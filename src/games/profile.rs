//! What there is to know of a game besides its rules, as data: names, board, pieces, clock, draws, sections of the
//! handout.

use serde::{Deserialize, Serialize};

use super::{Goal, Notation, RuleText, Side};
use crate::time::CpuTime;

/// What a game is like. Help texts, defaults, the lists in messages, pictures and pages derive from it.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The name on the command line, in assignments and in records: `duo-othello`.
    pub name: &'static str,
    /// The name within a sentence: `Duo-Othello`.
    pub title: &'static str,
    /// Who has the first turn of a game.
    pub first: FirstTurn,
    /// The sides, in the order of [`Side::BOTH`].
    pub sides: [SideLook; 2],
    /// The board and the names of its squares.
    pub board: BoardLook,
    /// The letters of a drawn board.
    pub pieces: &'static [PieceLook],
    /// How the squares of a move stand in `output.txt`.
    pub moves: MoveForm,
    /// By what an `input.txt` is known.
    pub input: InputForm,
    /// The play time of a side for a whole game, where nobody asks for another.
    pub play_time: CpuTime,
    /// The most that one move may take, where the rules limit it.
    pub move_time: Option<CpuTime>,
    /// Draws that need a memory of the game.
    pub draws: DrawRules,
    /// What starts the count of idle turns anew: "50 turns without *a capture or a crowning*".
    pub progress: &'static str,
    /// What decides a draw, one after the other.
    pub draw_decisions: &'static [DrawDecision],
    /// How many moves of its own a side has in a typical game, for projections of its time.
    pub typical_moves: u32,
    /// Formats of other programs in which the game is exchanged.
    pub notations: &'static [Notation],
    /// What only this game is won by.
    pub goals: &'static [&'static Goal],
    /// What the rules say of the ways to win and to draw.
    pub rules: EndRules,
    /// Where the rules that all games have stand in the handout; `None` where the titles of its sections are not known.
    pub handout: Option<Handout>,
    /// File names of submissions that this game's homeworks had besides the usual ones, each with the word of its
    /// language in an assignment: `("my_player3.py", "python3")`.
    pub programs: &'static [(&'static str, &'static str)],
    /// What of an agent's working directory lives from move to move.
    pub memory: Memory,
}

impl Profile {
    /// How `side` is called and drawn.
    pub const fn side(&self, side: Side) -> &SideLook {
        &self.sides[side.index()]
    }

    /// The goal called `code`.
    pub fn goal(&self, code: &str) -> Option<&'static Goal> {
        self.goals.iter().copied().find(|goal| goal.code == code)
    }

    /// The piece that `letter` stands for on a drawn board; `None` for an empty square.
    pub fn piece(&self, letter: char) -> Option<&PieceLook> {
        self.pieces.iter().find(|piece| piece.letter == letter)
    }
}

impl Profile {
    /// The cells of a drawn board, row by row: the letter of what stands there and how many of it; `None` where nothing
    /// does.
    pub fn cells<'a>(&self, rows: impl IntoIterator<Item = &'a str>) -> Vec<Vec<Option<(char, u32)>>> {
        rows.into_iter().map(|row| self.board.cells.of_row(row)).collect()
    }

    /// How many pieces `side` has on `board`.
    pub fn count(&self, board: &str, side: Side) -> u32 {
        let cells = self.cells(board.lines()).into_iter().flatten().flatten();
        cells
            .filter(|(letter, _)| self.piece(*letter).is_some_and(|piece| piece.side == side))
            .map(|(_, count)| count)
            .sum()
    }
}

impl Cells {
    fn of_row(self, row: &str) -> Vec<Option<(char, u32)>> {
        match self {
            Self::Letters { empty } => row
                .chars()
                .map(|letter| (letter != empty).then_some((letter, 1)))
                .collect(),
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

/// What of an agent's working directory lives from move to move of one game. Nothing lives from game to game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// `playdata.txt` alone.
    Playdata,
    /// Every file that the agent writes or changes.
    WorkingDirectory,
}

/// Who has the first turn of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstTurn {
    /// Always this side.
    Always(Side),
    /// Either: each side half of the games.
    Either,
}

impl FirstTurn {
    /// Who begins, where `lot` decides between sides that both may.
    pub const fn drawn_by(self, lot: u64) -> Side {
        match self {
            Self::Always(side) => side,
            Self::Either if lot.is_multiple_of(2) => Side::Black,
            Self::Either => Side::White,
        }
    }
}

/// How a side is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideLook {
    /// Its word in `input.txt`: `BLACK`, `X`, `1`.
    pub word: &'static str,
    /// Its name within a sentence: `black`, `X`.
    pub name: &'static str,
    /// One letter for lists of moves.
    pub letter: char,
}

/// How a board looks and what its squares are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardLook {
    /// The labels of the columns, from the left.
    pub columns: &'static [&'static str],
    /// The labels of the rows, from the top.
    pub rows: &'static [&'static str],
    /// How a square is named by its labels.
    pub square: SquareName,
    /// What the pieces stand on.
    pub surface: Surface,
    /// How the rows of a drawn board are written.
    pub cells: Cells,
    /// Whether the squares on which a side's pieces stand at the start are marked as its camp.
    pub has_camps: bool,
}

impl BoardLook {
    /// The name of the square in `row` and `column`, counted from 0 at the top left; empty beyond the board.
    pub fn square(&self, row: usize, column: usize) -> String {
        let label = |labels: &[&'static str], index: usize| labels.get(index).copied().unwrap_or_default();
        let (row, column) = (label(self.rows, row), label(self.columns, column));
        match self.square {
            SquareName::ColumnRow => format!("{column}{row}"),
            SquareName::RowColumn => format!("{row}{column}"),
            SquareName::ColumnCommaRow => format!("{column},{row}"),
            SquareName::RowCommaColumn => format!("{row},{column}"),
        }
    }

    /// The row and the column of the square called `name`.
    pub fn place(&self, name: &str) -> Option<(usize, usize)> {
        let all = (0..self.rows.len()).flat_map(|row| (0..self.columns.len()).map(move |column| (row, column)));
        all.into_iter().find(|&(row, column)| self.square(row, column) == name)
    }
}

/// How a square is named by the labels of its column and its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareName {
    /// `c2`
    ColumnRow,
    /// `C5`
    RowColumn,
    /// `x,y`
    ColumnCommaRow,
    /// `row,column`
    RowCommaColumn,
}

/// What the pieces stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// Squares that are light and dark in turn, the one at the top left light.
    Chequered,
    /// Squares of one colour.
    Plain,
    /// Squares of green felt.
    Felt,
    /// Points where lines cross.
    Points,
}

/// How the rows of a drawn board are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// A letter a square, this one for an empty square.
    Letters {
        /// The letter of an empty square.
        empty: char,
    },
    /// Cells with commas between them: a letter, then how many pieces stand there; `0` where there is none.
    Stacks,
}

/// A kind of pieces of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceLook {
    /// Its letter on a drawn board.
    pub letter: char,
    /// The letter that is shown to people.
    pub shown: char,
    /// Whose it is.
    pub side: Side,
    /// What it is called, where a side has several kinds: `king`.
    pub word: Option<&'static str>,
    /// What is drawn.
    pub shape: Shape,
}

impl PieceLook {
    /// The disks of a side that has one kind of pieces, or its usual one.
    pub const fn disk(letter: char, side: Side) -> Self {
        Self {
            letter,
            shown: letter,
            side,
            word: None,
            shape: Shape::Disk,
        }
    }
}

/// The shape of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// A round piece.
    Disk,
    /// A round piece with a crown.
    King,
    /// A star.
    Star,
    /// A plain, larger round piece without a rim: a stone.
    Stone,
    /// A round piece with its letter on it, and above the letter a figure: an SVG path in a box from -1 to 1, y
    /// downwards.
    Figure(&'static str),
}

/// How the squares of a move stand in `output.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveForm {
    /// `E` and two squares for a step, `J` and two squares for each jump, one a line.
    StepsAndJumps {
        /// Whether jumps capture. Where they do not, several ways of a piece to a square are the same move.
        captures: bool,
    },
    /// The squares in one line with this between them; one square where a move is one.
    Squares(&'static str),
}

/// By what an `input.txt` is known, and what it tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputForm {
    /// What the first line can be.
    pub first_line: &'static [&'static str],
    /// How many lines there are.
    pub lines: usize,
    /// The number of the line that has the time left, from 1; `None` where the format does not tell it.
    pub time_line: Option<u32>,
}

/// The draws that need a memory of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRules {
    /// A draw after so many turns in a row without progress.
    pub idle_turns: Option<u32>,
    /// A draw when the same placement of pieces has occurred so often.
    pub repetitions: Option<u32>,
    /// A draw after so many turns in all.
    pub turn_limit: Option<u32>,
}

/// What decides a draw on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawDecision {
    /// The side with more play time left wins.
    Time,
    /// The side with more pieces on the board wins.
    Pieces,
    /// The side that moved second wins, where the scores are equal.
    SecondMove,
}

/// What the rules of a game say of the ends that games share; `None` where a game cannot end so.
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
    pub const NONE: Self = Self {
        no_pieces: None,
        no_moves: None,
        scores: None,
        second_move: None,
    };
}

/// Where the rules that all games have stand in the handout: the titles of its sections. `None` where it has no such
/// section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handout {
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
