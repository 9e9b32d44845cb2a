//! The cost of one move through a seat, side by side with the least that running a program can cost.
//!
//! `cargo bench --bench seat` prints the times of both and their ratio; with `--test` it makes a few rounds only. It
//! is no criterion benchmark because the two are to be measured in turns: what the machine does meanwhile must hit both.
//!
//! - *in turns*: a pause, a bare run, a pause, a run through the seat. The pause stands for the opponent's move, in which
//!   a seat gets ready for its next one; it is the same before both.
//! - *back to back*: many runs of one kind without a pause, so that getting ready counts in full. No game is played like
//!   that; it tells what a seat costs the machine.

#[path = "../tests/fixtures/mod.rs"]
mod fixtures;

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use referee::seat::{Ended, Job, OutputFile, Program, Seat, SeatOptions, Task};
use referee::time::{CpuTime, WallTime};

const INPUT: &str =
    "GAME\nBLACK\n300\n.b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";
const ANSWER: &[u8] = b"E c3 b4\n";

/// The aim: a move through a seat may take so many times what the bare loop takes, in turns.
const AIM: f64 = 1.3;

const PAUSE: Duration = Duration::from_millis(2);

fn main() {
    let measured = std::env::args().any(|word| word == "--bench") && !std::env::args().any(|word| word == "--test");
    let rounds = if measured { 2000 } else { 20 };
    let Some(fixture) = fixtures::fixture() else { return };
    // On the same file system as the seat's working directory.
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mut bare = Bare::new(fixture, folder.path());
    let mut seat = open_seat(fixture);
    for _ in 0..10 {
        bare.run();
        run_through(&mut seat);
    }
    let [bare_turns, seat_turns] = in_turns(rounds, &mut bare, &mut seat);
    let ratio = report("in turns", bare_turns, seat_turns);
    let judgement = if ratio <= AIM { "within" } else { "beyond" };
    println!("  {judgement} the aim of {AIM}");
    let [bare_rows, seat_rows] = back_to_back(rounds, &mut bare, &mut seat);
    report("back to back", bare_rows, seat_rows);
}

/// Write input, spawn, wait, read output. The standard library spawns by `posix_spawn(3)` here.
struct Bare<'a> {
    command: Command,
    folder: &'a Path,
}

impl<'a> Bare<'a> {
    fn new(fixture: &Path, folder: &'a Path) -> Self {
        let mut command = Command::new(fixture);
        command.arg("move").env_clear().current_dir(folder);
        Self { command, folder }
    }

    fn run(&mut self) -> Duration {
        let started = Instant::now();
        std::fs::write(self.folder.join("input.txt"), INPUT).expect("input.txt is written");
        // There is no old output in the first run.
        drop(std::fs::remove_file(self.folder.join("output.txt")));
        let status = self.command.spawn().and_then(|mut child| child.wait());
        let output = std::fs::read(self.folder.join("output.txt")).expect("output.txt is read");
        let taken = started.elapsed();
        assert!(status.expect("the agent runs").success());
        assert_eq!(output, ANSWER);
        taken
    }
}

fn open_seat(fixture: &Path) -> Seat {
    let program = Program {
        command: vec![fixture.as_os_str().to_owned(), OsString::from("move")],
        folder: None,
    };
    let options = SeatOptions {
        keeper: Some(env!("CARGO_BIN_EXE_referee").into()),
        ..SeatOptions::default()
    };
    Seat::open(&program, &options).expect("the seat opens")
}

fn run_through(seat: &mut Seat) -> Duration {
    let job = Job {
        task: Task::Move {
            input: INPUT.to_owned(),
        },
        kill_after: CpuTime::from_secs(300),
        guard: WallTime::from_secs(910),
    };
    let started = Instant::now();
    let run = seat.run(&job).expect("the keeper keeps");
    let taken = started.elapsed();
    assert_eq!(run.ended, Ended::Exited { status: 0 });
    assert!(matches!(run.output, OutputFile::Content { bytes } if bytes.0 == ANSWER));
    taken
}

fn in_turns(rounds: usize, bare: &mut Bare<'_>, seat: &mut Seat) -> [Vec<Duration>; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds {
        std::thread::sleep(PAUSE);
        times[0].push(bare.run());
        std::thread::sleep(PAUSE);
        times[1].push(run_through(seat));
    }
    times
}

/// In blocks of ten, which share the machine's moods, and are long enough for getting ready to count.
fn back_to_back(rounds: usize, bare: &mut Bare<'_>, seat: &mut Seat) -> [Vec<Duration>; 2] {
    const BLOCK: u32 = 10;
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..rounds / BLOCK as usize {
        std::thread::sleep(PAUSE);
        let started = Instant::now();
        for _ in 0..BLOCK {
            bare.run();
        }
        times[0].push(started.elapsed() / BLOCK);
        std::thread::sleep(PAUSE);
        let started = Instant::now();
        for _ in 0..BLOCK {
            run_through(seat);
        }
        times[1].push(started.elapsed() / BLOCK);
    }
    times
}

/// Prints the times of both, and returns the ratio of their medians.
fn report(how: &str, bare: Vec<Duration>, seat: Vec<Duration>) -> f64 {
    let [bare, seat] = [bare, seat].map(deciles);
    let [quiet, median] = [0, 1].map(|decile| seat[decile] / bare[decile]);
    println!("{how}, in microseconds");
    println!("             lowest tenth    median   highest tenth");
    for (name, [low, median, high]) in [("bare loop", bare), ("seat", seat)] {
        println!("  {name:<10} {low:12.0} {median:9.0} {high:15.0}");
    }
    println!("  ratio      {quiet:12.3} {median:9.3}");
    median
}

/// The times below which a tenth, a half and nine tenths lie. On a busy machine the first says more than the second.
fn deciles(mut times: Vec<Duration>) -> [f64; 3] {
    times.sort_unstable();
    [1, 5, 9].map(|tenth| times[(times.len() - 1) * tenth / 10].as_secs_f64() * 1e6)
}
