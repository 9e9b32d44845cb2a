//! Runs that have to be begun anew, because of their rules or because they are of another game.

use std::fs;

use tempfile::TempDir;

use super::{example, referee_in};
use crate::invocation::{assert_contains, assert_ends, referee_reading, status, stderr, stdout, words};

const RULES: &str = "row/rules/row.py";

/// A run that its rules have stopped cannot be resumed, and a person's game is void for the same reason.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_run_that_its_rules_have_stopped_is_to_be_begun_anew() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let play = "    def play(self, state, move):\n";
    example(within, "row", &[(play, &format!("{play}        raise ValueError('no chalk')\n"))]);
    let agents = ["row/agents/first", "row/agents/second"];
    let played = referee_in(within, &[&["play", "--game", RULES, "--out", "run"][..], &agents].concat());
    assert_eq!(status(&played), 3, "{}", stderr(&played));
    let state = referee_in(within, &["status", "run"]);
    assert_eq!(status(&state), 1);
    assert_ends(
        stdout(&state),
        "1 game is missing, and the rules failed: fix the rules, then begin a new run with a new `--out`, because a \
         run keeps its rules\n",
    );
    let rules = within.join(RULES);
    let out = within.join("sat");
    let sit = words(
        "play human builtin:random --game {} --out {}",
        &[rules.to_str().expect("plain"), out.to_str().expect("plain")],
    );
    let sat = referee_reading(&sit, "b2\n");
    let said = stderr(&sat);
    assert_eq!(status(&sat), 3, "{said}");
    assert_contains(said, "the game is void: the rules program");
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn games_of_one_title_are_told_apart() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let rules = example(within, "row", &[]);
    example(within, "line", &[("\"Line\"", "\"Row\"")]);
    let play = |game: &str| {
        let agents = ["builtin:random,seed=1", "builtin:random,seed=2"];
        let output = referee_in(within, &[&["play", "--game", game, "--out", "run"][..], &agents].concat());
        (status(&output), stdout(&output), stderr(&output))
    };
    let (code, said, _) = play(RULES);
    assert_eq!(code, 0, "{said}");
    assert_contains(said, " of 1 point; ");
    let (code, _, said) = play("line/rules/line.py");
    assert_eq!(code, 2, "{said}");
    assert_contains(said, "contains another run: its game is `row`, not `line`; ");
    let text = fs::read_to_string(&rules).expect("the rules");
    fs::write(&rules, text + "\n").expect("written");
    let (code, _, said) = play(RULES);
    assert_eq!(code, 2, "{said}");
    let is_told = said.contains("the rules of Row have changed") || said.contains("it plays Row by the rules program ");
    assert!(is_told && !said.contains("Row, not Row"), "{said}");
}
