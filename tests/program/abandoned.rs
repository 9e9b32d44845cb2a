//! What a referee killed by `kill -9` at any moment leaves behind: nothing that the next one does not remove.
//!
//! `REFEREE_KILLS=N` in the environment sets the number of kills.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::prctl::set_child_subreaper;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

use crate::invocation::{command, words};
use crate::toolbox::{PYTHON3, require};

/// How long the last keepers may take to see that nobody is there any more, on a machine that is very busy.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Set where this test runs itself.
const INSIDE: &str = "REFEREE_TEST_OF_ABANDONED_REFEREES";

fn kills() -> usize {
    let number = std::env::var("REFEREE_KILLS").ok();
    number.map_or(8, |number| number.parse().expect("REFEREE_KILLS is a number"))
}

fn play(scratch: &Path, out: &Path) -> Command {
    let mut command = command(&["play"]);
    let agent = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/checkers-python");
    command.arg(agent).args(words("builtin:random --game checkers --games 4 --jobs 2 --out", &[])).arg(out);
    command.env("TMPDIR", scratch).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The paths below `folder` that no reader of it would expect.
fn hidden_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        for entry in fs::read_dir(path).unwrap().map(Result::unwrap) {
            if entry.file_name().to_string_lossy().starts_with('.') {
                found.push(entry.path());
            } else if entry.file_type().unwrap().is_dir() {
                waiting.push(entry.path());
            }
        }
    }
    found
}

/// Runs itself as the one to whom the system gives every process whose parent has died, so that none can hide: to an
/// ordinary user `/proc` does not tell what keepers have open.
#[test]
#[ignore = "long: killed and looked after"]
fn nothing_is_left_of_a_referee_that_was_killed_once_the_next_one_has_been_there() {
    require!(PYTHON3);
    if std::env::var_os(INSIDE).is_some() {
        return kill_and_look();
    }
    let mut inside = Command::new(std::env::current_exe().unwrap());
    let name = "abandoned::nothing_is_left_of_a_referee_that_was_killed_once_the_next_one_has_been_there";
    let ended = inside.args(["--include-ignored", "--exact", name]).env(INSIDE, "1").output().unwrap();
    let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && said.contains("1 passed"), "{said}");
}

fn kill_and_look() {
    set_child_subreaper(true).unwrap();
    let place = TempDir::new().unwrap();
    let (scratch, out) = (place.path().join("scratch"), place.path().join("run"));
    fs::create_dir(&scratch).unwrap();
    let mut chance = ChaCha8Rng::seed_from_u64(7);
    let mut left = 0;
    let mut kills_left = kills();
    // More often where it was never killed in the middle of anything, which a busy machine can bring about.
    while kills_left > 0 || left == 0 {
        kills_left = kills_left.saturating_sub(1);
        let mut running = play(&scratch, &out).spawn().unwrap();
        // At any moment: it does not matter at which.
        sleep(Duration::from_millis(chance.random_range(1..1500)));
        running.kill().unwrap();
        running.wait().unwrap();
        left += fs::read_dir(&scratch).unwrap().count();
        for entry in fs::read_dir(&scratch).unwrap().flatten() {
            let Ok(found) = entry.metadata() else { continue };
            assert_eq!(found.permissions().mode() & 0o777, 0o700, "{}", entry.path().display());
        }
    }
    assert!(play(&scratch, &out).status().unwrap().success());
    let deadline = Instant::now() + TIMEOUT;
    let mut adopted = 0;
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            // No mount is left either: they are in namespaces that live as long as the processes in them.
            Err(Errno::ECHILD) => break,
            Ok(WaitStatus::StillAlive) => {
                assert!(Instant::now() < deadline, "there are still processes");
                sleep(Duration::from_millis(20));
            }
            ended => {
                ended.unwrap();
                adopted += 1;
            }
        }
    }
    assert!(adopted > 0, "no keeper has lost its referee");
    let files: Vec<PathBuf> = fs::read_dir(&scratch).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files, [""; 0].map(PathBuf::from));
    assert_eq!(hidden_files(&out), [""; 0].map(PathBuf::from));
}
