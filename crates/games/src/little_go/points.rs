//! The points of Little-Go, and sets of them. Pure; the rules and texts use them.

use crate::{BoardLook, BoardSquare, BoardSquares, BoardSurface, Cells, SquareBoard, SquareName};

/// The board of 5x5 points. In sets, the last bit of a row is no point, so that neighbours are found by shifts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GoBoard {}

/// A point where lines cross, written `row,column`, both from 0 at the top left.
///
/// ```
/// use referee_games::little_go::Point;
///
/// let point = Point::new(3, 2).unwrap();
/// assert_eq!((point.column(), point.row()), (3, 2));
/// assert_eq!(point.to_string(), "2,3");
/// assert_eq!(Point::new(5, 2), None);
/// ```
pub type Point = BoardSquare<GoBoard>;

/// A set of points.
pub type PointSet = BoardSquares<GoBoard, 1>;

impl SquareBoard for GoBoard {
    const SIZE: u8 = 5;
    const ROW: u8 = 6;
    const LOOK: BoardLook = BoardLook {
        columns: &["0", "1", "2", "3", "4"],
        rows: &["0", "1", "2", "3", "4"],
        square: SquareName::RowCommaColumn,
        surface: BoardSurface::Points,
        cells: Cells::Letters { empty: '0' },
        ..BoardLook::LETTERS
    };
}

impl PointSet {
    /// The groups of the set: connected stones.
    pub fn groups(self) -> impl Iterator<Item = Self> {
        let mut left = self;
        std::iter::from_fn(move || {
            let group = Self::of(left.first()?).flood_fill(left);
            left = left.without(group);
            Some(group)
        })
    }
}
