//! Makes a competition of the versions that play on a ladder. It plays nothing; `cli/ladder` calls it.

use std::path::Path;

use super::{OpenLadder, open_ladder};
use crate::runs::assignment_file::{assignment_text, expect_place, load_competition};
use crate::runs::error::RunFailure;
use referee_games::KnownGames;
use referee_matches::ladder::LadderStandings;
use referee_messages::plain;
use referee_records::{AgentRecord, GameSummary, Manifest, RecordError, RunFolder, RunKind};
use referee_submissions::agents::SourceStore;

/// Begins the competition of the assignment in the file `path` in the folder `out`, among the newest versions of all
/// who play on the ladder at `ladder`, seeded by their ranks. Each takes part under the name of its participant.
///
/// # Errors
///
/// [`RunFailure`]; then there is no such run.
pub fn freeze_ladder(ladder: &Path, path: &Path, out: &Path, games: &KnownGames) -> Result<RunFolder, RunFailure> {
    let OpenLadder { folder, manifest, games: played, .. } = open_ladder(ladder, games)?;
    let (assignment, competition) = load_competition(path, games)?;
    if assignment.game != manifest.game {
        return Err(RunFailure::input(path, format!("its game is not that of the ladder, {}", manifest.game)));
    }
    if !competition.agents.is_empty() {
        return Err(RunFailure::input(path, "it names `agents`, but only those of the ladder take part: remove them"));
    }
    expect_place(out, RunKind::Competition)?;
    if RunFolder::is_begun(out) {
        let path = plain(&out.display().to_string());
        return Err(RunFailure::request(format!("`{path}` has a run already: name a new directory")));
    }
    RunFolder::expect_makeable(out).map_err(RunFailure::of_folder)?;
    let summaries = folder.ladder_summaries(&manifest, &played).map(|(_, summary)| summary);
    let summaries: Result<Vec<GameSummary>, RecordError> = summaries.collect();
    let standings = LadderStandings::of(&manifest, &summaries?, None);
    let sources = SourceStore::in_folder(out.join("agents"));
    let mut agents = vec![];
    for one in &standings.participants {
        let Some(version) = one.active() else { continue };
        let record = manifest.agents.iter().find(|agent| agent.name == version.agent);
        let record = record.ok_or_else(|| RunFailure::input(folder.path(), "its manifest lacks an agent"))?;
        sources.adopt(&folder.path().join(&record.origin), &record.digest)?;
        agents.push(AgentRecord { name: one.name.clone(), ..record.clone() });
    }
    let conditions = assignment.conditions(competition.play_time);
    let frozen = Manifest {
        kind: RunKind::Competition,
        agents,
        seating: manifest.seating,
        ..Manifest::new(assignment.game, conditions, assignment.seed)
    };
    competition.format.check(&competition.field(&frozen)).map_err(RunFailure::request)?;
    RunFolder::begin_by(out, &frozen, &assignment_text(path)?, games).map_err(RunFailure::of_folder)
}
