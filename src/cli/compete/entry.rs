//! The arguments common to `compete` and `plan`: agents, assignment, folder. It only parses.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::Failure;
use crate::cli::run_arguments::RunArguments;
use crate::runs::{CompetitionRequest, load_competition};
use referee_games::KnownGames;
use referee_matches::tournament::Slots;

/// The arguments.
#[derive(Debug, Args)]
pub(in crate::cli) struct CompetitionArguments {
    /// Assignment file, such as tournaments/checkers-2021.toml
    pub(in crate::cli) assignment: PathBuf,
    /// Agents to add to those named in the assignment: submissions, or built-in agents; prefix NAME= to rename
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// Directory, `.zip` or `.tar.gz` of submissions to add, one entry for each student
    #[arg(long, value_name = "PATH")]
    class: Option<PathBuf>,
    /// Roster of the course as CSV, with columns such as id, name, email and group
    #[arg(long, value_name = "CSV")]
    roster: Option<PathBuf>,
    /// Part of the assignment to take from a Vocareum download with several parts
    #[arg(long, value_name = "NAME", requires = "class")]
    part: Option<String>,
    /// Withdraw this agent: it gets no more games in a round robin or gauntlet, and loses its unplayed games in other
    /// formats; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) withdraw: Vec<String>,
    /// Run directory; an unfinished run in it is resumed [default: results/ASSIGNMENT-competition]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) run: RunArguments,
}

impl CompetitionArguments {
    /// The request for the competition of the assignment.
    pub(in crate::cli) fn request(&self, slots: Slots, games: &KnownGames) -> Result<CompetitionRequest, Failure> {
        let (assignment, competition) = load_competition(&self.assignment, games)?;
        Ok(CompetitionRequest {
            path: self.assignment.clone(),
            assignment,
            competition,
            agents: self.agents.clone(),
            class: self.class.clone(),
            roster: self.roster.clone(),
            part: self.part.clone(),
            withdraw: self.withdraw.clone(),
            options: self.run.seating.options(self.run_folder()?, slots, games),
        })
    }

    /// The folder of the run.
    fn run_folder(&self) -> Result<PathBuf, Failure> {
        if let Some(out) = &self.out {
            return Ok(out.clone());
        }
        let stem = self.assignment.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let stem = stem.ok_or_else(|| Failure::Usage("name the run directory with `--out`".to_owned()))?;
        Ok(Path::new("results").join(format!("{stem}-competition")))
    }
}
