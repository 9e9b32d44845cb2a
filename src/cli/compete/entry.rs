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
    /// The assignment file, such as tournaments/checkers-2021.toml
    pub(super) assignment: PathBuf,
    /// The agents, beside those that the assignment names
    #[arg(value_name = "AGENT")]
    pub(super) agents: Vec<String>,
    /// A folder, `.zip` or `.tar.gz` whose entries are submissions
    #[arg(long, value_name = "PATH")]
    pub(super) class: Option<PathBuf>,
    /// An agent that leaves the competition: in a round robin or a gauntlet it gets no more games, elsewhere it loses
    /// those that it has not played; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(super) withdraw: Vec<String>,
    /// How many games at a time [default: one for each physical core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) jobs: Option<u16>,
    /// The folder of the run [default: results/ and the name of the assignment file, and -competition]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The weakest isolation that will do: bare, confined or sealed [default: what the assignment says]
    #[arg(long, value_name = "LEVEL")]
    isolation: Option<Isolation>,
    /// How CPU time is measured: perf, cgroup-v2, cgroup-v1 or rusage [default: the best that can be had]
    #[arg(long)]
    meter: Option<Meter>,
    /// Run programs in Python 2 by Python 3, where there is no Python 2
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
                "it has no `[competition]`: write one, see tournaments/README.md",
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
        let stem = stem.ok_or_else(|| Failure::Usage("name the folder of the run with `--out`".to_owned()))?;
        Ok(Path::new("results").join(format!("{stem}-competition")))
    }
}
