//! The arguments common to `compete` and `plan`: agents, assignment, folder. It only parses.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::agents::Python2;
use crate::cli::Failure;
use crate::runs::{CompetitionRequest, RunOptions, load_competition};
use crate::seat::{Isolation, Meter};
use crate::tournament::Slots;

/// The arguments.
#[derive(Debug, Args)]
pub(in crate::cli) struct CompetitionArguments {
    /// Assignment file, such as tournaments/checkers-2021.toml
    assignment: PathBuf,
    /// Agents to add to those named in the assignment: submissions, or built-in agents; prefix NAME= to rename
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// Directory, `.zip` or `.tar.gz` of submissions to add, one entry for each student
    #[arg(long, value_name = "PATH")]
    class: Option<PathBuf>,
    /// Roster of the course as CSV, with columns such as id, name, email and group
    #[arg(long, value_name = "CSV")]
    roster: Option<PathBuf>,
    /// Withdraw this agent: it gets no more games in a round robin or gauntlet, and loses its unplayed games in other
    /// formats; may be repeated
    #[arg(long, value_name = "NAME")]
    withdraw: Vec<String>,
    /// Number of games to play in parallel [default: the number of physical cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub(in crate::cli) jobs: Option<u16>,
    /// Run directory; an unfinished run in it is resumed [default: results/ASSIGNMENT-competition]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Minimum isolation level: bare, confined or sealed; refuse to run below it [default: as in the assignment]
    #[arg(long, value_name = "LEVEL")]
    isolation: Option<Isolation>,
    /// CPU time meter: perf, cgroup-v2, cgroup-v1 or rusage [default: the best available]
    #[arg(long)]
    meter: Option<Meter>,
    /// Run Python 2 programs with Python 3 if Python 2 is not installed
    #[arg(long)]
    python2_by_python3: bool,
}

impl CompetitionArguments {
    /// The request for the competition of the assignment.
    pub(in crate::cli) fn request(&self, slots: Slots) -> Result<CompetitionRequest, Failure> {
        let (assignment, competition) = load_competition(&self.assignment)?;
        Ok(CompetitionRequest {
            path: self.assignment.clone(),
            assignment,
            competition,
            agents: self.agents.clone(),
            class: self.class.clone(),
            roster: self.roster.clone(),
            withdraw: self.withdraw.clone(),
            options: RunOptions {
                out: self.out()?,
                slots,
                isolation: self.isolation,
                meter: self.meter,
                python2: if self.python2_by_python3 {
                    Python2::ByPython3
                } else {
                    Python2::Required
                },
                referee: None,
            },
        })
    }

    /// The first argument: an assignment, or a run to continue.
    pub(in crate::cli) fn place(&self) -> &Path {
        &self.assignment
    }

    /// The folder of the run.
    fn out(&self) -> Result<PathBuf, Failure> {
        if let Some(out) = &self.out {
            return Ok(out.clone());
        }
        let stem = self
            .assignment
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        let stem = stem.ok_or_else(|| Failure::Usage("name the run directory with `--out`".to_owned()))?;
        Ok(Path::new("results").join(format!("{stem}-competition")))
    }
}
