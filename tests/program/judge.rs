//! `referee judge`: one answer or a stream of them, judged as in a game.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::invocation::{assert_contains, referee, referee_reading, status, stderr, stdout, words};

fn file(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const CHECKERS: &str =
    "SINGLE\nBLACK\n100.0\n.b.....b\nb...b.b.\n.b...b.b\n..b.w...\n........\nw...w...\n.w.w...w\nw...w.w.\n";

#[test]
fn judging_a_legal_answer_shows_the_board_after_it() {
    let folder = TempDir::new().unwrap();
    let (input, output) = (file(&folder, "input.txt", CHECKERS), file(&folder, "output.txt", "J f6 d4\nJ d4 f2\n"));
    let judged = referee(&["judge", "--game", "checkers", "--input", &input, "--output", &output]);
    assert_eq!(status(&judged), 0);
    // As `explain` draws it: where the piece is, where it was, and what it captured.
    let board = [
        "    a b c d e f g h",
        "  8 · b · · · · · b",
        "  7 b · · · b · b ·",
        "  6 · b · · ·(·)· b",
        "  5 · · b · × · · ·",
        "  4 · · · · · · · ·",
        "  3 w · · · × · · ·",
        "  2 · w · w ·[b]· w",
        "  1 w · · · w · w ·\n",
    ]
    .join("\n");
    assert_eq!(stdout(&judged), format!("legal: J f6 d4; J d4 f2\n{board}"));
}

#[test]
fn judging_the_last_move_says_how_the_game_ends() {
    let folder = TempDir::new().unwrap();
    let board = "........\n........\n...b....\n..w.....\n........\n........\n........\n........\n";
    let (input, output) = (
        file(&folder, "input.txt", &format!("SINGLE\nBLACK\n100.0\n{board}")),
        file(&folder, "output.txt", "J d6 b4\n"),
    );
    let words = ["judge", "--game", "checkers", "--input", &input, "--output", &output];
    let end = "black wins: white has no piece left";
    let judged = referee(&words);
    assert_contains(stdout(&judged), &format!("legal: J d6 b4\nthe game is over: {end}\n"));
    let judged = referee(&[&words[..], &["--json"]].concat());
    let said: Value = serde_json::from_slice(&judged.stdout).unwrap();
    assert_eq!(said["end"], end);
}

#[test]
fn judging_an_illegal_answer_says_why_with_status_1() {
    let folder = TempDir::new().unwrap();
    let (input, output) = (file(&folder, "input.txt", CHECKERS), file(&folder, "output.txt", "J f6 d4\n"));
    let judged = referee(&["judge", "--game", "checkers", "--input", &input, "--output", &output, "--json"]);
    assert_eq!(status(&judged), 1);
    let said: Value = serde_json::from_slice(&judged.stdout).unwrap();
    assert_eq!(said["legal"], false);
    let message = said["message"].as_str().unwrap();
    assert!(message.starts_with("illegal move: line 1, column 1: ") && message.contains("`d4`"), "{message}");
}

#[test]
fn an_exact_reading_refuses_what_a_tolerant_one_warns_of() {
    let folder = TempDir::new().unwrap();
    let (input, output) = (file(&folder, "input.txt", CHECKERS), file(&folder, "output.txt", "j F6 d4 \r\n\nJ d4 f2"));
    let arguments = ["judge", "--game", "checkers", "--input", &input, "--output", &output, "--exact"];
    let tolerant = referee(&arguments[..arguments.len() - 1]);
    assert_eq!((status(&tolerant), stdout(&tolerant).matches("warning: ").count()), (0, 5));
    let exact = referee(&arguments);
    assert_eq!(status(&exact), 1);
    assert_eq!(stdout(&exact), "wrong format: line 1, column 9: the line ends in CR LF (lines must end in LF)\n");
}

#[test]
fn a_batch_answers_every_line_and_goes_on_after_bad_ones() {
    let legal = json!({ "id": 1, "input": CHECKERS, "output": "J f6 d4\nJ d4 f2" });
    let missing = json!({ "id": "two", "input": CHECKERS, "output": null });
    let broken = json!({ "id": 3, "input": "SINGLE\nGREEN\n", "output": "E a1 b2" });
    let lines = format!("{legal}\n{missing}\nnot json\n\n{broken}\n{legal}\n");
    let output = referee_reading(&["judge", "--game", "checkers", "--batch"], lines);
    let replies: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let codes: Vec<_> = replies.iter().map(|reply| reply["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["legal", "no-output", "bad-request", "bad-request", "legal"]);
    let ids: Vec<_> = replies.iter().map(|reply| reply["id"].to_string()).collect();
    assert_eq!(ids, ["1", "\"two\"", "null", "3", "1"]);
    assert_eq!(replies[3]["message"], "line 5: `input`: line 2: expected `BLACK` or `WHITE`, found `GREEN`");
    assert!(replies[0]["next"].as_str().unwrap().starts_with(".b.....b\nb...b.b.\n"));
    assert_eq!(status(&output), 3);
}

/// The status and the output of `judge` on what is under the name `output.txt`.
fn judged(folder: &TempDir, more: &[&str]) -> (i32, String) {
    let input = file(folder, "input.txt", CHECKERS);
    let output = folder.path().join("output.txt");
    let files = ["--input", &input, "--output", output.to_str().unwrap()];
    let judged = referee(&[&["judge", "--game", "checkers"], &files[..], more].concat());
    (status(&judged), stdout(&judged) + &stderr(&judged))
}

#[test]
fn an_answer_that_cannot_be_read_is_the_agents_fault() {
    let folder = TempDir::new().unwrap();
    let said = |more: &[&str]| judged(&folder, more);
    assert_eq!(said(&[]), (1, "no `output.txt`\n".to_owned()));
    file(&folder, "Output.TXT", "J f6 d4\nJ d4 f2\n");
    let lookalike = "no `output.txt` (found `Output.TXT`: the name must be all lower case)\n";
    assert_eq!(said(&[]), (1, lookalike.to_owned()));
    fs::create_dir(folder.path().join("output.txt")).unwrap();
    assert_eq!(said(&[]), (1, "`output.txt` is a directory\n".to_owned()));
    fs::remove_dir(folder.path().join("output.txt")).unwrap();

    let legal_and = |bytes: usize| {
        let legal = "J f6 d4\nJ d4 f2\n";
        legal.to_owned() + &"\n".repeat(bytes - legal.len())
    };
    file(&folder, "output.txt", &legal_and(65_536));
    assert_eq!(said(&[]).0, 0);
    for bytes in [65_537, 3 << 20] {
        file(&folder, "output.txt", &legal_and(bytes));
        let too_large = format!("`output.txt` is a file of {bytes} bytes, too many for an answer\n");
        assert_eq!(said(&[]), (1, too_large));
    }
    assert_eq!(said(&["--output-size", "128"]).0, 1);
    file(&folder, "output.txt", &legal_and(70_000));
    assert_eq!(said(&["--output-size", "128"]).0, 0);
}

#[test]
fn an_answer_without_a_folder_is_the_users_fault() {
    let folder = TempDir::new().unwrap();
    let input = file(&folder, "input.txt", CHECKERS);
    let output = folder.path().join("no/output.txt");
    let judged = referee(&words("judge --game checkers --input {} --output {}", &[&input, output.to_str().unwrap()]));
    assert_eq!(status(&judged), 3, "{}", stderr(&judged));
}

/// The exit status and the replies of a batch of `lines`.
fn batch(lines: &str) -> (i32, Vec<Value>) {
    let output = referee_reading(&["judge", "--game", "checkers", "--batch"], lines);
    let replies = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (status(&output), replies)
}

#[test]
fn a_batch_has_the_limit_of_a_game() {
    let answer = "J f6 d4\nJ d4 f2\n".to_owned() + &"\n".repeat(65_536);
    let request = json!({ "id": 1, "input": CHECKERS, "output": answer });
    let (status, replies) = batch(&request.to_string());
    assert_eq!((status, &replies[0]["code"]), (1, &json!("unusable-output")));
    assert_eq!(replies[0]["message"], "`output.txt` is a file of 65552 bytes, too many for an answer");
}

#[test]
fn an_invalid_request_keeps_its_id_and_names_the_field() {
    let table = [
        (r#"{"id": [7], "input": 5}"#, "[7]", "`input`: expected a text, found a number"),
        (r#"{"id": 1, "input": "", "output": {}}"#, "1", "`output`: expected a text, found an object"),
        (r#"{"id": 1e400, "output": "x"}"#, "1e400", "`input` is missing"),
        (r#"{"id": "a", "input": null}"#, "\"a\"", "`input` is missing"),
        (r#"{"id": 2, "input": "\ud800", "output": ""}"#, "2", "`input`: unexpected end of hex escape"),
        (
            r#"{"id": 3, "input": "SINGLE", "output": ""}"#,
            "3",
            "`input`: line 2: expected `BLACK` or `WHITE`, found the end of the file",
        ),
        (r#"["id", "input"]"#, "null", "expected an object with `id`, `input` and `output`"),
        ("5", "null", "expected an object with `id`, `input` and `output`"),
        (r#"{"id": 4, "#, "null", "column 10: not JSON: EOF while parsing a value"),
    ];
    for (line, id, message) in table {
        let output = referee_reading(&["judge", "--game", "checkers", "--batch"], format!("\n{line}\n"));
        let reply = stdout(&output);
        assert!(reply.starts_with(&format!(r#"{{"id":{id},"#)), "{line}: {reply}");
        assert!(reply.contains(&json!(format!("line 2: {message}")).to_string()), "{line}: {reply}");
        assert!(reply.contains(r#""code":"bad-request""#), "{line}: {reply}");
        assert_eq!(status(&output), 3, "{line}");
    }
}

#[test]
fn a_legal_chain_is_repeated_as_it_was_written() {
    let folder = TempDir::new().unwrap();
    // Round three sides of a square, though one jump would lead there.
    let mut rows = vec![".".repeat(16); 16];
    rows[6].replace_range(5..=5, "B");
    for (x, y) in [(6, 6), (5, 7), (7, 7), (6, 8)] {
        rows[y].replace_range(x..=x, "W");
    }
    let input = file(&folder, "input.txt", &format!("SINGLE\nBLACK\n9.0\n{}\n", rows.join("\n")));
    let output = file(&folder, "output.txt", "J 5,6 5,8\nJ 5,8 7,8\nJ 7,8 7,6\n");
    let judged = referee(&["judge", "--game", "halma", "--input", &input, "--output", &output]);
    let said = stdout(&judged);
    assert_eq!(status(&judged), 0, "{said}");
    assert_eq!(said.lines().next(), Some("legal: J 5,6 5,8; J 5,8 7,8; J 7,8 7,6"));
}
