//! Positions and legal moves of Little-Go. The adapter and the agents call it; it knows no clock.
//!
//! No point may have stones of both sides, and every group must have a liberty. A parsed position must have had at
//! least as many turns as its stones need, and fewer than end the game: `input.txt` does not contain the turn.

use std::fmt;

use super::points::{GoBoard, Point, PointSet};
use crate::diagram::Drawing;
use crate::{BoardError, Ending, Position, Score, Side, SquareBoard, Status};

/// A pass, as written.
pub(super) const PASS: &str = "PASS";

/// The number of turns that ends the game, including passes.
pub const LAST_TURN: u32 = 24;

/// The komi of each side in half points: 2.5 points for White.
const KOMI_HALVES: [u32; 2] = [0, 5];

const NO_STONES: [PointSet; 2] = [PointSet::NONE; 2];

/// `0` for an empty point, `1` for black and `2` for white.
const DRAWING: Drawing = Drawing::of_points(GoBoard::SIZE, "12", "`0`, `1` or `2`");

/// A turn of a side, displayed as in `output.txt`: `2,3` or `PASS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A stone on a point.
    Place(Point),
    /// No stone.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Place(point) => point.fmt(f),
            Self::Pass => f.write_str(PASS),
        }
    }
}

/// Why a point cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A stone of this side is there.
    Occupied(Side),
    /// The stone and its group would have no liberty.
    Suicide,
    /// The board would repeat the one before the opponent's last move.
    Ko,
}

/// A position of Little-Go.
///
/// ```
/// use referee_games::little_go::LittleGo;
/// use referee_games::{Position, perft};
///
/// assert_eq!(perft(&LittleGo::start(()), 3), 15_650);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LittleGo {
    side: Side,
    stones: [PointSet; 2],
    /// The stones before the last turn, which may not be restored.
    previous: [PointSet; 2],
    /// The number of turns.
    turns: u32,
    /// The number of last turns that were passes; two end the game.
    passes: u32,
}

impl LittleGo {
    /// The same board, at the last turn of the side to move, if the count of turns would have ended the game.
    fn before_the_last_turn(self) -> Self {
        let turns = self.turns.min(LAST_TURN - 2 + second(self.side));
        Self { turns, ..self }
    }

    /// The same position after `own` earlier turns of its side, unless that is too few for the stones: agents know it,
    /// but `input.txt` does not contain it.
    #[must_use]
    pub fn at_own_turn(self, own: u32) -> Self {
        let turns = own.saturating_mul(2).saturating_add(second(self.side));
        let turns = turns.max(self.turns);
        Self { turns, ..self }.before_the_last_turn()
    }

    /// The stones of `side`.
    pub const fn stones(&self, side: Side) -> PointSet {
        self.stones[side.index()]
    }

    /// The points without a stone.
    pub fn empty(&self) -> PointSet {
        !(self.stones[0] | self.stones[1])
    }

    /// The board before the last turn, drawn as by [`Position::board`].
    pub fn previous_board(&self) -> String {
        PointSet::draw_sides(self.previous, &DRAWING)
    }

    /// The number of turns; a lower bound for a parsed position.
    pub const fn turns(&self) -> u32 {
        self.turns
    }

    /// Whether the last turn was a pass: another one ends the game.
    pub const fn follows_a_pass(&self) -> bool {
        self.passes > 0
    }

    /// The stones of `side`, plus White's komi.
    pub fn score(&self, side: Side) -> Score {
        Score::from_halves(2 * self.stones(side).count() + KOMI_HALVES[side.index()])
    }

    /// The enemy stones captured by a stone of the side to move on the empty `point`.
    #[inline]
    pub fn captures(&self, point: Point) -> PointSet {
        let (placed, enemy) = (PointSet::of(point), self.stones(self.side.other()));
        let mut touched = placed.beside() & enemy;
        let (mut captured, empty) = (PointSet::NONE, self.empty());
        while let Some(first) = touched.first() {
            let group = PointSet::of(first).flood_fill(enemy);
            touched = touched.without(group);
            if group.beside() & empty == placed {
                captured |= group;
            }
        }
        captured
    }

    /// The most stones that a placement captures.
    pub(super) fn most_captured(&self) -> u32 {
        let captured = self.placements().iter().map(|point| self.captures(point).count());
        captured.max().unwrap_or(0)
    }

    /// The point forbidden by ko, if any.
    pub fn ko(&self) -> Option<Point> {
        // The board can only be restored by recapturing a single stone that was just captured.
        let taken = self.previous[self.side.index()] & self.empty();
        let point = taken.first().filter(|_| taken.count() == 1)?;
        (self.why_not(point) == Some(Reason::Ko)).then_some(point)
    }

    /// Why the side to move may not play `point`; `None` if it may.
    ///
    /// ```text
    /// . 1 2 . .      The stone on 1,1 has just captured one on 1,2. To put a stone on 1,2 again would capture
    /// 1 2 . 2 .      it in turn and restore the board: that is ko. After any other move it is allowed.
    /// . 1 2 . .
    /// ```
    pub fn why_not(&self, point: Point) -> Option<Reason> {
        let side = self.side;
        let placed = PointSet::of(point);
        if let Some(by) = Side::BOTH.into_iter().find(|&by| self.stones(by).meets(placed)) {
            return Some(Reason::Occupied(by));
        }
        if placed.beside().meets(self.empty()) {
            return None;
        }
        let captured = self.captures(point);
        if captured.is_empty() {
            let group = placed.flood_fill(self.stones(side) | placed);
            let has_liberty = group.beside().meets(self.empty().without(placed));
            return (!has_liberty).then_some(Reason::Suicide);
        }
        (self.stones_after(point, captured) == self.previous).then_some(Reason::Ko)
    }

