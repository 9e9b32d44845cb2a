//! Pairs players for one round of a Swiss or an elimination: avoids rematches, gives fair byes.
//!
//! A round without rematches must be found if one exists, for any number of players; otherwise rematches must be as few
//! as possible ([`Matching`] tells which choices allow that). Nobody may have a second bye before every active player
//! has had one. It ranks no players; formats call it.

use super::competition_state::Meetings;
use super::matching::Matching;

/// The criteria for pairing a round. Players are places in the field.
pub(super) struct PairingCriteria<'a> {
    /// How often two players have met.
    pub(super) meetings: &'a Meetings,
    /// Whether two players should avoid meeting, though they may.
    pub(super) should_avoid: &'a dyn Fn(usize, usize) -> bool,
    /// Sorts a player's possible opponents, given in seed order, by preference.
    pub(super) order_opponents: &'a dyn Fn(usize, &mut Vec<usize>),
}

impl PairingCriteria<'_> {
    /// Pairs `players`, who choose their opponents in this order. With an odd number, the last player with the fewest
    /// `byes` gets the bye, or another of these if that saves a rematch.
    pub(super) fn pair_up(&self, players: &[usize], byes: &[u32]) -> (Vec<[usize; 2]>, Option<usize>) {
        let bye = self.choose_bye(players, byes);
        let playing: Vec<_> = players.iter().copied().filter(|&player| Some(player) != bye).collect();
        let ideal = Matching::among(&playing, |a, b| self.meetings.between(a, b) == 0 && !(self.should_avoid)(a, b));
        if ideal.is_perfect() {
            return (self.choose_pairs(&playing, ideal).0, bye);
        }
        let (mut pairs, mut left) = (Vec::new(), playing);
        for limit in 0.. {
            if left.is_empty() {
                break;
            }
            let most = Matching::among(&left, |a, b| self.meetings.between(a, b) <= limit);
            let (more, rest) = self.choose_pairs(&left, most);
            pairs.extend(more);
            left = rest;
        }
        (pairs, bye)
    }

    fn choose_bye(&self, players: &[usize], byes: &[u32]) -> Option<usize> {
        if players.len().is_multiple_of(2) {
            return None;
        }
        let fewest = players.iter().map(|&player| byes[player]).min()?;
        let due = || players.iter().rev().copied().filter(|&player| byes[player] == fewest);
        let mut matching = Matching::among(players, |a, b| self.meetings.between(a, b) == 0);
        due().find(|&player| matching.take_alone(player)).or_else(|| due().next())
    }

    /// As many pairs of `players` as `matching` has, each the first player's best choice; and the player left over.
    fn choose_pairs(
        &self,
        players: &[usize],
        mut matching: Matching<impl Fn(usize, usize) -> bool>,
    ) -> (Vec<[usize; 2]>, Vec<usize>) {
        let (mut pairs, mut left) = (Vec::new(), Vec::new());
        for (index, &player) in players.iter().enumerate() {
            if matching.is_gone(player) {
                continue;
            }
            let rest = players[index + 1..].iter().copied();
            let mut opponents: Vec<_> = rest.filter(|&other| !matching.is_gone(other)).collect();
            (self.order_opponents)(player, &mut opponents);
            match opponents.into_iter().find(|&other| matching.take_pair(player, other)) {
                Some(opponent) => pairs.push([player, opponent]),
                None => left.push(player),
            }
        }
        (pairs, left)
    }
}
