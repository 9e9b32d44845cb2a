//! Rules and names of rules that are faulty: who is blamed, and what is advised.

use std::fs;
use std::process::Stdio;
use std::thread;

use nix::sys::signal::{Signal, kill};
use tempfile::TempDir;

use super::{example, referee_in, spoiled, succeeds};
use crate::competition::arena::{LOOK, below, parent};
use crate::invocation::{command, status, stderr, stdout, words};

/// A goal that is not declared, met by legal moves of one game: only this game is missing, and it is not retried.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_that_fail_at_legal_moves_cost_that_game_alone_and_blame_no_agent() {
    let folder = TempDir::new().expect("a folder");
    spoiled(
        folder.path(),
        "won(first, \"three-in-a-row\"",
        "won(first, \"three-in-row\" if state[\"board\"] == [\"OO.\", \"...\", \"XXX\"] else \"three-in-a-row\"",
    );
    // Whoever moves first has a row at the third move: in the second game on the other side of the board.
    let agent = "sign = open('input.txt').read()\n\
                 taken = sign.split('\\n', 2)[2].count(sign[0])\n\
                 open('output.txt', 'w').write(['a1', 'b1', 'c1'][taken] + '\\n')\n";
    let other = agent.replace("'a1', 'b1', 'c1'", "'a3', 'b3', 'c3'");
    fs::write(folder.path().join("spoiled/agents/first/homework.py"), agent).expect("written");
    fs::write(folder.path().join("spoiled/agents/second/homework.py"), other).expect("written");
    let play = words("play --game spoiled/rules/spoiled.py --games 2 --jobs 1 --out run", &[]);
    let agents = ["spoiled/agents/first", "spoiled/agents/second"];
    let output = referee_in(folder.path(), &[&play[..], &agents].concat());
    let said = stderr(&output);
    assert_eq!(status(&output), 1, "{said}");
    assert!(said.contains("g0001  void, not retried: "), "{said}");
    assert!(said.contains("`three-in-row`, which is no code of `goals`"), "{said}");
    assert!(said.contains("at turn 5, the legal move `c1`"), "{said}");
    assert!(said.contains("fix the rules, then begin a new run with a new `--out`"), "{said}");
    assert!(!said.contains("suspect") && !said.contains("rerun"), "{said}");
    let void = fs::read_to_string(folder.path().join("run/voids/g0001.json")).expect("it is counted");
    let void: serde_json::Value = serde_json::from_str(&void).expect("JSON");
    assert_eq!((&void["times"], &void["blame"]), (&1.into(), &"rules".into()), "{void}");
    assert!(folder.path().join("run/games/g0002.json").exists(), "{said}");
    // Wherever somebody looks later.
    let missing = "missing: g0001 (first - second), void 1 time: the rules failed";
    let reason =
        "failed in 1 game without a result, first in `g0001`: the rules program `spoiled/rules/spoiled.py` failed";
    let told = |words: &[&str]| {
        let output = referee_in(folder.path(), words);
        format!("{}{}", stdout(&output), stderr(&output))
    };
    for words in [&["status", "run"][..], &["standings", "run"], &["report", "run", "--json"]] {
        let told = told(words);
        assert!(told.contains(missing) && told.contains(reason), "{words:?}: {told}");
    }
    let status: serde_json::Value = serde_json::from_str(&told(&["status", "run", "--json"])).expect("JSON");
    assert_eq!(status["void"], serde_json::json!([void]));
    // Without names, and without a reason, in which an agent's text may be.
    for words in [&["report", "run", "--json", "--anonymous"][..], &["report", "run", "--json", "--student", "first"]] {
        let page: serde_json::Value = serde_json::from_str(&told(words)).expect("JSON");
        let lines = page["missing"].as_array().expect("lines");
        assert_eq!(lines[0], "the rules are at fault: they failed in 1 game without a result, first in `game0001`");
        let line = lines[1].as_str().expect("a line");
        assert!(
            line.starts_with("missing: game0001 (") && line.ends_with("), void 1 time: the rules failed"),
            "{line}"
        );
        assert_eq!((lines.len(), line.contains("second")), (2, false), "{line}");
    }
}

