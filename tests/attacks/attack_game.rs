//! A game of the attacker (`fixtures/attacks.c`) against an opponent that keeps playing.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::{Rc, Weak};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use referee_seat::{
    Isolation, IsolationRange, Limits, OutputFile, Program, Protocol, Run, RunRequest, Seat, SeatOptions, Task,
    Termination,
};
use referee_time::{CpuTime, WallTime};
use tempfile::TempDir;

use crate::compile::compiled;

/// The compiled attacker, or `None`, with a printed message, without a C compiler.
pub(crate) fn attacker() -> Option<&'static Path> {
    static ATTACKER: OnceLock<Option<PathBuf>> = OnceLock::new();
    ATTACKER
        .get_or_init(|| {
            compiled(&["attacks.c", "channels.c", "known_attacks.c", "newer_calls.c", "attack.h", "living.h"])
        })
        .as_deref()
}

pub(crate) fn options() -> SeatOptions {
    SeatOptions { keeper: Some(env!("CARGO_BIN_EXE_referee").into()), ..SeatOptions::default() }
}

/// Held shared by every game of these tests, and exclusively by the one whose attacker takes all available processes,
/// so that others do not lack them.
static MACHINE: RwLock<()> = RwLock::new(());

thread_local! {
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };

    /// What this thread holds of it. Asked for a second time, the lock would wait for a thread that waits to be alone,
    /// and that one for this.
    static SHARE: RefCell<Weak<RwLockReadGuard<'static, ()>>> = const { RefCell::new(Weak::new()) };
}

/// A thread's share of the machine, until the last of its copies is dropped.
pub(crate) type MachineShare = Rc<RwLockReadGuard<'static, ()>>;

/// Waits until no other game runs; while the guard lives, only this thread plays.
pub(crate) fn alone() -> RwLockWriteGuard<'static, ()> {
    IS_ALONE.set(true);
    MACHINE.write()
}

/// Waits until nobody plays exclusively; while the guard lives, nobody does.
pub(crate) fn among_others() -> Option<MachineShare> {
    (!IS_ALONE.get()).then(|| {
        let held = SHARE.with_borrow(Weak::upgrade);
        held.unwrap_or_else(|| {
            let share = Rc::new(MACHINE.read());
            SHARE.set(Rc::downgrade(&share));
            share
        })
    })
}

/// An attacker in its own folder, an opponent, and the mark of all the attacker's processes.
pub(crate) struct AttackGame {
    seat: Seat,
    opponent: Seat,
    mark: String,
    folder: TempDir,
    _machine: Option<MachineShare>,
}

impl AttackGame {
    /// `None`, with a printed message, without a C compiler.
    pub(crate) fn new(level: Isolation, words: &[&str]) -> Option<Self> {
        Self::with(level, Limits::default(), words)
    }

    /// `FOLDER` in the words stands for the attacker's own folder.
    pub(crate) fn with(level: Isolation, limits: Limits, words: &[&str]) -> Option<Self> {
        Self::by(Protocol::Files, level, limits, words)
    }

