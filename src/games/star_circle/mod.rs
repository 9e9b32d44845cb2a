//! Star and Circle (handout of Spring 2018): pieces that go forward only, and the search that the assignment asks for.
//!
//! For: the rules of RULES.md section 5 as a game of its own, and the exact answers to the assignment's question
//! ([`solve()`]). Deliberately not here: texts, and which answers of a student count as equal
//! ([`crate::protocol`]).
//!
//! What must always hold: pieces stand on dark squares; only a side's own last row has squares with more than one
//! piece; a side has at most [`StarCircle::MOST_PIECES`] pieces, and moves never add to them.
//!
//! Three things that the handout does not say are decided here:
//!
//! - **The start.** Its picture is lost. A game begins with eight stars on rows `A` and `B` and eight circles on rows
//!   `G` and `H`, and Star has the first move: the handout's fifth example has eight pieces a side on two full rows
//!   each, every row has four dark squares, and Star is named first wherever the handout names both.
//! - **Who wins.** The assignment asks for one answer and never plays a game to its end. A side whose last piece is
//!   captured has lost. When neither side can move, the one with the higher evaluation by the handout's usual row
//!   values ([`RowValues::STANDARD`]) has won; equal ones are level.
//! - **Two passes.** The handout ends a game after a pass that answers a pass. A side that must pass leaves the board
//!   as it is, so that is when neither side can move, and [`Position::status`] says so at once. Only
//!   [`solve()`], which counts passes as nodes, plays them.

mod cases;
mod evaluation;
mod judge;
mod memory;
mod moves;
mod plays;
mod profile;
mod reasons;
mod search;
mod solve;
mod square;
mod texts;
mod values;

pub use cases::{Case, CaseKind, case};
pub use judge::Reason;
pub use moves::Move;
pub use profile::ID;
pub use solve::{Algorithm, SearchDepth, SearchQuestion, SearchQuestionError, Solution, solve};
pub use square::Square;
pub use texts::{compare_solution, read_question, write_question};
pub use values::RowValues;

use self::moves::{Moves, last_row, reach};
use self::square::SIZE;
use super::{BoardError, Ending, Level, Position, Side, Status, Win};

/// A position of Star and Circle. Star is white and goes up, Circle is black and goes down.
///
/// Its rows are drawn as in `input.txt`: eight cells with commas between them, each `0`, or `S` or `C` with the number
/// of pieces on the square.
///
/// ```
/// use referee::games::star_circle::StarCircle;
/// use referee::games::{Position, Side};
///
/// let start = StarCircle::start(());
/// assert_eq!(start.side_to_move(), Side::White);
/// assert_eq!(
///     start.rows(),
///     [
///         "0,C1,0,C1,0,C1,0,C1",
///         "C1,0,C1,0,C1,0,C1,0",
///         "0,0,0,0,0,0,0,0",
///         "0,0,0,0,0,0,0,0",
///         "0,0,0,0,0,0,0,0",
///         "0,0,0,0,0,0,0,0",
///         "0,S1,0,S1,0,S1,0,S1",
///         "S1,0,S1,0,S1,0,S1,0",
///     ]
/// );
/// let moves: Vec<String> = start.moves().iter().map(ToString::to_string).collect();
/// assert_eq!(moves.join(" "), "B2-C1 B2-C3 B4-C3 B4-C5 B6-C5 B6-C7 B8-C7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StarCircle {
    side: Side,
    /// The squares with pieces of each side.
    pieces: [u64; 2],
    /// How many pieces stand on the four dark squares of each side's last row, from the left.
    stacks: [[u8; 4]; 2],
}

/// Pieces that have nobody left to meet, and are not yet on their last row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clear {
    /// How many there are.
    pub pieces: u32,
    /// How many rows they have to go together.
    pub rows: u32,
}

impl StarCircle {
    /// The most pieces of one side, on all squares together: no handout comes near, and every count has two digits at
    /// most.
    pub const MOST_PIECES: u32 = 99;

