//! Games that have a core of their own.

use std::ffi::OsString;

use referee_seat::{Isolation, IsolationRange, OutputFile, Program, RunRequest, Seat, SeatOptions, Task, cores};
use referee_time::{CpuTime, WallTime};

use super::changes::program;
use crate::competition::arena::{Arena, assignment, done, said, small_agents};
use crate::fixtures::fixture;
use crate::invocation::words;
use crate::levels::levels;

fn keeper() -> std::path::PathBuf {
    env!("CARGO_BIN_EXE_referee").into()
}

/// What the fixture writes of the processors that it has, and that it gets.
fn processors(level: Isolation, processor: Option<usize>) -> Option<String> {
    let options = SeatOptions {
        isolation: IsolationRange::exactly(level),
        keeper: Some(keeper()),
        processor,
        ..SeatOptions::default()
    };
    let program = Program {
        command: vec![OsString::from(fixture()?), "processors".into()],
        folder: fixture()?.parent().map(Into::into),
        ..Program::default()
    };
    let mut seat = Seat::open(&program, &options).unwrap();
    let run = seat.run(&RunRequest {
        task: Task::Move { input: String::new() },
        kill_after: CpuTime::from_secs(60),
        wall_limit: WallTime::from_secs(60),
    });
    match run.unwrap().output {
        OutputFile::Content { bytes } => Some(String::from_utf8(bytes.0).unwrap()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_pinned_program_stays_on_its_processor() {
    for core in cores().unwrap() {
        for &level in levels() {
            let Some(found) = processors(level, Some(core)) else {
                return;
            };
            let lines: Vec<&str> = found.lines().map(str::trim_end).collect();
            assert_eq!(lines[0], core.to_string(), "{level}");
            if level > Isolation::Bare {
                assert_eq!(lines[1..], ["refused", &core.to_string()], "{level}");
            }
            let free = processors(level, None).unwrap();
            assert!(free.contains("\ndone\n"), "{level}: {free}");
        }
    }
}

#[test]
fn a_processor_that_is_not_there_is_a_fault_of_ours() {
    let options = SeatOptions { keeper: Some(keeper()), processor: Some(1000), ..SeatOptions::default() };
    let nothing = Program { command: vec!["/bin/true".into()], ..Program::default() };
    let error = Seat::open(&nothing, &options).unwrap_err().to_string();
    assert!(error.contains("stay on the processor that it was given"), "{error}");
}

#[test]
#[ignore = "long: plays competitions"]
fn each_pinned_game_has_one_processor() {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(2)));
    for name in ["one", "other"] {
        program(&arena.path(name), "#!/bin/sh\nnproc > output.txt\n");
    }
    let jobs = cores().unwrap().len().min(2).to_string();
    let words = words("compete small.toml --out run --pin --jobs {} one other", &[&jobs]);
    done(arena.referee(&words));
    let (run, manifest) = (arena.run("run"), arena.manifest("run"));
    let mut forfeits = 0;
    for pairing in &manifest.games {
        let text = std::fs::read_to_string(run.path_of(&pairing.id)).unwrap();
        if ["one", "other"].contains(&pairing.name(pairing.first)) {
            forfeits += 1;
            // A move that is none; it stands in the record as it was written.
            assert!(text.contains(r"1\n"), "{text}");
        }
    }
    assert!(forfeits > 0);
}

#[test]
fn more_jobs_than_cores_cannot_be_pinned() {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(2)));
    let count = match cores().unwrap().len() {
        1 => "is 1 core".to_owned(),
        count => format!("are {count} cores"),
    };
    let refused = said(arena.referee(&["compete", "small.toml", "--out", "run", "--pin", "--jobs", "60000"]));
    assert_eq!(refused.status, Some(2));
    assert_eq!(
        refused.err,
        format!(
            "referee: `--pin` needs a core for each game, and there {count} for 60000 parallel games: lower `--jobs`, \
             or omit `--pin`\n"
        )
    );
}
