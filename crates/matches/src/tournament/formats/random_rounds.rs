//! The format that the staff ran in 2021 (RULES.md, section 6): rounds against random opponents, then a round robin.
//! [`super::next_rounds`] calls it.
//!
//! In each round all remaining players meet the same number of opponents, drawn with the run's seed; if the sum would
//! be odd, one player by lot meets one more. Only a player who lost more than half of the games of *every* pairing of a
//! round is eliminated. After the given number of rounds, or once few enough are left to all meet within one round, the
//! rest play a full round robin, which alone ranks them. Only it has byes.
//!
//! The opponents form a random graph of that degree: a regular graph on a circle, with places drawn by lot, in which
//! pairs of edges then exchange their ends many times (the switch chain, which reaches every such graph, in the limit
//! with equal probability: C. Cooper, M. Dyer, C. Greenhill, *Sampling regular graphs and a peer-to-peer network*,
//! 2007).

use std::collections::BTreeSet;

use super::competition_state::CompetitionState;
use super::first_turns::assign_first_turns;
use super::round_robin::{by_distance, circle};
use super::seeded_rng::SeededRng;
use super::tie_breaks::ScoreTable;
use super::{Conclusion, NextStep, RankKey};

/// How often each edge of a random graph is switched, on average.
const SWITCHES_PER_EDGE: usize = 20;

pub(super) fn next(state: &CompetitionState<'_>, opponents: u32, rounds: u32) -> Option<NextStep> {
    let left = left_after_last_round(state);
    let number = state.last_round + 1;
    if first_final(state, opponents, rounds).is_some() || left.len() < 2 {
        return None;
    }
    if is_final(number, left.len(), opponents, rounds) {
        return Some(NextStep::Play(final_rounds(state, &left)));
    }
    let mut rng = SeededRng::new(state.field.seed, "random-rounds", number);
    let edges = random_graph(left.len(), in_one_round(opponents), &mut rng);
    let pairs: Vec<_> = edges.into_iter().map(|pair| pair.map(|index| left[index])).collect();
    Some(state.next_round(number, &assign_first_turns(&pairs, &state.begun), &[]))
}

/// Whether a round with this number of players belongs to the round robin.
fn is_final(round: u32, players: usize, opponents: u32, rounds: u32) -> bool {
    round > rounds || players <= in_one_round(opponents).saturating_add(1)
}

/// The first round of the round robin, if it is planned.
fn first_final(state: &CompetitionState<'_>, opponents: u32, rounds: u32) -> Option<u32> {
    (1..=state.last_round).find(|&round| is_final(round, players_of(state, round).len(), opponents, rounds))
}

fn in_one_round(opponents: u32) -> usize {
    usize::try_from(opponents).unwrap_or(usize::MAX)
}

/// The players of `round`.
fn players_of(state: &CompetitionState<'_>, round: u32) -> BTreeSet<usize> {
    let met = state.meetings.iter().filter(|meeting| meeting.round == round);
    let byes = state.byes.iter().filter(|bye| bye.0 == round);
    met.flat_map(|meeting| meeting.players).chain(byes.map(|bye| bye.1)).collect()
}

fn left_after_last_round(state: &CompetitionState<'_>) -> Vec<usize> {
    let players = if state.last_round == 0 {
        state.participants.iter().copied().collect()
    } else {
        players_of(state, state.last_round)
    };
    let mut unbeaten = BTreeSet::new();
    for meeting in state.meetings.iter().filter(|meeting| meeting.round == state.last_round) {
        let loser = meeting.loser();
        unbeaten.extend(meeting.players.into_iter().filter(|&player| Some(player) != loser));
    }
    let is_left =
        |&player: &usize| state.field.is_active(player) && (state.last_round == 0 || unbeaten.contains(&player));
    players.into_iter().filter(is_left).collect()
}

fn final_rounds(state: &CompetitionState<'_>, players: &[usize]) -> Vec<super::Round> {
    let numbered = (state.last_round + 1..).zip(circle(players.len()));
    let rounds = numbered.map(|(number, (pairs, byes))| {
        let pairs: Vec<_> = pairs.into_iter().map(|pair| by_distance(pair).map(|index| players[index])).collect();
        let byes: Vec<_> = byes.into_iter().map(|index| players[index]).collect();
        state.round(number, &pairs, &byes)
    });
    rounds.collect()
}

