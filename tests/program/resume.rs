//! A run that is killed at any moment and started again ends like one that was left alone.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};
use referee_games::KnownGames;
use referee_records::{RunFolder, TurnRecord};
use referee_seat::Termination;
use tempfile::TempDir;

use crate::competition::arena::{self, KEEPER};
use crate::invocation::{command, words};
use crate::kernels::{REFUSED_TOGETHER, below};

const GAMES: usize = 6;

/// How often something is looked for. Whatever is looked for comes: nothing here gives up after a time.
const LOOK: Duration = Duration::from_millis(2);

/// A folder that agents can reach, who may be another user.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    folder
}

/// An agent that is this shell script.
fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

/// A pipe that agents may open, too.
fn pipe(path: &Path) {
    mkfifo(path, Mode::S_IRUSR).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o666)).unwrap();
}

/// Both ends of a pipe, so that opening it waits for nobody and nobody finds it closed.
fn both_ends(path: &Path) -> File {
    OpenOptions::new().read(true).write(true).open(path).unwrap()
}

fn play(agent: &Path, out: &Path, more: &[&str]) -> Command {
    let mut command = command(&["play"]);
    command.arg(agent).args(["builtin:random", "--isolation", "bare"]);
    command.args(more).arg("--out").arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Starts it where no isolation is possible, so that an agent sees the pipes beside it.
fn started(mut command: Command) -> Child {
    below(&REFUSED_TOGETHER, || command.spawn()).unwrap()
}

/// The moves of every game, and who won it: what a seed determines. Times differ from run to run.
fn games(out: &Path) -> Vec<(String, Vec<String>, String)> {
    let run = RunFolder::open(out, &KnownGames::builtin()).expect("the run has a manifest");
    let ids = run.finished(&run.manifest().expect("the manifest can be read")).into_iter();
    let game = |id: String| {
        let record = run.game(&id).expect("a finished game has a whole record");
        let moves = record.turns.iter().map(|turn| format!("{:?}", turn.mv())).collect();
        (id, moves, format!("{:?}", record.verdict.winner()))
    };
    ids.map(game).collect()
}

/// A built-in agent that takes a line from the pipe `turnstile` before its first move of a game, where there is one.
fn one_that_waits(path: &Path, turnstile: &Path) {
    let (turnstile, referee) = (turnstile.display(), env!("CARGO_BIN_EXE_referee"));
    script(
        path,
        &format!(
            "[ -e playdata.txt ] || [ ! -p '{turnstile}' ] || read -r line < '{turnstile}'\n: > playdata.txt\n\
             exec '{referee}' agent minimax,depth=1 --seed 1"
        ),
    );
}

/// Kills a run and waits until its keepers have ended, too: an agent that has just been started would otherwise take a
/// line that is meant for the next run.
fn end_with_its_agents(running: &mut Child) {
    kill(Pid::from_raw(running.id().cast_signed()), Signal::SIGSTOP).unwrap();
    // One that has just been started has its own name yet to take.
    let keepers: Vec<Pid> = [KEEPER, "referee"].into_iter().flat_map(|name| arena::below(running, name)).collect();
    running.kill().unwrap();
    running.wait().unwrap();
    let stat = |keeper: &Pid| fs::read_to_string(format!("/proc/{keeper}/stat"));
    while keepers.iter().any(|keeper| stat(keeper).is_ok_and(|stat| !stat.contains(") Z "))) {
        sleep(LOOK);
    }
}

#[test]
fn a_run_that_is_killed_and_resumed_equals_one_that_was_left_alone() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let (agent, turnstile) = (path("agent"), path("turnstile"));
    one_that_waits(&agent, &turnstile);
    let (disturbed, undisturbed) = (path("disturbed"), path("undisturbed"));
    let count = GAMES.to_string();
    let terms = words("--game duo-othello --opening-plies 124 --jobs 2 --seed 5 --games {}", &[&count]);
    let mut finished = 0;
    for let_through in [0, 1, 2] {
        // So many games can end, and no other.
        pipe(&turnstile);
        let mut lines = both_ends(&turnstile);
        lines.write_all(&vec![b'\n'; let_through]).unwrap();
        let mut running = started(play(&agent, &disturbed, &terms));
        finished += let_through;
        while RunFolder::open(&disturbed, &KnownGames::builtin()).is_err() || games(&disturbed).len() < finished {
            assert_eq!(running.try_wait().unwrap(), None, "it ends before it is killed");
            sleep(LOOK);
        }
        end_with_its_agents(&mut running);
        assert_eq!(games(&disturbed).len(), finished);
        fs::remove_file(&turnstile).unwrap();
    }
    assert!(0 < finished && finished < GAMES, "there is something to resume");
    for out in [&disturbed, &undisturbed] {
        assert!(started(play(&agent, out, &terms)).wait().unwrap().success());
    }
    let games = [games(&disturbed), games(&undisturbed)];
    assert_eq!(games[0].len(), GAMES);
    assert_eq!(games[0], games[1]);
}

