//! How a game's board looks, and boards in few letters.

use std::collections::BTreeMap;

use super::view::{Board, Camps, PieceLook, Shape};
use crate::games::{GameId, Side};
use crate::protocol::{Game, GameVisitor};
use crate::records::PerSide;
use crate::wording::Marks;

/// An empty square.
const EMPTY: &str = ".";

/// How the board of `game` looks.
pub fn board_of(game: GameId) -> Board {
    let (start, sides) = game.visit(Describing);
    let size = start.len();
    let marks = Marks::of(game);
    let columns: Vec<String> = (0..size).map(|column| marks.column(column)).collect();
    let rows: Vec<String> = (0..size).map(|row| marks.row(row, size)).collect();
    let square = |row: &String, column: &String| match marks {
        Marks::RowsFromBottom | Marks::RowsFromTop => format!("{column}{row}"),
        Marks::Numbers => format!("{column},{row}"),
        Marks::LettersFromBottom => format!("{row}{column}"),
    };
    let squares = rows
        .iter()
        .flat_map(|row| columns.iter().map(move |column| square(row, column)))
        .collect();
    let pieces = pieces_of(game);
    let camps = match game {
        GameId::Halma(_) => Some(camps(&cells(&start), &pieces)),
        GameId::Checkers | GameId::DuoOthello | GameId::StarCircle => None,
    };
    Board {
        game: game.name(),
        size,
        columns,
        rows,
        squares,
        camps,
        pieces,
        sides,
    }
}

/// The board that a game begins with, and the words for its sides.
struct Describing;

impl GameVisitor for Describing {
    type Output = (Vec<String>, PerSide<String>);

    fn visit<P: Game>(self, rules: P::Rules) -> Self::Output {
        let word = |side| match P::side_name(side) {
            letter if letter.len() == 1 => letter.to_owned(),
            word => word.to_lowercase(),
        };
        (P::start(rules).rows(), PerSide::from_fn(word))
    }
}

fn pieces_of(game: GameId) -> BTreeMap<char, PieceLook> {
    let look = |side, shape| PieceLook { side, shape };
    let (black, white) = (look(Side::Black, Shape::Disk), look(Side::White, Shape::Disk));
    match game {
        GameId::Checkers => BTreeMap::from([
            ('b', black),
            ('B', look(Side::Black, Shape::King)),
            ('w', white),
            ('W', look(Side::White, Shape::King)),
        ]),
        GameId::Halma(_) => BTreeMap::from([('B', black), ('W', white)]),
        GameId::DuoOthello => BTreeMap::from([('X', black), ('O', white)]),
        GameId::StarCircle => BTreeMap::from([('C', black), ('S', look(Side::White, Shape::Star))]),
    }
}

/// Halma begins with every camp full, so the start shows where the camps are.
fn camps(start: &[String], pieces: &BTreeMap<char, PieceLook>) -> Camps {
    let is_of = |cell: &str, side| {
        let look = cell.chars().next().and_then(|letter| pieces.get(&letter));
        look.is_some_and(|look| look.side == side)
    };
    PerSide::from_fn(|side| {
        let squares = start.iter().enumerate().filter(|(_, cell)| is_of(cell, side));
        squares.map(|(index, _)| index).collect()
    })
}

/// The squares of a drawn board, row by row; `.` where there is no piece.
pub fn cells(rows: &[String]) -> Vec<String> {
    let row_cells = |row: &String| -> Vec<String> {
        if row.contains(',') {
            let cell = |cell: &str| if cell == "0" { EMPTY } else { cell }.to_owned();
            row.split(',').map(cell).collect()
        } else {
            row.chars().map(String::from).collect()
        }
    };
    rows.iter().flat_map(row_cells).collect()
}

/// Boards packed as [`Replay::boards`](super::view::Replay::boards) says.
pub(super) fn packed(boards: impl IntoIterator<Item = impl AsRef<[String]>>) -> String {
    let mut before: Vec<String> = Vec::new();
    let mut packed = Vec::new();
    for rows in boards {
        let now = cells(rows.as_ref());
        before.resize(now.len(), EMPTY.to_owned());
        packed.push(difference(&before, &now));
        before = now;
    }
    packed.join("|")
}

fn difference(before: &[String], now: &[String]) -> String {
    let mut squares: BTreeMap<&str, String> = BTreeMap::new();
    for (index, (_, cell)) in before.iter().zip(now).enumerate().filter(|(_, (a, b))| a != b) {
        squares.entry(cell).or_default().extend(digits(index));
    }
    let groups: Vec<String> = squares
        .into_iter()
        .map(|(cell, squares)| format!("{cell}:{squares}"))
        .collect();
    groups.join(" ")
}

/// Two digits of base 36.
fn digits(index: usize) -> [char; 2] {
    let digit = |value: usize| {
        let value = u32::try_from(value).ok();
        value.and_then(|value| char::from_digit(value, 36))
    };
    [index / 36, index % 36].map(|value| digit(value).expect("a board has fewer than 36² squares"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What the page's script does.
    fn unpacked(packed: &str, squares: usize) -> Vec<Vec<String>> {
        let mut board = vec![EMPTY.to_owned(); squares];
        let mut boards = Vec::new();
        for difference in packed.split('|') {
            for group in difference.split(' ').filter(|group| !group.is_empty()) {
                let (piece, squares) = group.split_once(':').unwrap();
                for square in squares.as_bytes().chunks(2) {
                    let index = usize::from_str_radix(std::str::from_utf8(square).unwrap(), 36).unwrap();
                    board[index] = piece.to_owned();
                }
            }
            boards.push(board.clone());
        }
        boards
    }

    proptest! {
        #[test]
        fn boards_survive_packing(
            boards in prop::collection::vec(prop::collection::vec("[.bBwW]{16}", 16), 1..6),
        ) {
            let packed = packed(boards.iter().map(Vec::as_slice));
            let expected: Vec<Vec<String>> = boards.iter().map(|rows| cells(rows)).collect();
            prop_assert_eq!(unpacked(&packed, 256), expected);
        }
    }

    #[test]
    fn stacks_keep_their_height() {
        let rows = ["0,S12,C1".to_owned(), "0,0,0".to_owned(), "C3,0,S1".to_owned()];
        assert_eq!(packed([&rows[..]]), "C1:02 C3:06 S1:08 S12:01");
    }

    #[test]
    fn squares_are_called_as_moves_call_them() {
        let cases = [
            (GameId::Checkers, 0, "a8"),
            (GameId::DuoOthello, 12, "a2"),
            (GameId::Halma(crate::games::halma::Rules::default()), 17, "1,1"),
            (GameId::StarCircle, 8, "G1"),
        ];
        for (game, index, name) in cases {
            assert_eq!(board_of(game).squares[index], name, "{game}");
        }
    }

    #[test]
    fn the_camps_of_halma_have_19_squares() {
        let camps = board_of(GameId::Halma(crate::games::halma::Rules::default()))
            .camps
            .unwrap();
        assert_eq!((camps.black.len(), camps.white.len()), (19, 19));
    }
}
