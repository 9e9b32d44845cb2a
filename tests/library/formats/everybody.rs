//! Laws of round robin and gauntlet: everybody meets the right opponents.

use std::collections::{BTreeMap, BTreeSet};

use referee_matches::tournament::{CompetitionField, ExtraGameStart, Format, RankBy, RankKey};

use crate::formats::competition::{Competition, by_chance, by_strength, drawn, field, name, sorted};

#[test]
fn everybody_meets_everybody_once() {
    for count in 0..=64 {
        let played = Competition::play(&Format::RoundRobin, &field(count, 1, 1), by_chance(1));
        let encounters = played.rounds.iter().flat_map(|round| &round.encounters);
        let pairs: Vec<_> = encounters.map(|encounter| sorted(&encounter.players)).collect();
        let unique: BTreeSet<_> = pairs.iter().collect();
        assert_eq!((pairs.len(), unique.len()), (count * count.saturating_sub(1) / 2, pairs.len()));
    }
}

#[test]
fn a_round_robin_is_planned_at_once_in_as_few_rounds_as_can_be() {
    for count in 2..=64 {
        let played = Competition::play(&Format::RoundRobin, &field(count, 2, 1), drawn());
        assert_eq!(played.steps.len(), 1, "{count} players");
        assert_eq!(played.rounds.len(), count - 1 + count % 2, "{count} players");
        assert!(played.rounds.iter().all(|round| round.encounters.len() == count / 2));
    }
}

/// The same seed draws the same, another one something else; a pairing has its lot whoever else is there.
#[test]
fn the_odd_game_goes_by_lot_where_that_is_wanted() {
    let beginners = |count: usize, seed: u64| -> BTreeMap<String, String> {
        let drawn_field = CompetitionField { extra_game_start: ExtraGameStart::ByLot, ..field(count, 3, seed) };
        let played = Competition::play(&Format::RoundRobin, &drawn_field, drawn());
        for encounter in played.rounds.iter().flat_map(|round| &round.encounters) {
            let begun = |name: &String| encounter.games.iter().filter(|game| game.name(game.first) == name).count();
            let [first, second] = encounter.players.each_ref().map(begun);
            assert_eq!([first, second], [2, 1], "{encounter:?}");
        }
        let encounters = played.rounds.iter().flat_map(|round| &round.encounters);
        encounters.map(|encounter| (encounter.games[0].id.clone(), encounter.players[0].clone())).collect()
    };
    let eight = beginners(8, 1);
    assert_eq!(eight, beginners(8, 1));
    assert_ne!(eight, beginners(8, 2));
    let nine = beginners(9, 1);
    assert!(eight.iter().all(|(id, first_player)| nine[id] == *first_player));
    let even = CompetitionField { extra_game_start: ExtraGameStart::ByLot, ..field(8, 4, 1) };
    let balanced = Competition::play(&Format::RoundRobin, &field(8, 4, 1), drawn());
    assert_eq!(Competition::play(&Format::RoundRobin, &even, drawn()).rounds, balanced.rounds);
}

#[test]
fn everybody_has_as_many_byes_as_any_other() {
    for count in 2..=64 {
        let played = Competition::play(&Format::RoundRobin, &field(count, 2, 1), drawn());
        let byes: Vec<_> = played.rounds.iter().flat_map(|round| &round.byes).collect();
        let unique: BTreeSet<_> = byes.iter().collect();
        assert_eq!((byes.len(), unique.len()), (count % 2 * count, byes.len()), "{count} players");
    }
}

#[test]
#[ignore = "long: large competitions"]
fn over_the_event_first_turns_and_colours_differ_by_at_most_one() {
    for game in [referee_games::checkers::ID, referee_games::halma::ORIGINAL, referee_games::othello::ID] {
        for count in 2..=64 {
            for games in [1, 2, 3] {
                let field = CompetitionField { game, ..field(count, games, 1) };
                let played = Competition::play(&Format::RoundRobin, &field, drawn());
                for (player, net) in played.begun().into_iter().chain(played.black()) {
                    assert!(net.abs() <= 1, "{game}, {count} players, {games} games: {player} {net}");
                }
            }
        }
    }
}

