//! Rules programs in other languages than Python: the protocol alone is needed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::{ROOT, example, referee_in, succeeds};
use crate::invocation::{assert_contains, command, referee_reading, status, stderr, stdout, words};
use crate::skips::{TOOLS, skip};
use crate::toolbox::{CPP, JAVA, require};

/// A game of the rules that `game` names, as its record shows it but for the rules themselves and the times.
fn moves_of(folder: &Path, game: &str, out: &str) -> Vec<String> {
    let agents = ["builtin:random,seed=1", "builtin:random,seed=2"];
    succeeds(folder, &["play", "--game", game, "--out", out, agents[0], agents[1]]);
    assert!(succeeds(folder, &["verify", out]).contains(", 0 different"));
    let record = fs::read(folder.join(out).join("games/g0001.json")).expect("a record");
    let record: serde_json::Value = serde_json::from_slice(&record).expect("JSON");
    let turns = record["turns"].as_array().expect("turns");
    let mv = |turn: &serde_json::Value| turn["move"].as_str().expect("a move").to_owned();
    turns.iter().map(mv).collect()
}

/// Tic-tac-toe in Java, without any library, is the same game as in Python.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_in_java_keep_the_laws_and_play_the_same_game() {
    require!(JAVA);
    let folder = TempDir::new().expect("a folder");
    let java = format!("{ROOT}/examples/rules/tic_tac_toe.java");
    let checked = succeeds(folder.path(), &["game", "check", &java, "--positions", "60"]);
    assert!(checked.ends_with("ready to referee\n"), "{checked}");
    assert_eq!(succeeds(folder.path(), &["perft", "--game", &java, "--depth", "4"]), "3024\n");
    example(folder.path(), "row", &[]);
    let (one, other) = (moves_of(folder.path(), &java, "java"), moves_of(folder.path(), "row/rules/row.py", "python"));
    assert_eq!(one, other);
    assert!(one.len() >= 5, "{one:?}");
}

/// What an answer that departs from the format or the rules is told does not depend on the language.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_in_java_and_in_python_say_the_same_of_every_answer() {
    require!(JAVA);
    let folder = TempDir::new().expect("a folder");
    let python = example(folder.path(), "row", &[]).display().to_string();
    let java = format!("{ROOT}/examples/rules/tic_tac_toe.java");
    let answers = ["c1", "c1\n", " C1 \r\n", "b2", "B2\n", "d4", "a1 b1", "", "\"\\\u{e9}\u{1}", "a1\na1"];
    let question =
        |output: &&str| serde_json::json!({"input": "X\n9\n...\n.O.\nX..\n", "output": output}).to_string() + "\n";
    let questions: String = answers.iter().map(question).collect();
    let judged = |game: &str, more: &[&str]| {
        let output = referee_reading(&[&["judge", "--batch", "--game", game][..], more].concat(), &questions);
        let told = stdout(&output);
        assert_eq!(told.lines().count(), answers.len(), "{told}{}", stderr(&output));
        told
    };
    for more in [&[][..], &["--exact"]] {
        let told = judged(&java, more);
        assert_eq!(told, judged(&python, more));
        assert_contains(&told, "these are empty: a3 b3 c3 a2 c2 b1 c1");
    }
}

/// Compiling takes longer than most commands: a build is taken from the cache, and a damaged one is made anew.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_in_cpp_are_compiled_once() {
    require!(CPP);
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let cache = within.join("cache");
    let moves = |rules: &str| {
        let mut command = command(&["moves", "--game", rules]);
        command.current_dir(within).env("XDG_CACHE_HOME", &cache);
        let output = command.output().expect("it runs");
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stdout(&output).lines().count()
    };
    let entries = || -> BTreeSet<PathBuf> {
        let entries = fs::read_dir(cache.join("referee/rules")).expect("a cache");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    succeeds(within, &["new-game", "three", "--language", "cpp"]);
    let rules = "three/rules/three.cpp";
    assert_eq!(moves(rules), 9);
    let [whole] = Vec::from_iter(entries()).try_into().expect("one entry");
    let text = fs::read_to_string(within.join(rules)).expect("the example");
    let other = "three/rules/other.cpp";
    let changed = text.replace("== '.') empty", "== '.' && column != 'c') empty");
    fs::write(within.join(other), changed).expect("written");
    assert_eq!(moves(other), 6);
    let found = entries();
    let changed = found.iter().find(|entry| **entry != whole).expect("two entries");
    // Nothing else tells a build from a cached one than that a wrong one is used.
    fs::copy(changed, &whole).expect("copied");
    assert_eq!(moves(rules), 6);
    fs::write(&whole, "damaged").expect("written");
    assert_eq!(moves(rules), 9);
    assert_eq!(moves(rules), 9);
    assert_eq!(entries().len(), 2);
    // A cache that cannot be written costs only time.
    fs::remove_dir_all(&cache).expect("removed");
    fs::write(&cache, "a file").expect("written");
    assert_eq!(moves(rules), 9);
}

/// A folder with a built executable, and the executable by itself; a script that names its interpreter is one, too.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_may_be_an_executable() {
    require!(CPP);
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    succeeds(within, &["new-game", "three", "--language", "cpp"]);
    fs::create_dir(within.join("built")).expect("a folder");
    let compiler = ["g++", "clang++"].into_iter().find_map(|compiler| {
        let words = ["-std=c++17", "three/rules/three.cpp", "-o", "built/rules"];
        Command::new(compiler).args(words).current_dir(within).status().ok()
    });
    let Some(built) = compiler else {
        skip(&TOOLS, "neither `g++` nor `clang++` is installed");
        return;
    };
    assert!(built.success());
    for game in ["built/", "./built", "built/rules"] {
        assert_eq!(succeeds(within, &["perft", "--game", game, "--depth", "3"]), "504\n", "{game}");
    }
    fs::rename(within.join("built/rules"), within.join("built/program")).expect("renamed");
    let output = referee_in(within, &["moves", "--game", "built/"]);
    assert_ne!(status(&output), 0);
    assert_contains(stderr(&output), "or an executable `rules`");
}

/// The module and the examples are Python 3.8, which courses still have.
#[test]
fn what_authors_get_in_python_is_python_3_8() {
    let check =
        "import ast, sys\nfor path in sys.argv[1:]:\n    ast.parse(open(path).read(), path, feature_version=(3, 8))\n";
    let folder = TempDir::new().expect("a folder");
    example(folder.path(), "three", &[]);
    let mut files: Vec<String> = [
        "examples/rules/referee_rules.py",
        "examples/rules/checkers.py",
        "examples/rules/heirs.py",
        "examples/rules/kalah.py",
    ]
    .map(|file| format!("{ROOT}/{file}"))
    .into();
    for file in words("rules/three.py test_rules.py agents/first/homework.py agents/second/homework.py", &[]) {
        files.push(folder.path().join("three").join(file).display().to_string());
    }
    let parsed = |files: &[String]| Command::new("python3").args(["-c", check]).args(files).output();
    let Ok(output) = parsed(&files) else {
        skip(&TOOLS, "there is no `python3`");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // That a later language is noticed.
    let later = folder.path().join("later.py");
    fs::write(&later, "match 1:\n    case 1:\n        pass\n").expect("written");
    let refused = parsed(&[later.display().to_string()]).expect("it runs");
    assert!(!refused.status.success());
}
