//! Refuses runs of the wrong kind before a command does anything. Commands that take a run call it.

use std::path::Path;

use super::error::{Remedy, RunFailure};
use referee_messages::plain;
use referee_records::{Manifest, RunFolder, RunKind};

/// What the user can do instead.
#[derive(Clone, Copy, Debug)]
pub enum WantedKind {
    /// The command plays: it can begin a run elsewhere.
    ToPlay,
    /// The command reads an existing run.
    ToRead,
}

/// Refuses the run of `manifest` in the folder `path` if its kind is not `expected`.
///
/// # Errors
///
/// [`RunFailure::Request`].
pub fn expect_kind(path: &Path, manifest: &Manifest, expected: RunKind, wanted: WantedKind) -> Result<(), RunFailure> {
    expect(path, manifest.kind, expected, wanted)
}

/// Refuses the folder `out` for a new or resumed run if it has a run of another kind. Reads only the kind, and writes
/// nothing.
pub(super) fn expect_kind_in(out: &Path, expected: RunKind) -> Result<(), RunFailure> {
    if !RunFolder::is_begun(out) {
        return Ok(());
    }
    expect(out, RunFolder::kind(out)?, expected, WantedKind::ToPlay)
}

fn expect(path: &Path, found: RunKind, expected: RunKind, wanted: WantedKind) -> Result<(), RunFailure> {
    if found == expected {
        return Ok(());
    }
    let (path, found) = (plain(&path.display().to_string()), found.words());
    let problem = format!("`{path}` is the run directory of {found}, not of {}", expected.words());
    Err(RunFailure::request(problem).with(match wanted {
        WantedKind::ToPlay => Remedy::OtherFolder,
        WantedKind::ToRead => Remedy::NameRun(expected),
    }))
}
