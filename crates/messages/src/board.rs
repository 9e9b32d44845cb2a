//! Draws a board with coordinates, for terminals and text files. It knows no rules; `replay`, live boards and
//! explanations call it.

use console::Style;

use super::last_move::{LastMove, SquareChange};
use super::output_style::{Characters, OutputStyle};
use super::squares::{SquareContents, side_on, squares};
use referee_games::{BoardLook, Cells, GameRef, Side, SideColour};

/// The width of the row labels.
const EDGE: usize = 3;

/// The board as lines of text, one letter per square, with labelled edges.
///
/// The height of a stack follows its letter.
pub fn draw_board(game: GameRef, rows: &[String], look: OutputStyle) -> Vec<String> {
    draw_board_after(game, rows, &LastMove::default(), look)
}

/// The board with the last turn marked: `[b]` where the piece is now, `(·)` where it came from, `×` where one was
/// captured, and a lower-case letter for one that changed colour.
pub fn draw_board_after(game: GameRef, rows: &[String], last: &LastMove, look: OutputStyle) -> Vec<String> {
    draw_board_for(None, game, rows, last, look)
}

/// The same board as `viewer` sees it, with its own pieces at the bottom at the start; for `None` as the game writes
/// it.
pub fn draw_board_for(
    viewer: Option<Side>,
    game: GameRef,
    rows: &[String],
    last: &LastMove,
    look: OutputStyle,
) -> Vec<String> {
    let labels = &game.profile().board;
    let board = squares(game, rows);
    let columns = board.first().map_or(0, Vec::len);
    let grid = CellGrid::of(labels, look.columns);
    let is_turned = viewer.is_some() && viewer == near_side(game).map(Side::other);
    let order =
        |count: usize| -> Vec<usize> { if is_turned { (0..count).rev().collect() } else { (0..count).collect() } };
    let label = |labels: &[&'static str], at: usize| labels.get(at).copied().unwrap_or_default();
    let titles: Vec<&str> = order(columns).into_iter().map(|column| label(labels.columns, column)).collect();
    let mut lines = grid.labels(&titles);
    for row in order(board.len()) {
        let mut line = vec![ColouredChar::BLANK; columns * grid.width + 1];
        for (place, column) in order(columns).into_iter().enumerate() {
            if let Some(square) = board[row].get(column) {
                grid.draw(&mut line, place, *square, last.at(row, column), game, look);
            }
        }
        lines.push(format!("{:>EDGE$}{}", label(labels.rows, row), painted(&line, look)));
    }
    lines
}

/// The side whose pieces are nearer to the bottom row at the start; `None` if neither is.
pub fn near_side(game: GameRef) -> Option<Side> {
    let board = squares(game, &game.start().rows());
    // The sum of the distances from the top, and the number of pieces.
    let depth = |side: Side| {
        let pieces = board.iter().enumerate().map(|(row, squares)| {
            let own = squares.iter().filter(|square| side_on(**square) == Some(side));
            (row, own.count())
        });
        pieces.fold((0, 0), |(sum, count), (row, more)| (sum + row * more, count + more))
    };
    let [(black, blacks), (white, whites)] = Side::BOTH.map(depth);
    match (black * whites).cmp(&(white * blacks)) {
        std::cmp::Ordering::Less => Some(Side::White),
        std::cmp::Ordering::Greater => Some(Side::Black),
        std::cmp::Ordering::Equal => None,
    }
}

/// The width of a square, and the place of the letter in it.
#[derive(Clone, Copy)]
struct CellGrid {
    width: usize,
    at: usize,
}

impl CellGrid {
    /// The normal grid, or a narrower one if there is no room.
    fn of(labels: &BoardLook, room: usize) -> Self {
        let widest = labels.columns.iter().map(|label| label.len()).max().unwrap_or(1);
        match labels.cells {
            // The height of a stack follows the letter.
            Cells::Stacks => Self { width: 4, at: 1 },
            Cells::Letters { .. } if widest == 1 => Self { width: 2, at: 1 },
            Cells::Letters { .. } if EDGE + 3 * labels.columns.len() > room => Self { width: 2, at: 1 },
            Cells::Letters { .. } => Self { width: 3, at: 2 },
        }
    }

    /// The column labels: in one line, or in two if squares are narrower than labels.
    fn labels(self, labels: &[&str]) -> Vec<String> {
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

    fn draw(
        self,
        line: &mut [ColouredChar],
        column: usize,
        square: SquareContents,
        touched: Option<SquareChange>,
        game: GameRef,
        look: OutputStyle,
    ) {
        let start = column * self.width + self.at;
        // The height of a stack, if above one.
        let count = square.filter(|(_, count)| *count > 1).map_or_else(String::new, |(_, count)| count.to_string());
        let digits = count.chars().map(|digit| ColouredChar(digit, piece_style(game, square)));
        let letter = ColouredChar::of(game, square, touched, look.characters);
        for (place, ink) in line[start..].iter_mut().zip(std::iter::once(letter).chain(digits)) {
            *place = ink;
        }
        let end = start + 1 + count.len();
        let (before, after, style) = match touched {
            Some(SquareChange::Left) => ('(', ')', Style::new().dim()),
            Some(SquareChange::Reached) => ('[', ']', Style::new().green().bold()),
            Some(SquareChange::Taken | SquareChange::Turned) | None => return,
        };
        line[start - 1] = ColouredChar(before, style.clone());
        if let Some(place) = line.get_mut(end) {
            *place = ColouredChar(after, style);
        }
    }
}

/// A character with its colour.
#[derive(Clone, PartialEq, Eq)]
struct ColouredChar(char, Style);

/// The colour of a side of `game` on a terminal, which may be dark or light: black is cyan there, and
/// white the colour of text; a side without a colour is cyan or yellow.
pub fn side_style(game: GameRef, side: Side) -> Style {
    let style = Style::new().force_styling(true);
    match (game.profile().side(side).colour, side) {
        (Some(SideColour::Black), _) | (None, Side::Black) => style.cyan(),
        (Some(SideColour::White), _) => style,
        (Some(SideColour::Yellow), _) | (None, Side::White) => style.yellow(),
        (Some(SideColour::Red), _) => style.red(),
        (Some(SideColour::Blue), _) => style.blue().bright(),
        (Some(SideColour::Green), _) => style.green(),
        (Some(SideColour::Purple), _) => style.magenta(),
    }
}

/// The colour of the piece on a square; faint for an empty one, and for a sign of neither side.
fn piece_style(game: GameRef, square: SquareContents) -> Style {
    side_on(square).map_or_else(|| Style::new().dim(), |side| side_style(game, side).bold())
}

impl ColouredChar {
    const BLANK: Self = Self(' ', Style::new());

    fn of(game: GameRef, square: SquareContents, touched: Option<SquareChange>, characters: Characters) -> Self {
        let [empty, taken] = match characters {
            Characters::Unicode => ['·', '×'],
            Characters::Ascii => ['.', 'x'],
        };
        let (letter, style) = match (square, touched) {
            (None, Some(SquareChange::Taken)) => (taken, Style::new().red().bold()),
            (None, _) => (empty, piece_style(game, square)),
            (Some((piece, _)), Some(SquareChange::Turned)) => {
                (piece.shown.to_ascii_lowercase(), piece_style(game, square))
            }
            (Some((piece, _)), _) => (piece.shown, piece_style(game, square)),
        };
        Self(letter, style)
    }
}

/// A line of a board, without trailing blanks.
fn painted(line: &[ColouredChar], look: OutputStyle) -> String {
    let length = line.iter().rposition(|ink| *ink != ColouredChar::BLANK).map_or(0, |last| last + 1);
    let runs = line[..length].chunk_by(|one, other| one.1 == other.1);
    let painted = runs.map(|run| look.painted(&run.iter().map(|ink| ink.0).collect::<String>(), run[0].1.clone()));
    painted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Colours;
    use referee_games::star_circle::StarCircle;
    use referee_games::{Position, Side};

    #[test]
    fn stacks_of_star_and_circle_show_their_number() {
        let empty = "0,0,0,0,0,0,0,0";
        let rows = ["0,S12,0,C1,0,S2,0,S1", "C1,0,0,0,0,0,0,0", empty, empty, empty, empty, empty, "C3,0,0,0,0,0,C1,0"];
        let position = StarCircle::from_rows(&rows.map(str::as_bytes), Side::White, ()).unwrap();
        assert_eq!(
            draw_board(referee_games::star_circle::ID, &position.rows(), OutputStyle::PLAIN).join("\n"),
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
        let last = LastMove::of(referee_games::checkers::ID, &before, &after, "J a6 c8");
        let drawn = |characters, colours| {
            let look = OutputStyle { colours, characters, ..OutputStyle::PLAIN };
            draw_board_after(referee_games::checkers::ID, &after, &last, look)[1..4].to_vec()
        };
        let expected = ["  8 · ·[B]· · · · ·", "  7 · × · · · · · ·", "  6(·)· · · · · · ·"];
        assert_eq!(drawn(Characters::Unicode, Colours::Plain), expected);
        let expected = expected.map(|line| line.replace('·', ".").replace('×', "x"));
        assert_eq!(drawn(Characters::Ascii, Colours::Plain), expected);
        let coloured = drawn(Characters::Ascii, Colours::Ansi);
        let uncoloured: Vec<_> = coloured.iter().map(|line| console::strip_ansi_codes(line)).collect();
        assert_eq!(uncoloured, expected);
    }

    #[test]
    fn stones_of_little_go_stand_on_points_and_the_last_one_and_its_captures_are_marked() {
        let game = referee_games::little_go::ID;
        let before = rows("02000 21000 02000 00000 00000");
        let after = rows("02000 20200 02000 00000 00000");
        let last = LastMove::of(game, &before, &after, "1,2");
        assert_eq!(
            draw_board_after(game, &after, &last, OutputStyle::PLAIN),
            ["    0 1 2 3 4", "  0 · O · · ·", "  1 O ×[O]· ·", "  2 · O · · ·", "  3 · · · · ·", "  4 · · · · ·",]
        );
    }

    #[test]
    fn disks_that_change_their_colour_are_small_letters() {
        let before = rows("............ ..XO........ ..OX........");
        let after = rows("............ ..XO........ .OOO........");
        let last = LastMove::of(referee_games::othello::ID, &before, &after, "b3");
        let drawn = draw_board_after(referee_games::othello::ID, &after, &last, OutputStyle::PLAIN);
        assert_eq!(drawn[3], "  3 ·[O]O o · · · · · · · ·");
        assert_eq!(last.captured(), [], "a disk that changed its colour was not captured");
    }

    #[test]
    fn each_side_sees_its_own_pieces_at_the_bottom() {
        let rows = rows(".b.b.b.b b.b.b.b. .b.b.b.b ........ ........ w.w.w.w. .w.w.w.w w.w.w.w.");
        let game = referee_games::checkers::ID;
        let drawn = |viewer| draw_board_for(viewer, game, &rows, &LastMove::default(), OutputStyle::PLAIN);
        assert_eq!(drawn(Some(Side::White)), drawn(None));
        let black = drawn(Some(Side::Black));
        assert_eq!(
            [&black[0], &black[1], &black[8]],
            ["    h g f e d c b a", "  1 · w · w · w · w", "  8 b · b · b · b ·"]
        );
        assert_eq!(near_side(game), Some(Side::White));
        assert_eq!(near_side(referee_games::othello::ID), None);
        assert_eq!(near_side(referee_games::little_go::ID), None, "an empty board has no side");
    }

    #[test]
    fn a_narrow_terminal_has_a_close_board_of_halma() {
        let rows = vec!["BBBBB...........".to_owned(); 16];
        let drawn = draw_board(referee_games::halma::ID, &rows, OutputStyle::PLAIN.with_columns(40));
        assert_eq!(drawn[0], "                        1 1 1 1 1 1");
        assert_eq!(drawn[1], "    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5");
        assert_eq!(drawn[2], "  0 B B B B B · · · · · · · · · · ·");
    }
}
