//! Explanations as a user meets them: agents that go wrong are run, and `play`, `explain` and `replay` say why they
//! lost.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use referee_games::KnownGames;
use referee_records::RunFolder;
use referee_submissions::agents::{PythonVersion, Toolchain};
use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::{assert_starts, printed};
use crate::skips::{TOOLS, skip};

/// An agent that is a shell script.
fn script(folder: &Path, lines: &str) -> String {
    let path = folder.join("agent");
    fs::write(&path, format!("#!/bin/sh\n{lines}\n")).expect("the script can be written");
    fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("its mode can be set");
    path.to_str().expect("the path is UTF-8").to_owned()
}

/// Plays `games` games of checkers of `agent` against a built-in one; what was printed, and the folder of the run.
fn played(folder: &Path, agent: &str, more: &[&str]) -> (String, RunFolder) {
    let out = folder.join("run");
    let mut arguments =
        vec!["play", agent, "builtin:random", "--game", "checkers", "--out", out.to_str().expect("the path is UTF-8")];
    arguments.extend(more);
    (printed(&arguments, 0), RunFolder::open(&out, &KnownGames::builtin()).expect("the run has a folder"))
}

/// What is printed by `play` below the score, where the agent that is the script `lines` begins.
fn told(lines: &str, more: &[&str]) -> String {
    let folder = TempDir::new().expect("there is room for a folder");
    let (text, run) = played(folder.path(), &script(folder.path(), lines), more);
    let (score, told) = text.split_once("\n\n").expect("the explanation comes after a blank line");
    assert_eq!(score.lines().filter(|line| line.starts_with("g0001 ")).count(), 1, "a line a game: {score}");
    // `explain` says the same, from the record alone.
    let record = run.path_of("g0001");
    assert_eq!(printed(&["explain", record.to_str().expect("the path is UTF-8")], 0), told);
    told.to_owned()
}

fn assert_told(told: &str, parts: &[&str]) {
    for part in parts {
        assert!(told.contains(part), "expected {part:?} in\n{told}");
    }
}

