//! The analysis of the games of a run, or of one record: decides which curve to use and which games are missing, and
//! keeps what [`referee_analysis`] computes. `analyze` and everything that shows games on request call it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use rayon::prelude::*;
use serde::Serialize;

use super::error::{Remedy, RunFailure};
use referee_analysis::{AnalysisError, AnalysisSettings, Analyst, ExpectedScoreCurve, FitSettings, LostGame, fit};
use referee_games::builtin::NodeLimit;
use referee_games::{GameRef, KnownGames};
use referee_matches::referee::recorded_positions;
use referee_messages::plain;
use referee_records::{
    AnalysisBasis, GameAnalysis, GameRecord, MAX_RECORD_BYTES, RunFolder, digest_of_record, read_bounded,
    read_bounded_text, run_of_record,
};
use referee_seat::yield_to_others;

/// How games are analyzed.
#[derive(Clone, Debug)]
pub struct AnalysisRequest {
    /// The nodes of a search; `None`: as many as for the curve.
    pub nodes: Option<NodeLimit>,
    /// The random seed of continuations.
    pub seed: u64,
    /// The number of pairs of continuations from the decisive mistake.
    pub confirm: u32,
    /// The file of the curve; `None`: that of the run, or of the game.
    pub curve: Option<PathBuf>,
    /// The number of games at a time.
    pub jobs: usize,
    /// Which earlier analyses are kept.
    pub kept: KeptAnalyses,
}

/// Which analyses of the present record, by the present version, are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptAnalyses {
    /// Those with the settings and the curve of the request.
    OfRequest,
    /// All.
    OfAnySettings,
}

/// The result of analyzing games; without the lost games, what `--json` prints.
#[derive(Debug, Default, Serialize)]
pub struct AnalyzedGames {
    /// The nodes of a search of the games, the most if they differ; 0 without games.
    pub nodes: u64,
    /// The number of games that were analyzed.
    pub analyzed: usize,
    /// The number of games whose analysis was there and current.
    pub current: usize,
    /// The games that could not be analyzed.
    pub refused: Vec<RefusedGame>,
    /// The lost games, in the order of the run.
    #[serde(skip)]
    pub lost: Vec<LostGame>,
}

/// A game that could not be analyzed.
#[derive(Debug, Serialize)]
pub struct RefusedGame {
    /// Its name.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// Analyzes the games `ids` of a run where that is missing or out of date; calls `step` after each.
///
/// # Errors
///
/// [`RunFailure`] if a game has no curve, or analyses cannot be written.
pub fn analyze_games(
    folder: &RunFolder,
    ids: &[String],
    request: &AnalysisRequest,
    step: impl Fn() + Sync,
) -> Result<AnalyzedGames, RunFailure> {
    let by_game = Analysts { folder: Some(folder), request, known: Mutex::default() };
    let threads = in_background(request.jobs)?;
    let done = threads.install(|| {
        let done = ids.par_iter().map(|id| {
            let done = one_game(folder, id, &by_game);
            step();
            done
        });
        done.collect::<Result<Vec<_>, RunFailure>>()
    })?;
    let mut games = AnalyzedGames::default();
    for (id, done) in ids.iter().zip(done) {
        match done {
            Ok(AnalyzedGame { is_new, nodes, lost }) => {
                games.nodes = games.nodes.max(nodes);
                games.analyzed += usize::from(is_new);
                games.current += usize::from(!is_new);
                games.lost.extend(lost);
            }
            Err(reason) => games.refused.push(RefusedGame { id: id.clone(), reason }),
        }
    }
    Ok(games)
}

/// Analyzes the game in `record`, which was read from the file `path`, and keeps the analysis if that is in a run.
///
/// # Errors
///
/// [`RunFailure`] if the game has no curve, or the analysis cannot be written; inside, why the game cannot be analyzed.
pub fn analyze_record(
    path: &Path,
    record: &GameRecord,
    games: &KnownGames,
    request: &AnalysisRequest,
) -> Result<Result<GameAnalysis, AnalysisError>, RunFailure> {
    let folder = run_of_record(path, &record.id, games);
    let by_game = Analysts { folder: folder.as_ref(), request, known: Mutex::default() };
    let text = match &folder {
        Some(folder) => folder.text_of_game(&record.id)?,
        None => read_bounded(path, MAX_RECORD_BYTES).map_err(|error| RunFailure::input(path, error))?,
    };
    let analyzed = in_background(1)?.install(|| by_game.analysis(record, &text))?;
    Ok(analyzed.map(|(analysis, _)| analysis))
}

/// Fits a curve for `game` to games of built-in agents, on `jobs` threads; calls `step` after each game.
///
/// # Errors
///
/// [`RunFailure`] if the agents cannot play the game.
pub fn fit_curve(
    game: GameRef,
    settings: FitSettings,
    jobs: usize,
    step: impl Fn() + Send + Sync,
) -> Result<ExpectedScoreCurve, RunFailure> {
    let fitted = in_background(jobs)?.install(|| fit(game, settings, step));
    fitted.map_err(|error| RunFailure::invalid(plain(&error.to_string())))
}

/// Threads that leave the processors to timed games.
fn in_background(jobs: usize) -> Result<rayon::ThreadPool, RunFailure> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs).start_handler(|_| yield_to_others());
    threads.build().map_err(|error| RunFailure::machine(format!("cannot start threads: {error}")))
}

