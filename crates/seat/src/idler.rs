//! An idle process on which a meter or a control group is tried before a game.
//!
//! It knows nothing of the trial. The process must be gone when the trial is over.

use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

use nix::unistd::Pid;

use super::fault::HostError;
use super::system::{Wait, close_all_but, exit_now, fork, wait};

/// Runs `trial` on a process that waits until the trial is over.
pub(super) fn with_idler<T>(trial: impl FnOnce(Pid) -> Result<T, HostError>) -> Result<T, HostError> {
    let failed = "make a process for a trial";
    let (line, theirs) = UnixStream::pair().map_err(HostError::when(failed))?;
    let idler = fork(|| {
        // End of file ends the process, so it must not hold the other end itself.
        let mut word = [0];
        let _ = close_all_but(theirs.as_fd()).and_then(|()| nix::unistd::read(&theirs, &mut word));
        exit_now(0)
    });
    let idler = idler.map_err(HostError::when(failed))?;
    let outcome = trial(idler);
    drop(line);
    let _ = wait(Wait::For(idler));
    outcome
}
