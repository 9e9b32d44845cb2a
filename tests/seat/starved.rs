//! A control group around the referee without memory: never a program's loss.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use referee_seat::{SeatError, Termination};
use referee_time::{CpuTime, WallTime};

use crate::fixture_seat::{FixtureSeat, job};
use crate::skips::{METER, skip};

/// Set where this test runs itself in a group with little memory.
const INSIDE: &str = "REFEREE_TEST_OF_STARVATION";

/// Its value where the test sees no control groups.
const NO_GROUPS: &str = "no groups";

const MIB: u64 = 1 << 20;

/// What all of it may have, and what the program asks for: less than its own limit.
const AROUND: u64 = 256 * MIB;
const ASKED_FOR: u64 = 512 * MIB;

/// The machine's memory cannot be used up for a test; that of a group around the referee can.
#[test]
fn a_program_that_is_killed_for_want_of_memory_around_the_referee_makes_the_game_void() {
    if std::env::var_os(INSIDE).is_some() {
        return in_a_small_group();
    }
    let Some(group) = SmallGroup::make() else {
        skip(&METER, "no control group with a limit of memory can be made");
        return;
    };
    // With a group of its own, and where the referee can make none.
    let hidden = "exec unshare -m /bin/sh -c 'mount -t tmpfs none /sys/fs/cgroup && exec \"$@\"' sh \"$@\"";
    for (groups, enter) in [("groups", "exec \"$@\""), (NO_GROUPS, hidden)] {
        let mut inside = Command::new("/bin/sh");
        inside
            .args(["-c", &format!("echo $$ > \"$0/cgroup.procs\" && {enter}")])
            .arg(&group.0)
            .arg(std::env::current_exe().unwrap());
        let name = "starved::a_program_that_is_killed_for_want_of_memory_around_the_referee_makes_the_game_void";
        inside.args(["--include-ignored", "--exact", name, "--nocapture"]);
        let ended = inside.env(INSIDE, groups).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success() && said.contains("1 passed"), "{groups}: {said}");
    }
}

fn in_a_small_group() {
    let Some(mut fixture_seat) = FixtureSeat::new(&["memory", &ASKED_FOR.to_string()]) else {
        return;
    };
    if std::env::var(INSIDE).is_ok_and(|groups| groups == NO_GROUPS) {
        assert_ne!(fixture_seat.seat.memory_limited_by_kernel(), Ok(()));
    } else if let Err(why) = fixture_seat.seat.memory_limited_by_kernel() {
        skip(&METER, format!("memory is not limited by a control group: {why}"));
        return;
    }
    let error = fixture_seat.seat.run(&job(CpuTime::from_secs(60), WallTime::from_secs(600))).unwrap_err();
    let told = matches!(&error, SeatError::Failed(said) if said.contains("ran out of memory first"));
    assert!(told, "{error:?}");
    drop(fixture_seat);
    // With what there is, nobody is starved.
    let Some(mut modest) = FixtureSeat::new(&["memory", &(16 * MIB).to_string()]) else {
        return;
    };
    assert_eq!(modest.run().ended, Termination::Exited { status: 0 });
    modest.end();
}

/// A group of this user with little memory, removed in the end.
struct SmallGroup(PathBuf);

impl SmallGroup {
    fn make() -> Option<Self> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = |line: &str| {
            let mut parts = line.splitn(3, ':').skip(1);
            let (controllers, path) = (parts.next()?, parts.next()?);
            controllers.split(',').any(|name| name == "memory").then(|| path.trim_start_matches('/').to_owned())
        };
        let place = Path::new("/sys/fs/cgroup/memory").join(groups.lines().find_map(own)?);
        let group = Self(place.join(format!("referee-test-{}", std::process::id())));
        fs::create_dir(&group.0).ok()?;
        fs::write(group.0.join("memory.limit_in_bytes"), AROUND.to_string()).ok()?;
        // Where there is swap, the limit would only have it used.
        drop(fs::write(group.0.join("memory.memsw.limit_in_bytes"), AROUND.to_string()));
        Some(group)
    }
}

impl Drop for SmallGroup {
    fn drop(&mut self) {
        // The kernel may not have done with its last process.
        while matches!(fs::remove_dir(&self.0), Err(error) if error.raw_os_error() == Some(16)) {}
    }
}