    /// How many pieces of `side` stand on `square`.
    pub const fn count(&self, side: Side, square: Square) -> u32 {
        if self.pieces[side.index()] & square.bit() == 0 {
            0
        } else if last_row(side) & square.bit() != 0 {
            self.stacks[side.index()][stack_of(square)] as u32
        } else {
            1
        }
    }

    /// How many pieces `side` has.
    pub fn count_all(&self, side: Side) -> u32 {
        let single = self.pieces[side.index()] & !last_row(side);
        single.count_ones()
            + self.stacks[side.index()]
                .iter()
                .map(|&count| u32::from(count))
                .sum::<u32>()
    }

    /// What the pieces of `side` are worth together.
    pub fn worth(&self, side: Side, values: &RowValues) -> i32 {
        squares(self.pieces[side.index()])
            .map(|square| self.count(side, square).cast_signed() * values.of(side, square))
            .sum()
    }

    /// The handout's evaluation for `side`: what its pieces are worth, less what the other side's are.
    pub fn evaluate(&self, side: Side, values: &RowValues) -> i32 {
        self.worth(side, values) - self.worth(side.other(), values)
    }

    /// How many rows the pieces of `side` have to go together until all stand on its last row.
    pub const fn rows_to_go(&self, side: Side) -> u32 {
        rows_to_last(side, self.pieces(side))
    }

    /// The pieces of `side` under way that no piece of the other side can meet any more: all of those have got past
    /// them, or have no way to them.
    pub const fn clear(&self, side: Side) -> Clear {
        let clear = self.clear_pieces(side);
        Clear {
            pieces: clear.count_ones(),
            rows: rows_to_last(side, clear),
        }
    }

    const fn clear_pieces(&self, side: Side) -> u64 {
        self.pieces(side) & !last_row(side) & !reach(side.other(), self.pieces(side.other()))
    }

    /// The legal moves that capture a piece, in the expansion order.
    pub fn jumps(&self) -> impl Iterator<Item = Move> + use<> {
        self.moves_of(self.side).jumps()
    }

    /// Tells of a legal move whether one that is listed before it does as much: moves of pieces that can meet no piece
    /// of the other side any more, and stand where no own piece that can will ever want to go, leave the next move to
    /// the other side and everything else as it was. Only that such a piece may get into the way of an own one later
    /// tells them apart.
    pub fn repeats(&self) -> impl Fn(Move) -> bool + use<> {
        let free = self.free_pieces(self.side);
        let is_free = move |mv: &Move| free & mv.from.bit() != 0;
        let first = if free == 0 {
            None
        } else {
            self.moves_of(self.side).find(is_free)
        };
        move |mv| is_free(&mv) && first != Some(mv)
    }

    const fn free_pieces(&self, side: Side) -> u64 {
        let clear = self.clear_pieces(side);
        if clear == 0 {
            return 0;
        }
        // What stands on the last row is in nobody's way.
        clear & !reach(side, self.pieces(side) & !clear & !last_row(side))
    }

    /// The board in three words: the squares of either side, and the heights of the stacks.
    pub const fn words(&self) -> [u64; 3] {
        let [black, white] = self.stacks;
        let stacks = [u32::from_le_bytes(black) as u64, u32::from_le_bytes(white) as u64];
        [self.pieces[0], self.pieces[1], stacks[0] << 32 | stacks[1]]
    }

    /// The squares with pieces of `side`.
    const fn pieces(&self, side: Side) -> u64 {
        self.pieces[side.index()]
    }

    /// Whether `side` has no piece left.
    #[inline]
    const fn is_bare(&self, side: Side) -> bool {
        self.pieces[side.index()] == 0
    }

    /// The moves of `side` if it were its turn.
    #[inline]
    const fn moves_of(&self, side: Side) -> Moves {
        Moves::of(side, self.pieces(side), self.pieces(side.other()))
    }

