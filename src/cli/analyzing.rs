//! Analyses and fits of curves with progress on standard error, until they are done or interrupted; and `--analyze` of
//! the commands that show games. It prints nothing of what is found.

use std::path::Path;
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::output::note;
use super::session::{on_threads, unless_interrupted, until_interrupted};
use crate::console::StepProgress;
use crate::runs::{
    AnalysisRequest, AnalyzedGames, KeptAnalyses, RefusedGame, analyze_games, analyze_record, fit_curve,
};
use referee_analysis::{AnalysisError, ExpectedScoreCurve, FitSettings};
use referee_games::{GameRef, KnownGames};
use referee_messages::{counted, plain};
use referee_records::{GameAnalysis, GameRecord, Host, RunFolder, analysis_beside};

/// The default random seed.
pub(super) const SEED: u64 = 1;

/// `--analyze`.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct AnalyzeFirst {
    /// First analyze what has no analysis yet, as `referee analyze` does
    #[arg(long)]
    analyze: bool,
}

impl AnalyzeFirst {
    pub(super) const fn is_asked(self) -> bool {
        self.analyze
    }

    /// Analyzes the games of a run that are to be shown. Those that cannot be analyzed are noted.
    pub(super) fn run(self, folder: &RunFolder) -> Result<(), Failure> {
        if !self.analyze {
            return Ok(());
        }
        let finished = folder.finished(&folder.manifest()?);
        let refused = analyze_run(folder, &finished, Self::request())?.refused;
        if let Some(RefusedGame { id, reason }) = refused.first() {
            let (count, id, reason) = (counted(refused.len(), "game"), plain(id), plain(reason));
            note(&format!("{count} cannot be analyzed; the first: {id}: {reason}"));
        }
        Ok(())
    }

    /// The analysis of the game in `record`, which was read from the file `path`, if it has one. A game that cannot be
    /// analyzed is noted.
    pub(super) fn record(
        self,
        path: &Path,
        record: &GameRecord,
        games: &KnownGames,
    ) -> Result<Option<GameAnalysis>, Failure> {
        if !self.analyze {
            return Ok(analysis_beside(path, &record.id, games));
        }
        let analyzed = analyze_one(path, record, games, Self::request())?;
        Ok(analyzed.map_err(|error| note(&format!("the game cannot be analyzed: {}", plain(&error.to_string())))).ok())
    }

    fn request() -> AnalysisRequest {
        AnalysisRequest {
            nodes: None,
            seed: SEED,
            confirm: 0,
            curve: None,
            jobs: Host::this().cores,
            kept: KeptAnalyses::OfAnySettings,
        }
    }
}

/// Analyzes the games `ids` of a run. Interrupted, it drops those that are not finished.
pub(super) fn analyze_run(
    folder: &RunFolder,
    ids: &[String],
    request: AnalysisRequest,
) -> Result<AnalyzedGames, Failure> {
    let games = counted(ids.len(), "game");
    let progress = StepProgress::new("games analyzed", ids.len());
    let (folder, ids) = (folder.clone(), ids.to_vec());
    with_progress(
        progress,
        move |progress| Ok(analyze_games(&folder, &ids, &request, || progress.step())?),
        |signal, done| format!("{signal} after {done} of {games}; rerun the same command to analyze the others"),
    )
}

/// Fits a curve for `game`, unless interrupted.
pub(super) fn fit(game: GameRef, settings: FitSettings, jobs: usize) -> Result<ExpectedScoreCurve, Failure> {
    with_progress(
        StepProgress::new("games played for the curve", settings.games as usize),
        move |progress| Ok(fit_curve(game, settings, jobs, || progress.step())?),
        |signal, _| format!("{signal}; rerun the same command to start over"),
    )
}

/// Runs blocking `work`, unless interrupted: then `message` says what is left of it, for the name of the signal and the
/// number of steps that are done.
fn with_progress<T: Send + 'static>(
    progress: StepProgress,
    work: impl FnOnce(&StepProgress) -> Result<T, Failure> + Send + 'static,
    message: impl FnOnce(&str, u64) -> String,
) -> Result<T, Failure> {
    let progress = Arc::new(progress);
    let at_work = Arc::clone(&progress);
    on_threads(until_interrupted(
        move || work(&at_work),
        |signal| {
            // A closed bar is full.
            let done = progress.done();
            progress.close();
            message(signal, done)
        },
    ))
}

/// Analyzes the game in `record`, unless interrupted.
pub(super) fn analyze_one(
    path: &Path,
    record: &GameRecord,
    games: &KnownGames,
    request: AnalysisRequest,
) -> Result<Result<GameAnalysis, AnalysisError>, Failure> {
    let (path, record, games) = (path.to_owned(), record.clone(), games.clone());
    on_threads(unless_interrupted(move || Ok(analyze_record(&path, &record, &games, &request)?)))
}
