//! Portable Draughts Notation, version 3 (<https://wiegerw.github.io/pdn/>), the exchange format of checkers programs.
//! `export` calls it; it reads nothing.
//!
//! American checkers is `GameType "21"`, in full `21,B,8,8,N1,0`: black starts, squares have numbers, number 1 is at
//! the bottom right as black sees the board. As `input.txt` draws it, with black on top, that is the top row from the
//! left:
//!
//! ```text
//! 8 .  1  .  2  .  3  .  4
//! 7 5  .  6  .  7  .  8  .
//! 6 .  9  . 10  . 11  . 12
//! 5 13 . 14  . 15  . 16  .
//! 4 . 17  . 18  . 19  . 20
//! 3 21 . 22  . 23  . 24  .
//! 2 . 25  . 26  . 27  . 28
//! 1 29 . 30  . 31  . 32  .
//!   a  b  c  d  e  f  g  h
//! ```
//!
//! A step is `11-15`, jumps are `1x10x17` with every landing square. As the standard recommends, games end in `*`,
//! since `1-0` looks like a move; the result is in the tag. Its first number is black's, who moves first; some programs
//! put white first, so the tag `Winner` states it in words.

use super::{Checkers, Square};
use crate::{Notation, NotationForm, Position, Side, moved_squares};

/// The format.
pub(super) const PDN: Notation = Notation {
    name: "pdn",
    about: "Portable Draughts Notation, for checkers programs",
    form: NotationForm::Tagged { tags, mv: numbered, end: "*" },
};

/// The number of a dark square, 1 to 32; `None` for a light one.
///
/// ```
/// # use referee_games::checkers::square_number;
/// # use referee_games::checkers::Square;
/// let number = |name: &[u8]| square_number(Square::read(name).unwrap());
/// assert_eq!([number(b"b8"), number(b"f6"), number(b"a1")], [Some(1), Some(11), Some(29)]);
/// assert_eq!(number(b"a8"), None);
/// ```
pub fn square_number(square: Square) -> Option<u8> {
    square.is_dark().then(|| (7 - square.row()) * 4 + square.column() / 2 + 1)
}

fn tags(start: &[String], first: Side) -> Vec<(&'static str, String)> {
    let mut tags = vec![("GameType", "21".to_owned())];
    if first != Side::Black || start != Checkers::start(()).rows() {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", fen(start, first)));
    }
    tags
}

/// A move in square numbers. Other text becomes a comment.
fn numbered(mv: &str) -> String {
    let in_numbers = || {
        let number = |name: &String| square_number(Square::read(name.as_bytes())?);
        let squares = moved_squares(mv);
        let numbers: Option<Vec<String>> = squares.iter().map(|name| Some(number(name)?.to_string())).collect();
        Some(numbers?.join(if mv.starts_with('J') { "x" } else { "-" }))
    };
    in_numbers().unwrap_or_else(|| "{?}".to_owned())
}

/// A position: `B:W21,K22:B1,2`.
fn fen(rows: &[String], first: Side) -> String {
    let pieces = |man: u8| {
        let rows = (0_u8..8).rev().zip(rows);
        let squares = rows.flat_map(|(row, drawn)| {
            let pieces = (0_u8..).zip(drawn.bytes());
            pieces.map(move |(column, piece)| (column, row, piece))
        });
        let listed: Vec<String> = squares
            .filter(|(.., piece)| piece.eq_ignore_ascii_case(&man))
            .filter_map(|(column, row, piece)| {
                let number = square_number(Square::new(column, row)?)?;
                let king = if piece.is_ascii_uppercase() { "K" } else { "" };
                Some(format!("{king}{number}"))
            })
            .collect();
        listed.join(",")
    };
    let turn = match first {
        Side::Black => 'B',
        Side::White => 'W',
    };
    format!("{turn}:W{}:B{}", pieces(b'w'), pieces(b'b'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_with_every_square() {
        assert_eq!(numbered("E f6 e5"), "11-15");
        assert_eq!(numbered("J b8 d6\nJ d6 b4"), "1x10x17");
        assert_eq!(numbered("nonsense"), "{?}");
    }

    #[test]
    fn a_position_names_every_piece_and_whose_turn_it_is() {
        let start = fen(&Checkers::start(()).rows(), Side::Black);
        assert_eq!(start, "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12");
        let mut rows = vec!["........".to_owned(); 8];
        rows[0] = ".W......".to_owned();
        rows[7] = "B.....b.".to_owned();
        assert_eq!(fen(&rows, Side::White), "W:WK1:BK29,32");
    }
}
