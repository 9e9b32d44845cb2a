//! Sides with colours of their own, on a terminal and in the model of a page; `tests/browser` sees them on pages.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{example, referee_in, succeeds};
use crate::invocation::{assert_contains, status, stderr};
use crate::pseudo_terminal::{PseudoTerminal, Size};

const RULES: &str = "    rules = {\n";

/// Three of a row, with more attributes, in a new folder.
fn with(attributes: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    example(folder.path(), "three", &[(RULES, &format!("    {attributes}\n{RULES}"))]);
    folder
}

/// What `explain` writes to a terminal after a game in `folder`.
fn explained(folder: &TempDir) -> String {
    let run = folder.path().join("run");
    let play = ["play", "--game", "three/rules/three.py", "--out", "run"];
    succeeds(folder.path(), &[&play[..], &["builtin:random,seed=1", "builtin:random,seed=2"]].concat());
    let record = run.join("games/g0001.json").display().to_string();
    let size = Size { rows: 40, columns: 100 };
    let program = Path::new(env!("CARGO_BIN_EXE_referee"));
    let mut terminal = PseudoTerminal::start(program, &["explain", &record], size, &[("TERM", "xterm-256color")]);
    terminal.end();
    String::from_utf8_lossy(&terminal.written).into_owned()
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn sides_have_their_colours_on_a_terminal_and_in_the_model_of_a_page() {
    let folder = with("colours = (\"red\", \"green\")");
    let (shown, usual) = (explained(&folder), explained(&with("turn_limit = 40")));
    for (piece, colour, otherwise) in [("X", 31, 36), ("O", 32, 33)] {
        let drawn = |colour: u32| format!("\u{1b}[{colour}m\u{1b}[1m{piece}");
        assert_contains(&shown, &drawn(colour));
        assert_contains(&usual, &drawn(otherwise));
        assert!(!shown.contains(&drawn(otherwise)), "{shown:?}");
    }
    succeeds(folder.path(), &["report", "run", "--out", "page.html"]);
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("a page");
    let board = page.split_once("\"colours\":").expect("the board has colours").1;
    let mut values = serde_json::Deserializer::from_str(board).into_iter::<Value>();
    let colours = values.next().expect("a value").expect("JSON");
    assert_eq!(colours, json!({"black": "red", "white": "green"}));
}

/// The module looks first; a program in another language is told by the referee.
#[test]
fn colours_that_nobody_could_tell_apart_are_refused() {
    for (said, told) in [
        ("None, \"colour\": \"red\"", "`sides`: one has a colour; give both one, or neither"),
        ("None, \"colour\": \"pink\"", "unknown variant `pink`, expected one of `black`, `white`, `red`"),
    ] {
        let folder = TempDir::new().expect("a folder");
        let rules = example(folder.path(), "three", &[]);
        let module = rules.with_file_name("referee_rules.py");
        let text = std::fs::read_to_string(&module).expect("the module");
        // Of the first side alone.
        let described = "            \"first\": self.first,\n";
        assert!(text.contains(described));
        let spoiled = format!(
            "{described}            \"sides\": [{{\"word\": \"X\", \"name\": {said}}}, {{\"word\": \"O\"}}],\n"
        );
        std::fs::write(&module, text.replace(described, &spoiled)).expect("written");
        let output = referee_in(folder.path(), &["moves", "--game", "three/rules/three.py"]);
        assert_eq!(status(&output), 3);
        assert_contains(stderr(&output), told);
    }
}
