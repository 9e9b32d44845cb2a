//! The handouts' elimination (RULES.md, section 6): a player who loses more than half of a pairing's games is out; on a
//! split both continue, and several may win together. [`super::next_rounds`] calls it.
//!
//! Each round draws new pairings with the run's seed and as few rematches as possible; with an odd number, one of the
//! players with the fewest byes has a bye. It ends when one player is left, at the round limit, or after a round in
//! which nobody was eliminated and all remaining players have met. The remaining players win. While two remaining
//! players have not met, every round contains such a pairing unless one of them has the bye, so it ends even without
//! the limit.

use super::competition_state::{CompetitionState, Meetings};
use super::first_turns::assign_first_turns;
use super::pairing::PairingCriteria;
use super::seeded_rng::SeededRng;
use super::{Conclusion, NextStep, RankKey};

pub(super) fn next(state: &CompetitionState<'_>, round_limit: u32) -> Option<NextStep> {
    let out = out_in(state);
    let is_left = |place: &usize| out[*place].is_none();
    let mut left: Vec<_> = state.participants.iter().copied().filter(is_left).collect();
    let meetings = Meetings::of(state);
    let nobody_was_out = state.last_round > 0 && !out.contains(&Some(state.last_round));
    if left.len() < 2 || state.last_round >= round_limit || (nobody_was_out && all_have_met(&left, &meetings)) {
        return None;
    }
    let number = state.last_round + 1;
    SeededRng::new(state.field.seed, "elimination", number).shuffle(&mut left);
    let criteria = PairingCriteria { meetings: &meetings, should_avoid: &|_, _| false, order_opponents: &|_, _| () };
    let (pairs, bye) = criteria.pair_up(&left, &state.bye_counts());
    let pairs = assign_first_turns(&pairs, &state.begun);
    Some(state.next_round(number, &pairs, bye.as_slice()))
}

/// The round in which each player was eliminated or withdrew.
fn out_in(state: &CompetitionState<'_>) -> Vec<Option<u32>> {
    let places = state.last_seen.iter().enumerate();
    let withdrawn = places.map(|(place, &last)| (!state.field.is_active(place)).then_some(last));
    let mut out: Vec<_> = withdrawn.collect();
    for meeting in &state.meetings {
        if let Some(loser) = meeting.loser() {
            out[loser] = Some(meeting.round);
        }
    }
    out
}

fn all_have_met(players: &[usize], meetings: &Meetings) -> bool {
    let later = |index: usize| players[index + 1..].iter();
    let mut pairs = players.iter().enumerate().flat_map(|(index, &a)| later(index).map(move |&b| (a, b)));
    pairs.all(|(a, b)| meetings.between(a, b) > 0)
}

pub(super) fn ranking(state: &CompetitionState<'_>) -> Conclusion {
    let out = out_in(state);
    let survived = |place: usize| out[place].map_or(state.last_round, |round| round.saturating_sub(1));
    let rank_keys = state.participants.iter().map(|&place| (place, vec![RankKey::Rounds(survived(place))]));
    Conclusion::by_rank_keys(state.field, rank_keys.collect())
}
