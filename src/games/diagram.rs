//! Boards drawn in letters, a row a text, top row first.

use std::fmt;

/// A drawing that is not a board of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardError {
    /// The row from 0, where one row is at fault.
    pub row: Option<usize>,
    /// The column from 0, where one square is at fault.
    pub column: Option<usize>,
    /// What is wrong and what was expected, lower case, without a full stop.
    pub message: String,
}

impl BoardError {
    /// A fault of the board as a whole.
    pub fn of_board(message: impl Into<String>) -> Self {
        Self {
            row: None,
            column: None,
            message: message.into(),
        }
    }

    /// A fault of one row.
    pub fn of_row(row: usize, message: impl Into<String>) -> Self {
        Self {
            row: Some(row),
            column: None,
            message: message.into(),
        }
    }

    /// A fault of one square.
    pub fn of_square(row: usize, column: usize, message: impl Into<String>) -> Self {
        Self {
            row: Some(row),
            column: Some(column),
            message: message.into(),
        }
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

/// Calls `place(row, column, letter)` for each square of a square board of `size` rows that is not empty (`.`).
///
/// # Errors
///
/// The first row or square where the drawing is not `size` by `size` letters out of `letters` and `.`,
/// or what `place` finds wrong.
pub(super) fn read_squares(
    rows: &[&[u8]],
    size: usize,
    letters: &str,
    mut place: impl FnMut(usize, usize, u8) -> Result<(), BoardError>,
) -> Result<(), BoardError> {
    if rows.len() != size {
        return Err(BoardError::of_board(format!(
            "expected {size} board rows, found {}",
            rows.len()
        )));
    }
    for (row, squares) in rows.iter().enumerate() {
        if squares.len() != size {
            return Err(BoardError::of_row(
                row,
                format!("expected {size} squares, found {}", squares.len()),
            ));
        }
        for (column, &letter) in squares.iter().enumerate().filter(|&(_, &letter)| letter != b'.') {
            if !letters.as_bytes().contains(&letter) {
                let found = letter.escape_ascii();
                let message = format!("expected one of `.{letters}`, found `{found}`");
                return Err(BoardError::of_square(row, column, message));
            }
            place(row, column, letter)?;
        }
    }
    Ok(())
}

/// A square board of `size` rows that is empty (`.`) but for the letters that `letters` puts on it by row and column,
/// each row ended by a LF.
pub(super) fn draw_squares(size: usize, letters: impl FnOnce(&mut dyn FnMut(usize, usize, u8))) -> String {
    let mut squares = vec![b'.'; size * (size + 1)];
    for end in squares.iter_mut().skip(size).step_by(size + 1) {
        *end = b'\n';
    }
    letters(&mut |row, column, letter| squares[row * (size + 1) + column] = letter);
    String::from_utf8(squares).expect("boards are drawn in ASCII")
}
