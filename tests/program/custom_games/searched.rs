//! The built-in agents in the examples whose evaluation has ten lines. All searches are bounded by positions, or may
//! end at any time: nothing depends on speed.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{ROOT, example, referee_in, succeeds};
use crate::invocation::{assert_contains, status, stderr, stdout};

fn rules(game: &str) -> String {
    format!("{ROOT}/examples/rules/{game}.py")
}

#[test]
fn the_examples_with_evaluations_keep_all_laws() {
    let folder = TempDir::new().expect("a folder");
    for game in ["connect_four", "gomoku", "pente"] {
        let checked = succeeds(folder.path(), &["game", "check", &rules(game), "--positions", "25"]);
        assert!(checked.ends_with("ready to referee\n") && !checked.contains("warning"), "{checked}");
    }
}

/// A board of `size` rows with these stones, as the examples' `input.txt` has it.
fn input(side: &str, seconds: &str, more: &str, size: usize, stones: &[(&str, &str)]) -> String {
    let mut rows = vec![vec!['.'; size]; size];
    for (letter, points) in stones {
        for point in points.split(' ') {
            let row: usize = point[1..].parse().expect("a row");
            rows[size - row][usize::from(point.as_bytes()[0] - b'a')] = letter.chars().next().expect("a letter");
        }
    }
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    format!("{side}\n{seconds}\n{more}{}\n", rows.join("\n"))
}

/// What a built-in agent answers to an input.
fn answer(folder: &Path, agent: &str, game: &str, input: &str) -> String {
    fs::write(folder.join("input.txt"), input).expect("written");
    let output = referee_in(folder, &["agent", agent, "--game", &rules(game)]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    fs::read_to_string(folder.join("output.txt")).expect("an answer").trim().to_owned()
}

/// A four has to be blocked although a four of one's own is worth more at once.
#[test]
fn alphabeta_and_minimax_see_what_the_opponent_threatens() {
    let folder = TempDir::new().expect("a folder");
    let stones = [("O", "e9 e8 e7"), ("X", "f8 g8 i8 j8")];
    let threatened = input("O", "300", "", 15, &stones);
    for agent in ["alphabeta,nodes=1500", "minimax,depth=2"] {
        assert_eq!(answer(folder.path(), agent, "gomoku", &threatened), "h8", "{agent}");
    }
    // The fifth pair is captured before a four is extended.
    let stones = [("W", "e9 e8 e7 e6 k10"), ("B", "l10 m10 e5 e10")];
    let pairs = input("W", "300", "4 0\n", 19, &stones);
    assert_eq!(answer(folder.path(), "alphabeta,nodes=1000", "pente", &pairs), "n10");
}

/// Two plies of a large board take minutes, of which only a share is there, or nothing at all.
#[test]
fn every_agent_answers_within_its_clock() {
    let folder = TempDir::new().expect("a folder");
    for seconds in ["2", "0.1"] {
        let start = input("W", seconds, "0 0\n", 19, &[("W", "k10"), ("B", "l11")]);
        for agent in ["minimax,depth=3", "minimax", "alphabeta"] {
            let mv = answer(folder.path(), agent, "pente", &start);
            assert!(mv.len() >= 2 && mv != "k10" && mv != "l11", "{agent}: {mv}");
        }
    }
}

#[test]
fn alphabeta_beats_simple_agents() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    for (game, nodes) in [("connect_four", 1500), ("gomoku", 1500)] {
        for opponent in ["one_ply", "first_square"] {
            let agent = within.join(game).join(opponent);
            fs::create_dir_all(&agent).expect("a folder");
            let copy = |from: &str, to: &str| fs::copy(format!("{ROOT}/{from}"), agent.join(to)).expect("copied");
            copy(&format!("benches/opponents/{opponent}.py"), "homework.py");
            copy(&format!("examples/rules/{game}.py"), "rules.py");
            copy("python/referee_rules.py", "referee_rules.py");
            let (ours, theirs) = (format!("builtin:alphabeta,nodes={nodes},seed=1"), format!("{game}/{opponent}"));
            let out = format!("{game}-{opponent}");
            let played = succeeds(
                within,
                &["play", &ours, &theirs, "--game", &rules(game), "--time", "9000", "--games", "2", "--out", &out],
            );
            assert_contains(played, "2 of 2 points; 2 won (0 on remaining time)");
        }
    }
}

/// What `game check` says of this `evaluate` in tic-tac-toe.
fn checked(evaluate: &str) -> String {
    let folder = TempDir::new().expect("a folder");
    let method = "    # Everything below has a default.\n";
    let new = format!("{method}\n    def evaluate(self, state, side):\n        {evaluate}\n");
    example(folder.path(), "valued", &[(method, &new)]);
    let output = referee_in(folder.path(), &["game", "check", "valued/rules/valued.py", "--positions", "200"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

/// How many lines are open to a side, less those open to the other.
const SOUND: &str = "sign = dict(zip(SQUARES, ''.join(state['board'])))\n        \
                     lines = [[sign[square] for square in line.split()] for line in LINES]\n        \
                     open_to = lambda one, other: sum(line.count(one) ** 3 for line in lines if other not in line)\n        \
                     other = 'O' if side == 'X' else 'X'\n        ";

#[test]
fn evaluations_for_the_wrong_side_are_found() {
    let opposite = "warning what is good for one side is as bad for the other";
    let differs = "warning `evaluate` tells positions apart";
    let winners = "warning `evaluate` is above 0 for those who are about to win";
    let table = [
        ("return open_to(side, other) - open_to(other, side)", [false, false, false]),
        // The wrong sign.
        ("return open_to(other, side) - open_to(side, other)", [false, false, true]),
        // For the side to move, whoever asks.
        ("side, other = state['side'], 'XO'[state['side'] == 'X']\n        return 1 + len(lines)", [true, true, false]),
        // For games that are over alone.
        ("return 1000 * any(line == [side] * 3 for line in lines)", [false, true, false]),
    ];
    for (returned, expected) in table {
        let said = checked(&format!("{SOUND}{returned}"));
        assert_eq!([opposite, differs, winners].map(|warning| said.contains(warning)), expected, "{returned}: {said}");
    }
}
