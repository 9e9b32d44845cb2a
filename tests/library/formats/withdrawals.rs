//! Players who join and leave between two runs.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use referee_games::Side;
use referee_matches::tournament::{
    Advance, CompetitionField, Format, NextStep, Results, Round, advances, next_rounds, ranking,
};
use referee_records::Pairing;

use crate::formats::competition::{self, Competition, by_chance, by_strength, drawn, field, name};
use crate::formats::formats;

fn games(rounds: &[Round]) -> BTreeMap<&str, &Pairing> {
    let games = rounds.iter().flat_map(Round::games);
    games.map(|game| (game.id.as_str(), game)).collect()
}

fn concerns(game: &Pairing, player: &str) -> bool {
    game.black == player || game.white == player
}

fn play(format: &Format, field: &CompetitionField, plan: &mut Vec<Round>) {
    if let NextStep::Play(more) = next_rounds(format, field, plan, &Results::new()) {
        plan.extend(more);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_late_player_plays_the_same_games_as_one_from_the_start(
        joined in proptest::collection::vec(1..6_usize, 1..5),
        per_pairing in 1..4_u32,
        gauntlet in any::<bool>(),
    ) {
        let format = if gauntlet { Format::Gauntlet { challenger: name(0) } } else { Format::RoundRobin };
        let mut late = Vec::new();
        let mut count = 0;
        for more in joined {
            count += more;
            play(&format, &field(count, per_pairing, 1), &mut late);
        }
        let mut at_once = Vec::new();
        play(&format, &field(count, per_pairing, 1), &mut at_once);
        prop_assert_eq!(games(&late), games(&at_once));
        prop_assert_eq!(late.iter().flat_map(Round::games).count(), games(&late).len(), "a game is planned twice");
    }

    #[test]
    fn a_competition_ends_in_spite_of_any_withdrawals(
        count in 2..20_usize,
        per_pairing in 1..4_u32,
        seed in any::<u64>(),
        format in 0..8_usize,
        leave_one_in in 1..12_u64,
    ) {
        let format = &formats(count)[format];
        let mut field = field(count, per_pairing, seed);
        let oracle = by_chance(seed);
        let (mut plan, mut results) = (Vec::<Round>::new(), Results::new());
        for step in 0_u64.. {
            prop_assert!(step < 2000, "it does not end");
            let leaver = usize::try_from(competition::chance(seed, &format!("leaver {step}")) % count as u64).unwrap();
            if competition::chance(seed, &format!("step {step}")).is_multiple_of(8 * leave_one_in) {
                field.withdrawn.insert(name(leaver));
            }
            let is_out = |player: &String| field.withdrawn.contains(player);
            match next_rounds(format, &field, &plan, &results) {
                NextStep::Play(more) => {
                    for encounter in more.iter().flat_map(|round| &round.encounters) {
                        prop_assert!(!encounter.players.iter().any(is_out), "{:?}", encounter);
                    }
                    prop_assert!(!more.iter().flat_map(|round| &round.byes).any(is_out));
                    plan.extend(more);
                    let ids: BTreeSet<_> = plan.iter().flat_map(Round::games).map(|game| &game.id).collect();
                    prop_assert_eq!(ids.len(), plan.iter().flat_map(Round::games).count());
                }
                NextStep::Waiting => {
                    let games = plan.iter().flat_map(Round::games);
                    let mut open = games.filter(|game| {
                        !results.contains_key(&game.id) && !is_out(&game.black) && !is_out(&game.white)
                    });
                    let game = open.next().expect("there is something to be waited for");
                    results.insert(game.id.clone(), oracle(game));
                }
                NextStep::Over(conclusion) => {
                    // Nobody wins a gauntlet that has lost its challenger.
                    let is_decided = !matches!(format, Format::Gauntlet { challenger } if is_out(challenger));
                    if field.withdrawn.len() < count && is_decided {
                        prop_assert!(conclusion.winners().count() > 0);
                    }
                    break;
                }
            }
        }
    }
}

#[test]
fn a_round_robin_forgets_withdrawn_players_and_remembers_returning_ones() {
    let mut field = field(6, 2, 1);
    let mut plan = Vec::new();
    play(&Format::RoundRobin, &field, &mut plan);
    let results: Results = games(&plan).into_iter().map(|(id, game)| (id.to_owned(), by_strength()(game))).collect();
    field.withdrawn.insert(name(0));
    let next = next_rounds(&Format::RoundRobin, &field, &plan, &results);
    let NextStep::Over(without) = next else {
        panic!("nothing is missing, but: {next:?}");
    };
    assert_eq!(without.winners().collect::<Vec<_>>(), ["agent 001"]);
    assert_eq!(without.ranking.len(), 5);
    field.withdrawn.clear();
    let NextStep::Over(with) = next_rounds(&Format::RoundRobin, &field, &plan, &results) else {
        panic!("everything was played");
    };
    assert_eq!(with.winners().collect::<Vec<_>>(), ["agent 000"]);
}

#[test]
fn who_withdraws_from_a_bracket_loses_what_it_has_not_played() {
    let mut field = field(4, 2, 1);
    let mut plan = Vec::new();
    play(&Format::Knockout, &field, &mut plan);
    field.withdrawn.insert(name(0));
    let against: Vec<_> = plan[0].games().filter(|game| !concerns(game, &name(0))).collect();
    let results = against.iter().map(|game| (game.id.clone(), by_strength()(game))).collect();
    let NextStep::Play(second) = next_rounds(&Format::Knockout, &field, &plan, &results) else {
        panic!("the games of who withdrew are not waited for");
    };
    let players: BTreeSet<_> = second[0].encounters[0].players.iter().cloned().collect();
    assert_eq!(players, BTreeSet::from([name(1), name(3)]));
}

#[test]
fn who_withdraws_before_a_match_is_planned_leaves_a_bye() {
    let mut field = field(8, 2, 1);
    let mut plan = Vec::new();
    play(&Format::Knockout, &field, &mut plan);
    let results = games(&plan).into_iter().map(|(id, game)| (id.to_owned(), by_strength()(game))).collect();
    field.withdrawn.insert(name(3));
    let NextStep::Play(second) = next_rounds(&Format::Knockout, &field, &plan, &results) else {
        panic!("a second round comes");
    };
    assert_eq!((second[0].encounters.len(), &second[0].byes), (1, &vec![name(0)]));
}

#[test]
fn who_withdraws_before_the_final_is_not_among_its_winners() {
    let mut field = field(4, 2, 1);
    let mut plan = Vec::new();
    play(&Format::Knockout, &field, &mut plan);
    let mut results: Results =
        games(&plan).into_iter().map(|(id, game)| (id.to_owned(), by_strength()(game))).collect();
    field.withdrawn.insert(name(0));
    let winners = |results: &Results| -> Vec<String> {
        let standing = ranking(&Format::Knockout, &field, &plan, results);
        standing.winners().map(str::to_owned).collect()
    };
    assert_eq!(winners(&results), [name(1)]);
    // While the other match is played, nobody has won the final.
    let other = plan[0].games().find(|game| !concerns(game, &name(0)));
    results.remove(&other.expect("two matches").id);
    assert!(winners(&results).len() > 1);
}

#[test]
fn who_withdraws_from_an_elimination_is_not_among_those_who_are_left() {
    // In a double knockout, the leaver's next opponent may be unknown, and then the leaver is still in.
    for format in [Format::Knockout, Format::Elimination { round_limit: 40 }] {
        for count in 3..20 {
            let all = field(count, 2, 3);
            let played = Competition::play(&format, &all, by_chance(5));
            for planned in 1..played.rounds.len() {
                let (before, after) = played.rounds.split_at(planned);
                // While tied encounters continue, the leaver's next opponent may be unknown, too.
                if after[0].number == before[planned - 1].number {
                    continue;
                }
                let results: Results =
                    games(before).into_keys().map(|id| (id.to_owned(), played.results[id])).collect();
                let first = ranking(&format, &all, before, &results);
                let left: BTreeSet<&str> = first.winners().collect();
                for leaver in &left {
                    let mut field = all.clone();
                    field.withdrawn.insert((*leaver).to_owned());
                    let standing = ranking(&format, &field, before, &results);
                    let winners: BTreeSet<&str> = standing.winners().collect();
                    let what = format!("{format:?} of {count} after {planned} without {leaver}");
                    assert!(left.len() == 1 || !winners.contains(leaver), "{what}: {winners:?}");
                    assert!(winners.is_subset(&left), "{what}: {winners:?}");
                }
            }
        }
    }
}

#[test]
fn who_comes_after_the_first_round_of_an_elimination_is_not_in() {
    for format in [Format::Knockout, Format::Swiss { rounds: 3 }, Format::Elimination { round_limit: 9 }] {
        let mut plan = Vec::new();
        play(&format, &field(6, 2, 1), &mut plan);
        let results = games(&plan).into_iter().map(|(id, game)| (id.to_owned(), drawn()(game))).collect();
        let late = field(7, 2, 1);
        let with = next_rounds(&format, &late, &plan, &results);
        assert_eq!(with, next_rounds(&format, &field(6, 2, 1), &plan, &results), "{format:?}");
    }
}

/// Whoever withdraws loses its unplayed games and a level match, while others of the round are still played.
#[test]
fn who_stays_goes_on_from_a_match_from_which_the_opponent_withdrew() {
    /// The winner of a game, if it was played and won.
    type Game = Option<Option<usize>>;
    /// The games, who withdrew, and who goes on, whether by the seed.
    type Case = ([Game; 2], &'static [usize], Option<(usize, bool)>);
    let (drawn, unplayed) = (Some(None), None);
    let won = |place| Some(Some(place));
    let cases: [Case; 9] = [
        ([drawn, drawn], &[0], Some((3, false))),
        ([drawn, drawn], &[3], Some((0, true))),
        ([drawn, drawn], &[0, 3], Some((0, true))),
        ([drawn, drawn], &[], None),
        ([won(0), unplayed], &[0], Some((3, false))),
        ([won(0), unplayed], &[3], Some((0, false))),
        ([won(3), unplayed], &[0, 3], Some((3, false))),
        ([won(0), unplayed], &[], None),
        ([won(3), won(3)], &[3], Some((3, false))),
    ];
    for (games, withdrawn, expected) in cases {
        let mut field = field(4, 2, 1);
        let mut plan = vec![];
        play(&Format::Knockout, &field, &mut plan);
        let meeting = plan[0].encounters.iter().find(|encounter| encounter.players.contains(&name(0))).unwrap();
        let result = |(pairing, game): (&Pairing, Game)| {
            let side = |place| if pairing.black == name(place) { Side::Black } else { Side::White };
            Some((pairing.id.clone(), game?.map(side)))
        };
        let results: Results = meeting.games.iter().zip(games).filter_map(result).collect();
        field.withdrawn.extend(withdrawn.iter().map(|&place| name(place)));
        let players = |winner: usize| [winner, 3 - winner].map(name);
        let expected = expected.map(|(winner, is_by_seed)| Advance { round: 1, players: players(winner), is_by_seed });
        let found = advances(&Format::Knockout, &field, &plan, &results);
        assert_eq!(found, Vec::from_iter(expected), "{games:?}, withdrawn: {withdrawn:?}");
    }
}
