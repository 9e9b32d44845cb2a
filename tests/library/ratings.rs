//! Ratings and match statistics: published examples, an independent maximum, and laws.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use referee_matches::tournament::{
    Crosstable, ELO_PER_LOG_ODDS, Estimate, HeadToHead, MatchCounts, MatchStatistics, Pentanomial, RatingOptions,
    Ratings, Sprt, SprtDecision, Strength, encounter, ratings, score_of_elo,
};
use referee_records::GameSummary;

use crate::games_of::result;

const NO_FIRST_MOVE: RatingOptions = RatingOptions { first_move: false, virtual_draws: 0.0 };

/// The same match from the view of the other agent.
fn exchanged(counts: MatchCounts) -> MatchCounts {
    let HeadToHead { lost, drawn, won } = counts.games;
    let mut pairs = counts.pairs.0;
    pairs.reverse();
    MatchCounts { games: HeadToHead { lost: won, drawn, won: lost }, pairs: Pentanomial(pairs), ..counts }
}

fn rate(games: &[GameSummary], options: &RatingOptions) -> Ratings {
    ratings(&Crosstable::of([], games), options)
}

fn estimate(ratings: &Ratings, name: &str) -> Estimate {
    let agent = ratings.rating_of(name).unwrap();
    agent.strength.estimate().unwrap_or_else(|| panic!("{name}: {:?}", agent.strength))
}

fn log_odds(ratings: &Ratings, name: &str) -> f64 {
    estimate(ratings, name).elo / ELO_PER_LOG_ODDS
}

/// The games that `counts` stand for: first, second, won by the first, drawn, won by the second.
fn games<'a>(counts: impl IntoIterator<Item = (&'a str, &'a str, [u32; 3])>) -> Vec<GameSummary> {
    let mut games = Vec::new();
    for (first, second, results) in counts {
        for (letter, count) in "+=-".chars().zip(results) {
            for _ in 0..count {
                games.push(result(games.len(), first, second, letter));
            }
        }
    }
    games
}

fn baseball() -> Vec<GameSummary> {
    let table = include_str!("data/baseball-1987.csv");
    let rows = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    games(rows.map(|row| {
        let [home, visitor, won, lost] = row.split(',').collect::<Vec<_>>().try_into().unwrap();
        (home, visitor, [won.parse().unwrap(), 0, lost.parse().unwrap()])
    }))
}

/// Agresti (2002), section 10.6 and table 10.11, column 3; the errors there are "about 0.3". The same figures are
/// checked by the tests of the R package `BradleyTerry2`.
#[test]
fn baseball_without_home_advantage_is_as_published() {
    let rated = rate(&baseball(), &NO_FIRST_MOVE);
    let published = [
        ("Milwaukee", 1.58),
        ("Detroit", 1.44),
        ("Toronto", 1.29),
        ("New York", 1.25),
        ("Boston", 1.11),
        ("Cleveland", 0.68),
        ("Baltimore", 0.0),
    ];
    let order: Vec<&str> = rated.agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(order, published.map(|(name, _)| name));
    for (name, strength) in published {
        let difference = log_odds(&rated, name) - log_odds(&rated, "Baltimore");
        assert!((difference - strength).abs() < 0.005, "{name}");
    }
    // 0.68 with an error of 0.35, and of 0.25.
    let superiority = rated.superiority("Cleveland", "Baltimore").unwrap();
    assert!((0.974..0.997).contains(&superiority), "{superiority}");
    assert_eq!((rated.groups, rated.first_move, rated.draw_probability), (1, None, 0.0));
}

