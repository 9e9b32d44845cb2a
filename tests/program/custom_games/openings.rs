//! Openings where the rules are a program: they are drawn before the first game, and may take long.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

use super::{example, referee_in};
use crate::invocation::{command, stderr};
use crate::toolbox::{PYTHON3, require};

/// An assignment whose competition has openings, with the moves of its rules changed.
fn competition(folder: &TempDir, moves: &str) -> &'static str {
    let listed = "        signs = \"\".join(state[\"board\"])\n        return [square for";
    example(folder.path(), "slow", &[(listed, &format!("        {moves}\n{listed}"))]);
    let path = folder.path().join("slow/assignment.toml");
    let text = fs::read_to_string(&path).expect("it is there");
    let agents = "agents = [\"one=builtin:random\", \"two=builtin:random\"]\n";
    fs::write(path, format!("{text}opening_plies = 2\n{agents}")).expect("it can be written");
    "slow/assignment.toml"
}

#[test]
fn a_signal_stops_the_drawing_of_openings_at_once() {
    require!(PYTHON3);
    let folder = TempDir::new().expect("a folder");
    let assignment = competition(&folder, "import time; time.sleep(10 ** 6)");
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let mut compete = command(&["compete", assignment, "--out"]);
        let compete = compete.arg(format!("run-{signal}")).current_dir(folder.path());
        let mut running = compete.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it starts");
        let mut lines = BufReader::new(running.stderr.take().expect("it is piped")).lines();
        let told = lines.by_ref().map_while(Result::ok).find(|line| line.contains("drawing 1 opening"));
        assert!(told.is_some(), "nothing says what takes so long");
        kill(Pid::from_raw(i32::try_from(running.id()).expect("a number")), signal).expect("it is running");
        assert_eq!(running.wait().expect("it ends").code(), Some(130));
    }
}

#[test]
fn rules_that_fail_in_an_opening_are_named_once() {
    require!(PYTHON3);
    let folder = TempDir::new().expect("a folder");
    let assignment = competition(&folder, "raise ValueError('no moves today')");
    let output = referee_in(folder.path(), &["compete", assignment, "--out", "run"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let said = stderr(&output);
    assert_eq!(said.matches("the rules program `slow/rules/slow.py` failed").count(), 1, "{said}");
    assert!(said.contains("ValueError: no moves today (slow.py, line "), "{said}");
}
