//! Paths of the wrong kind: every command that takes a run or a record says what is there, and what to name instead.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::invocation::{command, stderr};

/// A small assignment that grades and competes.
const ASSIGNMENT: &str = "title = \"A test\"\ngame = \"duo-othello\"\n\n[[grade]]\nkind = \"games\"\nopponent = \
    \"builtin:random\"\ngames = 1\npoints_each = 1\n\n[competition]\nformat = \"round-robin\"\ngames_per_pairing = \
    2\nagents = [\"a=builtin:random,seed=1\", \"b=builtin:random,seed=2\"]\n";

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
            "play builtin:random builtin:random --game duo-othello --out runs/match",
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

/// What is said of a path where a run is expected.
const NO_RUNS: [(&str, &str); 7] = [
    (
        "runs",
        "expected a run directory: `runs` is not a run directory, but has 4 runs: `runs/competition` (a competition), \
         `runs/grading` (a grading), `runs/match` (a match), `runs/plan` (a competition); name one of them",
    ),
    (
        "runs/match/games",
        "expected a run directory: `runs/match/games` is part of the run `runs/match`; name `runs/match`",
    ),
    (
        "runs/match/games/g0001.json",
        "expected a run directory: `runs/match/games/g0001.json` is the record of one game or answer; name \
         `runs/match`",
    ),
    (
        "runs/mtach",
        "expected a run directory: no such file or directory: `runs/mtach`; nearby: 4 runs: `runs/competition` (a \
         competition), ",
    ),
    (
        "hw.toml",
        "expected a run directory: `hw.toml` is an assignment file; start a run with `referee grade hw.toml` or \
         `referee compete hw.toml`",
    ),
    (
        "empty",
        "expected a run directory: `empty` is empty: no run has been started in it; `referee play`, `compete` and \
         `grade` make one with `--out`",
    ),
    (
        "other/notes.txt",
        "expected a run directory: `other/notes.txt` is a file, and not a record of `referee`",
    ),
];

#[test]
fn a_path_of_the_wrong_kind_is_refused_with_what_to_name() {
    let mixture = Mixture::new();
    let before = mixture.files();
    let refused = |line: &str, status: i32, text: &str| {
        let told = mixture.told(line);
        assert_eq!(told.0, status, "{line}: {}", told.1);
        let text = format!("referee: {text}");
        assert!(told.1.contains(&text), "{line}: expected {text:?}, found {:?}", told.1);
    };
    for (path, text) in NO_RUNS {
        let commands = [
            "report",
            "standings",
            "verify",
            "export --format csv",
            "serve",
            "gradebook",
            "status",
            "shard",
            "plan --next",
            "merge runs/plan",
        ];
        // A file may be a record, which `verify` takes as well.
        let is_folder = mixture.0.path().join(path).is_dir();
        let commands = commands.iter().filter(|name| **name != "verify" || is_folder);
        for name in commands {
            refused(&format!("{name} {path}"), 3, text);
        }
    }
    records_are_named(&refused);
    other_kinds_are_refused(&refused);
    assert_eq!(mixture.files(), before, "nothing has been changed");
}

/// Where a record is expected.
fn records_are_named(refused: &impl Fn(&str, i32, &str)) {
    let games = "name one of its 1 record: `runs/match/games/g0001.json`";
    for (line, text) in [
        (
            "replay runs/match",
            format!(
                "expected the record of a game: `runs/match` is the run directory of a match: \
            {games}"
            ),
        ),
        (
            "explain runs/match/manifest.json",
            format!(
                "expected a record: `runs/match/manifest.json` is part of the \
            run `runs/match`: {games}"
            ),
        ),
        (
            "verify runs/match/games/1.json",
            format!(
                "expected the record of a game: no such file or directory: \
            `runs/match/games/1.json`: {games}"
            ),
        ),
        (
            "replay runs/plan",
            "expected the record of a game: `runs/plan` is the run directory of a competition: it \
            has no finished game yet"
                .to_owned(),
        ),
        (
            "replay runs",
            "expected the record of a game: `runs` is not a run directory, but has 4 runs: ".to_owned(),
        ),
        (
            "explain hw.toml",
            "expected a record: `hw.toml` is an assignment file".to_owned(),
        ),
        (
            "verify hw.toml",
            "expected the record of a game: `hw.toml` is an assignment file".to_owned(),
        ),
    ] {
        refused(line, 3, &text);
    }
}

