//! A board with its coordinates.

use console::Style;

use crate::games::GameId;

/// How the edges of a board are labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Letters below, rows numbered from the bottom (checkers).
    RowsFromBottom,
    /// Letters above, rows numbered from the top, from 1 (Duo-Othello).
    RowsFromTop,
    /// Numbers from zero on both edges (Halma).
    Numbers,
    /// Numbers above, rows lettered from the bottom (Star and Circle).
    LettersFromBottom,
}

impl Marks {
    /// The labels that the notation of `game` uses.
    pub const fn of(game: GameId) -> Self {
        match game {
            GameId::Checkers => Self::RowsFromBottom,
            GameId::DuoOthello => Self::RowsFromTop,
            GameId::Halma(_) => Self::Numbers,
            GameId::StarCircle => Self::LettersFromBottom,
        }
    }

    /// The label of the column at `column`, from 0.
    pub fn column(self, column: usize) -> String {
        match self {
            Self::RowsFromBottom | Self::RowsFromTop => letter(b'a', column),
            Self::Numbers => column.to_string(),
            Self::LettersFromBottom => (column + 1).to_string(),
        }
    }

    /// The label of the row at `row`, from 0, of so many rows.
    pub fn row(self, row: usize, rows: usize) -> String {
        match self {
            Self::RowsFromBottom => (rows - row).to_string(),
            Self::RowsFromTop => (row + 1).to_string(),
            Self::Numbers => row.to_string(),
            Self::LettersFromBottom => letter(b'A', rows - 1 - row),
        }
    }
}

/// The letter at `index` of an alphabet that begins with `first`.
fn letter(first: u8, index: usize) -> String {
    char::from(first + u8::try_from(index).unwrap_or(25).min(25)).to_string()
}

/// The board as lines of text, a letter a square, labelled on its edges; with colours where `coloured`.
///
/// Where several pieces stand on a square of Star and Circle, their number follows the letter.
pub fn draw_board(game: GameId, rows: &[String], coloured: bool) -> Vec<String> {
    let marks = Marks::of(game);
    let width = match marks {
        Marks::RowsFromBottom | Marks::RowsFromTop => 2,
        Marks::Numbers => 3,
        Marks::LettersFromBottom => 4,
    };
    // A number of pieces goes behind the letter, so labels stand where the letters do.
    let indent = if marks == Marks::LettersFromBottom { 2 } else { width };
    let labels: Vec<String> = (0..rows.len())
        .map(|column| format!("{:<width$}", format!("{:>indent$}", marks.column(column))))
        .collect();
    let mut lines = vec![format!("   {}", labels.concat().trim_end())];
    for (index, row) in rows.iter().enumerate() {
        let squares: String = match marks {
            Marks::RowsFromBottom | Marks::RowsFromTop | Marks::Numbers => {
                row.chars().map(|piece| square(piece, "", indent, coloured)).collect()
            }
            Marks::LettersFromBottom => row.split(',').map(|cell| stack(cell, coloured)).collect(),
        };
        lines.push(format!("{:>3}{}", marks.row(index, rows.len()), squares.trim_end()));
    }
    lines
}

/// A square of Star and Circle, in four columns: `S` and `C` alone stand for one piece.
fn stack(cell: &str, coloured: bool) -> String {
    let (piece, count) = match cell.split_at_checked(1) {
        Some((piece @ ("S" | "C"), count)) => (piece, if count == "1" { "" } else { count }),
        _ => (".", ""),
    };
    let letter = piece.chars().next().unwrap_or('.');
    format!(
        "{}{}",
        square(letter, count, 2, coloured),
        " ".repeat(2_usize.saturating_sub(count.len()))
    )
}

fn square(letter: char, count: &str, width: usize, coloured: bool) -> String {
    let letter = if letter == '.' { '·' } else { letter };
    let style = match letter {
        'b' | 'B' | 'X' | 'C' => Style::new().cyan().bold(),
        'w' | 'W' | 'O' | 'S' => Style::new().yellow().bold(),
        _ => Style::new().dim(),
    };
    let blanks = " ".repeat(width - 1);
    format!(
        "{blanks}{}",
        style.force_styling(coloured).apply_to(format_args!("{letter}{count}"))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::star_circle::StarCircle;
    use crate::games::{Position, Side};

    #[test]
    fn stacks_of_star_and_circle_show_their_number() {
        let empty = "0,0,0,0,0,0,0,0";
        let rows = [
            "0,S12,0,C1,0,S2,0,S1",
            "C1,0,0,0,0,0,0,0",
            empty,
            empty,
            empty,
            empty,
            empty,
            "C3,0,0,0,0,0,C1,0",
        ];
        let position = StarCircle::from_rows(&rows.map(str::as_bytes), Side::White, ()).unwrap();
        assert_eq!(
            draw_board(GameId::StarCircle, &position.rows(), false).join("\n"),
            "    1   2   3   4   5   6   7   8
  H ·   S12 ·   C   ·   S2  ·   S
  G C   ·   ·   ·   ·   ·   ·   ·
  F ·   ·   ·   ·   ·   ·   ·   ·
  E ·   ·   ·   ·   ·   ·   ·   ·
  D ·   ·   ·   ·   ·   ·   ·   ·
  C ·   ·   ·   ·   ·   ·   ·   ·
  B ·   ·   ·   ·   ·   ·   ·   ·
  A C3  ·   ·   ·   ·   ·   C   ·"
        );
    }
}