/// The page is written and named, and says which game it lacks.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_page_says_which_game_the_rules_cannot_replay() {
    let folder = TempDir::new().expect("a folder");
    // In play an input is written before each answer is judged; in a replay none is.
    let input = "    def to_input(self, state, clocks):\n";
    let output = "    def from_output(self, text):\n";
    let changes = [
        (input, &*format!("{input}        self.__class__._is_played = True\n")),
        (
            output,
            &*format!(
                "    _is_played = False\n\n{output}        if not self._is_played:\n            \
                 raise ValueError('no replay')\n"
            ),
        ),
    ];
    example(folder.path(), "moody", &changes);
    let play = words("play --game moody/rules/moody.py --out run moody/agents/first builtin:random,seed=1", &[]);
    succeeds(folder.path(), &play);
    let written = referee_in(folder.path(), &["report", "run"]);
    let said = stderr(&written);
    assert_eq!((status(&written), stdout(&written).as_str()), (3, "report: run/report.html\n"), "{said}");
    assert!(said.contains("game `g0001` cannot be shown: ") && said.contains("ValueError: no replay"), "{said}");
    let page = fs::read_to_string(folder.path().join("run/report.html")).expect("a page");
    assert!(page.contains("game `g0001` cannot be shown: "), "{said}");
}

/// The file is faulty, not the command line, whatever command names it.
#[test]
fn a_faulty_rules_file_is_an_invalid_input_file() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("broken.py"), "class (\n").expect("written");
    let agents = ["builtin:random", "builtin:random"];
    let play = [&["play", "--game", "./broken.py"][..], &agents].concat();
    for words in [&play[..], &["moves", "--game", "./broken.py"], &["game", "check", "broken.py"]] {
        let output = referee_in(folder.path(), words);
        let said = stderr(&output);
        assert_eq!(status(&output), 3, "{words:?}: {said}");
        assert!(said.starts_with("referee: ") && !said.contains("--help"), "{said}");
    }
}

#[test]
fn a_folder_of_rules_that_is_named_for_its_file_is_understood() {
    let folder = TempDir::new().expect("a folder");
    succeeds(folder.path(), &["new-game", "three"]);
    for (name, code) in [("three", 2), ("three/rules", 3), ("three/", 3)] {
        let output = referee_in(folder.path(), &["moves", "--game", name]);
        let said = stderr(&output);
        assert_eq!(status(&output), code, "{said}");
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("did you mean `three/rules/three.py`?"), "{name}: {said}");
    }
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_resumed_run_says_that_its_rules_have_changed() {
    let folder = TempDir::new().expect("a folder");
    let rules = example(folder.path(), "kept", &[]);
    let grade = ["grade", "kept/assignment.toml", "kept/agents/second", "--out", "graded"];
    succeeds(folder.path(), &grade);
    let text = fs::read_to_string(&rules).expect("the rules");
    fs::write(&rules, text + "\n").expect("written");
    let said = stderr(&referee_in(folder.path(), &grade));
    let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("the rules of Kept have changed since this run began"), "{said}");
}

/// Whoever ends the process that watches the rules is to blame, not their author: the game may be played again.
#[test]
#[ignore = "long: plays by rules in another process"]
fn rules_whose_keeper_is_killed_are_not_at_fault() {
    let folder = TempDir::new().expect("a folder");
    let guard = "    def play(self, state, move):\n";
    let waits = "        import ctypes, time\n        ctypes.CDLL(None).prctl(15, b'waiting-rules')\n        \
                 time.sleep(86400)\n";
    spoiled(folder.path(), guard, &format!("{guard}{waits}"));
    let agents = ["spoiled/agents/first", "spoiled/agents/second"];
    let play = words("play --game spoiled/rules/spoiled.py --jobs 1 --out run", &[]);
    let mut playing = command(&[&play[..], &agents].concat());
    playing.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = playing.spawn().expect("it runs");
    while child.try_wait().expect("it is a child").is_none() {
        for keeper in below(&child, "waiting-rules").into_iter().filter_map(parent) {
            // It may have ended.
            let _ = kill(keeper, Signal::SIGKILL);
        }
        thread::sleep(LOOK);
    }
    let output = child.wait_with_output().expect("it runs");
    let said = stderr(&output);
    assert_eq!(status(&output), 4, "{said}");
    assert!(
        said.contains("the rules are not at fault") && said.contains("cannot play games on this machine"),
        "{said}"
    );
    assert!(!said.contains("fix the rules") && !said.contains("begin a new run"), "{said}");
    let void = fs::read_to_string(folder.path().join("run/voids/g0001.json")).expect("it is counted");
    let void: serde_json::Value = serde_json::from_str(&void).expect("JSON");
    assert_eq!(void.get("blame"), None, "{void}");
}
