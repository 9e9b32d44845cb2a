//! The cost of one move through a seat, side by side with the least that running a program can cost, and at every level
//! of isolation that this machine can hold.
//!
//! `cargo bench --bench seat` prints the times of all, the ratio of the first seat to the bare loop, and what each
//! level adds to the first seat; with `--test` it makes a few rounds only. It uses no benchmark library because all are
//! to be measured in turns: what the machine does meanwhile must hit each of them.
//!
//! - *in turns*: a pause and a bare run, then a pause and a run through each of the seats. The pause stands for the
//!   opponent's move, in which a seat gets ready for its next one; it is the same before all.
//! - *back to back*: many runs of one kind without a pause, so that getting ready counts in full. No game is played
//!   like that; it tells what a seat costs the machine.
//! - *opening*: a seat opened and dropped again, which a game costs twice.
//! - *living*: a turn of a program that lives for a whole game, which is stopped after its answer and continued for the
//!   next question, beside the same question and answer over two bare pipes.

#[path = "../tests/fixtures/mod.rs"]
mod fixtures;
#[path = "../tests/fixtures/levels.rs"]
mod levels;
#[path = "../tests/skips/mod.rs"]
mod skips;

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use referee_seat::{
    Isolation, IsolationRange, OutputFile, Program, Protocol, RunRequest, Seat, SeatOptions, Task, Termination,
};
use referee_time::{CpuTime, WallTime};

const INPUT: &str =
    "GAME\nBLACK\n300\n.b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";
const ANSWER: &[u8] = b"E c3 b4\n";

/// The aims: a move through a seat may take so many times what the bare loop takes, in turns; without isolation, ...
const AIM: f64 = 1.15;

/// ... and with as much of it as this machine can hold.
const ISOLATED_AIM: f64 = 1.25;

/// The other aim: isolation may add so many microseconds to a move.
const ISOLATION_AIM: f64 = 150.0;

const PAUSE: Duration = Duration::from_millis(2);

fn main() {
    let measured = std::env::args().any(|word| word == "--bench") && !std::env::args().any(|word| word == "--test");
    let rounds = if measured { 2000 } else { 20 };
    let Some(fixture) = fixtures::fixture() else { return };
    // On the same file system as the working directory of a seat that has it on disk.
    let folder = tempfile::tempdir().expect("a temporary directory");
    let mut bare = Bare::new(fixture, folder.path());
    let levels = levels::levels();
    let mut seats: Vec<Seat> = levels.iter().map(|level| open_seat(fixture, *level)).collect();
    for _ in 0..10 {
        bare.run();
        for seat in &mut seats {
            run_through(seat);
        }
    }
    let turns = report("in turns", levels, in_turns(rounds, &mut bare, &mut seats));
    println!("  the first seat {} the aim of {AIM}", judgement(turns.ratio <= AIM));
    println!(
        "  the last seat, at {:.3}, {} the aim of {ISOLATED_AIM}",
        turns.isolated,
        judgement(turns.isolated <= ISOLATED_AIM)
    );
    println!("  isolation {} the aim of {ISOLATION_AIM}", judgement(turns.added <= ISOLATION_AIM));
    report("back to back", levels, back_to_back(rounds, &mut bare, &mut seats));
    drop(seats);
    report_openings(fixture, rounds / 20);
    report_living(levels, rounds);
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

fn open_seat(fixture: &Path, level: Isolation) -> Seat {
    let program =
        Program { command: vec![fixture.as_os_str().to_owned(), OsString::from("move")], ..Program::default() };
    let options = SeatOptions {
        keeper: Some(env!("CARGO_BIN_EXE_referee").into()),
        isolation: IsolationRange::exactly(level),
        ..SeatOptions::default()
    };
    Seat::open(&program, &options).expect("the seat opens")
}

fn run_through(seat: &mut Seat) -> Duration {
    let job = RunRequest {
        task: Task::Move { input: INPUT.to_owned() },
        kill_after: CpuTime::from_secs(300),
        wall_limit: WallTime::from_secs(910),
    };
    let started = Instant::now();
    let run = seat.run(&job).expect("the keeper keeps");
    let taken = started.elapsed();
    assert_eq!(run.ended, Termination::Exited { status: 0 });
    assert!(matches!(run.output, OutputFile::Content { bytes } if bytes.0 == ANSWER));
    taken
}

/// The times of the bare loop, and after them those of each seat.
type Times = Vec<Vec<Duration>>;

fn in_turns(rounds: usize, bare: &mut Bare<'_>, seats: &mut [Seat]) -> Times {
    let mut times = vec![Vec::new(); seats.len() + 1];
    for _ in 0..rounds {
        std::thread::sleep(PAUSE);
        times[0].push(bare.run());
        for (seat, times) in seats.iter_mut().zip(&mut times[1..]) {
            std::thread::sleep(PAUSE);
            times.push(run_through(seat));
        }
    }
    times
}

/// In blocks of ten, which share the machine's moods, and are long enough for getting ready to count.
fn back_to_back(rounds: usize, bare: &mut Bare<'_>, seats: &mut [Seat]) -> Times {
    const BLOCK: u32 = 10;
    let block = |run: &mut dyn FnMut() -> Duration| {
        std::thread::sleep(PAUSE);
        let started = Instant::now();
        for _ in 0..BLOCK {
            run();
        }
        started.elapsed() / BLOCK
    };
    let mut times = vec![Vec::new(); seats.len() + 1];
    for _ in 0..rounds / BLOCK as usize {
        times[0].push(block(&mut || bare.run()));
        for (seat, times) in seats.iter_mut().zip(&mut times[1..]) {
            times.push(block(&mut || run_through(seat)));
        }
    }
    times
}

fn judgement(within: bool) -> &'static str {
    if within { "within" } else { "beyond" }
}

