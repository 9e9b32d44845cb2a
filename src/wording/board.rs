//! A board with its coordinates.

use console::Style;

use super::last_move::{LastMove, Touched};
use super::look::{Characters, Colours, Look};
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

    /// The row and the column of the square that the notation calls `name`, if there is one on such a board.
    pub(super) fn square(self, name: &str, rows: usize, columns: usize) -> Option<(usize, usize)> {
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let called = |&(row, column): &(usize, usize)| {
            let (row, column) = (self.row(row, rows), self.column(column));
            match self {
                Self::RowsFromBottom | Self::RowsFromTop => name == column + &row,
                Self::Numbers => name.split_once(',') == Some((column.as_str(), row.as_str())),
                Self::LettersFromBottom => name == row + &column,
            }
        };
        all.into_iter().find(called)
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

/// What stands on a square: the letter of its piece and, where there are several, how many; nothing where it is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Square {
    letter: Option<char>,
    count: String,
}

impl Square {
    pub(super) const fn is_empty(&self) -> bool {
        self.letter.is_none()
    }

    /// A square of Star and Circle: `S` and `C` alone stand for one piece.
    fn of_stack(cell: &str) -> Self {
        match cell.split_at_checked(1) {
            Some((piece @ ("S" | "C"), count)) => Self {
                letter: piece.chars().next(),
                count: if count == "1" { String::new() } else { count.to_owned() },
            },
            _ => Self::default(),
        }
    }

    fn of_letter(letter: char) -> Self {
        Self {
            letter: (letter != '.').then_some(letter),
            count: String::new(),
        }
    }
}

/// The squares of a board as it stands in records.
pub(super) fn squares(game: GameId, rows: &[String]) -> Vec<Vec<Square>> {
    let row = |row: &String| match Marks::of(game) {
        Marks::RowsFromBottom | Marks::RowsFromTop | Marks::Numbers => row.chars().map(Square::of_letter).collect(),
        Marks::LettersFromBottom => row.split(',').map(Square::of_stack).collect(),
    };
    rows.iter().map(row).collect()
}

/// The columns of the row labels.
const EDGE: usize = 3;

/// The board as lines of text, a letter a square, labelled on its edges.
///
/// Where several pieces stand on a square of Star and Circle, their number follows the letter.
pub fn draw_board(game: GameId, rows: &[String], look: Look) -> Vec<String> {
    draw_board_after(game, rows, &LastMove::default(), look)
}

/// The board with what the last turn did: `[b]` where the piece stands now, `(·)` where it came from, `×` where one was
/// captured, and a small letter for one that changed its colour.
pub fn draw_board_after(game: GameId, rows: &[String], last: &LastMove, look: Look) -> Vec<String> {
    let marks = Marks::of(game);
    let board = squares(game, rows);
    let columns = board.first().map_or(0, Vec::len);
    let grid = Grid::of(marks, columns, look.columns);
    let mut lines = grid.labels(marks, columns);
    for (row, squares) in board.iter().enumerate() {
        let mut line = vec![Ink::BLANK; columns * grid.width + 1];
        for (column, square) in squares.iter().enumerate() {
            grid.draw(&mut line, column, square, last.at(row, column), look);
        }
        lines.push(format!("{:>EDGE$}{}", marks.row(row, rows.len()), painted(&line, look)));
    }
    lines
}

/// How wide a square is, and where in it the letter stands.
#[derive(Clone, Copy)]
struct Grid {
    width: usize,
    at: usize,
}

impl Grid {
    /// The usual grid, or a closer one where there is no room for it.
    const fn of(marks: Marks, columns: usize, room: usize) -> Self {
        let grid = match marks {
            Marks::RowsFromBottom | Marks::RowsFromTop => Self { width: 2, at: 1 },
            Marks::Numbers => Self { width: 3, at: 2 },
            // A number of pieces goes behind the letter.
            Marks::LettersFromBottom => Self { width: 4, at: 1 },
        };
        match marks {
            Marks::Numbers if EDGE + grid.width * columns > room => Self { width: 2, at: 1 },
            Marks::RowsFromBottom | Marks::RowsFromTop | Marks::Numbers | Marks::LettersFromBottom => grid,
        }
    }

    /// The labels of the columns: in one line, or in two where the squares are narrower than the labels.
    fn labels(self, marks: Marks, columns: usize) -> Vec<String> {
        let labels: Vec<String> = (0..columns).map(|column| marks.column(column)).collect();
        let room = self.width - 1;
        let line = |digits: &dyn Fn(&str) -> String| {
            let line: String = labels.iter().map(|label| self.label(&digits(label))).collect();
            format!("{:EDGE$}{}", "", line.trim_end())
        };
        if labels.iter().all(|label| label.len() <= room) {
            return vec![line(&str::to_owned)];
        }
        let tens = |label: &str| label[..label.len().saturating_sub(1)].to_owned();
        let ones = |label: &str| label[label.len().saturating_sub(1)..].to_owned();
        vec![line(&tens), line(&ones)]
    }

    fn label(self, label: &str) -> String {
        let (width, end) = (self.width, self.at + 1);
        format!("{:<width$}", format!("{label:>end$}"))
    }

