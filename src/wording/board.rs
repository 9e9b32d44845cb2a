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
}

impl Marks {
    /// The labels that the notation of `game` uses.
    pub const fn of(game: GameId) -> Self {
        match game {
            GameId::Checkers => Self::RowsFromBottom,
            GameId::DuoOthello => Self::RowsFromTop,
            GameId::Halma(_) => Self::Numbers,
        }
    }

    fn column(self, column: usize) -> String {
        match self {
            Self::RowsFromBottom | Self::RowsFromTop => {
                char::from(b'a' + u8::try_from(column).unwrap_or(25).min(25)).to_string()
            }
            Self::Numbers => column.to_string(),
        }
    }

    fn row(self, row: usize, rows: usize) -> String {
        match self {
            Self::RowsFromBottom => (rows - row).to_string(),
            Self::RowsFromTop => (row + 1).to_string(),
            Self::Numbers => row.to_string(),
        }
    }
}

/// The board as lines of text, a letter a square, labelled on its edges; with colours where `coloured`.
pub fn draw_board(game: GameId, rows: &[String], coloured: bool) -> Vec<String> {
    let marks = Marks::of(game);
    let width = if marks == Marks::Numbers { 3 } else { 2 };
    let labels: Vec<String> = (0..rows.len())
        .map(|column| format!("{:>width$}", marks.column(column)))
        .collect();
    let mut lines = vec![format!("   {}", labels.concat())];
    for (index, row) in rows.iter().enumerate() {
        let squares: String = row.chars().map(|letter| square(letter, width, coloured)).collect();
        lines.push(format!("{:>3}{squares}", marks.row(index, rows.len())));
    }
    lines
}

fn square(letter: char, width: usize, coloured: bool) -> String {
    let letter = if letter == '.' { '·' } else { letter };
    let style = match letter {
        'b' | 'B' | 'X' => Style::new().cyan().bold(),
        'w' | 'W' | 'O' => Style::new().yellow().bold(),
        _ => Style::new().dim(),
    };
    let blanks = " ".repeat(width - 1);
    format!("{blanks}{}", style.force_styling(coloured).apply_to(letter))
}
