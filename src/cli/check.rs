//! `referee check`: parses options, runs [`referee_course::check`], and prints the lights.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::assignment::read_assignment;
use super::game::{games_help, rules_help, with_rules};
use super::output::{SoundOutput, expect_free_folder};
use super::protocol::PROTOCOL_HELP;
use super::run_arguments::Python2Argument;
use super::session::{on_threads, unless_interrupted};
use super::{CommandOutcome, Failure};
use crate::console::{Stream, Terminal};
use crate::doctor::busy_now;
use crate::runs::{RunFailure, scratch_dir};
use referee_course::assignment::Assignment;
use referee_course::check::{
    CheckError, CheckPlan, CheckReport, CheckStep, FailedAnswer, GameChecks, default_assignment, examine, item_lines,
    own_questions, references,
};
use referee_games::{GameName, GameRef, KnownGames};
use referee_messages::{counted, plain};
use referee_seat::{Protocol, Scratch};
use referee_submissions::agents::AgentBuilder;
use referee_submissions::intake::as_handed_in;

/// Check a submission before handing it in
///
/// Tests file names, build, output format, moves, time, and quick games against the reference agents. Runs the
/// submission as grading will, and reports what would cost points and how to fix it. Positions of the assignment
/// that lie beside it are tried first; grading may use others. Exits with 0 if nothing would cost points, 1 otherwise.
#[derive(Debug, Args)]
pub(super) struct CheckCommand {
    /// Directory, file or archive to hand in
    submission: PathBuf,
    /// Assignment file of the course
    #[arg(long, value_name = "FILE")]
    assignment: Option<PathBuf>,
    #[arg(long, conflicts_with = "assignment", help = games_help(", if you have no assignment file"))]
    game: Option<GameName>,
    #[arg(long, requires = "game", help = rules_help())]
    rules: Option<String>,
    #[arg(long, requires = "game", value_name = "NAME", default_value = "files")]
    #[arg(help = PROTOCOL_HELP)]
    protocol: Protocol,
    /// Number of practice positions or cases
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=999))]
    positions: u32,
    /// Skip the games
    #[arg(long)]
    quick: bool,
    /// Write the input and output of every wrong answer to this directory, which must be new or empty
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    python2: Python2Argument,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

impl CheckCommand {
    pub(super) fn run(self, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let (builds, unpacked) = (scratch_dir(Scratch::Builds)?, scratch_dir(Scratch::Other)?);
        let (builds_in, unpacked_in) = (builds.path().to_owned(), unpacked.path().to_owned());
        let games = output.games.clone();
        let check = move || self.check(&builds_in, &unpacked_in, SoundOutput { games: &games });
        on_threads(unless_interrupted(check))
    }

    fn check(&self, builds: &Path, unpacked: &Path, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let (assignment, folder) = self.assignment(output.games)?;
        if let Some(keep) = &self.keep {
            // Files found in it afterwards must be from this check.
            expect_free_folder("--keep", keep)?;
        }
        let names = &assignment.submission.names;
        let (submission, remarks) = as_handed_in(&self.submission()?, names, unpacked).map_err(RunFailure::from)?;
        for remark in remarks {
            output.note(&remark);
        }
        let provided = assignment.submission.provide.as_ref().map(|provided| folder.join(provided));
        let (provided, missing_provided) = provided.map_or((None, None), |provided| {
            if provided.is_dir() { (Some(provided), None) } else { (None, Some(provided)) }
        });
        let builder = self.builder(&assignment, provided)?;
        let references = references(&assignment, &folder);
        let own = own_questions(&assignment, &folder).map_err(|faults| Failure::Input(faults.to_string()))?;
        let plan = CheckPlan {
            own: &own,
            submission: submission.as_deref().map_err(Clone::clone),
            assignment: &assignment,
            references: &references,
            missing_provided: missing_provided.as_deref(),
            positions: self.positions,
            games: if self.quick { GameChecks::Skip } else { GameChecks::Play },
            builder: &builder,
            builds,
        };
        let screen = Screen::new(self.json, output);
        screen.say(&match &self.assignment {
            Some(_) => format!("for {} ({})", plain(&assignment.title), assignment.game),
            None => format!("for {}, with the default rules and times", assignment.game),
        })?;
        if let Some(busy) = busy_now() {
            output.note(&busy);
        }
        let report = examine(&plan, |step| screen.show(step))?;
        screen.clear();
        report.waits.warning().iter().for_each(|warning| output.note(warning));
        self.end(&report, output)
    }

