//! A failure of the keeper itself: what it was doing, and the system's error. It never describes an agent's fault, and
//! every part of the keeper returns it.

use std::fmt;

use nix::errno::Errno;

use super::SeatError;

/// Never the agent's fault: the game is void.
#[derive(Debug)]
pub(super) struct HostError {
    doing: &'static str,
    cause: String,
    is_starvation: bool,
}

impl HostError {
    /// For `map_err`: `could not <doing>: <system error>`.
    pub(super) fn when<E: ErrorCause>(doing: &'static str) -> impl Fn(E) -> Self {
        move |error| Self { doing, cause: error.cause(), is_starvation: false }
    }

    /// The machine had no processor for the program.
    pub(super) fn starved(cause: &str) -> Self {
        Self { is_starvation: true, ..Self::when("give the program a processor")(cause) }
    }
}

impl From<HostError> for SeatError {
    fn from(fault: HostError) -> Self {
        let error = if fault.is_starvation { Self::Starved } else { Self::Failed };
        error(fault.to_string())
    }
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the keeper could not {}: {}", self.doing, self.cause)
    }
}

/// An error with a short description.
pub(super) trait ErrorCause {
    fn cause(&self) -> String;
}

impl ErrorCause for Errno {
    fn cause(&self) -> String {
        in_words(*self)
    }
}

impl ErrorCause for std::io::Error {
    fn cause(&self) -> String {
        self.raw_os_error().map_or_else(|| self.to_string(), |code| in_words(Errno::from_raw(code)))
    }
}

impl ErrorCause for &str {
    fn cause(&self) -> String {
        (*self).to_owned()
    }
}

/// The system's description of an error, in lower case.
pub(super) fn in_words(errno: Errno) -> String {
    errno.desc().to_lowercase()
}
