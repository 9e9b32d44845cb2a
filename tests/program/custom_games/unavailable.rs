//! Runs whose rules cannot be started here: the machine or the rules are named, never the records.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use super::succeeds;
use crate::invocation::{command, status, stderr, stdout};

const RECORD: &str = "run/games/g0001.json";

/// A folder with a run of one game, `run`.
fn folder_with_a_run() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    succeeds(folder.path(), &["new-game", "kept"]);
    let agents = ["builtin:random,seed=1", "builtin:random,seed=2"];
    let play = ["play", "--game", "kept/rules/kept.py", "--out", "run"];
    succeeds(folder.path(), &[&play[..], &agents].concat());
    folder
}

/// The rules that the run keeps.
fn kept(within: &Path) -> PathBuf {
    let mut rules = fs::read_dir(within.join("run/rules")).expect("the rules are kept");
    rules.next().expect("one").expect("an entry").path()
}

/// The same with no tool at all.
fn without_tools(within: &Path, words: &[&str]) -> Output {
    let nothing = within.join("nothing");
    fs::create_dir_all(&nothing).expect("a folder");
    let mut command = command(words);
    let output = command.current_dir(within).env("PATH", nothing).output();
    output.expect("it runs")
}

/// Commands that read the run or its record, and the file that each of them reads first.
const READERS: [(&[&str], &str, &str); 9] = [
    (&["verify", "run"], "run/manifest.json", "run"),
    (&["standings", "run"], "run/manifest.json", "run"),
    (&["status", "run"], "run/manifest.json", "run"),
    (&["report", "run"], "run/manifest.json", "run"),
    (&["serve", "run"], "run/manifest.json", "run"),
    (&["export", "run", "--format", "csv"], "run/manifest.json", "run"),
    (&["verify", RECORD], RECORD, ""),
    (&["replay", RECORD], RECORD, ""),
    (&["explain", RECORD], RECORD, ""),
];

/// Where a message names the rules: beside the run as named, or by the whole path of a record.
fn shown(within: &Path, run: &str) -> String {
    let place = kept(within);
    if run.is_empty() {
        place.canonicalize().expect("it exists").display().to_string()
    } else {
        place.strip_prefix(within).expect("within").display().to_string()
    }
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_run_without_the_language_of_its_rules_is_fine_and_the_language_is_named() {
    let folder = folder_with_a_run();
    let within = folder.path();
    for (words, file, run) in READERS {
        let output = without_tools(within, words);
        let rules = shown(within, run);
        assert_eq!(
            (status(&output), stderr(&output).as_str(), stdout(&output).as_str()),
            (
                4,
                &*format!(
                    "referee: cannot read `{file}` without the rules of its game: the rules program `{rules}` cannot \
                     be used: no working `python3` found in `PATH`: install Python 3; nothing is wrong with the \
                     records: keep them\n"
                ),
                ""
            ),
            "{words:?}"
        );
    }
    // The same machine cannot begin a run either, and no file is at fault.
    for words in [&["moves", "--game", "kept/rules/kept.py"][..], &["game", "check", "kept/rules/kept.py"]] {
        let output = without_tools(within, words);
        let expected = "referee: the rules program `kept/rules/kept.py` cannot be used: no working `python3` found in \
                        `PATH`: install Python 3\n";
        assert_eq!((status(&output), stderr(&output).as_str()), (4, expected), "{words:?}");
    }
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_that_were_changed_or_lost_are_to_be_put_back_and_no_record_is_removed() {
    let folder = folder_with_a_run();
    let within = folder.path();
    let file = kept(within).join("rules.py");
    let text = fs::read_to_string(&file).expect("the copy");
    fs::write(&file, text.clone() + "\n").expect("written");
    let changed = |run: &str| {
        format!(
            "the rules program `{}` has been changed since the run began; put the original back",
            shown(within, run)
        )
    };
    expect_everywhere(within, changed);
    fs::write(&file, "exit(3)\n").expect("written");
    expect_everywhere(within, changed);
    fs::remove_dir_all(within.join("run/rules")).expect("removed");
    expect_everywhere(within, |_| {
        "`kept` is a game of a rules program, which a run keeps in its folder `rules/`, and it is not there; name the \
         record within its run, or put the folder back"
            .to_owned()
    });
}

/// What every reader says is `reason`, in a line without the advice to remove a file.
fn expect_everywhere(within: &Path, reason: impl Fn(&str) -> String) {
    for (words, file, run) in READERS {
        let output = command(words).current_dir(within).output().expect("it runs");
        let expected = format!(
            "referee: cannot read `{file}` without the rules of its game: {}; nothing is wrong with the records: keep \
             them\n",
            reason(run)
        );
        assert_eq!((status(&output), stderr(&output)), (3, expected), "{words:?}");
    }
}

/// A record that was taken out of its run is still told from another file.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_record_without_its_run_is_told_from_another_file() {
    let folder = folder_with_a_run();
    let within = folder.path();
    fs::copy(within.join(RECORD), within.join("alone.json")).expect("copied");
    for words in [["replay", "alone.json"], ["explain", "alone.json"], ["verify", "alone.json"]] {
        let output = command(&words).current_dir(within).output().expect("it runs");
        let said = stderr(&output);
        assert_eq!(status(&output), 3, "{said}");
        assert!(said.contains("name the record within its run") && !said.contains("remove"), "{said}");
    }
    let output = command(&["standings", "alone.json"]).current_dir(within).output().expect("it runs");
    assert!(stderr(&output).contains("is the record of one game"), "{}", stderr(&output));
}