#[test]
fn an_agent_with_a_wrong_format_is_shown_what_it_wrote() {
    let told = told(r#"printf "['E', 'b6', 'a5']\\n" > output.txt"#, &[]);
    assert_told(
        &told,
        &[
            "on turn 1 of g0001: agent (black) loses: wrong format: line 1, column 1:",
            "output.txt (18 bytes):\n  1 | ['E', 'b6', 'a5']\n    | ^^^^^\n",
            "rule       `E` and `J` (handout, \"Input and output file formats\")\n",
            "hint       write `E b6 a5` and nothing else\n",
            "program    the program exited with status 0\n",
        ],
    );
}

#[test]
fn an_agent_with_an_illegal_move_is_shown_legal_ones() {
    assert_told(
        &told("echo E b6 c7 > output.txt", &[]),
        &[
            "illegal move: line 1, column 1: a man cannot go backward,\nfrom `b6` to `c7`\n",
            "output.txt (8 bytes):\n  1 | E b6 c7\n    | ^^^^^^^\n",
            "rule       men go forward (handout, \"Play sequence\")\n",
            "legal      7 moves, such as `E b6 c5`, `E b6 a5`",
        ],
    );
}

#[test]
fn no_output_is_explained_with_where_to_write_it() {
    assert_told(
        &told("exit 0", &[]),
        &["loses: no `output.txt`\n", "hint       write `output.txt` to the current directory, without a path"],
    );
}

#[test]
fn output_under_another_name_is_explained_with_the_right_one() {
    assert_told(
        &told("echo E b6 a5 > OuTpUt.TxT; echo >debug.log", &[]),
        &[
            "other files it wrote: ",
            "hint       found `OuTpUt.TxT`: the name must be `output.txt`, all lower case\n",
            "rule       an answer in `output.txt` (handout, \"Grading\")\n",
        ],
    );
}

#[test]
fn empty_output_is_explained_with_its_size() {
    assert_told(
        &told(": > output.txt", &[]),
        &["happened   its `output.txt` has 0 bytes\n", "hint       is the file flushed and closed"],
    );
}

#[test]
fn an_agent_that_runs_out_of_time_sees_its_clock() {
    assert_told(
        &told("while :; do :; done", &["--time", "0.05"]),
        &[
            "happened   it had 0.05 s of its 0.05 s of play time left, and this run was charged 0.",
            "it was killed, so its output does not count\n",
            "rule       play time (handout, \"Agent vs agent games\")\n",
            "turn     had left      charged     wall clock\n",
            "                1      0.050 s      0.",
        ],
    );
}

#[test]
fn an_agent_that_crashes_sees_its_traceback() {
    if let Err(missing) = Toolchain::from_environment().python(PythonVersion::Three) {
        return skip(&TOOLS, missing);
    }
    let folder = TempDir::new().unwrap();
    let agent = folder.path().join("ada");
    fs::create_dir(&agent).unwrap();
    fs::write(agent.join("homework.py"), "board = open('input.txt').read()\nprint(best_move)\n").unwrap();
    let (text, _) = played(folder.path(), agent.to_str().unwrap(), &[]);
    assert_told(
        &text,
        &[
            "on turn 1 of g0001: ada (black) loses: no `output.txt`\n",
            "hint       it crashed with `NameError: name 'best_move' is not defined`: see the end of its stderr",
            "program    the program exited with status 1\n",
            "           | Traceback (most recent call last):\n",
            "           |     print(best_move)\n",
        ],
    );
}

#[test]
fn of_many_forfeits_one_is_explained_and_the_others_are_named() {
    let folder = TempDir::new().unwrap();
    let (text, run) = played(folder.path(), &script(folder.path(), "exit 3"), &["--games", "9"]);
    assert_eq!(text.matches("\non turn ").count(), 1, "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with('g')).count(), 9, "{text}");
    let others = format!(
        "8 more forfeits of agent: referee explain {} (also g0003, g0004, g0005, g0006, g0007, ...)\n",
        run.path_of("g0002").display()
    );
    assert!(text.ends_with(&others), "{text}");
}

#[test]
fn a_replay_ends_with_the_short_form() {
    let folder = TempDir::new().unwrap();
    let (_, run) = played(folder.path(), &script(folder.path(), "echo E b6 c7 > output.txt"), &[]);
    let path = run.path_of("g0001");
    let text = printed(&["replay", path.to_str().unwrap()], 0);
    assert_eq!(text.matches("  1 | E b6 c7\n    | ^^^^^^^\n").count(), 1, "{text}");
    assert_told(&text, &["rule       men go forward", "`referee explain` shows the exit status"]);
    let first = printed(&["replay", path.to_str().unwrap(), "--turn", "0"], 0);
    assert!(!first.contains("rule "), "{first}");
}

#[test]
fn an_explanation_is_there_for_programs_too() {
    let folder = TempDir::new().unwrap();
    let (_, run) = played(folder.path(), &script(folder.path(), "echo E b6 c7 > output.txt; exit 3"), &[]);
    let json = printed(&["explain", "--json", run.path_of("g0001").to_str().unwrap()], 0);
    let said: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(said["citations"][0]["rule"], "men-forward");
    assert_eq!(said["forfeit"]["loser"], "black");
    assert_eq!(said["forfeit"]["answer"]["lines"][0]["mark"], serde_json::json!({ "start": 0, "end": 7 }));
    assert_eq!(said["forfeit"]["legal"]["count"], 7);
    assert_eq!(said["forfeit"]["process"]["how"], "the program exited with status 3");
    assert!(said["clocks"]["black"]["charged_cpu_us"].is_u64());
    let headline = said["headline"].as_str().unwrap();
    assert_starts(headline, "agent (black) loses: illegal move: line 1, column 1: ");
}
