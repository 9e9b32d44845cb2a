//! Planning competitions of 1,000 players. Each plan is counted before it is timed.
//!
//! `cargo bench --bench formats`; with `-- --test` each plan is counted once and nothing is timed.

use std::hint::black_box;
use std::num::NonZeroU32;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use referee::games::Side;
use referee::tournament::{Field, Format, NextStep, Results, Round, derive_seed, next_rounds};

const PLAYERS: usize = 1000;

fn field() -> Field {
    let players = (0..PLAYERS).map(|place| format!("agent {place:04}")).collect();
    Field::new(referee::games::checkers::ID, players, NonZeroU32::MIN, 1)
}

fn encounters(next: &NextStep) -> usize {
    match next {
        NextStep::Play(rounds) => rounds.iter().map(|round| round.encounters.len()).sum(),
        NextStep::Waiting | NextStep::Over(_) => 0,
    }
}

fn measure(criterion: &mut Criterion, name: &str, format: &Format, plan: &[Round], results: &Results, expected: usize) {
    let field = field();
    let planned = encounters(&next_rounds(format, &field, plan, results));
    assert_eq!(planned, expected, "{name}");
    let mut group = criterion.benchmark_group("formats");
    group.sample_size(10);
    group.throughput(Throughput::Elements(expected.max(PLAYERS) as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| next_rounds(format, &field, black_box(plan), results));
    });
    group.finish();
}

/// Who wins is all the same, as long as it has nothing to do with the colour.
fn winner(id: &str) -> Side {
    if derive_seed(1, &[id]).is_multiple_of(2) {
        Side::Black
    } else {
        Side::White
    }
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

fn all_formats(criterion: &mut Criterion) {
    let round_robin = Format::RoundRobin;
    let pairings = PLAYERS * (PLAYERS - 1) / 2;
    measure(
        criterion,
        "round robin, first call",
        &round_robin,
        &[],
        &Results::new(),
        pairings,
    );
    let (plan, results) = played(&round_robin, 1);
    measure(criterion, "round robin, last call", &round_robin, &plan, &results, 0);
    let swiss = Format::Swiss { rounds: 20 };
    let (plan, results) = played(&swiss, 10);
    measure(criterion, "swiss, round 11", &swiss, &plan, &results, PLAYERS / 2);
    let elimination = Format::Elimination { round_limit: 20 };
    measure(
        criterion,
        "elimination, round 1",
        &elimination,
        &[],
        &Results::new(),
        PLAYERS / 2,
    );
    let random_rounds = Format::RandomRounds {
        opponents: 4,
        rounds: 20,
    };
    measure(
        criterion,
        "random rounds, round 1",
        &random_rounds,
        &[],
        &Results::new(),
        PLAYERS * 2,
    );
}

criterion_group!(benches, all_formats);
criterion_main!(benches);
