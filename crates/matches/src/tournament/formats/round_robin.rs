//! Round robin: everybody plays everybody. [`super::next_rounds`] calls it, and random rounds end with it.
//!
//! The rounds come from the circle method (E. Lucas, *Récréations mathématiques*, 1883, who credits F. Walecki): one
//! player stays in place while all others move on by one place around a circle, and those who face each other meet.
//! With an odd number, the fixed player is imaginary, and everybody has exactly one bye.
//!
//! The distance of two places in the field decides who begins, as in the Berger tables (FIDE Handbook, C.05, annex 1,
//! by the parity of two numbers): at an odd distance the one ahead, at an even one the one behind. So each player
//! begins against every second player ahead of it and every second behind it, and begins at most once more or less
//! often than not. This holds for any number of players and stays true when somebody joins at the end.
//!
//! So a game depends only on the places of its two players, and its name contains them: `0003-0017-g02` is the second
//! game of the third against the seventeenth in the field. Players can join, withdraw and come back between two runs:
//! old games keep their names and colours, and only missing games are played. A withdrawn player is not ranked, and its
//! games count for nobody.

use std::collections::BTreeSet;

use super::competition_state::{CompetitionState, RoundPair, sorted};
use super::{Conclusion, NextStep, RankBy, RankKey, Round, tie_breaks};

pub(super) fn next(state: &CompetitionState<'_>) -> Option<NextStep> {
    let active = state.field.active();
    let rounds = circle(active.len()).map(|(pairs, byes)| {
        let pairs = pairs.into_iter().map(|pair| pair.map(|index| active[index])).collect();
        (pairs, byes.into_iter().map(|index| active[index]).collect())
    });
    state.play_or_wait(missing_rounds(state, rounds))
}

pub(super) fn ranking(state: &CompetitionState<'_>) -> Conclusion {
    rank(state, &state.field.active(), |_| true)
}

/// The rounds of `count` players by the circle method, each with its pairs and its bye; players are numbered from 0.
pub(super) fn circle(count: usize) -> impl Iterator<Item = (Vec<[usize; 2]>, Vec<usize>)> {
    // An imaginary last player makes an odd number even.
    let last = if count.is_multiple_of(2) { count } else { count + 1 }.saturating_sub(1);
    (0..last).map(move |round| {
        let facing = (1..=last / 2).map(|step| [(round + step) % last, (round + last - step) % last]);
        let pairs = std::iter::once([last, round]).chain(facing);
        let (byes, pairs): (Vec<_>, Vec<_>) = pairs.partition(|pair| pair[0] == count);
        (pairs, byes.into_iter().map(|pair| pair[1]).collect())
    })
}

/// The pair, beginner first, by the distance of the two numbers.
pub(super) fn by_distance([a, b]: [usize; 2]) -> [usize; 2] {
    let (ahead, behind) = (a.min(b), a.max(b));
    if (behind - ahead).is_multiple_of(2) { [behind, ahead] } else { [ahead, behind] }
}

/// The unplanned pairs of `rounds` (pairs of places, and byes), without rounds that have none.
pub(super) fn missing_rounds(
    state: &CompetitionState<'_>,
    rounds: impl Iterator<Item = (Vec<[usize; 2]>, Vec<usize>)>,
) -> Vec<Round> {
    let planned: BTreeSet<_> = state.meetings.iter().map(|meeting| sorted(meeting.players)).collect();
    let missing = rounds.filter_map(|(mut pairs, byes)| {
        pairs.retain(|&pair| !planned.contains(&sorted(pair)));
        (!pairs.is_empty()).then_some((pairs, byes))
    });
    let games = state.field.games_per_pairing.get();
    let numbered = (state.last_round + 1..).zip(missing);
    let rounds = numbered.map(|(number, (pairs, byes))| Round {
        number,
        encounters: pairs
            .into_iter()
            .map(|pair| {
                let [ahead, behind] = sorted(pair).map(|place| place + 1);
                state.encounter(&format!("{ahead:04}-{behind:04}"), by_distance(pair), 0..games)
            })
            .collect(),
        byes: byes.into_iter().map(|place| state.field.players[place].clone()).collect(),
    });
    rounds.collect()
}

/// Ranks `players` by their points against each other in the meetings that `counts` selects, then by Sonneborn-Berger;
/// before both by pairings won, if the field says so.
pub(super) fn rank(state: &CompetitionState<'_>, players: &[usize], counts: impl Fn(&RoundPair) -> bool) -> Conclusion {
    let table = tie_breaks::ScoreTable::of(state, players, counts);
    let rank_keys = players.iter().map(|&place| {
        let pairings = RankKey::Pairings(table.pairings_won[place]);
        let mut rank_keys = match state.field.rank_by {
            RankBy::Points => Vec::new(),
            RankBy::Pairings => vec![pairings],
        };
        rank_keys.push(RankKey::HalfPoints(table.half_points[place]));
        rank_keys.push(RankKey::SonnebornBerger(table.sonneborn_berger(place)));
        (place, rank_keys)
    });
    Conclusion::by_rank_keys(state.field, rank_keys.collect())
}
