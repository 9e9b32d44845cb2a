//! All faults of an assignment are reported together, each with place and remedy.

use std::fmt::Write;
use std::path::Path;

use referee_course::assignment::{Assignment, AssignmentError};
use referee_games::{GameRef, KnownGames};
use referee_submissions::agents::AgentSpec;
use snapbox::assert_data_eq;

use crate::cases::cases;
use crate::invocation::assert_starts;

/// The faults of `text` as `line:column message => remedy`.
fn faults(text: &str) -> Vec<String> {
    match Assignment::parse(text, Path::new("hw2.toml"), &KnownGames::builtin()) {
        Ok(assignment) => panic!("{text} has no fault: {assignment:?}"),
        Err(faults) => faults.all().iter().map(told).collect(),
    }
}

fn told(fault: &AssignmentError) -> String {
    let AssignmentError { place, message, remedy, .. } = fault;
    let place = place.as_ref().unwrap();
    format!("{}:{} {message} => {remedy}", place.line, place.column)
}

const FAULTS: &str = include_str!("data/assignment-faults.txt");
const TITLE: &str = "title = \"T\"\n";
const COMPETITION: &str = "\n[competition]\nformat = \"knockout\"\n";

/// The lines are all of the file but its title and its competition.
#[test]
fn each_fault_of_the_whole_has_its_place_and_its_remedy() {
    let unknown_game = "chekers".parse::<GameRef>().unwrap_err();
    let game = format!("2:8 `game`: {unknown_game} => write `game = \"checkers\"`");
    let mut cases = cases(FAULTS, "the whole");
    cases.push(("game = \"chekers\"".to_owned(), game));
    for (lines, expected) in cases {
        let text = format!("{TITLE}{lines}{COMPETITION}");
        let found = faults(&text);
        assert_eq!(found[0], expected, "{text}");
        let others = if lines.contains("u001b") { 2 } else { 1 };
        assert_eq!(found.len(), others, "{found:#?}");
    }
}

#[test]
fn a_title_is_a_line_that_says_something() {
    let expected = "1:9 `title`: expected a line of text, found";
    for (title, found) in [
        ("\"\"", "the text ``"),
        ("\"a\\nb\"", r"the text `a\nb`"),
        ("\"\\u001b[2J\"", r"the text `\u{1b}[2J`"),
        ("3", "`3`"),
    ] {
        let text = format!("title = {title}\ngame = \"checkers\"{COMPETITION}");
        assert_starts(&faults(&text)[0], &format!("{expected} {found} =>"));
    }
    let nothing =
        "1:1 the assignment has no `[[grade]]` and no `[competition]` => add a `[[grade]]`, a `[competition]` or both";
    assert_eq!(faults("title = \"T\"\ngame = \"checkers\""), [nothing]);
}

/// The lines are those below `[[grade]]`.
#[test]
fn each_fault_of_a_criterion_has_its_place_and_its_remedy() {
    let builtin = "builtin:minmax".parse::<AgentSpec>().unwrap_err();
    let opponent = format!("6:12 `opponent`: {builtin} => write for example `opponent = \"builtin:minimax\"`");
    let lines = "kind = \"games\"\npoints_each = 1\nopponent = \"builtin:minmax\"\ngames = 1";
    let mut cases = cases(FAULTS, "a criterion");
    cases.push((lines.to_owned(), opponent));
    for (lines, expected) in cases {
        let text = format!("{TITLE}game = \"checkers\"\n[[grade]]\n{lines}\n");
        assert_eq!(faults(&text), [expected], "{text}");
    }
}

/// The lines are those below `[competition]`.
#[test]
fn each_fault_of_a_competition_has_its_place_and_its_remedy() {
    for (lines, expected) in cases(FAULTS, "a competition") {
        let text = format!("{TITLE}game = \"checkers\"\n[competition]\n{lines}\n");
        assert_eq!(faults(&text), [expected], "{text}");
    }
}

#[test]
fn all_errors_of_toml_are_reported_together() {
    let text = "title = T\ngame = \"checkers\nseed = 3\nseed = 4\n[clock\ngrace = 1\n";
    let found = faults(text);
    assert!(found.iter().all(|fault| fault.contains(" not TOML: ")), "{found:#?}");
    let lines: Vec<_> = found.iter().filter_map(|fault| fault.split(':').next()).collect();
    for line in ["1", "2", "4", "5"] {
        assert!(lines.contains(&line), "line {line}: {found:#?}");
    }
}

/// The list as a terminal shows it.
#[test]
fn all_faults_are_reported_together_and_counted() {
    let text = r#"titel = "x"
title = "Homework 2"
game = "halma"
rules = "adendum"

[clock]
charge = "usr"
grace = "10"

[[grade]]
kind = "single-moves"
positions = "\u001b[2J"
points_each = 1

[[grade]]
kind = "games"
opponent = "builtin:minimax"
games = 9
first_move = 12
play_time = [100, 100, 60, 60, 30, 30, 300, 0]
points_each = 0.125

[competition]
format = "elimination"
games_per_pairing = 3
rounds = 3
"#;
    let faults = Assignment::parse(text, Path::new("hw2.toml"), &KnownGames::builtin()).unwrap_err();
    assert_data_eq!(faults.to_string(), snapbox::file!["snapshots/assignment_faults.txt"].raw());
}

#[test]
fn thousands_of_faults_are_each_reported() {
    let mut text = String::new();
    for number in 0..5000 {
        writeln!(text, "k{number} = 1").unwrap();
    }
    let faults = Assignment::parse(&text, Path::new("hw2.toml"), &KnownGames::builtin()).unwrap_err();
    // All of them, `title`, `game`, and that there is nothing to do.
    assert_eq!(faults.all().len(), 5003);
}
