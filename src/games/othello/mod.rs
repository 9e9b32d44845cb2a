//! Othello, on the board of Duo-Othello (handout of Spring 2024) and on the classic one. The registry
//! ([`crate::games`]) lists Duo-Othello.
//!
//! It implements RULES.md section 4. One generator serves both boards; the classic one exists because its perft counts
//! are well known, which verifies the generator. Equal scores are decided by remaining time, in [`crate::referee`].
//!
//! No square may have two disks; the cached legal moves of a position must be those of its board and side to move.

mod evaluation;
mod grid;
mod kinds;
mod lines;
mod profile;
mod reasons;
mod search;
mod square;
mod squares;
mod texts;

pub use grid::{Grid, Grid8, Grid12};
pub use profile::ID;
pub use square::Square;
pub use squares::{Layout, SquareSet, Squares, Squares8, Squares12};

use super::diagram::{draw_squares, read_squares};
use super::{BoardError, Ending, Level, Position, Side, Status, Win};

/// The game of Spring 2024: 12x12, two starting groups, `O` (white) moves first, `X` (black) gets a bonus of one disk.
///
/// ```
/// use referee::games::othello::{DuoOthello, Square};
/// use referee::games::{Position, Side};
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
pub type DuoOthello = Othello<Grid12>;

/// Classic Othello: 8x8, black moves first, no bonus.
///
/// ```
/// use referee::games::{Position, othello::ClassicOthello, perft};
///
/// assert_eq!(perft(&ClassicOthello::start(()), 5), 1396);
/// ```
pub type ClassicOthello = Othello<Grid8>;

/// A position of Othello on one of the boards.
///
/// A move is the square of the new disk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Othello<G: Grid> {
    side: Side,
    own: G::Squares,
    opponent: G::Squares,
    /// The cached legal moves of `side`: every reached position is asked for them, most of them repeatedly.
    legal: G::Squares,
}

impl<G: Grid> Othello<G> {
    /// The squares with a disk of `side`.
    pub fn disks(&self, side: Side) -> G::Squares {
        if side == self.side { self.own } else { self.opponent }
    }

    /// The squares without a disk.
    pub fn empty(&self) -> G::Squares {
        G::Squares::BOARD.without(self.own | self.opponent)
    }

    /// The squares on which `side` could play if it were its turn.
    pub fn legal_squares(&self, side: Side) -> G::Squares {
        if side == self.side {
            self.legal
        } else {
            lines::legal_squares(self.opponent, self.own)
        }
    }

    /// The disks flipped by the side to move on `square`: none if that is illegal.
    pub fn flips(&self, square: Square) -> G::Squares {
        if self.legal.contains(square) {
            lines::flipped(G::Squares::of(square), self.own, self.opponent)
        } else {
            G::Squares::EMPTY
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

    fn with_legal_moves(side: Side, own: G::Squares, opponent: G::Squares) -> Self {
        Self {
            side,
            own,
            opponent,
            legal: lines::legal_squares(own, opponent),
        }
    }

    fn ending(&self) -> Ending {
        let (black, white) = (self.score(Side::Black), self.score(Side::White));
        if black == white {
            return Ending::Level(Level::EqualScores { each: black.into() });
        }
        Ending::Won {
            winner: if black > white { Side::Black } else { Side::White },
            by: Win::HigherScore {
                winner: black.max(white).into(),
                loser: black.min(white).into(),
            },
        }
    }
}

impl<G: Grid> Position for Othello<G> {
    const PASSES_AFTER_END: bool = true;

    type Rules = ();
    type Move = Square;

    fn start((): ()) -> Self {
        let rows: Vec<&[u8]> = G::START.iter().map(|row| row.as_bytes()).collect();
        Self::from_rows(&rows, G::MOVES_FIRST, ()).expect("the start is drawn with rows of the right length and `.XO`")
    }

    /// Disks may stand anywhere: practice positions need not come from a game.
    fn from_rows(rows: &[&[u8]], side: Side, (): ()) -> Result<Self, BoardError> {
        let (mut black, mut white) = (G::Squares::EMPTY, G::Squares::EMPTY);
        read_squares(rows, usize::from(G::Squares::SIZE), "XO", |row, column, letter| {
            let disks = if letter == b'X' { &mut black } else { &mut white };
            if let Some(square) = square_at(column, row) {
                *disks |= G::Squares::of(square);
            }
            Ok(())
        })?;
        Ok(match side {
            Side::Black => Self::with_legal_moves(side, black, white),
            Side::White => Self::with_legal_moves(side, white, black),
        })
    }

    fn board(&self) -> String {
        draw_squares(G::Squares::SIZE.into(), |put| {
            for (side, letter) in [(Side::Black, b'X'), (Side::White, b'O')] {
                self.disks(side)
                    .for_each(|square| put(square.row().into(), square.column().into(), letter));
            }
        })
    }

    fn rules(&self) {}

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn with_side_to_move(self, side: Side) -> Self {
        if side == self.side {
            self
        } else {
            Self::with_legal_moves(side, self.opponent, self.own)
        }
    }

    fn status(&self) -> Status {
        if !self.legal.is_empty() {
            Status::ToMove
        } else if !self.legal_squares(self.side.other()).is_empty() {
            Status::MustPass
        } else {
            Status::Over(self.ending())
        }
    }

    fn for_each_move(&self, visit: impl FnMut(Square)) {
        self.legal.for_each(visit);
    }

    fn play_unchecked(&mut self, mv: Square) {
        let placed = G::Squares::of(mv);
        let flipped = lines::flipped(placed, self.own, self.opponent);
        let own = self.own | placed | flipped;
        *self = Self::with_legal_moves(self.side.other(), self.opponent.without(flipped), own);
    }

    fn pass(&mut self) {
        *self = Self::with_legal_moves(self.side.other(), self.opponent, self.own);
    }

    /// Always: a placed disk stays on the board.
    fn makes_progress(&self, _: Square) -> bool {
        true
    }

    fn same_placement(&self, other: &Self) -> bool {
        Side::BOTH.into_iter().all(|side| self.disks(side) == other.disks(side))
    }

    fn count_moves(&self) -> u64 {
        u64::from(self.legal.count())
    }

    fn is_legal(&self, mv: Square) -> bool {
        self.legal.contains(mv)
    }
}

fn square_at(column: usize, row: usize) -> Option<Square> {
    Square::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?)
}
