//! Positions and legal moves of Heirs. It judges no claims (`judge`); the adapter and the agents call it.
//!
//! One generator serves for listing, counting and testing for a legal move. It moves all pieces of the same kind of
//! step at once: their landing squares are a *wave*, and the step leads back to the origin of each.
//!
//! No square may have pieces of both sides, an empty square must have no kind, and a side must have at most one Prince.

use super::piece::Piece;
use super::reasons::CAPTURED_PRINCE;
use crate::diagram::Drawing;
use crate::{
    BoardDraw, BoardError, BoardLook, BoardSquare, BoardSquares, BoardSurface, BoardWin, Ending, Hop, Position, Side,
    SquareBoard, Status,
};

/// The board of 12x12 squares. In sets, each row takes 16 bits, so no row spans two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HeirsBoard {}

/// A square: `a1` bottom left to `n12` top right.
pub type Square = BoardSquare<HeirsBoard>;

/// A set of squares.
pub type Squares = BoardSquares<HeirsBoard, 3>;

impl SquareBoard for HeirsBoard {
    const SIZE: u8 = 12;
    const ROW: u8 = 16;
    const LOOK: BoardLook = BoardLook {
        // Without `i` and `l`, which look like 1.
        columns: &["a", "b", "c", "d", "e", "f", "g", "h", "j", "k", "m", "n"],
        rows: &["12", "11", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"],
        surface: BoardSurface::Chequered,
        ..BoardLook::LETTERS
    };
}

/// The start, top row first.
const START: [&[u8]; 12] = [
    b"gytsnxpnstyg",
    b"bbbbbbbbbbbb",
    b"............",
    b"............",
    b"............",
    b"............",
    b"............",
    b"............",
    b"............",
    b"............",
    b"BBBBBBBBBBBB",
    b"GYTSNXPNSTYG",
];

const DRAWING: Drawing = Drawing::of_squares(HeirsBoard::SIZE, Piece::LETTERS);

/// One row down.
const DOWN: i8 = HeirsBoard::ROW.cast_signed();

/// Steps along rows and columns.
const STRAIGHT: [i8; 4] = [-DOWN, -1, 1, DOWN];

/// Steps along diagonals.
const DIAGONAL: [i8; 4] = [-DOWN - 1, -DOWN + 1, DOWN - 1, DOWN + 1];

/// The move of one piece, which captures any piece on its destination.
pub type Move = Hop<Square>;

/// A position of Heirs.
///
/// ```
/// use referee_games::heirs::Heirs;
/// use referee_games::{Position, perft};
///
/// assert_eq!(perft(&Heirs::start(()), 3), 50_004);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Heirs {
    side: Side,
    /// The pieces of each side.
    sides: [Squares; 2],
    /// The pieces whose number ([`Piece`]) has the bit 1, 2 or 4.
    kinds: [Squares; 3],
}

impl Heirs {
    /// All pieces of `side`.
    pub const fn pieces(&self, side: Side) -> Squares {
        self.sides[side.index()]
    }

    /// The pieces of one kind of `side`.
    #[expect(clippy::inline_always, reason = "as in `games::board`")]
    #[inline(always)]
    pub fn pieces_of(&self, piece: Piece, side: Side) -> Squares {
        let [one, two, four] = self.kinds;
        let has = |bit| piece as u8 & bit != 0;
        self.pieces(side).kept(one, has(1)).kept(two, has(2)).kept(four, has(4))
    }

    /// The piece on a square.
    #[inline]
    pub fn at(&self, square: Square) -> Option<(Side, Piece)> {
        let mut sides = Side::BOTH.into_iter();
        let side = sides.find(|&side| self.pieces(side).contains(square))?;
        let bit = |kind: Squares| usize::from(kind.contains(square));
        let [one, two, four] = self.kinds;
        Some((side, Piece::ALL[bit(four) << 2 | bit(two) << 1 | bit(one)]))
    }

    /// All pieces with their squares, in the order of reading.
    pub(super) fn placed(&self) -> impl Iterator<Item = (Square, Side, Piece)> {
        let pieces = !self.empty();
        pieces.iter().filter_map(|square| self.at(square).map(|(side, piece)| (square, side, piece)))
    }

