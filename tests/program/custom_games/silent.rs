//! A command that asks rules which fail gives no answer: it names the question, what came back, standard error and
//! remedy.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::{example, referee_in, succeeds};
use crate::invocation::{assert_contains, referee_reading, status, stderr, stdout, words};

const RULES: &str = "row/rules/row.py";

/// An answer at which [`RAISING`] fails.
const BOOM: &str = "boom";

/// Rules that fail at one answer.
const RAISING: (&str, &str) = (
    "    def from_output(self, text):\n",
    "    def from_output(self, text):\n        if 'boom' in text:\n            print('lost the chalk')\n            \
     raise ValueError('no chalk')\n",
);

/// Rules that fail at every question `method`.
fn failing(within: &Path, method: &str) {
    let old = format!("    def {method}(self, state");
    let (_, rest) = fs::read_to_string(example(within, "row", &[]))
        .expect("the example")
        .split_once(&old)
        .map(|(before, rest)| (before.to_owned(), rest.to_owned()))
        .expect("the method is there");
    let head = format!("{old}{}\n", rest.lines().next().expect("a line"));
    fs::remove_dir_all(within.join("row")).expect("it is there");
    example(
        within,
        "row",
        &[(&head, &format!("{head}        print('lost the chalk')\n        raise ValueError('no chalk')\n"))],
    );
}

/// Fails unless the command with `words` says nothing but the fault, at the question `asked`.
fn says_only_the_fault(within: &Path, words: &[&str], asked: &str) {
    let output = referee_in(within, words);
    let said = stderr(&output);
    assert_eq!((status(&output), stdout(&output).as_str()), (3, ""), "{words:?}: {said}");
    assert_only_the_fault(words, &said, asked);
}

fn assert_only_the_fault(words: &[&str], said: &str, asked: &str) {
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 1, "{words:?}: {said}");
    for part in [
        "failed: it says: ValueError: no chalk (",
        &format!("; question: {asked}"),
        "; standard error: lost the chalk",
        "; fix the rules program: `referee game check RULES`",
    ] {
        assert!(said.contains(part), "{words:?}: expected {part:?} in {said}");
    }
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_command_whose_rules_fail_at_each_question_prints_nothing_else() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    failing(within, "moves");
    fs::write(within.join("start.txt"), "X\n5\n...\n...\n...\n").expect("written");
    for words in [
        &["moves", "--game", RULES][..],
        &["moves", "--game", RULES, "--json"],
        &["moves", "--game", RULES, "--input", "start.txt"],
        &["perft", "--game", RULES, "--depth", "1"],
        &["perft", "--game", RULES, "--depth", "3"],
        &["perft", "--game", RULES, "--depth", "2", "--divide"],
        &["positions", "--game", RULES, "--json"],
        &["positions", "--game", RULES, "--out", "positions"],
        &["check", "row/agents/second", "--game", RULES, "--json"],
    ] {
        says_only_the_fault(within, words, "moves");
    }
    assert!(!within.join("positions").exists(), "nothing was written");
    let checked = referee_in(within, &["check", "row/agents/second", "--game", RULES]);
    assert_eq!(status(&checked), 3, "{}", stdout(&checked));
    assert_only_the_fault(&["check"], &stderr(&checked), "moves");
    assert!(!stdout(&checked).contains("ready"), "{}", stdout(&checked));
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn an_answer_that_the_rules_cannot_judge_is_neither_legal_nor_illegal() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    example(within, "row", &[RAISING]);
    fs::write(within.join("start.txt"), "X\n5\n...\n...\n...\n").expect("written");
    fs::write(within.join("boom.txt"), BOOM).expect("written");
    let judge = ["judge", "--game", RULES, "--input", "start.txt", "--output", "boom.txt"];
    says_only_the_fault(within, &judge, "judge of `boom`");
    says_only_the_fault(within, &[&judge[..], &["--json"]].concat(), "judge of `boom`");
    // Of a stream, the answers before it are given.
    let line = |id: u32, output: &str| {
        serde_json::json!({ "id": id, "input": "X\n5\n...\n...\n...\n", "output": output }).to_string() + "\n"
    };
    let rules = within.join(RULES);
    let batch = ["judge", "--batch", "--game", rules.to_str().expect("a plain path")];
    let output = referee_reading(&batch, line(1, "b2") + &line(2, BOOM) + &line(3, "b2"));
    assert_eq!(status(&output), 3);
    let answers = stdout(&output);
    assert!(answers.starts_with("{\"id\":1,\"legal\":true") && answers.lines().count() == 1, "{answers}");
    assert_only_the_fault(&batch, &stderr(&output), "judge of `boom`");
    // A submission that writes it is not judged either.
    super::everywhere::submission(within, "mal", &format!("open('output.txt', 'w').write('{BOOM}')\n"));
    let checked = referee_in(within, &["check", "mal", "--game", RULES]);
    assert_eq!(status(&checked), 3, "{}", stdout(&checked));
    assert_only_the_fault(&["check"], &stderr(&checked), "judge of `boom`");
    assert!(!stdout(&checked).contains("\nfault"), "{}", stdout(&checked));
}