/// The same table, column 5, and the home advantage of 0.302 in the text.
#[test]
fn baseball_with_home_advantage_is_as_published() {
    let rated = rate(&baseball(), &RatingOptions::default());
    let home = rated.first_move.unwrap().elo / ELO_PER_LOG_ODDS;
    assert!((home - 0.302).abs() < 0.0005, "{home}");
    let weights: Vec<f64> = rated.agents.iter().map(|agent| log_odds(&rated, &agent.name).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let published = [0.220, 0.190, 0.164, 0.157, 0.137, 0.088, 0.044];
    for (weight, share) in weights.iter().zip(published) {
        assert!((weight / sum - share).abs() < 0.0005, "{weights:?}");
    }
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Davidson's probabilities as he writes them, in weights instead of log-odds.
fn log_likelihood(counts: &[(usize, usize, [u32; 3])], parameters: &[f64]) -> f64 {
    let weight = |player: usize| parameters[player].exp();
    let (order, ties) = (parameters[4].exp(), parameters[5].exp());
    let terms = counts.iter().map(|&(first, second, results)| {
        let (one, other) = (order * weight(first), weight(second));
        let drawn = ties * (one * other).sqrt();
        let all = one + other + drawn;
        let chances = [one / all, drawn / all, other / all];
        let term = |(count, chance): (u32, f64)| f64::from(count) * chance.ln();
        results.into_iter().zip(chances).map(term).sum::<f64>()
    });
    terms.sum()
}

/// The maximum by brute force: each parameter in turn is moved up and down by ever smaller steps.
fn brute_force(counts: &[(usize, usize, [u32; 3])]) -> Vec<f64> {
    let mut parameters = vec![0.0; 6];
    let mut best = log_likelihood(counts, &parameters);
    let mut step = 0.5;
    while step > 1e-7 {
        let mut improved = false;
        for index in 0..parameters.len() {
            for signed in [step, -step] {
                parameters[index] += signed;
                let here = log_likelihood(counts, &parameters);
                if here > best {
                    (best, improved) = (here, true);
                } else {
                    parameters[index] -= signed;
                }
            }
        }
        if !improved {
            step /= 2.0;
        }
    }
    let mean = parameters[..4].iter().sum::<f64>() / 4.0;
    parameters[..4].iter_mut().for_each(|strength| *strength -= mean);
    parameters
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_maximum_with_draws_and_first_move_is_the_one_of_brute_force(
        counts in proptest::collection::vec([1..9_u32, 1..6_u32, 1..9_u32], 12)
    ) {
        let pairs = (0..4).flat_map(|one| (0..4).filter(move |&other| other != one).map(move |other| (one, other)));
        let counts: Vec<_> = pairs.zip(counts).map(|((one, other), results)| (one, other, results)).collect();
        let expected = brute_force(&counts);
        let rated = rate(
            &games(counts.iter().map(|&(one, other, results)| (NAMES[one], NAMES[other], results))),
            &RatingOptions::default(),
        );
        for (player, name) in NAMES.iter().enumerate() {
            prop_assert!((log_odds(&rated, name) - expected[player]).abs() < 1e-4);
        }
        prop_assert!((rated.first_move.unwrap().elo / ELO_PER_LOG_ODDS - expected[4]).abs() < 1e-4);
        let ties = (expected[5]).exp();
        prop_assert!((rated.draw_probability - ties / (2.0 + ties)).abs() < 1e-4);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Connected for certain: the first three agents have won and lost against each other.
    #[test]
    fn laws_of_ratings(
        counts in proptest::collection::vec([1..6_u32, 0..4_u32, 1..6_u32], 6),
        scale in 2..5_u32,
        shift in 0..4_usize,
        shuffle in any::<u64>(),
    ) {
        let pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)];
        let named = |names: [&'static str; 4], factor: u32| {
            let counts = counts.clone();
            games(pairs.into_iter().zip(counts).map(move |((one, other), results)| {
                (names[one], names[other], results.map(|count| count * factor))
            }))
        };
        let mut played = named(NAMES, 1);
        let rated = rate(&played, &RatingOptions::default());
        let sum: f64 = NAMES.iter().map(|name| estimate(&rated, name).elo).sum();
        prop_assert!(sum.abs() < 1e-6);

        // The order of the games is of no account, to the last bit.
        let mut random = ChaCha8Rng::seed_from_u64(shuffle);
        for last in (1..played.len()).rev() {
            played.swap(last, random.random_range(0..=last));
        }
        prop_assert_eq!(&rate(&played, &RatingOptions::default()), &rated);

        // With everything several times over, the ratings stay and the errors shrink with the square root.
        let more = rate(&named(NAMES, scale), &RatingOptions::default());
        // With other names, the ratings go with the names.
        let mut turned = NAMES;
        turned.rotate_left(shift);
        let renamed = rate(&named(turned, 1), &RatingOptions::default());
        for (name, new_name) in NAMES.into_iter().zip(turned) {
            let (here, there) = (estimate(&rated, name), estimate(&more, name));
            prop_assert!((here.elo - there.elo).abs() < 1e-6);
            let shrunk = here.standard_error / f64::from(scale).sqrt();
            prop_assert!((there.standard_error - shrunk).abs() < 1e-6);
            prop_assert!((estimate(&renamed, new_name).elo - here.elo).abs() < 1e-6);
            for other in NAMES.into_iter().filter(|other| *other != name) {
                let both = rated.superiority(name, other).unwrap() + rated.superiority(other, name).unwrap();
                prop_assert!((both - 1.0).abs() < 1e-9);
                let stronger = here.elo > estimate(&rated, other).elo;
                prop_assert_eq!(stronger, rated.superiority(name, other).unwrap() > 0.5);
            }
        }
    }
}

#[test]
fn two_agents_without_draws_have_the_error_of_a_coin() {
    let rated = rate(&games([("a", "b", [75, 0, 25])]), &NO_FIRST_MOVE);
    let (a, b) = (estimate(&rated, "a"), estimate(&rated, "b"));
    assert!((a.elo - b.elo - ELO_PER_LOG_ODDS * 3.0_f64.ln()).abs() < 1e-6);
    // Each is off by half of the error of the difference.
    let error = ELO_PER_LOG_ODDS / (100.0 * 0.75 * 0.25_f64).sqrt();
    for agent in [a, b] {
        assert!((agent.standard_error - error / 2.0).abs() < 1e-6);
    }
}

#[test]
fn a_symmetric_pair_is_equal_and_neither_is_the_better_one() {
    let rated = rate(&games([("a", "b", [7, 3, 4]), ("b", "a", [7, 3, 4])]), &RatingOptions::default());
    assert!(estimate(&rated, "a").elo.abs() < 1e-9 && estimate(&rated, "b").elo.abs() < 1e-9);
    assert!((rated.superiority("a", "b").unwrap() - 0.5).abs() < 1e-9);
    assert!(rated.first_move.unwrap().elo > 0.0);
}

#[test]
fn agents_without_a_rating_have_a_reason() {
    let mut played = games([
        ("a", "b", [2, 0, 1]),
        ("b", "c", [1, 1, 1]),
        ("x", "y", [1, 0, 2]),
        ("best", "a", [3, 0, 0]),
        ("best", "x", [1, 0, 0]),
        ("c", "worst", [2, 0, 0]),
        // Beats all of the second group, loses to all of the first.
        ("a", "between", [1, 0, 0]),
        ("between", "x", [1, 0, 0]),
    ]);
    let table = Crosstable::of(["idle"], &played);
    let rated = ratings(&table, &RatingOptions::default());
    assert_eq!(rated.groups, 2);
    let names: Vec<&str> = rated.agents.iter().map(|agent| agent.name.as_str()).collect();
    assert_eq!(names, ["best", "a", "b", "c", "y", "x", "between", "worst", "idle"]);
    let group = |name: &str| match rated.rating_of(name).unwrap().strength {
        Strength::Rated { group, .. } => group,
        _ => 0,
    };
    assert_eq!(["a", "b", "c", "x", "y"].map(group), [1, 1, 1, 2, 2]);
    let reason = |name: &str| rated.rating_of(name).unwrap().strength.reason();
    assert_eq!(reason("best"), Some("no finite rating: won every game"));
    assert_eq!(reason("worst"), Some("no finite rating: lost every game"));
    assert_eq!(
        reason("between"),
        Some("no finite rating: won every game against some opponents and lost every game against the others")
    );
    assert_eq!(reason("idle"), Some("no rating: no game finished"));
    assert_eq!((rated.superiority("a", "x"), rated.superiority("best", "a")), (None, None));

    // A weak prior makes all who have played comparable, and keeps them in their order.
    let prior = RatingOptions { virtual_draws: 1.0, ..NO_FIRST_MOVE };
    let with_prior = ratings(&table, &prior);
    assert_eq!(with_prior.groups, 1);
    let elo = |name: &str| estimate(&with_prior, name).elo;
    assert!(elo("best") > elo("a") && elo("a") > elo("b") && elo("c") > elo("worst"));
    assert!(elo("a") > elo("between") && elo("between") > elo("x"));
    assert_eq!(with_prior.rating_of("idle").unwrap().strength, Strength::NoGames);

    // One game the other way round, and the best has a finite rating after all.
    played.push(result(99, "a", "best", '+'));
    assert!(rate(&played, &RatingOptions::default()).rating_of("best").unwrap().strength.estimate().is_some());
}

#[test]
fn extreme_results_end_in_words_and_not_in_numbers() {
    let drawn = rate(&games([("a", "b", [0, 5, 0])]), &RatingOptions::default());
    assert_eq!(drawn.rating_of("a").unwrap().strength, Strength::AllDrawn);
    // Whoever moves first wins: the first move is worth more than any number, but the two are equal.
    let first = rate(&games([("a", "b", [5, 0, 0]), ("b", "a", [5, 0, 0])]), &RatingOptions::default());
    assert_eq!(first.first_move, None);
    assert!(estimate(&first, "a").elo.abs() < 1e-9);
    assert!(rate(&[], &RatingOptions::default()).agents.is_empty());
}

#[test]
fn known_strengths_are_found_again() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let names: Vec<String> = (0..12).map(|player| format!("p{player:02}")).collect();
    let truth = |player: usize| -> f64 { 40.0 * (f64::from(u32::try_from(player).unwrap()) - 5.5) };
    let mut played = Vec::new();
    for first in 0..12 {
        for second in (0..12).filter(|&second| second != first) {
            for _ in 0..60 {
                let expected = score_of_elo(truth(first) - truth(second) + 30.0);
                let letter = if random.random_bool(expected) { '+' } else { '-' };
                played.push(result(played.len(), &names[first], &names[second], letter));
            }
        }
    }
    let rated = rate(&played, &RatingOptions::default());
    let sigmas = |estimate: Estimate, truth: f64| ((estimate.elo - truth) / estimate.standard_error).abs();
    assert!(sigmas(rated.first_move.unwrap(), 30.0) < 3.0);
    let off: Vec<f64> = (0..12).map(|player| sigmas(estimate(&rated, &names[player]), truth(player))).collect();
    assert!(off.iter().all(|&off| off < 3.5), "{off:?}");
    assert!(off.iter().filter(|&&off| off < 1.0).count() >= 5, "errors are not overstated: {off:?}");
}

