//! `referee check` as a student meets it: submissions with one thing wrong each, and what is said of it.
//!
//! The submissions are the sample agents with a line or two before or behind. Every figure of time or memory in a text
//! is replaced by `N`; nothing is asserted that depends on how fast the machine is, such as what 0.01 s are enough for.

mod by_assignment;

use std::fs;
use std::path::{Path, PathBuf};

use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::intake::packing::zip;
use crate::invocation::{assert_contains, assert_ends, command as referee, stderr};
use crate::toolbox::{CPP, JAVA, PYTHON2, PYTHON3, has, require};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The sample agent for `game` in Python, with `before` above and `after` below it.
fn sample(game: &str, before: &str, after: &str) -> String {
    let source = root().join(format!("agents/{game}-python/homework.py"));
    format!("{before}\n{}\n{after}\n", fs::read_to_string(source).unwrap())
}

/// A folder with the files of a submission.
fn submission(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn command(submission: &Path, arguments: &[&str]) -> Command {
    let mut command = referee(&["check"]);
    command.arg(submission).args(arguments);
    command
}

/// The quickest check of a submission to checkers.
const QUICK: [&str; 5] = ["--game", "checkers", "--quick", "--positions", "1"];

/// What was found, and the exit status.
struct Checked {
    status: i32,
    json: Value,
}

fn check(submission: &Path, arguments: &[&str]) -> Checked {
    let output = command(submission, arguments).arg("--json").output().unwrap();
    let json = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no report: {}", String::from_utf8_lossy(&output.stderr)));
    Checked { status: output.status.code().unwrap(), json }
}

/// A quick check of a submission with these files.
fn quick(files: &[(&str, &str)]) -> Checked {
    check(submission(files).path(), &QUICK)
}

/// A check with two positions of the checkers sample with `before` and `after`.
fn quick_sample(before: &str, after: &str) -> Checked {
    let folder = submission(&[("homework.py", &sample("checkers", before, after))]);
    check(folder.path(), &["--game", "checkers", "--quick", "--positions", "2"])
}

impl Checked {
    fn items(&self, name: &str) -> Vec<&Value> {
        let items = self.json["items"].as_array().unwrap();
        items.iter().filter(|item| item["name"] == name).collect()
    }

    fn item(&self, name: &str) -> &Value {
        self.items(name).first().unwrap_or_else(|| panic!("no `{name}` in {}", self.json))
    }

    /// The items at fault, but for `1 s left`: no agent is quick enough for every machine on every day.
    fn faults(&self) -> Vec<&Value> {
        let items = self.json["items"].as_array().unwrap();
        let is_ready = items.iter().all(|item| item["light"] != "red");
        assert_eq!((self.status == 0, &self.json["ready"]), (is_ready, &Value::Bool(is_ready)));
        let of_code = |item: &&Value| item["light"] == "red" && item["name"] != "1 s left";
        items.iter().filter(of_code).collect()
    }

    /// The light, what was found, and the remedy of the item called `name`.
    fn said(&self, name: &str) -> (String, String, String) {
        let item = self.item(name);
        let text = |key: &str| masked(item[key].as_str().unwrap_or_default());
        (text("light"), text("found"), text("remedy"))
    }

    fn details(&self, name: &str) -> Vec<String> {
        let details = self.item(name)["details"].as_array();
        let lines = details.into_iter().flatten().map(|line| line.as_str().unwrap().to_owned());
        lines.collect()
    }
}

/// The text with each figure of time or memory replaced by `N`.
fn masked(text: &str) -> String {
    let words = text.split(' ').collect::<Vec<_>>();
    let is_unit = |word: Option<&&str>| word.is_some_and(|word| ["s", "s,", "s;", "MiB", "MiB,"].contains(word));
    let mask = |(index, word): (usize, &&str)| {
        let is_figure = word.contains('.') || (words.get(index + 1).is_some_and(|unit| unit.starts_with("MiB")));
        if is_figure && is_unit(words.get(index + 1)) && word.parse::<f64>().is_ok() {
            "N".to_owned()
        } else {
            (*word).to_owned()
        }
    };
    words.iter().enumerate().map(mask).collect::<Vec<_>>().join(" ")
}

fn words(light: &str, found: &str, remedy: &str) -> (String, String, String) {
    (light.to_owned(), found.to_owned(), remedy.to_owned())
}

#[test]
fn a_good_submission_is_ready_and_every_line_says_so() {
    require!(PYTHON3);
    let folder = submission(&[("homework.py", &sample("checkers", "", ""))]);
    let output = command(folder.path(), &["--game", "checkers", "--quick", "--positions", "2"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let is_sure = |line: &&str| !line.contains(" s left") && !line.starts_with("   ");
    let mut lines: Vec<String> = text.lines().filter(is_sure).map(masked).collect();
    let verdict = lines.pop().unwrap();
    // No agent is quick enough for every machine on every day.
    if text.contains("ok       1 s left     2 moves in time, ") {
        assert!(["ready to hand in", "ready, with 1 warning"].contains(&verdict.as_str()), "{text}");
        assert_eq!(output.status.code(), Some(0), "{text}");
    }
    lines.retain(|line| !line.contains("isolation"));
    let expected = [
        "for checkers, with the default rules and times",
        "ok       files        `homework.py`, Python 3",
        "ok       build        nothing to compile",
        "ok       calibrate    not provided; it is optional",
        "ok       answers      all 2 right",
        "ok       format       exactly as in the handout",
        "ok       playdata     handles an old, an empty and a corrupt file",
        "ok       leftovers    none in 10 runs",
        "ok       printing     it prints nothing",
        "ok       time         slowest of 2 answers: N s of 30 s",
        "ok       memory       N MiB at most, of N MiB",
        "",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_wrong_file_name_is_reported_with_the_right_one() {
    let folder = submission(&[("Homework.py", "print(1)")]);
    let checked = check(folder.path(), &QUICK[..2]);
    assert_eq!(checked.status, 1);
    assert_eq!(checked.json["verdict"], "not ready: 1 fault");
    assert_eq!(
        checked.said("files"),
        words(
            "red",
            "`Homework.py` has the wrong case",
            "rename it to `homework.py` if it is Python 3, or to `homework2.py` if it is Python 2"
        )
    );
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn an_archive_is_checked_as_grading_takes_it() {
    let good = sample("checkers", "", "");
    let inner = zip(&[("homework.py", good.as_bytes())]);
    let folder = submission(&[]);
    let handed_in = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    };
    let nested = handed_in("nested.zip", &zip(&[("inner.zip", &inner)]));
    let checked = check(&nested, &QUICK);
    assert_eq!(checked.status, 1);
    let found = "`nested.zip` holds the archive `inner.zip` and no program";
    assert_eq!(checked.said("files").1, found);
    require!(PYTHON3);
    let in_a_folder = handed_in("Zoë Roe/hw 2.zip", &zip(&[("Hausaufgabe ü/homework.py", good.as_bytes())]));
    for path in [in_a_folder.parent().unwrap(), &in_a_folder] {
        let checked = check(path, &QUICK);
        let found = "`homework.py`, Python 3";
        assert_eq!(checked.said("files"), words("green", found, ""), "{}", path.display());
        assert!(checked.faults().is_empty(), "{}", checked.json);
    }
}

#[test]
fn a_move_that_is_printed_and_not_written_is_told() {
    require!(PYTHON3);
    let checked = quick(&[("homework.py", "print('E a3 b4')")]);
    let found = "it prints `E a3 b4` and writes no `output.txt`";
    let remedy = "write the move to the file `output.txt`: nobody reads what is printed";
    assert_eq!(checked.said("printing"), words("yellow", found, remedy));
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn names_that_are_only_suspicious_are_a_warning() {
    require!(PYTHON3);
    let checked = quick(&[("homework.py", &sample("checkers", "", "")), ("Calibrate.py", "")]);
    let remedy = "if this is not intended, change the files";
    assert_eq!(checked.said("files"), words("yellow", "`homework.py`, Python 3", remedy));
    assert_eq!(checked.details("files"), ["`Calibrate.py` is ignored: rename it to `calibrate.py` to run it"]);
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn a_syntax_error_is_shown_with_its_line() {
    require!(PYTHON3);
    let folder = submission(&[("homework.py", "x = 1\ndef f(:\n    pass\n")]);
    let checked = check(folder.path(), &QUICK[..2]);
    assert_eq!(checked.status, 1);
    let (light, found, _) = checked.said("build");
    assert_eq!(light, "red");
    assert!(found.starts_with("`homework.py` cannot be built: `python") && found.ends_with("` refused it"), "{found}");
    let details = checked.details("build");
    assert!(details.iter().any(|line| line.contains("line 2")), "{details:?}");
    assert!(details.len() <= 13, "{details:?}");
}

#[test]
fn compiler_warnings_are_shown_and_are_no_fault() {
    require!(CPP);
    let source = "#warning this is unfinished\nint main() {}\n";
    let checked = quick(&[("homework.cpp", source)]);
    let (light, found, _) = checked.said("build");
    assert_eq!((light.as_str(), found.as_str()), ("yellow", "compiled in N s, with warnings"));
    let details = checked.details("build");
    assert!(details[0].contains("this is unfinished"), "{details:?}");
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn an_illegal_answer_is_explained_and_kept() {
    require!(PYTHON3);
    let illegal = "import sys\nif open('input.txt').read().startswith('SINGLE\\nWHITE'):\n    \
                   open('output.txt', 'w').write('E a1 a2')\n    sys.exit()";
    let folder = submission(&[("homework.py", &sample("checkers", illegal, ""))]);
    let kept = TempDir::new().unwrap();
    let arguments = ["--game", "checkers", "--quick", "--positions", "2", "--keep"];
    let kept_in = kept.path().join("failed");
    let output = command(folder.path(), &arguments).arg(&kept_in).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    let answers: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.contains("answers "))
        .filter(|line| !line.starts_with("                "))
        .collect();
    let expected = [
        "fault    answers      1 of 2 answers wrong",
        "    02-forced-jump: illegal move: line 1, column 1: `a1` is empty (the only legal move is `J e3 g5`)",
    ];
    assert_eq!(answers[..2], expected, "{text}");
    assert_contains(&text, "      output.txt (7 bytes):\n        1 | E a1 a2\n");
    let kept_line = format!("kept: 1 answer in `{}`\n", kept_in.display());
    assert!(text.contains(&kept_line), "{text}");
    let input = root().join("tournaments/practice/checkers/02-forced-jump.txt");
    let read = |path: PathBuf| fs::read_to_string(path).unwrap();
    assert_eq!(read(kept_in.join("02-forced-jump.input.txt")), read(input));
    assert_eq!(read(kept_in.join("02-forced-jump.output.txt")), "E a1 a2");
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn a_sloppy_format_is_a_warning_with_what_an_exact_reading_says() {
    require!(PYTHON3);
    let blanks = "text = open('output.txt').read()\nopen('output.txt', 'w').write(text.replace('\\n', '  \\n'))";
    let checked = quick_sample("", blanks);
    assert!(checked.faults().is_empty(), "{}", checked.json);
    assert_eq!(checked.said("answers").0, "green");
    let remedy = "write the exact format of the handout; only this course tolerates deviations";
    let found = "2 of 2 right answers do not have the exact format";
    assert_eq!(checked.said("format"), words("yellow", found, remedy));
    let expected = "01-opening: line 1, column 8: ";
    let details = checked.details("format");
    assert!(details[0].starts_with(expected), "{details:?}");
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn searching_on_with_a_second_left_is_a_fault() {
    require!(PYTHON3);
    let slow = "import time\nif float(open('input.txt').read().split()[2]) == 1:\n    \
                while time.process_time() < 1.2: pass";
    let checked = quick(&[("homework.py", &sample("checkers", slow, ""))]);
    let remedy =
        "read the remaining time on every move, and search less when it is short, as at the end of a long game";
    let found = "out of time: it used N s for one move";
    assert_eq!(checked.said("1 s left"), words("red", found, remedy));
    assert_eq!(checked.status, 1);
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn a_foreign_playdata_that_does_harm_is_a_warning() {
    require!(PYTHON3);
    let trusting = "import os\nif os.path.exists('playdata.txt'):\n    int(open('playdata.txt').read())\n\
                    open('playdata.txt', 'w').write('17')";
    let checked = quick_sample(trusting, "");
    let remedy = "it is deleted before each game, so this costs no points; still, ignore the file on the first move \
                  and if its content is unexpected: a run killed while writing leaves a truncated file";
    let found = "an empty one and a foreign one did harm: no `output.txt`";
    assert_eq!(checked.said("playdata"), words("yellow", found, remedy));
    assert!(checked.faults().is_empty(), "{}", checked.json);
    let details = checked.details("playdata");
    let died = "stderr     ValueError: invalid literal for int() with base 10: ''";
    assert!(details.iter().any(|line| line == died), "{details:?}");
    // It was told where it did harm, not where it did not.
    assert_eq!(checked.said("printing"), words("green", "it prints nothing", ""));
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn leftovers_and_printing_are_reported_and_are_no_fault() {
    require!(PYTHON3);
    let messy =
        "import subprocess\nsubprocess.Popen(['sleep', '20'])\nopen('debug.log', 'w').write('x')\nprint('depth', 3)";
    let checked = quick_sample(messy, "");
    let remedy = "end all threads and processes before the program exits: their time is charged, and they are killed";
    let found = "in 10 of 10 runs it left processes running, at most 1: killed; it left `debug.log`: removed";
    assert_eq!(checked.said("leftovers"), words("yellow", found, remedy));
    let found = "it prints `depth 3` to stdout (harmless, ignored)";
    assert_eq!(checked.said("printing"), words("green", found, ""));
    assert!(checked.faults().is_empty(), "{}", checked.json);

    let complaining = "import sys\nsys.stderr.write('oops\\x1b[2J\\n')";
    let checked = quick_sample(complaining, "sys.exit(3)");
    let remedy = "find out why: this answer counts because it was written before the crash, the next may not";
    let found = "the program exited with status 3 after a valid answer";
    assert_eq!(checked.said("printing"), words("yellow", found, remedy));
    assert_eq!(checked.details("printing"), [r"oops\u{1b}[2J"]);
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn a_wrong_number_of_nodes_is_shown_beside_the_right_one() {
    require!(PYTHON3);
    let off_by_one = "lines = open('output.txt').read().split()\nlines[3] = str(int(lines[3]) + 1)\n\
                      open('output.txt', 'w').write('\\n'.join(lines))";
    let folder = submission(&[("homework.py", &sample("star-circle", "", off_by_one))]);
    let checked = check(folder.path(), &["--game", "star-circle", "--positions", "2"]);
    assert_eq!(checked.status, 1);
    assert_eq!(checked.said("answers").1, "2 of 2 answers wrong");
    let details = checked.details("answers");
    assert_eq!(details[0], "01-sparse: wrong: line 4 differs");
    assert_eq!(details[1], "                        expected      got");
    assert!(details[2].starts_with("    next move           "), "{details:?}");
    assert!(details[5].starts_with("  x number of nodes     "), "{details:?}");
    // There is no clock to run out, no file to live on, and nobody to play against.
    for absent in ["1 s left", "0.01 s left", "playdata", "game"] {
        assert!(checked.items(absent).is_empty(), "{absent}");
    }
}

#[test]
fn a_game_with_a_limit_for_each_move_is_checked_by_that_limit() {
    require!(PYTHON3);
    let submission = root().join("agents/little-go-python");
    let checked = check(&submission, &["--game", "little-go", "--quick", "--positions", "1"]);
    assert!(checked.faults().is_empty(), "{}", checked.json);
    // Its `input.txt` has no time, so that no program can answer faster when there is little.
    for absent in ["1 s left", "0.01 s left"] {
        assert!(checked.items(absent).is_empty(), "{absent}");
    }
    assert!(checked.said("time").1.ends_with(" s of 10 s"), "{}", checked.json);
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn what_an_agent_of_star_and_circle_died_of_is_shown() {
    require!(PYTHON3);
    let details_of = |source: &str| {
        let folder = submission(&[("homework.py", source)]);
        let checked = check(folder.path(), &["--game", "star-circle", "--positions", "1"]);
        assert_eq!(checked.said("answers").1, "1 of 1 answer wrong");
        checked.details("answers")
    };
    let details = details_of("raise KeyError('node')\n");
    let expected = [
        "01-sparse: no `output.txt`",
        "  the program exited with status 1",
        "  hint: it crashed with `KeyError: 'node'`: see the end of its stderr",
    ];
    assert_eq!(details[..3], expected, "{details:?}");
    assert_eq!(details.last().unwrap(), "  stderr     KeyError: 'node'");

    let details = details_of("open('ouput.txt', 'w').write('x')\n");
    assert_eq!(details[0], "01-sparse: no `output.txt`, but `ouput.txt`");
    assert_eq!(details[2], "  hint: found `ouput.txt`: the name must be `output.txt`");
    let details = details_of("open('Output.txt', 'w').write('x')\n");
    assert_eq!(details[0], "01-sparse: no `output.txt` (found `Output.txt`: the name must be all lower case)");
    let details = details_of("pass\n");
    let hint = "  hint: write `output.txt` to the current directory, without a path";
    assert_eq!(details[2], hint, "{details:?}");
}

#[test]
fn a_message_keeps_the_folder_that_a_file_was_looked_for_in() {
    require!(PYTHON3);
    let missing = "import os\nopen(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'book.txt'))";
    let checked = quick_sample(missing, "");
    let details = checked.details("answers").join("\n");
    assert_contains(&details, "No such file or directory: '<submission>/book.txt'");
    assert_contains(&details, "File \"<submission>/homework.py\", line 2");
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn a_calibration_of_the_wrong_name_is_named() {
    require!(PYTHON3);
    let calibrate = "open('calibrate.txt', 'w').write('1')\n";
    let checked = quick(&[("homework.py", &sample("checkers", "", "")), ("calibrate.py", calibrate)]);
    let (light, found, _) = checked.said("calibrate");
    assert_eq!(light, "yellow");
    assert_ends(&found, " of CPU time, and wrote `calibrate.txt` instead of `calibration.txt`");
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn games_lost_by_a_fault_are_explained() {
    require!(PYTHON3);
    let crashing = "if open('input.txt').read().startswith('GAME') and float(open('input.txt').read().split()[2]) == \
                    300:\n    \
                    raise KeyError('opening book')";
    let folder = submission(&[("homework.py", &sample("checkers", crashing, ""))]);
    let checked = check(folder.path(), &["--game", "checkers", "--positions", "1"]);
    let games = checked.items("game");
    let found: Vec<&str> = games.iter().map(|game| game["found"].as_str().unwrap()).collect();
    let expected = [
        "against random as black, to move first: on turn 1, no `output.txt`",
        "against random as white, to move second: on turn 2, no `output.txt`",
        "against minimax as black, to move first: on turn 1, no `output.txt`",
        "against minimax as white, to move second: on turn 2, no `output.txt`",
    ];
    assert_eq!(found, expected);
    assert!(games.iter().all(|game| game["light"] == "red"));
    let details = checked.details("game").join("\n");
    assert_contains(&details, "it crashed with `KeyError: 'opening book'`");
}

#[test]
fn what_cannot_be_checked_is_the_users_to_mend() {
    let refused = |submission: &str, arguments: &[&str]| {
        let output = command(Path::new(submission), arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(
        refused("no/such/folder", &["--game", "checkers"]),
        (Some(3), "referee: no such file or directory: `no/such/folder`; name the submission to check\n".to_owned())
    );
    let agents = root().join("agents");
    let full = agents.to_str().unwrap();
    let sample = agents.join("checkers-python");
    assert_eq!(
        refused(sample.to_str().unwrap(), &["--game", "checkers", "--keep", full]),
        (
            Some(2),
            format!(
                "referee: `--keep {full}`: the directory is not empty: choose a new one, no files are overwritten\n"
            )
        )
    );
    assert_eq!(refused(full, &[]).0, Some(2));
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn the_sample_agents_are_ready() {
    let cases = [
        ("halma-python", "halma", PYTHON3),
        ("duo-othello-python", "duo-othello", PYTHON3),
        ("star-circle-python", "star-circle", PYTHON3),
        ("heirs-python", "heirs", PYTHON3),
        ("checkers-java", "checkers", JAVA),
    ];
    for (name, game, _) in cases.into_iter().filter(|(_, _, language)| has(*language)) {
        let submission = root().join("agents").join(name);
        let checked = check(&submission, &["--game", game, "--quick", "--positions", "2"]);
        assert!(checked.faults().is_empty(), "{name}: {}", checked.json);
    }
}

#[test]
#[ignore = "long: checks agents at the length of a game"]
fn a_program_in_python_2_asks_for_python_2() {
    if has(PYTHON2) {
        return;
    }
    let folder = submission(&[("homework2.py", "print(1)")]);
    let output = command(folder.path(), &["--game", "checkers"]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let said = String::from_utf8(output.stderr).unwrap();
    let remedy = "; or run it with Python 3: `--python2-by-python3`\n";
    assert_ends(&said, remedy);
    let program = folder.path().join("homework2.py").display().to_string();
    let play = |more: &[&str]| {
        let words = ["play", &program, "builtin:random", "--game", "checkers", "--time", "1", "--out", "run"];
        referee(&[&words, more].concat()).current_dir(folder.path()).output().unwrap()
    };
    assert_ends(stderr(&play(&[])), remedy);
    assert!(play(&["--python2-by-python3"]).status.success());
}

/// As in a folder, and as every platform delivers it.
#[test]
#[ignore = "long: checks agents at the length of a game"]
fn a_file_alone_is_judged_by_its_name() {
    require!(PYTHON3);
    let folder = submission(&[("homework.py", &sample("checkers", "", "")), ("main.py", &sample("checkers", "", ""))]);
    let checked = check(&folder.path().join("main.py"), &QUICK);
    assert_eq!(checked.status, 1);
    let files = checked.item("files");
    assert_eq!(files["light"], "red", "{files}");
    assert_contains(files.to_string(), "rename the program to `homework.py`");
    let checked = check(&folder.path().join("homework.py"), &QUICK);
    assert_eq!(checked.item("files")["light"], "green", "{}", checked.json);
}
