//! A private directory for the length of a command.

use super::failure::Failure;
use crate::seat::{Scratch, ScratchDir, remove_abandoned};

/// Makes one, after removing what commands have left that were killed.
pub(super) fn scratch_dir(scratch: Scratch) -> Result<ScratchDir, Failure> {
    remove_abandoned();
    ScratchDir::new(scratch).map_err(|error| {
        Failure::Machine(format!(
            "cannot make a temporary directory in `{}`: {error}; name another folder in `TMPDIR`",
            std::env::temp_dir().display()
        ))
    })
}