    /// The assignment, and the folder that its paths are relative to.
    fn assignment(&self, games: &KnownGames) -> Result<(Assignment, PathBuf), Failure> {
        match (&self.assignment, &self.game) {
            (Some(path), _) => read_assignment(path, games),
            (None, Some(game)) => {
                let game = with_rules(games.named(game)?, self.rules.as_deref())?;
                let assignment = default_assignment(game).map_err(|faults| Failure::Bug(faults.to_string()))?;
                Ok((Assignment { protocol: self.protocol, ..assignment }, PathBuf::new()))
            }
            (None, None) => {
                let mut games: Vec<String> = GameRef::all().map(|game| format!("`--game {}`", game.name())).collect();
                games.dedup();
                Err(Failure::Usage(format!(
                    "expected an assignment file, or the game alone for default rules and times: add `--assignment \
                     FILE`, or one of {}",
                    games.join(", ")
                )))
            }
        }
    }

    /// Its canonical path: a named link stands for its target.
    fn submission(&self) -> Result<PathBuf, Failure> {
        self.submission.canonicalize().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let path = self.submission.display();
                Failure::Input(format!("no such file or directory: `{path}`; name the submission to check"))
            }
            _ => Failure::input(&self.submission, error),
        })
    }

    /// With the folder of provided files, if it exists.
    fn builder(&self, assignment: &Assignment, provided: Option<PathBuf>) -> Result<AgentBuilder, Failure> {
        let builder = AgentBuilder::for_game(assignment.game)
            .map_err(|error| Failure::Machine(format!("cannot find the path of `referee` itself: {error}")))?;
        Ok(AgentBuilder {
            provide: provided,
            python2: self.python2.python2(),
            seats: assignment.seats(),
            ..assignment.builder_from(builder)
        })
    }

    fn end(&self, report: &CheckReport, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let kept = self.keep.as_deref().map(|folder| save_failed_answers(folder, &report.failed)).transpose()?;
        if self.json {
            let json = serde_json::json!({
                "ready": report.is_ready(),
                "verdict": report.verdict(),
                "items": report.items,
            });
            output.print(&format!("{json}\n"))?;
        } else {
            let kept = kept.map(|kept| format!("{kept}\n")).unwrap_or_default();
            output.say(&format!("{kept}\n{}\n", report.verdict()))?;
        }
        Ok(report.is_ready().into())
    }
}

/// Prints a line for each light as it comes; on a terminal also the current step.
struct Screen<'a> {
    output: SoundOutput<'a>,
    silent: bool,
    /// Standard error, if it is a terminal.
    status: Option<console::Term>,
}

impl<'a> Screen<'a> {
    fn new(silent: bool, output: SoundOutput<'a>) -> Self {
        let status = Terminal::of(Stream::Stdout).is_terminal() && Terminal::of(Stream::Stderr).moves();
        Self { output, silent, status: status.then(console::Term::stderr) }
    }

    fn say(&self, line: &str) -> Result<(), Failure> {
        if self.silent {
            return Ok(());
        }
        self.output.say(&format!("{line}\n"))
    }

    fn show(&self, step: CheckStep<'_>) {
        if self.silent {
            return;
        }
        match step {
            CheckStep::Began(what) => {
                if let Some(terminal) = &self.status {
                    let shown = Terminal::of(Stream::Stderr);
                    // A terminal that is gone is no reason to stop.
                    drop(
                        terminal
                            .clear_line()
                            .and_then(|()| terminal.write_str(&shown.look().cut(&format!("...      {what}")))),
                    );
                }
            }
            CheckStep::Found(item) => {
                self.clear();
                let lines = item_lines(item, Terminal::of(Stream::Stdout).look());
                // The verdict is printed last, and reports an error.
                drop(self.output.say(&(lines.join("\n") + "\n")));
            }
        }
    }

    fn clear(&self) {
        if let Some(terminal) = &self.status {
            drop(terminal.clear_line());
        }
    }
}

/// Writes the failed answers, if any, and says where.
fn save_failed_answers(folder: &Path, failed: &[FailedAnswer]) -> Result<String, Failure> {
    if failed.is_empty() {
        return Ok("kept: nothing, no answer failed".to_owned());
    }
    let written = || -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for answer in failed {
            let path = |what: &str| folder.join(format!("{}.{what}.txt", answer.name));
            fs::write(path("input"), &answer.input)?;
            if let Some(output) = &answer.output {
                fs::write(path("output"), output)?;
            }
            if let Some(expected) = &answer.expected {
                fs::write(path("expected"), expected)?;
            }
        }
        Ok(())
    };
    written().map_err(|error| Failure::Write(format!("cannot write to `{}`: {error}", folder.display())))?;
    Ok(format!("kept: {} in `{}`", counted(failed.len(), "answer"), folder.display()))
}

impl From<CheckError> for Failure {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Agent(error) => Self::from(error),
            CheckError::Machine(_) => Self::Machine(error.to_string()),
            CheckError::Rules(_) => Self::Input(error.to_string()),
            CheckError::Positions(error) => error.into(),
        }
    }
}
