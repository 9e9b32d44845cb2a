//! Asking a tool of this machine something about itself, with bounds on its time and on what it writes.
//!
//! Deliberately not here: any work on what a stranger wrote, which is done in a [build
//! sandbox](crate::seat::BuildSandbox). What stands in `PATH` may be anything all the same: a shell script that hangs,
//! or that prints for ever. It runs in a process group of its own, because killing the script alone leaves running what
//! it has started.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use wait_timeout::ChildExt;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoundedOutcome {
    Finished(ExitStatus),
    TooSlow,
    TooLoud,
}

/// More than this and the tool is stopped.
const LOUDEST_MIB: u64 = 16;

/// How much of what was written is given back.
const HEARD_BYTES: u64 = 4 * 1024;

/// How often the size of what was written is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// Runs `command` without any input for at most `limit`; both its outputs go to one nameless file, whose beginning is
/// given back.
pub(super) fn run(command: &mut Command, limit: Duration) -> io::Result<(BoundedOutcome, Vec<u8>)> {
    let mut output = tempfile::tempfile()?;
    command
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output.try_clone()?)
        .process_group(0);
    let mut child = spawn(command, limit)?;
    let outcome = watch(&mut child, &output, limit)?;
    output.rewind()?;
    let mut heard = Vec::new();
    output.take(HEARD_BYTES).read_to_end(&mut heard)?;
    Ok((outcome, heard))
}

/// Starts `command`, again if somebody is still writing to its program: another thread's child, which was forked while
/// the file was open here, keeps it open until it becomes another program itself.
fn spawn(command: &mut Command, limit: Duration) -> io::Result<Child> {
    let start = Instant::now();
    loop {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && start.elapsed() < limit => sleep(GLANCE),
            spawned => return spawned,
        }
    }
}

fn watch(child: &mut Child, output: &File, limit: Duration) -> io::Result<BoundedOutcome> {
    let start = Instant::now();
    loop {
        let left = limit.saturating_sub(start.elapsed());
        if let Some(status) = child.wait_timeout(left.min(GLANCE))? {
            return Ok(BoundedOutcome::Finished(status));
        }
        let outcome = if output.metadata()?.len() > LOUDEST_MIB << 20 {
            BoundedOutcome::TooLoud
        } else if start.elapsed() >= limit {
            BoundedOutcome::TooSlow
        } else {
            continue;
        };
        stop(child)?;
        return Ok(outcome);
    }
}

fn stop(child: &mut Child) -> io::Result<()> {
    let group = Pid::from_raw(child.id().cast_signed());
    // The child is not waited for yet, so its number still is the group's.
    killpg(group, Signal::SIGKILL)?;
    child.wait().map(drop)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;

    use super::*;

    fn shell(script: &str, limit_ms: u64) -> (BoundedOutcome, String) {
        let (outcome, heard) = run(
            Command::new("/bin/sh").args(["-c", script]),
            Duration::from_millis(limit_ms),
        )
        .unwrap();
        (outcome, String::from_utf8(heard).unwrap())
    }

    #[test]
    fn both_outputs_are_heard_in_their_order() {
        let (outcome, heard) = shell("echo one; echo two >&2; cat; exit 3", 60_000);
        assert_eq!(heard, "one\ntwo\n");
        assert!(matches!(outcome, BoundedOutcome::Finished(status) if status.code() == Some(3)));
    }

    #[test]
    fn a_tool_that_is_still_being_written_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tool");
        let mut file = File::options()
            .create_new(true)
            .write(true)
            .mode(0o755)
            .open(&path)
            .unwrap();
        file.write_all(b"#!/bin/sh\necho done\n").unwrap();
        let busy = run(&mut Command::new(&path), Duration::ZERO).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ExecutableFileBusy);
        let writer = std::thread::spawn(move || {
            sleep(Duration::from_millis(200));
            drop(file);
        });
        let (_, heard) = run(&mut Command::new(&path), Duration::from_mins(1)).unwrap();
        writer.join().unwrap();
        assert_eq!(heard, b"done\n");
    }

    #[test]
    fn a_tool_that_sleeps_is_stopped_with_its_children() {
        let start = Instant::now();
        let (outcome, heard) = shell("echo begun; sleep 6000 & sleep 6000", 5_000);
        assert_eq!((outcome, heard.as_str()), (BoundedOutcome::TooSlow, "begun\n"));
        assert!(start.elapsed() < Duration::from_mins(90), "it waited for the children");
    }

    #[test]
    fn a_tool_that_prints_for_ever_is_stopped() {
        let (outcome, heard) = shell("exec yes", 60_000);
        assert_eq!((outcome, heard.len() as u64), (BoundedOutcome::TooLoud, HEARD_BYTES));
    }
}
