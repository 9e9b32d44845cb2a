//! Swiss: in each round, players with similar scores meet who have not met before. [`super::next_rounds`] calls it.
//!
//! A simplified version of the FIDE Handbook, C.04. Players are sorted by points, then by seed. From the top down, each
//! gets the best opponent that still allows a whole round (see [`pairing`](super::pairing)): nearest in points; then
//! with the other turn due; then by folding the score group, so that its best meets the best of its lower half. An odd
//! player thus floats down into the next group.
//!
//! Points come from games, not pairings. With an odd number, the lowest player without a bye gets one; it is worth a
//! pairing with all games won. The player who has begun less often begins; if a pairing has an odd number of games, two
//! players who have both begun twice more (or both twice less) than not avoid each other if a round without such a pair
//! and without a rematch exists. Unavoidable rematches are as few as possible, between players who have met least
//! often.
//!
//! The ranking uses points, Buchholz, Sonneborn-Berger. A withdrawn player keeps its points and its rank.

use std::cmp::Reverse;

use super::competition_state::{CompetitionState, Meetings};
use super::first_turns::assign_first_turns;
use super::pairing::PairingCriteria;
use super::tie_breaks::ScoreTable;
use super::{Conclusion, NextStep, RankKey};

pub(super) fn next(state: &CompetitionState<'_>, rounds: u32) -> Option<NextStep> {
    let table = score_table(state);
    let is_active = |place: &usize| state.field.is_active(*place);
    let mut players: Vec<_> = state.participants.iter().copied().filter(is_active).collect();
    if players.len() < 2 || state.last_round >= rounds {
        return None;
    }
    players.sort_by_key(|&place| (Reverse(table.half_points[place]), place));
    let meetings = Meetings::of(state);
    let criteria = PairingCriteria {
        meetings: &meetings,
        should_avoid: &|a, b| state.begun[a].abs().min(state.begun[b].abs()) >= 2 && same_turn_is_due(state, a, b),
        order_opponents: &|player, opponents| order_opponents(state, &table, player, opponents),
    };
    let (pairs, bye) = criteria.pair_up(&players, &state.bye_counts());
    let pairs = assign_first_turns(&pairs, &state.begun);
    Some(state.next_round(state.last_round + 1, &pairs, bye.as_slice()))
}

fn score_table(state: &CompetitionState<'_>) -> ScoreTable {
    let all_games_won = 2 * state.field.games_per_pairing.get();
    ScoreTable::of(state, &state.participants, |_| true).with_byes(state, all_games_won)
}

fn same_turn_is_due(state: &CompetitionState<'_>, a: usize, b: usize) -> bool {
    state.begun[a].signum() * state.begun[b].signum() > 0
}

/// The opponents come by points and seed, all of them below the player.
fn order_opponents(state: &CompetitionState<'_>, table: &ScoreTable, player: usize, opponents: &mut Vec<usize>) {
    let points = table.half_points[player];
    let group = opponents.iter().filter(|&&other| table.half_points[other] == points).count();
    // In a group of 2 h players, with the player itself first, this is the first of the lower h.
    let facing = group.div_ceil(2).saturating_sub(1);
    let mut keyed: Vec<_> = opponents.iter().enumerate().collect();
    keyed.sort_by_key(|&(index, &other)| {
        let behind = points.abs_diff(table.half_points[other]);
        (behind, same_turn_is_due(state, player, other), index.abs_diff(facing), index)
    });
    *opponents = keyed.into_iter().map(|(_, &other)| other).collect();
}

pub(super) fn ranking(state: &CompetitionState<'_>) -> Conclusion {
    let table = score_table(state);
    let rank_keys = state.participants.iter().map(|&place| {
        let rank_keys = vec![
            RankKey::HalfPoints(table.half_points[place]),
            RankKey::Buchholz(table.buchholz(place)),
            RankKey::SonnebornBerger(table.sonneborn_berger(place)),
        ];
        (place, rank_keys)
    });
    Conclusion::by_rank_keys(state.field, rank_keys.collect())
}
