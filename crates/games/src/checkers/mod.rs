//! American checkers on 8x8 squares, as in the assignment of Spring 2021. The registry ([`crate`]) lists it.
//!
//! It has the board, the legal moves and the judgement of claimed plays. Draws by repetition and by 50 idle turns need
//! the history of a game and belong to the referee.
//!
//! Pieces must stand on dark squares; a side must have at most 12; no man may stand on its crowning row.
//! [`Checkers::judge`] must accept exactly the moves that [`Position::for_each_move`] visits.
//!
//! The board is three sets of 64 squares ([`Square::bit`]). A shift by 7 or 9 over the side of the board ends on a
//! light square, and light squares are in no set of pieces or of empty squares, so edges need no masks.

mod direction;
mod drawing;
mod evaluation;
mod generate;
mod judge;
mod kinds;
mod moves;
mod pdn;
mod profile;
mod reasons;
mod search;
mod square;
mod texts;

pub use moves::Move;
pub use pdn::square_number;
pub use profile::ID;
use square::DARK_SQUARES;
pub use square::{CheckersBoard, Square};

use super::{BoardError, BoardWin, Position, Side, Status};

/// The maximum number of pieces of a side, and of jumps in a chain.
pub const PIECES_EACH: u32 = 12;

/// A board of checkers and the side to move.
///
/// ```
/// use referee_games::checkers::Checkers;
/// use referee_games::{Position, Side};
///
/// let rows: [&[u8]; 8] = [
///     b".b.....b", // 8
///     b"b...b.b.", // 7
///     b".b...b.b", // 6
///     b"..b.w...", // 5
///     b"........", // 4
///     b"w...w...", // 3
///     b".w.w...w", // 2
///     b"w...w.w.", // 1
/// //    abcdefgh
/// ];
/// let position = Checkers::from_rows(&rows, Side::Black, ())?;
/// let moves = position.moves();
/// assert_eq!(moves.len(), 1, "jumps are compulsory, and the chain has to go on to its end");
/// assert_eq!(moves[0].origin().to_string(), "f6");
/// assert_eq!(moves[0].destination().to_string(), "f2");
/// # Ok::<(), referee_games::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Checkers {
    /// The pieces of each side, by [`Side::index`].
    pieces: [u64; 2],
    /// The kings of both sides.
    kings: u64,
    side: Side,
}

impl Checkers {
    /// The squares of `side`'s men, as a sum of [`Square::bit`].
    pub const fn men(&self, side: Side) -> u64 {
        self.pieces[side.index()] & !self.kings
    }

    /// The squares of `side`'s kings, as a sum of [`Square::bit`].
    pub const fn kings(&self, side: Side) -> u64 {
        self.pieces[side.index()] & self.kings
    }

    /// Whether the side to move can capture, and therefore must.
    pub fn must_jump(&self) -> bool {
        self.jumpers() != 0
    }

    const fn own(&self) -> u64 {
        self.pieces[self.side.index()]
    }

    const fn enemy(&self) -> u64 {
        self.pieces[self.side.other().index()]
    }

    const fn empty(&self) -> u64 {
        DARK_SQUARES & !(self.pieces[0] | self.pieces[1])
    }
}

impl Position for Checkers {
    type Rules = ();
    type Move = Move;

    fn start((): ()) -> Self {
        let rows_1_to_3 = 0x00ff_ffff;
        Self { pieces: [DARK_SQUARES & (rows_1_to_3 << 40), DARK_SQUARES & rows_1_to_3], kings: 0, side: Side::Black }
    }

    fn from_rows(rows: &[&[u8]], side: Side, (): ()) -> Result<Self, BoardError> {
        drawing::read(rows, side)
    }

    fn board(&self) -> String {
        drawing::draw(self)
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn with_side_to_move(self, side: Side) -> Self {
        Self { side, ..self }
    }

    #[inline]
    fn status(&self) -> Status {
        if self.can_move() {
            return Status::ToMove;
        }
        let by = if self.own() == 0 { BoardWin::NoPieces } else { BoardWin::NoMoves };
        Status::won(self.side.other(), by)
    }

    #[inline]
    fn for_each_move(&self, visit: impl FnMut(Move)) {
        self.visit_moves(visit);
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        self.number_of_moves()
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        let origin = mv.origin().bit();
        let (landing, captured) = mv.trace();
        let stays_king = if self.kings & origin == 0 { 0 } else { landing };
        let crowned = landing & generate::crowning_row(self.side);
        let (own, enemy) = (self.side.index(), self.side.other().index());
        self.pieces[own] = (self.pieces[own] & !origin) | landing;
        self.pieces[enemy] &= !captured;
        self.kings = (self.kings & !(origin | captured)) | stays_king | crowned;
        self.side = self.side.other();
    }

    fn makes_progress(&self, mv: Move) -> bool {
        let crowns = || {
            let (landing, _) = mv.trace();
            self.kings & mv.origin().bit() == 0 && landing & generate::crowning_row(self.side) != 0
        };
        mv.is_jump() || crowns()
    }

    fn same_placement(&self, other: &Self) -> bool {
        self.pieces == other.pieces && self.kings == other.kings
    }
}