    /// The side whose Prince is captured, if any.
    pub(super) fn without_prince(&self) -> Option<Side> {
        let mut sides = Side::BOTH.into_iter();
        sides.find(|&side| self.pieces_of(Piece::Prince, side).is_empty())
    }

    /// The empty squares.
    pub fn empty(&self) -> Squares {
        !(self.sides[0] | self.sides[1])
    }

    /// The squares where a Sibling of `side` has company: at least one piece besides the moving Sibling is adjacent.
    #[inline]
    pub(super) fn company(&self, side: Side) -> Squares {
        let own = self.pieces(side);
        let (left, right) = (own.moved(-1), own.moved(1));
        let (one_beside, two_beside) = (left | right, left & right);
        // Of the three squares in the row above and in the row below.
        let (one, two) = (one_beside | own, two_beside | (one_beside & own));
        let (above, below) = (one.moved(DOWN), one.moved(-DOWN));
        two_beside | two.moved(DOWN) | two.moved(-DOWN) | (above & below) | ((above | below) & one_beside)
    }

    /// Calls `visit` with each wave of the pieces of `side` that land on one of `landing`, and the step of these
    /// pieces, until `visit` returns `false`; returns whether it never did. Each step has one wave.
    #[inline]
    fn waves(&self, side: Side, landing: Squares, mut visit: impl FnMut(Squares, i8) -> bool) -> bool {
        let empty = self.empty();
        let of = |piece| self.pieces_of(piece, side);
        let (babies, scouts, princess) = (of(Piece::Baby), of(Piece::Scout), of(Piece::Princess));
        let siblings = of(Piece::Sibling);
        let company = if siblings.is_empty() { Squares::NONE } else { self.company(side) };
        let forward = forward(side);
        let two_straight = princess | of(Piece::Guard);
        let two_diagonal = princess | of(Piece::Tutor);
        let one = of(Piece::Prince);
        let lines = [
            (STRAIGHT, two_straight | one, two_straight),
            (DIAGONAL, two_diagonal | one | of(Piece::Pony), two_diagonal),
        ];
        for (steps, one, two) in lines {
            for step in steps {
                let (mut one, mut two, mut leaping) = (one, two, [Squares::NONE; 2]);
                if step == forward {
                    one |= babies | scouts;
                    two |= babies;
                    leaping = [scouts.moved(2 * step), scouts.moved(3 * step)];
                } else if step == forward - 1 || step == forward + 1 {
                    one |= scouts;
                }
                let first = one.moved(step) | (siblings.moved(step) & company);
                let second = (two.moved(step) & empty).moved(step) | leaping[0];
                let third = ((princess.moved(step) & empty).moved(step) & empty).moved(step) | leaping[1];
                if !(visit(first & landing, step)
                    && visit(second & landing, 2 * step)
                    && visit(third & landing, 3 * step))
                {
                    return false;
                }
            }
        }
        let mut leaps = [2 * forward - 1, 2 * forward + 1, 3 * forward - 1, 3 * forward + 1].into_iter();
        leaps.all(|step| visit(scouts.moved(step) & landing, step))
    }

    /// Whether `side` certainly has a move after any move of the other side, by a quick test.
    ///
    /// Only its capture can take a one-square step from a Prince, and one move cannot take it from two Babies.
    pub fn keeps_a_move(&self, side: Side) -> bool {
        let landing = !self.pieces(side);
        let prince = self.pieces_of(Piece::Prince, side);
        let beside = STRAIGHT.into_iter().chain(DIAGONAL);
        let babies = self.pieces_of(Piece::Baby, side).moved(forward(side));
        (babies & landing).count() >= 2 || beside.into_iter().any(|step| prince.moved(step).meets(landing))
    }

    /// The pieces of `side` that could capture on one of `squares`.
    pub fn attackers(&self, squares: Squares, side: Side) -> Squares {
        let mut found = Squares::NONE;
        self.waves(side, squares, |wave, step| {
            found |= wave.moved(-step);
            true
        });
        found
    }

    /// Calls `visit` with each legal capture.
    pub fn for_each_capture(&self, visit: impl FnMut(Move)) {
        self.for_each_move_to(self.pieces(self.side.other()), visit);
    }

