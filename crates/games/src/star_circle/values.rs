//! The values of pieces by row. Plain data; the evaluation and the solver use it.

use super::square::SIZE;
use crate::Side;

/// The values of the eight rows, from one side's view: the first is that of its start row.
///
/// ```
/// use referee_games::Side;
/// use referee_games::star_circle::{RowValues, Square};
///
/// let row_a = Square::read(b"A1").unwrap();
/// assert_eq!(RowValues::STANDARD.value(Side::White, row_a), 10, "Star comes from there");
/// assert_eq!(RowValues::STANDARD.value(Side::Black, row_a), 80, "Circle goes there");
/// assert!(RowValues::new([1, 2, 3, 4, 5, 6, 8, 7]).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowValues([i32; SIZE as usize]);

impl RowValues {
    /// The values of all but one of the handout's examples; they decide games that are played out.
    pub const STANDARD: Self = Self([10, 20, 30, 40, 50, 60, 70, 80]);
    /// The maximum of a row value, and its negative the minimum: with [`super::StarCircle::MAX_PIECES`] per side every
    /// evaluation fits its type.
    pub const LIMIT: i32 = 1_000_000;

    /// Eight values; `None` unless they increase and lie within [`Self::LIMIT`].
    pub fn new(values: [i32; SIZE as usize]) -> Option<Self> {
        let increase = values.windows(2).all(|pair| pair[0] < pair[1]);
        let within = values.iter().all(|value| value.abs() <= Self::LIMIT);
        (increase && within).then_some(Self(values))
    }

    /// The eight values.
    pub const fn values(&self) -> [i32; SIZE as usize] {
        self.0
    }

    /// The value of a piece of `side` on `square`.
    #[inline]
    pub const fn value(&self, side: Side, square: super::Square) -> i32 {
        let row = match side {
            Side::Black => square.row(),
            Side::White => SIZE - 1 - square.row(),
        };
        self.0[row as usize]
    }
}
