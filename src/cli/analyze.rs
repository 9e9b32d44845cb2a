//! `referee analyze`: says what lost recorded games, and keeps it beside the records. `referee_analysis` computes it.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::analyzing::{SEED, analyze_one, analyze_run, fit};
use super::game::with_rules;
use super::output::SoundOutput;
use super::{CommandOutcome, Failure};
use crate::console::{Stream, Terminal};
use crate::runs::{AnalysisRequest, AnalyzedGames, KeptAnalyses, WantedRecord, no_record, open_run};
use crate::shell::shell_path;
use referee_analysis::{CommonLosses, FitSettings, LossGroup, LossKind, common_losses, default_nodes};
use referee_games::builtin::NodeLimit;
use referee_games::{GameName, GameRef};
use referee_matches::referee::recorded_positions;
use referee_messages::{
    AnalysisWords, OutputStyle, SideNames, analysis_lines, board_words, counted, loss_group_sentence, mark_words, plain,
};
use referee_records::{GameAnalysis, GameRecord, Host, RunFolder, read_game, write_file};

/// The default number of games for a curve.
const FIT_GAMES: u32 = 300;

/// Find the mistakes that lost recorded games
///
/// Values every move by the search of `builtin:alphabeta`, and keeps the result in RUN/analysis, where pages, `replay`
/// and `explain` show it. A move is a mistake only if a search four times as long agrees. The same record gives the
/// same analysis on every machine. Rerun the command at any time: it analyzes only what is missing or out of date.
#[derive(Debug, Args)]
pub(super) struct AnalyzeCommand {
    /// Run directory, or the record of one game
    #[arg(value_name = "RUN|RECORD", required_unless_present = "fit")]
    target: Option<PathBuf>,
    /// Nodes of each search [default: as for the curve; for a new one, so few that a game takes a few seconds]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=NodeLimit::MAX))]
    nodes: Option<u64>,
    /// Play N games each from the better move and from the decisive mistake, to see how often it mattered
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1000))]
    confirm: u32,
    /// Random seed of `--confirm` and `--fit`
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,
    /// Games to analyze at a time [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Curve of expected scores to use; with `--fit`, the file to write [default: that of the run, or of the game]
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    /// Fit the curve of expected scores first, to games of built-in agents: for games whose rules are a program
    #[arg(long)]
    fit: bool,
    /// Games to play for `--fit`
    #[arg(long, value_name = "N", requires = "fit", default_value_t = FIT_GAMES,
          value_parser = clap::value_parser!(u32).range(6..=1_000_000))]
    fit_games: u32,
    /// Game of the curve, where no run is named
    #[arg(long, value_name = "GAME", requires = "fit", requires = "curve", conflicts_with = "target")]
    game: Option<GameName>,
    /// Rules of that game, if it has several
    #[arg(long, value_name = "RULES", requires = "game")]
    rules: Option<String>,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

/// The output of `--json` for a run.
#[derive(Serialize)]
struct AnalyzedRun<'a> {
    #[serde(flatten)]
    done: &'a AnalyzedGames,
    #[serde(flatten)]
    losses: CommonLosses,
}

impl AnalyzeCommand {
    pub(super) fn run(self, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        match &self.target {
            None => {
                let (Some(game), Some(curve)) = (&self.game, &self.curve) else {
                    return Err(Failure::Usage("`--fit` needs a run, or `--game` and `--curve`".to_owned()));
                };
                let game = with_rules(output.games.named(game)?, self.rules.as_deref())?;
                self.fit_for(game, curve, output)?;
                Ok(CommandOutcome::Yes)
            }
            Some(path) if path.is_dir() => self.analyze_run(path, output),
            Some(path) => self.analyze_record(path, output),
        }
    }

    fn request(&self) -> AnalysisRequest {
        AnalysisRequest {
            nodes: self.nodes(),
            seed: self.seed,
            confirm: self.confirm,
            curve: self.curve.clone(),
            jobs: self.jobs(),
            kept: KeptAnalyses::OfRequest,
        }
    }

    fn nodes(&self) -> Option<NodeLimit> {
        self.nodes.map(|nodes| NodeLimit::new(nodes).expect("the parser checks the range"))
    }

    fn jobs(&self) -> usize {
        self.jobs.map_or_else(|| Host::this().cores, usize::from)
    }

    fn analyze_run(&self, path: &Path, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let (folder, manifest) = open_run(path, output.games)?;
        let finished = folder.finished(&manifest);
        if self.fit {
            self.fit_for_run(&folder, &finished, output)?;
        }
        let done = analyze_run(&folder, &finished, self.request())?;
        let losses = common_losses(&done.lost, &manifest);
        if self.json {
            output.print_json(&AnalyzedRun { done: &done, losses })?;
        } else {
            output.say(&(run_lines(path, &done, &losses).join("\n") + "\n"))?;
        }
        match done.refused.len() {
            0 => Ok(CommandOutcome::Yes),
            count => Err(Failure::Input(format!("{} cannot be analyzed", counted(count, "game")))),
        }
    }

