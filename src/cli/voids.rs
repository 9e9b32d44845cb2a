//! Reports the voids of a run. It only prints; commands that play call it at their end.

use super::Failure;
use super::output::note;
use referee_matches::tournament::Voids;
use referee_messages::{counted_are, void_lines};
use referee_records::{Manifest, RunFolder};

/// What to do where the rules program of a run has failed.
pub(super) const FIX_RULES: &str =
    "fix the rules, then begin a new run with a new `--out`, because a run keeps its rules";

/// Reports the voids of a run; returns them.
pub(super) fn note_voids(folder: &RunFolder, manifest: &Manifest) -> Result<Voids, Failure> {
    let voids = Voids::of(folder, manifest)?;
    for line in void_lines(&voids) {
        note(&line);
    }
    Ok(voids)
}

/// The same for a command that should leave nothing missing: it then fails, with everything else done.
pub(super) fn print_voids(folder: &RunFolder, manifest: &Manifest, retry: &str) -> Result<(), Failure> {
    let voids = note_voids(folder, manifest)?;
    let missing = voids.set_aside.len();
    if missing == 0 {
        return Ok(());
    }
    let retry = if voids.is_of_rules() { FIX_RULES } else { retry };
    Err(Failure::SetAside(format!(
        "{} missing: every attempt failed; nobody gains or loses points by {}; {retry}",
        counted_are(missing, "result"),
        if missing == 1 { "it" } else { "them" },
    )))
}
