//! Double elimination: a player who loses two matches is out. [`bracket`](super::bracket) plays the matches.
//!
//! The winners' bracket is that of single elimination. Its losers drop into the losers' bracket, whose rounds come in
//! pairs: first its survivors meet each other, then those who have just dropped. The order of the losers is reversed
//! or rotated by half from round to round, so that rematches come late. The winners of both brackets meet in the grand
//! final; if the one from the losers' bracket wins, both have lost once and meet again.

use super::bracket::{BracketEntry, BracketMatch};
use super::knockout::{add_pairs, winners_rounds};

/// The number of losses that eliminates a player.
pub(super) const LIVES: u32 = 2;

/// All matches among `players`, best seed first.
pub(super) fn matches(players: &[usize]) -> Vec<BracketMatch> {
    let mut matches = Vec::new();
    let winners = winners_rounds(players, &mut matches);
    let [first, later @ ..] = winners.as_slice() else {
        return matches;
    };
    let mut left: Vec<_> = first.iter().map(|&index| BracketEntry::LoserOf(index)).collect();
    for (number, round) in later.iter().enumerate() {
        left = winners_of(&add_pairs(&left, &mut matches));
        let losers = dropping_losers(round, number);
        let crossed: Vec<_> = left.iter().zip(losers).flat_map(|(&left, loser)| [left, loser]).collect();
        left = winners_of(&add_pairs(&crossed, &mut matches));
    }
    let last_of_winners = winners.last().and_then(|round| round.first()).copied();
    if let (Some(winners_final), [of_losers]) = (last_of_winners, left.as_slice()) {
        matches.push(BracketMatch::Between([BracketEntry::WinnerOf(winners_final), *of_losers]));
        matches.push(BracketMatch::Again(matches.len() - 1));
    }
    matches
}

fn winners_of(round: &[usize]) -> Vec<BracketEntry> {
    round.iter().map(|&index| BracketEntry::WinnerOf(index)).collect()
}

fn dropping_losers(round: &[usize], number: usize) -> Vec<BracketEntry> {
    let mut losers: Vec<_> = round.iter().map(|&index| BracketEntry::LoserOf(index)).collect();
    if number.is_multiple_of(2) {
        losers.reverse();
    } else {
        let half = losers.len() / 2;
        losers.rotate_left(half);
    }
    losers
}
