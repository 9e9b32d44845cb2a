//! Reports the voids of a run. It only prints; commands that play call it at their end.

use std::collections::BTreeSet;

use super::Failure;
use super::output::note;
use referee_matches::tournament::Voids;
use referee_messages::{counted_are, missing_lines, void_lines};
use referee_records::{Manifest, RunFolder, VoidRecord};

/// What to do where the rules program of a run has failed.
pub(super) const FIX_RULES: &str =
    "fix the rules, then begin a new run with a new `--out`, because a run keeps its rules";

/// The same for a ladder, whose other games are played all the same.
pub(super) const FIX_LADDER_RULES: &str =
    "fix the rules, then begin a new ladder with `referee ladder new`, because a ladder keeps its rules";

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
    let retry = if voids.is_of_rules() { FIX_RULES } else { retry };
    expect_all(voids.set_aside.len(), retry)
}

/// The same for the games that a ladder's command has found void: those of earlier commands were reported by them.
pub(super) fn print_ladder_voids(
    folder: &RunFolder,
    manifest: &Manifest,
    voided: &BTreeSet<String>,
) -> Result<(), Failure> {
    if voided.is_empty() {
        return Ok(());
    }
    let mut set_aside = folder.voids(manifest)?;
    set_aside.retain(|record| voided.contains(&record.id) && !folder.has_game(&record.id));
    for line in missing_lines(&set_aside) {
        note(&line);
    }
    let is_of_rules = set_aside.iter().any(VoidRecord::is_of_rules);
    expect_all(set_aside.len(), if is_of_rules { FIX_LADDER_RULES } else { "the ladder goes on without them" })
}

fn expect_all(missing: usize, advice: &str) -> Result<(), Failure> {
    if missing == 0 {
        return Ok(());
    }
    Err(Failure::SetAside(format!(
        "{} missing: every attempt failed; nobody gains or loses points by {}; {advice}",
        counted_are(missing, "result"),
        if missing == 1 { "it" } else { "them" },
    )))
}
