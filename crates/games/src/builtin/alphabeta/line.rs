//! The positions that can recur: those of the game so far, and of the line being searched.
//!
//! A won game must not be drawn because a position occurs for the third time, or because fifty turns pass without a
//! capture. So the search counts a recurring position as drawn at once, and a line without progress for too long too.
//! Only `search` uses it.

/// A game of checkers is drawn after fifty turns without progress (RULES.md section 2). In other games this decides
/// nothing, and no position gets this old.
const IDLE_TURNS: usize = 50;

/// The keys of the positions since the last progress, then of the line.
#[derive(Clone, Debug)]
pub(super) struct KeyLine {
    keys: Vec<u64>,
    /// For each position on the line, the index of the first position that can recur; that of the last position is at
    /// the end.
    beginnings: Vec<usize>,
    /// Idle turns of the game that are older than the keys.
    limit: Option<usize>,
}

impl KeyLine {
    /// A line from a root whose earlier positions since the last progress are `past`, oldest first.
    /// `draws_by_idle_turns`: whether the game has such draws.
    pub(super) fn new(past: Vec<u64>, root: u64, draws_by_idle_turns: bool) -> Self {
        let mut keys = past;
        keys.push(root);
        Self { keys, beginnings: vec![0], limit: draws_by_idle_turns.then_some(IDLE_TURNS) }
    }

    #[inline]
    pub(super) fn push(&mut self, key: u64, progress: bool) {
        let beginning = if progress { self.keys.len() } else { self.beginnings.last().copied().unwrap_or(0) };
        self.beginnings.push(beginning);
        self.keys.push(key);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.beginnings.pop();
        self.keys.pop();
    }

    /// Whether the last position is a repetition or too many turns passed without progress.
    #[inline]
    pub(super) fn is_drawn(&self) -> bool {
        let beginning = self.beginnings.last().copied().unwrap_or(0);
        let Some((now, before)) = self.keys[beginning..].split_last() else {
            return false;
        };
        // Between two positions with the same side to move lies an even number of turns.
        let repeats = before.len() >= 4 && before.iter().rev().skip(1).step_by(2).any(|key| key == now);
        repeats || self.limit.is_some_and(|limit| before.len() >= limit)
    }
}
