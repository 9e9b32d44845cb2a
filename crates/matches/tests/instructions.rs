//! Guards speed independently of the machine's load: counts the instructions of hot paths.
//!
//! Valgrind's callgrind counts them, with the same result each time. `benches/instructions.tsv` has the allowed counts;
//! a path beyond its tolerance has become slower. If a path becomes much faster, update the table to keep the gain:
//!
//! ```sh
//! REFEREE_INSTRUCTIONS=write cargo test --release -p referee-matches --test instructions -- --ignored
//! ```
//!
//! `benches/instructions.json` is the record of a game that is read and verified.
//!
//! This program has no test harness: for each path it runs itself under valgrind with the path's name, and once with
//! [`NOTHING`], whose count (process start and preparation) is subtracted. It counts what users run, so only in a
//! release build. Without valgrind or with another compiler than the table's the guard is skipped; with `CI=true` that
//! is a failure.

#[path = "../../../tests/skips/mod.rs"]
mod skips;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};

use referee_games::builtin::{Depth, Evaluate, RecentPositions, SearchLimit, Searched, TurnRng, alphabeta, best_moves};
use referee_games::halma::{Halma, Rules};
use referee_games::heirs::Heirs;
use referee_games::little_go::LittleGo;
use referee_games::othello::{ClassicOthello, DuoOthello};
use referee_games::protocol::{InputPurpose, Texts, TimeLeft, Tolerance};
use referee_games::{KnownGames, Position, Status, checkers::Checkers, perft, star_circle::StarCircle};
use referee_matches::referee::verify;
use referee_records::{read_game, read_summary};
use referee_time::CpuTime;
use skips::{COMPILER, VALGRIND, skip};

