//! A seat of the fixture agent, and what the tests look at.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;

use std::path::Path;

use referee_seat::{
    Isolation, IsolationRange, OutputFile, Program, Run, RunRequest, Seat, SeatOptions, Task, Termination,
};
use referee_time::{CpuTime, WallTime};

use crate::fixtures::fixture;

pub(crate) const INPUT: &str = "GAME\nBLACK\n300\n";

pub(crate) const ANSWER: &[u8] = b"E c3 b4\n";

/// A seat of the fixture agent, and the mark that all of its processes carry.
pub(crate) struct FixtureSeat {
    pub(crate) seat: Seat,
    pub(crate) mark: String,
}

impl FixtureSeat {
    /// `None` where there is no C compiler; that has been said.
    pub(crate) fn new(verb: &[&str]) -> Option<Self> {
        Self::with(verb, &options())
    }

    pub(crate) fn at(level: Isolation, verb: &[&str]) -> Option<Self> {
        Self::with(verb, &options_at(level))
    }

    pub(crate) fn with(verb: &[&str], options: &SeatOptions) -> Option<Self> {
        let mark = format!("mark-{}-{}", std::process::id(), unique());
        let mut command = vec![fixture()?.as_os_str().to_owned()];
        command.extend(verb.iter().map(OsString::from));
        command.push(OsString::from(&mark));
        let seat = Seat::open(&program(command), options).unwrap();
        Some(Self { seat, mark })
    }

    pub(crate) fn run(&mut self) -> Run {
        self.run_within(CpuTime::from_secs(60), WallTime::from_secs(600))
    }

    pub(crate) fn run_within(&mut self, kill_after: CpuTime, wall_limit: WallTime) -> Run {
        let run = self.seat.run(&job(kill_after, wall_limit)).unwrap();
        // Not a moment later: the next run is the opponent's.
        assert_eq!(marked(&self.mark), [0; 0]);
        run
    }

    /// Ends the game; nothing may be left of it.
    pub(crate) fn end(self) {
        let Self { seat, mark } = self;
        let directory = seat.directory().to_owned();
        let keeper = seat.keeper_id();
        drop(seat);
        assert!(!directory.exists(), "{} is left", directory.display());
        assert!(marked(&mark).is_empty());
        assert!(!Path::new(&format!("/proc/{keeper}")).exists());
    }
}

pub(crate) fn unique() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

pub(crate) fn options() -> SeatOptions {
    SeatOptions { keeper: Some(env!("CARGO_BIN_EXE_referee").into()), ..SeatOptions::default() }
}

pub(crate) fn options_at(level: Isolation) -> SeatOptions {
    SeatOptions { isolation: IsolationRange::exactly(level), ..options() }
}

/// The process that does a keeper's work: the child of the one that the referee knows.
pub(crate) fn worker(seat: &Seat) -> u32 {
    let id = seat.keeper_id();
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap();
    children.trim().parse().unwrap()
}

pub(crate) fn program(command: Vec<OsString>) -> Program {
    Program { command, ..Program::default() }
}

pub(crate) fn job(kill_after: CpuTime, wall_limit: WallTime) -> RunRequest {
    RunRequest { task: Task::Move { input: INPUT.to_owned() }, kill_after, wall_limit }
}

pub(crate) fn calibrate() -> RunRequest {
    RunRequest { task: Task::Calibrate, kill_after: CpuTime::from_secs(10), wall_limit: WallTime::from_secs(600) }
}

/// The processes that have `mark` among their arguments and are alive.
pub(crate) fn marked(mark: &str) -> Vec<i32> {
    let alive = |pid: &i32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).any(|word| word == mark.as_bytes())
    };
    numbers_in("/proc").into_iter().filter(alive).collect()
}

pub(crate) fn numbers_in(folder: &str) -> Vec<i32> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

pub(crate) fn content(run: &Run) -> &[u8] {
    match &run.output {
        OutputFile::Content { bytes } => &bytes.0,
        other => panic!("expected a content, found {other:?}; standard error: {}", run.stderr),
    }
}

pub(crate) fn exited(status: u8) -> Termination {
    Termination::Exited { status }
}

pub(crate) fn charged(run: &Run) -> f64 {
    (run.usage.user + run.usage.system).as_secs_f64()
}

/// A program that does a crime in a run whose input is `act`, and otherwise tells what it finds.
pub(crate) fn two_acts(verb: &[&str]) -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let [agent, criminal] = ["agent", "criminal"].map(|name| folder.path().join(name));
    std::fs::copy(fixture()?, &criminal).unwrap();
    let script = format!(
        "#!/bin/sh\nread word rest < input.txt\n[ \"$word\" = act ] && exec '{}' {}\n\
         found=$(echo $(ls -a))\n{{ printf '%s ' \"$found\"; cat calibration.txt input.txt; }} > output.txt\n",
        criminal.display(),
        verb.join(" "),
    );
    std::fs::write(&agent, script).unwrap();
    std::fs::set_permissions(&agent, PermissionsExt::from_mode(0o755)).unwrap();
    Some(folder)
}

pub(crate) fn two_acts_program(folder: &tempfile::TempDir) -> Program {
    Program {
        command: vec![folder.path().join("agent").into()],
        folder: Some(folder.path().to_owned()),
        ..Program::default()
    }
}
