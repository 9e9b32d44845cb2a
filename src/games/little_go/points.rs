//! The points of Little-Go, their names, and sets of them as bits. Pure; the rules and texts use them.
//!
//! A row takes 6 bits, of which the last is no point, so shifts beyond one side never return on the other. No set may
//! have such a bit.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// The number of columns, and of rows.
pub const SIZE: u8 = 5;

/// The step from a point to the one below it.
const ROW: u8 = SIZE + 1;

/// A point where lines cross, written `row,column`, both from 0 at the top left. The order is that of reading.
///
/// ```
/// use referee::games::little_go::Point;
///
/// let point = Point::new(2, 3).unwrap();
/// assert_eq!(point.to_string(), "2,3");
/// assert_eq!(Point::new(2, 5), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// The point in `row` and `column`, if both are below 5.
    pub const fn new(row: u8, column: u8) -> Option<Self> {
        if row < SIZE && column < SIZE {
            Some(Self(row * ROW + column))
        } else {
            None
        }
    }

    /// The row, 0 for the top row.
    pub const fn row(self) -> u8 {
        self.0 / ROW
    }

    /// The column, 0 for the leftmost.
    pub const fn column(self) -> u8 {
        self.0 % ROW
    }

    /// A unique number below 30.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row(), self.column())
    }
}

/// The name of the point, as a failing test should show it.
impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PointSet(u32);

impl PointSet {
    /// No point.
    pub const NONE: Self = Self(0);

    /// All points.
    pub const BOARD: Self = Self(0b01_1111_0111_1101_1111_0111_1101_1111);

    /// The set of this point.
    #[inline]
    pub const fn of(point: Point) -> Self {
        Self(1 << point.0)
    }

    /// The neighbours of the set along rows and columns; they may belong to the set.
    #[inline]
    #[must_use]
    pub const fn beside(self) -> Self {
        let Self(set) = self;
        Self((set << 1 | set >> 1 | set << ROW | set >> ROW) & Self::BOARD.0)
    }

    /// All points of `within` connected to the set, which is part of `within`.
    #[inline]
    #[must_use]
    pub fn grown(self, within: Self) -> Self {
        let mut group = self;
        loop {
            let next = group | (group.beside() & within);
            if next == group {
                return group;
            }
            group = next;
        }
    }

    /// The points that are not in `other`.
    #[inline]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the two sets have a point in common.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is no point in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has `point`.
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        self.meets(Self::of(point))
    }

    /// The number of points.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The points in the order of reading.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Point> {
        let Self(mut set) = self;
        std::iter::from_fn(move || {
            #[expect(clippy::cast_possible_truncation, reason = "at most 32")]
            let point = (set != 0).then(|| Point(set.trailing_zeros() as u8));
            set &= set.wrapping_sub(1);
            point
        })
    }

    /// The groups of the set: connected stones.
    pub fn groups(self) -> impl Iterator<Item = Self> {
        let mut left = self;
        std::iter::from_fn(move || {
            let first = left.iter().next()?;
            let group = Self::of(first).grown(left);
            left = left.without(group);
            Some(group)
        })
    }

    /// The set as a number, for keys.
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }
}

impl BitAnd for PointSet {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for PointSet {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for PointSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl Not for PointSet {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self::BOARD.without(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_has_25_points_in_the_order_of_reading() {
        let all: Vec<Point> = PointSet::BOARD.iter().collect();
        assert_eq!(all.len(), 25);
        assert!(all.is_sorted());
        for &point in &all {
            assert_eq!(Point::new(point.row(), point.column()), Some(point));
        }
    }

    #[test]
    fn points_beside_each_other_differ_by_one_row_or_one_column() {
        for a in PointSet::BOARD.iter() {
            for b in PointSet::BOARD.iter() {
                let distance = a.row().abs_diff(b.row()) + a.column().abs_diff(b.column());
                assert_eq!(PointSet::of(a).beside().contains(b), distance == 1, "{a} and {b}");
            }
        }
    }
}