/// Where a run of one kind is expected, and where a new one would be begun.
fn other_kinds_are_refused(refused: &impl Fn(&str, i32, &str)) {
    let play = "play builtin:random builtin:random --game duo-othello --out";
    let compete = "compete hw.toml --out";
    let grade = "grade hw.toml --class class --isolation bare --out";
    for (line, text) in [
        (
            "gradebook runs/match",
            "`runs/match` is the run directory of a match, not of a grading",
        ),
        (
            "gradebook runs/competition",
            "`runs/competition` is the run directory of a competition, not of a grading",
        ),
        (
            "gradebook runs/plan",
            "`runs/plan` is the run directory of a competition, not of a grading",
        ),
        (
            "standings runs/grading",
            "`runs/grading` is the run directory of a grading, which has no standings: see the points with `referee \
                gradebook runs/grading`",
        ),
        (
            &format!("{compete} runs/grading"),
            "`runs/grading` is the run directory of a grading, not of a competition: choose another directory with \
                `--out`",
        ),
        (
            &format!("{compete} runs/match"),
            "`runs/match` is the run directory of a match, not of a competition: choose",
        ),
        (
            &format!("{grade} runs/competition"),
            "`runs/competition` is the run directory of a competition, not of a grading: choose",
        ),
        (
            &format!("{grade} runs/match"),
            "`runs/match` is the run directory of a match, not of a grading: choose",
        ),
        (
            &format!("{play} runs/grading"),
            "`runs/grading` contains another run: it is a grading, not a match; choose another directory with `--out`",
        ),
        (
            &format!("{play} runs/competition"),
            "`runs/competition` contains another run: it is a competition, not a match; choose",
        ),
    ] {
        refused(line, 2, text);
    }
    for begin in [play, compete, grade] {
        for (path, text) in [
            ("runs", "`runs` is not a run directory, but has 4 runs: "),
            (
                "runs/match/games",
                "`runs/match/games` is part of the run `runs/match`: choose another directory with `--out`",
            ),
            (
                "other/notes.txt",
                "`other/notes.txt` is a file, and not a record of `referee`: choose another directory",
            ),
            (
                "hw.toml",
                "`hw.toml` is an assignment file: choose another directory with `--out`",
            ),
        ] {
            refused(&format!("{begin} {path}"), 2, text);
        }
    }
}

#[test]
fn a_resumed_run_says_so_in_a_pipe_as_well() {
    let mixture = Mixture::new();
    for (line, text) in [
        (
            "compete hw.toml --out runs/competition",
            "resuming the run in `runs/competition`: 2 of 2 games finished\n",
        ),
        (
            "grade hw.toml --class class --out runs/grading --isolation bare",
            "resuming the run in `runs/grading`: 1 of 1 game finished\n",
        ),
        (
            "play builtin:random builtin:random --game duo-othello --out runs/match",
            "resuming the run in `runs/match`: 1 of 1 game finished\n",
        ),
    ] {
        let (status, told) = mixture.told(line);
        assert_eq!(status, 0, "{line}: {told}");
        assert!(told.contains(text), "{line}: {told}");
    }
    let (_, told) = mixture.told("compete hw.toml --out runs/plan");
    assert!(!told.contains("resuming"), "nothing was played: {told}");
}

#[test]
fn what_cannot_be_used_is_told_with_the_remedy_that_fits() {
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
    let play = "play builtin:random builtin:random --game duo-othello";
    for (line, text) in [
        (
            &*format!("{play} --time -5"),
            "invalid value '-5' for '--time <TIME>': expected a number of seconds above 0",
        ),
        (
            &format!("{play} --grace -1"),
            "invalid value '-1' for '--grace <GRACE>': expected a number of seconds",
        ),
        (&format!("{play} --games -2"), "invalid value '-2' for '--games <N>'"),
        (
            "grade hw.toml ada --canvas none.csv",
            "no such file: `none.csv`; export the gradebook from Canvas",
        ),
        ("check ada", "add `--assignment FILE`, or one of `--game checkers`, "),
        // Not even root can make a folder there.
        (
            &format!("{play} --out file/run"),
            "cannot write `file/run/games`: Not a directory (os error 20); choose another directory with `--out`",
        ),
        (
            "compete hw.toml --out file/run",
            "cannot write `file/run`: Not a directory (os error 20); choose another directory with `--out`",
        ),
        (
            "grade hw.toml ada --out file/run",
            "cannot write to the run directory `file/run`: Not a directory (os error 20); choose another one with \
                `--out`",
        ),
    ] {
        let told = told(line);
        assert!(told.contains(text), "{line}: {told}");
    }
}
