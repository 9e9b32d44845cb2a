//! `referee standings`: computes and prints the standings of a run.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::output::{json_line, note, print, say};
use super::{CommandOutcome, Failure};
use crate::console::{Stream, TableForm, Terminal, crosstable_text, ratings_text, standings_csv, standings_text};
use crate::runs::{assignment_of, open_run};
use referee_course::assignment::standings_of;
use referee_games::KnownGames;
use referee_matches::tournament::{Crosstable, RatingOptions, Ratings, Results, Standings, TieBreak, Voids, ratings};
use referee_messages::{counted, missing_lines, plain};
use referee_records::{Manifest, RecordError, RunFolder, RunKind, read_bounded, read_stream};

/// Compute the standings and ratings of a run
///
/// Shows ranks, points, wins and losses, CPU time, and the value of the first move. Works on unfinished runs, too. The
/// ranks of a competition are those of its format.
#[derive(Debug, Args)]
pub(super) struct StandingsCommand {
    /// Run directory
    #[arg(value_name = "RUN", required_unless_present = "from")]
    run: Option<PathBuf>,
    /// Read results of games played elsewhere from a CSV file (`-` for stdin) with the columns `black`, `white` and
    /// `winner` (`black`, `white`, `draw` or a name), and optionally `first` [default: black]
    #[arg(long, value_name = "FILE", conflicts_with = "run")]
    from: Option<PathBuf>,
    #[command(flatten)]
    form: FormArguments,
    /// Also estimate Elo ratings
    #[arg(long)]
    ratings: bool,
    /// Add this many virtual draws against an average opponent for each agent, so that an agent that won or lost every
    /// game has a finite rating, too
    #[arg(long, value_name = "DRAWS", default_value_t = 0.0, value_parser = virtual_draws, requires = "ratings")]
    prior: f64,
    /// Also print the crosstable
    #[arg(long)]
    crosstable: bool,
    /// Rank by points, then by these tie-breaks: direct-encounter, wins, sonneborn-berger, buchholz [default: the
    /// competition's own ranking; in other runs, the first three]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    tie_breaks: Vec<TieBreak>,
}

/// At most one of them.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct FormArguments {
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
    /// Print CSV
    #[arg(long)]
    csv: bool,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

impl FormArguments {
    const fn is_for_people(&self) -> bool {
        !(self.json || self.csv || self.markdown)
    }
}

/// Larger than any competition: 16,000 games take 800 KB.
const MAX_RESULTS_BYTES: u64 = 64 << 20;

fn virtual_draws(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1000.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1000".to_owned())
}

/// The output of `--json`.
#[derive(Serialize)]
struct StandingsReport<'a> {
    run: String,
    games: usize,
    finished: u32,
    unreadable: &'a [String],
    #[serde(flatten)]
    standings: &'a Standings,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratings: Option<&'a Ratings>,
}

