//! `referee ladder pages`: writes the public page of a ladder, and a page for each participant.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::Failure;
use crate::cli::output::say;
use crate::cli::standings::report_unreadable;
use crate::cli::student_pages::{expect_outside, list_pages, secret};
use crate::runs::{OpenLadder, open_ladder};
use referee_course::grading::exports::page_file_name;
use referee_games::KnownGames;
use referee_pages::report::{Naming, ReportError, ReportSource, write_report};
use referee_records::ParticipantRecord;
use referee_records::export::{csv_text, safe_cell};

/// Write the pages of a ladder: a public one, and one for each participant
///
/// `DIR/index.html` is for everybody. The name of each other page cannot be guessed; LADDER/pages.csv lists whose page
/// is which, to send the addresses out. `named` in `ladder.toml` says who is named on the pages of others. Run it
/// again, for example every hour: addresses stay.
#[derive(Debug, Args)]
pub(in crate::cli) struct LadderPagesCommand {
    /// Ladder directory
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Directory for the pages, to publish
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// The page for everybody.
const PUBLIC: &str = "index.html";

impl LadderPagesCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<(), Failure> {
        let OpenLadder { folder, assignment, .. } = open_ladder(&self.ladder, games)?;
        expect_outside(&self.ladder, &self.folder)?;
        let secret = secret(&self.ladder)?;
        let run = ReportSource::read(&folder, Some(&assignment)).map_err(Failure::from)?;
        let unreadable = self.write(&run, Naming::Pseudonyms, PUBLIC)?;
        let mut rows = vec![["name", "file"].map(str::to_owned).to_vec()];
        for ParticipantRecord { name, key, .. } in run.participants() {
            // The key stays when the participant is renamed.
            let file = page_file_name(key, secret.as_bytes());
            self.write(&run, Naming::Own(name.clone()), &file)?;
            rows.push(vec![safe_cell(name).into_owned(), file]);
        }
        let count = rows.len();
        say(&list_pages(&csv_text(rows), count, &self.ladder, &self.folder)?)?;
        report_unreadable(&unreadable)
    }

    /// Writes a page; returns why records are not on it.
    fn write(&self, run: &ReportSource<'_>, naming: Naming, file: &str) -> Result<Vec<String>, Failure> {
        let path = self.folder.join(Path::new(file));
        let report = write_report(run, naming, &path).map_err(|error| match error {
            ReportError::Record(error) => Failure::or_write_elsewhere(error, "choose another directory"),
            ReportError::UnknownName { .. } => error.into(),
        })?;
        Ok(report.unreadable)
    }
}