/// The edges of a random graph of `count` vertices of the given degree, which must be less than `count - 1`; one vertex
/// has one more if the sum would be odd.
fn random_graph(count: usize, degree: usize, rng: &mut SeededRng) -> Vec<[usize; 2]> {
    let mut labels: Vec<_> = (0..count).collect();
    rng.shuffle(&mut labels);
    let mut edges: Vec<_> = circulant(count, degree).into_iter().map(|edge| edge.map(|index| labels[index])).collect();
    let mut linked = vec![false; count * count];
    for &[a, b] in &edges {
        linked[a * count + b] = true;
        linked[b * count + a] = true;
    }
    for _ in 0..SWITCHES_PER_EDGE * edges.len() {
        let (one, other) = (rng.below(edges.len()), rng.below(edges.len()));
        let [a, b] = edges[one];
        let [mut c, mut d] = edges[other];
        if rng.below(2) == 1 {
            (c, d) = (d, c);
        }
        if a == d || b == c || linked[a * count + d] || linked[c * count + b] {
            continue;
        }
        for (from, to, link) in [(a, b, false), (c, d, false), (a, d, true), (c, b, true)] {
            linked[from * count + to] = link;
            linked[to * count + from] = link;
        }
        edges[one] = [a, d];
        edges[other] = [c, b];
    }
    edges
}

/// Links each vertex on a circle to the nearest `degree / 2` on either side and, for an odd degree, to one that faces
/// it.
fn circulant(count: usize, degree: usize) -> Vec<[usize; 2]> {
    let near = (1..=degree / 2).flat_map(|step| (0..count).map(move |index| [index, (index + step) % count]));
    let mut edges: Vec<_> = near.collect();
    if !degree.is_multiple_of(2) {
        // With an odd number, steps of `half` go once around all vertices, and every second step meets all, one of them
        // twice.
        let half = count / 2;
        let facing = (0..count.div_ceil(2)).map(|index| {
            if count.is_multiple_of(2) {
                [index, index + half]
            } else {
                [2 * index * half % count, (2 * index + 1) * half % count]
            }
        });
        edges.extend(facing);
    }
    edges
}

pub(super) fn ranking(state: &CompetitionState<'_>, opponents: u32, rounds: u32) -> Conclusion {
    let first_final = first_final(state, opponents, rounds);
    let final_players: Vec<_> = first_final.map_or_else(Vec::new, |first| {
        let rounds = first..=state.last_round;
        rounds.flat_map(|round| players_of(state, round)).collect::<BTreeSet<_>>().into_iter().collect()
    });
    let table =
        ScoreTable::of(state, &final_players, |meeting| first_final.is_some_and(|first| meeting.round >= first));
    let left = left_after_last_round(state);
    let last_random = first_final.map_or(state.last_round, |first| first - 1);
    let rank_keys = state.participants.iter().map(|&place| {
        let survived = if final_players.contains(&place) || (first_final.is_none() && left.contains(&place)) {
            last_random
        } else {
            state.last_seen[place].saturating_sub(1)
        };
        let rank_keys = vec![
            RankKey::Rounds(survived),
            RankKey::HalfPoints(table.half_points[place]),
            RankKey::SonnebornBerger(table.sonneborn_berger(place)),
        ];
        (place, rank_keys)
    });
    Conclusion::by_rank_keys(state.field, rank_keys.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_graph_is_about_as_likely_as_any_other() {
        // Six players with two opponents each: 60 hexagons, and 10 pairs of triangles.
        let mut counts = std::collections::BTreeMap::new();
        for round in 0..7000 {
            let edges = random_graph(6, 2, &mut SeededRng::new(9, "likely", round));
            let mut edges: Vec<_> = edges.into_iter().map(|[a, b]| [a.min(b), a.max(b)]).collect();
            edges.sort_unstable();
            *counts.entry(edges).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 70);
        assert!(counts.values().all(|&count| (50..160).contains(&count)), "{counts:?}");
    }
}
