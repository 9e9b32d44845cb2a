//! The values of squares in the race to the opposing camp. Both evaluations of Halma use them, with weights of their
//! own.

use super::camp::corner;
use super::{Halma, Side, Square};

/// Each row or column deeper in the opposing camp.
const DEEPER: i32 = 4;
/// Each row or column on the way to the far corner.
const ADVANCE: i32 = 10;
/// Each row or column off the diagonal between the corners, where there is the most company to jump over.
const OFF_DIAGONAL: i32 = 2;
/// With at most this many pieces under way, they head for empty squares of the camp.
pub(super) const LAST_PIECES: usize = 6;

/// The weights in which the two evaluations differ.
pub(super) struct Race {
    /// A piece in the far corner.
    pub(super) arrived: i32,
    /// The deduction for a piece outside the opposing camp.
    pub(super) underway: i32,
    /// The part of the way to the far corner that does not count, because it lies within the camp.
    pub(super) camp_depth: i32,
}

impl Race {
    /// The deduction for this many rows and columns to go: a piece far behind has nobody to jump over.
    pub(super) const fn way(&self, to_go: i32) -> i32 {
        self.underway + ADVANCE * to_go + to_go * to_go / 2
    }

    const fn place_of_black(&self, square: Square) -> i32 {
        let (x, y) = (square.x() as i32, square.y() as i32);
        let to_go = 30 - x - y;
        if square.is_in_camp_of(Side::White) {
            return self.arrived - DEEPER * to_go;
        }
        let before_camp = to_go - self.camp_depth;
        let before_camp = if before_camp > 1 { before_camp } else { 1 };
        -(self.way(before_camp) + OFF_DIAGONAL * (x - y).abs())
    }
}

/// The value of a black piece on each square, by [`Square::index`].
pub(super) struct Places([i32; 256]);

impl Places {
    pub(super) const fn of(race: &Race) -> Self {
        let mut places = [0; 256];
        let mut index = 0;
        while index < places.len() {
            #[expect(clippy::cast_possible_truncation, reason = "there are 256 squares")]
            let square = Square::of_index(index as u8);
            places[index] = race.place_of_black(square);
            index += 1;
        }
        Self(places)
    }

    /// The value of a piece of `side` on `square`.
    #[inline]
    pub(super) fn at(&self, square: Square, side: Side) -> i32 {
        self.0[square.as_of_black(side).index()]
    }
}

impl Halma {
    /// The walk of a piece of `side` to the nearest empty square of its goal, or to the far corner if there is none;
    /// see [`Square::walk_to`].
    pub(super) fn walk_to_goal(&self, piece: Square, side: Side) -> i32 {
        let walks = self.empty_goal_squares(side).map(|square| piece.walk_to(square));
        let walk = walks.min().unwrap_or_else(|| piece.walk_to(corner(side.other())));
        walk.into()
    }
}
