//! A disk without room: never a program's loss.

use std::process::Command;

use referee_seat::{Isolation, Limits, Program, Seat, SeatError, SeatOptions};
use referee_time::{CpuTime, WallTime};

use crate::fixture_seat::{ANSWER, content, job, options_at};
use crate::skips::{MOUNTS, skip};

/// Set where this test runs itself with a small disk in `TMPDIR`.
const INSIDE: &str = "REFEREE_TEST_SMALL_DISK";

const MIB: u64 = 1 << 20;

/// The program fills the disk by files that are not in its working directory, as anything else on the machine could.
/// What it would have left as its answer has no room, and that says nothing of it.
#[test]
fn a_run_on_a_full_disk_says_nothing_of_the_program() {
    if std::env::var_os(INSIDE).is_some() {
        return on_a_small_disk();
    }
    let disk = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=140m none \"$TMPDIR\" || exit 99; exec \"$@\"";
    let mut inside = Command::new("unshare");
    inside.args(["-rm", "/bin/sh", "-c", script, "sh"]);
    inside.arg(std::env::current_exe().unwrap());
    inside.args(["--include-ignored", "--exact", "disk::a_run_on_a_full_disk_says_nothing_of_the_program"]);
    let ended = inside.env("TMPDIR", disk.path()).env(INSIDE, "1").output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
    if ended.status.code() == Some(99) || said.starts_with("unshare:") {
        skip(&MOUNTS, format!("a small disk cannot be mounted here: {said}"));
        return;
    }
    assert!(ended.status.success() && said.contains("1 passed"), "{said}");
}

fn on_a_small_disk() {
    let open = |script: &str, directory_bytes| {
        let program = Program { command: vec!["/bin/sh".into(), "-c".into(), script.into()], ..Program::default() };
        let limits = Limits { directory_bytes, ..Limits::default() };
        let options = options_at(Isolation::Bare);
        Seat::open(&program, &SeatOptions { limits, ..options })
    };
    let is_refused = |opened: Result<Seat, SeatError>| match opened {
        Err(SeatError::Failed(said)) => assert!(said.contains("are free"), "{said}"),
        other => panic!("expected a refusal, found {other:?}"),
    };
    // What a program may write, it may write twice, counting deleted files of which a page is mapped.
    is_refused(open("", 80 * MIB));
    let first = open("", 32 * MIB).unwrap();
    let second = open("", 32 * MIB).unwrap();
    // Each alone could have what it may use, but not all of them.
    is_refused(open("", 32 * MIB));
    drop((first, second));

    let job = job(CpuTime::from_secs(60), WallTime::from_secs(600));
    // An answer that is there is one.
    let answered = "echo 'E c3 b4' > output.txt; for i in 1 2 3; do dd if=/dev/zero of=../../$i bs=1M count=60; done; \
                    rm ../../[123]";
    let run = open(answered, 32 * MIB).unwrap().run(&job).unwrap();
    assert_eq!(content(&run), ANSWER);
    let fill = "for i in 1 2 3; do dd if=/dev/zero of=../../$i bs=1M count=60; done; echo 'E c3 b4' > output.txt";
    let error = open(fill, 32 * MIB).unwrap().run(&job).unwrap_err();
    assert!(matches!(&error, SeatError::Failed(said) if said.contains("is full")), "{error:?}");
    // Nor is another one begun that could not have what it may use.
    is_refused(open("", 32 * MIB));
}
