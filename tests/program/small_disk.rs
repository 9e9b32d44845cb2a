//! Temporary files on a small disk.

use std::process::Command;

use tempfile::TempDir;

use crate::fixtures::weaker;
use crate::invocation::{stderr, stdout};
use crate::skips::{MOUNTS, skip};

/// The seats of a game are closed while the next one is played, if there is space for both. Here is space for one game,
/// so no game may be void because the last one's seats are still open.
#[test]
#[ignore = "long: plays in many seats"]
fn games_follow_each_other_where_the_disk_has_space_for_one() {
    let Some(weaker) = weaker() else { return };
    let (disk, runs) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    // A seat may need 17 MiB: twice 8 for its program, and one in reserve.
    let script = "mount -t tmpfs -o size=50m none \"$TMPDIR\" || exit 99; exec \"$@\"";
    let mut inside = Command::new("unshare");
    inside.args(["-rm", "/bin/sh", "-c", script, "sh"]);
    inside.arg(weaker).args(["confined", env!("CARGO_BIN_EXE_referee")]);
    inside.args(["play", "builtin:random", "builtin:random", "--game", "checkers"]);
    inside.args(["--games", "12", "--jobs", "1", "--directory-size", "8", "--out"]);
    let ended = inside.arg(runs.path().join("run")).env("TMPDIR", disk.path()).output();
    let ended = ended.unwrap();
    let said = stdout(&ended) + &stderr(&ended);
    if ended.status.code() == Some(99) || said.starts_with("unshare:") {
        skip(&MOUNTS, format!("a small disk cannot be mounted here: {said}"));
        return;
    }
    assert!(ended.status.success() && !said.contains("void"), "{said}");
}
