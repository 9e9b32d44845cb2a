//! The handouts' elimination, judged independently from the plan and the results.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use referee_matches::tournament::{CompetitionField, Format};
use referee_records::Pairing;

use crate::formats::competition::{Competition, black_wins, by_chance, by_strength, drawn, field, sorted};

const FORMAT: Format = Format::Elimination { round_limit: 500 };

fn all_have_met(left: &BTreeSet<&str>, met: &BTreeSet<[&str; 2]>) -> bool {
    left.iter().all(|a| left.iter().all(|b| a >= b || met.contains(&[*a, *b])))
}

/// Goes through the competition with a judge of its own.
fn judge(field: &CompetitionField, played: &Competition) {
    let mut left: BTreeSet<_> = field.players.iter().map(String::as_str).collect();
    let mut met = BTreeSet::new();
    let mut byes: BTreeMap<&str, u32> = BTreeMap::new();
    for (index, round) in played.rounds.iter().enumerate() {
        let mut here = Competition::players(round);
        here.extend(round.byes.iter().map(String::as_str));
        assert_eq!(here, left, "round {}: all who are left are in, and nobody else", round.number);
        assert_eq!(round.byes.len(), left.len() % 2);
        for bye in &round.byes {
            let fewest = left.iter().map(|player| byes.get(player).copied().unwrap_or(0)).min();
            let had = byes.entry(bye).or_insert(0);
            assert_eq!(Some(*had), fewest, "round {}: {bye} has another bye", round.number);
            *had += 1;
        }
        met.extend(round.encounters.iter().map(|encounter| sorted(&encounter.players)));
        let out: Vec<_> = round.encounters.iter().filter_map(|encounter| played.loser(encounter)).collect();
        left.retain(|player| !out.contains(player));
        let is_over = left.len() == 1 || (out.is_empty() && all_have_met(&left, &met));
        assert_eq!(is_over, index + 1 == played.rounds.len(), "round {}", round.number);
    }
    assert_eq!(played.conclusion.winners().collect::<BTreeSet<_>>(), left);
}

#[test]
fn who_loses_more_than_half_is_out_and_all_others_go_on() {
    for count in 2..=64 {
        for games in [2, 4] {
            let field = field(count, games, count as u64);
            judge(&field, &Competition::play(&FORMAT, &field, by_chance(5)));
        }
    }
}

#[test]
fn strict_strength_leaves_one() {
    for count in 2..=64_usize {
        let field = field(count, 2, 1);
        let played = Competition::play(&FORMAT, &field, by_strength());
        judge(&field, &played);
        assert_eq!(played.rounds.len(), count.next_power_of_two().ilog2() as usize, "{count} players");
        assert_eq!(played.conclusion.winners().collect::<Vec<_>>(), ["agent 000"]);
    }
}

#[test]
fn if_all_split_everybody_meets_everybody_and_all_have_won() {
    for count in 2..=20 {
        for oracle in [0, 1] {
            let field = field(count, 2, 9);
            let played = match oracle {
                0 => Competition::play(&FORMAT, &field, drawn()),
                _ => Competition::play(&FORMAT, &field, black_wins()),
            };
            judge(&field, &played);
            assert_eq!(played.conclusion.winners().count(), count);
        }
    }
}

#[test]
fn the_round_limit_ends_it() {
    let played = Competition::play(&Format::Elimination { round_limit: 3 }, &field(16, 2, 1), drawn());
    assert_eq!(played.rounds.len(), 3);
    assert_eq!(played.conclusion.winners().count(), 16);
}

#[test]
fn a_loss_by_one_of_two_games_with_a_draw_is_no_more_than_half() {
    let oracle = |game: &Pairing| game.id.ends_with("g01").then_some(game.first);
    let played = Competition::play(&FORMAT, &field(2, 2, 1), oracle);
    assert_eq!(played.conclusion.winners().count(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn nobody_meets_again_while_half_of_the_others_are_left(count in 4..40_usize, seed in any::<u64>()) {
        // Nobody is out, so that by Dirac's theorem there is a round without a rematch for so long.
        let rounds = u32::try_from(count / 2).unwrap();
        let played = Competition::play(&Format::Elimination { round_limit: rounds }, &field(count, 2, seed), drawn());
        let encounters = played.rounds.iter().flat_map(|round| &round.encounters);
        let pairs: Vec<_> = encounters.map(|encounter| sorted(&encounter.players)).collect();
        let unique: BTreeSet<_> = pairs.iter().collect();
        prop_assert_eq!(unique.len(), pairs.len());
    }
}
