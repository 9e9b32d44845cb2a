//! `referee report`: writes the page of a run through [`referee_pages::report`].

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::analyzing::AnalyzeFirst;
use super::output::{print, print_json};
use super::session::{on_threads, unless_interrupted};
use super::standings::report_unreadable;
use super::{CommandOutcome, Failure};
use crate::runs::{assignment_of, open_run};
use referee_course::assignment::{Assignment, NamedParticipants};
use referee_course::grading::file_stem;
use referee_games::KnownGames;
use referee_pages::report::{Naming, PageView, ReplayView, Report, ReportError, ReportSource, write_report};
use referee_records::RunFolder;

/// Write an HTML page of a run
///
/// The page has the standings, the agents, and every game to step through. It is one file and needs no server and no
/// network; an unfinished run works, too. The games of a very large run go to a directory next to the page: keep the
/// two together.
#[derive(Debug, Args)]
pub(super) struct ReportCommand {
    /// Run directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Output file [default: RUN/report.html; with `--student`, RUN/report-NAME.html]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace names by `agent 01`, ... in order of rank and omit the agents' output, for a public page
    #[arg(long)]
    anonymous: bool,
    /// Write the page of one agent, for its author: its games, answers, times, rank and points, and of the other agents
    /// only their moves against it
    #[arg(long, value_name = "NAME", conflicts_with = "anonymous")]
    student: Option<String>,
    #[command(flatten)]
    analyze: AnalyzeFirst,
    /// Print the content of the page as JSON and write no file
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

/// The output of `--json`.
#[derive(Serialize)]
struct ReportOutput {
    #[serde(flatten)]
    view: PageView,
    replays: Vec<ReplayView>,
}

impl ReportCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let folder = open_run(&self.run, games)?.0;
        self.analyze.run(&folder)?;
        let games = games.clone();
        on_threads(unless_interrupted(move || self.show(&folder, &games)))
    }

    fn show(&self, folder: &RunFolder, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let mut assignment = assignment_of(folder)?;
        if let Some(ladder) = assignment.as_mut().and_then(|it| it.ladder.as_mut()).filter(|_| self.anonymous) {
            // `ladder pages` writes the page with the names that the settings allow.
            ladder.named = NamedParticipants::Nobody;
        }
        let unreadable =
            if self.json { self.print(folder, assignment.as_ref())? } else { self.write(folder, assignment.as_ref())? };
        report_unreadable(&unreadable)?;
        // The page has all that does not follow from what the rules failed to answer.
        games.first_fault().map_or(Ok(CommandOutcome::Yes), |fault| Err(Failure::Input(fault)))
    }

    fn naming(&self) -> Naming {
        match &self.student {
            Some(name) => Naming::Own(name.clone()),
            None if self.anonymous => Naming::Pseudonyms,
            None => Naming::Real,
        }
    }

    fn print(&self, folder: &RunFolder, assignment: Option<&Assignment>) -> Result<Vec<String>, Failure> {
        let mut replays = Vec::new();
        let run = ReportSource::read(folder, assignment)?;
        let Report { view, unreadable } = run.report(self.naming(), &mut |more| {
            replays.extend(more);
            Ok(())
        })?;
        print_json(&ReportOutput { view, replays })?;
        Ok(unreadable)
    }

    fn write(&self, folder: &RunFolder, assignment: Option<&Assignment>) -> Result<Vec<String>, Failure> {
        let path = self.out.clone().unwrap_or_else(|| self.run.join(self.default_name()));
        if path.file_name().is_none() {
            return Err(Failure::Usage(format!("`--out {}` is not a file name", path.display())));
        }
        let run = ReportSource::read(folder, assignment)?;
        let report = write_report(&run, self.naming(), Path::new(&path)).map_err(|error| match error {
            ReportError::Record(error) => Failure::or_write_elsewhere(error, "choose another file with `--out`"),
            ReportError::UnknownName { .. } => error.into(),
        })?;
        print(&format!("report: {}\n", path.display()))?;
        Ok(report.unreadable)
    }

    fn default_name(&self) -> String {
        match &self.student {
            Some(name) => format!("report-{}.html", file_stem(name)),
            None => "report.html".to_owned(),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::Record(error) => error.into(),
            ReportError::UnknownName { .. } => Self::Usage(error.to_string()),
        }
    }
}
