//! What a shell offers while a command line is typed, and the manual pages.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::invocation::{command, printed, stderr, stdout};

/// What is offered for the last of `words`, by the protocol of fish: a candidate on each line, with its help.
fn offered_in(folder: &Path, words: &[&str]) -> Vec<String> {
    let output =
        command(&["--", "referee"]).args(words).env("REFEREE_COMPLETE", "fish").current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let lines = stdout(&output);
    let candidates = lines.lines().map(|line| line.split('\t').next().unwrap().to_owned());
    candidates.collect()
}

fn offered(words: &[&str]) -> Vec<String> {
    offered_in(TempDir::new().unwrap().path(), words)
}

#[test]
fn commands_and_options_are_offered() {
    assert_eq!(offered(&["compl"]), ["completions"]);
    assert_eq!(offered(&["play", "--open"]), ["--opening-plies", "--open-files"]);
    assert_eq!(offered(&["completions", "z"]), ["zsh"]);
}

#[test]
fn games_rules_levels_and_formats_are_offered() {
    let cases: [(&[&str], &[&str]); 7] = [
        (&["play", "--game", "h"], &["halma", "heirs"]),
        (&["check", "--game", "ha"], &["halma"]),
        (&["moves", "--rules", ""], &["addendum", "original"]),
        (&["doctor", "--isolation", "s"], &["sealed"]),
        (&["export", "run", "--format", "json"], &["jsonl"]),
        (&["gradebook", "run", "--export", "csv,grade"], &["csv,gradescope"]),
        (&["standings", "run", "--tie-breaks", "w"], &["wins"]),
    ];
    for (words, expected) in cases {
        assert_eq!(offered(words), expected, "{words:?}");
    }
}

#[test]
fn agents_are_built_in_or_lie_in_folders_under_any_name() {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("class/ada")).unwrap();
    let offered = |words: &[&str]| offered_in(folder.path(), words);
    assert_eq!(offered(&["play", "class/", "--jobs"]), ["--jobs"]);
    assert_eq!(offered(&["play", "class/"]), ["class/ada/"]);
    assert_eq!(offered(&["play", "class/ada", "x=class/a"]), ["x=class/ada/"]);
    assert_eq!(offered(&["play", "class/ada", "builtin:a"])[0], "builtin:alphabeta");
    assert_eq!(offered(&["play", "x=builtin:mi"]), ["x=builtin:minimax"]);
    assert_eq!(offered(&["play", "hu"]), ["human"]);
    assert_eq!(offered(&["compete", "assignment.toml", "hu"]), [""; 0], "people do not compete");
    assert_eq!(offered(&["agent", "mini"]), ["minimax"]);
}

#[test]
fn runs_are_offered_before_other_folders() {
    let folder = TempDir::new().unwrap();
    for run in ["results/spring", "run"] {
        fs::create_dir_all(folder.path().join(run)).unwrap();
        fs::write(folder.path().join(run).join("manifest.json"), "{}").unwrap();
    }
    fs::create_dir_all(folder.path().join("another")).unwrap();
    fs::create_dir_all(folder.path().join("results/empty")).unwrap();
    let offered = |word| offered_in(folder.path(), &["status", word]);
    let all = offered("");
    assert_eq!(all[..3], ["results/spring/", "results/empty/", "run/"]);
    assert_eq!(offered("r"), ["run/", "results/"]);
    assert_eq!(offered("results/s"), ["results/spring/"]);
}

#[test]
fn bash_completes_words_that_it_breaks_at_colons() {
    let script = printed(&["completions", "bash"], 0);
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("my agent")).unwrap();
    let complete = |line: &str| {
        let typed = format!(
            "{script}\nCOMP_LINE={line:?} COMP_POINT={}\n_referee\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
            line.len()
        );
        let output = Command::new("bash").args(["-c", &typed]).current_dir(folder.path()).output().unwrap();
        assert_eq!(stderr(&output), "", "{line}");
        stdout(&output)
    };
    assert_eq!(complete("referee compl"), "completions\n");
    assert_eq!(complete("referee play builtin:mi"), "minimax\n");
    assert_eq!(complete("referee play ada=builtin:r"), "random\n");
    assert_eq!(complete("referee play builtin:random m"), "my\\ agent/\n");
    assert_eq!(complete("referee doctor --isolation b"), "bare\n");
}

#[test]
fn every_shell_has_a_script_that_asks_this_program() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell], 0);
        assert!(script.contains("REFEREE_COMPLETE"), "{shell}: {script}");
        assert!(script.contains(env!("CARGO_BIN_EXE_referee")), "{shell}: {script}");
    }
    assert_eq!(command(&["completions", "tcsh"]).output().unwrap().status.code(), Some(2));
}

#[test]
fn manual_pages_are_printed_and_written() {
    let page = printed(&["man"], 0);
    assert!(page.contains(".TH referee 1"), "{page}");
    let folder = TempDir::new().unwrap();
    let place = folder.path().to_str().unwrap();
    assert_eq!(printed(&["man", "--out", place], 0), "");
    let page = fs::read_to_string(folder.path().join("referee-slurm-submit.1")).unwrap();
    assert!(page.contains("partition"), "{page}");
    assert!(folder.path().join("referee.1").exists());
    let missing = command(&["man", "--out", "/nonexistent/folder"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(5));
}
