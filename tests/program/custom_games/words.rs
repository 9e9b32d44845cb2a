//! What is said to people of a custom game: its title, its rules, and nothing about handouts that it does not have.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use super::everywhere::{STUBBORN, submission};
use super::{example, referee_in, succeeds};
use crate::invocation::{assert_contains, status, stderr, stdout, words};

/// A title that differs from the name in more than its first letter.
const TITLE: &[(&str, &str)] = &[("\"Row\"", "\"Three in a Row\"")];

#[test]
#[ignore = "long: plays by rules in another process"]
fn sentences_have_the_title_of_a_game_and_machines_its_name() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    example(within, "row", TITLE);
    let rules = "row/rules/row.py";
    let play = ["play", "--game", rules, "builtin:minimax", "row/agents/first", "--out", "run"];
    succeeds(within, &play);
    assert_contains(succeeds(within, &["status", "run"]), "run: Three in a Row, 1 of 1 game finished");
    let status = succeeds(within, &["status", "run", "--json"]);
    assert_contains(status, "\"game\":\"row\"");
    assert_contains(succeeds(within, &["replay", "run/games/g0001.json"]), "g0001: Three in a Row\n");
    succeeds(within, &["report", "run"]);
    let page = fs::read_to_string(within.join("run/report.html")).expect("a page");
    assert_contains(page, "Games of Three in a Row");
    let check = ["check", "row/agents/second", "--game", rules, "--quick", "--positions", "2"];
    assert_contains(succeeds(within, &check), "for Three in a Row, with");
    assert_contains(succeeds(within, &["game", "check", rules, "--positions", "9"]), "Three in a Row: 9 positions");
    let positions = ["positions", "--game", rules, "--kind", "hard", "--out", "positions"];
    assert_contains(stderr(&referee_in(within, &positions)), "Three in a Row has no positions of kind");
    let grade = ["grade", "row/assignment.toml", "row/agents/second", "--out", "graded"];
    succeeds(within, &grade);
    let feedback = fs::read_to_string(within.join("graded/feedback/second.txt")).expect("feedback");
    let feedback = feedback.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_contains(&feedback, "The game is Three in a Row.");
    assert_contains(&feedback, "`output.txt` was read by the rules program of the game");
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_check_says_nothing_of_a_handout_where_there_is_none() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    example(within, "row", &[TITLE[0], ("\"not-a-square\", ", "\"nowhere\", ")]);
    submission(within, "stubborn", STUBBORN);
    submission(within, "lost", "open('output.txt', 'w').write('nowhere')\n");
    let check = |agent: &str, more: &[&str]| {
        let words = ["check", agent, "--game", "row/rules/row.py", "--positions", "4"];
        let said = stdout(&referee_in(within, &[&words[..], more].concat()));
        for foreign in ["handout", "calibrat", "playdata"] {
            assert!(!said.contains(foreign), "{foreign}: {said}");
        }
        said
    };
    assert_contains(check("row/agents/second", &["--quick"]), "format       exactly as in the rules");
    assert_contains(check("stubborn", &[]), "(the rules of Three in a Row)");
    // No rule has the code of its fault.
    let lost = check("lost", &["--quick"]);
    assert_contains(&lost, "an answer must have exactly the format that is asked for");
}

/// A file that another program has left still has its word where it does harm.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_stale_file_that_does_harm_is_told_in_every_game() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    example(within, "row", &[]);
    let second = fs::read_to_string(within.join("row/agents/second/homework.py")).expect("an agent");
    let trusting = format!(
        "import os\nif os.path.exists('playdata.txt'): open('playdata.txt', encoding='utf-8').read()\n{second}"
    );
    submission(within, "trusting", &trusting);
    let check = ["check", "trusting", "--game", "row/rules/row.py", "--positions", "4", "--quick"];
    assert_contains(stdout(&referee_in(within, &check)), "warning  playdata     a foreign one did harm");
}

#[test]
fn the_end_of_a_game_is_explained_by_its_rules() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let cited =
        "    rules = {\n        \"three-in-a-row\": (\"three in a row\", \"a line of three signs wins at once\"),\n";
    example(within, "row", &[TITLE[0], ("    rules = {\n", cited)]);
    let first = "sign = open('input.txt').read()\n\
                 taken = sign.split('\\n', 2)[2].count(sign[0])\n\
                 open('output.txt', 'w').write(['a1', 'b1', 'c1'][taken] + '\\n')\n";
    submission(within, "left", first);
    submission(within, "right", &first.replace("'a1', 'b1', 'c1'", "'a3', 'b3', 'c3'"));
    succeeds(within, &["play", "--game", "row/rules/row.py", "left", "right", "--out", "run"]);
    let said = succeeds(within, &["explain", "run/games/g0001.json"]);
    assert_contains(&said, "on turn 5 of g0001: left (X) wins: it has three in a row");
    assert_contains(&said, "  1 X X[X]\n");
    assert_contains(&said, "happened   the last move was `c1`, played by X on turn 5");
    assert_contains(
        &said,
        "rule       three in a row (the rules of Three in a Row)\n           a line of three signs wins at once\n",
    );
    assert_eq!(
        stdout(&judged_b2(within, "X\n5\n...\n...\n...\n")),
        "legal: b2\n    a b c\n  3 · · ·\n  2 ·[X]·\n  1 · · ·\n"
    );
}

