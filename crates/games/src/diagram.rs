//! Boards drawn in letters, one text per row, top row first. Pure helpers; the games' rules read and draw boards with
//! them.

use std::fmt;

/// A drawing that is no board of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError {
    /// The row at fault, from 0, if there is one.
    pub row: Option<usize>,
    /// The column at fault, from 0, if there is one.
    pub column: Option<usize>,
    /// The fault and the expected content, in lower case, without a full stop.
    pub message: String,
}

impl BoardError {
    /// A fault of the board as a whole.
    pub fn of_board(message: impl Into<String>) -> Self {
        Self { row: None, column: None, message: message.into() }
    }

    /// A fault of one row.
    pub fn of_row(row: usize, message: impl Into<String>) -> Self {
        Self { row: Some(row), column: None, message: message.into() }
    }

    /// A fault of one square.
    pub fn of_square(row: usize, column: usize, message: impl Into<String>) -> Self {
        Self { row: Some(row), column: Some(column), message: message.into() }
    }
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.row {
            write!(f, "board row {}", row + 1)?;
            if let Some(column) = self.column {
                write!(f, ", column {}", column + 1)?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for BoardError {}

/// How a square board is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawing {
    /// The number of rows, and of letters in each.
    size: u8,
    empty: u8,
    /// The letters of pieces.
    pub(super) letters: &'static [u8],
    /// What a letter stands for, in messages: `squares`.
    cells: &'static str,
    /// What is expected of a letter; `None` for a list of all.
    expected: Option<&'static str>,
}

impl Drawing {
    /// A board of `size` x `size` squares with these letters of pieces, and `.` for an empty square.
    pub(super) const fn of_squares(size: u8, letters: &'static str) -> Self {
        Self { size, empty: b'.', letters: letters.as_bytes(), cells: "squares", expected: None }
    }

    /// A board of points where lines cross, `0` for an empty one; `expected` are all letters in words.
    pub(super) const fn of_points(size: u8, letters: &'static str, expected: &'static str) -> Self {
        Self { empty: b'0', cells: "points", expected: Some(expected), ..Self::of_squares(size, letters) }
    }

    /// Calls `place(row, column, index)` for each square that is not empty, with the index of its letter.
    ///
    /// # Errors
    ///
    /// The first row of another length, the first unknown letter, or the first message of `place`.
    pub(super) fn read(
        &self,
        rows: &[&[u8]],
        mut place: impl FnMut(u8, u8, usize) -> Result<(), String>,
    ) -> Result<(), BoardError> {
        let size = usize::from(self.size);
        if rows.len() != size {
            let found = rows.len();
            return Err(BoardError::of_board(format!("expected {size} board rows, found {found}")));
        }
        for (row, letters) in (0..).zip(rows) {
            if letters.len() != size {
                let message = format!("expected {size} {}, found {}", self.cells, letters.len());
                return Err(BoardError::of_row(row.into(), message));
            }
            for (column, &letter) in (0..).zip(*letters).filter(|&(_, &letter)| letter != self.empty) {
                let placed = match self.letters.iter().position(|&known| known == letter) {
                    Some(index) => place(row, column, index),
                    None => Err(self.unknown(letter)),
                };
                placed.map_err(|message| BoardError::of_square(row.into(), column.into(), message))?;
            }
        }
        Ok(())
    }

    fn unknown(&self, letter: u8) -> String {
        let found = letter.escape_ascii();
        match self.expected {
            Some(expected) => format!("expected {expected}, found `{found}`"),
            None => format!("expected one of `.{}`, found `{found}`", self.letters.escape_ascii()),
        }
    }

    /// The board that is empty except for the letters that `place` puts into rows and columns, each row ended by a LF.
    pub(super) fn draw(&self, place: impl FnOnce(&mut dyn FnMut(u8, u8, u8))) -> String {
        let width = usize::from(self.size) + 1;
        let mut board = vec![self.empty; usize::from(self.size) * width];
        for end in board.iter_mut().skip(width - 1).step_by(width) {
            *end = b'\n';
        }
        place(&mut |row, column, letter| board[usize::from(row) * width + usize::from(column)] = letter);
        String::from_utf8(board).expect("boards are drawn in ASCII")
    }
}
