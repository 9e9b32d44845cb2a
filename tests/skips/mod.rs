//! Tests that cannot run on this machine, and how people hear of them.
//!
//! libtest counts a skipped test as passed and swallows what it prints. So a skip is written to standard error itself,
//! which libtest does not capture, and noted for `tests/skipped.rs`, which `cargo test` runs last and which lists all
//! skips with what to install. With `CI` set a skip is a failure, unless `REFEREE_MAY_SKIP` names what is missing.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test program uses another part of it, so that it is dead code in the others"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Something that a test needs and that a machine may lack.
pub(crate) struct Need {
    /// Its name in `REFEREE_MAY_SKIP`.
    name: &'static str,
    /// What to do in order to have it.
    remedy: &'static str,
}

const fn need(name: &'static str, remedy: &'static str) -> Need {
    Need { name, remedy }
}

pub(crate) const AXE: Need = need("axe", "install the tools of the pages: npm --prefix .ci/pages install");
pub(crate) const C: Need = need("c", "install a C compiler (Debian: gcc)");
pub(crate) const CHROMIUM: Need = need("chromium", "install Chromium (Debian: chromium)");
pub(crate) const COMPILER: Need =
    need("compiler", "use the compiler of the table, or write it for this one: set REFEREE_INSTRUCTIONS=write");
pub(crate) const CORPORA: Need = need("corpora", "set REFEREE_SHARED to the folder that has `corpus/`");
pub(crate) const ISOLATION: Need = need("isolation", "`referee doctor` says what each level needs");
pub(crate) const FILE_TIMES: Need =
    need("file-times", "use a file system on disk that keeps when a file was made (ext4)");
pub(crate) const METER: Need = need("meter", "`referee doctor` says what each meter needs");
pub(crate) const MOUNTS: Need = need("mounts", "allow mounts in user namespaces");
pub(crate) const PYTHON2: Need = need("python2", "install Python 2; most systems no longer ship it");
pub(crate) const ROOT: Need = need("root", "run the tests as root, too");
pub(crate) const SLURM: Need = need("slurm", "install Slurm and MUNGE (Debian: slurm-wlm munge)");
pub(crate) const TOOLS: Need =
    need("tools", "install compilers and interpreters (Debian: g++ default-jdk-headless python3)");
pub(crate) const UNPRIVILEGED: Need = need("unprivileged", "run the tests as an ordinary user, too");
pub(crate) const VALGRIND: Need = need("valgrind", "install Valgrind (Debian: valgrind)");

/// Says that the running test, or a part of it, is skipped because of `why`.
///
/// # Panics
///
/// With `CI` set, unless `REFEREE_MAY_SKIP` has the need's name.
pub(crate) fn skip(need: &Need, why: impl Display) {
    let allowed =
        may_skip(std::env::var_os("CI").as_deref(), &std::env::var("REFEREE_MAY_SKIP").unwrap_or_default(), need);
    assert!(
        allowed,
        "nothing may be skipped with `CI` set, but {why}: {}, or put `{}` into REFEREE_MAY_SKIP",
        need.remedy, need.name
    );
    let test = std::thread::current().name().unwrap_or("main").to_owned();
    let line = format!("skipped: {test}: {}", why.to_string().replace('\n', " "));
    // libtest captures `eprintln!`, but not the stream itself. Nobody is to fail because nobody reads.
    drop(writeln!(std::io::stderr(), "{line}"));
    let program = env!("CARGO_CRATE_NAME");
    let note = format!("{}\t{program}::{test}\n", need.remedy);
    // An ordinary user may not be able to write there; the line above has been written anyway.
    let file = OpenOptions::new().create(true).append(true).open(notes(own_group()));
    drop(file.and_then(|mut file| file.write_all(note.as_bytes())));
}

pub(crate) fn may_skip(ci: Option<&OsStr>, named: &str, need: &Need) -> bool {
    let in_ci = ci.is_some_and(|value| !["", "0", "false"].iter().any(|off| value == *off));
    !in_ci || named.split_whitespace().any(|name| name == need.name)
}

/// The notes of the test programs of one process group: `cargo test` and all that it runs are one.
pub(crate) fn notes(group: i32) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("skipped-{group}.txt"))
}

pub(crate) fn own_group() -> i32 {
    nix::unistd::getpgrp().as_raw()
}

/// What the end of `cargo test` says of the tests that it left out; nothing if somebody asked for some tests.
pub(crate) fn longer_tests(asked_for: &[String]) -> &'static str {
    if asked_for.is_empty() {
        "longer tests were left out (`ignored` above). To run them: cargo test --locked -- --ignored\n"
    } else {
        ""
    }
}

/// The list that people read: what to do, and under it the tests that would then run. Empty if there is nothing to
/// list.
pub(crate) fn list(notes: &str) -> String {
    let mut tests: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (remedy, test) in notes.lines().filter_map(|line| line.split_once('\t')) {
        tests.entry(remedy).or_default().insert(test);
    }
    if tests.is_empty() {
        return String::new();
    }
    let mut entries = Vec::new();
    for (remedy, tests) in &tests {
        entries.push(format!("  {remedy}:\n"));
        entries.extend(tests.iter().map(|test| format!("    {test}\n")));
    }
    let entries = entries.concat();
    let count: usize = tests.values().map(BTreeSet::len).sum();
    format!("skipped, wholly or in part: {count} tests. To run them:\n{entries}")
}