#[test]
fn the_challenger_meets_all_others_and_they_nobody_else() {
    for count in 1..=64 {
        for challenger in [0, count / 2, count - 1] {
            let challenger = name(challenger);
            let format = Format::Gauntlet { challenger: challenger.clone() };
            let played = Competition::play(&format, &field(count, 1, 1), by_chance(2));
            assert!(played.rounds.len() <= 1);
            let encounters: Vec<_> = played.rounds.iter().flat_map(|round| &round.encounters).collect();
            let met: BTreeSet<_> = encounters.iter().flat_map(|encounter| &encounter.players).collect();
            assert!(encounters.iter().all(|encounter| encounter.players.contains(&challenger)));
            assert_eq!(encounters.len(), count - 1);
            assert_eq!(met.len(), if count == 1 { 0 } else { count });
            let balanced = |net: i64| net.abs() <= 1;
            assert!(played.begun().into_values().chain(played.black().into_values()).all(balanced), "{count}");
        }
    }
}

#[test]
fn who_beats_the_challenger_stands_above_it() {
    let format = Format::Gauntlet { challenger: name(2) };
    let played = Competition::play(&format, &field(5, 2, 1), by_strength());
    let ranking = played.conclusion.ranking.iter();
    let ranks: Vec<_> = ranking.map(|place| (place.rank, place.player.as_str(), place.rank_keys[0])).collect();
    assert_eq!(
        ranks,
        [
            (1, "agent 000", RankKey::Margin(4)),
            (1, "agent 001", RankKey::Margin(4)),
            (3, "agent 002", RankKey::Margin(0)),
            (4, "agent 003", RankKey::Margin(-4)),
            (4, "agent 004", RankKey::Margin(-4)),
        ]
    );
}

#[test]
fn a_round_robin_is_ranked_by_points_then_by_whom_they_were_won_against() {
    for seed in 0..20 {
        let played = Competition::play(&Format::RoundRobin, &field(9, 2, 1), by_chance(seed));
        let mut points: BTreeMap<&str, u32> = BTreeMap::new();
        for game in played.games() {
            for player in [&game.black, &game.white] {
                *points.entry(player).or_default() += match played.results[&game.id] {
                    None => 1,
                    Some(side) => 2 * u32::from(game.name(side) == player),
                };
            }
        }
        let share = |player: &str| -> u64 {
            let games = played.games().filter(|game| game.black == player || game.white == player);
            let worth = games.map(|game| {
                let opponent = if game.black == player { &game.white } else { &game.black };
                let won = match played.results[&game.id] {
                    None => 1,
                    Some(side) => 2 * u64::from(game.name(side) == player),
                };
                won * u64::from(points[opponent.as_str()])
            });
            worth.sum()
        };
        let rank_keys =
            |player: &str| vec![RankKey::HalfPoints(points[player]), RankKey::SonnebornBerger(share(player))];
        for place in &played.conclusion.ranking {
            assert_eq!(place.rank_keys, rank_keys(&place.player));
            let better = points.keys().filter(|other| rank_keys(other) > place.rank_keys).count();
            assert_eq!(place.rank, better + 1);
        }
    }
}

#[test]
fn a_round_robin_may_be_ranked_by_the_pairings_won_before_the_points() {
    let mut overtaken = 0;
    for seed in 0..20 {
        let field = CompetitionField { rank_by: RankBy::Pairings, ..field(9, 3, 1) };
        let played = Competition::play(&Format::RoundRobin, &field, by_chance(seed));
        let mut won: BTreeMap<&str, u32> = field.players.iter().map(|player| (player.as_str(), 0)).collect();
        for encounter in played.rounds.iter().flat_map(|round| &round.encounters) {
            let [one, other] = encounter.players.each_ref().map(|player| {
                let winners = encounter.games.iter().map(|game| (game, played.results[&game.id]));
                winners.filter(|(game, winner)| winner.is_some_and(|side| game.name(side) == player)).count()
            });
            let [first, second] = &encounter.players;
            *won.get_mut(first.as_str()).unwrap() += u32::from(one > other);
            *won.get_mut(second.as_str()).unwrap() += u32::from(other > one);
        }
        let ranking = &played.conclusion.ranking;
        for place in ranking {
            assert_eq!(place.rank_keys[0], RankKey::Pairings(won[place.player.as_str()]), "{place:?}");
            let better = ranking.iter().filter(|other| other.rank_keys > place.rank_keys).count();
            assert_eq!(place.rank, better + 1);
        }
        overtaken += usize::from(ranking.windows(2).any(|pair| pair[0].rank_keys[1] < pair[1].rank_keys[1]));
        // The same games are ranked by points without the key.
        let by_points = CompetitionField { rank_by: RankBy::Points, ..field };
        let by_points = Competition::play(&Format::RoundRobin, &by_points, by_chance(seed));
        assert_eq!(by_points.results, played.results);
        assert!(by_points.conclusion.ranking.is_sorted_by_key(|place| std::cmp::Reverse(place.rank_keys[0])));
    }
    assert!(overtaken > 0, "some player with fewer points has won more pairings");
}