/// By the medians.
struct Comparison {
    /// Of the first seat to the bare loop.
    ratio: f64,
    /// Of the last seat, the most isolated one, to the bare loop.
    isolated: f64,
    /// What the most expensive level adds to the first seat.
    added: f64,
}

fn report(how: &str, levels: &[Isolation], times: Times) -> Comparison {
    let all: Vec<[f64; 3]> = times.into_iter().map(deciles).collect();
    println!("{how}, in microseconds");
    println!("             lowest tenth    median   highest tenth   added to the first seat");
    let names = std::iter::once("bare loop").chain(levels.iter().map(Into::into));
    for (name, [low, median, high]) in names.zip(&all) {
        let added = [0, 1].map(|decile| [low, median][decile] - all[1][decile]);
        println!("  {name:<10} {low:12.0} {median:9.0} {high:15.0} {:+12.0} {:+9.0}", added[0], added[1]);
    }
    let [quiet, ratio] = [0, 1].map(|decile| all[1][decile] / all[0][decile]);
    println!("  ratio      {quiet:12.3} {ratio:9.3}");
    let added = all[1..].iter().map(|deciles| deciles[1] - all[1][1]).fold(0.0, f64::max);
    let isolated = all.last().map_or(ratio, |deciles| deciles[1] / all[0][1]);
    Comparison { ratio, isolated, added }
}

fn report_openings(fixture: &Path, rounds: usize) {
    println!("opening, in microseconds\n             lowest tenth    median   highest tenth");
    for level in levels::levels() {
        let open = || {
            let started = Instant::now();
            drop(open_seat(fixture, *level));
            started.elapsed()
        };
        let [low, median, high] = deciles((0..rounds.max(1)).map(|_| open()).collect());
        println!("  {:<10} {low:12.0} {median:9.0} {high:15.0}", level.to_string());
    }
}

/// The times below which a tenth, a half and nine tenths lie. On a busy machine the first says more than the second.
fn deciles(mut times: Vec<Duration>) -> [f64; 3] {
    times.sort_unstable();
    [1, 5, 9].map(|tenth| times[(times.len() - 1) * tenth / 10].as_secs_f64() * 1e6)
}

/// The same bytes are question and answer of `cat`.
const ECHOED: &[u8] = b"E c3 b4\n\n";

/// Turns of a living program in each seat, in turns with the same over two pipes.
fn report_living(levels: &[Isolation], rounds: usize) {
    let mut bare = Command::new("/bin/cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("cat starts");
    let mut ends = bare.stdin.take().zip(bare.stdout.take()).expect("both are piped");
    let mut seats: Vec<Seat> = levels.iter().map(|level| open_living(*level)).collect();
    let mut times = vec![Vec::new(); seats.len() + 1];
    for _ in 0..rounds {
        let started = Instant::now();
        let mut answer = [0; ECHOED.len()];
        ends.0.write_all(ECHOED).and_then(|()| ends.1.read_exact(&mut answer)).expect("cat answers");
        times[0].push(started.elapsed());
        assert_eq!(answer, ECHOED);
        for (seat, times) in seats.iter_mut().zip(&mut times[1..]) {
            times.push(living_turn(seat));
        }
    }
    drop(ends);
    drop(bare.wait());
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e6
    };
    let medians: Vec<f64> = times.iter_mut().map(median).collect();
    println!("living, {rounds} turns: two pipes {:.0} us", medians[0]);
    for ((level, seat), turn) in levels.iter().zip(&seats).zip(&medians[1..]) {
        let how = if seat.frozen_by_kernel().is_ok() { "control group" } else { "signals" };
        println!("  {level}: {turn:.0} us, {:.1} times two pipes; stopped by {how}", turn / medians[0]);
    }
}

fn open_living(level: Isolation) -> Seat {
    let program = Program { command: vec!["/bin/cat".into()], ..Program::default() };
    let options = SeatOptions {
        keeper: Some(env!("CARGO_BIN_EXE_referee").into()),
        isolation: IsolationRange::exactly(level),
        protocol: Protocol::Stdio,
        ..SeatOptions::default()
    };
    Seat::open(&program, &options).expect("the seat opens")
}

fn living_turn(seat: &mut Seat) -> Duration {
    let job = RunRequest {
        task: Task::Move { input: "E c3 b4\n".to_owned() },
        kill_after: CpuTime::from_secs(300),
        wall_limit: WallTime::from_secs(910),
    };
    let started = Instant::now();
    let run = seat.run(&job).expect("the keeper keeps");
    let taken = started.elapsed();
    assert_eq!(run.ended, Termination::Answered);
    assert!(matches!(run.output, OutputFile::Content { bytes } if bytes.0 == ANSWER));
    taken
}
