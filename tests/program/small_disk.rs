//! A small disk: temporary files, and a ladder.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::fixtures::weaker;
use crate::invocation::{assert_contains, stderr, stdout};
use crate::ladder::ladder;
use crate::skips::{MOUNTS, skip};
use crate::toolbox::{PYTHON3, require};

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

/// Every command of a ladder says so, leaves nothing that others wait for, and goes on once there is space.
#[test]
#[ignore = "long: waits for space"]
fn a_ladder_on_a_full_disk_loses_and_doubles_nothing() {
    require!(PYTHON3);
    let arena = ladder(&["ada", "bob"]);
    let script = r##"
        mount -t tmpfs -o size=2m none disk || exit 99
        mv lad disk/
        fill() { head -c 4m /dev/zero > disk/filler 2> /dev/null || true; truncate -s "-$1" disk/filler; }
        refused() {
            "$REFEREE" "$@" && exit 1
            echo "$? $(find disk/lad/claims -size 0)"
            rm disk/filler
            "$REFEREE" "$@"
        }
        for room in 0 4096 16384; do
            echo "# $room" >> class/ada/homework.py
            fill $room; refused ladder update disk/lad class
            fill $room; refused ladder play disk/lad --pairs 2 --jobs 1
        done
        fill 0; refused ladder pack disk/lad --keep 0
        fill 0; refused ladder pages disk/lad disk/pages
        "$REFEREE" verify disk/lad
    "##;
    let mut inside = Command::new("unshare");
    inside.args(["-rm", "/bin/sh", "-ec", script]).env("REFEREE", env!("CARGO_BIN_EXE_referee"));
    fs::create_dir(arena.path("disk")).unwrap();
    let ended = inside.current_dir(arena.path("")).output().unwrap();
    let said = stdout(&ended) + &stderr(&ended);
    if ended.status.code() == Some(99) || said.starts_with("unshare:") {
        skip(&MOUNTS, format!("a small disk cannot be mounted here: {said}"));
        return;
    }
    assert!(ended.status.success(), "{said}");
    assert_eq!(said.matches("the disk is full: free some space and rerun the same command").count(), 8, "{said}");
    assert_eq!(said.matches("5 \n").count(), 8, "{said}");
    assert_contains(&said, "12 games packed");
    assert_contains(&said, "12 games, ");
    assert_contains(&said, " 0 different");
}