/// A run in `within` whose first record has an answer that its rules cannot judge.
fn run_with_an_answer_that_cannot_be_judged(within: &Path) {
    example(within, "row", &[RAISING]);
    let agents = ["builtin:random,seed=1", "builtin:random,seed=2"];
    let play = ["play", "--game", RULES, "--out", "run"];
    succeeds(within, &[&play[..], &agents].concat());
    let record = within.join("run/games/g0001.json");
    let mut game: Value = serde_json::from_slice(&fs::read(&record).expect("a record")).expect("JSON");
    game["turns"][0]["output"]["bytes"] = BOOM.into();
    fs::write(&record, game.to_string()).expect("written");
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_record_that_the_rules_cannot_judge_is_not_called_different() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    run_with_an_answer_that_cannot_be_judged(within);
    for words in [
        &["verify", "run"][..],
        &["verify", "run/games/g0001.json"],
        &["replay", "run/games/g0001.json"],
        &["replay", "run/games/g0001.json", "--turn", "1"],
        &["explain", "run/games/g0001.json"],
        &["explain", "run/games/g0001.json", "--json"],
    ] {
        says_only_the_fault(within, words, "judge of `boom`");
    }
}

/// Nobody else is suspected where the rules choose at random.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_that_answer_at_random_are_suspected_before_a_record() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    example(within, "row", &[]);
    let agents = ["builtin:random,seed=1", "builtin:random,seed=2"];
    succeeds(within, &[&["play", "--game", RULES, "--out", "run"][..], &agents].concat());
    let record = within.join("run/games/g0001.json");
    let whole: Value = serde_json::from_slice(&fs::read(&record).expect("a record")).expect("JSON");
    let told = |game: &Value, words: &[&str], difference: &str| {
        fs::write(&record, game.to_string()).expect("written");
        let output = referee_in(within, words);
        let said = stdout(&output) + &stderr(&output);
        assert_ne!(status(&output), 0, "{words:?}: {said}");
        let doubt = "; a rules program that answers the same question differently from time to time causes this, too: \
                     `referee game check RULES` tries that\n";
        assert_contains(said, &format!("{difference}{doubt}"));
    };
    // As if the rules had chosen otherwise when it was played.
    let mut shorter = whole.clone();
    let turns = shorter["turns"].as_array_mut().expect("turns");
    turns.pop();
    let left = turns.len();
    let difference = format!("the record ends after turn {left}, but the game goes on");
    let mut other = whole.clone();
    other["turns"][0]["move"] = "b9".into();
    let consequences = "turn 1: the clock, charge, move or warnings do not follow from the run";
    for words in [["verify", "run"], ["replay", "run/games/g0001.json"], ["explain", "run/games/g0001.json"]] {
        told(&shorter, &words, &difference);
        told(&other, &words, consequences);
    }
}

/// What the rules list is no illegal move, however it is written: the rules contradict themselves.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_listed_move_that_the_rules_refuse_is_no_loss_of_an_agent() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let check = "    def check(self, state, move):\n";
    let refusing = format!("{check}        if move == 'b2':\n            raise Refuse('odd', 'the middle is odd')\n");
    example(within, "row", &[(check, &refusing)]);
    let play = words("play --game row/rules/row.py builtin:random builtin:random --games 6 --seed 1 --out run", &[]);
    let played = referee_in(within, &play);
    let told = "`moves` lists `b2`, and `judge` refuses it: the middle is odd";
    assert_ne!(status(&played), 0);
    assert_contains(stderr(&played), told);
    assert!(!stdout(&played).contains("illegal move"), "{played:?}");
    let void = fs::read_dir(within.join("run/voids")).expect("void games").next();
    let void = void.expect("a void game").expect("its file").file_name();
    let void = format!("run/voids/{}", void.display());
    let explained = referee_in(within, &["explain", &void]);
    assert_ne!(status(&explained), 0);
    assert_contains(stderr(&explained), "which has no record\n");
    fs::write(within.join("input.txt"), "X\n9\n...\n...\n...\n").expect("written");
    let judge = ["judge", "--game", RULES, "--input", "input.txt", "--output", "output.txt"];
    for (answer, is_fault) in [("b2\n", true), (" b2\r\n", true), ("b4\n", false)] {
        fs::write(within.join("output.txt"), answer).expect("written");
        let judged = referee_in(within, &judge);
        assert_eq!(stderr(&judged).contains(told), is_fault, "{answer:?}: {judged:?}");
    }
}
