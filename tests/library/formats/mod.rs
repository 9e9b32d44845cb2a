//! Laws of the formats, for all numbers of players from 0 to 64, with random results and by strength.
//!
//! Laws of every format are here; each format has its own laws in its own file.

mod brackets;
mod competition;
mod elimination;
mod everybody;
mod random_rounds;
mod swiss;
mod withdrawals;

use std::collections::{BTreeMap, BTreeSet};

use competition::{Competition, black_wins, by_chance, by_strength, drawn, field};
use proptest::prelude::*;
use referee_games::Side;
use referee_matches::tournament::{CompetitionField, Format, NextStep, Results, Round, next_rounds, ranking};
use referee_records::Pairing;

/// Every format, fit for a field of `count`.
fn formats(count: usize) -> Vec<Format> {
    let gauntlet = (count > 0).then(|| Format::Gauntlet { challenger: competition::name(count / 2) });
    let others = [
        Format::RoundRobin,
        Format::Swiss { rounds: 6 },
        Format::Knockout,
        Format::DoubleKnockout,
        Format::Elimination { round_limit: 40 },
        Format::RandomRounds { opponents: 4, rounds: 3 },
        Format::RandomRounds { opponents: 3, rounds: 2 },
    ];
    gauntlet.into_iter().chain(others).collect()
}

fn may_meet_several_at_once(format: &Format) -> bool {
    match format {
        Format::Gauntlet { .. } | Format::RandomRounds { .. } => true,
        Format::RoundRobin
        | Format::Swiss { .. }
        | Format::Knockout
        | Format::DoubleKnockout
        | Format::Elimination { .. } => false,
    }
}

/// The sizes at which something can go wrong: every one would take minutes for formats of several games.
const SIZES: [usize; 17] = [2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 63, 64];

#[test]
fn nobody_and_one_alone_are_done_at_once() {
    for count in [0, 1] {
        for format in formats(count) {
            let field = field(count, 2, 1);
            let NextStep::Over(conclusion) = next_rounds(&format, &field, &[], &Results::new()) else {
                panic!("{format:?} of {count} is not over");
            };
            assert_eq!(conclusion.winners().collect::<Vec<_>>(), field.players, "{format:?}");
        }
    }
}

#[test]
fn every_competition_of_every_size_comes_to_an_end_and_ranks_everybody() {
    for count in (2..=33).chain([63, 64]) {
        for format in formats(count) {
            let field = field(count, 2, 3);
            let played = Competition::play(&format, &field, by_chance(count as u64));
            let ranked: BTreeSet<_> = played.conclusion.ranking.iter().map(|place| &place.player).collect();
            assert_eq!(ranked, field.players.iter().collect(), "{format:?} of {count}");
            assert_eq!(played.conclusion.ranking.len(), count, "{format:?} of {count}");
            let ranks: Vec<_> = played.conclusion.ranking.iter().map(|place| place.rank).collect();
            assert!(ranks[0] == 1 && ranks.is_sorted(), "{format:?} of {count}: {ranks:?}");
        }
    }
}

#[test]
fn the_stronger_the_better() {
    for count in SIZES {
        for format in formats(count) {
            let enough_rounds = match format {
                Format::Swiss { rounds } => count <= 1 << rounds,
                Format::RoundRobin
                | Format::Gauntlet { .. }
                | Format::Knockout
                | Format::DoubleKnockout
                | Format::Elimination { .. }
                | Format::RandomRounds { .. } => true,
            };
            let played = Competition::play(&format, &field(count, 2, 5), by_strength());
            let winners: Vec<_> = played.conclusion.winners().collect();
            let best = competition::name(0);
            if enough_rounds {
                assert!(winners.contains(&best.as_str()), "{format:?} of {count}: {winners:?}");
            }
            if !matches!(format, Format::Gauntlet { .. }) {
                assert_eq!(winners.len(), 1, "{format:?} of {count}: {winners:?}");
            }
        }
    }
}

