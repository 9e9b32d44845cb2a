//! The static value of a Duo-Othello position: permanent disks, mobility, and finally disks. It searches nothing;
//! minimax uses it.
//!
//! The weights are common knowledge about Othello, not tuned: a program that searches deeper or knows more should beat
//! the reference agent.

use super::{DuoOthello, Squares};
use crate::Side;
use crate::builtin::Evaluate;

/// A disk on a corner is never flipped again.
const CORNER: i32 = 60;
/// A disk diagonally inside of a free corner gives the corner away.
const BESIDE_FREE_CORNER_DIAGONALLY: i32 = -30;
/// A disk on the edge next to a free corner does so less often.
const BESIDE_FREE_CORNER_ON_THE_EDGE: i32 = -12;
/// A disk on an edge can be flipped along that edge only.
const EDGE: i32 = 4;
/// Each legal move.
const MOBILITY: i32 = 5;
/// A disk beside an empty square may be flipped.
const FRONTIER: i32 = -2;

/// With at most this many empty squares, disks count by themselves, the more the fewer squares are left.
const LAST_SQUARES: u32 = 32;
/// For each square filled after that, a disk gains one of these parts.
const DISK_PARTS: i32 = 4;

impl Evaluate for DuoOthello {
    fn evaluate(&self, side: Side) -> i32 {
        let ground = EmptySquares::of(self);
        ground.value(self, side) - ground.value(self, side.other())
    }
}

/// The properties of the empty squares, common to both sides.
struct EmptySquares {
    beside_free_corner: Squares,
    frontier: Squares,
    disk_parts: i32,
}

impl EmptySquares {
    fn of(position: &DuoOthello) -> Self {
        let empty = position.empty();
        let filled_late = LAST_SQUARES.saturating_sub(empty.count());
        Self {
            beside_free_corner: (Squares::CORNERS & empty).with_neighbours(),
            frontier: empty.with_neighbours(),
            disk_parts: filled_late.cast_signed(),
        }
    }

    fn value(&self, position: &DuoOthello, side: Side) -> i32 {
        let disks = position.disks(side);
        let on = |squares: Squares| (disks & squares).count().cast_signed();
        let edges = Squares::EDGES.without(Squares::CORNERS);
        CORNER * on(Squares::CORNERS)
            + BESIDE_FREE_CORNER_DIAGONALLY * on(self.beside_free_corner.without(edges))
            + BESIDE_FREE_CORNER_ON_THE_EDGE * on(self.beside_free_corner & edges)
            + EDGE * on(edges.without(self.beside_free_corner))
            + FRONTIER * on(self.frontier)
            + MOBILITY * position.legal_squares(side).count().cast_signed()
            + self.disk_parts * disks.count().cast_signed() / DISK_PARTS
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Position;

    fn position(rows: &[Vec<u8>]) -> DuoOthello {
        let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
        DuoOthello::from_rows(&rows, Side::Black, ()).unwrap()
    }

    fn board() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let letter = prop_oneof![Just(b'.'), Just(b'X'), Just(b'O')];
        prop::collection::vec(prop::collection::vec(letter, 12), 12)
    }

    proptest! {
        #[test]
        fn the_transposed_board_is_worth_the_same(board in board()) {
            let transposed_row = |row: usize| (0..12).map(|column| board[column][row]).collect();
            let transposed: Vec<Vec<u8>> = (0..12).map(transposed_row).collect();
            prop_assert_eq!(position(&board).evaluate(Side::Black), position(&transposed).evaluate(Side::Black));
        }
    }

    fn worth_of_one_disk(column: usize, row: usize) -> i32 {
        let mut board = vec![vec![b'.'; 12]; 12];
        board[row][column] = b'X';
        position(&board).evaluate(Side::Black)
    }

    #[test]
    fn a_corner_is_best_and_the_square_inside_of_it_worst() {
        let [corner, on_edge, inside, edge, middle] =
            [(0, 0), (1, 0), (1, 1), (4, 0), (4, 5)].map(|(column, row)| worth_of_one_disk(column, row));
        assert!(
            corner > edge && edge > middle && middle > on_edge && on_edge > inside,
            "{corner} {edge} {middle} {on_edge} {inside}"
        );
    }
}
