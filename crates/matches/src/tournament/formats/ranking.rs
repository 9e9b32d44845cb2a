//! The ranking of a competition, with the rank keys of each place. Plain data; formats make it, and standings, pages
//! and the command line show it.

use super::CompetitionField;

/// The reason for a place. Within a ranking, all players have the same kinds of keys in the same order, and more is
/// better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RankKey {
    /// The number of pairings won: more than half of a pairing's points.
    Pairings(u32),
    /// The number of rounds survived.
    Rounds(u32),
    /// Half points: two for a win, one for a draw.
    HalfPoints(u32),
    /// Half points won minus half points lost against the challenger of a gauntlet; 0 for the challenger.
    Margin(i64),
    /// The sum of the half points of all opponents, named after Bruno Buchholz.
    Buchholz(u64),
    /// The half points of each opponent times the half points won against it, summed, so in quarter points; named after
    /// William Sonneborn and Johann Berger.
    SonnebornBerger(u64),
}

/// The place of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedPlayer {
    /// Counted from 1; equal keys share a rank, and the next rank counts everybody before it.
    pub rank: usize,
    /// The player's name.
    pub player: String,
    /// The keys of the rank, the most important first.
    pub rank_keys: Vec<RankKey>,
}

/// The result of a competition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conclusion {
    /// All players, by rank, and in seed order within a rank.
    pub ranking: Vec<RankedPlayer>,
}

impl Conclusion {
    /// The winners: one, several, or none if nobody played.
    pub fn winners(&self) -> impl Iterator<Item = &str> {
        let first = self.ranking.iter().take_while(|place| place.rank == 1 && !place.rank_keys.is_empty());
        first.map(|place| place.player.as_str())
    }

    /// Ranks the players at these places by their keys.
    pub(super) fn by_rank_keys(field: &CompetitionField, mut rank_keys: Vec<(usize, Vec<RankKey>)>) -> Self {
        rank_keys.sort_by(|(place, mine), (other, theirs)| theirs.cmp(mine).then(place.cmp(other)));
        let mut ranking: Vec<RankedPlayer> = Vec::with_capacity(rank_keys.len());
        for (index, (place, rank_keys)) in rank_keys.into_iter().enumerate() {
            let rank = match ranking.last() {
                Some(before) if before.rank_keys == rank_keys => before.rank,
                Some(_) | None => index + 1,
            };
            ranking.push(RankedPlayer { rank, player: field.players[place].clone(), rank_keys });
        }
        Self { ranking }
    }
}
