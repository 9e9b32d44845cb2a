//! Derives seeds from seeds: the source of all randomness of a run. A pure function that formats, openings and agents
//! call.

use sha2::{Digest, Sha256};

/// The seed of an item within a run: of a game by its name, of one side of it by two names, and so on.
///
/// The first 8 bytes, little endian, of the SHA-256 of the run's seed (8 bytes, little endian) and each name, preceded
/// by its length (8 bytes, little endian). The same on every machine and in every version.
pub fn derive_seed(run: u64, names: &[&str]) -> u64 {
    let mut digest = Sha256::new();
    digest.update(run.to_le_bytes());
    for name in names {
        digest.update((name.len() as u64).to_le_bytes());
        digest.update(name.as_bytes());
    }
    let bytes: [u8; 32] = digest.finalize().into();
    u64::from_le_bytes(std::array::from_fn(|index| bytes[index]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_stable_for_ever() {
        assert_eq!(derive_seed(1, &["g0001", "black"]), 9_142_244_885_449_458_063);
    }
}