fn trinomial(lost: u32, drawn: u32, won: u32) -> MatchCounts {
    MatchCounts { games: HeadToHead { lost, drawn, won }, ..MatchCounts::default() }
}

fn pentanomial(counts: [u32; 5]) -> MatchCounts {
    let [ll, ld, even, wd, ww] = counts;
    MatchCounts {
        // One way in which the games may have gone.
        games: HeadToHead { lost: 2 * ll + ld, drawn: ld + 2 * even + wd, won: wd + 2 * ww },
        pairs: Pentanomial(counts),
        paired: true,
    }
}

/// Worked out by hand: 60 - 40 without draws.
#[test]
fn a_match_has_the_difference_and_the_certainty_that_follow_from_it() {
    let statistics = MatchStatistics::of(trinomial(40, 0, 60));
    assert_eq!(statistics.score, Some(0.6));
    assert!((statistics.elo.unwrap() - 70.436_504).abs() < 1e-5, "{statistics:?}");
    // (60 - 40) / sqrt(100) = 2 standard errors.
    assert!((statistics.superiority - 0.977_249_868).abs() < 1e-8);
    // Wilson's interval for 60 of 100.
    assert!((statistics.score_interval.low - 0.502_003).abs() < 1e-6, "{statistics:?}");
    assert!((statistics.score_interval.high - 0.690_599).abs() < 1e-6, "{statistics:?}");
    let all_won = MatchStatistics::of(trinomial(0, 0, 20));
    assert_eq!((all_won.elo, all_won.elo_high), (None, None));
    assert!(all_won.elo_low.unwrap() > 200.0 && all_won.superiority > 0.99999);
    let nothing = MatchStatistics::of(MatchCounts::default());
    assert_eq!((nothing.score, nothing.elo, nothing.superiority), (None, None, 0.5));
}