    const fn goes_up(side: Side) -> bool {
        match side {
            Side::Black => false,
            Side::White => true,
        }
    }

    /// Puts `count` pieces more of `side` on `square`.
    fn put(&mut self, side: Side, square: Square, count: u8) {
        self.pieces[side.index()] |= square.bit();
        if last_row(side) & square.bit() != 0 {
            let stack = &mut self.stacks[side.index()][stack_of(square)];
            *stack = stack.saturating_add(count);
        }
    }

    fn ending(&self) -> Ending {
        // Standard values are positive, so that no sum of them is below zero.
        let score = |side| self.worth(side, &RowValues::STANDARD).unsigned_abs();
        let (black, white) = (score(Side::Black), score(Side::White));
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

impl Position for StarCircle {
    const PASSES_AFTER_END: bool = true;

    type Rules = ();
    type Move = Move;

    fn start((): ()) -> Self {
        let (circle, star) = (
            ["0,C1,0,C1,0,C1,0,C1", "C1,0,C1,0,C1,0,C1,0"],
            ["0,S1,0,S1,0,S1,0,S1", "S1,0,S1,0,S1,0,S1,0"],
        );
        let rows = [circle.as_slice(), &["0,0,0,0,0,0,0,0"; 4], &star].concat();
        let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
        Self::from_rows(&rows, Side::White, ()).expect("eight pieces a side stand on dark squares")
    }

    /// Cells as in `input.txt`. Either side may be without pieces: the game is over then.
    fn from_rows(rows: &[&[u8]], side: Side, (): ()) -> Result<Self, BoardError> {
        if rows.len() != usize::from(SIZE) {
            let found = rows.len();
            return Err(BoardError::of_board(format!(
                "expected {SIZE} board rows, found {found}"
            )));
        }
        let mut position = Self {
            side,
            pieces: [0; 2],
            stacks: [[0; 4]; 2],
        };
        for (row, cells) in rows.iter().enumerate() {
            position.read_row(row, cells)?;
        }
        for (side, name) in [(Side::White, "Star"), (Side::Black, "Circle")] {
            let (most, found) = (Self::MOST_PIECES, position.count_all(side));
            if found > most {
                let message = format!("expected at most {most} pieces of {name}, found {found}");
                return Err(BoardError::of_board(message));
            }
        }
        Ok(position)
    }

    fn board(&self) -> String {
        let cell = |square| match (self.count(Side::White, square), self.count(Side::Black, square)) {
            (0, 0) => "0".to_owned(),
            (0, circles) => format!("C{circles}"),
            (stars, _) => format!("S{stars}"),
        };
        // In the expansion order squares come row by row from the top.
        let squares: Vec<String> = (0..SIZE * SIZE).map(|index| cell(Square::of_index(index))).collect();
        squares.chunks(SIZE.into()).map(|row| row.join(",") + "\n").collect()
    }

    fn rules(&self) {}

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn with_side_to_move(self, side: Side) -> Self {
        Self { side, ..self }
    }

    fn status(&self) -> Status {
        let other = self.side.other();
        let won = |winner| {
            let by = Win::NoPieces;
            Status::Over(Ending::Won { winner, by })
        };
        match (self.is_bare(self.side), self.is_bare(other)) {
            (true, false) => won(other),
            (false, true) => won(self.side),
            _ if !self.moves_of(self.side).is_empty() => Status::ToMove,
            _ if !self.moves_of(other).is_empty() => Status::MustPass,
            _ => Status::Over(self.ending()),
        }
    }

    /// In the handout's expansion order. A side that is alone on the board has none: the game is over.
    fn for_each_move(&self, visit: impl FnMut(Move)) {
        if !self.is_bare(self.side.other()) {
            self.moves_of(self.side).for_each(visit);
        }
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Move) {
        let (side, other) = (self.side, self.side.other());
        self.pieces[side.index()] &= !mv.from.bit();
        if let Some(jumped) = mv.jumped() {
            self.pieces[other.index()] &= !jumped.bit();
        }
        self.put(side, mv.to, 1);
        self.side = other;
    }

    fn pass(&mut self) {
        self.side = self.side.other();
    }

    /// Always: pieces go forward only.
    fn makes_progress(&self, _: Move) -> bool {
        true
    }

    fn same_placement(&self, other: &Self) -> bool {
        self.pieces == other.pieces && self.stacks == other.stacks
    }

    fn count_moves(&self) -> u64 {
        if self.is_bare(self.side.other()) {
            0
        } else {
            u64::from(self.moves_of(self.side).left())
        }
    }
}

/// Reading a drawing.
impl StarCircle {
    fn read_row(&mut self, row: usize, cells: &[u8]) -> Result<(), BoardError> {
        let found = cells.split(|&byte| byte == b',').count();
        if found != usize::from(SIZE) {
            let message = format!("expected {SIZE} squares with commas between them, found {found}");
            return Err(BoardError::of_row(row, message));
        }
        // The column of a fault is that of the cell's first letter in the row.
        let mut start = 0;
        for (column, cell) in (0..SIZE).zip(cells.split(|&byte| byte == b',')) {
            self.read_cell(row, column, cell)
                .map_err(|message| BoardError::of_square(row, start, message))?;
            start += cell.len() + 1;
        }
        Ok(())
    }

    fn read_cell(&mut self, row: usize, column: u8, cell: &[u8]) -> Result<(), String> {
        if cell == b"0" {
            return Ok(());
        }
        let found = || cell.escape_ascii();
        let (side, count) = read_pieces(cell).ok_or_else(|| {
            format!(
                "expected `0`, or `S` or `C` with the number of pieces, such as `S1`, found `{:.20}`",
                found().to_string()
            )
        })?;
        let from_top = u8::try_from(row).map_err(|_| "there is no such row".to_owned())?;
        let square = (SIZE - 1)
            .checked_sub(from_top)
            .and_then(|row| Square::new(row, column));
        let square = square.ok_or_else(|| "there is no such square".to_owned())?;
        if !square.is_dark() {
            return Err(format!(
                "`{square}` is a light square: pieces stand on dark squares only"
            ));
        }
        if count > 1 && last_row(side) & square.bit() == 0 {
            return Err(format!(
                "`{}` on `{square}`: only the last row, `H` for Star and `A` for Circle, has more than one piece on a \
                 square",
                found()
            ));
        }
        self.put(side, square, count);
        Ok(())
    }
}

/// A letter and a number from 1 to 99 without leading zeros.
fn read_pieces(cell: &[u8]) -> Option<(Side, u8)> {
    let (letter, digits) = cell.split_first()?;
    let side = match letter {
        b'C' => Side::Black,
        b'S' => Side::White,
        _ => return None,
    };
    let is_number = matches!(digits, [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9']);
    let count = str::from_utf8(digits).ok().filter(|_| is_number)?.parse().ok()?;
    Some((side, count))
}

/// The place of a dark square among the four of its row.
const fn stack_of(square: Square) -> usize {
    square.column() as usize / 2
}

/// How many rows all squares of a set are away from the last row of `side`, together.
const fn rows_to_last(side: Side, set: u64) -> u32 {
    // A square's row from the top is a number of three bits: each bit is counted in all squares at once.
    let from_top = (set & 0xff00_ff00_ff00_ff00).count_ones()
        + 2 * (set & 0xffff_0000_ffff_0000).count_ones()
        + 4 * (set & 0xffff_ffff_0000_0000).count_ones();
    match side {
        Side::White => from_top,
        Side::Black => set.count_ones() * (SIZE as u32 - 1) - from_top,
    }
}

/// The squares of a set, in the expansion order.
fn squares(set: u64) -> impl Iterator<Item = Square> {
    (0..64)
        .map(Square::of_index)
        .filter(move |square| set & square.bit() != 0)
}