impl StandingsCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        match (&self.from, &self.run) {
            (Some(file), _) => {
                let (file, text) = match file.to_str() {
                    Some("-") => (Path::new("stdin"), read_stream(io::stdin().lock(), MAX_RESULTS_BYTES)),
                    Some(_) | None => (file.as_path(), read_bounded(file, MAX_RESULTS_BYTES)),
                };
                let text = text.map_err(|error| Failure::input(file, error))?;
                let table = Crosstable::from_csv(&text)
                    .map_err(|error| Failure::Input(plain(&format!("`{}`: {error}", file.display()))))?;
                let tie_breaks = if self.tie_breaks.is_empty() { &TieBreak::ROUND_ROBIN[..] } else { &self.tie_breaks };
                let standings = Standings::of(&table, tie_breaks).with_certainty(&table);
                let games = table.first_against_second().games() as usize;
                self.show(file, games, &table, &standings, &[])
            }
            (None, run) => {
                let run = run.as_deref().unwrap_or(Path::new("."));
                let (folder, manifest) = open_run(run, games)?;
                refuse_grading(run, &manifest)?;
                let counted = CountedRun::from(&folder, &manifest);
                let standings = self.standings(&counted, &folder, &manifest)?;
                for line in missing_lines(&Voids::of(&folder, &manifest)?.set_aside) {
                    note(&line);
                }
                self.show(run, folder.games_in_all(&manifest), &counted.table, &standings, &counted.unreadable)
            }
        }
    }

    fn show(
        &self,
        source: &Path,
        games: usize,
        table: &Crosstable,
        standings: &Standings,
        unreadable: &[String],
    ) -> Result<CommandOutcome, Failure> {
        let options = RatingOptions { virtual_draws: self.prior, ..RatingOptions::default() };
        let ratings = self.ratings.then(|| ratings(table, &options));
        let report = StandingsReport {
            run: source.display().to_string(),
            games,
            finished: table.first_against_second().games(),
            unreadable,
            standings,
            ratings: ratings.as_ref(),
        };
        let text = self.text(&report)?;
        if self.form.is_for_people() {
            say(&text)?;
        } else {
            print(&text)?;
        }
        report_unreadable(unreadable)?;
        Ok(CommandOutcome::Yes)
    }

    /// In the official order, or in the requested one.
    fn standings(&self, counted: &CountedRun, folder: &RunFolder, manifest: &Manifest) -> Result<Standings, Failure> {
        if self.tie_breaks.is_empty() {
            return counted.standings(folder, manifest);
        }
        if manifest.kind == RunKind::Competition {
            note("not the official ranking of the competition: omit `--tie-breaks` to see it");
        }
        Ok(Standings::of(&counted.table, &self.tie_breaks).with_certainty(&counted.table))
    }

    fn text(&self, report: &StandingsReport<'_>) -> Result<String, Failure> {
        let StandingsReport { standings, ratings, .. } = *report;
        match &self.form {
            FormArguments { json: true, .. } => json_line(report),
            FormArguments { csv: true, .. } => Ok(standings_csv(standings, ratings)),
            FormArguments { markdown: true, .. } => Ok(self.page(report, TableForm::Markdown, "\n")),
            FormArguments { .. } => Ok(self.page(report, TableForm::Terminal(Terminal::of(Stream::Stdout).look()), "")),
        }
    }

    /// The table, the progress after a `gap`, the ratings, and the crosstable if requested.
    fn page(&self, report: &StandingsReport<'_>, form: TableForm, gap: &str) -> String {
        let StandingsReport { standings, ratings, finished, .. } = *report;
        let games = counted(report.games, "game");
        let mut parts = vec![format!("{}{gap}{finished} of {games} finished\n", standings_text(standings, form))];
        parts.extend(ratings.map(|ratings| ratings_text(ratings, form)));
        parts.extend(self.crosstable.then(|| crosstable_text(standings, form)));
        parts.join("\n")
    }
}

/// The games of a grading are against reference agents alone, so they rank nobody.
fn refuse_grading(run: &Path, manifest: &Manifest) -> Result<(), Failure> {
    match manifest.kind {
        RunKind::Games | RunKind::Competition | RunKind::Ladder => Ok(()),
        RunKind::Grading => {
            let run = plain(&run.display().to_string());
            Err(Failure::Usage(format!(
                "`{run}` is the run directory of a grading, which has no standings: see the points with `referee \
                 gradebook {run}`"
            )))
        }
    }
}

/// The results of a run, and why some of its records could not be read.
pub(super) struct CountedRun {
    table: Crosstable,
    results: Results,
    pub(super) unreadable: Vec<String>,
}

impl CountedRun {
    pub(super) fn from(folder: &RunFolder, manifest: &Manifest) -> Self {
        let mut counted = Self {
            table: Crosstable::new(manifest.agents.iter().map(|agent| agent.name.as_str())),
            results: Results::new(),
            unreadable: Vec::new(),
        };
        for summary in readable(folder.summaries(manifest), &mut counted.unreadable) {
            counted.table.add(&summary);
            counted.results.insert(summary.id, summary.outcome.winner());
        }
        counted
    }

    /// The standings in the official order, with what is plausible of them.
    pub(super) fn standings(&self, folder: &RunFolder, manifest: &Manifest) -> Result<Standings, Failure> {
        let assignment = assignment_of(folder)?;
        Ok(standings_of(assignment.as_ref(), manifest, &self.table, &self.results).with_certainty(&self.table))
    }
}

/// Those of `records` that can be read, one at a time; why others cannot is added to `unreadable`.
pub(super) fn readable<T>(
    records: impl Iterator<Item = Result<T, RecordError>>,
    unreadable: &mut Vec<String>,
) -> impl Iterator<Item = T> {
    records.filter_map(|record| record.map_err(|error| unreadable.push(plain(&error.to_string()))).ok())
}

/// Reports unreadable records, which make the results incomplete: a failure.
pub(super) fn report_unreadable(unreadable: &[String]) -> Result<(), Failure> {
    for error in unreadable {
        note(error);
    }
    if unreadable.is_empty() {
        return Ok(());
    }
    let records = counted(unreadable.len(), "record");
    Err(Failure::Input(format!("{records} cannot be read; the others are counted")))
}
