//! Reads the state of a competition from its folder. It changes nothing; several commands call it.

use crate::assignment::{Assignment, Competition};
use crate::cli::Failure;
use crate::records::{Manifest, RunFolder};
use crate::tournament::{NextStep, Results};

/// The assignment of the run in `folder`; `None` if it has none.
pub(in crate::cli) fn assignment_of(folder: &RunFolder) -> Result<Option<Assignment>, Failure> {
    let file = folder.path().join("assignment.toml");
    let text = folder.assignment()?;
    let assignment = text.map(|text| Assignment::parse(&text, &file)).transpose();
    assignment.map_err(|faults| Failure::Input(faults.to_string()))
}

/// The competition of the run in `folder`; `None` for games between named agents, and for a grading.
pub(in crate::cli) fn competition_of(folder: &RunFolder, manifest: &Manifest) -> Result<Option<Competition>, Failure> {
    let assignment = assignment_of(folder)?;
    Ok(assignment.and_then(|assignment| assignment.competition_of(manifest).cloned()))
}

/// The next step, from the plan and the records; unreadable records count as missing.
pub(in crate::cli) fn next(manifest: &Manifest, competition: &Competition, folder: &RunFolder) -> NextStep {
    let results: Results = folder
        .summaries(manifest)
        .flatten()
        .map(|summary| (summary.id, summary.outcome.winner()))
        .collect();
    competition.next(manifest, &results)
}
