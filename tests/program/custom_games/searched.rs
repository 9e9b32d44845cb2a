//! The built-in agents in the examples whose evaluation has ten lines. All searches are bounded by positions, or may
//! end at any time: nothing depends on speed. Unless the size matters, boards are small.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{ROOT, example, referee_in, succeeds};
use crate::invocation::{assert_contains, status, stderr, stdout};

fn rules(game: &str) -> String {
    format!("{ROOT}/examples/rules/{game}.py")
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn the_examples_with_evaluations_keep_all_laws() {
    let folder = TempDir::new().expect("a folder");
    let small = ["gomoku", "pente"].map(|game| small_rules(folder.path(), game));
    for rules in [&rules("connect_four"), &small[0], &small[1]] {
        let checked = succeeds(folder.path(), &["game", "check", rules, "--positions", "25"]);
        assert!(checked.ends_with("ready to referee\n") && !checked.contains("warning"), "{checked}");
    }
}

/// The rows of a small board.
const SMALL: usize = 9;

/// The rules of `game` on a small board, as a file in `folder`.
fn small_rules(folder: &Path, game: &str) -> String {
    let text = fs::read_to_string(rules(game)).expect("the rules");
    let size = text.lines().find(|line| line.starts_with("SIZE = ")).expect("a size");
    let letters = text.lines().find_map(|line| line.strip_prefix("COLUMNS, ROWS = \"")?.split('"').next());
    let letters = letters.expect("the columns");
    let text = text.replace(size, &format!("SIZE = {SMALL}")).replace(letters, &letters[..SMALL]);
    let file = folder.join(format!("{game}.py"));
    fs::write(&file, text).expect("written");
    fs::copy(format!("{ROOT}/examples/rules/referee_rules.py"), folder.join("referee_rules.py")).expect("copied");
    file.to_string_lossy().into_owned()
}

/// A board of `height` rows with these stones, as the examples' `input.txt` has it.
fn input(side: &str, seconds: &str, more: &str, height: usize, stones: &[(&str, &str)]) -> String {
    let mut rows = vec![vec!['.'; height]; height];
    for (letter, points) in stones {
        for point in points.split(' ') {
            let row: usize = point[1..].parse().expect("a row");
            rows[height - row][usize::from(point.as_bytes()[0] - b'a')] = letter.chars().next().expect("a letter");
        }
    }
    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
    format!("{side}\n{seconds}\n{more}{}\n", rows.join("\n"))
}

/// What a built-in agent answers to an input.
fn answer(folder: &Path, agent: &str, rules: &str, input: &str) -> String {
    fs::write(folder.join("input.txt"), input).expect("written");
    let output = referee_in(folder, &["agent", agent, "--game", rules]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    fs::read_to_string(folder.join("output.txt")).expect("an answer").trim().to_owned()
}

/// A four has to be blocked although a four of one's own is worth more at once.
#[test]
#[ignore = "long: plays by rules in another process"]
fn alphabeta_and_minimax_see_what_the_opponent_threatens() {
    let folder = TempDir::new().expect("a folder");
    let stones = [("O", "e5 e4 e3"), ("X", "b7 c7 e7 f7")];
    // A share of this clock is enough for two plies on any machine.
    let threatened = input("O", "90000", "", SMALL, &stones);
    let gomoku = small_rules(folder.path(), "gomoku");
    for agent in ["alphabeta,nodes=600", "minimax,depth=2"] {
        assert_eq!(answer(folder.path(), agent, &gomoku, &threatened), "d7", "{agent}");
    }
    // The fifth pair is captured before a four is extended.
    let stones = [("W", "b8 b7 b6 b5 d2"), ("B", "e2 f2 b9 b4")];
    let pairs = input("W", "300", "4 0\n", SMALL, &stones);
    let pente = small_rules(folder.path(), "pente");
    assert_eq!(answer(folder.path(), "alphabeta,nodes=300", &pente, &pairs), "g2");
}

/// Two plies of a large board take minutes, of which only a share is there, or nothing at all.
#[test]
#[ignore = "long: plays by rules in another process"]
fn every_agent_answers_within_its_clock() {
    let folder = TempDir::new().expect("a folder");
    for seconds in ["2", "0.1"] {
        let start = input("W", seconds, "0 0\n", 19, &[("W", "k10"), ("B", "l11")]);
        for agent in ["minimax,depth=3", "minimax", "alphabeta"] {
            let mv = answer(folder.path(), agent, &rules("pente"), &start);
            assert!(mv.len() >= 2 && mv != "k10" && mv != "l11", "{agent}: {mv}");
        }
    }
}

/// Outside of a seat the rules have one of their own. They sleep, so that no CPU time would ever end the search.
#[test]
#[ignore = "long: plays by rules in another process"]
fn the_clock_counts_what_rules_in_a_seat_of_their_own_take() {
    let folder = TempDir::new().expect("a folder");
    let method = "    def play(self, state, move):\n";
    let slow = "        global played\n        played = globals().get('played', 0) + 1\n        \
                if played > 60:\n            raise ValueError('the search does not end')\n        \
                __import__('time').sleep(0.1)\n";
    let slow = example(folder.path(), "slow", &[(method, &format!("{method}{slow}"))]);
    let start = input("X", "3", "", 3, &[]);
    for agent in ["minimax,depth=9", "alphabeta"] {
        let mv = answer(folder.path(), agent, &slow.to_string_lossy(), &start);
        assert_eq!(mv.len(), 2, "{agent}: {mv}");
    }
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn alphabeta_beats_simple_agents() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let gomoku = small_rules(within, "gomoku");
    for (opponent, rules) in [("one_ply", &rules("connect_four")), ("first_square", &gomoku)] {
        let agent = within.join(opponent);
        fs::create_dir_all(&agent).expect("a folder");
        let copy = |from: &str, to: &str| fs::copy(from, agent.join(to)).expect("copied");
        copy(&format!("{ROOT}/benches/opponents/{opponent}.py"), "homework.py");
        copy(rules, "rules.py");
        copy(&format!("{ROOT}/examples/rules/referee_rules.py"), "referee_rules.py");
        let ours = "builtin:alphabeta,nodes=300,seed=1";
        let played = succeeds(
            within,
            &["play", ours, opponent, "--game", rules, "--time", "9000", "--games", "2", "--out", "played"],
        );
        assert_contains(played, "2 of 2 points; 2 won (0 on remaining time)");
        fs::remove_dir_all(within.join("played")).expect("removed");
    }
}

/// What `game check` says of this `evaluate` in tic-tac-toe.
fn checked(evaluate: &str, positions: &str) -> String {
    let folder = TempDir::new().expect("a folder");
    let method = "    # Everything below has a default.\n";
    let new = format!("{method}\n    def evaluate(self, state, side):\n        {evaluate}\n");
    example(folder.path(), "valued", &[(method, &new)]);
    let output = referee_in(folder.path(), &["game", "check", "valued/rules/valued.py", "--positions", positions]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

/// How many lines are open to a side, less those open to the other.
const SOUND: &str = "sign = dict(zip(SQUARES, ''.join(state['board'])))\n        \
                     lines = [[sign[square] for square in line.split()] for line in LINES]\n        \
                     open_to = lambda one, other: \
                         sum(line.count(one) ** 3 for line in lines if other not in line)\n        \
                     other = 'O' if side == 'X' else 'X'\n        ";

#[test]
#[ignore = "long: plays by rules in another process"]
fn evaluations_for_the_wrong_side_are_found() {
    let opposite = "warning what is good for one side is as bad for the other";
    let differs = "warning `evaluate` tells positions apart";
    let winners = "warning `evaluate` is above 0 for those who are about to win";
    let table = [
        ("return open_to(side, other) - open_to(other, side)", "400", [false, false, false]),
        // The wrong sign.
        ("return open_to(other, side) - open_to(side, other)", "400", [false, false, true]),
        // For the side to move, whoever asks.
        (
            "side, other = state['side'], 'XO'[state['side'] == 'X']\n        return 1 + len(lines)",
            "40",
            [true, true, false],
        ),
        // For games that are over alone.
        ("return 1000 * any(line == [side] * 3 for line in lines)", "40", [false, true, false]),
    ];
    for (returned, positions, expected) in table {
        let said = checked(&format!("{SOUND}{returned}"), positions);
        assert_eq!([opposite, differs, winners].map(|warning| said.contains(warning)), expected, "{returned}: {said}");
    }
}
