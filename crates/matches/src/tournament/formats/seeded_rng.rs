//! Random numbers: the same for the same seed, on every machine and in every version. Formats with random pairings
//! call it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::tournament::derive_seed;

/// A stream of draws: `ChaCha` with 8 rounds, stream 0, keyed with a derived seed (8 bytes, little endian) and 24 zero
/// bytes.
///
/// The algorithm is written out, as in [`TurnRng`](referee_games::builtin::TurnRng), because the next version of the
/// `rand` crate may draw differently.
pub(super) struct SeededRng(ChaCha8Rng);

impl SeededRng {
    /// The draws for `round` of a competition in this format.
    pub(super) fn new(seed: u64, format: &str, round: u32) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&derive_seed(seed, &["lots", format, &round.to_string()]).to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number below `bound`, which must not be 0. Taking the high word of a product biases a number by at most one
    /// part in 2^64 per unit of the bound.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let scaled = u128::from(self.0.next_u64()) * bound as u128;
        usize::try_from(scaled >> 64).expect("a fraction of a `usize` is one")
    }

    /// Shuffles `items` (Fisher and Yates, in Durstenfeld's form).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(seed: u64, round: u32) -> Vec<u32> {
        let mut items: Vec<_> = (0..8).collect();
        SeededRng::new(seed, "test", round).shuffle(&mut items);
        items
    }

    /// The expected orders come from an independent implementation, written from the definition of `ChaCha`.
    #[test]
    fn the_draws_never_change() {
        assert_eq!(shuffled(1, 1), [0, 6, 7, 3, 1, 2, 5, 4]);
        assert_eq!(shuffled(u64::MAX, 20), [2, 5, 4, 7, 6, 0, 1, 3]);
    }
}
