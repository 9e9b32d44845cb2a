//! Asks a tool of this machine about itself, with bounds on time and output.
//!
//! Foreign sources are not processed here but in a [build sandbox](referee_seat::BuildSandbox). Still, anything may be
//! in `PATH`: a shell script that hangs or prints forever. So the tool runs in its own process group, because killing
//! only the script would leave its children running. [`super::Toolchain`] calls it.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use wait_timeout::ChildExt;

/// The tool is stopped if it writes more.
const MAX_OUTPUT_MIB: u64 = 16;

/// How much of the output is returned.
const RETURNED_BYTES: u64 = 4 * 1024;

/// The interval of checking the output's size.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `command` without input for at most `limit`. Both outputs go to one unnamed file, the start of which is
/// returned, however the run ended.
pub(super) fn run(command: &mut Command, limit: Duration) -> io::Result<Vec<u8>> {
    let mut output = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output.try_clone()?).process_group(0);
    let mut child = spawn(command, limit)?;
    watch(&mut child, &output, limit)?;
    output.rewind()?;
    let mut start = Vec::new();
    output.take(RETURNED_BYTES).read_to_end(&mut start)?;
    Ok(start)
}

/// Starts `command`; retries while its file is "busy": a child forked by another thread keeps the file open for writing
/// until it executes another program.
fn spawn(command: &mut Command, limit: Duration) -> io::Result<Child> {
    let start = Instant::now();
    loop {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && start.elapsed() < limit => {
                sleep(POLL_INTERVAL);
            }
            spawned => return spawned,
        }
    }
}

/// Waits for the end of `child`, or stops it.
fn watch(child: &mut Child, output: &File, limit: Duration) -> io::Result<()> {
    let start = Instant::now();
    while output.metadata()?.len() <= MAX_OUTPUT_MIB << 20 && start.elapsed() <= limit {
        let left = limit.saturating_sub(start.elapsed());
        if child.wait_timeout(left.min(POLL_INTERVAL))?.is_some() {
            return Ok(());
        }
    }
    stop(child)
}

fn stop(child: &mut Child) -> io::Result<()> {
    let group = Pid::from_raw(child.id().cast_signed());
    // The child is not reaped yet, so its number still identifies the group.
    killpg(group, Signal::SIGKILL)?;
    child.wait().map(drop)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;

    use super::*;

    fn shell(script: &str, limit_ms: u64) -> String {
        let printed = run(Command::new("/bin/sh").args(["-c", script]), Duration::from_millis(limit_ms)).unwrap();
        String::from_utf8(printed).unwrap()
    }

    #[test]
    fn both_outputs_are_heard_in_their_order_and_one_without_an_end_is_stopped() {
        assert_eq!(shell("echo one; echo two >&2; cat; exit 3", 60_000), "one\ntwo\n");
        assert_eq!(shell("exec yes", 60_000).len() as u64, RETURNED_BYTES);
    }

    #[test]
    fn a_tool_that_is_still_being_written_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tool");
        let mut file = File::options().create_new(true).write(true).mode(0o755).open(&path).unwrap();
        file.write_all(b"#!/bin/sh\necho done\n").unwrap();
        let busy = run(&mut Command::new(&path), Duration::ZERO).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ExecutableFileBusy);
        let writer = std::thread::spawn(move || {
            sleep(Duration::from_millis(200));
            drop(file);
        });
        let printed = run(&mut Command::new(&path), Duration::from_mins(1)).unwrap();
        writer.join().unwrap();
        assert_eq!(printed, b"done\n");
    }

    #[test]
    fn a_tool_that_sleeps_is_stopped_with_its_children() {
        let start = Instant::now();
        // On a busy machine it may be stopped before it begins.
        let mut limits_ms = (0..12).map(|doubled| 100 << doubled);
        let begun = limits_ms.any(|limit_ms| shell("echo begun; sleep 6000 & sleep 6000", limit_ms) == "begun\n");
        assert!(begun);
        assert!(start.elapsed() < Duration::from_mins(90), "it waited for the children");
    }
}
