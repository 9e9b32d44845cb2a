//! Halma for two on 16x16 (Fall 2019), with either of its two rule sets. The registry ([`crate`]) lists it.
//!
//! It has positions, legal moves, the judgement of claimed plays, and shortest plays. The turn limit and remaining time
//! belong to `referee`, the notation to [`crate::protocol`].
//!
//! A move is a pair of squares, because a step and a chain of jumps of one piece never end on the same square: a step
//! changes the parity of the column or row, a jump does not. The camp rules must depend only on the start and end of a
//! play.
//!
//! | file | contents |
//! | --- | --- |
//! | `square` | squares and sets of squares, a 64-bit word for each quarter of the board |
//! | `camp` | the camps, their corners, and what is further from a corner |
//! | `generate` | reachable squares, limited by the camp rules |
//! | `judge` | whether a claimed play is legal, and if not, why |
//! | `path` | a shortest way for a piece |

mod camp;
mod evaluation;
mod generate;
mod judge;
mod kinds;
mod path;
mod picking;
mod places;
mod profile;
mod reasons;
mod search;
mod square;
mod texts;

use self::camp::{CAMP_SIZE, camp};
use self::reasons::FILLED_CAMP;
pub use self::square::Square;
use self::square::{SIZE, Squares};
use super::diagram::Drawing;
use super::{BoardDraw, BoardError, BoardWin, Ending, Hop, IllegalPlay, Play, Position, Side, Status};
pub use profile::{ID, ORIGINAL};

const DRAWING: Drawing = Drawing::of_squares(SIZE, "BW");

/// The two rule sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// As first published: a piece that has reached the opposing camp stays there; nothing else.
    Original,
    /// With the handout's addendum: a) a piece that has left its own camp may not return, and b) pieces in the own camp
    /// must leave it, or move away from its corner, before others may move.
    #[default]
    Addendum,
}

/// A whole play: the start and end of a piece.
///
/// A chain of jumps may return to its start. Such a move, with `from == to`, leaves the board unchanged; it is never
/// listed, but [`Halma::judge`] accepts it.
pub type Move = Hop<Square>;

/// A position of Halma.
///
/// ```
/// use referee_games::{Position, Side, Status, halma::{Halma, Rules}, perft};
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
    /// Whether the turn came by a pass: a side wins only by its own play.
    passed: bool,
}

impl Halma {
    /// The squares of `side`'s pieces, in the order of [`Square::index`].
    pub fn pieces(&self, side: Side) -> impl Iterator<Item = Square> + Clone {
        self.pieces[side.index()].iter()
    }

    /// The empty squares of the camp that `side` must fill.
    pub fn empty_goal_squares(&self, side: Side) -> impl Iterator<Item = Square> + Clone {
        (camp(side.other()) & !self.occupied()).iter()
    }

    /// The side of the piece on `square`, if any.
    pub fn piece_on(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.pieces[side.index()].contains(square))
    }

    fn own(&self) -> Squares {
        self.pieces[self.turn.index()]
    }

    fn occupied(&self) -> Squares {
        self.pieces[0] | self.pieces[1]
    }

    /// Whether `side` has filled the opposing camp: all of it is occupied, and not only by the opponent.
    ///
    /// After its own play, `side` has thereby won.
    pub fn has_filled(&self, side: Side) -> bool {
        let goal = camp(side.other());
        (goal & !self.occupied()).is_empty() && !(goal & self.pieces[side.index()]).is_empty()
    }
}

impl Position for Halma {
    const PASSES_AFTER_END: bool = true;

    type Rules = Rules;
    type Move = Move;

    /// The start, with black to move. The handout draws the side of the first turn at random; set white with
    /// [`Position::with_side_to_move`].
    fn start(rules: Rules) -> Self {
        Self { pieces: Side::BOTH.map(camp), turn: Side::Black, rules, passed: false }
    }

    /// The drawn position, as after a play of the other side: if the other side has filled a camp, it has won.
    ///
    /// The handout's boards have 19 pieces of each colour. Boards with fewer, but at least one, are accepted too: the
    /// rules are clear there, and they are good exercises.
    fn from_rows(rows: &[&[u8]], side: Side, rules: Rules) -> Result<Self, BoardError> {
        let mut pieces = [Squares::NONE; 2];
        DRAWING.read(rows, |row, column, side| {
            pieces[side] = pieces[side].with(Square::at(column, row));
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
        Ok(Self { pieces, turn: side, rules, passed: false })
    }

    fn board(&self) -> String {
        DRAWING.draw(|put| {
            for (side, letter) in [(Side::Black, b'B'), (Side::White, b'W')] {
                for square in self.pieces(side) {
                    put(square.y(), square.x(), letter);
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

    /// The same board with `side` to move, as after a play of the other side.
    fn with_side_to_move(self, side: Side) -> Self {
        Self { turn: side, passed: false, ..self }
    }

    fn status(&self) -> Status {
        let other = self.turn.other();
        if !self.passed && self.has_filled(other) {
            return Status::won(other, BoardWin::Goal(&FILLED_CAMP));
        }
        if self.can_move() {
            Status::ToMove
        } else if self.clone().with_side_to_move(other).can_move() {
            Status::MustPass
        } else {
            Status::Over(Ending::Drawn(BoardDraw::Blocked))
        }
    }

    /// Calls `visit` with each legal move except those that return to their start.
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

    /// Whether the camp rules make `mv` irreversible: it enters the opposing camp or, under the addendum, starts in the
    /// own camp. It decides nothing in Halma, which has no idle turns and no draw by repetition, only the referee's
    /// turn limit.
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