    fn analyze_record(&self, path: &Path, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let record = read_game(path, output.games).map_err(|error| no_record(path, WantedRecord::Game, error))?;
        if self.fit {
            return Err(Failure::Usage("`--fit` needs the run, not one of its records".to_owned()));
        }
        let analyzed = analyze_one(path, &record, output.games, self.request())?;
        let analysis = analyzed.map_err(|error| Failure::input(path, error))?;
        if self.json {
            output.print_json(&analysis)?;
        } else {
            let mut lines = game_lines(&record, &analysis, Terminal::of(Stream::Stdout).look())?;
            lines.push(searched_with(analysis.basis.nodes));
            output.say(&(lines.join("\n") + "\n"))?;
        }
        Ok(CommandOutcome::Yes)
    }

    /// Fits the curve of the game of a run, and keeps it there, or where `--curve` says.
    fn fit_for_run(&self, folder: &RunFolder, finished: &[String], output: SoundOutput<'_>) -> Result<(), Failure> {
        let Some(first) = finished.first() else { return Ok(()) };
        let game = folder.game(first)?.game;
        match &self.curve {
            Some(path) => self.fit_for(game, path, output),
            None => self.fit_for(game, &folder.curve_path(), output),
        }
    }

    fn fit_for(&self, game: GameRef, path: &Path, output: SoundOutput<'_>) -> Result<(), Failure> {
        let nodes = self.nodes().unwrap_or_else(|| default_nodes(game));
        let settings = FitSettings::new(nodes, self.fit_games, self.seed);
        let curve = fit(game, settings, self.jobs())?;
        output.expect_sound_rules()?;
        let shown = plain(&path.display().to_string());
        let (folder, name) = (path.parent().unwrap_or(Path::new(".")), path.file_name().unwrap_or(path.as_os_str()));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        write_file(folder, &name.to_string_lossy(), curve.to_text().as_bytes())
            .map_err(|error| Failure::Write(format!("cannot write `{shown}`: {error}")))?;
        output.note(&format!(
            "curve: {shown}, fitted to {} by searches of {} nodes; mean squared error {} on {} held out, at best {}",
            counted(curve.games as usize, "game"),
            curve.nodes,
            curve.brier,
            counted(curve.held_out as usize, "game"),
            curve.brier_of_bins
        ));
        Ok(())
    }
}

fn run_lines(path: &Path, done: &AnalyzedGames, losses: &CommonLosses) -> Vec<String> {
    let kept = plain(&path.join("analysis").display().to_string());
    let current = if done.current > 0 { format!(" ({} already analyzed)", done.current) } else { String::new() };
    let mut lines = vec![format!("analyzed {}{current}, in {kept}", counted(done.analyzed + done.current, "game"))];
    lines.extend((done.nodes > 0).then(|| searched_with(done.nodes)));
    lines.extend(done.refused.iter().map(|game| format!("{}: {}", plain(&game.id), plain(&game.reason))));
    if losses.lost > 0 {
        lines.push(String::new());
        lines.push(format!("what lost {} of participants:", counted(losses.lost, "game")));
        lines.extend(losses.groups.iter().flat_map(|group| group_lines(path, group)));
    }
    lines
}

/// How long the searches are.
fn searched_with(nodes: u64) -> String {
    format!("nodes of a search: {nodes}")
}

fn group_lines(path: &Path, group: &LossGroup) -> Vec<String> {
    let indent = if matches!(group.kind, LossKind::MistakeIn { .. }) { "    " } else { "  " };
    let mut lines = vec![format!("{indent}{}", loss_group_sentence(group))];
    lines.extend(group.examples.iter().map(|game| {
        let turn = game.turn.map_or_else(String::new, |turn| format!(" --turn {}", turn - 1));
        let record = shell_path(&path.join("games").join(format!("{}.json", game.id)));
        format!("{indent}  referee replay {record}{turn}")
    }));
    lines
}

/// What lost a game, and its mistakes, one line each.
fn game_lines(record: &GameRecord, analysis: &GameAnalysis, look: OutputStyle) -> Result<Vec<String>, Failure> {
    let names = SideNames::of(record);
    let positions = recorded_positions(record).map_err(|difference| Failure::Input(difference.to_string()))?;
    let mut lines = analysis_lines(&AnalysisWords::of(record, &positions, analysis, &names), look);
    let marked = analysis.turns.iter().enumerate().filter_map(|(index, turn)| {
        let (mark, played) = (mark_words(turn)?, turn.played.as_ref()?);
        Some(format!("turn {}, {}: `{}`, {mark}", index + 1, names.side(turn.side), board_words(&played.mv)))
    });
    lines.extend(marked);
    Ok(lines)
}