/// One hot path: its name and what it does with the record of a game.
type HotPath = (&'static str, fn(&Path));

/// The table of counts, and a game.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/instructions.tsv");
const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/instructions.json");

/// The path that does nothing.
const NOTHING: &str = "nothing";

/// The default tolerance in per cent for a new path: unrelated changes and other versions of system libraries also
/// change the code.
const TOLERANCE: u64 = 10;

const PATHS: [HotPath; 28] = [
    (NOTHING, |_| ()),
    ("perft of checkers, depth 6", |_| counts::<Checkers>((), 6, 36_768)),
    ("perft of Othello 8x8, depth 6", |_| {
        counts::<ClassicOthello>((), 6, 8_200);
    }),
    ("perft of Duo-Othello, depth 4", |_| counts::<DuoOthello>((), 4, 2_696)),
    ("perft of Halma, addendum, depth 2", |_| {
        counts::<Halma>(Rules::Addendum, 2, 1_600);
    }),
    ("perft of Halma, original, depth 2", |_| {
        counts::<Halma>(Rules::Original, 2, 1_600);
    }),
    ("perft of Star and Circle, depth 4", |_| {
        counts::<StarCircle>((), 4, 3_136);
    }),
    ("perft of Heirs, depth 2", |_| counts::<Heirs>((), 2, 1_296)),
    ("perft of Little-Go, depth 3", |_| counts::<LittleGo>((), 3, 15_650)),
    ("minimax, checkers, depth 3", |_| replies::<Checkers>((), Depth::THREE)),
    ("minimax, Duo-Othello, depth 2", |_| {
        replies::<DuoOthello>((), Depth::TWO);
    }),
    ("minimax, Halma, depth 2", |_| {
        replies::<Halma>(Rules::Addendum, Depth::TWO);
    }),
    ("minimax, Heirs, depth 2", |_| replies::<Heirs>((), Depth::TWO)),
    ("minimax, Little-Go, depth 2", |_| replies::<LittleGo>((), Depth::TWO)),
    ("alpha-beta, checkers, 5,000 nodes", |_| searches::<Checkers>(())),
    ("alpha-beta, Duo-Othello, 5,000 nodes", |_| searches::<DuoOthello>(())),
    ("alpha-beta, Halma, 5,000 nodes", |_| searches::<Halma>(Rules::Addendum)),
    ("alpha-beta, Star and Circle, 5,000 nodes", |_| {
        searches::<StarCircle>(());
    }),
    ("alpha-beta, Heirs, 5,000 nodes", |_| searches::<Heirs>(())),
    ("alpha-beta, Little-Go, 5,000 nodes", |_| searches::<LittleGo>(())),
    ("100 turns' texts, checkers", |_| speaks::<Checkers>(())),
    ("100 turns' texts, Halma", |_| speaks::<Halma>(Rules::Addendum)),
    ("100 turns' texts, Duo-Othello", |_| speaks::<DuoOthello>(())),
    ("100 turns' texts, Heirs", |_| speaks::<Heirs>(())),
    ("100 turns' texts, Little-Go", |_| speaks::<LittleGo>(())),
    ("summary of a record", |record| {
        black_box(read_summary(record).expect("a record"));
    }),
    ("reading a record", |record| {
        black_box(read_game(record, &KnownGames::builtin()).expect("a record"));
    }),
    ("reading and verifying a record", |record| {
        let record = read_game(record, &KnownGames::builtin()).expect("a record");
        verify(&record).expect("an honest game");
    }),
];

fn counts<P: Position>(rules: P::Rules, depth: u32, expected: u64) {
    assert_eq!(perft(black_box(&P::start(rules)), depth), expected);
}

fn replies<P: Evaluate>(rules: P::Rules, depth: Depth) {
    assert!(!best_moves(black_box(&P::start(rules)), depth).is_empty());
}

fn searches<P: Searched>(rules: P::Rules) {
    let start = P::start(rules);
    let chosen = alphabeta(&start, SearchLimit::Nodes(5_000), &RecentPositions::default(), &mut TurnRng::new(1, 0));
    assert!(chosen.is_some_and(|(mv, _)| start.is_legal(mv)));
}

/// Writes the input of a turn, and reads an answer to it.
fn speaks<P: Texts>(rules: P::Rules) {
    let position = P::start(rules);
    assert_eq!(position.status(), Status::ToMove);
    let own = CpuTime::from_micros(123_456_789);
    let time = TimeLeft { own, opponent: own };
    let answer = position.write_move(position.moves()[0]);
    for _ in 0..100 {
        let input = black_box(&position).write_input(InputPurpose::Game, time);
        assert!(P::read_input(input.as_bytes(), rules).is_ok());
        assert!(position.read_output(black_box(&answer).as_bytes(), Tolerance::Tolerant).is_ok());
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [word, name] if word == "hot" => {
            let (_, run) = PATHS.iter().find(|(known, _)| known == name).expect("one of the paths");
            run(Path::new(RECORD));
            ExitCode::SUCCESS
        }
        words if words.iter().any(|word| word == "--list") => ExitCode::SUCCESS,
        // As one of the longer tests, which libtest leaves out unless it is asked for them.
        words
            if !cfg!(debug_assertions)
                && words.iter().any(|word| matches!(word.as_str(), "--ignored" | "--include-ignored")) =>
        {
            count_and_compare()
        }
        _ => {
            println!(
                "instructions are counted by cargo test --release -p referee-matches --test instructions -- --ignored"
            );
            ExitCode::SUCCESS
        }
    }
}

fn count_and_compare() -> ExitCode {
    if Command::new("valgrind").arg("--version").output().is_err() {
        skip(&VALGRIND, "`valgrind` is not installed, so no instructions are counted");
        return ExitCode::SUCCESS;
    }
    let table = std::fs::read_to_string(TABLE).expect("the table is part of the sources");
    let is_written = std::env::var_os("REFEREE_INSTRUCTIONS").is_some_and(|value| value == "write");
    if !is_written && table.lines().next() != Some(&counted_with()) {
        skip(&COMPILER, "another compiler than the table's makes other code");
        return ExitCode::SUCCESS;
    }
    let found = count_all();
    if is_written {
        std::fs::write(TABLE, written(&found)).expect("the table can be written");
        println!("written: `benches/instructions.tsv`");
        return ExitCode::SUCCESS;
    }
    compare(&table, &found)
}

/// What made the code that is counted, as the first line of the table says it.
fn counted_with() -> String {
    let rustc = Command::new("rustc").arg("-vV").output().expect("whoever builds tests has a compiler");
    let said = String::from_utf8_lossy(&rustc.stdout).into_owned();
    let fact = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    format!("# counted with rustc {}, {}", fact("release: "), fact("host: "))
}

/// The instructions of each path, beyond those of [`NOTHING`]. Two at a time: it is a matter of processors, not of
/// memory.
fn count_all() -> BTreeMap<&'static str, u64> {
    let (even, odd): (Vec<_>, Vec<_>) = PATHS.iter().enumerate().partition(|(place, _)| place.is_multiple_of(2));
    let counted: Vec<(&str, u64)> = std::thread::scope(|scope| {
        let halves = [even, odd].map(|half| {
            scope.spawn(move || half.into_iter().map(|(_, (name, _))| (*name, count(name))).collect::<Vec<_>>())
        });
        halves.into_iter().flat_map(|half| half.join().expect("counted")).collect()
    });
    let nothing = counted.iter().find(|(name, _)| *name == NOTHING).map_or(0, |(_, count)| *count);
    let beyond = counted.into_iter().filter(|(name, _)| *name != NOTHING);
    beyond.map(|(name, count)| (name, count.saturating_sub(nothing))).collect()
}

