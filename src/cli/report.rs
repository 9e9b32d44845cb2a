//! `referee report`

use std::path::PathBuf;

use clap::Args;

use super::output::print;
use super::standings::complain;
use super::{Answer, Failure};
use crate::assignment::Assignment;
use crate::records::{RunFolder, write_files};
use crate::report::{Naming, Report, page, report};

/// Makes a page of a run: standings, agents and every game, to be stepped through. One HTML file that needs no server and
/// no network. A run that is not finished has a page, too.
#[derive(Debug, Args)]
pub(super) struct ReportCommand {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Where to write the page [default: RUN/report.html]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Call the agents `agent 01` and so on by their rank, and leave out what they wrote, for a page that anybody may read
    #[arg(long)]
    anonymous: bool,
    /// Print what the page shows as JSON instead, and write nothing
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

impl ReportCommand {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let folder = RunFolder::open(&self.run)?;
        let text = folder.assignment()?;
        let assignment = text
            .map(|text| Assignment::parse(&text, &self.run.join("assignment.toml")))
            .transpose()
            .map_err(|faults| Failure::Input(faults.to_string()))?;
        let naming = if self.anonymous {
            Naming::Pseudonyms
        } else {
            Naming::Real
        };
        let Report { view, unreadable } = report(&folder, assignment.as_ref(), naming)?;
        let bug = |error: serde_json::Error| Failure::Bug(error.to_string());
        if self.json {
            print(&(serde_json::to_string(&view).map_err(bug)? + "\n"))?;
        } else {
            let path = self.out.unwrap_or_else(|| self.run.join("report.html"));
            let Some(name) = path.file_name() else {
                return Err(Failure::Usage(format!(
                    "`--out {}` is not the name of a file",
                    path.display()
                )));
            };
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let folder = parent.unwrap_or_else(|| ".".as_ref());
            write_files(folder, [(&*name.to_string_lossy(), page(&view).map_err(bug)?.as_str())])?;
            print(&format!("report: {}\n", path.display()))?;
        }
        complain(&unreadable)?;
        Ok(Answer::Yes)
    }
}