#[test]
fn names_of_games_are_file_names_that_are_unique_and_sort_as_they_are_played() {
    for count in SIZES {
        for format in formats(count) {
            let played = Competition::play(&format, &field(count, 3, 1), by_chance(7));
            let ids: Vec<_> = played.games().map(|game| game.id.as_str()).collect();
            let unique: BTreeSet<_> = ids.iter().collect();
            assert_eq!(unique.len(), ids.len(), "{format:?} of {count}");
            let fits = |id: &str| {
                id.len() <= 16
                    && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            };
            assert!(ids.iter().all(|id| fits(id)), "{format:?} of {count}: {ids:?}");
            let rounds = played.rounds.iter().filter(|round| round.games().any(|game| game.id.starts_with('r')));
            let by_name: BTreeMap<_, _> =
                rounds.flat_map(|round| round.games().map(|game| (&game.id, round.number))).collect();
            assert!(by_name.values().is_sorted(), "{format:?} of {count}: {by_name:?}");
        }
    }
}

#[test]
fn in_a_round_nobody_is_twice_and_nobody_is_forgotten() {
    for count in SIZES {
        for format in formats(count).iter().filter(|format| !may_meet_several_at_once(format)) {
            let played = Competition::play(format, &field(count, 2, 2), by_chance(1));
            for round in &played.rounds {
                let met = round.encounters.iter().flat_map(|encounter| &encounter.players);
                let busy: Vec<_> = met.chain(&round.byes).collect();
                let unique: BTreeSet<_> = busy.iter().collect();
                assert_eq!(unique.len(), busy.len(), "{format:?} of {count}: {round:?}");
            }
            let first = &played.rounds[0];
            assert_eq!(2 * first.encounters.len() + first.byes.len(), count, "{format:?}");
        }
    }
}

/// How much more often the first-named player of these games begins, and has black, than not.
fn imbalances(player: &str, games: &[&Pairing]) -> [i64; 2] {
    let net =
        |holds: &dyn Fn(&Pairing) -> bool| -> i64 { games.iter().map(|game| if holds(game) { 1 } else { -1 }).sum() };
    [net(&|game| game.name(game.first) == player), net(&|game| game.black == player)]
}

#[test]
fn within_an_encounter_each_begins_half_of_the_games() {
    for game in [referee_games::checkers::ID, referee_games::halma::ID, referee_games::othello::ID] {
        for games in 1..=5 {
            for format in formats(13) {
                let field = CompetitionField { game, ..field(13, games, 2) };
                let played = Competition::play(&format, &field, by_chance(4));
                // Further games of a tied encounter have the number of its round.
                let mut encounters: BTreeMap<_, Vec<_>> = BTreeMap::new();
                for round in &played.rounds {
                    for encounter in &round.encounters {
                        let key = (round.number, &encounter.players);
                        encounters.entry(key).or_default().extend(&encounter.games);
                    }
                }
                for ((_, [a, b]), games) in encounters {
                    let odd = i64::try_from(games.len() % 2).unwrap();
                    assert_eq!(imbalances(a, &games).map(i64::abs), [odd, odd], "{format:?}, {game}: {games:?}");
                    let of_both = |game: &Pairing| {
                        let players = [&game.black, &game.white];
                        players == [a, b] || players == [b, a]
                    };
                    assert!(a != b && games.iter().all(|game| of_both(game)), "{format:?}: {games:?}");
                }
            }
        }
    }
}

