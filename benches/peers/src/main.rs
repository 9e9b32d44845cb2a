//! Perft of each game, in the same run as that of a peer where there is one.
//!
//! `cargo run --release` in this folder. Each count is asserted. Times are CPU times of this thread, so that what else
//! the machine does matters little; of several rounds, in which all take turns, the quickest counts. A ratio above 1
//! means that this program is the quicker one.
//!
//! For Othello the peer is the crate magpie. For checkers and Halma no crate with a generator was found: `checke-rs`
//! 0.0.1 keeps a board of checkers, but lists no moves.

use std::hint::black_box;
use std::time::Duration;

use magpie::othello::{Board, Stone};
use referee_games::checkers::Checkers;
use referee_games::halma::{Halma, Rules};
use referee_games::heirs::Heirs;
use referee_games::little_go::LittleGo;
use referee_games::othello::{ClassicOthello, DuoOthello};
use referee_games::{Position, perft};

const ROUNDS: u32 = 5;

struct Race {
    name: &'static str,
    expected: u64,
    /// Million positions a second to be reached.
    aim: f64,
    ours: Box<dyn Fn() -> u64>,
    peer: Option<(&'static str, Box<dyn Fn() -> u64>)>,
}

fn main() {
    let races = [
        race::<Checkers>("checkers, depth 10", (), 10, 18_391_564, 100.0),
        Race {
            peer: Some((
                "magpie 0.12.0",
                Box::new(|| peer_perft(black_box(&Board::standard()), Stone::Black, false, 10)),
            )),
            ..race::<ClassicOthello>("Othello 8x8, depth 10", (), 10, 24_571_284, 50.0)
        },
        race::<DuoOthello>("Duo-Othello, depth 7", (), 7, 1_403_268, 50.0),
        race::<Halma>("Halma, addendum, depth 4", Rules::Addendum, 4, 2_421_136, 30.0),
        race::<Halma>("Halma, original, depth 4", Rules::Original, 4, 4_562_496, 30.0),
        race::<Heirs>("Heirs, depth 4", (), 4, 1_929_321, 30.0),
        race::<LittleGo>("Little-Go, depth 4", (), 4, 361_041, 30.0),
    ];
    for race in &races {
        run(race);
    }
}

fn race<P: Position>(name: &'static str, rules: P::Rules, depth: u32, expected: u64, aim: f64) -> Race {
    let start = P::start(rules);
    Race { name, expected, aim, ours: Box::new(move || perft(black_box(&start), depth)), peer: None }
}

fn run(race: &Race) {
    let (mut ours, mut peers) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        ours = ours.min(timed(&race.ours, race.expected));
        if let Some((_, peer)) = &race.peer {
            peers = peers.min(timed(peer, race.expected));
        }
    }
    let rate = |time: Duration| race.expected as f64 / time.as_secs_f64() / 1e6;
    let verdict = if rate(ours) >= race.aim { "met" } else { "missed" };
    print!("{:<26} {:7.1} M/s, aim {:.0}: {verdict}", race.name, rate(ours), race.aim);
    if let Some((name, _)) = &race.peer {
        print!("; {name} {:.1} M/s, ratio {:.2}", rate(peers), peers.as_secs_f64() / ours.as_secs_f64());
    }
    println!();
}

fn timed(count: &dyn Fn() -> u64, expected: u64) -> Duration {
    let before = cpu_time();
    assert_eq!(count(), expected);
    cpu_time() - before
}

/// How long this thread has been on a processor: the first number of its `schedstat`, in nanoseconds (proc(5)).
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells");
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok()).expect("a number comes first");
    Duration::from_nanos(nanoseconds)
}

/// As the crate's own test counts: by its unchecked board, with bulk counting.
fn peer_perft(board: &Board, stone: Stone, passed: bool, depth: u8) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.moves_for(stone);
    if moves.is_empty() {
        return if passed { 1 } else { peer_perft(board, stone.flip(), true, depth - 1) };
    }
    if depth == 1 {
        return moves.count_set().into();
    }
    let mut count = 0;
    for square in moves.hot_bits() {
        let mut next = board.clone();
        next.play(stone, square);
        count += peer_perft(&next, stone.flip(), false, depth - 1);
    }
    count
}
