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
/// The first row or square that is not `size` by `size` letters from `letters` and `.`; and the errors of `place`.
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

/// A square board of `size` rows that is empty (`.`) except for the letters that `letters` places, each row ended by a
/// LF.
pub(super) fn draw_squares(size: usize, letters: impl FnOnce(&mut dyn FnMut(usize, usize, u8))) -> String {
    let mut squares = vec![b'.'; size * (size + 1)];
    for end in squares.iter_mut().skip(size).step_by(size + 1) {
        *end = b'\n';
    }
    letters(&mut |row, column, letter| squares[row * (size + 1) + column] = letter);
    String::from_utf8(squares).expect("boards are drawn in ASCII")
}