/// An agent that a signal ends in each run, until there is the file `peace`; then it gives up. Where there is the file
/// `told`, it writes there which process it is, and does not go on before there is a line in the pipe `gate`.
fn killed_before([peace, gate]: [&Path; 2], path: &Path) {
    let [peace, gate] = [peace, gate].map(Path::display);
    script(
        path,
        &format!(
            "[ -e '{peace}' ] && exit 3\nif [ -p '{gate}' ]; then exec 3< '{gate}'; read -r line <&3; fi\nkill -TERM $$"
        ),
    );
}

/// The writing end of `gate` as soon as an agent of `running` reads from it.
fn agent_at(gate: &Path, running: &mut Child) -> File {
    loop {
        assert_eq!(running.try_wait().unwrap(), None, "it ends before its agent runs");
        // Without a reader, there is nothing to open (fifo(7)).
        let nonblocking = OFlag::O_NONBLOCK.bits();
        match OpenOptions::new().write(true).custom_flags(nonblocking).open(gate) {
            Ok(end) => return end,
            Err(error) => assert_eq!(error.raw_os_error(), Some(Errno::ENXIO as i32)),
        }
        sleep(LOOK);
    }
}

/// Waits until nobody reads from the other end any more.
fn until_gone(gate: &File) {
    let mut descriptors = [PollFd::new(gate.as_fd(), PollFlags::empty())];
    while !descriptors[0].revents().is_some_and(|seen| seen.contains(PollFlags::POLLERR)) {
        poll(&mut descriptors, PollTimeout::NONE).unwrap();
    }
}

fn signal(running: &Child, signal: Signal) {
    kill(Pid::from_raw(i32::try_from(running.id()).unwrap()), signal).unwrap();
}

#[test]
#[ignore = "long: killed and resumed"]
fn an_agent_that_is_ended_together_with_the_run_has_not_lost() {
    let folder = folder();
    let [agent, peace, gate, out] = ["agent", "peace", "gate", "run"].map(|name| folder.path().join(name));
    killed_before([&peace, &gate], &agent);
    let play = || started(play(&agent, &out, &["--game", "star-circle"]));
    // Whoever ends a whole session may reach the agent first: the program gets its signal when the agent is gone,
    // before it has seen that.
    pipe(&gate);
    let mut running = play();
    let mut end_of_gate = agent_at(&gate, &mut running);
    signal(&running, Signal::SIGSTOP);
    end_of_gate.write_all(b"\n").unwrap();
    until_gone(&end_of_gate);
    signal(&running, Signal::SIGTERM);
    signal(&running, Signal::SIGCONT);
    assert_eq!(running.wait().unwrap().code(), Some(130));
    assert_eq!(games(&out), []);
    fs::remove_file(&gate).unwrap();
    fs::write(&peace, "").unwrap();
    assert!(play().wait().unwrap().success());
    assert_eq!(ends(&out), [Termination::Exited { status: 3 }]);
    // Where nobody has ended anything, it has lost, as whoever ends itself has.
    fs::remove_dir_all(&out).unwrap();
    fs::remove_file(&peace).unwrap();
    assert!(play().wait().unwrap().success());
    assert!(matches!(*ends(&out), [Termination::Signalled { signal: 15, .. }]));
}

/// How the last run of each game ended.
fn ends(out: &Path) -> Vec<Termination> {
    let run = RunFolder::open(out, &KnownGames::builtin()).unwrap();
    let ids = run.finished(&run.manifest().unwrap()).into_iter();
    let last = |id: String| match run.game(&id).unwrap().turns.pop() {
        Some(TurnRecord::Run { run, .. }) => run.ended,
        turn => panic!("{turn:?}"),
    };
    ids.map(last).collect()
}
