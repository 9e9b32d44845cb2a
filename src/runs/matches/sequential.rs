//! The sequential tests of a match, one per opponent.
//!
//! A result must follow from the records of the run in planned order, so that it does not depend on `--jobs` or on
//! interruptions.

use serde::Serialize;

use crate::runs::error::RunFailure;
use crate::runs::progress::{OnProgress, Progress};
use referee_matches::tournament::{MatchStatistics, PendingTask, SequentialTest, Sprt, SprtState};
use referee_records::{Manifest, RecordError, RunFolder, read_summary, write_files};

/// The tests of a run, one per opponent; empty if all games are to be played.
#[derive(Clone, Debug)]
pub(super) struct MatchTests {
    tests: Vec<SequentialTest>,
}

impl MatchTests {
    /// Tests the first agent of `manifest` against each of the others.
    pub(super) fn new(sprt: Option<Sprt>, manifest: &Manifest) -> Self {
        let names: Vec<&str> = manifest.agents.iter().map(|agent| agent.name.as_str()).collect();
        let tests = match (sprt, names.as_slice()) {
            (Some(sprt), [a, opponents @ ..]) => {
                let test = |opponent: &&str| SequentialTest::new(sprt, [a, opponent], &manifest.games);
                opponents.iter().map(test).collect()
            }
            (None, _) | (Some(_), []) => vec![],
        };
        Self { tests }
    }

    /// The tests, in the order of the opponents.
    pub(super) fn into_tests(self) -> Vec<SequentialTest> {
        self.tests
    }

    /// Whether there is no test.
    pub(super) fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Counts newly finished games.
    pub(super) fn look(&mut self, folder: &RunFolder) -> Result<(), RecordError> {
        let finished = |id: &str| {
            let path = folder.path_of(id);
            path.exists().then(|| read_summary(&path)).transpose()
        };
        self.tests.iter_mut().try_for_each(|test| test.update(finished))
    }

    /// Whether the game is still needed after all finished ones; tells the state of its test.
    pub(super) fn wants(&mut self, task: &PendingTask, folder: &RunFolder, on_progress: &OnProgress) -> bool {
        if self.look(folder).is_err() {
            // The results are read again at the end, and an unreadable record is reported there.
            return false;
        }
        let test = self.tests.iter().find(|test| {
            let [_, opponent] = test.players();
            task.concerns(opponent)
        });
        let Some(test) = test else {
            return true;
        };
        on_progress(Progress::Tested(test.state()));
        !test.is_decided()
    }

    /// After the last game: reduces the plan to the played games, so that the run is finished, and stores the tests
    /// beside it.
    pub(super) fn finish(&mut self, folder: &RunFolder, manifest: &mut Manifest) -> Result<(), RunFailure> {
        if self.tests.is_empty() {
            return Ok(());
        }
        self.look(folder)?;
        manifest.games.retain(|pairing| folder.path_of(&pairing.id).exists());
        folder.revise(manifest)?;
        write_files(folder.path(), [("sprt.json", test_file(&self.tests)?.as_str())])?;
        Ok(())
    }
}

/// The tests of a run, as stored in `sprt.json`.
fn test_file(tests: &[SequentialTest]) -> Result<String, RunFailure> {
    let kept: Vec<KeptTest<'_>> = tests.iter().map(KeptTest::of).collect();
    let text = serde_json::to_string_pretty(&kept).map_err(|error| RunFailure::Bug(error.to_string()))?;
    Ok(text + "\n")
}

/// The hypotheses, the counts and the decision.
#[derive(Serialize)]
struct KeptTest<'a> {
    players: [&'a str; 2],
    sprt: Sprt,
    #[serde(flatten)]
    statistics: MatchStatistics,
    state: SprtState,
}

impl<'a> KeptTest<'a> {
    fn of(test: &'a SequentialTest) -> Self {
        Self {
            players: test.players(),
            sprt: test.sprt(),
            statistics: MatchStatistics::of(test.counts()),
            state: test.state(),
        }
    }
}
