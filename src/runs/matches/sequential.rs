//! The sequential tests of a match, one per opponent.
//!
//! A result must follow from the records of the run in planned order, so that it does not depend on `--jobs` or on
//! interruptions.

use serde::Serialize;

use crate::runs::error::RunFailure;
use crate::runs::progress::{OnProgress, Progress};
use referee_matches::tournament::{MatchStatistics, PendingTask, SequentialTest, Sprt, SprtState};
use referee_records::{Manifest, RecordError, RunFolder, read_summary, write_files};

/// Tests of the first agent of `manifest` against each of the others, in order; none without `sprt`.
pub(super) fn match_tests(sprt: Option<Sprt>, manifest: &Manifest) -> Vec<SequentialTest> {
    let mut names = manifest.agents.iter().map(|agent| agent.name.as_str());
    let (Some(sprt), Some(first)) = (sprt, names.next()) else { return vec![] };
    names.map(|opponent| SequentialTest::new(sprt, [first, opponent], &manifest.games)).collect()
}

/// Counts newly finished games.
pub(super) fn look(tests: &mut [SequentialTest], folder: &RunFolder) -> Result<(), RecordError> {
    let finished = |id: &str| {
        let path = folder.path_of(id);
        path.exists().then(|| read_summary(&path)).transpose()
    };
    tests.iter_mut().try_for_each(|test| test.update(finished))
}

/// Whether the game is still needed after all finished ones; tells the state of its test.
pub(super) fn wants(
    tests: &mut [SequentialTest],
    task: &PendingTask,
    folder: &RunFolder,
    on_progress: &OnProgress,
) -> bool {
    if look(tests, folder).is_err() {
        // The results are read again at the end, and an unreadable record is reported there.
        return false;
    }
    let Some(test) = tests.iter().find(|test| task.concerns(test.players()[1])) else { return true };
    on_progress(Progress::Tested(test.state()));
    !test.is_decided()
}

/// After the last game: reduces the plan to the played games, so that the run is finished, and stores the tests
/// beside it.
pub(super) fn finish(
    tests: &mut [SequentialTest],
    folder: &RunFolder,
    manifest: &mut Manifest,
) -> Result<(), RunFailure> {
    if tests.is_empty() {
        return Ok(());
    }
    look(tests, folder)?;
    manifest.games.retain(|pairing| folder.path_of(&pairing.id).exists());
    folder.revise(manifest)?;
    let kept = |test: &SequentialTest| KeptTest {
        players: test.players().map(str::to_owned),
        sprt: test.sprt(),
        statistics: MatchStatistics::of(test.counts()),
        state: test.state(),
    };
    let kept: Vec<KeptTest> = tests.iter().map(kept).collect();
    let text = serde_json::to_string_pretty(&kept).map_err(|error| RunFailure::Bug(error.to_string()))?;
    Ok(write_files(folder.path(), [("sprt.json", (text + "\n").as_str())])?)
}

#[derive(Serialize)]
struct KeptTest {
    players: [String; 2],
    sprt: Sprt,
    #[serde(flatten)]
    statistics: MatchStatistics,
    state: SprtState,
}
