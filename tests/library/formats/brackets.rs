//! Laws of single and double elimination: seeding, byes, losses, tied encounters.

use std::collections::BTreeMap;

use referee_matches::tournament::{Format, RankKey};

use crate::formats::competition::{Competition, black_wins, by_chance, by_strength, drawn, field, name};

/// How many rounds single elimination needs.
fn doublings(count: usize) -> u32 {
    count.next_power_of_two().ilog2()
}

/// How many encounters each player has lost, further games counted with the encounter that they belong to.
fn losses(played: &Competition) -> BTreeMap<String, usize> {
    let mut losses = BTreeMap::new();
    for (number, rounds) in played.by_number() {
        for encounter in &rounds[0].encounters {
            let mut whole = encounter.clone();
            let more = rounds[1..].iter().flat_map(|round| &round.encounters);
            for further in more.filter(|further| further.players == whole.players) {
                whole.games.extend(further.games.iter().cloned());
            }
            let [a, b] = &whole.players;
            let by_seed = a.max(b).as_str();
            let loser = match played.winner(&whole) {
                Some(winner) if winner == a => b,
                Some(_) => a,
                None => by_seed,
            };
            *losses.entry(loser.to_owned()).or_insert(0) += 1;
            assert!(losses[loser] <= 2, "round {number}: {loser} plays on after two losses");
        }
    }
    losses
}

#[test]
fn single_elimination_takes_the_binary_logarithm_of_rounds() {
    for count in 2..=64 {
        let played = Competition::play(&Format::Knockout, &field(count, 2, 1), by_strength());
        assert_eq!(played.rounds.len(), doublings(count) as usize, "{count} players");
        assert_eq!(played.conclusion.winners().collect::<Vec<_>>(), ["agent 000"]);
        assert_eq!(played.conclusion.ranking[0].rank_keys, [RankKey::Rounds(doublings(count))]);
    }
}

#[test]
fn the_best_seeds_have_the_byes_of_the_first_round_and_nobody_later() {
    for count in 2..=64 {
        for format in [Format::Knockout, Format::DoubleKnockout] {
            let played = Competition::play(&format, &field(count, 2, 1), by_chance(2));
            let mut byes = played.rounds[0].byes.clone();
            byes.sort();
            let expected: Vec<_> = (0..count.next_power_of_two() - count).map(name).collect();
            assert_eq!(byes, expected, "{format:?} of {count}");
            if format == Format::Knockout {
                assert!(played.rounds[1..].iter().all(|round| round.byes.is_empty()), "{count}");
            }
        }
    }
}

#[test]
fn if_the_better_seed_always_wins_the_best_meet_last() {
    let played = Competition::play(&Format::Knockout, &field(64, 2, 1), by_strength());
    for (round, left) in played.rounds.iter().zip([64, 32, 16, 8, 4, 2]) {
        let expected: Vec<_> = (0..left).map(name).collect();
        assert_eq!(Competition::players(round).into_iter().collect::<Vec<_>>(), expected);
    }
}

#[test]
fn in_single_elimination_everybody_but_the_winner_loses_once() {
    for count in 2..=64 {
        for seed in 0..3 {
            let played = Competition::play(&Format::Knockout, &field(count, 2, 1), by_chance(seed));
            let losses = losses(&played);
            let winner = played.conclusion.winners().next().unwrap();
            assert!(losses.len() == count - 1 && !losses.contains_key(winner), "{count}: {losses:?}");
            assert!(losses.values().all(|&lost| lost == 1), "{count}: {losses:?}");
            assert_eq!(played.conclusion.winners().count(), 1);
        }
    }
}

#[test]
fn in_double_elimination_everybody_but_the_winner_loses_twice() {
    let (mut unbeaten, mut beaten) = (0, 0);
    for count in 2..=64 {
        for seed in 0..3 {
            let played = Competition::play(&Format::DoubleKnockout, &field(count, 2, 1), by_chance(seed));
            let mut losses = losses(&played);
            assert_eq!(played.conclusion.winners().count(), 1);
            let winner = played.conclusion.winners().next().unwrap();
            match losses.remove(winner) {
                None => unbeaten += 1,
                Some(1) => beaten += 1,
                Some(lost) => panic!("{count}: the winner lost {lost} times"),
            }
            assert_eq!(losses.len(), count - 1, "{count}: {losses:?}");
            assert!(losses.values().all(|&lost| lost == 2), "{count}: {losses:?}");
        }
    }
    assert!(unbeaten > 10 && beaten > 10, "the grand final was played again {beaten} times");
}

#[test]
fn the_last_to_be_out_stands_second() {
    for format in [Format::Knockout, Format::DoubleKnockout] {
        for count in 2..=64 {
            let played = Competition::play(&format, &field(count, 2, 1), by_chance(8));
            let last = played.rounds.last().unwrap();
            let players = Competition::players(last);
            let [first, second] = [0, 1].map(|index| &played.conclusion.ranking[index]);
            assert!(players.contains(first.player.as_str()) && players.contains(second.player.as_str()));
            assert_eq!((first.rank, second.rank), (1, 2), "{format:?} of {count}");
        }
    }
}

#[test]
fn a_tied_encounter_goes_on_by_pairs_of_games_and_then_to_the_better_seed() {
    for (oracle, games) in [(0, 1), (0, 2), (1, 2), (1, 4)] {
        let field = field(2, games, 1);
        let played = match oracle {
            0 => Competition::play(&Format::Knockout, &field, drawn()),
            _ => Competition::play(&Format::Knockout, &field, black_wins()),
        };
        assert_eq!(played.rounds.len(), 4);
        assert!(played.rounds.iter().all(|round| round.number == 1));
        let ids: Vec<_> = played.games().map(|game| game.id.clone()).collect();
        let expected: Vec<_> = (1..=games + 6).map(|game| format!("r01-p001-g{game:02}")).collect();
        assert_eq!(ids, expected);
        let beginners: Vec<_> = played.games().map(|game| game.name(game.first)).collect();
        assert!(beginners.windows(2).all(|pair| pair[0] != pair[1]), "{beginners:?}");
        assert_eq!(played.conclusion.winners().collect::<Vec<_>>(), ["agent 000"]);
    }
}

#[test]
fn only_tied_encounters_go_on() {
    // Two of the four encounters of the first round are drawn throughout.
    let oracle = by_strength();
    let ties = |game: &referee_records::Pairing| match game.id.as_bytes()[7] {
        b'1' | b'3' => None,
        _ => oracle(game),
    };
    let played = Competition::play(&Format::Knockout, &field(8, 2, 1), ties);
    let further: Vec<Vec<_>> =
        played.rounds[1..4].iter().map(|round| round.games().map(|game| game.id.clone()).collect()).collect();
    assert_eq!(further[0], ["r01-p001-g03", "r01-p001-g04", "r01-p003-g03", "r01-p003-g04"].map(str::to_owned));
    assert_eq!(further[2][3], "r01-p003-g08");
    assert_eq!(played.rounds[4].number, 2);
}
