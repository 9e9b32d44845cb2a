//! Remembers fully searched positions with their node counts. Only [`super::solve()`] uses it.
//!
//! Plain minimax must count every node of its tree, which contains the same position at the same depth many times,
//! because moves of different pieces commute. The value and node count of such a position are the same each time, so
//! they are remembered and added, and the count stays exact.
//!
//! An entry must only be used for exactly the same position and number of plies. Forgetting is harmless, so newer
//! positions replace older ones.

use super::StarCircle;
use crate::builtin::mixed;

/// A remembered position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CachedPosition {
    /// Its value to the side to move.
    pub(super) value: i32,
    /// The number of nodes of its tree, without itself.
    pub(super) nodes: u64,
}

#[derive(Clone, Debug)]
struct MemorySlot {
    position: StarCircle,
    plies: u8,
    known: CachedPosition,
}

/// A table of fixed size, allocated once per search.
#[derive(Debug)]
pub(super) struct ValueMemory {
    slots: Vec<Option<MemorySlot>>,
}

/// The number of entries at each depth, as a power of two: 24 MB at depth 10, enough for the widest trees, and little
/// where the tree is finished before a large table is allocated.
const BITS: [u8; 11] = [8, 8, 8, 8, 8, 10, 12, 14, 16, 18, 19];

impl ValueMemory {
    /// A table for a search of so many plies.
    pub(super) fn new(plies: u8) -> Self {
        let bits = BITS[usize::from(plies).min(BITS.len() - 1)];
        Self { slots: vec![None; 1 << bits] }
    }

    #[inline]
    pub(super) fn probe(&self, position: &StarCircle, plies: u8) -> Option<CachedPosition> {
        let slot = self.slots[self.place(position, plies)].as_ref()?;
        (slot.plies == plies && slot.position == *position).then_some(slot.known)
    }

    #[inline]
    pub(super) fn store(&mut self, position: &StarCircle, plies: u8, known: CachedPosition) {
        let place = self.place(position, plies);
        self.slots[place] = Some(MemorySlot { position: position.clone(), plies, known });
    }

    /// The slot of a position. Within one search, the number of plies determines the side to move.
    #[inline]
    fn place(&self, position: &StarCircle, plies: u8) -> usize {
        let key = mixed(position.words().into_iter().chain([plies.into()]));
        #[expect(clippy::cast_possible_truncation, reason = "only the lower bits are kept")]
        let place = key as usize & (self.slots.len() - 1);
        place
    }
}
