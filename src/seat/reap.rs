//! Ending a run: everything that it started is killed, and all of it is waited for.
//!
//! The keeper is a subreaper (`PR_SET_CHILD_SUBREAPER`, prctl(2)): a process whose parent dies becomes the keeper's
//! child. So the keeper kills its children, whose children then become its own, and so on until it has none. Of a
//! sealed run it kills everything in the PID namespace in one piece, and of a confined one the process group.
//! What must always hold: only children that were not waited for are signalled, for only their numbers cannot have
//! passed to a stranger; when it is over, no process of the run is left, and all their CPU time is in the keeper's
//! account.

use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, getpgid, getpgrp, getpid};

use super::Isolation;
use super::fault::HostError;
use super::processes::children;
use super::system::{ChildStatus, ReapedChild, Wait, WaitOutcome, wait};

/// How long a killed process may take to be gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// Between two rounds of killing.
const PAUSE: Duration = Duration::from_micros(200);

/// What is known of a run when all of it has been waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reaped {
    pub(super) status: ChildStatus,
    pub(super) peak_rss_bytes: u64,
    /// How many had to be killed besides the program.
    pub(super) killed: u32,
}

/// Ends the program, if it has not ended, and everything that came of it.
pub(super) fn reap(program: Pid, level: Isolation) -> Result<Reaped, HostError> {
    let failed = HostError::when::<Errno>("wait for the program");
    // One call for all that stayed in the program's own group. Its number is safe as long as the program, dead or
    // alive, has not been waited for; and a group is signalled in one piece, which no fork can outrun.
    let _ = killpg(program, Signal::SIGKILL);
    // And the program itself, which has no group of its own yet where its start failed halfway.
    let _ = kill(program, Signal::SIGKILL);
    let WaitOutcome::Reaped(ReapedChild { status, peak_rss_bytes }) = wait(Wait::For(program)).map_err(&failed)? else {
        return Err(failed(Errno::ECHILD));
    };
    let mut harvest = Reaped {
        status,
        peak_rss_bytes,
        killed: 0,
    };
    reap_the_rest(&mut harvest, level)?;
    Ok(harvest)
}

/// Ends whatever has become this process's own because the keeper that was its ancestor was killed. Best effort: nobody
/// is left to be told.
pub(super) fn reap_orphans() {
    let deadline = Instant::now() + PATIENCE;
    while Instant::now() < deadline {
        match wait(Wait::Ended) {
            Ok(WaitOutcome::Reaped(_)) => {}
            Ok(WaitOutcome::NoneEnded) => {
                for child in children().unwrap_or_default() {
                    // A group in one piece, and this is nobody else's: it has a member here that was not waited for.
                    if let Ok(group) = getpgid(Some(child))
                        && group != getpgrp()
                    {
                        let _ = killpg(group, Signal::SIGKILL);
                    }
                    let _ = kill(child, Signal::SIGKILL);
                }
                std::thread::sleep(PAUSE);
            }
            Ok(WaitOutcome::NoChildren) | Err(_) => return,
        }
    }
}

fn reap_the_rest(harvest: &mut Reaped, level: Isolation) -> Result<(), HostError> {
    let failed = HostError::when::<Errno>("wait for what the program left behind");
    let deadline = Instant::now() + PATIENCE;
    loop {
        match wait(Wait::Ended).map_err(&failed)? {
            WaitOutcome::NoChildren => return Ok(()),
            WaitOutcome::Reaped(reaped) => harvest.count(reaped),
            WaitOutcome::NoneEnded if Instant::now() > deadline => {
                return Err(HostError::when("get rid of what the program left behind")(
                    "it does not die",
                ));
            }
            WaitOutcome::NoneEnded => {
                kill_the_rest(level)?;
                std::thread::sleep(PAUSE);
            }
        }
    }
}

impl Reaped {
    fn count(&mut self, reaped: ReapedChild) {
        self.peak_rss_bytes = self.peak_rss_bytes.max(reaped.peak_rss_bytes);
        self.killed += u32::from(reaped.status == ChildStatus::Signalled(Signal::SIGKILL as i32));
    }
}

fn kill_the_rest(level: Isolation) -> Result<(), HostError> {
    match level {
        // Everything that the first process of a PID namespace can see is in that namespace, and nothing in it can fork
        // while this is done. Anywhere else this would be every process of the user.
        Isolation::Sealed if getpid().as_raw() == 1 => {
            let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
            Ok(())
        }
        Isolation::Sealed | Isolation::Confined | Isolation::Bare => kill_children(),
    }
}

fn kill_children() -> Result<(), HostError> {
    for child in children().map_err(HostError::when("list what the program left behind"))? {
        // Children that are dead by now are not an error, and the round after next shows whether one still lives.
        let _ = kill(child, Signal::SIGKILL);
    }
    Ok(())
}
