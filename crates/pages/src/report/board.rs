//! The look of a game's board, and boards packed into few letters, for the page's script. It draws nothing.

use std::collections::BTreeMap;

use super::view::{Board, Camps, PieceView};
use referee_games::{Cells, GameRef, MoveForm, Profile, Side, SideColour};
use referee_messages::near_side;
use referee_records::PerSide;

/// An empty square.
const EMPTY: &str = ".";

/// The look of the board of `game`.
pub fn board_of(game: GameRef) -> Board {
    let profile = game.profile();
    let look = &profile.board;
    let places = (0..look.rows.len()).flat_map(|row| (0..look.columns.len()).map(move |column| (row, column)));
    let pieces = profile.pieces.iter().map(|piece| (piece.letter, PieceView::from(piece)));
    Board {
        game: game.name(),
        captures: profile.moves == MoveForm::StepsAndJumps { captures: true },
        separator: match profile.moves {
            MoveForm::StepsAndJumps { .. } => " ",
            MoveForm::Squares(separator) => separator,
        },
        near: near_side(game),
        surface: look.surface,
        columns: look.columns,
        rows: look.rows,
        squares: places.map(|(row, column)| look.square(row, column)).collect(),
        camps: look.has_camps.then(|| camps(game)),
        pieces: pieces.collect(),
        sides: PerSide::from_fn(|side| profile.side(side).name),
        colours: colours(profile),
    }
}

/// The colours of the sides, if they have others than dark and light.
fn colours(profile: &Profile) -> Option<PerSide<SideColour>> {
    let [black, white] = Side::BOTH.map(|side| profile.side(side).colour);
    Some(PerSide { black: black?, white: white? })
}

/// The start squares of each side's pieces.
fn camps(game: GameRef) -> Camps {
    let (profile, start) = (game.profile(), game.start().rows());
    let cells = profile.cells(start.iter().map(String::as_str)).into_iter().flatten();
    let owners: Vec<Option<Side>> =
        cells.map(|cell| cell.and_then(|(letter, _)| profile.piece(letter)).and_then(|piece| piece.side)).collect();
    PerSide::from_fn(|side| {
        let squares = owners.iter().enumerate().filter(|(_, owner)| **owner == Some(side));
        squares.map(|(index, _)| index).collect()
    })
}

/// A square of a drawn board: the letter and the number of its pieces; `None` if empty.
type BoardCell = Option<(char, u32)>;

/// The squares of a board, row by row: a letter, followed by a number for a stack; `.` if empty.
pub fn cells(game: GameRef, rows: &[String]) -> Vec<String> {
    cells_of(game, rows).map(|cell| written(game, cell)).collect()
}

fn cells_of(game: GameRef, rows: &[String]) -> impl Iterator<Item = BoardCell> {
    game.profile().cells(rows.iter().map(String::as_str)).into_iter().flatten()
}

fn written(game: GameRef, cell: BoardCell) -> String {
    match (cell, game.profile().board.cells) {
        (None, _) => EMPTY.to_owned(),
        (Some((letter, _)), Cells::Letters { .. }) => letter.to_string(),
        (Some((letter, count)), Cells::Stacks) => format!("{letter}{count}"),
    }
}

/// Boards of `game`, packed as in [`ReplayView::boards`](super::view::ReplayView::boards).
pub(super) fn packed(game: GameRef, boards: impl IntoIterator<Item = impl AsRef<[String]>>) -> String {
    let mut before: Vec<BoardCell> = Vec::new();
    let mut packed = Vec::new();
    for rows in boards {
        let now: Vec<BoardCell> = cells_of(game, rows.as_ref()).collect();
        before.resize(now.len(), None);
        packed.push(difference(game, &before, &now));
        before = now;
    }
    packed.join("\n")
}

fn difference(game: GameRef, before: &[BoardCell], now: &[BoardCell]) -> String {
    let mut squares: BTreeMap<String, String> = BTreeMap::new();
    for (index, (_, cell)) in before.iter().zip(now).enumerate().filter(|(_, (a, b))| a != b) {
        squares.entry(written(game, *cell)).or_default().extend(digits(index));
    }
    let groups: Vec<String> = squares.into_iter().map(|(cell, squares)| format!("{cell}:{squares}")).collect();
    groups.join(" ")
}

/// Two digits in base 36.
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

    /// Unpacks as the page's script does.
    fn unpacked(packed: &str, squares: usize) -> Vec<Vec<String>> {
        let mut board = vec![EMPTY.to_owned(); squares];
        let mut boards = Vec::new();
        for difference in packed.split('\n') {
            for group in difference.split(' ').filter(|group| !group.is_empty()) {
                let (piece, squares) = group.rsplit_once(':').unwrap();
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
            let packed = packed(referee_games::checkers::ID, boards.iter().map(Vec::as_slice));
            let expected: Vec<_> = boards.iter().map(|rows| cells(referee_games::checkers::ID, rows)).collect();
            prop_assert_eq!(unpacked(&packed, 256), expected);
        }
    }

    #[test]
    fn stacks_keep_their_height() {
        let rows = ["0,S12,C1".to_owned(), "0,0,0".to_owned(), "C3,0,S1".to_owned()];
        assert_eq!(packed(referee_games::star_circle::ID, [&rows[..]]), "C1:02 C3:06 S1:08 S12:01");
    }

    #[test]
    fn squares_are_called_as_moves_call_them() {
        let cases = [
            (referee_games::checkers::ID, 0, "a8"),
            (referee_games::othello::ID, 12, "a2"),
            (referee_games::halma::ID, 17, "1,1"),
            (referee_games::star_circle::ID, 8, "G1"),
        ];
        for (game, index, name) in cases {
            assert_eq!(board_of(game).squares[index], name, "{game}");
        }
    }

    #[test]
    fn the_camps_of_halma_have_19_squares() {
        let camps = board_of(referee_games::halma::ID).camps.unwrap();
        assert_eq!((camps.black.len(), camps.white.len()), (19, 19));
    }
}
