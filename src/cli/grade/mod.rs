//! `referee grade`

mod preparation;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::gradebook::ExportArguments;
use super::places::PinArgument;
use super::session::{Watched, on_threads, play_out, prepared};
use super::{Answer, Failure};
use crate::console::Live;
use crate::grading::{gradebook, is_again, rechecks};
use crate::records::Host;
use crate::seat::{Isolation, Meter};
use crate::tournament::{Places, Runner, Undone};
use preparation::{Ready, load, prepare};

/// Grades submissions by an assignment: one student, or a whole class.
///
/// The same command goes on after any interruption, and does only what is missing. Points, reasons and the pages for the
/// students are written into the run's folder.
#[derive(Debug, Args)]
pub(super) struct Grade {
    /// The assignment file, such as tournaments/checkers-2021.toml
    assignment: PathBuf,
    /// Submissions: a folder or a file for each student
    #[arg(value_name = "SUBMISSION")]
    submissions: Vec<PathBuf>,
    /// A folder whose entries are the submissions
    #[arg(long, value_name = "DIR")]
    class: Option<PathBuf>,
    /// Grade these students alone; may be repeated
    #[arg(long, value_name = "STUDENT")]
    only: Vec<String>,
    /// Grade this student anew, for a submission that has changed; the old results are removed; may be repeated
    #[arg(long, value_name = "STUDENT")]
    regrade: Vec<String>,
    /// Play every close call this many times again, for the review list; the points stay as they are
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=99))]
    recheck: u32,
    /// How many games at a time [default: one for each physical core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    #[command(flatten)]
    pin: PinArgument,
    /// The folder of the run [default: results/ and the name of the assignment file]
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
    #[command(flatten)]
    exports: ExportArguments,
}

impl Grade {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let builds = tempfile::tempdir().map_err(|error| Failure::Machine(format!("no temporary folder: {error}")))?;
        on_threads(self.grade(builds.path().to_owned())).map(|()| Answer::Yes)
    }

    async fn grade(self, builds: PathBuf) -> Result<(), Failure> {
        let assignment = load(&self.assignment)?;
        let (places, recheck) = (self.pin.places(self.jobs)?, self.recheck);
        let exports = self.exports.wanted()?;
        let (known, grade) = (assignment.clone(), Arc::new(self));
        let publishing = Arc::clone(&grade);
        let Ready { runner, undone } = prepared(move || prepare(&grade, &known, &builds)).await?;
        let folder = runner.folder.clone();
        play(runner.clone(), undone, places.clone()).await?;
        if recheck > 0 {
            let manifest = rechecks(&runner.manifest, &gradebook(&assignment, &folder)?, recheck);
            folder.revise(&manifest)?;
            let runner = Runner { manifest, ..runner };
            let undone = runner
                .undone()
                .into_iter()
                .filter(|undone| is_again(undone.id()) && runner.can_do(undone))
                .collect();
            play(runner, undone, places).await?;
        }
        let gradebook = gradebook(&assignment, &folder)?;
        publishing.exports.publish(&exports, &gradebook, folder.path())
    }

    fn jobs(&self) -> usize {
        self.jobs.map_or_else(|| Host::this().cores, usize::from)
    }

    /// Where the run is kept: the same command always finds the same folder.
    fn out(&self) -> Result<PathBuf, Failure> {
        let stem = || self.assignment.file_stem().map(|stem| Path::new("results").join(stem));
        self.out
            .clone()
            .or_else(stem)
            .ok_or_else(|| Failure::Usage("name the folder of the run with `--out`".to_owned()))
    }
}

/// Does everything in `undone`.
async fn play(runner: Runner, undone: Vec<Undone>, places: Places) -> Result<(), Failure> {
    let all = runner.manifest.games.len() + runner.manifest.answers.len();
    let live = Live::new(
        runner.manifest.game,
        "games and answers",
        all,
        all - undone.len(),
        places.count(),
    );
    let how_to_go_on = format!(
        "what is finished is kept in `{}`, the same command goes on",
        runner.folder.path().display()
    );
    play_out(runner, undone, places, Watched::by(&live), &how_to_go_on).await
}
