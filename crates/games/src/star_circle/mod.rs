//! Star and Circle (handout of Spring 2018): pieces that only move forward, and the search that the assignment asks
//! for. The registry ([`crate`]) lists it.
//!
//! It implements RULES.md section 5 as a game, and computes the exact answers to the assignment's question
//! ([`solve()`]). Texts, and which answers of a student count as equal, are in `texts`.
//!
//! Pieces must stand on dark squares. Only a side's own last row may have stacks. A side must have at most
//! [`StarCircle::MAX_PIECES`] pieces, and moves must never add any.
//!
//! Decisions where the handout is silent:
//!
//! - **The start.** Its picture is lost. A game begins with eight stars on rows `A` and `B` and eight circles on rows
//!   `G` and `H`, and Star moves first: the handout's fifth example has eight pieces per side on two full rows, every
//!   row has four dark squares, and the handout always names Star first.
//! - **The winner.** The assignment asks for one answer and never finishes a game. A side whose last piece is captured
//!   has lost. When neither side can move, the higher evaluation with the handout's standard row values
//!   ([`RowValues::STANDARD`]) wins; equal values are a draw.
//! - **Two passes.** The handout ends a game after two consecutive passes. A pass does not change the board, so that
//!   happens exactly when neither side can move, and [`Position::status`] reports it at once. Only [`solve()`], which
//!   counts passes as nodes, plays them.

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

pub use cases::{CaseKind, ExactCase, case};
pub use moves::Move;
pub use profile::ID;
pub use solve::{Algorithm, SearchDepth, SearchQuestion, SearchQuestionError, Solution, solve};
pub use square::{Square, StarBoard};
pub use texts::{compare_solution, read_question, write_question};
pub use values::RowValues;

use self::moves::{Moves, last_row, reach};
use self::square::SIZE;
use super::{BoardError, BoardWin, Ending, Position, Side, Status};

/// A position of Star and Circle. Star is white and goes up, Circle is black and goes down.
///
/// Its rows are drawn as in `input.txt`: eight cells with commas between them, each `0`, or `S` or `C` with the number
/// of pieces on the square.
///
/// ```
/// use referee_games::star_circle::StarCircle;
/// use referee_games::{Position, Side};
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
    /// The number of pieces on the four dark squares of each side's last row, from the left.
    stacks: [[u8; 4]; 2],
}

/// Pieces that cannot meet an enemy any more and are not yet on their last row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedPieces {
    /// Their number.
    pub pieces: u32,
    /// The sum of the rows that they have to go.
    pub rows: u32,
}

impl StarCircle {
    /// The maximum number of pieces per side: no handout comes near, and every count has at most two digits.
    pub const MAX_PIECES: u32 = 99;

    /// The number of `side`'s pieces on `square`.
    pub const fn count(&self, side: Side, square: Square) -> u32 {
        if self.pieces[side.index()] & square.bit() == 0 {
            0
        } else if last_row(side) & square.bit() != 0 {
            self.stacks[side.index()][stack_of(square)] as u32
        } else {
            1
        }
    }

    /// The number of `side`'s pieces.
    pub fn count_all(&self, side: Side) -> u32 {
        let single = self.pieces[side.index()] & !last_row(side);
        single.count_ones() + self.stacks[side.index()].iter().map(|&count| u32::from(count)).sum::<u32>()
    }

    /// The total value of `side`'s pieces.
    pub fn value(&self, side: Side, values: &RowValues) -> i32 {
        Square::of_bits(self.pieces[side.index()])
            .map(|square| self.count(side, square).cast_signed() * values.value(side, square))
            .sum()
    }

    /// The handout's evaluation for `side`: the value of its pieces minus the other side's.
    pub fn evaluate(&self, side: Side, values: &RowValues) -> i32 {
        self.value(side, values) - self.value(side.other(), values)
    }

    /// The sum of the rows that `side`'s pieces have to go to the last row.
    pub const fn rows_to_go(&self, side: Side) -> u32 {
        rows_to_last(side, self.pieces(side))
    }

    /// The pieces of `side` under way that cannot meet an enemy any more: all enemies have passed them, or cannot reach
    /// them.
    pub const fn clear(&self, side: Side) -> PassedPieces {
        let clear = self.clear_pieces(side);
        PassedPieces { pieces: clear.count_ones(), rows: rows_to_last(side, clear) }
    }

    const fn clear_pieces(&self, side: Side) -> u64 {
        self.pieces(side) & !last_row(side) & !reach(side.other(), self.pieces(side.other()))
    }

    /// The legal captures, in expansion order.
    pub fn jumps(&self) -> impl Iterator<Item = Move> + use<> {
        self.moves_of(self.side).jumps()
    }

    /// Tells whether a legal move is equivalent to an earlier one in the list: moves of pieces that cannot meet an
    /// enemy any more, and are not in the way of an own piece that can, all leave the same situation. They differ only
    /// if such a piece gets in the way of an own one later.
    pub fn repeats(&self) -> impl Fn(Move) -> bool + use<> {
        let free = self.free_pieces(self.side);
        let is_free = move |mv: &Move| free & mv.from.bit() != 0;
        let first = if free == 0 { None } else { self.moves_of(self.side).find(is_free) };
        move |mv| is_free(&mv) && first != Some(mv)
    }

