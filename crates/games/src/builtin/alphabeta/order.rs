//! Move ordering: the better the first move, the more is cut off after it. Only `search` uses it.

/// The best move of an earlier search of the position.
pub(super) const KNOWN_BEST: i32 = i32::MAX;
/// A move that refuted a sibling.
const KILLER: i32 = 1 << 24;
/// The maximum credit of a move for success elsewhere.
const MAX_CREDIT: i32 = 1 << 20;

/// The number of plies with killers; no line is longer.
pub(super) const MAX_PLIES: usize = 160;

/// The successes of moves in this search.
#[derive(Debug)]
pub(super) struct HistoryHeuristic {
    /// Per ply, the slots of the last two moves that caused a cutoff.
    killers: [[usize; 2]; MAX_PLIES],
    /// Per side and history index.
    credit: Vec<i32>,
    slots: usize,
}

/// A history index that no move has.
const NONE: usize = usize::MAX;

impl HistoryHeuristic {
    pub(super) fn new(slots: usize) -> Self {
        Self { killers: [[NONE; 2]; MAX_PLIES], credit: vec![0; 2 * slots], slots }
    }

    /// The score of a side's move (0 or 1) from the history.
    #[inline]
    pub(super) fn score(&self, ply: usize, side: usize, history_index: usize) -> i32 {
        if self.killers[ply].contains(&history_index) {
            return KILLER;
        }
        self.credit[side * self.slots + history_index]
    }

    /// Records that a move caused a cutoff in a search of this depth.
    #[inline]
    pub(super) fn reward(&mut self, ply: usize, side: usize, history_index: usize, depth: i32) {
        let killers = &mut self.killers[ply];
        if killers[0] != history_index {
            *killers = [history_index, killers[0]];
        }
        let credit = &mut self.credit[side * self.slots + history_index];
        *credit += depth * depth;
        if *credit > MAX_CREDIT {
            for credit in &mut self.credit {
                *credit /= 2;
            }
        }
    }
}

/// Moves the highest of `scored` to the front.
#[inline]
pub(super) fn move_best_to_front<T>(scored: &mut [(i32, T)]) {
    let mut best = 0;
    for index in 1..scored.len() {
        if scored[index].0 > scored[best].0 {
            best = index;
        }
    }
    if best > 0 {
        scored.swap(0, best);
    }
}
