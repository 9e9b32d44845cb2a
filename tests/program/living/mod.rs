//! Agents that stay alive for a whole game: the files that students and courses copy, the sample agents, the course in
//! a box, and the page about them.

mod freckers;
mod helpers;
mod page;
mod same_games;
mod wrappers;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::{assert_contains, printed, words};
use crate::toolbox::{PYTHON3, require};

const PYTHON_HELPER: &str = "agents/duo-othello-python-stdio/referee_agent.py";

/// A path in the repository.
fn own(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn text(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

/// A submission of these files, each with its name and its text.
fn submission(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("there is room for a folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder can be made");
        fs::write(path, content).expect("the file can be written");
    }
    folder
}

/// The text of a file of the repository.
fn file(path: &str) -> String {
    fs::read_to_string(own(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The records of `games` games between the first agent and the second, which are also judged again.
fn played(first: &str, second: &str, game: &str, games: &str) -> Vec<Value> {
    let folder = TempDir::new().expect("there is room for a folder");
    let out = text(folder.path());
    printed(&words("play {} {} --game {} --games {} --exact --out {}", &[first, second, game, games, out]), 0);
    assert!(printed(&["verify", out], 0).contains(", 0 different"));
    recorded(folder.path())
}

/// The records of a run, by name.
fn recorded(run: &Path) -> Vec<Value> {
    let files = fs::read_dir(run.join("games")).expect("the run has games");
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    let record = |path| serde_json::from_str(&fs::read_to_string(path).expect("it can be read")).expect("it is JSON");
    paths.into_iter().map(record).collect()
}

/// How the first agent, asked over standard input, loses its first game against random moves of `game`: the code of its
/// fault, and the explanation.
fn fault_of(submission: &Path, game: &str) -> (String, String) {
    let folder = TempDir::new().expect("there is room for a folder");
    let (out, agent) = (text(folder.path()), format!("first=stdio:{}", text(submission)));
    let told = printed(&words("play {} builtin:random --game {} --time 1 --out {}", &[&agent, game, out]), 0);
    let verdict = recorded(folder.path()).remove(0)["verdict"].clone();
    let code = verdict["fault"]["kind"].as_str().unwrap_or_else(|| panic!("it forfeits: {verdict} {told}"));
    assert_eq!(verdict["loser"], "black", "{told}");
    (code.to_owned(), told)
}

/// Fails where one of the games was forfeited, or was over before both sides had moved.
fn assert_played_to_the_end(games: &[Value], count: usize) {
    assert_eq!(games.len(), count);
    for game in games {
        assert_ne!(game["verdict"]["result"], "forfeit", "{}", game["verdict"]);
        assert!(game["turns"].as_array().expect("it has turns").len() > 2, "{game}");
    }
}

#[test]
#[ignore = "long: a program waits for its end"]
fn closing_standard_output_is_no_answer_and_told_as_that() {
    require!(PYTHON3);
    let program =
        "import os, sys, time\nwhile sys.stdin.readline().strip():\n    pass\nos.close(1)\ntime.sleep(100000)\n";
    let (agent, folder) =
        (submission(&[("homework.py", program)]), TempDir::new().expect("there is room for a folder"));
    let (agent, out) = (format!("stdio:{}", text(agent.path())), text(folder.path()));
    printed(&words("play {} builtin:random --game checkers --time 100000 --seed 1 --out {}", &[&agent, out]), 0);
    let story = printed(&["explain", text(&folder.path().join("games/g0001.json"))], 0);
    for part in [
        "loses: no answer on standard output",
        "it closed its standard output without an answer",
        "keep standard output open up to the end of the input",
        "the program closed its standard output and lived on",
    ] {
        assert_contains(&story, part);
    }
}