/// The verdict on `b2` as an answer to `input`.
fn judged_b2(within: &Path, input: &str) -> Output {
    fs::write(within.join("input.txt"), input).expect("written");
    fs::write(within.join("b2.txt"), "b2").expect("written");
    let judge = words("judge --game row/rules/row.py --input input.txt --output b2.txt", &[]);
    referee_in(within, &judge)
}

/// States are for programs: of a failure, people need the question, the answer and the board.
#[test]
#[ignore = "long: plays by rules in another process"]
fn the_message_of_a_failure_has_the_board_and_not_the_state() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let changes = [
        ("return {\"board\": lines[2:],", "return {\"secret\": \"\", \"board\": lines[2:],"),
        ("\"side\": side}", "\"side\": side, \"secret\": \"x\" * 5000}"),
        ("return {\"board\": board, ", "return {\"board\": board, \"secret\": state[\"secret\"], "),
        (
            "        signs = list(",
            "        if move == \"b2\":\n            raise ValueError(\"no middle\")\n        signs = list(",
        ),
    ];
    example(within, "row", &changes);
    let said = judged_b2(within, "X\n5\n..O\n...\nX..\n");
    assert_eq!(status(&said), 3, "{}", stdout(&said));
    assert_contains(stderr(&said), "no middle (row.py, line ");
    assert_contains(stderr(&said), "; question: judge of `b2` at `3 ..O / 2 ... / 1 X..`; ");
    let play = ["play", "--game", "row/rules/row.py", "builtin:random", "row/agents/second", "--out", "run"];
    let said = stderr(&referee_in(within, &play));
    assert!(!said.contains("xxxx") && said.len() < 1500, "{said}");
    let messages = ["game", "check", "row/rules/row.py", "--positions", "3", "--messages", "all.jsonl"];
    assert_eq!(status(&referee_in(within, &messages)), 1);
    let all = fs::read_to_string(within.join("all.jsonl")).expect("the messages");
    assert!(all.contains("xxxx"), "the whole question is there");
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn the_class_of_an_example_is_named_after_its_game() {
    let folder = TempDir::new().expect("a folder");
    let names = [("four-in-a-row", "FourInARow"), ("refuse", "RefuseGame"), ("true", "TrueGame")];
    for (name, class) in names {
        succeeds(folder.path(), &["new-game", name]);
        let rules = folder.path().join(format!("{name}/rules/{}.py", name.replace('-', "_")));
        let text = fs::read_to_string(&rules).expect("the example");
        assert_contains(&text, &format!("class {class}(Game):"));
        assert_contains(&text, &format!("    {class}().run()"));
        let tested = Command::new("python3").arg("test_rules.py").current_dir(folder.path().join(name)).output();
        assert!(tested.expect("it runs").status.success(), "{name}");
    }
    succeeds(folder.path(), &["new-game", "status", "--language", "cpp"]);
    let moves = succeeds(folder.path(), &["moves", "--game", "status/rules/status.cpp"]);
    assert_eq!(moves.lines().count(), 9);
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn notes_stand_beside_the_board_bounded_and_escaped() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let key = "    def to_input(";
    let notes = "    def notes(self, state):\n        empty = ''.join(state['board']).count('.')\n        \
                 return {'Empty': empty, '<i>\\x1b': 'long' * 100}\n\n    def to_input(";
    example(within, "row", &[(key, notes)]);
    let rules = "row/rules/row.py";
    let shown = format!("Empty: 9; <i>\\u{{1b}}: {}\n", "long".repeat(20));
    assert_contains(stderr(&referee_in(within, &["moves", "--game", rules])), &shown);
    let play = ["play", "--game", rules, "row/agents/first", "row/agents/second", "--out", "run"];
    succeeds(within, &play);
    assert_contains(succeeds(within, &["replay", "run/games/g0001.json", "--turn", "0"]), &shown);
    assert_contains(succeeds(within, &["explain", "run/games/g0001.json"]), "\nEmpty: ");
    let json = |words: &[&str]| -> serde_json::Value { serde_json::from_str(&succeeds(within, words)).expect("JSON") };
    let explained = json(&["explain", "run/games/g0001.json", "--json"]);
    assert!(explained["notes"].as_str().is_some_and(|notes| notes.starts_with("Empty: ")), "{explained}");
    fs::write(within.join("input.txt"), "X\n9\n...\n...\n...\n").expect("written");
    fs::write(within.join("output.txt"), "b2\n").expect("written");
    let judge = ["judge", "--game", rules, "--input", "input.txt", "--output", "output.txt"];
    let after = shown.replace("Empty: 9", "Empty: 8");
    assert_contains(succeeds(within, &judge), &after);
    assert_eq!(json(&[&judge[..], &["--json"]].concat())["notes"], after.trim_end());
    assert_contains(succeeds(within, &["verify", "run"]), ", 0 different");
    assert_contains(succeeds(within, &["report", "run", "--json"]), &shown.trim_end().replace('\\', "\\\\"));
}
