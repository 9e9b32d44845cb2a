//! A skipped test is reported where people see it, and fails in CI.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::skips::{PYTHON2, list, longer_tests, may_skip, notes, skip};

/// Set for the test below as a program of its own.
const INSIDE: &str = "REFEREE_TEST_OF_SKIPS";

#[test]
fn a_skip_is_seen_past_libtest_and_fails_in_ci() {
    if std::env::var_os(INSIDE).is_some() {
        return skip(&PYTHON2, "there is no snake");
    }
    for (ci, may_skip, passes) in [("", "", true), ("true", "corpora", false), ("true", "corpora python2", true)] {
        let mut alone = Command::new(std::env::current_exe().unwrap());
        alone.args(["--include-ignored", "--exact", "skipping::a_skip_is_seen_past_libtest_and_fails_in_ci"]);
        alone.env(INSIDE, "1").env("CI", ci).env("REFEREE_MAY_SKIP", may_skip);
        // In a group of its own, so that the list at the end of this run does not have it.
        alone.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = alone.spawn().unwrap();
        let notes = notes(i32::try_from(child.id()).unwrap());
        let ended = child.wait_with_output().unwrap();
        let seen = String::from_utf8(ended.stderr).unwrap();
        let seen_later = fs::read_to_string(&notes).unwrap_or_default();
        drop(fs::remove_file(&notes));
        assert_eq!(ended.status.success(), passes, "{ci}, {may_skip}");
        assert_eq!(seen.contains("a_skip_is_seen_past_libtest_and_fails_in_ci: there is no snake"), passes, "{seen}");
        assert_eq!(seen_later.starts_with("install Python 2;"), passes, "{seen_later}");
        assert_eq!(seen_later.ends_with("\tlibrary::skipping::a_skip_is_seen_past_libtest_and_fails_in_ci\n"), passes);
    }
}

#[test]
fn in_ci_only_what_is_named_may_be_skipped() {
    for off in [None, Some(""), Some("0"), Some("false")] {
        assert!(may_skip(off.map(OsStr::new), "", &PYTHON2), "{off:?}");
    }
    for named in ["", "python", "python22", "corpora chromium"] {
        assert!(!may_skip(Some(OsStr::new("true")), named, &PYTHON2), "{named}");
    }
    assert!(may_skip(Some(OsStr::new("1")), "corpora python2", &PYTHON2));
}

#[test]
fn the_list_says_what_to_install_for_which_tests() {
    assert_eq!(list(""), "");
    let notes = "install b\tp::two\ninstall a\tp::three\ninstall b\tp::one\ninstall b\tp::two\n";
    let expected = "skipped, wholly or in part: 3 tests. To run them:\n  install a:\n    p::three\n  install b:\n    \
                    p::one\n    p::two\n";
    assert_eq!(list(notes), expected);
}

#[test]
fn longer_tests_are_named_where_no_tests_are_asked_for() {
    assert!(longer_tests(&[]).ends_with(": cargo test --locked -- --ignored\n"));
    for asked_for in ["--ignored", "--include-ignored", "games::", "--test-threads=1"] {
        assert_eq!(longer_tests(&[asked_for.to_owned()]), "", "{asked_for}");
    }
}