    fn draw(self, line: &mut [Ink], column: usize, square: &Square, touched: Option<Touched>, look: Look) {
        let start = column * self.width + self.at;
        let count = square.count.chars().map(|digit| Ink(digit, Paint::of(square.letter)));
        let letter = Ink::of(square.letter, touched, look.characters);
        for (place, ink) in line[start..].iter_mut().zip(std::iter::once(letter).chain(count)) {
            *place = ink;
        }
        let end = start + 1 + square.count.len();
        let brackets = match touched {
            Some(Touched::Left) => Some((Ink('(', Paint::Faint), Ink(')', Paint::Faint))),
            Some(Touched::Reached) => Some((Ink('[', Paint::Mark), Ink(']', Paint::Mark))),
            Some(Touched::Taken | Touched::Turned) | None => None,
        };
        if let Some((before, after)) = brackets {
            line[start - 1] = before;
            if let Some(place) = line.get_mut(end) {
                *place = after;
            }
        }
    }
}

/// A character and its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ink(char, Paint);

/// What a character stands for, as far as its colour goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paint {
    /// Nothing.
    Bare,
    /// A piece of the side that is black in checkers.
    Black,
    /// A piece of the other side.
    White,
    /// An empty square, and what is over.
    Faint,
    /// Where the piece stands now.
    Mark,
    /// Where a piece was captured.
    Loss,
}

impl Paint {
    const fn of(letter: Option<char>) -> Self {
        match letter {
            Some('b' | 'B' | 'X' | 'C') => Self::Black,
            Some('w' | 'W' | 'O' | 'S') => Self::White,
            Some(_) | None => Self::Faint,
        }
    }

    fn style(self) -> Style {
        let style = Style::new().force_styling(true);
        match self {
            Self::Bare => style,
            Self::Black => style.cyan().bold(),
            Self::White => style.yellow().bold(),
            Self::Faint => style.dim(),
            Self::Mark => style.green().bold(),
            Self::Loss => style.red().bold(),
        }
    }
}

impl Ink {
    const BLANK: Self = Self(' ', Paint::Bare);

    fn of(letter: Option<char>, touched: Option<Touched>, characters: Characters) -> Self {
        let [empty, taken] = match characters {
            Characters::Unicode => ['·', '×'],
            Characters::Ascii => ['.', 'x'],
        };
        match (letter, touched) {
            (None, Some(Touched::Taken)) => Self(taken, Paint::Loss),
            (None, _) => Self(empty, Paint::Faint),
            (Some(letter), Some(Touched::Turned)) => Self(letter.to_ascii_lowercase(), Paint::of(Some(letter))),
            (Some(letter), _) => Self(letter, Paint::of(Some(letter))),
        }
    }
}

/// A line of a board, without the blanks at its end.
fn painted(line: &[Ink], look: Look) -> String {
    let length = line
        .iter()
        .rposition(|&ink| ink != Ink::BLANK)
        .map_or(0, |last| last + 1);
    let line = &line[..length];
    match look.colours {
        Colours::Plain => line.iter().map(|ink| ink.0).collect(),
        Colours::Ansi => line
            .chunk_by(|one, other| one.1 == other.1)
            .map(|run| {
                let text: String = run.iter().map(|ink| ink.0).collect();
                match run[0].1 {
                    Paint::Bare => text,
                    paint => paint.style().apply_to(text).to_string(),
                }
            })
            .collect(),
    }
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
            draw_board(GameId::StarCircle, &position.rows(), Look::PLAIN).join("\n"),
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

    fn rows(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_last_move_is_marked_on_the_board() {
        let before = rows("........ .w...... b....... ........ ........ ........ ........ ........");
        let after = rows("..B..... ........ ........ ........ ........ ........ ........ ........");
        let last = LastMove::of(GameId::Checkers, &before, &after, "J a6 c8");
        let drawn = |characters, colours| {
            let look = Look {
                colours,
                characters,
                ..Look::PLAIN
            };
            draw_board_after(GameId::Checkers, &after, &last, look)[1..4].to_vec()
        };
        let expected = ["  8 · ·[B]· · · · ·", "  7 · × · · · · · ·", "  6(·)· · · · · · ·"];
        assert_eq!(drawn(Characters::Unicode, Colours::Plain), expected);
        let expected = expected.map(|line| line.replace('·', ".").replace('×', "x"));
        assert_eq!(drawn(Characters::Ascii, Colours::Plain), expected);
        let coloured = drawn(Characters::Ascii, Colours::Ansi).map_plain();
        assert_eq!(coloured, expected);
    }

    trait MapPlain {
        fn map_plain(&self) -> Vec<String>;
    }

    impl MapPlain for Vec<String> {
        fn map_plain(&self) -> Vec<String> {
            self.iter()
                .map(|line| console::strip_ansi_codes(line).into_owned())
                .collect()
        }
    }

    #[test]
    fn disks_that_change_their_colour_are_small_letters() {
        let before = rows("............ ..XO........ ..OX........");
        let after = rows("............ ..XO........ .OOO........");
        let last = LastMove::of(GameId::DuoOthello, &before, &after, "b3");
        let drawn = draw_board_after(GameId::DuoOthello, &after, &last, Look::PLAIN);
        assert_eq!(drawn[3], "  3 ·[O]O o · · · · · · · ·");
    }

    #[test]
    fn a_narrow_terminal_has_a_close_board_of_halma() {
        let rows = vec!["BBBBB...........".to_owned(); 16];
        let drawn = draw_board(
            GameId::Halma(crate::games::halma::Rules::Addendum),
            &rows,
            Look::PLAIN.with_columns(40),
        );
        assert_eq!(drawn[0], "                        1 1 1 1 1 1");
        assert_eq!(drawn[1], "    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5");
        assert_eq!(drawn[2], "  0 B B B B B · · · · · · · · · · ·");
    }
}
