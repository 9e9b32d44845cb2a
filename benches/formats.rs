//! Planning competitions of 1,000 players. Each plan is counted before it is timed.
//!
//! `cargo bench --bench formats`; with `-- --test` each plan is counted once and nothing is timed.

use std::num::NonZeroU32;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use referee_games::Side;
use referee_matches::tournament::{CompetitionField, Format, NextStep, Results, Round, derive_seed, next_rounds};

const PLAYERS: usize = 1000;

fn main() {
    divan::main();
}

fn field() -> CompetitionField {
    let players = (0..PLAYERS).map(|place| format!("agent {place:04}")).collect();
    CompetitionField::new(referee_games::checkers::ID, players, NonZeroU32::MIN, 1)
}

fn encounters(next: &NextStep) -> usize {
    match next {
        NextStep::Play(rounds) => rounds.iter().map(|round| round.encounters.len()).sum(),
        NextStep::Waiting | NextStep::Over(_) => 0,
    }
}

fn measure(bencher: Bencher<'_, '_>, format: &Format, (plan, results): &(Vec<Round>, Results), expected: usize) {
    let field = field();
    let planned = encounters(&next_rounds(format, &field, plan, results));
    assert_eq!(planned, expected);
    bencher
        .counter(ItemsCount::new(expected.max(PLAYERS)))
        .bench_local(|| next_rounds(format, &field, black_box(plan), results));
}

/// Who wins is all the same, as long as it has nothing to do with the colour.
fn winner(id: &str) -> Side {
    if derive_seed(1, &[id]).is_multiple_of(2) { Side::Black } else { Side::White }
}

/// The plan and the results of so many rounds.
fn played(format: &Format, rounds: usize) -> (Vec<Round>, Results) {
    let (field, mut plan, mut results) = (field(), Vec::new(), Results::new());
    while plan.len() < rounds {
        match next_rounds(format, &field, &plan, &results) {
            NextStep::Play(more) => plan.extend(more),
            NextStep::Waiting | NextStep::Over(_) => break,
        }
        let games = plan.iter().flat_map(Round::games);
        results.extend(games.map(|game| (game.id.clone(), Some(winner(&game.id)))));
    }
    (plan, results)
}

#[divan::bench(sample_count = 10)]
fn round_robin_first_call(bencher: Bencher<'_, '_>) {
    let pairings = PLAYERS * (PLAYERS - 1) / 2;
    measure(bencher, &Format::RoundRobin, &Default::default(), pairings);
}

#[divan::bench(sample_count = 10)]
fn round_robin_last_call(bencher: Bencher<'_, '_>) {
    let format = Format::RoundRobin;
    measure(bencher, &format, &played(&format, 1), 0);
}

#[divan::bench(sample_count = 10)]
fn swiss_round_11(bencher: Bencher<'_, '_>) {
    let format = Format::Swiss { rounds: 20 };
    measure(bencher, &format, &played(&format, 10), PLAYERS / 2);
}

#[divan::bench(sample_count = 10)]
fn elimination_round_1(bencher: Bencher<'_, '_>) {
    let format = Format::Elimination { round_limit: 20 };
    measure(bencher, &format, &Default::default(), PLAYERS / 2);
}

#[divan::bench(sample_count = 10)]
fn random_rounds_round_1(bencher: Bencher<'_, '_>) {
    let format = Format::RandomRounds { opponents: 4, rounds: 20 };
    measure(bencher, &format, &Default::default(), PLAYERS * 2);
}
