//! Single elimination: a player who loses a match is out. [`bracket`](super::bracket) plays the matches and breaks
//! ties.
//!
//! Seeds are placed so that, if the better one always wins, the best two meet in the final, the best four in the
//! semi-finals, and so on, each time the best against the worst of those left. If the number of players is not a power
//! of two, the best seeds have byes in the first round.

use super::bracket::{BracketEntry, BracketMatch};

/// The number of losses that eliminates a player.
pub(super) const LIVES: u32 = 1;

/// All matches among `players`, best seed first.
pub(super) fn matches(players: &[usize]) -> Vec<BracketMatch> {
    let mut matches = Vec::new();
    winners_rounds(players, &mut matches);
    matches
}

/// Adds the matches of single elimination; returns their numbers by round.
pub(super) fn winners_rounds(players: &[usize], matches: &mut Vec<BracketMatch>) -> Vec<Vec<usize>> {
    let seeds = seed_order(players.len().next_power_of_two());
    let mut entries: Vec<_> = seeds.iter().map(|&seed| BracketEntry::Seed(players.get(seed).copied())).collect();
    let mut rounds = Vec::new();
    while entries.len() > 1 {
        let round = add_pairs(&entries, matches);
        entries = round.iter().map(|&index| BracketEntry::WinnerOf(index)).collect();
        rounds.push(round);
    }
    rounds
}

/// Adds a match for each two neighbours; returns the numbers of these matches.
pub(super) fn add_pairs(entries: &[BracketEntry], matches: &mut Vec<BracketMatch>) -> Vec<usize> {
    let first = matches.len();
    matches.extend(entries.as_chunks().0.iter().map(|&pair| BracketMatch::Between(pair)));
    (first..matches.len()).collect()
}

/// The seeds, from 0, in the order of the bracket's lines; `size` must be a power of two.
fn seed_order(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let last = 2 * order.len() - 1;
        order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    order
}
