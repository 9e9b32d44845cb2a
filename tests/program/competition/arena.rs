//! An assignment written by a test, and its runs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use referee_games::KnownGames;
use referee_matches::rules_program::known_games;
use referee_records::{GameSummary, Manifest, Outcome, RunFolder};
use tempfile::TempDir;

use crate::invocation::{command, stderr, stdout};

/// How often something is looked for. Nothing here gives up after a time.
pub(crate) const LOOK: Duration = Duration::from_millis(2);

/// The games of all runs that tests open: rules programs that are the same in two of them are started once.
static GAMES: LazyLock<KnownGames> = LazyLock::new(|| known_games(Some(Path::new(env!("CARGO_BIN_EXE_referee")))));

/// How a command ended, and what it said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A folder with an assignment and runs.
pub(crate) struct Arena {
    folder: TempDir,
}

/// `count` agents that are soon done, no two of them alike.
pub(crate) fn small_agents(count: usize) -> Vec<String> {
    let kinds = ["random", "minimax,depth=1"];
    (0..count).map(|index| format!("a{index:02}=builtin:{},seed={index}", kinds[index % kinds.len()])).collect()
}

/// The text of a competition in `format` (with the keys that belong to it) among `agents`.
pub(crate) fn assignment(format: &str, agents: &[String]) -> String {
    let mut text = format!(
        "title = \"A test\"\ngame = \"duo-othello\"\nseed = 7\n\n[clock]\nplay_time = 300\n\n[competition]\nformat = \
         {format}\n\
         games_per_pairing = 2\nopening_plies = 124\nagents = [\n"
    );
    for agent in agents {
        writeln!(text, "    \"{agent}\",").unwrap();
    }
    text + "]\n"
}

impl Arena {
    /// One with this assignment.
    pub(crate) fn new(assignment: &str) -> Self {
        let arena = Self { folder: TempDir::new().unwrap() };
        arena.write("small.toml", assignment);
        arena
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// The competition in the folder `out`, two games at a time, with `more` on the command line.
    pub(crate) fn compete(&self, out: &str, more: &[&str]) -> Command {
        let mut command = self.referee(&["compete", "small.toml", "--out", out]);
        if !more.contains(&"--jobs") {
            command.args(["--jobs", "2"]);
        }
        command.args(more);
        command
    }

    pub(crate) fn referee(&self, words: &[&str]) -> Command {
        let mut command = command(words);
        command.current_dir(self.folder.path());
        command
    }

    pub(crate) fn run(&self, out: &str) -> RunFolder {
        RunFolder::open(&self.path(out), &GAMES).unwrap()
    }

    pub(crate) fn manifest(&self, out: &str) -> Manifest {
        self.run(out).manifest().unwrap()
    }

    /// Every finished game: its moves and its outcome, which is all that a seed determines.
    pub(crate) fn games(&self, out: &str) -> BTreeMap<String, (Vec<String>, Outcome)> {
        let (run, manifest) = (self.run(out), self.manifest(out));
        let game = |id: String| {
            let record = run.game(&id).unwrap();
            let moves = record.turns.iter().map(|turn| format!("{:?}", turn.mv())).collect();
            (id, (moves, GameSummary::of(&record).outcome))
        };
        run.finished(&manifest).into_iter().map(game).collect()
    }

    /// How many games have a record, though a manifest may not know them yet.
    pub(crate) fn recorded(&self, out: &str) -> usize {
        records(&self.path(out).join("games"))
    }
}

fn records(folder: &Path) -> usize {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter(|file| file.path().extension().is_some_and(|extension| extension == "json")).count()
}

/// Carries `command` out to its end.
pub(crate) fn said(mut command: Command) -> Said {
    let done = command.output().unwrap();
    Said { status: done.status.code(), out: stdout(&done), err: stderr(&done) }
}

/// Carries `command` out, which has to do what it is for.
pub(crate) fn done(command: Command) -> String {
    let said = said(command);
    assert_eq!(said.status, Some(0), "{said:#?}");
    said.out
}

/// An agent that sleeps until a test wakes it, and then says nothing and loses: its games end when the test says so.
pub(crate) const SLEEPER: &str = "#!/bin/sh\nsleep 86400\nexit 0\n";

/// Wakes the agents of `command` that sleep now.
pub(crate) fn wake(command: &Child) {
    for agent in below(command, "sleep") {
        // It may be gone by now.
        let _ = kill(agent, Signal::SIGTERM);
    }
}

/// Wakes each agent of `command` that sleeps, until its end.
pub(crate) fn wake_to_the_end(command: &mut Child) {
    while command.try_wait().unwrap().is_none() {
        wake(command);
        sleep(LOOK);
    }
}

/// What keepers call themselves, as soon as they can.
pub(crate) const KEEPER: &str = "referee-keeper";

/// The processes below `ancestor` of that name.
pub(crate) fn below(ancestor: &Child, name: &str) -> Vec<Pid> {
    // Each thread has children of its own.
    let children = |parent: Pid| {
        let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
        let lists = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
        lists.collect::<String>()
    };
    let comm = |pid: &Pid| fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    let mut found = vec![];
    let mut left = vec![Pid::from_raw(ancestor.id().cast_signed())];
    while let Some(pid) = left.pop() {
        left.extend(children(pid).split_whitespace().map(|pid| Pid::from_raw(pid.parse().unwrap())));
        if comm(&pid).trim_end() == name {
            found.push(pid);
        }
    }
    found
}

/// The parent of a process; it may have ended.
pub(crate) fn parent(of: Pid) -> Option<Pid> {
    let stat = fs::read_to_string(format!("/proc/{of}/stat")).ok()?;
    // After the name, which may have blanks, come the state and the parent.
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.split(' ').nth(1)?.parse().ok().map(Pid::from_raw)
}

/// What a competition prints when it is over, from the winner to the final ranking: without times, which no seed
/// determines.
pub(crate) fn conclusion(out: &str) -> String {
    let (_, end) = out.split_once("\nwinner").unwrap();
    let (table, _) = end.split_once("\nranked by").unwrap();
    // The last two columns of the table have times.
    let without_last = |line: &'_ str| line.trim_end().rsplit_once("  ").map_or(line, |(line, _)| line).to_owned();
    let lines = table.lines().map(|line| without_last(&without_last(line)).trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}