#[test]
fn another_seed_draws_other_pairings_where_there_are_lots() {
    for format in formats(16) {
        let plan = |seed| Competition::play(&format, &field(16, 2, seed), drawn()).rounds;
        let has_lots = matches!(format, Format::Elimination { .. } | Format::RandomRounds { .. });
        assert_eq!(plan(1) != plan(2), has_lots, "{format:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_resumed_competition_goes_on_as_the_undisturbed_one(
        count in 2..24_usize,
        games in 1..4_u32,
        seed in any::<u64>(),
        format in 0..8_usize,
        keep in any::<u64>(),
    ) {
        let format = &formats(count)[format];
        let field = field(count, games, seed);
        let played = Competition::play(format, &field, by_chance(seed));
        for (&planned, next) in &played.steps {
            // Results of games that the plan does not have yet change nothing.
            prop_assert_eq!(&next_rounds(format, &field, &played.rounds[..planned], &played.results), next);
        }
        for &planned in played.steps.keys().filter(|&&planned| planned > 0) {
            // Any part of the results, in whatever order they came, is waited for.
            let plan = &played.rounds[..planned];
            let mut part = played.results.clone();
            let open: Vec<_> = plan.last().unwrap().games().map(|game| &game.id).collect();
            part.retain(|id, _| !open.contains(&id) || competition::chance(keep, id).is_multiple_of(2));
            let all_there = open.iter().all(|id| part.contains_key(*id));
            let next = next_rounds(format, &field, plan, &part);
            prop_assert_eq!(next == NextStep::Waiting, !all_there);
        }
        let again = Competition::play(format, &field, by_chance(seed));
        prop_assert_eq!(again.rounds, played.rounds);
        prop_assert_eq!(again.conclusion, played.conclusion);
    }
}

/// Who wins a game.
type Oracle<'a> = &'a dyn Fn(&Pairing) -> Option<Side>;

#[test]
#[ignore = "long: large competitions"]
fn a_competition_of_hundreds_is_planned() {
    for format in formats(300) {
        // If black wins all single games, who has the same points has also begun as often, which makes pairing hard.
        let oracles: [(u32, Oracle<'_>); 2] = [(2, &by_chance(1)), (1, &black_wins())];
        for (games, oracle) in oracles.into_iter().filter(|_| format != Format::RoundRobin) {
            let played = Competition::play(&format, &field(300, games, 1), oracle);
            assert_eq!(played.conclusion.ranking.len(), 300, "{format:?}");
        }
    }
}

#[test]
fn colours_do_not_decide_who_wins() {
    // A guard for the harness itself: strength is by the player, whatever colour it has.
    let played = Competition::play(&Format::RoundRobin, &field(6, 2, 1), by_strength());
    let black_wins = played.results.values().filter(|winner| **winner == Some(Side::Black)).count();
    assert_eq!((played.results.len(), black_wins), (30, 15));
}

/// The players of some rounds, those with a bye as well.
fn players(rounds: &[Round]) -> BTreeSet<&str> {
    let met = rounds.iter().flat_map(|round| &round.encounters).flat_map(|encounter| &encounter.players);
    let byes = rounds.iter().flat_map(|round| &round.byes);
    met.chain(byes).map(String::as_str).collect()
}

#[test]
fn the_ranking_is_known_at_any_time_and_ends_as_the_conclusion() {
    for count in [0, 1, 2, 3, 5, 8, 13] {
        for format in formats(count) {
            let field = field(count, 2, 3);
            let played = Competition::play(&format, &field, by_chance(5));
            let end = ranking(&format, &field, &played.rounds, &played.results);
            assert_eq!(end, played.conclusion, "{format:?} of {count}");
            let mut so_far = Results::new();
            for game in played.games() {
                let standing = ranking(&format, &field, &played.rounds, &so_far).ranking;
                let names: BTreeSet<&str> = standing.iter().map(|place| place.player.as_str()).collect();
                assert_eq!((standing.len(), names.len()), (count, count), "{format:?}");
                so_far.insert(game.id.clone(), played.results[&game.id]);
            }
        }
    }
}

#[test]
fn between_two_rounds_exactly_the_remaining_players_are_first() {
    for count in 2..20 {
        for format in [Format::Knockout, Format::DoubleKnockout, Format::Elimination { round_limit: 40 }] {
            let field = field(count, 2, 3);
            let played = Competition::play(&format, &field, by_chance(5));
            for &planned in played.steps.keys().filter(|&&planned| planned > 0) {
                let (before, after) = played.rounds.split_at(planned);
                let finished = before.iter().flat_map(Round::games);
                let results = finished.map(|game| (game.id.clone(), played.results[&game.id])).collect();
                let standing = ranking(&format, &field, before, &results);
                let first: BTreeSet<&str> = standing.winners().collect();
                assert_eq!(first, players(after), "{format:?} of {count} after {planned}");
            }
        }
    }
}
