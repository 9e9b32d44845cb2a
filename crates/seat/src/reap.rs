//! Ends a run: kills and reaps everything that it started. The keeper calls it after every run.
//!
//! The keeper is a subreaper (`PR_SET_CHILD_SUBREAPER`, prctl(2)): a process whose parent dies becomes the keeper's
//! child. So the keeper kills its children, their children become its own, and so on until none is left. For a sealed
//! run it kills the whole PID namespace at once, for a confined one the process group; at `bare` it stops everything
//! first (`standstill`). Only unreaped descendants may be signalled, because only their numbers cannot belong to a
//! stranger. Afterwards no process of the run may be left, and all their CPU time must be in the keeper's account.

use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::{Pid, getpid};

use super::Isolation;
use super::fault::HostError;
use super::process_cap::ProcessCap;
use super::standstill::stop_and_kill_all;
use super::system::{ChildStatus, ReapedChild, Wait, WaitOutcome, wait};

/// The timeout for a killed process to vanish.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The pause between two rounds of killing.
const PAUSE: Duration = Duration::from_micros(200);

/// The most to reap before killing goes on: others may end as fast as they are reaped.
const BATCH: usize = 256;

/// The result of reaping a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reaped {
    pub(super) status: ChildStatus,
    pub(super) peak_rss_bytes: u64,
    /// How many processes besides the program had to be killed.
    pub(super) killed: u32,
}

/// Ends the program, if it is still running, and everything that it started. If anything is left, `cap` keeps it from
/// starting more.
pub(super) fn reap(program: Pid, level: Isolation, cap: Option<&mut ProcessCap>) -> Result<Reaped, HostError> {
    let failed = HostError::when::<Errno>("wait for the program");
    // One call for all processes still in the program's group. Its number is safe until the program is reaped; and the
    // kernel signals a group atomically, which no fork can outrun.
    if killpg(program, Signal::SIGKILL).is_err() {
        // It has no group yet if its start failed halfway.
        let _ = kill(program, Signal::SIGKILL);
    }
    let WaitOutcome::Reaped(ReapedChild { status, peak_rss_bytes }) = wait(Wait::For(program)).map_err(&failed)? else {
        return Err(failed(Errno::ECHILD));
    };
    let mut account = Reaped { status, peak_rss_bytes, killed: 0 };
    end_the_rest(level, cap, |reaped| account.count(reaped))?;
    Ok(account)
}

/// Ends the orphans that became this process's children when the keeper was killed. Best effort: nobody is left to
/// receive an error.
pub(super) fn reap_orphans() {
    drop(end_the_rest(Isolation::Bare, None, drop));
}

/// Kills and reaps until no child is left. All are stopped before the first of them is reaped: reaping one frees its
/// place among the processes that its user may have (`RLIMIT_NPROC`, getrlimit(2)), and one that still runs fills it.
fn end_the_rest(
    level: Isolation,
    mut cap: Option<&mut ProcessCap>,
    mut count: impl FnMut(ReapedChild),
) -> Result<(), HostError> {
    let deadline = Instant::now() + TIMEOUT;
    while has_children()? {
        if Instant::now() > deadline {
            return Err(HostError::when("get rid of what the program left behind")("it does not die"));
        }
        if let Some(cap) = cap.take() {
            cap.freeze();
        }
        kill_the_rest(level)?;
        if has_children_after_reaping(&mut count)? {
            std::thread::sleep(PAUSE);
        }
    }
    Ok(())
}

/// Whether there is any child, ended or not.
fn has_children() -> Result<bool, HostError> {
    let peek = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    loop {
        match waitid(Id::All, peek) {
            Ok(_) => return Ok(true),
            Err(Errno::ECHILD) => return Ok(false),
            Err(Errno::EINTR) => {}
            Err(errno) => return Err(HostError::when("wait for what the program left behind")(errno)),
        }
    }
}

/// Reaps children that have ended; returns whether others are left.
fn has_children_after_reaping(count: &mut impl FnMut(ReapedChild)) -> Result<bool, HostError> {
    for _ in 0..BATCH {
        match wait(Wait::Ended).map_err(HostError::when("wait for what the program left behind"))? {
            WaitOutcome::NoChildren => return Ok(false),
            WaitOutcome::NoneEnded => break,
            WaitOutcome::Reaped(reaped) => count(reaped),
        }
    }
    Ok(true)
}

impl Reaped {
    fn count(&mut self, reaped: ReapedChild) {
        self.peak_rss_bytes = self.peak_rss_bytes.max(reaped.peak_rss_bytes);
        self.killed += u32::from(reaped.status == ChildStatus::Signalled(Signal::SIGKILL as i32));
    }
}

fn kill_the_rest(level: Isolation) -> Result<(), HostError> {
    match level {
        // The first process of a PID namespace sees only that namespace, and nothing in it can fork during the call.
        // Anywhere else this would signal every process of the user.
        Isolation::Sealed if getpid().as_raw() == 1 => {
            let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
            Ok(())
        }
        Isolation::Sealed | Isolation::Confined | Isolation::Bare => stop_and_kill_all(),
    }
}