    /// The stones after a stone of the side to move on `point` that captures `captured`.
    fn stones_after(&self, point: Point, captured: PointSet) -> [PointSet; 2] {
        let (mut stones, own, other) = (self.stones, self.side.index(), self.side.other().index());
        stones[own] |= PointSet::of(point);
        stones[other] = stones[other].without(captured);
        stones
    }

    /// The points that the side to move may play.
    #[inline]
    pub fn placements(&self) -> PointSet {
        if self.is_over() {
            return PointSet::NONE;
        }
        let empty = self.empty();
        let free = empty & empty.beside();
        let mut legal = free;
        empty.without(free).for_each(|point| {
            if self.why_not(point).is_none() {
                legal |= PointSet::of(point);
            }
        });
        legal
    }

    pub(super) const fn is_over(&self) -> bool {
        self.passes >= 2 || self.turns >= LAST_TURN
    }
}

impl Position for LittleGo {
    type Rules = ();
    type Move = Move;

    fn start((): ()) -> Self {
        Self { side: Side::Black, stones: NO_STONES, previous: NO_STONES, turns: 0, passes: 0 }
    }

    /// Accepts the board before the last turn, the current board, and the numbers of turns and final passes; or no
    /// numbers, as in `input.txt`; or only the current board, assuming no stones before it. Stones may stand anywhere
    /// if their group has a liberty.
    ///
    /// Without numbers, two equal boards mean that the opponent passed, except two empty ones with Black to move, which
    /// are the start. The turn is the earliest that allows this many stones.
    fn from_rows(given: &[&[u8]], side: Side, (): ()) -> Result<Self, BoardError> {
        const HEIGHT: usize = GoBoard::SIZE as usize;
        let (boards, numbers) = given.split_at(if given.len() == 2 * HEIGHT + 1 { 2 * HEIGHT } else { given.len() });
        let (before, now) = boards.split_at(if boards.len() > HEIGHT { HEIGHT } else { 0 });
        let previous = if before.is_empty() { Ok(NO_STONES) } else { read_stones(before) }?;
        let stones =
            read_stones(now).map_err(|fault| BoardError { row: fault.row.map(|row| row + before.len()), ..fault })?;
        let is_start = side == Side::Black && [previous, stones] == [NO_STONES; 2];
        let turns = earliest(stones, side).max(earliest(previous, side.other()) + 1);
        let position = Self {
            side,
            stones,
            previous,
            turns: if is_start { 0 } else { turns },
            passes: u32::from(previous == stones && !is_start),
        };
        let [numbers] = numbers else {
            return Ok(position.before_the_last_turn());
        };
        let (turns, passes) = read_numbers(numbers).ok_or_else(|| {
            let expected = format!("expected the numbers of turns, at most {LAST_TURN}, and of passes at their end");
            BoardError::of_row(2 * HEIGHT, format!("{expected}, at most 2, such as `7 0`"))
        })?;
        Ok(Self { turns, passes, ..position })
    }

    fn setup(&self) -> Vec<String> {
        let boards = self.previous_board() + &self.board();
        let text = format!("{boards}{} {}", self.turns, self.passes);
        text.lines().map(str::to_owned).collect()
    }

    fn board(&self) -> String {
        PointSet::draw_sides(self.stones, &DRAWING)
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn with_side_to_move(self, side: Side) -> Self {
        Self { side, ..self }
    }

    fn status(&self) -> Status {
        if !self.is_over() {
            return Status::ToMove;
        }
        Status::Over(Ending::by_scores(Side::BOTH.map(|side| self.score(side))))
    }

    fn for_each_move(&self, mut visit: impl FnMut(Move)) {
        if self.is_over() {
            return;
        }
        self.placements().for_each(|point| visit(Move::Place(point)));
        visit(Move::Pass);
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        let before = self.stones;
        match mv {
            Move::Place(point) => {
                self.stones = self.stones_after(point, self.captures(point));
                self.passes = 0;
            }
            Move::Pass => self.passes += 1,
        }
        self.previous = before;
        self.turns += 1;
        self.side = self.side.other();
    }

    fn same_placement(&self, other: &Self) -> bool {
        self.stones == other.stones
    }

    fn count_moves(&self) -> u64 {
        u64::from(self.placements().count()) + u64::from(!self.is_over())
    }
}

/// `7 0`: seven turns, the last of them no pass.
fn read_numbers(row: &[u8]) -> Option<(u32, u32)> {
    let (turns, passes) = str::from_utf8(row).ok()?.split_once(' ')?;
    let (turns, passes): (u32, u32) = (turns.parse().ok()?, passes.parse().ok()?);
    (turns <= LAST_TURN && passes <= turns.min(2)).then_some((turns, passes))
}

/// The minimum number of turns after which `side` is to move with these stones.
fn earliest([black, white]: [PointSet; 2], side: Side) -> u32 {
    2 * black.count().max(white.count() + second(side)) - second(side)
}

/// How many turns more than twice its own precede a turn of `side`: 1 for White, who moves second.
fn second(side: Side) -> u32 {
    u32::from(side == Side::White)
}

fn read_stones(rows: &[&[u8]]) -> Result<[PointSet; 2], BoardError> {
    let stones = PointSet::read_sides(&DRAWING, rows)?;
    let empty = !(stones[0] | stones[1]);
    let captured = stones.into_iter().flat_map(PointSet::groups).find(|group| !group.beside().meets(empty));
    let Some(point) = captured.and_then(PointSet::first) else {
        return Ok(stones);
    };
    let message = format!("the group of `{point}` has no liberty: it is captured");
    let (row, column) = (point.row().into(), point.column().into());
    Err(BoardError::of_square(row, column, message))
}
