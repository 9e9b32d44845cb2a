//! `referee compete`: parses options and runs a competition to its end.

mod entry;

use std::path::PathBuf;

use clap::Args;

use super::events::EventLog;
use super::output::say;
use super::roster::roster_text;
use super::run_display::{Detail, RunDisplay};
use super::session::on_threads;
use super::slots::PinArgument;
use super::standings::{CountedRun, report_unreadable};
use super::voids::{note_voids, print_voids};
use super::{CommandOutcome, Failure};
use crate::console::{TableForm, Terminal, standings_csv, standings_text};
use crate::runs::{CompetitionRequest, compete, scratch_dir};
use crate::shell::shell_path;
pub(super) use entry::CompetitionArguments;
use referee_games::KnownGames;
use referee_messages::{counted, plain};
use referee_records::{Manifest, RunFolder, write_files};
use referee_seat::Scratch;

/// Run the competition of an assignment
///
/// The format is a round robin, gauntlet, Swiss, knockout, double knockout, elimination or random rounds. Resume an
/// interrupted competition with the same command: it plays only the missing games.
#[derive(Debug, Args)]
pub(super) struct CompeteCommand {
    #[command(flatten)]
    entry: CompetitionArguments,
    #[command(flatten)]
    pin: PinArgument,
    /// List the submissions and exit without building or running anything
    #[arg(long)]
    dry_run: bool,
    /// Write an event log to this file as JSON Lines; `-` for stdout
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
}

impl CompeteCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let request = self.entry.request(self.pin.slots(self.entry.run.jobs)?, games)?;
        if self.dry_run {
            say(&dry_run(&request)?)?;
        } else {
            self.compete(request)?;
        }
        Ok(CommandOutcome::Yes)
    }

    fn compete(&self, request: CompetitionRequest) -> Result<(), Failure> {
        let events = EventLog::open(self.events.as_deref())?;
        let display = RunDisplay::new(Detail::Games, events.clone());
        let work = compete(request, display.on_progress());
        let played = on_threads(display.show(work, "", |out| {
            format!("finished games are kept in `{}`; rerun the same command to resume", out.display())
        }))?;
        let (folder, manifest) = (&played.folder, &played.manifest);
        report(folder, manifest, &events)?;
        if played.is_over {
            return note_voids(folder, manifest).map(drop);
        }
        let retry = "rerun the same command to retry, or add `--withdraw NAME` to continue without that agent";
        print_voids(folder, manifest, retry)?;
        let message = "some games have no agent to play them: name all agents, or withdraw the missing ones";
        Err(Failure::Usage(message.to_owned()))
    }
}

/// Prints the standings, and writes them to the folder of the run.
pub(super) fn report(folder: &RunFolder, manifest: &Manifest, events: &EventLog) -> Result<(), Failure> {
    let counted = CountedRun::from(folder, manifest);
    report_unreadable(&counted.unreadable)?;
    let standings = counted.standings(folder, manifest)?;
    write_files(
        folder.path(),
        [
            ("standings.csv", standings_csv(&standings, None).as_str()),
            ("standings.md", standings_text(&standings, TableForm::Markdown).as_str()),
        ],
    )?;
    let look = Terminal::of(events.other_stream()).look();
    let text = format!(
        "\n{}\nrecords: {}\nnext: referee standings {} --ratings --crosstable\n",
        standings_text(&standings, TableForm::Terminal(look)),
        folder.path().display(),
        shell_path(folder.path())
    );
    events.say(&text)
}

/// The submissions as they are understood, one line each, and the agents besides; nothing is built or run.
fn dry_run(request: &CompetitionRequest) -> Result<String, Failure> {
    let scratch = scratch_dir(Scratch::Builds)?;
    let display = RunDisplay::new(Detail::Quiet, EventLog::default());
    let (named, class) = request.import(scratch.path(), &display.on_progress())?;
    let agents: Vec<String> = named.iter().map(|agent| plain(agent.name.as_str())).collect();
    let agents = match agents.len() {
        0 => String::new(),
        some => format!("{} besides: {}\n", counted(some, "named agent"), agents.join(", ")),
    };
    if class.class.entries.is_empty() {
        return Ok(format!("no submissions\n{agents}"));
    }
    let programs = &request.assignment.submission.names;
    Ok(roster_text(&class.class.entries, &class.facts, &class.student_records(), programs) + &agents)
}
