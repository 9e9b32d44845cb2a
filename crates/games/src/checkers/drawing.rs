//! Draws and reads the board in letters: `b` and `w` for men, `B` and `W` for kings. It knows no moves;
//! [`super::Checkers`] calls it.

use super::generate::crowning_row;
use super::square::{Square, squares};
use super::{Checkers, PIECES_EACH};
use crate::diagram::Drawing;
use crate::{BoardError, Side};

const SIZE: u8 = 8;

const DRAWING: Drawing = Drawing::of_squares(SIZE, "bwBW");

pub(super) fn read(rows: &[&[u8]], side: Side) -> Result<Checkers, BoardError> {
    let mut board = Checkers { pieces: [0; 2], kings: 0, side };
    DRAWING.read(rows, |row, column, index| place(&mut board, square_at(row, column), DRAWING.letters[index]))?;
    Ok(board)
}

fn place(board: &mut Checkers, square: Square, letter: u8) -> Result<(), String> {
    let (side, colour) = match letter {
        b'b' | b'B' => (Side::Black, "black"),
        _ => (Side::White, "white"),
    };
    if !square.is_dark() {
        return Err(format!("`{square}` is a light square: pieces stand on dark squares only"));
    }
    let is_king = letter.is_ascii_uppercase();
    if !is_king && square.bit() & crowning_row(side) != 0 {
        let king = char::from(letter.to_ascii_uppercase());
        return Err(format!("a {colour} man on `{square}` would have been crowned: write a king as `{king}`"));
    }
    let pieces = &mut board.pieces[side.index()];
    if pieces.count_ones() == PIECES_EACH {
        return Err(format!("too many {colour} pieces, from `{square}` on: a side has at most {PIECES_EACH}"));
    }
    *pieces |= square.bit();
    if is_king {
        board.kings |= square.bit();
    }
    Ok(())
}

pub(super) fn draw(board: &Checkers) -> String {
    let [black, white] = [Side::Black, Side::White];
    DRAWING.draw(|put| {
        for (pieces, letter) in
            [(board.men(black), b'b'), (board.kings(black), b'B'), (board.men(white), b'w'), (board.kings(white), b'W')]
        {
            squares(pieces).for_each(|square| put(SIZE - 1 - square.row(), square.column(), letter));
        }
    })
}

/// The square in a row and column of the drawing, both from 0, top row first.
fn square_at(row: u8, column: u8) -> Square {
    Square::new(column, SIZE - 1 - row).expect("a drawing is read in 8 rows of 8 squares")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    const START: [&str; 8] =
        [".b.b.b.b", "b.b.b.b.", ".b.b.b.b", "........", "........", "w.w.w.w.", ".w.w.w.w", "w.w.w.w."];

    fn read_rows(rows: [&str; 8]) -> Result<Checkers, String> {
        read(&rows.map(str::as_bytes), Side::Black).map_err(|fault| fault.to_string())
    }

    fn fault(row: usize, squares: &'static str) -> String {
        let mut rows = START;
        rows[row] = squares;
        read_rows(rows).unwrap_err()
    }

    #[test]
    fn the_start_is_the_drawing_of_the_handout() {
        assert_eq!(Checkers::start(()).rows(), START);
        assert_eq!(read_rows(START), Ok(Checkers::start(())));
    }

    #[test]
    fn pieces_that_cannot_stand_so_are_refused_by_name() {
        let said = [
            (fault(4, ".b......"), "board row 5, column 2: too many black pieces, from `b4` on: a side has at most 12"),
            (fault(3, "...W...."), "board row 4, column 4: `d5` is a light square: pieces stand on dark squares only"),
            (
                fault(0, ".w.b.b.b"),
                "board row 1, column 2: a white man on `b8` would have been crowned: write a king as `W`",
            ),
            (
                fault(7, "w.b.w.w."),
                "board row 8, column 3: a black man on `c1` would have been crowned: write a king as `B`",
            ),
            (fault(3, "...x...."), "board row 4, column 4: expected one of `.bwBW`, found `x`"),
            (fault(3, "......."), "board row 4: expected 8 squares, found 7"),
        ];
        for (found, expected) in said {
            assert_eq!(found, expected);
        }
        assert_eq!(
            read(&[b"........".as_slice(); 7], Side::White).unwrap_err().to_string(),
            "expected 8 board rows, found 7"
        );
    }
}
