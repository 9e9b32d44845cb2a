//! Planned runs, shards at work on them, and agents that take their time.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::competition::arena::{Arena, LOOK, SLEEPER, assignment, done, small_agents, wake_to_the_end};
use crate::competition::changes::program;
use crate::invocation::stderr;

/// A round robin of so many small agents, planned in `run`.
pub(crate) fn planned_round_robin(agents: usize) -> Arena {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(agents)));
    done(plan(&arena, "run", &[]));
    arena
}

pub(crate) fn plan(arena: &Arena, out: &str, more: &[&str]) -> Command {
    let mut command = arena.referee(&["plan", "small.toml", "--out", out, "--jobs", "2"]);
    command.args(more);
    command
}

/// How the competition stands, as `plan --next --json` tells.
pub(crate) fn plan_next(arena: &Arena, run: &str) -> Value {
    serde_json::from_str(&done(arena.referee(&["plan", "--next", run, "--json"]))).unwrap()
}

/// A shard on `run`, a game at a time, with the events in the file `events`.
pub(crate) fn shard(arena: &Arena, run: &str, part: [u32; 2], events: &str, more: &[&str]) -> Command {
    let [index, of] = part.map(|number| number.to_string());
    let mut command = arena.referee(&["shard", run, "--index", &index, "--of", &of, "--jobs", "1", "--events", events]);
    command.args(more);
    command
}

pub(crate) fn quiet(mut command: Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A run of two games against a [`SLEEPER`].
pub(crate) fn slow_pair() -> Arena {
    let arena = Arena::new(&assignment("\"round-robin\"", &small_agents(1)));
    program(&arena.path("slow"), SLEEPER);
    done(plan(&arena, "run", &["slow=slow"]));
    arena
}

pub(crate) fn script(path: &Path, text: &str) {
    program(path, &format!("#!/bin/sh\n{text}\n"));
}

/// Waits until `happened`.
pub(crate) fn until(happened: impl Fn() -> bool) {
    while !happened() {
        sleep(LOOK);
    }
}

/// The names of the games of which `event` was told in the file `events`, in order.
pub(crate) fn told(arena: &Arena, events: &str, event: &str) -> Vec<String> {
    let text = fs::read_to_string(arena.path(events)).unwrap_or_default();
    // The last line may not be whole yet.
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let lines = whole.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["event"] == event).map(|line| line["id"].as_str().unwrap().to_owned()).collect()
}

pub(crate) fn send(child: &Child, signal: Signal) {
    kill(pid_of(child), signal).unwrap();
}

pub(crate) fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(child.id().cast_signed())
}

/// How `child` ends if its agents are woken, and what it says on standard error.
pub(crate) fn ended_awake(mut child: Child) -> (Option<i32>, String) {
    wake_to_the_end(&mut child);
    ended(child)
}

/// Waits until `child` has taken the signals that it was sent.
pub(crate) fn until_taken(child: &Child) {
    let is_taken = |line: &str| line.trim_end_matches('0').ends_with("Pnd:\t");
    let status = || fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    until(|| status().lines().filter(|line| line.contains("Pnd:")).all(is_taken));
}

/// How `child` ends, and what it says on standard error.
pub(crate) fn ended(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), stderr(&output))
}

/// The claims that are left in `run`, and whatever was put aside among them.
pub(crate) fn claims(arena: &Arena, run: &str) -> Vec<String> {
    let entries = fs::read_dir(arena.path(run).join("claims")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// A copy of the folder `from`, as rsync would make it.
pub(crate) fn copy(arena: &Arena, from: &str, to: &str) {
    let copied = Command::new("cp").arg("-a").args([arena.path(from), arena.path(to)]).status();
    assert!(copied.unwrap().success());
}

/// Changes the bytes of a record without changing what it says.
pub(crate) fn respell(arena: &Arena, run: &str, id: &str) {
    let path = arena.run(run).path_of(id);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n")).unwrap();
}
