//! In which order moves are searched: the better the first, the more is cut off behind it.

/// The move that was best when the position was searched before.
pub(super) const KNOWN_BEST: i32 = i32::MAX;
/// A move that refuted a sibling.
const KILLER: i32 = 1 << 24;
/// What moves were good for elsewhere never counts more than this.
const MOST_CREDIT: i32 = 1 << 20;

/// Plies from the root for which killers are kept; no line is searched further.
pub(super) const MOST_PLIES: usize = 160;

/// What moves have been good for so far in this search.
#[derive(Debug)]
pub(super) struct Experience {
    /// Per ply, the slots of the last two moves that were too good for the opponent to allow.
    killers: [[usize; 2]; MOST_PLIES],
    /// Per side and slot.
    credit: Vec<i32>,
    slots: usize,
}

/// No move has this slot.
const NONE: usize = usize::MAX;

impl Experience {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            killers: [[NONE; 2]; MOST_PLIES],
            credit: vec![0; 2 * slots],
            slots,
        }
    }

    /// What experience says of a move of a side (0 or 1).
    #[inline]
    pub(super) fn of(&self, ply: usize, side: usize, slot: usize) -> i32 {
        if self.killers[ply].contains(&slot) {
            return KILLER;
        }
        self.credit[side * self.slots + slot]
    }

    /// Learns that a move was too good, after a search of so many plies.
    #[inline]
    pub(super) fn reward(&mut self, ply: usize, side: usize, slot: usize, depth: i32) {
        let killers = &mut self.killers[ply];
        if killers[0] != slot {
            *killers = [slot, killers[0]];
        }
        let credit = &mut self.credit[side * self.slots + slot];
        *credit += depth * depth;
        if *credit > MOST_CREDIT {
            for credit in &mut self.credit {
                *credit /= 2;
            }
        }
    }
}

/// Brings the highest of `scored` to the front.
#[inline]
pub(super) fn bring_best_forward<T>(scored: &mut [(i32, T)]) {
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
