//! The two camps of Halma in opposite corners. Pure; the rules use it.

use super::Side;
use super::square::{Square, Squares};

/// The squares of black's camp in each row, from the top; white's camp is its point reflection.
const BLACK_ROWS: [u8; 5] = [5, 5, 4, 3, 2];

/// Squares of a camp, and pieces of a side in the handout's game.
pub(super) const CAMP_SIZE: u32 = 19;

const CAMPS: [Squares; 2] = camps();

impl Square {
    /// Whether the square belongs to `side`'s own camp.
    pub const fn is_in_camp_of(self, side: Side) -> bool {
        CAMPS[side.index()].contains(self)
    }
}

/// The own camp of `side`.
pub(super) const fn camp(side: Side) -> Squares {
    CAMPS[side.index()]
}

/// The corner of the board in `side`'s own camp.
pub(super) const fn corner(side: Side) -> Square {
    [Square::at(0, 0), Square::at(15, 15)][side.index()]
}

/// Whether `to` is further from the corner of `side` than `from`, in the words of the addendum: further in one
/// direction without being closer in the other.
pub(super) fn is_further(side: Side, from: Square, to: Square) -> bool {
    let (dx, dy) = match side {
        Side::Black => from.offset_to(to),
        Side::White => to.offset_to(from),
    };
    dx >= 0 && dy >= 0 && (dx > 0 || dy > 0)
}

const fn camps() -> [Squares; 2] {
    let mut camps = [Squares::NONE; 2];
    let mut y = 0;
    while y < BLACK_ROWS.len() {
        let mut x = 0;
        while x < BLACK_ROWS[y] {
            #[expect(clippy::cast_possible_truncation, reason = "there are 5 rows")]
            let square = Square::at(x, y as u8);
            camps[0] = camps[0].with(square);
            camps[1] = camps[1].with(square.opposite());
            x += 1;
        }
        y += 1;
    }
    camps
}