/// One game of a run.
struct AnalyzedGame {
    is_new: bool,
    nodes: u64,
    lost: Option<LostGame>,
}

/// Analyzes a game, or reads its analysis; the reason if that is impossible for this game alone.
fn one_game(folder: &RunFolder, id: &str, by_game: &Analysts<'_>) -> Result<Result<AnalyzedGame, String>, RunFailure> {
    let read = folder.game(id).and_then(|record| Ok((record, folder.text_of_game(id)?)));
    let (record, text) = match read {
        Ok(read) => read,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let (analysis, is_new) = match by_game.analysis(&record, &text)? {
        Ok(analyzed) => analyzed,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let nodes = analysis.basis.nodes;
    let positions = recorded_positions(&record).map_err(|difference| difference.to_string());
    Ok(positions.map(|positions| AnalyzedGame { is_new, nodes, lost: LostGame::of(&record, &positions, &analysis) }))
}

/// The analysts of the games of one run, each made once.
struct Analysts<'a> {
    folder: Option<&'a RunFolder>,
    request: &'a AnalysisRequest,
    known: Mutex<HashMap<GameRef, Analyst>>,
}

impl Analysts<'_> {
    /// The analysis of the record with this text, and whether it is new: kept in the run, if there is one.
    fn analysis(
        &self,
        record: &GameRecord,
        text: &[u8],
    ) -> Result<Result<(GameAnalysis, bool), AnalysisError>, RunFailure> {
        let analyst = self.of(record.game)?;
        let digest = digest_of_record(text);
        if let Some(known) = self.folder.and_then(|folder| self.known(folder, record, analyst.basis(digest.clone()))) {
            return Ok(Ok((known, false)));
        }
        let analyzed = analyst.analyze(record, digest);
        if let (Some(folder), Ok(analysis)) = (self.folder, &analyzed) {
            folder.keep_analysis(analysis)?;
        }
        Ok(analyzed.map(|analysis| (analysis, true)))
    }

    fn of(&self, game: GameRef) -> Result<Analyst, RunFailure> {
        let mut known = self.known.lock();
        if let Some(analyst) = known.get(&game) {
            return Ok(analyst.clone());
        }
        let AnalysisRequest { nodes, seed, confirm, .. } = *self.request;
        let curve = self.curve(game)?;
        let nodes = nodes.unwrap_or_else(|| curve.node_limit());
        let analyst = Analyst::new(AnalysisSettings { nodes, seed, confirm, curve });
        known.insert(game, analyst.clone());
        Ok(analyst)
    }

    /// The analysis of the game in `record` that is there, if it may be kept and tells of all turns.
    fn known(&self, folder: &RunFolder, record: &GameRecord, basis: AnalysisBasis) -> Option<GameAnalysis> {
        let known = folder.analysis(&record.id)?;
        let kept = match self.request.kept {
            KeptAnalyses::OfRequest => basis,
            KeptAnalyses::OfAnySettings => AnalysisBasis { agent: basis.agent, ..known.basis.clone() },
        };
        (known.basis == kept && known.turns.len() == record.turns.len()).then_some(known)
    }

    /// The curve of the request, of the run, or of the game, in this order.
    fn curve(&self, game: GameRef) -> Result<ExpectedScoreCurve, RunFailure> {
        let of_run = self.folder.map(RunFolder::curve_path).filter(|path| path.exists());
        if let Some(path) = self.request.curve.clone().or(of_run) {
            return read_curve(&path, game);
        }
        ExpectedScoreCurve::of_game(game).ok_or_else(|| {
            let what = format!("there is no curve of expected scores for {game}");
            RunFailure::invalid(what).with(Remedy::FitCurve)
        })
    }
}

fn read_curve(path: &Path, game: GameRef) -> Result<ExpectedScoreCurve, RunFailure> {
    let shown = plain(&path.display().to_string());
    let text = read_bounded_text(path, MAX_RECORD_BYTES)
        .map_err(|error| RunFailure::invalid(format!("cannot read `{shown}`: {error}")))?;
    ExpectedScoreCurve::read(&text, game).map_err(|error| RunFailure::invalid(format!("`{shown}`: {error}")))
}
