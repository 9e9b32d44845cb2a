//! Gauntlet: the challenger plays all the others. [`super::next_rounds`] calls it.
//!
//! All encounters form one round, since the challenger may play several games at once. Names of games, beginners, and
//! joining or withdrawing players are as in the [round robin](super::round_robin).
//!
//! The rank key is the margin against the challenger: a player with more than half of the points ranks above the
//! challenger, one with exactly half shares its rank. Once the challenger has withdrawn, nobody has a key, and
//! nobody wins.

use super::competition_state::CompetitionState;
use super::{Conclusion, NextStep, RankKey, round_robin};

pub(super) fn next(state: &CompetitionState<'_>, challenger: &str) -> Option<NextStep> {
    let active = state.field.active();
    let place_of_challenger = find(state, &active, challenger)?;
    let others = active.iter().copied().filter(|&place| place != place_of_challenger);
    let pairs = others.map(|place| [place_of_challenger, place]).collect();
    let rounds = round_robin::missing_rounds(state, std::iter::once((pairs, Vec::new())));
    state.play_or_wait(rounds)
}

pub(super) fn ranking(state: &CompetitionState<'_>, challenger: &str) -> Conclusion {
    let active = state.field.active();
    let challenger = find(state, &active, challenger);
    let key = |place| challenger.map(|challenger| RankKey::Margin(margin(state, place, challenger)));
    let rank_keys = active.iter().map(|&place| (place, key(place).into_iter().collect()));
    Conclusion::by_rank_keys(state.field, rank_keys.collect())
}

fn find(state: &CompetitionState<'_>, active: &[usize], challenger: &str) -> Option<usize> {
    active.iter().copied().find(|&place| state.field.players[place] == challenger)
}

/// Half points won minus half points lost against the challenger.
fn margin(state: &CompetitionState<'_>, player: usize, challenger: usize) -> i64 {
    let of_both = state.meetings.iter().filter(|meeting| {
        player != challenger && meeting.players.contains(&player) && meeting.players.contains(&challenger)
    });
    of_both
        .map(|meeting| {
            let [first, second] = meeting.half_points().map(i64::from);
            if meeting.players[0] == player { first - second } else { second - first }
        })
        .sum()
}
