//! The invariants of `ARCHITECTURE.md` that are visible in the sources.

use std::collections::BTreeSet;

use super::{SourceFile, all_sources, assert_none};

/// A file with an exception, and the reason.
type Exception = (&'static str, &'static str);

/// Operations that write, move or remove files.
const WRITING: [&str; 13] = [
    "fs::write",
    "fs::create_dir",
    "fs::rename",
    "fs::remove_",
    "fs::copy",
    "fs::hard_link",
    "fs::set_permissions",
    "unix::fs::symlink",
    "File::create",
    "OpenOptions",
    "DirBuilder",
    "persist(",
    "tempfile::",
];

/// Files outside the crates `records` and `seat` that write, but never to a run's folder.
const WRITERS: &[Exception] = &[
    ("crates/submissions/src/agents/bounded_run.rs", "a tool's output goes into a file without a name"),
    ("crates/submissions/src/agents/build.rs", "moves products within the scratch directory of a build"),
    ("crates/submissions/src/agents/builder.rs", "makes the folder of an agent in a scratch directory"),
    ("crates/submissions/src/agents/builtin_run.rs", "a built-in agent's own `output.txt`"),
    (
        "crates/submissions/src/agents/cache.rs",
        "copies products out into the scratch directory of a build; opens entries to read",
    ),
    (
        "crates/submissions/src/agents/snapshot.rs",
        "copies sources into a folder that the caller made; opens them to read",
    ),
    ("crates/matches/src/rules_program/build_cache.rs", "removes old builds from the user's own cache"),
    ("crates/matches/src/rules_program/new_game.rs", "an example for an author, in a new folder of its own"),
    ("crates/course/src/check/start.rs", "an empty program in a scratch directory"),
    ("src/cli/autograder/output.rs", "an archive into a file that the user names"),
    ("src/cli/autograder/trial.rs", "a sample submission in a scratch directory"),
    ("src/cli/check.rs", "`--keep`: a folder that the user names"),
    ("src/cli/export.rs", "`--out`: a file that the user names"),
    ("src/cli/game_check.rs", "`--messages`: a file that the user names"),
    ("src/cli/grade/platform.rs", "the files that a grading platform names"),
    ("src/cli/positions.rs", "`--out`: a folder that the user names"),
    ("src/doctor/probe.rs", "attacks on the seat that runs it"),
    ("src/doctor/protections.rs", "a secret in a scratch directory"),
    ("crates/matches/src/rules_program/launch.rs", "the folder of a rules program, in a scratch directory"),
    ("crates/submissions/src/intake/archive/mod.rs", "the folder of an archive, in a scratch directory"),
    ("crates/submissions/src/intake/archive/units.rs", "what an archive holds, in a scratch directory"),
    ("crates/submissions/src/intake/mod.rs", "a folder in a scratch directory"),
    ("crates/submissions/src/intake/ready.rs", "copies what was handed in into a scratch directory"),
    ("crates/matches/src/rules_program/new_game.rs", "a folder that the user names"),
    ("crates/pages/src/report/write.rs", "the folder beside a page that the user names"),
];

/// Files outside the crate `seat` that start programs, but never an agent.
const STARTERS: &[Exception] = &[
    ("crates/submissions/src/agents/bounded_run.rs", "waits for a tool that says its version"),
    ("crates/submissions/src/agents/toolchain.rs", "asks compilers and interpreters for their versions"),
    ("src/cli/autograder/trial.rs", "the packed `referee` itself, to try an archive"),
    ("src/doctor/probe.rs", "is itself a program in a seat, and tries to start others there"),
    ("src/slurm/commands.rs", "Slurm's own programs"),
];

/// The files outside the crates `except` whose code has one of `words`, except those in `exceptions`. An unused
/// exception is an error too.
fn strays(words: &[&str], except: &[&str], exceptions: &[Exception]) -> Vec<String> {
    let files = all_sources();
    let is_found =
        |file: &&SourceFile| !except.contains(&file.package()) && words.iter().any(|word| file.code.contains(word));
    let found: BTreeSet<&str> = files.iter().filter(is_found).map(|file| file.path.as_str()).collect();
    let named: BTreeSet<&str> = exceptions.iter().map(|(path, _)| *path).collect();
    let strays = found.difference(&named).map(|path| (*path).to_owned());
    let idle = named.difference(&found).map(|path| format!("{path} is an exception for nothing"));
    strays.chain(idle).collect()
}

#[test]
fn only_the_seat_has_unsafe_code() {
    assert_none("unsafe code", &strays(&["unsafe "], &["seat"], &[]));
}

#[test]
fn only_the_seat_starts_agents() {
    assert_none(
        "files that start programs",
        &strays(&["process::Command", "std::process::{", "Command::new"], &["seat"], STARTERS),
    );
}

#[test]
fn only_records_write_under_a_run() {
    assert_none("files that write", &strays(&WRITING, &["records", "seat"], WRITERS));
}

/// The enums that the project defines, as `Fault` of `enum Fault {`.
fn own_enums(files: &[SourceFile]) -> BTreeSet<String> {
    let words = files.iter().flat_map(|file| file.code.split("enum ").skip(1));
    let name = |rest: &str| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned();
    words.map(name).filter(|name| !name.is_empty()).collect()
}

/// The enum of a pattern such as `Fault::Crashed { .. } => ...`, and of `Self::Crashed => ...`.
fn enum_of(arm: &str) -> Option<&str> {
    let arm = arm.trim_start().trim_start_matches("| ");
    let (path, rest) = arm.split_once("::")?;
    let is_name = path.starts_with(char::is_uppercase) && path.chars().all(char::is_alphanumeric);
    (is_name && rest.starts_with(char::is_uppercase)).then_some(path)
}

#[test]
fn no_match_on_an_own_enum_has_a_wildcard() {
    let files = all_sources();
    let own = own_enums(&files);
    let mut wildcards = Vec::new();
    for file in &files {
        let lines: Vec<&str> = file.code.lines().collect();
        let indent = |line: &str| line.len() - line.trim_start().len();
        for (number, line) in lines.iter().enumerate() {
            if !line.trim_start().starts_with("_ =>") {
                continue;
            }
            let block = lines[..number].iter().rev();
            let block = block.take_while(|above| above.is_empty() || indent(above) >= indent(line));
            let mut arms = block.filter(|above| indent(above) == indent(line));
            let own = arms.find_map(|arm| enum_of(arm).filter(|name| *name == "Self" || own.contains(*name)));
            wildcards.extend(own.map(|own| format!("{}: `_` for {own}:{}", file.path, line)));
        }
    }
    assert_none("a `_` hides a new variant", &wildcards);
}
