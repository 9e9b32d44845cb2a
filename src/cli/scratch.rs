//! Makes a scratch directory for the duration of a command.

use super::failure::Failure;
use crate::seat::{Scratch, ScratchDir, remove_abandoned};

/// Makes one, after removing those of killed commands.
pub(super) fn scratch_dir(scratch: Scratch) -> Result<ScratchDir, Failure> {
    remove_abandoned();
    ScratchDir::new(scratch).map_err(|error| {
        Failure::Machine(format!(
            "cannot create a temporary directory in `{}`: {error}; set `TMPDIR` to another directory",
            std::env::temp_dir().display()
        ))
    })
}
