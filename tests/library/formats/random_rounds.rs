//! Laws of the practice of 2021: degrees, eliminations, and the final round robin.

use std::collections::{BTreeMap, BTreeSet};

use referee_matches::tournament::{Format, RankKey, Round};

use crate::formats::competition::{Competition, black_wins, by_chance, by_strength, drawn, field, sorted};

/// How many encounters each player has in a round, and how many of them it lost.
fn encounters<'a>(played: &Competition, round: &'a Round) -> BTreeMap<&'a str, (usize, usize)> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for encounter in &round.encounters {
        let loser = played.loser(encounter);
        for player in &encounter.players {
            let (met, lost) = counts.entry(player).or_default();
            *met += 1;
            *lost += usize::from(loser == Some(player));
        }
    }
    counts
}

/// Goes through the competition with a judge of its own.
fn judge(count: usize, opponents: usize, rounds: usize, played: &Competition) {
    let names = field(count, 2, 1).players;
    let mut left: BTreeSet<_> = names.iter().map(String::as_str).collect();
    let mut plan = played.rounds.iter();
    for number in 0..rounds {
        if left.len() <= opponents + 1 {
            break;
        }
        let round = plan.next().expect("there is another round");
        let counts = encounters(played, round);
        assert_eq!(counts.keys().copied().collect::<BTreeSet<_>>(), left, "round {number}");
        let unique: BTreeSet<_> = round.encounters.iter().map(|encounter| sorted(&encounter.players)).collect();
        assert_eq!(unique.len(), round.encounters.len(), "round {number}: two meet twice");
        let more: Vec<_> = counts.values().filter(|(met, _)| *met != opponents).collect();
        assert_eq!(more.len(), left.len() * opponents % 2, "round {number}: {counts:?}");
        assert!(more.iter().all(|(met, _)| *met == opponents + 1));
        assert!(round.byes.is_empty());
        left.retain(|player| counts[player].0 > counts[player].1);
    }
    let last: Vec<_> = plan.flat_map(|round| &round.encounters).collect();
    let pairs: BTreeSet<_> = last.iter().map(|encounter| sorted(&encounter.players)).collect();
    let here: BTreeSet<_> = last.iter().flat_map(|encounter| &encounter.players).map(String::as_str).collect();
    assert_eq!((pairs.len(), last.len()), (left.len() * (left.len() - 1) / 2, pairs.len()));
    assert!(left.len() < 2 || here == left);
    let ahead: BTreeSet<_> =
        played.conclusion.ranking[..left.len()].iter().map(|place| place.player.as_str()).collect();
    assert_eq!(ahead, left, "those who are left stand before all others");
}

#[test]
fn degrees_are_regular_and_only_players_that_lose_all_games_are_out() {
    for count in (2..=33).chain([63, 64]) {
        for (opponents, rounds) in [(1, 4), (3, 3), (4, 3), (5, 2)] {
            let format = Format::RandomRounds { opponents, rounds };
            let played = Competition::play(&format, &field(count, 2, count as u64), by_chance(3));
            judge(count, opponents as usize, rounds as usize, &played);
        }
    }
}

#[test]
fn strict_strength_thins_the_field_out() {
    for count in [5, 16, 33, 64] {
        let format = Format::RandomRounds { opponents: 4, rounds: 20 };
        let played = Competition::play(&format, &field(count, 2, 1), by_strength());
        judge(count, 4, 20, &played);
        assert_eq!(played.conclusion.winners().collect::<Vec<_>>(), ["agent 000"]);
    }
}

#[test]
fn as_in_2021_the_survivors_play_a_full_round_robin() {
    let format = Format::RandomRounds { opponents: 4, rounds: 20 };
    let played = Competition::play(&format, &field(46, 4, 1), black_wins());
    judge(46, 4, 20, &played);
    let last: usize = played.rounds[20..].iter().map(|round| round.encounters.len()).sum();
    assert_eq!(last, 1035, "pairings of 46 survivors");
    let rank_keys: Vec<_> = played.conclusion.ranking.iter().map(|place| place.rank_keys[1]).collect();
    assert_eq!(rank_keys, [RankKey::HalfPoints(45 * 4); 46]);
}

#[test]
fn with_single_games_first_turns_differ_by_at_most_one_over_all_random_rounds() {
    for (count, opponents) in (7..=64).zip([3, 4, 5].into_iter().cycle()) {
        let format = Format::RandomRounds { opponents, rounds: 5 };
        let mut played = Competition::play(&format, &field(count, 1, count as u64), drawn());
        // The round robin at the end is balanced by itself.
        played.rounds.truncate(5);
        for (player, net) in played.begun().into_iter().chain(played.black()) {
            assert!(net.abs() <= 1, "{count} players, {opponents} opponents: {player} {net}");
        }
    }
}
