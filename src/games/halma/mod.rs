//! Halma for two on 16x16 (Fall 2019), by either of its two rule sets.
//!
//! For: positions, legal moves, judging a claimed play hop by hop, a shortest play of a move. Deliberately not here:
//! the turn limit and who has more time left ([`crate::referee`]), and how squares and plays are written
//! ([`crate::protocol`]).
//!
//! What must always hold: a move is a pair of squares, since a step and a chain of jumps of one piece never end on the
//! same square: a step changes the parity of the column or of the row, a jump changes neither. What the rules of the
//! camps allow depends on where a play starts and ends alone.
//!
//! | file | what it knows |
//! | --- | --- |
//! | `square` | squares and sets of squares, a 64-bit word for each quarter of the board |
//! | `camp` | the camps, their corners, and what is further from a corner |
//! | `generate` | where pieces can go, and what the rules of the camps leave of it |
//! | `judge` | whether a claimed play is one of those, and if not, why |
//! | `path` | how a piece gets there |

mod camp;
mod evaluation;
mod generate;
mod judge;
mod kinds;
mod path;
mod picking;
mod profile;
mod reasons;
mod search;
mod square;
mod texts;

use self::camp::{CAMP_SIZE, camp};
pub use self::judge::Reason;
use self::reasons::FILLED_CAMP;
pub use self::square::Square;
use self::square::{SIZE, Squares};
use super::diagram::{draw_squares, read_squares};
use super::{BoardError, Ending, Hop, IllegalPlay, Level, Play, Position, Side, Status, Win};
pub use profile::{ID, ORIGINAL};

/// The two rule sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// As the handout was first published: a piece that has reached the opposing camp stays there, and that is all.
    Original,
    /// With the handout's addendum: a) a piece that has left its own camp does not come back, and b) pieces in the own
    /// camp have to leave it, or move away from its corner, before others may move.
    #[default]
    Addendum,
}

/// One play as a whole: where the piece starts and where it ends.
///
/// A chain of jumps may end where it began. Such a move, with `from == to`, leaves the board as it was; it is never
/// listed, but [`Halma::judge`] accepts it, and it may be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it ends.
    pub to: Square,
}

/// A position of Halma.
///
/// ```
/// use referee::games::{Position, Side, Status, halma::{Halma, Rules}, perft};
///
/// let start = Halma::start(Rules::Addendum);
/// assert_eq!(start.rows()[..6], [
///     "BBBBB...........",
///     "BBBBB...........",
///     "BBBB............",
///     "BBB.............",
///     "BB..............",
///     "................",
/// ]);
/// assert_eq!(start.status(), Status::ToMove);
/// assert_eq!(perft(&start, 2), 1600);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Halma {
    pieces: [Squares; 2],
    turn: Side,
    rules: Rules,
    /// Whether the turn came by a pass: only a play of its own wins the game for a side.
    passed: bool,
}

impl Halma {
    /// The squares where the pieces of `side` stand, in the order of [`Square::index`].
    pub fn pieces(&self, side: Side) -> impl Iterator<Item = Square> + Clone {
        self.pieces[side.index()].iter()
    }

    /// The squares that `side` has still to see occupied: those of the opposing camp that are empty.
    pub fn vacancies(&self, side: Side) -> impl Iterator<Item = Square> + Clone {
        (camp(side.other()) & !self.occupied()).iter()
    }

    /// Whose piece stands on `square`, if any.
    pub fn piece_on(&self, square: Square) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.pieces[side.index()].contains(square))
    }

    fn own(&self) -> Squares {
        self.pieces[self.turn.index()]
    }

    fn occupied(&self) -> Squares {
        self.pieces[0] | self.pieces[1]
    }

    /// Whether `side` has filled the opposing camp: all of it is occupied, and not by the opponent alone.
    ///
    /// After a play of its own, `side` has won by it.
    pub fn has_filled(&self, side: Side) -> bool {
        let goal = camp(side.other());
        (goal & !self.occupied()).is_empty() && !(goal & self.pieces[side.index()]).is_empty()
    }
}