fn count(name: &str) -> u64 {
    let program = std::env::current_exe().expect("this program");
    let counted = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["hot", name])
        .output()
        .expect("valgrind runs");
    let said = String::from_utf8_lossy(&counted.stderr);
    assert!(counted.status.success(), "{name}: {said}");
    let collected =
        said.lines().find_map(|line| line.split_once("Collected : ")).map(|(_, count)| count.trim().parse());
    collected.expect("valgrind says what it collected").expect("a number")
}

fn written(found: &BTreeMap<&str, u64>) -> String {
    let mut table = format!("{}\n# path\tinstructions\ttolerance in percent\n", counted_with());
    for (name, _) in PATHS.iter().filter(|(name, _)| *name != NOTHING) {
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{name}\t{}\t{TOLERANCE}", found[name]);
    }
    table
}

fn compare(table: &str, found: &BTreeMap<&str, u64>) -> ExitCode {
    let known: BTreeMap<&str, (u64, u64)> =
        table.lines().filter(|line| !line.starts_with('#')).map(read_line).collect();
    let mut slower = 0;
    for (&name, &count) in found {
        let Some(&(expected, tolerance)) = known.get(name) else {
            println!("`{name}` is not in `benches/instructions.tsv`: write it down");
            slower += 1;
            continue;
        };
        let (lowest, highest) = (expected - expected * tolerance / 100, expected + expected * tolerance / 100);
        let verdict = match count {
            _ if count > highest => "SLOWER",
            _ if count < lowest => "quicker: write it down, so that it stays so",
            _ => "as ever",
        };
        slower += usize::from(count > highest);
        println!("{name}: {count} instructions, {expected} written down, {verdict}");
    }
    if slower == 0 {
        return ExitCode::SUCCESS;
    }
    println!("{slower} of the hot paths take more instructions than `benches/instructions.tsv` allows");
    println!(
        "if it has to be, write them down again: REFEREE_INSTRUCTIONS=write cargo test --release -p referee-matches \
         --test instructions -- --ignored"
    );
    ExitCode::FAILURE
}

fn read_line(line: &str) -> (&str, (u64, u64)) {
    let cells: Vec<&str> = line.split('\t').collect();
    let [name, count, tolerance] = cells[..] else {
        panic!("expected three cells with tabs between them, found `{line}`");
    };
    let number = |cell: &str| cell.parse().unwrap_or_else(|_| panic!("expected a number, found `{cell}`"));
    (name, (number(count), number(tolerance)))
}
