//! A class that competes: what `--dry-run` tells of it, and who is missing by the roster.

use std::fs;

use referee_records::RunKind;

use crate::competition::arena::{Arena, assignment, done, said};
use crate::invocation::{assert_contains, words};

/// Ada and eve have a program, bob has a note; `staff` is in the assignment.
fn arena_with_class() -> Arena {
    let arena = Arena::new(&assignment("\"round-robin\"", &["staff=builtin:random".to_owned()]));
    for (file, text) in
        [("class/ada/homework.py", AGENT), ("class/eve/homework.py", AGENT), ("class/bob/notes.md", "later\n")]
    {
        fs::create_dir_all(arena.path(file).parent().expect("a folder")).expect("made");
        arena.write(file, text);
    }
    arena.write("roster.csv", "id,name,email\n1,Ada,ada@example.edu\n2,Bob,\n3,Left Out,left@example.edu\n");
    arena
}

/// It forfeits at its first move.
const AGENT: &str = "open('output.txt', 'w').write('no move')\n";

/// With single blanks.
fn folded(text: &str) -> String {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    text.lines().map(words).collect()
}

#[test]
fn a_dry_run_lists_the_class_the_missing_and_the_named_agents_and_begins_nothing() {
    let arena = arena_with_class();
    arena.write("class/ann.docx", "see the attachment\n");
    arena.write("class/zoe.py", "");
    let options = words("--dry-run --class class --roster roster.csv guest=builtin:minimax,depth=1", &[]);
    let told = said(arena.compete("run", &options));
    assert_eq!(told.status, Some(0), "{told:#?}");
    let foreign_files = ["ann", "eve", "zoe"].map(|name| format!("`{name}` is not on the roster\n"));
    assert_eq!(told.err, foreign_files.concat());
    let lines = folded(&told.out);
    for line in [
        "student id e-mail files fault",
        "Left Out 3 left@example.edu nothing was handed in",
        "ada 1 ada@example.edu homework.py",
        "ann ann.docx `ann.docx` is neither a source file nor a program",
        "bob 2 notes.md no program found in `notes.md`",
        "eve homework.py",
        "zoe zoe.py the file is empty",
        "5 submissions, 3 with a fault; 1 student handed in nothing; nothing was run (`--dry-run`)",
        "2 named agents besides: staff, guest",
    ] {
        assert!(lines.lines().any(|one| one == line), "{line:?} is not in:\n{}", told.out);
    }
    assert!(!arena.path("run").exists(), "nothing is begun");
    let alone = done(arena.compete("run", &["--dry-run"]));
    assert_eq!(alone, "no submissions\n1 named agent besides: staff\n");
}

#[test]
#[ignore = "long: plays competitions"]
fn students_on_the_roster_without_a_submission_are_excluded_and_recorded() {
    let arena = arena_with_class();
    let compete = || said(arena.compete("run", &["--class", "class", "--roster", "roster.csv"]));
    let told = compete();
    assert_eq!(told.status, Some(0), "{told:#?}");
    assert_contains(&told.err, "Left Out is excluded: nothing was handed in");
    assert_contains(&told.err, "playing a competition of 3 agents with 2 jobs; results go to `run`\n");
    let manifest = arena.manifest("run");
    assert_eq!(manifest.kind, RunKind::Competition);
    let mut names: Vec<&str> = manifest.agents.iter().map(|agent| agent.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["ada", "eve", "staff"]);
    let rejected: Vec<&str> = manifest.rejected.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(rejected, ["Left Out", "bob"]);
    let games = arena.games("run");
    assert_eq!(games.len(), 6);
    // Who hands in late joins: the roster is read again, and what was played stays.
    let late = arena.path("class/left out/homework.py");
    fs::create_dir_all(late.parent().expect("a folder")).expect("made");
    arena.write("class/left out/homework.py", AGENT);
    let told = compete();
    assert!(!told.err.contains("Left Out is excluded"), "{told:#?}");
    let after = arena.games("run");
    assert_eq!(after.len(), 12);
    assert!(games.iter().all(|(id, game)| after[id] == *game));
}

#[test]
fn unreadable_rosters_and_duplicate_names_are_reported_before_any_build() {
    let arena = arena_with_class();
    let refused = |options: &[&str], status: i32, text: &str| {
        let told = said(arena.compete("run", options));
        assert_eq!(told.status, Some(status), "{options:?}: {told:#?}");
        assert!(told.err.contains(text), "{options:?}: {}", told.err);
        assert!(!arena.path("run/built").exists(), "{options:?}");
    };
    arena.write("empty.csv", "colour\nred\n");
    let twice = "two agents are named `ada`: rename one with `NAME=`";
    for dry in [&["--dry-run"][..], &[]] {
        let with = |more: &[&'static str]| [dry, &["--class", "class"], more].concat();
        refused(&with(&["--roster", "none.csv"]), 3, "cannot read the roster `none.csv`");
        refused(&with(&["--roster", "empty.csv"]), 3, "line 1: expected headings such as `id`");
        refused(&with(&["ada=builtin:random"]), 2, twice);
    }
}

#[test]
fn a_run_among_the_submissions_is_refused() {
    let arena = arena_with_class();
    for out in ["class/run", "class/ada/run"] {
        let told = said(arena.compete(out, &["--class", "class"]));
        assert_eq!(told.status, Some(2), "{told:#?}");
        assert_contains(&told.err, "among the submissions: choose another directory with `--out`");
        assert!(!arena.path(out).exists());
    }
}
