//! Plausible ranks: how often they contain the true rank, in simulated fields and in a real class.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use referee_matches::tournament::{Crosstable, RankRange, RankRanges, Standings};

use crate::games_of::result;

/// A round robin of agents with these strengths, in log-odds: `games` games of each ordered pair.
fn round_robin(strengths: &[f64], games: u32, random: &mut ChaCha8Rng) -> Crosstable {
    let names: Vec<String> = (0..strengths.len()).map(|agent| format!("a{agent:02}")).collect();
    let mut table = Crosstable::new(names.iter().map(String::as_str));
    for (first, own) in strengths.iter().enumerate() {
        for (second, other) in strengths.iter().enumerate().filter(|&(second, _)| second != first) {
            for _ in 0..games {
                let wins = random.random::<f64>() < 1.0 / (1.0 + (other - own).exp());
                table.add(&result(0, &names[first], &names[second], if wins { '+' } else { '-' }));
            }
        }
    }
    table
}

fn range(ranges: &RankRanges, agent: usize) -> RankRange {
    ranges.range(&format!("a{agent:02}")).unwrap()
}

/// The share of agents whose range contains the true rank, and the mean width of a range.
fn coverage(field: impl Fn(&mut ChaCha8Rng) -> Vec<f64>, games: u32, repetitions: u32) -> (f64, f64) {
    let mut random = ChaCha8Rng::seed_from_u64(561);
    let (mut covered, mut width, mut agents) = (0, 0, 0);
    for _ in 0..repetitions {
        let strengths = field(&mut random);
        let ranges = RankRanges::of(&round_robin(&strengths, games, &mut random));
        for (agent, own) in strengths.iter().enumerate() {
            let rank = 1 + u32::try_from(strengths.iter().filter(|other| *other > own).count()).unwrap();
            let range = range(&ranges, agent);
            covered += u32::from((range.best..=range.worst).contains(&rank));
            width += range.worst - range.best + 1;
            agents += 1;
        }
    }
    (f64::from(covered) / f64::from(agents), f64::from(width) / f64::from(agents))
}

/// Strengths evenly over the range from -`half` to `half`.
fn even(size: u32, half: f64) -> impl Fn(&mut ChaCha8Rng) -> Vec<f64> {
    move |_| (0..size).map(|agent| half * (2.0 * f64::from(agent) / f64::from(size - 1) - 1.0)).collect()
}

/// Two groups of agents that are nearly equal within their group.
fn two_clusters(size: u32, half: f64) -> impl Fn(&mut ChaCha8Rng) -> Vec<f64> {
    move |random| (0..size).map(|agent| half * f64::from(agent % 2 * 2) - half + 0.1 * random.random::<f64>()).collect()
}

#[test]
fn a_forecast_is_for_the_first_ten() {
    let mut random = ChaCha8Rng::seed_from_u64(561);
    let ranges = RankRanges::of(&round_robin(&even(12, 1.0)(&mut random), 1, &mut random));
    assert_eq!((ranges.certainty.ranked, ranges.certainty.top), (12, 10));
}

#[test]
#[ignore = "long: rates a class again and again"]
fn ranges_contain_the_true_rank_of_nineteen_in_twenty_agents() {
    let fields = [
        ("4 agents", coverage(even(4, 1.0), 1, 60), 4.0),
        ("10 agents, far apart", coverage(even(10, 4.0), 1, 30), 6.0),
        ("46 agents, 2 games a pair", coverage(even(46, 2.0), 1, 40), 18.0),
        ("46 agents, 20 games a pair", coverage(even(46, 2.0), 10, 20), 6.0),
        ("46 agents that are nearly equal", coverage(even(46, 0.1), 1, 40), 46.0),
        ("two clusters", coverage(two_clusters(46, 2.0), 1, 40), 24.0),
        ("two clusters, 20 games a pair", coverage(two_clusters(46, 2.0), 10, 20), 24.0),
    ];
    for (field, (covered, width), widest) in fields {
        assert!(covered >= 0.95, "{field}: {covered} covered");
        assert!(width <= widest, "{field}: {width} ranks wide on average");
    }
}

#[test]
fn a_hundred_times_the_games_settle_what_was_forecast() {
    let strengths = [1.5, 0.5, -0.5, -1.5];
    let table = |games| round_robin(&strengths, games, &mut ChaCha8Rng::seed_from_u64(7));
    let few = RankRanges::of(&table(2)).certainty;
    assert!(few.settled.len() < 4, "{few:?}");
    let forecast = few.games_to_settle.unwrap();
    assert!((1..12 * 2 * 100).contains(&forecast), "{forecast}");
    let many = RankRanges::of(&table(400)).certainty;
    assert_eq!((many.settled.as_slice(), many.games_to_settle), (&[1, 2, 3, 4][..], Some(0)));
}

