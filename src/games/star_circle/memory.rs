//! Positions that a full search has already gone through.
//!
//! For: plain minimax must count every node of its tree, and its tree has the same position at the same depth over and
//! over, because moves of different pieces can be made in any order. What such a position is worth and how many nodes
//! are below it is the same each time, so it is remembered and added, and the count stays exact.
//!
//! What must always hold: an answer is given only for exactly the position and number of plies that were asked for;
//! forgetting is harmless, so a newer position takes the place of an older one without ceremony.

use super::StarCircle;

/// What is known of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// What it is worth to the side to move.
    pub(super) value: i32,
    /// How many nodes its tree has, itself included.
    pub(super) nodes: u64,
}

#[derive(Clone, Debug)]
struct MemorySlot {
    position: StarCircle,
    plies: u8,
    known: Known,
}

/// A table of fixed size, allocated once a search.
#[derive(Debug)]
pub(super) struct ValueMemory {
    slots: Vec<Option<MemorySlot>>,
}

/// How many positions are remembered at each depth, as a power of two: 24 MB at depth 10, which holds what the widest
/// trees come back to, and little where the tree would be gone through before a large table is set up.
const BITS: [u8; 11] = [8, 8, 8, 8, 8, 10, 12, 14, 16, 18, 19];

impl ValueMemory {
    /// A table for a search of so many plies.
    pub(super) fn new(plies: u8) -> Self {
        let bits = BITS[usize::from(plies).min(BITS.len() - 1)];
        Self {
            slots: vec![None; 1 << bits],
        }
    }

    #[inline]
    pub(super) fn recall(&self, position: &StarCircle, plies: u8) -> Option<Known> {
        let slot = self.slots[self.place(position, plies)].as_ref()?;
        (slot.plies == plies && slot.position == *position).then_some(slot.known)
    }

    #[inline]
    pub(super) fn remember(&mut self, position: &StarCircle, plies: u8, known: Known) {
        let place = self.place(position, plies);
        self.slots[place] = Some(MemorySlot {
            position: position.clone(),
            plies,
            known,
        });
    }

    /// The slot of a position: all that it consists of, mixed by multiplication.
    #[inline]
    fn place(&self, position: &StarCircle, plies: u8) -> usize {
        let stacks = position.stacks.map(u32::from_le_bytes);
        let words = [
            position.pieces[0],
            position.pieces[1],
            u64::from(stacks[0]) << 32 | u64::from(stacks[1]),
            // The side to move follows from the number of plies, within one search.
            u64::from(plies),
        ];
        let mixed = words.into_iter().fold(0_u64, |mixed, word| {
            (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        });
        #[expect(clippy::cast_possible_truncation, reason = "only the lower bits are kept")]
        let place = mixed as usize & (self.slots.len() - 1);
        place
    }
}
