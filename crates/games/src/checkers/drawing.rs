//! Draws and reads the board in letters: `b` and `w` for men, `B` and `W` for kings. It knows no moves;
//! [`super::Checkers`] calls it.

use super::Square;
use super::generate::crowning_row;
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
            Square::of_bits(pieces).for_each(|square| put(SIZE - 1 - square.row(), square.column(), letter));
        }
    })
}

/// The square in a row and column of the drawing, both from 0, top row first.
fn square_at(row: u8, column: u8) -> Square {
    Square::new(column, SIZE - 1 - row).expect("a drawing is read in 8 rows of 8 squares")
}
