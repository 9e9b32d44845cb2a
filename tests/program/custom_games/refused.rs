//! Games that end in a refused answer, by built-in rules and by their second writing.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::everywhere::submission;
use super::{ROOT, succeeds};

/// What agents answer, turn by turn: of the side that begins, then of the other. The last answer is refused.
type Answers = (&'static str, [&'static [&'static str]; 2]);

const REFUSED_GAMES: &[Answers] = &[
    ("checkers", [&["J a1 zz"], &[]]),
    ("checkers", [&["E b6 a5\n", " e c7 b6 \r\n\nE d6 e5"], &["E g3 H4\r\n"]]),
    ("checkers", [&["E b6 a5\n"], &["E a3 b4\nnonsense"]]),
    ("checkers", [&["E d6  c5", "e c7 d6\n"], &["E c3 b4\n", "\n E a3 b4"]]),
    ("checkers", [&["E b6 c5", "J c5 e3"], &["E c3 d4"]]),
    ("checkers", [&["pass\n"], &[]]),
    ("heirs", [&["C2 c4\n", "\n  c4 c7 \n"], &["b11 b9"]]),
    ("heirs", [&["c2 c4\n", "i4 i5"], &["b11 b10\n"]]),
    ("heirs", [&["c2 c4\n"], &["c2 c4"]]),
    ("heirs", [&["e2 e4"], &["c11 c12"]]),
    ("heirs", [&["[c2, c4]"], &[]]),
];

/// A record without the rules and what is measured.
fn without_times(record: &mut Value) {
    match record {
        Value::Object(fields) => {
            let is_measured = |key: &str| {
                key.ends_with("_us") || ["usage", "began_unix_s", "calibration", "game", "rules_program"].contains(&key)
            };
            fields.retain(|key, _| !is_measured(key));
            fields.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Games that end in a refusal are the same record by either rules, but for the name of the game.
#[test]
#[ignore = "long: plays by rules in another process"]
fn refused_games_give_the_same_record_by_either_rules() {
    for (game, answers) in REFUSED_GAMES {
        let folder = TempDir::new().expect("a folder");
        for (name, texts) in ["one", "two"].iter().zip(answers) {
            let agent = format!(
                "import os\n\
                     turn = int(open('playdata.txt').read()) if os.path.exists('playdata.txt') else 0\n\
                     open('playdata.txt', 'w').write(str(turn + 1))\n\
                     open('output.txt', 'w', newline='').write({texts:?}[turn])\n"
            );
            submission(folder.path(), name, &agent);
        }
        let record = |game: &str, out: &str| {
            let play = ["play", "--game", game, "--out", out, "one", "two"];
            succeeds(folder.path(), &play);
            let record = fs::read(folder.path().join(out).join("games/g0001.json")).expect("a record");
            let mut record: Value = serde_json::from_slice(&record).expect("JSON");
            without_times(&mut record);
            record
        };
        let ours = record(game, "ours");
        let theirs = record(&format!("{ROOT}/examples/rules/{game}.py"), "theirs");
        assert_eq!(ours, theirs);
        let fault = ours["verdict"].to_string();
        assert!(fault.contains("\"message\""), "{fault}");
    }
}
