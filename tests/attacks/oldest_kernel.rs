//! All of these attacks once more, with nothing that Linux has gained since 4.18; a part of them with everything
//! refused that the referee can do without; and those on files with the first version of Landlock.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::attack_game::{alone, among_others};
use crate::kernels::{REFUSED_TOGETHER, Refusal, below};
use crate::levels::levels;
use crate::skips::{ISOLATION, skip};

/// Set where this program runs itself.
const INSIDE: &str = "REFEREE_TEST_OF_THE_OLDEST_KERNEL";

#[test]
#[ignore = "long: more of its family"]
fn what_is_left_of_isolation_holds_on_the_oldest_kernel() {
    if std::env::var_os(INSIDE).is_some() {
        return;
    }
    // Its attackers take all processes that the user may have, too.
    let _guard = alone();
    let said = again_below(&[Refusal::NewerThan4_18], &[]);
    assert_only_bare(&said);
}

#[test]
#[ignore = "long: more of its family"]
fn what_is_left_of_isolation_holds_with_everything_refused_together() {
    if std::env::var_os(INSIDE).is_some() {
        return;
    }
    // Without those that take all processes, or a long time with compilers; but some tests beside this take them.
    let _guard = among_others();
    let left_out = ["limits::", "builds::", "languages::", "libraries::", "a_tree_of_any_depth"];
    let arguments: Vec<&str> = left_out.into_iter().flat_map(|name| ["--skip", name]).collect();
    let said = again_below(&REFUSED_TOGETHER, &arguments);
    assert_only_bare(&said);
}

fn assert_only_bare(said: &str) {
    assert!(said.contains("level `confined` and above"), "it has more than was left: {said}");
}

/// Such rules let a program truncate files that it may not write to.
#[test]
#[ignore = "long: more of its family"]
fn files_are_as_safe_with_the_first_version_of_landlock() {
    if levels().len() < 2 {
        skip(&ISOLATION, "Landlock is not available");
        return;
    }
    let said = again_below(&[Refusal::LandlockVersion(1)], &["--nocapture", "files::"]);
    assert!(!said.contains("level `confined` and above"), "it has less than was left: {said}");
}

/// What this program says of itself, run with these arguments on a kernel that refuses something.
fn again_below(refusals: &[Refusal], arguments: &[&str]) -> String {
    // What the levels above `bare` need may be missing there, and so may what tests of them would try.
    let allowed = std::env::var("REFEREE_MAY_SKIP").unwrap_or_default() + " isolation mounts";
    let ended = below(refusals, || {
        let mut again = Command::new(std::env::current_exe().unwrap());
        // In a group of its own, so that what it skips is not listed as skipped here.
        again.args(arguments).env(INSIDE, "1").env("REFEREE_MAY_SKIP", allowed).process_group(0).output()
    });
    let ended = ended.unwrap();
    let said = String::from_utf8_lossy(&ended.stdout).into_owned() + &String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.contains(" 0 failed"), "{said}");
    said
}