    /// By `stdio`, one process tries it for each question.
    pub(crate) fn by(protocol: Protocol, level: Isolation, limits: Limits, words: &[&str]) -> Option<Self> {
        let machine = among_others();
        let folder = own_folder(attacker()?);
        let mark = format!("mark-{}-{}", std::process::id(), unique());
        let own = folder.path().display().to_string();
        let words = words.iter().map(|word| word.replace("FOLDER", &own));
        let options = SeatOptions { isolation: IsolationRange::exactly(level), limits, ..options() };
        let open = |words: Vec<String>, protocol| {
            let mut command = vec![OsString::from(folder.path().join("attacks"))];
            command.extend(words.into_iter().map(OsString::from));
            let program = Program { command, folder: Some(folder.path().to_owned()), ..Program::default() };
            Seat::open(&program, &SeatOptions { protocol, ..options.clone() }).unwrap()
        };
        let opponent = open(vec!["who".to_owned()], Protocol::Files);
        let live = (protocol == Protocol::Stdio).then(|| "live".to_owned());
        let seat = open(live.into_iter().chain(words).chain([mark.clone()]).collect(), protocol);
        assert_eq!(seat.isolation(), level);
        Some(Self { seat, opponent, mark, folder, _machine: machine })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The attacker's working directory.
    pub(crate) fn directory(&self) -> &Path {
        self.seat.directory()
    }

    /// Whether a control group limits its memory; if not, prints a message.
    pub(crate) fn memory_limited_by_kernel(&self) -> bool {
        let limited = self.seat.memory_limited_by_kernel();
        if let Err(why) = limited {
            println!("memory is not limited by a control group: {why}");
        }
        limited.is_ok()
    }

    /// Whether the kernel limits its processes, beside a count every few milliseconds; if not, prints a message.
    pub(crate) fn processes_limited_by_kernel(&self) -> bool {
        let limited = self.seat.processes_limited_by_kernel();
        if let Err(why) = limited {
            println!("processes are not limited by the kernel: {why}");
        }
        limited.is_ok()
    }

    pub(crate) fn opponent(&self) -> &Seat {
        &self.opponent
    }

    pub(crate) fn run(&mut self) -> Run {
        self.run_on("GAME\n")
    }

    /// A move of the attacker, and one of the opponent.
    pub(crate) fn run_on(&mut self, input: &str) -> Run {
        let run = self.seat.run(&job(input)).unwrap();
        if self.seat.protocol() == Protocol::Files {
            assert_eq!(marked(&self.mark), [0; 0], "still running");
        }
        let answer = self.opponent.run(&job("GAME\n")).unwrap();
        assert_eq!((&answer.ended, content(&answer).as_str()), (&Termination::Exited { status: 0 }, "changed 0\n"));
        run
    }

    /// Runs it; returns its attempts with their results.
    pub(crate) fn attempts(&mut self) -> BTreeMap<String, String> {
        let run = self.run();
        match self.seat.protocol() {
            Protocol::Files => {
                assert_eq!(run.ended, Termination::Exited { status: 0 }, "{}", run.stderr);
                by_name(&content(&run))
            }
            Protocol::Stdio => {
                assert_eq!(run.ended, Termination::Answered, "{}", run.stderr);
                by_name(&decoded(content(&run).trim()))
            }
        }
    }

    /// Runs it; returns the names of successful attempts.
    pub(crate) fn successful(&mut self) -> Vec<String> {
        let told = self.attempts();
        assert!(!told.is_empty());
        told.into_iter().filter(|(_, came)| came == "done").map(|(name, _)| name).collect()
    }

    /// Ends the game; nothing of it may be left.
    pub(crate) fn end(self) {
        let Self { seat, opponent, mark, folder, _machine } = self;
        let traces = [&seat, &opponent].map(|seat| (seat.directory().to_owned(), seat.keeper_id()));
        drop((seat, opponent));
        for (directory, keeper) in traces {
            assert!(!directory.exists(), "{} is left", directory.display());
            assert!(!Path::new(&format!("/proc/{keeper}")).exists());
        }
        assert_eq!(marked(&mark), [0; 0]);
        folder.close().unwrap();
    }
}

/// What a living attacker writes in hexadecimal digits.
fn decoded(digits: &str) -> String {
    let digits = digits.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).unwrap());
    let bytes = digits.map(|pair| u8::from_str_radix(pair, 16).unwrap());
    String::from_utf8(bytes.collect()).unwrap()
}

pub(crate) fn by_name(told: &str) -> BTreeMap<String, String> {
    told.lines()
        .filter_map(|line| line.split_once(char::is_whitespace))
        .map(|(name, came)| (name.to_owned(), came.trim().to_owned()))
        .collect()
}

/// Runs the attacker without isolation: in this folder, by this user, without a seat. Returns its attempts with their
/// results; `None` without a C compiler.
pub(crate) fn without_isolation(folder: &Path, words: &[&str]) -> Option<BTreeMap<String, String>> {
    let status = Command::new(attacker()?).args(words).current_dir(folder).status().unwrap();
    assert!(status.success(), "{words:?}");
    Some(by_name(&std::fs::read_to_string(folder.join("output.txt")).unwrap_or_default()))
}

/// A folder with the program, and files to attack.
pub(crate) fn own_folder(program: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(program, folder.path().join("attacks")).unwrap();
    for name in ["victim", "empty"] {
        std::fs::write(folder.path().join(name), name).unwrap();
    }
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    folder
}

pub(crate) fn job(input: &str) -> RunRequest {
    RunRequest {
        task: Task::Move { input: input.to_owned() },
        kill_after: CpuTime::from_secs(60),
        wall_limit: WallTime::from_secs(60),
    }
}

pub(crate) fn content(run: &Run) -> String {
    match &run.output {
        OutputFile::Content { bytes } => String::from_utf8(bytes.0.clone()).unwrap(),
        other => panic!("expected a content, found {other:?}; standard error: {}", run.stderr),
    }
}

pub(crate) fn unique() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The living processes with `mark` among their arguments.
pub(crate) fn marked(mark: &str) -> Vec<i32> {
    let alive = |pid: &i32| {
        let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).any(|word| word == mark.as_bytes())
    };
    let processes = std::fs::read_dir("/proc").unwrap();
    let numbers = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    numbers.filter(alive).collect()
}