#[test]
fn an_agent_that_won_everything_has_a_rank_and_one_that_has_not_played_has_none() {
    let games = ["best", "a", "b"].map(|loser| result(0, "best", loser, '+'));
    let table = Crosstable::of(["best", "a", "b", "idle"], &games[1..]);
    let ranges = RankRanges::of(&table);
    assert_eq!(ranges.range("idle"), None);
    assert_eq!(ranges.certainty.ranked, 3);
    assert!(ranges.range("best").unwrap().best == 1);
}

#[test]
fn where_nobody_has_won_every_rank_is_plausible() {
    let table = Crosstable::of([], &[result(0, "a", "b", '='), result(1, "b", "c", '=')]);
    let ranges = RankRanges::of(&table);
    let everything = Some(RankRange { best: 1, worst: 3 });
    assert_eq!(["a", "b", "c"].map(|name| ranges.range(name)), [everything; 3]);
    assert!(ranges.certainty.settled.is_empty());
}

/// The games of the class of 2021 for which `is_part` holds by the round and the names of black and white.
pub(crate) fn real_games(is_part: impl Fn(&str, &str, &str) -> bool) -> Option<Crosstable> {
    let text = crate::corpora::corpus("checkers-2021-results.csv")?;
    let (header, games) = text.split_once('\n').unwrap();
    let of_part = |line: &&str| {
        let cells: Vec<&str> = line.split(',').collect();
        is_part(cells[0], cells[1], cells[2])
    };
    let lines: Vec<&str> = games.lines().filter(of_part).collect();
    Some(Crosstable::from_csv(format!("{header}\n{}\n", lines.join("\n")).as_bytes()).unwrap())
}

/// The round of the final round robin, of 46 agents with 90 games each.
pub(crate) const FINAL: &str = "22";

/// The games of the final for which `is_part` holds by the names of black and white.
fn real_final(is_part: fn(&str, &str) -> bool) -> Option<Crosstable> {
    let table = real_games(|round, black, white| round == FINAL && is_part(black, white))?;
    assert_eq!(table.len(), 46);
    Some(table)
}

/// Whether a game of the final is in its first half: a pair has a parity, and each of its games is in another half.
pub(crate) fn is_in_first_half(black: &str, white: &str) -> bool {
    let is_even = black.bytes().chain(white.bytes()).map(u32::from).sum::<u32>() % 2 == 0;
    is_even == (black < white)
}

/// Each half of the final has one game of each pair, and everybody has either colour in it. An agent's true rank is
/// in each of its two ranges in 19 of 20 cases, so these overlap more often than that. Its rank by points in one half
/// is an estimate with as large an error as that of the other half's range, so it is outside of that more often than
/// the true rank: by a normal law in 1 - P(|x| < 1.96 / sqrt 2) = 17 of 100 cases.
#[test]
fn one_half_of_a_real_final_agrees_with_the_other() {
    let Some(first) = real_final(is_in_first_half) else {
        return;
    };
    let second = real_final(|black, white| !is_in_first_half(black, white)).unwrap();
    for (one, other) in [(&first, &second), (&second, &first)] {
        let [ranges, others] = [one, other].map(RankRanges::of);
        let standings = Standings::of(other, &[]);
        let names = || one.names().iter().map(String::as_str);
        let overlapping = names().filter(|name| {
            let [own, other] = [&ranges, &others].map(|ranges| ranges.range(name).unwrap());
            own.best <= other.worst && other.best <= own.worst
        });
        let containing = names().filter(|name| {
            let range = ranges.range(name).unwrap();
            let place = standings.agents.iter().position(|agent| agent.name == **name).unwrap() + 1;
            (range.best..=range.worst).contains(&u32::try_from(place).unwrap())
        });
        let (overlapping, containing) = (overlapping.count(), containing.count());
        assert!(20 * overlapping >= 19 * 46, "{overlapping} of 46 ranges overlap");
        assert!(100 * containing >= 83 * 46, "{containing} of 46 ranks are in the range of the other half");
    }
}

/// It settled next to nothing.
#[test]
fn a_real_final_settles_few_ranks_but_tells_the_top_from_the_bottom() {
    let Some(last) = real_final(|_, _| true) else { return };
    let ranges = RankRanges::of(&last);
    assert!(ranges.certainty.settled.len() < 10, "{:?}", ranges.certainty);
    let mean = |names: &[&str]| {
        let ranges = names.iter().map(|name| ranges.range(name).unwrap());
        ranges.map(|range| range.worst - range.best + 1).sum::<u32>() / u32::try_from(names.len()).unwrap()
    };
    let names: Vec<&str> = last.names().iter().map(String::as_str).collect();
    assert!((5..25).contains(&mean(&names)), "{} ranks wide on average", mean(&names));
    let points = |name: &str| last.tally(last.index(name).unwrap()).half_points();
    let first = names.iter().max_by_key(|name| points(name)).unwrap();
    let last = names.iter().min_by_key(|name| points(name)).unwrap();
    assert!(ranges.range(first).unwrap().worst < ranges.range(last).unwrap().best);
}