#[test]
fn pairs_are_counted_when_both_games_are_finished() {
    let planned = encounter(referee_games::checkers::ID, "a", "b", 6);
    let finished = |index: usize, letter: char| {
        let mut game = result(index, &planned[index].black, &planned[index].white, letter);
        game.id.clone_from(&planned[index].id);
        game
    };
    // a wins both; a wins and draws; of the third pair one game is not finished.
    let games = [finished(3, '='), finished(0, '+'), finished(1, '-'), finished(2, '+'), finished(5, '+')];
    let counts = MatchCounts::of("a", "b", &planned, &games);
    assert_eq!(counts.games, HeadToHead { lost: 1, drawn: 1, won: 3 });
    assert_eq!((counts.pairs, counts.paired), (Pentanomial([0, 0, 0, 1, 1]), true));
    assert_eq!(MatchCounts::of("b", "a", &planned, &games), exchanged(counts));
}

/// Where both games of a pair go to whoever moves first, pairs vary less than their games.
#[test]
fn pairs_show_a_difference_that_single_games_hide() {
    let paired = pentanomial([0, 10, 70, 20, 0]);
    let statistics = MatchStatistics::of(paired);
    let as_games = MatchStatistics::of(MatchCounts {
        paired: false,
        games: HeadToHead { lost: 80, drawn: 30, won: 90 },
        ..paired
    });
    assert!((statistics.score.unwrap() - as_games.score.unwrap()).abs() < 1e-12);
    assert!(statistics.superiority > as_games.superiority);
    assert!(statistics.elo_low > as_games.elo_low && statistics.elo_high < as_games.elo_high);
}

