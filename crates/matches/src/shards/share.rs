//! Divides a run into shares, and orders its pairs for each share. Pure functions; the worker and `cli/plan` call them.

use std::ops::Range;

use referee_records::Manifest;

/// One of several equal shares of a run.
///
/// ```
/// use referee_matches::shards::Share;
///
/// let share = Share::new(1, 3).unwrap();
/// assert_eq!(share.order(7), [1, 4, 5, 2, 6, 3, 0]);
/// assert_eq!(Share::new(3, 3), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    index: usize,
    of: usize,
}

impl Share {
    /// Share `index`, counted from 0, of `of`; `None` if there is no such share.
    pub const fn new(index: u32, of: u32) -> Option<Self> {
        if index < of { Some(Self { index: index as usize, of: of as usize }) } else { None }
    }

    /// The order in which this share visits all pairs 0 to `count`: its own first; then, to help, those of the others,
    /// beginning with the next share, each from its end, which its owner reaches last.
    pub fn order(self, count: usize) -> Vec<usize> {
        let others = (1..self.of).map(|apart| (self.index + apart) % self.of);
        let others = others.flat_map(|index| (index..count).step_by(self.of).rev());
        self.own(count).into_iter().chain(others).collect()
    }

    /// Only its own pairs.
    pub fn own(self, count: usize) -> Vec<usize> {
        (self.index..count).step_by(self.of).collect()
    }
}

/// The pairs of games in `manifest`, as index ranges: each two consecutive games of an encounter, in which the agents
/// exchange colours. The last of an odd number is alone.
pub fn pairs(manifest: &Manifest) -> Vec<Range<usize>> {
    let encounters = manifest.rounds.iter().flat_map(|round| &round.encounters);
    let mut begin = 0;
    let mut pairs = Vec::with_capacity(manifest.games.len().div_ceil(2));
    for encounter in encounters {
        let end = (begin + encounter.games).min(manifest.games.len());
        pairs.extend((begin..end).step_by(2).map(|first| first..(first + 2).min(end)));
        begin = end;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn everything_is_in_every_order_and_what_is_ones_own_comes_first_and_belongs_to_nobody_else(
            of in 1..40_u32,
            count in 0..300_usize,
        ) {
            let sorted = |mut all: Vec<usize>| {
                all.sort_unstable();
                all
            };
            let mut owned = Vec::new();
            for index in 0..of {
                let share = Share::new(index, of).unwrap();
                prop_assert!(share.order(count).starts_with(&share.own(count)));
                prop_assert_eq!(sorted(share.order(count)), (0..count).collect::<Vec<_>>());
                owned.extend(share.own(count));
            }
            prop_assert_eq!(sorted(owned), (0..count).collect::<Vec<_>>());
        }
    }
}