    /// Calls `visit` with each move to one of `targets`.
    #[inline]
    fn for_each_move_to(&self, targets: Squares, mut visit: impl FnMut(Move)) {
        self.waves(self.side, targets, |wave, step| {
            wave.for_each(|to| {
                let from = to.moved(-step);
                visit(Move { from, to });
            });
            true
        });
    }

    /// The squares without a piece of the side to move.
    fn landing(&self) -> Squares {
        !self.pieces(self.side)
    }

    /// The words of the board, for keys.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        self.sides.into_iter().chain(self.kinds).flat_map(Squares::words)
    }

    fn has_move(&self) -> bool {
        !self.waves(self.side, self.landing(), |wave, _| wave.is_empty())
    }
}

/// The step one row forward for `side`.
pub(super) const fn forward(side: Side) -> i8 {
    match side {
        Side::Black => DOWN,
        Side::White => -DOWN,
    }
}

impl Position for Heirs {
    type Rules = ();
    type Move = Move;

    fn start((): ()) -> Self {
        Self::from_rows(&START, Side::White, ())
            .expect("the start is drawn with rows of the right length and its letters")
    }

    /// Pieces may stand anywhere, but each side has at most one Prince, and at least one side has one.
    fn from_rows(rows: &[&[u8]], side: Side, (): ()) -> Result<Self, BoardError> {
        let mut position = Self { side, sides: [Squares::NONE; 2], kinds: [Squares::NONE; 3] };
        DRAWING.read(rows, |row, column, index| {
            let square = Square::new(column, row).expect("a drawing has the size of its board");
            let (side, piece) = Piece::of_letter(index);
            if piece == Piece::Prince && !position.pieces_of(piece, side).is_empty() {
                return Err(format!("a second Prince: `{}`", char::from(piece.letter(side))));
            }
            position.sides[side.index()] |= Squares::of(square);
            for (bit, kind) in position.kinds.iter_mut().enumerate() {
                if piece as u8 >> bit & 1 == 1 {
                    *kind |= Squares::of(square);
                }
            }
            Ok(())
        })?;
        let princes = Side::BOTH.map(|side| position.pieces_of(Piece::Prince, side));
        if princes == [Squares::NONE; 2] {
            return Err(BoardError::of_board("expected a Prince, `P` or `p`, found none"));
        }
        Ok(position)
    }

    fn board(&self) -> String {
        DRAWING.draw(|put| {
            for (square, side, piece) in self.placed() {
                put(square.row(), square.column(), piece.letter(side));
            }
        })
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn with_side_to_move(self, side: Side) -> Self {
        Self { side, ..self }
    }

    fn status(&self) -> Status {
        if let Some(loser) = self.without_prince() {
            return Status::won(loser.other(), BoardWin::Goal(&CAPTURED_PRINCE));
        }
        if self.has_move() { Status::ToMove } else { Status::Over(Ending::Drawn(BoardDraw::NoMoves)) }
    }

    fn for_each_move(&self, visit: impl FnMut(Move)) {
        if self.without_prince().is_none() {
            self.for_each_move_to(self.landing(), visit);
        }
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        let (from, to) = (Squares::of(mv.from), Squares::of(mv.to));
        let both = from | to;
        for kind in &mut self.kinds {
            let arrives = if kind.meets(from) { to } else { Squares::NONE };
            *kind = kind.without(both) | arrives;
        }
        let (own, other) = (self.side.index(), self.side.other().index());
        self.sides[own] = self.sides[own].without(from) | to;
        self.sides[other] = self.sides[other].without(to);
        self.side = self.side.other();
    }

    /// A capture, or the move of a Baby, which never goes back.
    #[inline]
    fn makes_progress(&self, mv: Move) -> bool {
        self.pieces(self.side.other()).contains(mv.to) || self.pieces_of(Piece::Baby, self.side).contains(mv.from)
    }

    fn count_moves(&self) -> u64 {
        if self.without_prince().is_some() {
            return 0;
        }
        let mut count = 0;
        self.waves(self.side, self.landing(), |wave, _| {
            count += u64::from(wave.count());
            true
        });
        count
    }
}
