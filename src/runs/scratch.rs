//! Makes the scratch directory of a command, which the caller keeps until its end. It writes nothing there; `cli` calls
//! it.

use super::error::RunFailure;
use referee_seat::{Scratch, ScratchDir, remove_abandoned};

/// Makes one, after removing those of killed commands.
///
/// # Errors
///
/// [`RunFailure::Machine`].
pub fn scratch_dir(scratch: Scratch) -> Result<ScratchDir, RunFailure> {
    remove_abandoned();
    ScratchDir::new(scratch)
        .map_err(|error| RunFailure::machine(format!("cannot create a temporary directory: {error}")))
}
