//! Othello, on the board of Duo-Othello (handout of Spring 2024) and on the classic one. The registry
//! ([`crate`]) lists Duo-Othello.
//!
//! It implements RULES.md section 4. One generator serves both boards; the classic one exists because its perft counts
//! are well known, which verifies the generator. Equal scores are decided by remaining time, in `referee`.
//!
//! No square may have two disks; the cached legal moves of a position must be those of its board and side to move.

mod evaluation;
mod grid;
mod kinds;
mod lines;
mod profile;
mod reasons;
mod search;
mod texts;

pub use grid::{Grid, Grid8, Grid12, Square, Squares};
pub use profile::ID;

use super::diagram::Drawing;
use super::{BoardError, BoardSquare, BoardSquares, Ending, Position, Side, Status};

/// The game of Spring 2024: 12x12, two starting groups, `O` (white) moves first, `X` (black) gets a bonus of one disk.
///
/// ```
/// use referee_games::othello::{DuoOthello, Square};
/// use referee_games::{Position, Side};
///
/// let mut game = DuoOthello::start(());
/// assert_eq!(game.side_to_move(), Side::White);
/// game.play_unchecked(Square::read(b"i8").unwrap());
/// assert_eq!(
///     game.rows(),
///     [
///         "............",
///         "............",
///         "..XO........",
///         "..OX........",
///         "............",
///         "............",
///         "............",
///         "........O...",
///         "........OO..",
///         "........OX..",
///         "............",
///         "............",
///     ]
/// );
/// ```
pub type DuoOthello = Othello<Grid12, 3>;

/// Classic Othello: 8x8, black moves first, no bonus.
///
/// ```
/// use referee_games::{Position, othello::ClassicOthello, perft};
///
/// assert_eq!(perft(&ClassicOthello::start(()), 5), 1396);
/// ```
pub type ClassicOthello = Othello<Grid8, 1>;

/// A position of Othello on one of the boards.
///
/// A move is the square of the new disk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Othello<G: Grid, const WORDS: usize> {
    side: Side,
    own: BoardSquares<G, WORDS>,
    opponent: BoardSquares<G, WORDS>,
    /// The cached legal moves of `side`: every reached position is asked for them, most of them repeatedly.
    legal: BoardSquares<G, WORDS>,
}

impl<G: Grid, const WORDS: usize> Othello<G, WORDS> {
    const DRAWING: Drawing = Drawing::of_squares(G::SIZE, "XO");

    /// The squares with a disk of `side`.
    pub fn disks(&self, side: Side) -> BoardSquares<G, WORDS> {
        if side == self.side { self.own } else { self.opponent }
    }

    /// The squares without a disk.
    pub fn empty(&self) -> BoardSquares<G, WORDS> {
        !(self.own | self.opponent)
    }

    /// The squares on which `side` could play if it were its turn.
    pub fn legal_squares(&self, side: Side) -> BoardSquares<G, WORDS> {
        if side == self.side { self.legal } else { self.opponent.legal_squares(self.own) }
    }

    /// The disks flipped by the side to move on `square`: none if that is illegal.
    pub fn flips(&self, square: BoardSquare<G>) -> BoardSquares<G, WORDS> {
        if self.legal.contains(square) {
            self.own.flipped(BoardSquares::of(square), self.opponent)
        } else {
            BoardSquares::NONE
        }
    }

    /// The disks of `side`, plus black's bonus in Duo-Othello: the score when neither side can move.
    pub fn score(&self, side: Side) -> u32 {
        let bonus = match side {
            Side::Black => G::BLACK_BONUS,
            Side::White => 0,
        };
        self.disks(side).count() + bonus
    }

    #[inline]
    fn with_legal_moves(side: Side, own: BoardSquares<G, WORDS>, opponent: BoardSquares<G, WORDS>) -> Self {
        Self { side, own, opponent, legal: own.legal_squares(opponent) }
    }
}

impl<G: Grid, const WORDS: usize> Position for Othello<G, WORDS> {
    const PASSES_AFTER_END: bool = true;

    type Rules = ();
    type Move = BoardSquare<G>;

    fn start((): ()) -> Self {
        let rows: Vec<&[u8]> = G::START.iter().map(|row| row.as_bytes()).collect();
        Self::from_rows(&rows, G::MOVES_FIRST, ()).expect("the start is drawn with rows of the right length and `.XO`")
    }

    /// Disks may stand anywhere: practice positions need not come from a game.
    fn from_rows(rows: &[&[u8]], side: Side, (): ()) -> Result<Self, BoardError> {
        let disks = BoardSquares::read_sides(&Self::DRAWING, rows)?;
        let [own, opponent] = [side, side.other()].map(|side| disks[side.index()]);
        Ok(Self::with_legal_moves(side, own, opponent))
    }

    fn board(&self) -> String {
        BoardSquares::draw_sides(Side::BOTH.map(|side| self.disks(side)), &Self::DRAWING)
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn with_side_to_move(self, side: Side) -> Self {
        if side == self.side { self } else { Self::with_legal_moves(side, self.opponent, self.own) }
    }

    #[inline]
    fn status(&self) -> Status {
        if !self.legal.is_empty() {
            Status::ToMove
        } else if !self.legal_squares(self.side.other()).is_empty() {
            Status::MustPass
        } else {
            Status::Over(Ending::by_scores(Side::BOTH.map(|side| self.score(side).into())))
        }
    }

    #[inline]
    fn for_each_move(&self, visit: impl FnMut(BoardSquare<G>)) {
        self.legal.for_each(visit);
    }

    #[inline]
    fn play_unchecked(&mut self, mv: BoardSquare<G>) {
        let placed = BoardSquares::of(mv);
        let flipped = self.own.flipped(placed, self.opponent);
        let own = self.own | placed | flipped;
        *self = Self::with_legal_moves(self.side.other(), self.opponent.without(flipped), own);
    }

    /// Always: a placed disk stays on the board.
    fn same_placement(&self, other: &Self) -> bool {
        Side::BOTH.into_iter().all(|side| self.disks(side) == other.disks(side))
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        u64::from(self.legal.count())
    }

    fn is_legal(&self, mv: BoardSquare<G>) -> bool {
        self.legal.contains(mv)
    }
}
