//! The Python module and the C++ header are the same: names, what they can say, and how they judge.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use referee_games::protocol::{Refusal, Tolerance};
use referee_games::{GameRef, Side};
use referee_matches::rules_program;
use serde_json::Value;
use tempfile::TempDir;

use super::{ROOT, referee_in, succeeds};
use crate::toolbox::{CPP, PYTHON3, require};

fn source(file: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(file)).expect("it is there")
}

/// The names in the part of `text` from `from` to `to` whose lines begin with `start`: the last word before ` =`, `;`
/// or `(`.
fn names(text: &str, from: &str, to: &str, start: &str) -> BTreeSet<String> {
    let text = text.split_once(from).and_then(|(_, rest)| rest.split_once(to));
    let (text, _) = text.unwrap_or_else(|| panic!("no {from:?} before {to:?}"));
    let lines = text.lines().filter_map(|line| line.strip_prefix(start));
    let name = |line: &str| {
        let before = line.split([';', '(']).next()?.split(" = ").next()?;
        let word = before.rsplit(' ').next()?.to_owned();
        (line.starts_with(char::is_alphabetic) && word.starts_with(char::is_lowercase)).then_some(word)
    };
    lines.filter_map(name).collect()
}

#[test]
fn attributes_and_methods_have_the_same_names_in_both_languages() {
    let (python, cpp) = (source("examples/rules/referee_rules.py"), source("examples/rules/referee_rules.hpp"));
    let attributes = names(&python, "class Game:", "def start", "    ");
    assert!(attributes.len() > 20, "{attributes:?}");
    assert_eq!(attributes, names(&cpp, "struct Look {", "\n};", "    "));
    let methods = names(&python, "class Game:", "# The protocol.", "    def ");
    let mut functions = names(&cpp, "class Game {", "private:", "    virtual ");
    functions.extend(names(&cpp, "protected:", "private:", "    "));
    // Attributes of a class there, a function here.
    assert!(functions.remove("look"));
    assert_eq!(methods, functions);
}

/// The example in both languages as `row`, in folders of their own, with changes.
fn both(within: &Path, python: &[(&str, &str)], cpp: &[(&str, &str)]) -> [String; 2] {
    [("python", "py", python), ("cpp", "cpp", cpp)].map(|(language, extension, changes)| {
        let folder = within.join(language);
        fs::create_dir(&folder).expect("a folder");
        succeeds(&folder, &["new-game", "row", "--language", language]);
        let rules = folder.join(format!("row/rules/row.{extension}"));
        let mut text = fs::read_to_string(&rules).expect("the example is there");
        for (old, new) in changes {
            assert!(text.contains(old), "{old}");
            text = text.replacen(old, new, 1);
        }
        fs::write(&rules, text).expect("written");
        rules.display().to_string()
    })
}

/// What has a value, but for states and what only the module knows: whether names are misspelt and states changed.
fn said(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for key in ["state", "states", "changed"] {
                fields.remove(key);
            }
            fields.values_mut().for_each(said);
            fields.retain(|_, value| !value.is_null() && *value != Value::Array(Vec::new()));
        }
        Value::Array(items) => items.iter_mut().for_each(said),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// All questions of a check of the rules, and all answers.
fn messages(within: &Path, rules: &str) -> Vec<Value> {
    let words = ["game", "check", rules, "--positions", "30", "--messages", "messages"];
    referee_in(within, &words);
    let lines = fs::read_to_string(within.join("messages")).expect("messages");
    fs::remove_file(within.join("messages")).expect("it is there");
    let read = |line: &str| {
        let mut message = serde_json::from_str(line).expect("JSON");
        said(&mut message);
        message
    };
    lines.lines().map(read).collect()
}

fn assert_same_messages(within: &Path, rules: &[String; 2]) -> Vec<Value> {
    let [python, cpp] = rules.each_ref().map(|rules| messages(within, rules));
    for (one, other) in python.iter().zip(&cpp) {
        assert_eq!(one, other);
    }
    assert_eq!(python.len(), cpp.len());
    assert!(python.len() > 100);
    python
}

fn loaded(rules: &str) -> GameRef {
    rules_program::known_games(Some(Path::new(env!("CARGO_BIN_EXE_referee")))).at(Path::new(rules)).expect("rules")
}

/// What a judge makes of a text: the move with its warnings, or the refusal.
fn verdict(game: GameRef, played: &[&str], text: &[u8], tolerance: Tolerance) -> Result<String, Refusal> {
    let mut position = game.start();
    for mv in played {
        position = position.judge(mv.as_bytes(), Tolerance::Exact).expect("legal").next;
    }
    assert_eq!(position.breakdown(), None);
    let judged = position.judge(text, tolerance)?;
    assert_eq!(judged.next.breakdown(), None);
    Ok(format!("{} {:?} {}", judged.mv, judged.warnings, judged.next.board()))
}

