//! Reports the voids of a run. It only prints; commands that play call it at their end.

use std::collections::BTreeSet;
use std::path::Path;

use super::Failure;
use super::output::note;
use super::remedy::words;
use crate::runs::Remedy;
use crate::shell::shell_path;
use referee_matches::tournament::Voids;
use referee_messages::{counted_are, missing_lines, void_lines};
use referee_records::{Manifest, RunFolder, RunKind, VoidRecord};

/// What to do where the rules program of a run of this kind has failed.
pub(super) fn fix_rules(kind: RunKind) -> String {
    format!("fix the rules, {}", words(&Remedy::BeginAnew(kind)))
}

/// How to go on with a competition whose void games hold up a round.
pub(super) fn withdrawal(run: &Path) -> String {
    format!("withdrawing an agent with `referee plan --next {} --withdraw NAME`", shell_path(run))
}

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
    let fix = voids.is_of_rules().then(|| fix_rules(manifest.kind));
    expect_all(voids.set_aside.len(), fix.as_deref().unwrap_or(retry))
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
    let fix = set_aside.iter().any(VoidRecord::is_of_rules).then(|| fix_rules(manifest.kind));
    expect_all(set_aside.len(), fix.as_deref().unwrap_or("the ladder goes on without them"))
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
