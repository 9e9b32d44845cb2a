//! The same agent in both protocols: it plays the same games, move for move.

use std::path::Path;

use serde_json::Value;

use super::{file, own, played, submission, text};
use crate::toolbox::{PYTHON3, require};

/// Runs a program of the protocol `files` for each question, in one process.
const FOR_EACH_QUESTION: &str = r#"
import os, runpy, sys

question = []
for line in sys.stdin:
    if line != "\n":
        question.append(line)
        continue
    with open("input.txt", "w") as file:
        file.writelines(question)
    if os.path.exists("output.txt"):
        os.remove("output.txt")
    runpy.run_path("move.py", run_name="__main__")
    with open("output.txt") as file:
        print(file.read().rstrip("\n") + "\n", flush=True)
    question = []
"#;

/// Plays the first legal column of Connect Four, as a whole program.
const FIRST_COLUMN: &str = "
rows = open('input.txt').read().split('\\n')[2:8]
column = next(column for column in range(7) if rows[0][column] == '.')
height = sum(row[column] != '.' for row in rows)
open('output.txt', 'w').write('abcdefg'[column] + str(height + 1) + '\\n')
";

/// The moves of both sides, in each game of `program` against random ones.
fn moves_of(protocol: &str, folder: &Path, game: &str) -> Vec<Vec<Value>> {
    let agent = format!("agent={protocol}:{}", text(folder));
    let moves = |record: &Value| {
        let turns = record["turns"].as_array().expect("it has turns");
        turns.iter().map(|turn| turn["move"].clone()).collect()
    };
    played(&agent, "builtin:random", game, "2").iter().map(moves).collect()
}

fn assert_plays_the_same(program: &str, game: &str) {
    let by_files = submission(&[("homework.py", program)]);
    let by_stdio = submission(&[("homework.py", FOR_EACH_QUESTION), ("move.py", program)]);
    let [files, stdio] =
        [("files", by_files), ("stdio", by_stdio)].map(|(protocol, folder)| moves_of(protocol, folder.path(), game));
    assert!(files.iter().all(|game| game.len() > 2), "{game}: {files:?}");
    assert_eq!(files, stdio, "{game}");
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn an_agent_plays_the_same_games_of_duo_othello_and_of_a_custom_game_in_both_protocols() {
    require!(PYTHON3);
    assert_plays_the_same(&file("agents/duo-othello-python/homework.py"), "duo-othello");
    assert_plays_the_same(FIRST_COLUMN, text(&own("examples/rules/connect_four.py")));
}

#[test]
#[ignore = "long: games of every kind"]
fn an_agent_plays_the_same_games_of_every_kind_in_both_protocols() {
    require!(PYTHON3);
    for (agent, program, game) in [
        ("checkers-python", "homework.py", "checkers"),
        ("halma-python", "homework.py", "halma"),
        ("heirs-python", "homework.py", "heirs"),
        ("little-go-python", "my_player3.py", "little-go"),
    ] {
        assert_plays_the_same(&file(&format!("agents/{agent}/{program}")), game);
    }
}
