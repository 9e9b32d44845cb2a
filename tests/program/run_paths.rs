//! Paths of the wrong kind: every command that takes a run or a record says what is there, and what to name instead.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::cases::cases;
use crate::invocation::{assert_ends, command, status, stderr, stdout, words};
use crate::toolbox::{PYTHON3, require};

/// A small assignment that grades and competes.
const ASSIGNMENT: &str = "title = \"A test\"\ngame = \"duo-othello\"\n\n[[grade]]\nkind = \"games\"\nopponent = \
    \"builtin:random\"\ngames = 1\npoints_each = 1\n\n[competition]\nformat = \"round-robin\"\ngames_per_pairing = \
    2\nagents = [\"a=builtin:random,seed=1\", \"b=builtin:random,seed=2\"]\n";

/// What is said of which command or path.
const CASES: &str = include_str!("data/run-paths.txt");

const PLAY: &str = "play builtin:random builtin:random --game duo-othello";

/// A folder with one of everything: `runs/competition`, `runs/plan`, `runs/grading`, `runs/match`, an assignment, an
/// empty folder, and a folder of something else.
struct Mixture(TempDir);

impl Mixture {
    fn new() -> Self {
        let mixture = Self(TempDir::new().unwrap());
        fs::write(mixture.0.path().join("hw.toml"), ASSIGNMENT).unwrap();
        for folder in ["empty", "class/ada", "other"] {
            fs::create_dir_all(mixture.0.path().join(folder)).unwrap();
        }
        fs::write(mixture.0.path().join("other/notes.txt"), "notes\n").unwrap();
        fs::write(mixture.0.path().join("class/ada/homework.py"), "pass\n").unwrap();
        for line in [
            "compete hw.toml --out runs/competition",
            "plan hw.toml --out runs/plan",
            "grade hw.toml --class class --out runs/grading --isolation bare",
            &format!("{PLAY} --out runs/match"),
        ] {
            let (status, told) = mixture.told(line);
            assert_eq!(status, 0, "{line}: {told}");
        }
        mixture
    }

    /// The exit status, and what it complained of.
    fn told(&self, line: &str) -> (i32, String) {
        let words: Vec<&str> = line.split(' ').collect();
        let output = command(&words).current_dir(self.0.path()).output().unwrap();
        (output.status.code().unwrap(), stderr(&output))
    }

    /// Every file with its size, so that it shows what a command has changed.
    fn files(&self) -> Vec<(String, u64)> {
        let mut files = Vec::new();
        collect(self.0.path(), &mut files);
        files.sort();
        files
    }
}

fn collect(folder: &Path, files: &mut Vec<(String, u64)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let (path, found) = entry.map(|entry| (entry.path(), entry.metadata().unwrap())).unwrap();
        if found.is_dir() {
            collect(&path, files);
        } else {
            files.push((path.display().to_string(), found.len()));
        }
    }
}

#[test]
#[ignore = "long: makes runs of every kind"]
fn a_path_of_the_wrong_kind_is_refused_with_what_to_name() {
    let mixture = Mixture::new();
    let before = mixture.files();
    let refused = |line: &str, status: i32, text: &str| {
        let told = mixture.told(line);
        assert_eq!(told.0, status, "{line}: {}", told.1);
        let text = format!("referee: {text}");
        assert!(told.1.contains(&text), "{line}: expected {text:?}, found {:?}", told.1);
    };
    for (path, text) in cases(CASES, "no run") {
        let mut commands = words("report standings verify serve gradebook status shard", &[]);
        commands.extend(["export --format csv", "plan --next", "merge runs/plan"]);
        // A file may be a record, which `verify` takes as well.
        let is_folder = mixture.0.path().join(&path).is_dir();
        let commands = commands.iter().filter(|name| **name != "verify" || is_folder);
        for name in commands {
            refused(&format!("{name} {path}"), 3, &text);
        }
    }
    for (line, text) in cases(CASES, "no record") {
        refused(&line, 3, &text);
    }
    for (line, text) in cases(CASES, "another kind") {
        refused(&line, 2, &text);
    }
    for begin in [PLAY, "compete hw.toml", "grade hw.toml --class class --isolation bare"] {
        for (path, text) in cases(CASES, "no place for a run") {
            refused(&format!("{begin} --out {path}"), 2, &text);
        }
    }
    assert_eq!(mixture.files(), before, "nothing has been changed");
}

#[test]
#[ignore = "long: makes runs of every kind"]
fn a_resumed_run_says_so_in_a_pipe_as_well() {
    let mixture = Mixture::new();
    for (line, text) in cases(CASES, "resumed") {
        let (status, told) = mixture.told(&line);
        assert_eq!(status, 0, "{line}: {told}");
        assert!(told.contains(&format!("{text}\n")), "{line}: {told}");
    }
    let (_, told) = mixture.told("compete hw.toml --out runs/plan");
    assert!(!told.contains("resuming"), "nothing was played: {told}");
}

#[test]
fn unusable_arguments_are_refused_with_a_remedy() {
    let folder = TempDir::new().unwrap();
    let told = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let output = command(&words).current_dir(folder.path()).output().unwrap();
        assert!(!output.status.success(), "{line}");
        stderr(&output)
    };
    fs::write(folder.path().join("hw.toml"), ASSIGNMENT).unwrap();
    fs::create_dir(folder.path().join("ada")).unwrap();
    fs::write(folder.path().join("ada/homework.py"), "pass\n").unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    for (line, text) in cases(CASES, "unusable") {
        let told = told(&line);
        assert!(told.contains(&text), "{line}: {told}");
    }
}

/// Games would be played at a lower isolation level than with another directory.
#[test]
fn temporary_files_are_not_made_where_a_sealed_program_cannot_see_them() {
    let folder = TempDir::new().unwrap();
    for line in [PLAY, "doctor"] {
        let refused = command(&words(line, &[])).env("TMPDIR", "/dev").current_dir(folder.path()).output().unwrap();
        let told = "`/dev`: a sealed program has its own `/dev` and would not find its files there; set `TMPDIR` \
                    to another directory\n";
        assert_eq!((status(&refused), stdout(&refused).as_str()), (4, ""), "{line}");
        assert_ends(stderr(&refused), told);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Whoever starts a command may have set any.
#[test]
fn a_folder_for_temporary_files_may_be_relative_or_without_a_name() {
    require!(PYTHON3);
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("scratch")).unwrap();
    fs::write(folder.path().join("homework.py"), "pass\n").unwrap();
    for named in ["scratch", ""] {
        let mut play = command(&["play", "homework.py", "builtin:random", "--game", "duo-othello", "--games", "1"]);
        let played = play.current_dir(folder.path()).env("TMPDIR", named).output().unwrap();
        assert_eq!(status(&played), 0, "`{named}`: {}", stderr(&played));
    }
    assert_eq!(fs::read_dir(folder.path().join("scratch")).unwrap().count(), 0);
}
