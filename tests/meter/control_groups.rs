//! The control groups of meters: none is left, whatever ends.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use referee_seat::{Meter, Seat, Termination};

use crate::{meters, options, run_freely, seat, soon};

/// The process that does a keeper's work and makes its groups: the child of the one that the referee knows.
fn worker(seat: &Seat) -> u32 {
    let id = seat.keeper_id();
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).expect("the keeper is alive");
    children.trim().parse().expect("it has one child")
}

/// The control groups that this program has made and not removed.
fn groups_of(keeper: u32) -> Vec<PathBuf> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").expect("`/proc` is mounted");
    let points = mounts.lines().filter(|line| line.contains(" - cgroup")).filter_map(|line| line.split(' ').nth(4));
    let name = format!("referee-{keeper}-");
    let mut found = Vec::new();
    for point in points {
        find_folders(Path::new(point), &name, &mut found);
    }
    found
}

/// How many groups a seat has: the meter's, one for its memory where one can be made, and one for the number of its
/// processes where nothing else limits it.
fn groups(seat: &Seat) -> usize {
    let found = groups_of(worker(seat)).len();
    assert!((1 + usize::from(seat.memory_limited_by_kernel().is_ok())..=3).contains(&found));
    found
}

fn find_folders(folder: &Path, prefix: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if entry.file_name().to_string_lossy().starts_with(prefix) {
                found.push(entry.path());
            }
            find_folders(&entry.path(), prefix, found);
        }
    }
}

#[test]
fn no_control_group_is_left() {
    for meter in [Meter::CgroupV2, Meter::CgroupV1] {
        if !meters().contains(&meter) {
            continue;
        }
        let Some(mut first) = seat("afterwards", 1, &options(Some(meter))) else {
            return;
        };
        let (keeper, groups) = (worker(&first), groups(&first));
        assert_eq!(groups_of(keeper).len(), groups, "{meter}");
        run_freely(&mut first);
        drop(first);
        assert!(groups_of(keeper).is_empty(), "{meter}: {:?}", groups_of(keeper));

        // A keeper that was killed cannot clean up; the next one does, and lets those alone that are in use.
        let Some(killed) = seat("spin", 1, &options(Some(meter))) else {
            return;
        };
        let Some(mut living) = seat("spin", 1, &options(Some(meter))) else {
            return;
        };
        let keeper = worker(&killed);
        // Asked while it lives: afterwards any new seat removes them, those of other tests, too.
        assert_eq!(groups_of(keeper).len(), groups, "{meter}");
        kill(Pid::from_raw(keeper.cast_signed()), Signal::SIGKILL).unwrap();
        drop(killed);
        soon(|| {
            drop(seat("spin", 1, &options(Some(meter))));
            groups_of(keeper).is_empty()
        });
        assert_eq!(groups_of(worker(&living)).len(), groups, "{meter}");
        assert_eq!(run_freely(&mut living).ended, Termination::Exited { status: 0 }, "{meter}");
    }
}

/// Set for the process that plays the referee in the test below, and names its meter.
const VICTIM: &str = "REFEREE_TEST_METER_VICTIM";

#[test]
fn a_kill_of_the_referee_leaves_no_control_group() {
    if let Ok(meter) = std::env::var(VICTIM) {
        play_until_killed(meter.parse().unwrap());
    }
    for meter in [Meter::CgroupV2, Meter::CgroupV1] {
        if !meters().contains(&meter) {
            continue;
        }
        let Some(like_it) = seat("spin", 1, &options(Some(meter))) else {
            return;
        };
        let mut referee = Command::new(std::env::current_exe().unwrap())
            .args([
                "--include-ignored",
                "--exact",
                "control_groups::a_kill_of_the_referee_leaves_no_control_group",
                "--nocapture",
            ])
            .env(VICTIM, meter.to_string())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(referee.stdout.take().unwrap()).lines().map_while(Result::ok);
        let told = lines.find_map(|line| line.strip_prefix("keeper=")?.parse().ok());
        let keeper: u32 = told.expect("the victim tells its keeper");
        assert_eq!(groups_of(keeper).len(), groups(&like_it), "{meter}");
        kill(Pid::from_raw(referee.id().cast_signed()), Signal::SIGKILL).unwrap();
        referee.wait().unwrap();
        soon(|| groups_of(keeper).is_empty());
    }
}

/// Opens a seat, tells who its keeper is, and runs a program that goes on for ever.
fn play_until_killed(meter: Meter) -> ! {
    let mut seat = seat("ignored-for-ever", 0, &options(Some(meter))).expect("the fixture is compiled");
    println!("\nkeeper={}", worker(&seat));
    std::io::stdout().flush().expect("the test reads it");
    run_freely(&mut seat);
    panic!("expected to be killed")
}