const ANSWERS: &[&[u8]] = &[
    b"a1",
    b"a1\n",
    b" a1",
    b"a1 \n",
    b"A1",
    b"B3\n",
    b"b3\r\n",
    b"\n\na1\n\n",
    b"\ta1",
    b"\x0ba1",
    b"a1\x0c",
    b"\xa0a1",
    b"\x85",
    b"b2",
    b"B2\n",
    b"  b2  \n",
    b"\nb2",
    b"b2\nb2",
    b"a1 a2",
    b"a4",
    b"d1",
    b"a",
    b"a11",
    b"0",
    b"`",
    b"\\",
    b"\0",
    b"\x1b[2J",
    b"\xff\xfe",
    "\u{fc}\u{2192}\u{1f600}\u{202e}".as_bytes(),
    b"\xed\xa0\x80\xf4\x90\x80\x80\xe2\x86",
    b"\xef\xbb\xbfa1",
    b"a1\rb1",
    b"  x  y\tz \n\n  w \r\n",
    b"a word of more than forty characters, each of which is cut off at its end",
];

fn assert_same_verdicts(rules: &[String; 2]) {
    let [python, cpp] = rules.each_ref().map(|rules| loaded(rules));
    let mut refused = 0;
    for text in ANSWERS {
        for tolerance in [Tolerance::Tolerant, Tolerance::Exact] {
            let [one, other] = [python, cpp].map(|game| verdict(game, &["b2"], text, tolerance));
            assert_eq!(one, other, "{}", text.escape_ascii());
            refused += usize::from(one.is_err());
        }
    }
    assert!(refused > 40 && refused < 2 * ANSWERS.len(), "{refused}");
    let [one, other] = [python, cpp].map(|game| format!("{:?}", game.profile()));
    assert_eq!(one, other);
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn the_example_is_the_same_in_both_languages() {
    require!(PYTHON3);
    require!(CPP);
    let folder = TempDir::new().expect("a folder");
    let rules = both(folder.path(), &[], &[]);
    assert_same_verdicts(&rules);
    assert_same_messages(folder.path(), &rules);
    assert_eq!(loaded(&rules[1]).profile().typical_moves, 5);
}

/// The tests that `new-game` writes run as their first line says, and notice a mistake.
#[test]
#[ignore = "long: plays by rules in another process"]
fn the_example_in_cpp_has_tests() {
    require!(CPP);
    let folder = TempDir::new().expect("a folder");
    succeeds(folder.path(), &["new-game", "row", "--language", "cpp"]);
    let within = folder.path().join("row");
    let tests = fs::read_to_string(within.join("test_rules.cpp")).expect("tests");
    let run = tests.split('`').nth(1).expect("a command");
    let ran = || {
        let output = Command::new("sh").args(["-c", run]).current_dir(&within).output().expect("it runs");
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(ran(), (true, "ok\n".to_owned()));
    let rules = within.join("rules/row.cpp");
    let text = fs::read_to_string(&rules).expect("rules");
    fs::write(&rules, text.replace("{0, 4, 8}", "{0, 4, 7}").replace("{6, 7, 8}", "{6, 7, 7}")).expect("written");
    assert!(!ran().0);
}

const PYTHON_LOOK: &str = r#"
    side_names, colours, first = ("Ex", "Öh"), ("red", "yellow"), "O"
    square, surface, empty, separator = "column-row", "felt", ".", "-"
    pieces = {
        "X": {"side": "X", "shape": "star", "word": "große Kraft", "shown": "x"},
        "O": {"side": "O", "shape": "stone"},
    }
    time_line, input_lines, play_time, move_time = 2, 5, 12.5, 2.25
    idle_turns, repetitions, turn_limit, progress_words = 50, 3, 40, "a \"move\" \\ of X"
    draw_decisions, typical_moves, keeps_directory = ("pieces", "time"), 4, True
    draw_reasons = {"full-board": "no square is empty"}

    def notes(self, state):
        return {"Zeichen": "X %d" % "".join(state["board"]).count("X"), "Also": "beside"}

    def key(self, state):
        return state["side"]

    def evaluate(self, state, side):
        return "".join(state["board"]).count(side)

    def is_progress(self, state, move):
        return state["side"] == "X"

    def start(self, side):"#;

const CPP_LOOK: &str = r#"
        look.side_names = {"Ex", "Öh"};
        look.colours = {"red", "yellow"};
        look.first = "O";
        look.square = "column-row";
        look.surface = "felt";
        look.empty = '.';
        look.separator = "-";
        look.pieces = {{'X', {"X", "star", "große Kraft", 'x'}}, {'O', {"O", "stone"}}};
        look.play_time = 12.5;
        look.move_time = 2.25;
        look.idle_turns = 50;
        look.repetitions = 3;
        look.turn_limit = 40;
        look.progress_words = "a \"move\" \\ of X";
        look.draw_decisions = {"pieces", "time"};
        look.typical_moves = 4;
        look.keeps_directory = true;
        look.draw_reasons = {{"full-board", "no square is empty"}};
        return look;
    }
    Texts notes(const string& state) override {
        auto count = std::count(state.begin(), state.begin() + 9, 'X');
        return {{"Zeichen", "X " + std::to_string(count)}, {"Also", "beside"}};
    }
    std::optional<string> key(const string& state) override { return side(state); }
    int evaluate(const string& state, const string& side) override {
        return static_cast<int>(std::count(state.begin(), state.begin() + 9, side[0]));
    }
    bool is_progress(const string& state, const string&) override { return side(state) == "X"; }
"#;

/// The example with everything that a game can say, and with answers read word by word.
fn everything(within: &Path) -> [String; 2] {
    let python = [
        ("\n    def start(self, side):", PYTHON_LOOK),
        ("import Game, ", "import Game, quoted, "),
        ("drawn(state[\"side\"])", "drawn(state[\"side\"], \"full-board\")"),
        (
            "        square = text.strip(\" \\t\\r\\n\").lower()\n",
            "        words = [word for line in self.lines(text) for word in line.words]\n        \
             if len(words) > 1:\n            \
             raise Refuse(\"one-word\", \"%s is too much\" % quoted(words[1]), at=words[1])\n        \
             square = words[0].encode(\"latin-1\").lower().decode(\"latin-1\")\n        \
             if square != words[0]:\n            \
             self.overlook(\"square-case\", quoted(words[0]), at=words[0])\n",
        ),
        ("\" \".join(self.moves(state)))", "\" \".join(self.moves(state)), line=1)"),
        (
            "return {\"board\": lines[2:], \"side\": lines[0]}",
            "return {\"board\": lines[2:], \"side\": lines[0]}, Clocks(lines[1], \"7.5\", True)",
        ),
        ("import Game", "import Clocks, Game"),
    ];
    let cpp = [
        ("        return look;\n    }\n", CPP_LOOK),
        ("#include <cctype>", "#include <algorithm>\n#include <cctype>"),
        ("drawn(side(state))", "drawn(side(state), \"full-board\")"),
        (
            "        size_t from = text.find_first_not_of(\" \\t\\r\\n\"), \
             to = text.find_last_not_of(\" \\t\\r\\n\");\n        \
             string square = from == string::npos ? \"\" : text.substr(from, to - from + 1);\n",
            "        vector<Word> words;\n        \
             for (const Word& line : lines(text))\n            \
             words.insert(words.end(), line.words.begin(), line.words.end());\n        \
             if (words.size() > 1)\n            \
             throw Refuse(\"one-word\", quoted(words[1]) + \" is too much\", \"\", words[1]);\n        \
             string square = words[0];\n",
        ),
        (
            "        if (square.size() != 2 ||",
            "        if (square != words[0])\n            \
             overlook({\"square-case\", quoted(words[0]), \"\", words[0]});\n        \
             if (square.size() != 2 ||",
        ),
        ("is taken\", hint);", "is taken\", hint, 1);"),
        (
            "return lines[2] + lines[3] + lines[4] + lines[0];",
            "return {lines[2] + lines[3] + lines[4] + lines[0], Clocks{lines[1], \"7.5\", true}};",
        ),
    ];
    both(within, &python, &cpp)
}

/// The keys with a value, each after those that it stands in.
fn paths(value: &Value, before: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                found.insert(format!("{before}{key}"));
                paths(value, &format!("{before}{key}."), found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| paths(item, before, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The same of what a schema allows.
fn allowed(schema: &Value, before: &str, found: &mut BTreeSet<String>) {
    let properties = schema["properties"].as_object().or(schema["items"]["properties"].as_object());
    for (key, value) in properties.into_iter().flatten() {
        found.insert(format!("{before}{key}"));
        allowed(value, &format!("{before}{key}."), found);
    }
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn both_languages_say_everything_that_the_protocol_has() {
    require!(PYTHON3);
    require!(CPP);
    let folder = TempDir::new().expect("a folder");
    let rules = everything(folder.path());
    assert_same_verdicts(&rules);
    let messages = assert_same_messages(folder.path(), &rules);
    let schema: Value = serde_json::from_str(&source("docs/schemas/rules-program.schema.json")).expect("JSON");
    for (ask, part, unsaid) in [
        // Neither says what follows from the rest, and only the module looks for mistakes.
        ("game", "game", &["sides.letter", "goals.rule", "draw_reasons.rule", "warnings"][..]),
        ("start", "position", &["state", "status.winner", "status.by", "status.scores"]),
    ] {
        let at = messages.iter().position(|message| message["ask"] == ask).expect("it is asked");
        let (mut found, mut expected) = (BTreeSet::new(), BTreeSet::new());
        paths(&messages[at + 1]["answer"], "", &mut found);
        let mut definition = schema["$defs"][part].clone();
        if part == "position" {
            definition["properties"]["status"] = schema["$defs"]["status"].clone();
        }
        allowed(&definition, "", &mut expected);
        expected.retain(|path| !unsaid.contains(&path.as_str()));
        assert_eq!(found, expected, "{part}");
    }
    let colours =
        Side::BOTH.map(|side| loaded(&rules[1]).profile().side(side).colour.map(|colour| format!("{colour:?}")));
    assert_eq!(colours, [Some("Red".to_owned()), Some("Yellow".to_owned())]);
}
