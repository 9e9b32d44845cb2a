//! Pairs for one round of a Swiss or an elimination: rematches avoided, byes fair.
//!
//! What must always hold: a round without a rematch is found whenever there is one, for any number of players, and
//! where there is none the rematches are as few as can be ([`Matching`] tells which choices leave that open). Nobody
//! has a second bye before everybody who is in has had one.

use super::matching::Matching;

/// What a pairing for a round goes by. Players are places in the field.
pub(super) struct Wishes<M, C, O> {
    /// How often two have met.
    pub(super) meetings: M,
    /// Whether two should rather not meet, though they may.
    pub(super) clash: C,
    /// Puts the possible opponents of a player, which come in their order, into the order in which they suit it.
    pub(super) order_opponents: O,
}

impl<M, C, O> Wishes<M, C, O>
where
    M: Fn(usize, usize) -> u32,
    C: Fn(usize, usize) -> bool,
    O: Fn(usize, &mut Vec<usize>),
{
    /// Pairs up `players`, who choose their opponents in the order in which they stand. With an odd number the last
    /// of those with the fewest byes, by `byes`, gets the bye; another of these if that saves a rematch.
    pub(super) fn pair_up(&self, players: &[usize], byes: &[u32]) -> (Vec<[usize; 2]>, Option<usize>) {
        let bye = self.choose_bye(players, byes);
        let playing: Vec<_> = players.iter().copied().filter(|&player| Some(player) != bye).collect();
        let ideal = Matching::among(&playing, |a, b| (self.meetings)(a, b) == 0 && !(self.clash)(a, b));
        if ideal.is_perfect() {
            return (self.choose_pairs(&playing, ideal).0, bye);
        }
        let (mut pairs, mut left) = (Vec::new(), playing);
        for limit in 0.. {
            if left.is_empty() {
                break;
            }
            let most = Matching::among(&left, |a, b| (self.meetings)(a, b) <= limit);
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
        let mut matching = Matching::among(players, |a, b| (self.meetings)(a, b) == 0);
        due()
            .find(|&player| matching.take_alone(player))
            .or_else(|| due().next())
    }

    /// As many pairs among `players` as `matching` has, each as its first player likes it best, and who is left over.
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