impl Position for Halma {
    const PASSES_AFTER_END: bool = true;

    type Rules = Rules;
    type Move = Move;

    /// The start, black to move. The handout draws the side with the first move at random: where white has it, say so
    /// by [`Position::with_side_to_move`].
    fn start(rules: Rules) -> Self {
        Self {
            pieces: Side::BOTH.map(camp),
            turn: Side::Black,
            rules,
            passed: false,
        }
    }

    /// The position that is drawn, as it is after a play of the other side: a camp that the other side has filled is
    /// won.
    ///
    /// The handout's boards have 19 pieces of each colour. A board with fewer, but at least one, is read all the same:
    /// every rule is clear there, and such boards are good exercises.
    fn from_rows(rows: &[&[u8]], side: Side, rules: Rules) -> Result<Self, BoardError> {
        let mut pieces = [Squares::NONE; 2];
        read_squares(rows, SIZE.into(), "BW", |row, column, letter| {
            let side = if letter == b'B' { Side::Black } else { Side::White };
            #[expect(clippy::cast_possible_truncation, reason = "rows and columns are below 16")]
            let square = Square::at(column as u8, row as u8);
            let own = &mut pieces[side.index()];
            *own = own.with(square);
            Ok(())
        })?;
        for (letter, own) in ['B', 'W'].into_iter().zip(pieces) {
            if !(1..=CAMP_SIZE).contains(&own.len()) {
                let found = own.len();
                return Err(BoardError::of_board(format!(
                    "expected 1 to {CAMP_SIZE} pieces `{letter}`, found {found}"
                )));
            }
        }
        Ok(Self {
            pieces,
            turn: side,
            rules,
            passed: false,
        })
    }

    fn board(&self) -> String {
        draw_squares(SIZE.into(), |put| {
            for (side, letter) in [(Side::Black, b'B'), (Side::White, b'W')] {
                for square in self.pieces(side) {
                    put(square.y().into(), square.x().into(), letter);
                }
            }
        })
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn side_to_move(&self) -> Side {
        self.turn
    }

    /// The same board with `side` to move, as it is after a play of the other side.
    fn with_side_to_move(self, side: Side) -> Self {
        Self {
            turn: side,
            passed: false,
            ..self
        }
    }

    fn status(&self) -> Status {
        let other = self.turn.other();
        if !self.passed && self.has_filled(other) {
            return Status::Over(Ending::Won {
                winner: other,
                by: Win::Goal(&FILLED_CAMP),
            });
        }
        if self.can_move() {
            Status::ToMove
        } else if self.clone().with_side_to_move(other).can_move() {
            Status::MustPass
        } else {
            Status::Over(Ending::Level(Level::Blocked))
        }
    }

    /// Calls `visit` with each legal move but those that end where they began.
    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        self.for_each_reach(|from, ends| {
            for to in ends.iter() {
                visit(Move { from, to });
            }
        });
    }

    fn play_unchecked(&mut self, mv: Move) {
        let own = &mut self.pieces[self.turn.index()];
        *own = own.without(mv.from).with(mv.to);
        self.turn = self.turn.other();
        self.passed = false;
    }

    fn pass(&mut self) {
        self.turn = self.turn.other();
        self.passed = true;
    }

    /// Whether the camp rules forbid that `mv` is ever undone: it enters the opposing camp, or, under the addendum, it
    /// starts in the own camp. Nothing in Halma is decided by it: there is no count of idle turns and no draw by
    /// repetition, only the referee's limit of turns.
    fn makes_progress(&self, mv: Move) -> bool {
        let goal = camp(self.turn.other());
        let enters = !goal.contains(mv.from) && goal.contains(mv.to);
        enters || (self.rules == Rules::Addendum && camp(self.turn).contains(mv.from))
    }

    fn same_placement(&self, other: &Self) -> bool {
        self.pieces == other.pieces
    }

    fn count_moves(&self) -> u64 {
        let mut count = 0;
        self.for_each_reach(|_, ends| count += u64::from(ends.len()));
        count
    }
}
