//! Move generation: perft nodes per second of each game. Each count is asserted before it is timed.
//!
//! `cargo bench --bench perft`; with `-- --test` each count is checked once and nothing is timed.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use referee::games::checkers::Checkers;
use referee::games::halma::{Halma, Rules};
use referee::games::heirs::Heirs;
use referee::games::little_go::LittleGo;
use referee::games::othello::{ClassicOthello, DuoOthello};
use referee::games::{Position, perft};

fn measure<P: Position>(criterion: &mut Criterion, name: &str, rules: P::Rules, depth: u32, expected: u64) {
    let start = P::start(rules);
    assert_eq!(perft(&start, depth), expected, "{name} at depth {depth}");
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10).throughput(Throughput::Elements(expected));
    group.bench_function(format!("{name}, depth {depth}"), |bencher| {
        bencher.iter(|| perft(black_box(&start), depth));
    });
    group.finish();
}

fn all_games(criterion: &mut Criterion) {
    measure::<Checkers>(criterion, "checkers", (), 8, 845_931);
    measure::<ClassicOthello>(criterion, "othello 8x8", (), 8, 390_216);
    measure::<DuoOthello>(criterion, "duo-othello", (), 6, 162_300);
    measure::<Halma>(criterion, "halma, addendum", Rules::Addendum, 3, 62_240);
    measure::<Halma>(criterion, "halma, original", Rules::Original, 3, 85_440);
    measure::<Heirs>(criterion, "heirs", (), 4, 1_929_321);
    measure::<LittleGo>(criterion, "little-go", (), 4, 361_041);
}

criterion_group!(benches, all_games);
criterion_main!(benches);
