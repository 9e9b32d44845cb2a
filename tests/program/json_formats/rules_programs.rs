//! What the referee and rules programs say to each other: every message of real programs follows the schema.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{SCHEMAS, root};
use crate::invocation::{command, stderr, stdout, words};
use crate::toolbox::{CPP, PYTHON3, has, require};

const FILE: &str = "rules-program.schema.json";

/// The definition that an answer to this question follows.
fn answer_of(ask: &str) -> &'static str {
    match ask {
        "game" => "game",
        "start" | "pass" => "position",
        "moves" => "moves",
        "next" => "next",
        "judge" => "judged",
        "input" => "text",
        "read-input" => "input",
        "evaluate" => "values",
        other => panic!("`{other}` is no question"),
    }
}

/// Checks the rules as an author does; returns the questions that were asked, with their answers.
fn messages(within: &Path, rules: &Path) -> Vec<(Value, Value)> {
    let file = within.join("messages.jsonl");
    let words = ["game", "check", "--positions", "40", "--messages"];
    let output = command(&words).arg(&file).arg(rules).output().unwrap();
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    let lines: Vec<Value> = fs::read_to_string(&file).unwrap().lines().map(super::unique::read).collect();
    assert_eq!(lines.len() % 2, 0);
    lines.chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// Each message follows the schema, and each answer the part that belongs to its question; with a key that no program
/// may invent, it does not. Returns the words of the questions.
fn follow(messages: &[(Value, Value)]) -> BTreeSet<String> {
    let fits = |value: &Value| SCHEMAS.check(FILE, value);
    for (question, reply) in messages {
        for message in [question, reply] {
            fits(message).unwrap_or_else(|refusal| panic!("{refusal}\nin {message}"));
        }
        assert_eq!(question["id"], reply["id"]);
        let ask = question["ask"].as_str().unwrap();
        let mut answer = reply["answer"].clone();
        let part = |answer: &Value| SCHEMAS.check_part(FILE, answer_of(ask), answer);
        part(&answer).unwrap_or_else(|refusal| panic!("{ask}: {refusal}\nin {answer}"));
        answer["invented"] = json!(1);
        assert!(part(&answer).is_err(), "{ask}: {answer}");
        // Without a key that it needs, it is none of the messages.
        let mut without = question.clone();
        without.as_object_mut().unwrap().remove("ask");
        assert!(fits(&without).is_err(), "{without}");
    }
    messages.iter().map(|(question, _)| question["ask"].as_str().unwrap().to_owned()).collect()
}

/// An example in `folder`, with `old` in its rules replaced by `new`.
fn example(folder: &Path, name: &str, language: &str, changes: &[(&str, &str)]) -> std::path::PathBuf {
    let words = ["new-game", name, "--language", language];
    assert!(command(&words).current_dir(folder).output().unwrap().status.success());
    let extension = if language == "cpp" { "cpp" } else { "py" };
    let rules = folder.join(format!("{name}/rules/{name}.{extension}"));
    let mut text = fs::read_to_string(&rules).unwrap();
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    fs::write(&rules, text).unwrap();
    rules
}

#[test]
#[ignore = "long: makes runs of every kind"]
fn every_message_between_the_referee_and_a_rules_program_follows_the_schema() {
    require!(PYTHON3);
    let folder = TempDir::new().unwrap();
    let within = folder.path();
    let mut rules = vec![
        root().join("examples/rules/checkers.py"),
        root().join("examples/rules/heirs.py"),
        root().join("examples/rules/kalah.py"),
        example(within, "plain", "python", &[]),
        // Once in a game somebody has to pass, and positions have values and keys.
        example(
            within,
            "passing",
            "python",
            &[
                (
                    "        sign = dict(zip(SQUARES, \"\".join(state[\"board\"])))\n",
                    "        sign = dict(zip(SQUARES, \"\".join(state[\"board\"])))\n        \
                 if list(sign.values()).count(\".\") == 6 and \"passed\" not in state:\n            \
                 return must_pass(state[\"side\"])\n",
                ),
                ("drawn, to_move", "drawn, must_pass, to_move"),
                (
                    "    # Everything below has a default.\n",
                    "    def pass_turn(self, state):\n        \
                 return dict(state, side=\"XO\"[state[\"side\"] == \"X\"], passed=True)\n\n    \
                 def evaluate(self, state, side):\n        return 7\n\n    \
                 def key(self, state):\n        return str(\"passed\" in state)\n\n",
                ),
                (
                    // A state is more than its `input.txt` tells.
                    "    def from_input(self, text)",
                    "    def _from_input(self, text)",
                ),
            ],
        ),
    ];
    if has(CPP) {
        rules.push(example(within, "compiled", "cpp", &[]));
    }
    let mut asked = BTreeSet::new();
    for rules in &rules {
        let messages = messages(within, rules);
        asked.extend(follow(&messages));
    }
    let all = words("evaluate game input judge moves next pass read-input start", &[]);
    assert_eq!(asked.iter().map(String::as_str).collect::<Vec<_>>(), all);
}

/// What the program refuses in an answer, the schema refuses, too.
#[test]
fn what_no_answer_may_say_is_refused_by_the_schema() {
    let refused = [
        ("position", json!({"state": 1, "to_move": "X", "status": {"kind": "lost"}, "board": []})),
        ("position", json!({"to_move": "X", "status": {"kind": "to-move"}, "board": []})),
        ("judged", json!({"move": "a1"})),
        ("judged", json!({"refusal": {"kind": "format"}})),
        ("moves", json!({"moves": [1]})),
        ("text", json!({})),
        ("input", json!({"fault": {"line": 0, "message": ""}})),
        ("values", json!({"values": [1_000_000]})),
        ("game", json!({"protocol": 1, "name": "x"})),
    ];
    for (part, value) in refused {
        assert!(SCHEMAS.check_part(FILE, part, &value).is_err(), "{part}: {value}");
    }
    for reply in [json!({"id": 1}), json!({"id": 1, "answer": {"text": ""}, "error": ""})] {
        assert!(SCHEMAS.check(FILE, &reply).is_err(), "{reply}");
    }
}

/// Of sound rules and of rules that fail, so that each key occurs.
#[test]
#[ignore = "long: makes runs of every kind"]
fn the_check_of_rules_follows_its_schema() {
    require!(PYTHON3);
    let folder = TempDir::new().unwrap();
    let within = folder.path();
    let made = command(&["new-game", "three"]).current_dir(within).output().unwrap();
    assert!(made.status.success(), "{}", stderr(&made));
    let rules = within.join("three/rules/three.py");
    let checked = || {
        let words = ["game", "check", "--json", "--positions", "20"];
        let text = stdout(&command(&words).arg(&rules).output().unwrap());
        super::object_follows("game-check", &text);
        super::unique::read(&text)
    };
    assert_eq!(checked()["ready"], true);
    let text = fs::read_to_string(&rules).unwrap();
    let status = "    def status(self, state):\n";
    let fails = format!("{status}        assert \"X\" not in \"\".join(state[\"board\"])\n");
    assert!(text.contains(status), "{text}");
    fs::write(&rules, text.replace(status, &fails)).unwrap();
    let said = checked();
    let contradiction = &said["check"]["laws"][0]["contradiction"];
    assert!(contradiction["stderr"].is_string() && contradiction["position"].is_string(), "{said}");
}
