//! Squares of a board, their names, and sets of them as bits: for games on square boards. It contains no rules.
//!
//! A square's number is its bit in a set, in the order of reading: [`SquareBoard::ROW`] bits for each row. Bits beyond
//! the last column are never squares, so that shifts beyond the left or right side of the board end there; a board
//! without such bits must not ask for neighbours. A set of pieces must have no bit that is no square: a caller that
//! shifts a set must mask the result.

#![expect(
    clippy::inline_always,
    reason = "a release is optimized for size, where calls and loops took five sixths of the time of a search or more"
)]

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Range};

use super::diagram::Drawing;
use super::{BoardError, BoardLook};

/// The size of a square board, and the names of its squares.
pub trait SquareBoard: Copy + fmt::Debug + Ord + Hash + Send + Sync + 'static {
    /// The number of columns, and of rows.
    const SIZE: u8;
    /// The bits of a row in a set: the step from a square to the one below it.
    const ROW: u8;
    /// The names of columns, rows and squares.
    const LOOK: BoardLook;
}

/// A square of the board `B`. The order is that of reading, from the top left.
///
/// ```
/// use referee_games::heirs::Square;
///
/// let square = Square::new(8, 10).unwrap();
/// assert_eq!(square.to_string(), "j2");
/// assert_eq!(Square::read(b"j2"), Some(square));
/// assert_eq!([Square::read(b"i2"), Square::read(b"J2"), Square::read(b"j02")], [None; 3]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardSquare<B>(u8, PhantomData<B>);

impl<B: SquareBoard> BoardSquare<B> {
    /// The square in `column` and `row`, both counted from 0 at the top left; `None` off the board.
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < B::SIZE && row < B::SIZE { Some(Self::numbered(row * B::ROW + column)) } else { None }
    }

    /// The square of this number.
    pub(super) const fn numbered(number: u8) -> Self {
        Self(number, PhantomData)
    }

    /// Reads the name of a square, exactly as written.
    pub fn read(name: &[u8]) -> Option<Self> {
        let (row, column) = B::LOOK.place(str::from_utf8(name).ok()?)?;
        Self::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?)
    }

    /// The column, 0 on the left.
    pub const fn column(self) -> u8 {
        self.0 % B::ROW
    }

    /// The row, 0 at the top.
    pub const fn row(self) -> u8 {
        self.0 / B::ROW
    }

    /// The square's number, below [`SquareBoard::SIZE`] x [`SquareBoard::ROW`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The square's bit in a set of a single word.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The only square of such a set.
    #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
    pub(super) const fn of_bit(bit: u64) -> Self {
        Self::numbered(bit.trailing_zeros() as u8)
    }

    /// The squares of such a set, in the order of their bits.
    pub(super) fn of_bits(mut set: u64) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let lowest = (set != 0).then(|| Self::of_bit(set));
            set &= set.wrapping_sub(1);
            lowest
        })
    }

    /// The way to `to`: columns to the right and rows down.
    pub(super) const fn offset_to(self, to: Self) -> (i8, i8) {
        let right = to.column().cast_signed() - self.column().cast_signed();
        (right, to.row().cast_signed() - self.row().cast_signed())
    }

    /// The square in the same column, as far from the bottom as this one from the top.
    #[must_use]
    pub const fn upside_down(self) -> Self {
        Self::numbered((B::SIZE - 1 - self.row()) * B::ROW + self.column())
    }

    /// The square with column and row exchanged.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self::numbered(self.column() * B::ROW + self.row())
    }

    /// The squares between this one and `to`, which is in the same row, column or diagonal.
    pub(super) fn squares_to(self, to: Self) -> impl Iterator<Item = Self> {
        let (right, down) = self.offset_to(to);
        let step = B::ROW.cast_signed() * down.signum() + right.signum();
        (1..right.abs().max(down.abs())).map(move |steps| self.moved(step * steps))
    }

    /// The square after `step`; meaningless if that is off the board.
    #[inline]
    pub(super) const fn moved(self, step: i8) -> Self {
        Self::numbered(self.0.wrapping_add_signed(step))
    }
}

impl<B: SquareBoard> fmt::Display for BoardSquare<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        B::LOOK.write_square(f, self.row().into(), self.column().into())
    }
}

/// The name of the square, as a failing test should show it.
impl<B: SquareBoard> fmt::Debug for BoardSquare<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Does the same with each of `WORDS` words. A release would not unroll a loop.
macro_rules! for_each_word {
    ($word:ident, $work:expr) => {
        let $word = 0;
        $work;
        if WORDS > 1 {
            let $word = 1;
            $work;
        }
        if WORDS > 2 {
            let $word = 2;
            $work;
        }
    };
}

