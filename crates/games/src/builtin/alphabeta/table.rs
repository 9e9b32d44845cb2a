//! The transposition table: the results of earlier searches of a position. Only `search` uses it.
//!
//! Its size must be fixed at creation, a power of two of at most [`MAX_BYTES`]. An entry must only ever be a hint. A
//! position with a colliding key gets a wrong value, but never an illegal move: moves are stored as indices among the
//! legal moves, and readers check the index.

/// The maximum size of a table.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// The minimum size: for a search of a few thousand nodes.
const MIN_BYTES: usize = 64 << 10;

const ENTRY_BYTES: usize = size_of::<[u64; 2]>();

/// The relation of the stored value to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true value is at least this.
    AtLeast,
    /// The true value is at most this.
    AtMost,
    /// The stored value is exact.
    Exact,
}

/// A stored result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableEntry {
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// The searched depth below the position.
    pub(super) depth: u8,
    /// The index of the best move in the order of [`crate::Position::for_each_move`].
    pub(super) best: u16,
}

impl TableEntry {
    /// Value, index, depth and bound, from the lowest bit; never 0, which marks an empty slot.
    fn packed(self) -> u64 {
        let bound = match self.bound {
            Bound::AtLeast => 1,
            Bound::AtMost => 2,
            Bound::Exact => 3,
        };
        u64::from(self.value.cast_unsigned()) | u64::from(self.best) << 32 | u64::from(self.depth) << 48 | bound << 56
    }

    #[expect(clippy::cast_possible_truncation, reason = "each part is cut out at its own width")]
    fn unpacked(packed: u64) -> Option<Self> {
        let bound = match packed >> 56 {
            1 => Bound::AtLeast,
            2 => Bound::AtMost,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Self {
            value: (packed as u32).cast_signed(),
            bound,
            depth: (packed >> 48) as u8,
            best: (packed >> 32) as u16,
        })
    }
}

/// Pairs of slots: the first keeps the deepest search, the second the latest.
///
/// A vector of plain integers, so that the system provides zeroed memory page by page as it is used: a search of a
/// millisecond does not pay for the table of a second.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    slots: Vec<[u64; 2]>,
}

impl TranspositionTable {
    /// A table for a search of about this many nodes.
    pub(super) fn for_nodes(nodes: u64) -> Self {
        let bytes = usize::try_from(nodes)
            .unwrap_or(usize::MAX)
            .saturating_mul(ENTRY_BYTES)
            .clamp(MIN_BYTES, MAX_BYTES)
            .next_power_of_two();
        Self { slots: vec![[0; 2]; bytes / ENTRY_BYTES] }
    }

    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<TableEntry> {
        let place = self.place(key);
        let slot = [self.slots[place], self.slots[place ^ 1]].into_iter().find(|slot| slot[0] == key)?;
        TableEntry::unpacked(slot[1])
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, entry: TableEntry) {
        let first = self.place(key) & !1;
        let [kept_key, kept] = self.slots[first];
        let gives_way = kept_key == key || TableEntry::unpacked(kept).is_none_or(|kept| kept.depth <= entry.depth);
        let place = if gives_way { first } else { first | 1 };
        self.slots[place] = [key, entry.packed()];
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "only the lower bits are kept")]
        let place = key as usize & (self.slots.len() - 1);
        place
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry() -> impl Strategy<Value = TableEntry> {
        let bound = prop_oneof![Just(Bound::AtLeast), Just(Bound::AtMost), Just(Bound::Exact)];
        (any::<i32>(), bound, any::<u8>(), any::<u16>()).prop_map(|(value, bound, depth, best)| TableEntry {
            value,
            bound,
            depth,
            best,
        })
    }

    proptest! {
        #[test]
        fn what_was_kept_is_found(key in 1..=u64::MAX, entry in entry()) {
            let mut table = TranspositionTable::for_nodes(0);
            table.store(key, entry);
            prop_assert_eq!(table.find(key), Some(entry));
            prop_assert_eq!(table.find(!key), None);
        }
    }

    #[test]
    fn a_deep_search_stays_while_shallow_ones_come_and_go() {
        let of_depth = |depth| TableEntry { value: 7, bound: Bound::Exact, depth, best: 0 };
        let mut table = TranspositionTable::for_nodes(0);
        // The keys share a pair of slots, since their lower bits are equal.
        for (upper, depth) in [(1, 9), (2, 3), (3, 2)] {
            table.store(upper << 40, of_depth(depth));
        }
        let found = [1, 2, 3].map(|upper: u64| table.find(upper << 40).map(|entry| entry.depth));
        assert_eq!(found, [Some(9), None, Some(2)]);
    }

    #[test]
    fn the_memory_is_bounded_whatever_is_asked_for() {
        for nodes in [0, 1, 1_000_000, u64::MAX] {
            let bytes = TranspositionTable::for_nodes(nodes).slots.len() * ENTRY_BYTES;
            assert!((MIN_BYTES..=MAX_BYTES).contains(&bytes), "{nodes}: {bytes}");
            assert!(bytes.is_power_of_two());
        }
    }
}
