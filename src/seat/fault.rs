//! A failure of the keeper itself: what it was about to do, and what the system said.

use std::fmt;

use nix::errno::Errno;

/// Never the agent's doing, or at least nothing that it may lose by: the game is void.
#[derive(Debug)]
pub(super) struct HostError {
    doing: &'static str,
    cause: String,
}

impl HostError {
    /// For `map_err`: `could not <doing>: <what the system said>`.
    pub(super) fn when<E: Cause>(doing: &'static str) -> impl Fn(E) -> Self {
        move |error| Self {
            doing,
            cause: error.cause(),
        }
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the keeper could not {}: {}", self.doing, self.cause)
    }
}

/// Something that can be said of an error in half a line.
pub(super) trait Cause {
    fn cause(&self) -> String;
}

impl Cause for Errno {
    fn cause(&self) -> String {
        in_words(*self)
    }
}

impl Cause for std::io::Error {
    fn cause(&self) -> String {
        self.raw_os_error()
            .map_or_else(|| self.to_string(), |code| in_words(Errno::from_raw(code)))
    }
}

impl Cause for &str {
    fn cause(&self) -> String {
        (*self).to_owned()
    }
}

/// What the system says of an error, in lower case.
pub(super) fn in_words(errno: Errno) -> String {
    errno.desc().to_lowercase()
}