/// A set of squares of the board `B`, in one, two or three words.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BoardSquares<B, const WORDS: usize>([u64; WORDS], PhantomData<B>);

impl<B: SquareBoard, const WORDS: usize> BoardSquares<B, WORDS> {
    /// No square.
    pub const NONE: Self = Self::of_words([0; WORDS]);

    /// All squares of the board.
    pub const BOARD: Self = Self::within(0..B::SIZE, 0..B::SIZE);

    const fn of_words(words: [u64; WORDS]) -> Self {
        const { assert!(WORDS <= 3, "`for_each_word` reaches three") };
        Self(words, PhantomData)
    }

    /// The set of this square.
    #[inline(always)]
    pub fn of(square: BoardSquare<B>) -> Self {
        let mut words = [0; WORDS];
        for_each_word!(word, {
            if usize::from(square.0 / 64) == word {
                words[word] = 1 << (square.0 % 64);
            }
        });
        Self::of_words(words)
    }

    /// The squares in these columns and rows.
    pub(super) const fn within(columns: Range<u8>, rows: Range<u8>) -> Self {
        let mut words = [0; WORDS];
        let mut row = rows.start;
        while row < rows.end {
            let mut column = columns.start;
            while column < columns.end {
                let bit = (row * B::ROW + column) as usize;
                words[bit / 64] |= 1 << (bit % 64);
                column += 1;
            }
            row += 1;
        }
        Self::of_words(words)
    }

    /// All squares moved down or right by `step`, from 1 to 63.
    #[inline(always)]
    #[must_use]
    pub(super) fn moved_on(self, step: u8) -> Self {
        let mut words = [0; WORDS];
        for_each_word!(word, {
            let carried = if word == 0 { 0 } else { self.0[word - 1] >> (64 - step) };
            words[word] = self.0[word] << step | carried;
        });
        Self::of_words(words)
    }

    /// All squares moved up or left by `step`, from 1 to 63.
    #[inline(always)]
    #[must_use]
    pub(super) fn moved_back(self, step: u8) -> Self {
        let mut words = [0; WORDS];
        for_each_word!(word, {
            let carried = if word + 1 == WORDS { 0 } else { self.0[word + 1] << (64 - step) };
            words[word] = self.0[word] >> step | carried;
        });
        Self::of_words(words)
    }

    /// All squares moved by `step`, nonzero from -63 to 63; positive steps go down or right.
    #[inline(always)]
    #[must_use]
    pub(super) fn moved(self, step: i8) -> Self {
        if step < 0 { self.moved_back(step.unsigned_abs()) } else { self.moved_on(step.unsigned_abs()) }
    }

    /// The neighbours of the set along rows and columns; they may belong to the set.
    #[inline(always)]
    #[must_use]
    pub fn beside(self) -> Self {
        (self.moved_on(1) | self.moved_back(1) | self.moved_on(B::ROW) | self.moved_back(B::ROW)) & Self::BOARD
    }

    /// All squares of `within` that rows and columns connect to the set, which is part of `within`.
    #[inline(always)]
    #[must_use]
    pub fn flood_fill(self, within: Self) -> Self {
        let mut group = self;
        loop {
            let next = group | (group.beside() & within);
            if next == group {
                return group;
            }
            group = next;
        }
    }

    /// The squares of the set and their neighbours in all eight directions.
    #[must_use]
    pub fn with_neighbours(self) -> Self {
        let row = self | self.moved_on(1) | self.moved_back(1);
        (row | row.moved_on(B::ROW) | row.moved_back(B::ROW)) & Self::BOARD
    }

    /// The squares that are not in `other`.
    #[inline(always)]
    #[must_use]
    pub const fn without(mut self, other: Self) -> Self {
        for_each_word!(word, self.0[word] &= !other.0[word]);
        self
    }

    /// The squares that are in `other`, or only those that are not.
    #[inline(always)]
    #[must_use]
    pub(super) fn kept(self, other: Self, inside: bool) -> Self {
        if inside { self & other } else { self.without(other) }
    }

