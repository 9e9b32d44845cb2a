//! An independent, plain implementation of Star and Circle: a table of cells, walks over all squares, and a textbook
//! search in two functions.

use referee_games::star_circle::{Algorithm, SearchQuestion, StarCircle};
use referee_games::{Position, Side};

/// What stands on a square: whose pieces, and how many.
type Cell = Option<(Side, u32)>;

/// A square by row, 0 for `A`, and column.
type Place = (usize, usize);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Twin {
    /// By row from `A`, then column.
    cells: Vec<Vec<Cell>>,
    pub(crate) side: Side,
}

impl Twin {
    pub(crate) fn of(position: &StarCircle) -> Self {
        let cell = |text: &str| match text.split_at(1) {
            ("S", count) => Some((Side::White, count.parse().unwrap())),
            ("C", count) => Some((Side::Black, count.parse().unwrap())),
            _ => None,
        };
        let rows = position.rows();
        Self {
            cells: rows.iter().rev().map(|row| row.split(',').map(cell).collect()).collect(),
            side: position.side_to_move(),
        }
    }

    fn at(&self, row: isize, column: isize) -> Option<(Place, Cell)> {
        let place = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        let cell = self.cells.get(place.0)?.get(place.1)?;
        Some((place, *cell))
    }

    fn is_own(&self, cell: Cell) -> bool {
        cell.is_some_and(|(side, _)| side == self.side)
    }

    /// Where the piece on a square can go.
    fn targets(&self, (row, column): Place) -> Vec<Place> {
        let (up, last_row) = if self.side == Side::White { (1, 7) } else { (-1, 0) };
        if row == last_row || !self.is_own(self.cells[row][column]) {
            return Vec::new();
        }
        let (row, column) = (row.cast_signed(), column.cast_signed());
        let free = |(place, cell): (Place, Cell)| cell.is_none() || (self.is_own(cell) && place.0 == last_row);
        let mut targets = Vec::new();
        for right in [-1, 1] {
            let near = self.at(row + up, column + right);
            let far = self.at(row + 2 * up, column + 2 * right);
            if let Some(near) = near.filter(|&near| free(near)) {
                targets.push(near.0);
            }
            let is_enemy = near.is_some_and(|(_, cell)| cell.is_some() && !self.is_own(cell));
            if let Some(far) = far.filter(|&far| is_enemy && free(far)) {
                targets.push(far.0);
            }
        }
        // Expansion order: upper rows first, in a row from the left.
        targets.sort_by_key(|&(row, column)| (7 - row, column));
        targets
    }

    pub(crate) fn moves(&self) -> Vec<(Place, Place)> {
        let mut moves = Vec::new();
        for row in (0..8).rev() {
            for column in 0..8 {
                moves.extend(self.targets((row, column)).into_iter().map(|to| ((row, column), to)));
            }
        }
        moves
    }

    pub(crate) fn play(&self, from: Place, to: Place) -> Self {
        let mut next = self.passed();
        if from.0.abs_diff(to.0) == 2 {
            next.cells[usize::midpoint(from.0, to.0)][usize::midpoint(from.1, to.1)] = None;
        }
        next.cells[from.0][from.1] = None;
        let before = next.cells[to.0][to.1].map_or(0, |(_, count)| count);
        next.cells[to.0][to.1] = Some((self.side, before + 1));
        next
    }

    pub(crate) fn passed(&self) -> Self {
        Self { side: self.side.other(), ..self.clone() }
    }

    pub(crate) fn has_pieces(&self, side: Side) -> bool {
        self.cells.iter().flatten().flatten().any(|&(owner, _)| owner == side)
    }

    pub(crate) fn evaluate(&self, side: Side, values: &[i32; 8]) -> i32 {
        let mut sum = 0;
        for (row, cells) in self.cells.iter().enumerate() {
            for &(owner, count) in cells.iter().flatten() {
                let value = if owner == Side::White { values[row] } else { values[7 - row] };
                let worth = value * i32::try_from(count).unwrap();
                sum += if owner == side { worth } else { -worth };
            }
        }
        sum
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if !Side::BOTH.into_iter().all(|side| self.has_pieces(side)) {
            return u64::from(!Side::BOTH.into_iter().any(|side| self.has_pieces(side)));
        }
        let moves = self.moves();
        if moves.is_empty() {
            // Where neither side can move, both pass for ever, which is one sequence.
            return self.passed().perft(depth - 1);
        }
        moves.into_iter().map(|(from, to)| self.play(from, to).perft(depth - 1)).sum()
    }
}

/// `C5` for (2, 4).
fn name((row, column): Place) -> String {
    format!("{}{}", char::from(b'A' + u8::try_from(row).unwrap()), column + 1)
}

/// A move as it is written.
pub(crate) fn written((from, to): (Place, Place)) -> String {
    format!("{}-{}", name(from), name(to))
}

/// The four lines by the textbook.
pub(crate) fn solve(question: &SearchQuestion) -> String {
    let root = Twin::of(question.position());
    let mut search = Search {
        player: root.side,
        values: question.values().values(),
        prunes: question.algorithm() == Algorithm::AlphaBeta,
        nodes: 1,
    };
    let depth = question.depth().plies();
    let mut best: Option<(String, i32, i32)> = None;
    for (mv, next, passes) in children(&root, 0) {
        let alpha = best.as_ref().map_or(i32::MIN, |best| best.2);
        let value = search.value(&next, depth - 1, passes, alpha, i32::MAX);
        if best.as_ref().is_none_or(|best| value > best.2) {
            best = Some((mv, next.evaluate(search.player, &search.values), value));
        }
    }
    let (mv, myopic, farsighted) = best.unwrap();
    format!("{mv}\n{myopic}\n{farsighted}\n{}", search.nodes)
}

/// What follows a state: each move or the pass, the state after it, and how many passes there were in a row then.
fn children(state: &Twin, passes: u32) -> Vec<(String, Twin, u32)> {
    let moves = state.moves();
    if moves.is_empty() {
        return vec![("pass".to_owned(), state.passed(), passes + 1)];
    }
    let play = |mv: (Place, Place)| (written(mv), state.play(mv.0, mv.1), 0);
    moves.into_iter().map(play).collect()
}

struct Search {
    player: Side,
    values: [i32; 8],
    prunes: bool,
    nodes: u64,
}

impl Search {
    /// The value of a state for the player, who is the maximizer.
    fn value(&mut self, state: &Twin, depth: u8, passes: u32, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        let one_side_alone = Side::BOTH.into_iter().any(|side| !state.has_pieces(side));
        if depth == 0 || passes == 2 || one_side_alone {
            return state.evaluate(self.player, &self.values);
        }
        let is_max = state.side == self.player;
        let mut best = if is_max { i32::MIN } else { i32::MAX };
        for (_, next, passes) in children(state, passes) {
            let value = self.value(&next, depth - 1, passes, alpha, beta);
            if is_max {
                best = best.max(value);
                if self.prunes && best >= beta {
                    return best;
                }
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                if self.prunes && best <= alpha {
                    return best;
                }
                beta = beta.min(best);
            }
        }
        best
    }
}
