//! The four diagonals of a checkers board. Pure; the rules use them.

use crate::Side;

/// A diagonal; white's men go north, black's go south.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    NorthEast,
    NorthWest,
    SouthEast,
    SouthWest,
}

impl Direction {
    /// To be iterated by reference in hot loops: iterating by value is neither inlined nor unrolled.
    pub(super) const ALL: [Self; 4] = [Self::NorthEast, Self::NorthWest, Self::SouthEast, Self::SouthWest];

    /// Moves each of `squares` by one in this direction. Those that leave the board vanish or land on light squares.
    #[inline]
    pub(super) const fn shift(self, squares: u64) -> u64 {
        match self {
            Self::NorthEast => squares << 9,
            Self::NorthWest => squares << 7,
            Self::SouthEast => squares >> 7,
            Self::SouthWest => squares >> 9,
        }
    }

    #[inline]
    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::NorthEast => Self::SouthWest,
            Self::NorthWest => Self::SouthEast,
            Self::SouthEast => Self::NorthWest,
            Self::SouthWest => Self::NorthEast,
        }
    }

    /// Whether the men of `side` go this way.
    #[inline]
    pub(super) const fn is_forward(self, side: Side) -> bool {
        match self {
            Self::NorthEast | Self::NorthWest => matches!(side, Side::White),
            Self::SouthEast | Self::SouthWest => matches!(side, Side::Black),
        }
    }
}
