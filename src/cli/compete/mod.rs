//! `referee compete`

mod course;
mod entrants;
mod report;

use std::path::{Path, PathBuf};

use clap::Args;

use super::events::EventLog;
use super::places::PinArgument;
use super::session::{Watched, on_threads, play_out, prepared};
use super::{Answer, Failure};
use crate::assignment::{Assignment, Competition};
use crate::console::Live;
use crate::records::RecordError;
use crate::seat::{Isolation, Meter};
use crate::tournament::{Conclusion, Next, Places, Runner, Undone, plan};
pub(super) use course::{competition_of, next, next_by};
use entrants::{Ready, prepare};

/// Runs the competition of an assignment: round robin, gauntlet, Swiss, knockout, elimination or random rounds.
///
/// The same command goes on after any interruption and plays only what is missing. An agent is a submission's folder or file,
/// or built in: builtin:minimax,depth=2. `NAME=` before it gives it another name.
#[derive(Debug, Args)]
pub(super) struct Compete {
    /// The assignment file, such as tournaments/checkers-2021.toml
    assignment: PathBuf,
    /// The agents, beside those that the assignment names
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// A folder whose entries are submissions
    #[arg(long, value_name = "DIR")]
    class: Option<PathBuf>,
    /// An agent that leaves the competition: in a round robin or a gauntlet it gets no more games, elsewhere it loses those
    /// that it has not played; may be repeated
    #[arg(long, value_name = "NAME")]
    withdraw: Vec<String>,
    /// How many games at a time [default: one for each physical core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    #[command(flatten)]
    pin: PinArgument,
    /// The folder of the run [default: results/ and the name of the assignment file, and -competition]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write everything that happens to this file as JSON Lines, `-` for standard output
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
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

impl Compete {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let builds = tempfile::tempdir().map_err(|error| Failure::Machine(format!("no temporary folder: {error}")))?;
        on_threads(self.compete(builds.path().to_owned())).map(|()| Answer::Yes)
    }

    async fn compete(self, builds: PathBuf) -> Result<(), Failure> {
        let (assignment, competition) = load(&self.assignment)?;
        let places = self.pin.places(self.jobs)?;
        let events = EventLog::open(self.events.as_deref())?;
        let known = (assignment.clone(), competition.clone());
        let Ready { mut runner } = prepared(move || prepare(&self, &known.0, &known.1, &builds)).await?;
        let conclusion = loop {
            let undone: Vec<Undone> = runner.undone().into_iter().filter(|task| runner.can_do(task)).collect();
            if !undone.is_empty() {
                play(&runner, undone, places.clone(), &events).await?;
            }
            match next(&runner.manifest, &competition, &runner.folder) {
                Next::Play(rounds) => {
                    plan(&mut runner.manifest, rounds.clone(), competition.opening_plies);
                    runner.folder.revise(&runner.manifest)?;
                    events.planned(&rounds);
                }
                Next::Waiting => {
                    let message = "games are left that nobody can play: name all agents, or withdraw those who left";
                    return Err(Failure::Usage(message.to_owned()));
                }
                Next::Over(conclusion) => break conclusion,
            }
        };
        report::report(&runner, &competition, &conclusion, &events)
    }

    fn out(&self) -> Result<PathBuf, Failure> {
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

fn load(path: &Path) -> Result<(Assignment, Competition), Failure> {
    let assignment = Assignment::load(path).map_err(|faults| Failure::Input(faults.to_string()))?;
    match assignment.competition.clone() {
        Some(competition) => Ok((assignment, competition)),
        None => Err(Failure::input(
            path,
            "it has no `[competition]`: write one, see tournaments/README.md",
        )),
    }
}

async fn play(runner: &Runner, undone: Vec<Undone>, places: Places, events: &EventLog) -> Result<(), Failure> {
    let all = runner.manifest.games.len();
    let live = Live::new(runner.manifest.game, "games", all, all - undone.len(), places.count());
    let live = if events.on_stdout() {
        live.with_lines_on_stderr()
    } else {
        live
    };
    live.follow(&runner.folder, &runner.manifest);
    let how_to_go_on = format!(
        "finished games are kept in `{}`, the same command plays the others",
        runner.folder.path().display()
    );
    let watched = Watched {
        live: &live,
        events: events.clone(),
    };
    play_out(runner.clone(), undone, places, watched, &how_to_go_on).await
}

fn other_run(out: &Path, difference: &str) -> Failure {
    let (path, difference) = (out.to_owned(), difference.to_owned());
    RecordError::OtherRun { path, difference }.into()
}