/// For large counts the statistic is N (s1 - s0) (2 s - s0 - s1) / (2 variance): the approximation that follows from
/// the theorem of large numbers (M. Van den Bergh, "A practical introduction to the GSPRT").
#[test]
fn the_statistic_of_a_sequential_test_approaches_its_normal_form() {
    let sprt: Sprt = "elo0=0,elo1=4".parse().unwrap();
    let counts = [1000_u32, 9000, 20000, 9400, 1050];
    let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    let share = |index: usize| f64::from(u32::try_from(index).unwrap()) / 4.0;
    let mean = |value: &dyn Fn(f64) -> f64| {
        counts.iter().enumerate().map(|(index, &count)| f64::from(count) * value(share(index))).sum::<f64>() / total
    };
    let score = mean(&|share| share);
    let variance = mean(&|share| (share - score).powi(2));
    let (s0, s1) = (score_of_elo(0.0), score_of_elo(4.0));
    let normal = total * (s1 - s0) * (2.0 * score - s0 - s1) / (2.0 * variance);
    let exact = sprt.state(&pentanomial(counts)).llr;
    assert!((exact - normal).abs() < 0.01 * normal.abs(), "{exact} {normal}");
}

proptest! {
    #[test]
    fn laws_of_the_sequential_test(
        counts in [0..60_u32, 0..60_u32, 0..60_u32, 0..60_u32, 0..60_u32],
        elo in 1.0..80.0_f64,
    ) {
        let sprt = |elo0, elo1| Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 };
        let test = sprt(0.0, elo);
        let llr = |counts| test.state(&pentanomial(counts)).llr;
        let here = llr(counts);
        prop_assert!(here.is_finite());
        // More wins speak for H1, more losses against it.
        let [mut better, mut worse] = [counts; 2];
        better[4] += 1;
        worse[0] += 1;
        prop_assert!(llr(better) > here && llr(worse) < here);
        // Exchanging agents and hypotheses turns the sign.
        let match_counts = pentanomial(counts);
        let mirrored = sprt(-elo, 0.0).state(&exchanged(match_counts)).llr;
        prop_assert!((mirrored + here).abs() < 1e-6 * here.abs().max(1.0));
        // So it does for what else is said of a match.
        let (one, other) = (MatchStatistics::of(match_counts), MatchStatistics::of(exchanged(match_counts)));
        prop_assert!((one.superiority + other.superiority - 1.0).abs() < 1e-9);
        prop_assert!((one.elo.unwrap_or(0.0) + other.elo.unwrap_or(0.0)).abs() < 1e-6);
    }
}

/// A game of two agents whose scores are `score`, with a fifth of the games drawn.
fn played(random: &mut ChaCha8Rng, score: f64) -> usize {
    let throw: f64 = random.random();
    match throw {
        throw if throw < 0.2 => 1,
        throw if throw < score + 0.1 => 2,
        _ => 0,
    }
}

#[test]
fn simulated_tests_err_about_as_often_as_they_may() {
    let sprt: Sprt = "elo0=0,elo1=60,alpha=0.1,beta=0.1".parse().unwrap();
    for (truth, right) in [(0.0, SprtDecision::AcceptH0), (60.0, SprtDecision::AcceptH1)] {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let score = score_of_elo(truth);
        let tests = 200;
        let correct = (0..tests).filter(|_| {
            let mut counts = [0_u32; 5];
            loop {
                counts[played(&mut random, score) + played(&mut random, score)] += 1;
                match sprt.state(&pentanomial(counts)).decision {
                    SprtDecision::Continue => {}
                    decision => return decision == right,
                }
            }
        });
        // 180 of 200 are expected; the standard deviation is 4.
        let correct = correct.count();
        assert!((168..=198).contains(&correct), "{truth} Elo: {correct} of {tests}");
    }
}