    /// Whether the two sets have a square in common.
    #[inline(always)]
    pub fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Whether there is no square in the set.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        let mut all = 0;
        for_each_word!(word, all |= self.0[word]);
        all == 0
    }

    /// Whether the set has `square`.
    #[inline(always)]
    pub fn contains(self, square: BoardSquare<B>) -> bool {
        self.meets(Self::of(square))
    }

    /// The number of squares.
    #[inline(always)]
    pub fn count(self) -> u32 {
        let mut count = 0;
        for_each_word!(word, count += self.0[word].count_ones());
        count
    }

    /// The first square in the order of reading.
    #[inline(always)]
    pub fn first(self) -> Option<BoardSquare<B>> {
        let (word, bits) = (0..).zip(self.0).find(|&(_, bits)| bits != 0)?;
        Some(lowest(word, bits))
    }

    /// Calls `visit` with each square in the order of reading; quicker than [`Self::iter`].
    #[inline(always)]
    pub fn for_each(self, mut visit: impl FnMut(BoardSquare<B>)) {
        for (word, mut bits) in (0..).zip(self.0) {
            while bits != 0 {
                visit(lowest(word, bits));
                bits &= bits - 1;
            }
        }
    }

    /// The squares in the order of reading.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = BoardSquare<B>> {
        (0..).zip(self.0).flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let square = (bits != 0).then(|| lowest(word, bits));
                bits &= bits.wrapping_sub(1);
                square
            })
        })
    }

    /// The words of the set, for keys.
    pub(crate) const fn words(self) -> [u64; WORDS] {
        self.0
    }

    /// The squares of black's and of white's letter, the first and the second of `drawing`.
    pub(super) fn read_sides(drawing: &Drawing, rows: &[&[u8]]) -> Result<[Self; 2], BoardError> {
        let mut sides = [Self::NONE; 2];
        drawing.read(rows, |row, column, index| {
            let square = BoardSquare::new(column, row).expect("a drawing has the size of its board");
            sides[index] |= Self::of(square);
            Ok(())
        })?;
        Ok(sides)
    }

    /// The board that [`Self::read_sides`] reads.
    pub(super) fn draw_sides(sides: [Self; 2], drawing: &Drawing) -> String {
        drawing.draw(|put| {
            for (squares, &letter) in sides.into_iter().zip(drawing.letters) {
                squares.for_each(|square| put(square.row(), square.column(), letter));
            }
        })
    }
}

/// The square of the lowest bit in the word at an index, which is not empty.
#[inline(always)]
fn lowest<B: SquareBoard>(word: u8, bits: u64) -> BoardSquare<B> {
    #[expect(clippy::cast_possible_truncation, reason = "at most 63")]
    let bit = bits.trailing_zeros() as u8;
    BoardSquare::numbered(word << 6 | bit)
}

impl<B: SquareBoard, const WORDS: usize> fmt::Debug for BoardSquares<B, WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<B: SquareBoard, const WORDS: usize> BitAnd for BoardSquares<B, WORDS> {
    type Output = Self;

    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        for_each_word!(word, self.0[word] &= other.0[word]);
        self
    }
}

impl<B: SquareBoard, const WORDS: usize> BitOr for BoardSquares<B, WORDS> {
    type Output = Self;

    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        for_each_word!(word, self.0[word] |= other.0[word]);
        self
    }
}

impl<B: SquareBoard, const WORDS: usize> BitOrAssign for BoardSquares<B, WORDS> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// The other squares of the board.
impl<B: SquareBoard, const WORDS: usize> Not for BoardSquares<B, WORDS> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self::BOARD.without(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Grid8, Grid12};

    fn squares_are_read_as_they_are_written<B: SquareBoard, const WORDS: usize>(corners: [&str; 2]) {
        let all: Vec<BoardSquare<B>> = BoardSquares::<B, WORDS>::BOARD.iter().collect();
        assert_eq!(all.len(), usize::from(B::SIZE).pow(2));
        assert!(all.is_sorted());
        for &square in &all {
            assert_eq!(BoardSquare::read(square.to_string().as_bytes()), Some(square));
            assert_eq!(BoardSquare::new(square.column(), square.row()), Some(square));
            let set = BoardSquares::<B, WORDS>::of(square);
            assert_eq!(set.iter().collect::<Vec<_>>(), [square]);
            assert_eq!((!set).count(), BoardSquares::<B, WORDS>::BOARD.count() - 1);
        }
        assert_eq!([all[0], all[all.len() - 1]].map(|square| square.to_string()), corners);
    }

    #[test]
    fn reading_what_was_written_is_the_identity() {
        squares_are_read_as_they_are_written::<Grid8, 1>(["a1", "h8"]);
        squares_are_read_as_they_are_written::<Grid12, 3>(["a1", "l12"]);
        squares_are_read_as_they_are_written::<crate::checkers::CheckersBoard, 1>(["a1", "h8"]);
        squares_are_read_as_they_are_written::<crate::heirs::HeirsBoard, 3>(["a12", "n1"]);
        squares_are_read_as_they_are_written::<crate::little_go::GoBoard, 1>(["0,0", "4,4"]);
        squares_are_read_as_they_are_written::<crate::star_circle::StarBoard, 1>(["H1", "A8"]);
    }
}
