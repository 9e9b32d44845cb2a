//! Move generation: perft nodes per second of each game. Each count is asserted before it is timed.
//!
//! `cargo bench --bench perft`; with `-- --test` each count is checked once and nothing is timed.

use divan::Bencher;
use divan::counter::ItemsCount;
use referee_games::checkers::Checkers;
use referee_games::halma::{Halma, Rules};
use referee_games::heirs::Heirs;
use referee_games::little_go::LittleGo;
use referee_games::othello::{ClassicOthello, DuoOthello};
use referee_games::{Position, perft};

fn main() {
    divan::main();
}

fn measure<P: Position>(bencher: Bencher<'_, '_>, rules: P::Rules, depth: u32, expected: u64) {
    let start = P::start(rules);
    assert_eq!(perft(&start, depth), expected, "depth {depth}");
    bencher.counter(ItemsCount::new(expected)).bench_local(|| perft(divan::black_box(&start), depth));
}

#[divan::bench]
fn checkers_depth_8(bencher: Bencher<'_, '_>) {
    measure::<Checkers>(bencher, (), 8, 845_931);
}

#[divan::bench]
fn othello_8x8_depth_8(bencher: Bencher<'_, '_>) {
    measure::<ClassicOthello>(bencher, (), 8, 390_216);
}

#[divan::bench]
fn duo_othello_depth_6(bencher: Bencher<'_, '_>) {
    measure::<DuoOthello>(bencher, (), 6, 162_300);
}

#[divan::bench]
fn halma_addendum_depth_3(bencher: Bencher<'_, '_>) {
    measure::<Halma>(bencher, Rules::Addendum, 3, 62_240);
}

#[divan::bench]
fn halma_original_depth_3(bencher: Bencher<'_, '_>) {
    measure::<Halma>(bencher, Rules::Original, 3, 85_440);
}

#[divan::bench]
fn heirs_depth_4(bencher: Bencher<'_, '_>) {
    measure::<Heirs>(bencher, (), 4, 1_929_321);
}

#[divan::bench]
fn little_go_depth_4(bencher: Bencher<'_, '_>) {
    measure::<LittleGo>(bencher, (), 4, 361_041);
}
