//! `referee replay`: shows a recorded game through `console`.

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::Args;

use super::analyzing::AnalyzeFirst;
use super::output::SoundOutput;
use super::session::{interruption, on_threads};
use super::verify::against_rules;
use super::{CommandOutcome, Failure};
use crate::console::{Frames, ReplayEnd, Stream, Terminal};
use crate::runs::{WantedRecord, no_record};
use referee_messages::OutputStyle;
use referee_records::read_game;

/// Step through a recorded game, with keys on a terminal (`?` lists them), or as text when piped
#[derive(Debug, Args)]
pub(super) struct ReplayCommand {
    /// Record of the game: a file in RUN/games
    record: PathBuf,
    /// Show only the position after N turns; 0 is the start
    #[arg(long, value_name = "N")]
    turn: Option<usize>,
    #[command(flatten)]
    analyze: AnalyzeFirst,
}

impl ReplayCommand {
    pub(super) fn run(self, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let record = read_game(&self.record, output.games)
            .map_err(|error| no_record(&self.record, WantedRecord::Game, error))?;
        let game = record.game;
        let frames = Frames::of(record).map_err(|difference| against_rules(&self.record, game, &difference))?;
        let analysis = self.analyze.record(&self.record, frames.record(), output.games)?;
        let frames = frames.with_analysis(analysis.as_ref());
        let terminal = Terminal::of(Stream::Stdout);
        match self.turn {
            Some(turn) if turn > frames.last() => {
                let last = frames.last();
                return Err(Failure::Usage(format!(
                    "`--turn {turn}` is past the end of the game, which has {last} turns"
                )));
            }
            Some(turn) => output.say(&(frames.frame(turn, terminal.look()).join("\n") + "\n"))?,
            None if terminal.moves() && io::stdin().is_terminal() => show(&frames, &terminal)?,
            None if terminal.is_terminal() => output.say(&frames.text(terminal.look()))?,
            None => output.print(&frames.text(OutputStyle::PLAIN))?,
        }
        Ok(CommandOutcome::Yes)
    }
}

fn show(frames: &Frames, terminal: &Terminal) -> Result<(), Failure> {
    let left = on_threads(async {
        tokio::select! {
            left = frames.show(terminal) => Ok(left),
            signal = interruption() => Err(Failure::Interrupted(signal.to_owned())),
        }
    });
    match left? {
        Ok(ReplayEnd::Quit) => Ok(()),
        Ok(ReplayEnd::HungUp) => Err(Failure::Interrupted("hung up".to_owned())),
        Err(error) => {
            Err(Failure::Machine(format!("cannot use the terminal: {error}; pipe the output to see the game as text")))
        }
    }
}
