//! The arguments common to `compete` and `plan`: agents, assignment, folder. It only parses.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::assignment::{Assignment, Competition};
use crate::cli::Failure;
use crate::records::Seating;
use crate::seat::{Isolation, Meter};

/// The arguments.
#[derive(Debug, Args)]
pub(in crate::cli) struct ClassEntry {
    /// Assignment file, such as tournaments/checkers-2021.toml
    pub(super) assignment: PathBuf,
    /// Agents to add to those named in the assignment: submissions, or built-in agents; prefix NAME= to rename
    #[arg(value_name = "AGENT")]
    pub(super) agents: Vec<String>,
    /// Directory, `.zip` or `.tar.gz` of submissions to add, one entry for each student
    #[arg(long, value_name = "PATH")]
    pub(super) class: Option<PathBuf>,
    /// Roster of the course as CSV, with columns such as id, name, email and group
    #[arg(long, value_name = "CSV")]
    pub(super) roster: Option<PathBuf>,
    /// Withdraw this agent: it gets no more games in a round robin or gauntlet, and loses its unplayed games in other
    /// formats; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(super) withdraw: Vec<String>,
    /// Number of games to play in parallel [default: the number of physical cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
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

impl ClassEntry {
    /// The assignment, which must have a competition.
    pub(in crate::cli) fn load(&self) -> Result<(Assignment, Competition), Failure> {
        let assignment = Assignment::load(&self.assignment).map_err(|faults| Failure::Input(faults.to_string()))?;
        match assignment.competition.clone() {
            Some(competition) => Ok((assignment, competition)),
            None => Err(Failure::input(
                &self.assignment,
                "it has no `[competition]`: add one, see tournaments/README.md",
            )),
        }
    }

    /// How agents are built and seated.
    pub(super) fn seating(&self, assignment: &Assignment) -> Seating {
        Seating {
            at_least: self.isolation.unwrap_or(assignment.minimum_isolation),
            meter: self.meter,
            python2_by_python3: self.python2_by_python3,
        }
    }

    /// The first argument: an assignment, or a run to continue.
    pub(in crate::cli) fn place(&self) -> &Path {
        &self.assignment
    }

    /// The folder of the run.
    pub(in crate::cli) fn out(&self) -> Result<PathBuf, Failure> {
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
