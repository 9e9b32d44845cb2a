//! `referee solve`, and `judge` for answers that must be right.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::invocation::{referee_reading, words};
use crate::star_circle::cases::folder;

const INPUT: &str = "Star\nALPHABETA\n2\n0,S1,0,0,0,0,0,0\n0,0,C1,0,0,0,0,0\n0,0,0,S1,0,0,0,0\n\
                     0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n\
                     10,20,30,40,50,60,70,80\n";

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn an_input_is_answered_from_a_file_and_from_standard_input() {
    let expected = fs::read_to_string(folder().join("case-01.expected.txt")).unwrap();
    let path = folder().join("case-01.input.txt");
    let solved = referee_reading(&["solve", "--input", path.to_str().unwrap()], "");
    assert_eq!(said(&solved), (Some(0), expected, String::new()));
    let solved = referee_reading(&["solve"], INPUT);
    assert_eq!(said(&solved), (Some(0), "F4-H2\n160\n160\n4\n".to_owned(), String::new()));
    let solved = referee_reading(&["solve", "--json"], INPUT);
    let answer: Value = serde_json::from_slice(&solved.stdout).unwrap();
    assert_eq!(answer, json!({ "next_move": "F4-H2", "myopic": 160, "farsighted": 160, "nodes": 4 }));
}

#[test]
fn a_bad_input_is_named_with_its_place() {
    let bad = INPUT.replace("0,0,C1", "0,0,C");
    let solved = said(&referee_reading(&["solve"], &bad));
    let message = "referee: standard input: line 5, column 5: expected `0`, or `S` or `C` with the number of pieces, \
                   such as `S1`, found `C`\n";
    assert_eq!(solved, (Some(3), String::new(), message.to_owned()));
}

fn judge(answer: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let folder = TempDir::new().unwrap();
    let [input, output] = ["input.txt", "output.txt"].map(|name| folder.path().join(name));
    fs::write(&input, INPUT).unwrap();
    fs::write(&output, answer).unwrap();
    let [input, output] = [&input, &output].map(|path| path.to_str().unwrap());
    let arguments = ["judge", "--game", "star-circle", "--input", input, "--output", output];
    said(&referee_reading(&[&arguments[..], more].concat(), ""))
}

#[test]
fn an_answer_is_right_or_stands_beside_the_expected_one() {
    let (status, out, _) = judge("F4-H2\n160\n160\n4", &["--exact"]);
    let (first, board) = out.split_once('\n').unwrap();
    assert_eq!((status, first), (Some(0), "right: every line"));
    assert!(board.starts_with("    1   2   3   4   5   6   7   8\n  H ·   S2  ·   ·"), "{board}");
    let (status, out, _) = judge("F4-H2\n160\n170\n", &[]);
    assert_eq!(status, Some(1));
    assert_eq!(
        out,
        "wrong: line 3 (farsighted utility): expected `160`, got `170`; line 4 (number of nodes): expected `4`, got \
         nothing
                      expected      got
  next move           F4-H2         F4-H2
  myopic utility      160           160
x farsighted utility  160           170
x number of nodes     4             -
"
    );
    let (status, out, _) = judge("F4-H2\n160\n160\n4\n\n", &["--exact"]);
    assert_eq!(status, Some(1));
    assert_eq!(out, "wrong format: line 5, column 1: the line is empty\n");
}

#[test]
fn a_batch_of_answers_is_judged() {
    let line = |output: Option<&str>| json!({ "id": 1, "input": INPUT, "output": output }).to_string();
    let lines = [line(Some("F4-H2\n160\n160\n4")), line(Some("F4-G5\n160\n160\n4")), line(None)];
    let judged = referee_reading(&["judge", "--game", "star-circle", "--batch"], lines.join("\n"));
    let (status, out, _) = said(&judged);
    let replies: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let codes: Vec<_> = replies.iter().map(|reply| reply["code"].as_str().unwrap()).collect();
    assert_eq!((status, codes), (Some(1), vec!["right", "differs", "no-output"]));
    assert_eq!(replies[1]["lines"][0], json!({ "name": "next move", "expected": "F4-H2", "got": "F4-G5" }));
}

#[test]
#[ignore = "long: plays whole games"]
fn games_are_played_verified_and_shown() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("run");
    let out = out.to_str().unwrap();
    let play = words("play builtin:random builtin:minimax --game star-circle --games 6 --out {}", &[out]);
    let (status, said_of_play, complaints) = said(&referee_reading(&play, ""));
    assert_eq!(status, Some(0), "{complaints}");
    let told: Vec<&str> = complaints.lines().filter(|line| !line.contains(" busy")).collect();
    assert!(matches!(*told, [line] if line.starts_with("playing 6 games with ")), "{complaints}");
    assert!(!said_of_play.contains("loses"), "{said_of_play}");
    assert_eq!(said(&referee_reading(&["verify", out], "")).0, Some(0));
    let record = format!("{out}/games/g0001.json");
    let (status, shown, _) = said(&referee_reading(&["replay", &record], ""));
    assert_eq!(status, Some(0));
    assert!(shown.contains("  H ·   C   ·   C   ·   C   ·   C\n"), "{shown}");
    assert_eq!(said(&referee_reading(&["explain", &record], "")).0, Some(0));
}

#[test]
fn moves_are_listed_in_the_expansion_order() {
    let (_, out, _) = said(&referee_reading(&["moves", "--game", "star-circle"], ""));
    assert_eq!(out, "B2-C1\nB2-C3\nB4-C3\nB4-C5\nB6-C5\nB6-C7\nB8-C7\n");
}
