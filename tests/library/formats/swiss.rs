//! Laws of Swiss: no avoidable rematches, fair byes, balanced first turns, and tie-breaks.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use referee_games::Side;
use referee_matches::tournament::{Format, RankKey};
use referee_records::Pairing;

use crate::formats::competition::{Competition, by_chance, by_strength, chance, field, name, sorted};

/// The least number of rematches that a round among `players` needs, by trying everything.
fn fewest_rematches(players: &[&str], met: &BTreeSet<[String; 2]>) -> usize {
    let Some((&first, rest)) = players.split_first() else {
        return 0;
    };
    let choices = (0..rest.len()).map(|index| {
        let pair = [first.to_owned(), rest[index].to_owned()];
        let others: Vec<_> = rest.iter().copied().filter(|&other| other != rest[index]).collect();
        usize::from(met.contains(&pair)) + fewest_rematches(&others, met)
    });
    choices.min().unwrap_or(0)
}

fn owned([a, b]: [&str; 2]) -> [String; 2] {
    [a.to_owned(), b.to_owned()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn rematches_are_as_few_as_can_be(count in 2..9_usize, games in 1..3_u32, seed in any::<u64>()) {
        let format = Format::Swiss { rounds: 10 };
        let played = Competition::play(&format, &field(count, games, seed), by_chance(seed));
        let (mut met, mut byes) = (BTreeSet::new(), vec![0; count]);
        for round in &played.rounds {
            let pairs: Vec<_> = round.encounters.iter().map(|encounter| owned(sorted(&encounter.players))).collect();
            let rematches = pairs.iter().filter(|pair| met.contains(*pair)).count();
            // With an odd number, whoever of those with the fewest byes saves a rematch has another.
            let names: Vec<_> = (0..count).map(name).collect();
            let fewest_byes = byes.iter().min().copied();
            let without = |bye: usize| {
                let others = (0..count).filter(move |&place| place != bye);
                others.map(|place| &*names[place]).collect()
            };
            let fields: Vec<Vec<&str>> = if count % 2 == 0 {
                vec![names.iter().map(String::as_str).collect()]
            } else {
                (0..count).filter(|&place| Some(byes[place]) == fewest_byes).map(without).collect()
            };
            let fewest = fields.iter().map(|players| fewest_rematches(players, &met)).min();
            prop_assert_eq!(Some(rematches), fewest, "round {}", round.number);
            for place in (0..count).filter(|&place| round.byes.contains(&name(place))) {
                byes[place] += 1;
            }
            met.extend(pairs);
        }
    }

    #[test]
    fn first_turns_differ_by_at_most_two(count in 2..65_usize, seed in any::<u64>()) {
        // FIDE's limit, too. More rounds than these make it give way to fresh opponents.
        let rounds = u32::try_from(count / 2).unwrap();
        let played = Competition::play(&Format::Swiss { rounds }, &field(count, 1, seed), by_chance(seed));
        for (player, net) in played.begun() {
            prop_assert!(net.abs() <= 2, "{player}: {net}");
        }
    }
}

#[test]
fn nobody_meets_again_while_half_of_the_others_are_left() {
    // Each has then still half of the players to meet, so that by Dirac's theorem a round without a rematch exists.
    for count in 2..=64_usize {
        let rounds = u32::try_from((count / 2).min(9)).unwrap();
        let played = Competition::play(&Format::Swiss { rounds }, &field(count, 1, 3), by_chance(count as u64));
        let encounters = played.rounds.iter().flat_map(|round| &round.encounters);
        let pairs: Vec<_> = encounters.map(|encounter| sorted(&encounter.players)).collect();
        let unique: BTreeSet<_> = pairs.iter().collect();
        assert_eq!(unique.len(), pairs.len(), "{count} players");
    }
}

#[test]
fn a_bye_goes_to_the_last_without_one() {
    for count in [3, 5, 9, 21, 63] {
        let played = Competition::play(&Format::Swiss { rounds: 12 }, &field(count, 2, 3), by_strength());
        let mut byes: BTreeMap<&str, usize> = BTreeMap::new();
        assert_eq!(played.rounds[0].byes, [name(count - 1)]);
        for round in &played.rounds {
            let [bye] = round.byes.as_slice() else {
                panic!("{count} players: {:?}", round.byes);
            };
            let players = Competition::players(round);
            let fewest = players.iter().map(|player| byes.get(player).copied().unwrap_or(0)).min();
            let had = byes.entry(bye).or_insert(0);
            assert!(fewest.is_none_or(|fewest| *had <= fewest), "{count} players: {bye} has another bye");
            *had += 1;
        }
    }
}

#[test]
fn the_first_round_folds_the_field() {
    let played = Competition::play(&Format::Swiss { rounds: 1 }, &field(8, 2, 1), by_strength());
    let encounters = played.rounds[0].encounters.iter();
    let pairs: Vec<_> = encounters.map(|encounter| owned(sorted(&encounter.players))).collect();
    assert_eq!(pairs, [[name(0), name(4)], [name(1), name(5)], [name(2), name(6)], [name(3), name(7)]]);
}

#[test]
fn equals_meet_equals() {
    // 64 players of strict strength: in each round everybody finds an opponent with the same points.
    let played = Competition::play(&Format::Swiss { rounds: 6 }, &field(64, 2, 1), by_strength());
    let mut points: BTreeMap<&str, usize> = BTreeMap::new();
    for round in &played.rounds {
        for encounter in &round.encounters {
            let [a, b] = encounter.players.each_ref().map(|player| points.get(player.as_str()).copied());
            assert_eq!(a, b, "round {}: {encounter:?}", round.number);
        }
        for encounter in &round.encounters {
            for player in &encounter.players {
                let won = usize::from(played.winner(encounter) == Some(player));
                *points.entry(player).or_insert(0) += won;
            }
        }
    }
}

#[test]
fn who_began_one_game_too_often_meets_equals_all_the_same() {
    for seed in 0..40 {
        // Random winners, so that any number of the four may have begun.
        let by_lot = |game: &Pairing| Some(Side::BOTH[usize::from(chance(seed, &game.id).is_multiple_of(2))]);
        let played = Competition::play(&Format::Swiss { rounds: 2 }, &field(8, 1, seed), by_lot);
        let begun: BTreeSet<_> = played.rounds[0].games().map(|game| game.name(game.first)).collect();
        let (winners, losers): (Vec<_>, Vec<_>) = played.rounds[0]
            .encounters
            .iter()
            .map(|encounter| (played.winner(encounter).unwrap(), played.loser(encounter).unwrap()))
            .unzip();
        for group in [winners, losers] {
            let pairs = played.rounds[1].encounters.iter().map(|encounter| &encounter.players);
            let pairs: Vec<_> = pairs.filter(|[a, _]| group.contains(&a.as_str())).collect();
            assert!(pairs.iter().all(|[_, b]| group.contains(&b.as_str())), "{seed}: {pairs:?}");
            // Whoever began meets somebody who did not, as far as there are any.
            let beginners = group.iter().filter(|player| begun.contains(*player)).count();
            let is_alike = |[a, b]: &&&[String; 2]| begun.contains(a.as_str()) == begun.contains(b.as_str());
            assert_eq!(pairs.iter().filter(is_alike).count(), beginners.abs_diff(2), "{seed}: {pairs:?}");
        }
    }
}

#[test]
fn the_ranking_is_by_points_buchholz_and_sonneborn_berger() {
    for (count, games) in [(8, 1), (9, 2), (16, 2), (11, 1)] {
        let played = Competition::play(&Format::Swiss { rounds: 4 }, &field(count, games, 1), by_chance(6));
        // For each player: its opponents, itself for a bye, with the half points won against them.
        let mut won: BTreeMap<&str, Vec<(&str, u32)>> = BTreeMap::new();
        for round in &played.rounds {
            for bye in &round.byes {
                won.entry(bye).or_default().push((bye, 2 * games));
            }
            for encounter in &round.encounters {
                let wins = played.wins(encounter).map(|wins| u32::try_from(wins).unwrap());
                let [a, b] = encounter.players.each_ref().map(String::as_str);
                let of_a = games + wins[0] - wins[1];
                won.entry(a).or_default().push((b, of_a));
                won.entry(b).or_default().push((a, 2 * games - of_a));
            }
        }
        let points = |player: &str| won[player].iter().map(|(_, won)| won).sum::<u32>();
        for place in &played.conclusion.ranking {
            let opponents = &won[place.player.as_str()];
            let worth = |(opponent, won): &(&str, u32)| u64::from(points(opponent)) * u64::from(*won);
            assert_eq!(
                place.rank_keys,
                [
                    RankKey::HalfPoints(points(&place.player)),
                    RankKey::Buchholz(opponents.iter().map(|(opponent, _)| u64::from(points(opponent))).sum()),
                    RankKey::SonnebornBerger(opponents.iter().map(worth).sum()),
                ]
            );
        }
        let rank_keys: Vec<_> = played.conclusion.ranking.iter().map(|place| &place.rank_keys).collect();
        assert!(rank_keys.is_sorted_by(|a, b| a >= b));
    }
}
