//! Random choices that are the same for the same seed, on every machine and in every version. All built-in agents and
//! random playouts use them.
//!
//! The numbers must depend only on the seed, the turn, and the number of earlier draws. So the key is laid out byte by
//! byte and the algorithm written out: the helpers of the `rand` crate may draw differently in its next version, while
//! `ChaCha` is fixed by its definition.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The second half of every key; a changed layout or algorithm must get a new one.
const PURPOSE: &[u8; 16] = b"builtin-agents-1";

/// A stream of choices for one turn of one agent.
///
/// It is `ChaCha` with 8 rounds, stream 0, keyed with the seed (8 bytes, little endian), the turn (likewise) and the 16
/// bytes `builtin-agents-1`, read in words of 32 bits.
#[derive(Clone, Debug)]
pub struct TurnRng(ChaCha8Rng);

impl TurnRng {
    /// The stream for a turn, counted from 0, of an agent with this seed.
    pub fn new(seed: u64, turn: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&turn.to_le_bytes());
        key[16..].copy_from_slice(PURPOSE);
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A uniformly random element of `choices`; `None` if it is empty.
    pub fn choose<T: Clone>(&mut self, choices: &[T]) -> Option<T> {
        let count = u32::try_from(choices.len()).ok().filter(|&count| count > 0)?;
        choices.get(self.below(count) as usize).cloned()
    }

    /// A uniformly random one of the choices of the highest worth; `None` without choices.
    pub fn choose_best<W: Ord, T: Copy>(&mut self, choices: impl Iterator<Item = (W, T)>) -> Option<T> {
        let choices: Vec<(W, T)> = choices.collect();
        let highest = choices.iter().map(|(value, _)| value).max();
        let best = choices.iter().filter(|(value, _)| Some(value) == highest);
        self.choose(&best.map(|&(_, choice)| choice).collect::<Vec<T>>())
    }

    /// Shuffles `items` uniformly.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for (last, count) in (1..items.len()).zip(2..) {
            items.swap(last, self.below(count) as usize);
        }
    }

    /// A uniformly random number below `bound`, which must not be 0.
    fn below(&mut self, bound: u32) -> u32 {
        // Words from the last, incomplete cycle of remainders are rejected: they would favour low numbers.
        let incomplete = (u32::MAX % bound + 1) % bound;
        loop {
            let word = self.0.next_u32();
            if word <= u32::MAX - incomplete {
                return word % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected numbers come from an independent implementation, written from the definition of `ChaCha`.
    #[test]
    fn the_streams_never_change() {
        let table = [
            (0, 0, [451, 826, 478, 42, 661, 914]),
            (0, 1, [223, 195, 562, 666, 917, 727]),
            (1, 0, [24, 512, 933, 584, 42, 10]),
            (u64::MAX, u64::MAX, [595, 745, 999, 142, 585, 391]),
        ];
        for (seed, turn, expected) in table {
            let mut chance = TurnRng::new(seed, turn);
            assert_eq!([1000; 6].map(|bound| chance.below(bound)), expected);
        }
    }

    #[test]
    fn a_bound_that_does_not_divide_the_words_favours_nobody() {
        // Without rejection, numbers below a third of this bound would occur twice as often as the others.
        let bound = 3 << 30;
        let mut chance = TurnRng::new(0, 0);
        let low = (0..3000).filter(|_| chance.below(bound) < bound / 3).count();
        assert!((900..1100).contains(&low), "{low}");
    }
}