    const fn free_pieces(&self, side: Side) -> u64 {
        let clear = self.clear_pieces(side);
        if clear == 0 {
            return 0;
        }
        // Pieces on the last row are in nobody's way.
        clear & !reach(side, self.pieces(side) & !clear & !last_row(side))
    }

    /// The board in three words: each side's squares, and the stack heights.
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

    /// The moves of `side`, as if it were its turn.
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

    /// The board without pieces.
    const fn empty(side: Side) -> Self {
        Self { side, pieces: [0; 2], stacks: [[0; 4]; 2] }
    }

    /// Adds `count` pieces of `side` on `square`.
    fn put(&mut self, side: Side, square: Square, count: u8) {
        self.pieces[side.index()] |= square.bit();
        if last_row(side) & square.bit() != 0 {
            let stack = &mut self.stacks[side.index()][stack_of(square)];
            *stack = stack.saturating_add(count);
        }
    }

    fn ending(&self) -> Ending {
        // Standard values are positive, so no sum is negative.
        let score = |side| self.value(side, &RowValues::STANDARD).unsigned_abs();
        Ending::by_scores(Side::BOTH.map(|side| score(side).into()))
    }
}

impl Position for StarCircle {
    const PASSES_AFTER_END: bool = true;

    type Rules = ();
    type Move = Move;

    fn start((): ()) -> Self {
        let (circle, star) =
            (["0,C1,0,C1,0,C1,0,C1", "C1,0,C1,0,C1,0,C1,0"], ["0,S1,0,S1,0,S1,0,S1", "S1,0,S1,0,S1,0,S1,0"]);
        let rows = [circle.as_slice(), &["0,0,0,0,0,0,0,0"; 4], &star].concat();
        let rows: Vec<&[u8]> = rows.iter().map(|row| row.as_bytes()).collect();
        Self::from_rows(&rows, Side::White, ()).expect("eight pieces a side stand on dark squares")
    }

    /// Cells as in `input.txt`. A side may have no pieces: then the game is over.
    fn from_rows(rows: &[&[u8]], side: Side, (): ()) -> Result<Self, BoardError> {
        if rows.len() != usize::from(SIZE) {
            let found = rows.len();
            return Err(BoardError::of_board(format!("expected {SIZE} board rows, found {found}")));
        }
        let mut position = Self::empty(side);
        for (row, cells) in rows.iter().enumerate() {
            position.read_row(row, cells)?;
        }
        for (side, name) in [(Side::White, "Star"), (Side::Black, "Circle")] {
            let (most, found) = (Self::MAX_PIECES, position.count_all(side));
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
        // In expansion order, squares come row by row from the top.
        let squares: Vec<String> = (0..SIZE * SIZE).map(|index| cell(Square::numbered(index))).collect();
        squares.chunks(SIZE.into()).map(|row| row.join(",") + "\n").collect()
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn with_side_to_move(self, side: Side) -> Self {
        Self { side, ..self }
    }

    fn status(&self) -> Status {
        let other = self.side.other();
        match (self.is_bare(self.side), self.is_bare(other)) {
            (true, false) => Status::won(other, BoardWin::NoPieces),
            (false, true) => Status::won(self.side, BoardWin::NoPieces),
            _ if !self.moves_of(self.side).is_empty() => Status::ToMove,
            _ if !self.moves_of(other).is_empty() => Status::MustPass,
            _ => Status::Over(self.ending()),
        }
    }

    /// In the handout's expansion order. None if a side has no pieces: the game is over.
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

    /// Always: pieces only move forward.
    fn same_placement(&self, other: &Self) -> bool {
        self.pieces == other.pieces && self.stacks == other.stacks
    }

    fn count_moves(&self) -> u64 {
        if self.is_bare(self.side.other()) { 0 } else { u64::from(self.moves_of(self.side).left()) }
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
        // A fault's column is that of the cell's first letter.
        let mut start = 0;
        for (column, cell) in (0..SIZE).zip(cells.split(|&byte| byte == b',')) {
            self.read_cell(row, column, cell).map_err(|message| BoardError::of_square(row, start, message))?;
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
        let square = u8::try_from(row).ok().and_then(|row| Square::new(column, row));
        let square = square.ok_or_else(|| "there is no such square".to_owned())?;
        if !square.is_dark() {
            return Err(format!("`{square}` is a light square: pieces stand on dark squares only"));
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

/// The index of a dark square among the four of its row.
const fn stack_of(square: Square) -> usize {
    square.column() as usize / 2
}

/// The sum of the rows from all squares of a set to the last row of `side`.
const fn rows_to_last(side: Side, set: u64) -> u32 {
    // A row number has three bits: each bit is counted in all squares at once.
    let from_top = (set & 0xff00_ff00_ff00_ff00).count_ones()
        + 2 * (set & 0xffff_0000_ffff_0000).count_ones()
        + 4 * (set & 0xffff_ffff_0000_0000).count_ones();
    match side {
        Side::White => from_top,
        Side::Black => set.count_ones() * (SIZE as u32 - 1) - from_top,
    }
}
