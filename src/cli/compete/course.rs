//! How far a competition is, by what its folder keeps.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use crate::assignment::{Assignment, Competition};
use crate::cli::Failure;
use crate::records::{Manifest, Role, RunFolder};
use crate::tournament::{Field, Next, Results, next_rounds, planned};

/// The competition that the run in `folder` is; `None` for games between two agents, and for a grading.
pub(in crate::cli) fn competition_of(folder: &RunFolder, manifest: &Manifest) -> Result<Option<Competition>, Failure> {
    let nothing_planned = manifest.games.is_empty() && manifest.answers.is_empty();
    // A grading keeps an assignment, too, and that may have a competition besides.
    if manifest.rounds.is_empty() && !nothing_planned {
        return Ok(None);
    }
    let Some(text) = folder.assignment()? else {
        return Ok(None);
    };
    let file = folder.path().join("assignment.toml");
    let assignment = Assignment::parse(&text, &file).map_err(|faults| Failure::Input(faults.to_string()))?;
    Ok(assignment.competition)
}

/// What comes next, by the plan and the records; records that cannot be read are missing.
pub(in crate::cli) fn next(manifest: &Manifest, competition: &Competition, folder: &RunFolder) -> Next {
    let results: Results = folder
        .summaries(manifest)
        .flatten()
        .map(|summary| (summary.id, summary.outcome.winner()))
        .collect();
    next_by(manifest, competition, &results)
}

/// What comes next, by the plan and these results.
pub(in crate::cli) fn next_by(manifest: &Manifest, competition: &Competition, results: &Results) -> Next {
    next_rounds(
        &competition.format,
        &field(manifest, competition),
        &planned(manifest),
        results,
    )
}

/// Who competes.
pub(super) fn field(manifest: &Manifest, competition: &Competition) -> Field {
    let agents = || manifest.agents.iter();
    let withdrawn: BTreeSet<String> = agents()
        .filter(|agent| agent.role == Role::Withdrawn)
        .map(|agent| agent.name.clone())
        .collect();
    let games = NonZeroU32::new(competition.games_per_pairing).unwrap_or(NonZeroU32::MIN);
    let players = agents().map(|agent| agent.name.clone()).collect();
    let mut field = Field::new(manifest.game, players, games, manifest.seed);
    field.withdrawn = withdrawn;
    field
}
