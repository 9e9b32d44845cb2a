//! What was on the board before: the past of the game and the line that is being searched, as far as it can occur
//! again.
//!
//! A won game must not end level because the same position comes for the third time, or because nothing is captured for
//! fifty turns. So a position that occurs again counts as level at once in the search, and so does a line
//! that goes on for too long without progress.

/// Fifty turns without progress end a game of checkers level (RULES.md section 2). Elsewhere nothing is decided by it,
/// and no position is this old.
const IDLE_TURNS: usize = 50;

/// The keys of the positions since the last progress, and of the line below.
#[derive(Clone, Debug)]
pub(super) struct KeyLine {
    keys: Vec<u64>,
    /// For each position on the line, where the positions begin that can occur again; the last one's is at the end.
    beginnings: Vec<usize>,
    /// Idle turns of the game that are older than the keys.
    limit: Option<usize>,
}

impl KeyLine {
    /// A line that begins with a position whose past since the last progress is `past`, the oldest first.
    /// `draws_by_idle_turns` tells whether the game knows such draws.
    pub(super) fn new(past: Vec<u64>, root: u64, draws_by_idle_turns: bool) -> Self {
        let mut keys = past;
        keys.push(root);
        Self {
            keys,
            beginnings: vec![0],
            limit: draws_by_idle_turns.then_some(IDLE_TURNS),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, key: u64, progress: bool) {
        let beginning = if progress {
            self.keys.len()
        } else {
            self.beginnings.last().copied().unwrap_or(0)
        };
        self.beginnings.push(beginning);
        self.keys.push(key);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.beginnings.pop();
        self.keys.pop();
    }

    /// Whether the last position has occurred before, or has gone on for too long.
    #[inline]
    pub(super) fn is_drawn(&self) -> bool {
        let beginning = self.beginnings.last().copied().unwrap_or(0);
        let Some((now, before)) = self.keys[beginning..].split_last() else {
            return false;
        };
        // An even number of turns lies between two positions with the same side to move.
        let repeats = before.len() >= 4 && before.iter().rev().skip(1).step_by(2).any(|key| key == now);
        repeats || self.limit.is_some_and(|limit| before.len() >= limit)
    }
}
