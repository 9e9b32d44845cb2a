//! `referee ladder`: makes, updates, changes and plays a ladder. [`crate::runs`] does the work.

mod new;
mod pages;
mod play;
mod standings;
mod update;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output::say;
use super::{CommandOutcome, Failure};
use crate::runs::{LadderChange, change_ladder, freeze_ladder, pack_ladder, request_games};
use referee_games::KnownGames;
use referee_messages::{counted, plain};
use referee_records::unix_s;
use referee_submissions::agents::AgentName;

#[derive(Debug, Subcommand)]
pub(super) enum LadderCommand {
    New(new::NewCommand),
    Update(update::UpdateCommand),
    Play(play::PlayLadderCommand),
    Standings(standings::LadderStandingsCommand),
    Pages(pages::LadderPagesCommand),
    /// Pack old games: thousands into one compressed file
    ///
    /// A large ladder is then opened in seconds and copied as a few files. Every command reads packed games as before.
    /// They are in LADDER/games/packed-*.zip, which any unzip program opens. Works while the ladder is played.
    Pack {
        /// Ladder directory
        #[arg(value_name = "LADDER")]
        ladder: PathBuf,
        /// Leave the latest N games as they are
        #[arg(long, value_name = "N", default_value_t = 1000)]
        keep: usize,
    },
    /// Ask for an unrated pair of games between two participants
    ///
    /// The next `referee ladder play` plays them first. A participant may ask for 20 pairs within 24 hours.
    Request {
        /// Ladder directory
        #[arg(value_name = "LADDER")]
        ladder: PathBuf,
        /// Name of the participant who asks
        name: String,
        /// Name of the opponent
        opponent: String,
    },
    /// Make a competition of the newest versions, seeded by their ranks
    ///
    /// Play it with `referee plan --next RUN` and `referee shard RUN`, round by round.
    Freeze {
        /// Ladder directory
        #[arg(value_name = "LADDER")]
        ladder: PathBuf,
        /// Assignment file with a `[competition]`
        #[arg(long, value_name = "FILE")]
        assignment: PathBuf,
        /// Run directory of the new competition
        #[arg(long, value_name = "RUN")]
        out: PathBuf,
    },
    /// Withdraw a participant, who then plays no more games
    Withdraw(ParticipantArguments),
    /// Readmit a participant who has withdrawn
    Readmit(ParticipantArguments),
    /// Rename a participant, such as one whom the platform calls differently now
    ///
    /// Its versions keep their names in the records.
    Rename {
        /// Ladder directory
        #[arg(value_name = "LADDER")]
        ladder: PathBuf,
        /// Name of the participant
        name: String,
        /// New name
        new_name: AgentName,
    },
}

/// The participant to change.
#[derive(Debug, Args)]
pub(super) struct ParticipantArguments {
    /// Ladder directory
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Name of the participant
    name: String,
}

impl LadderCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let change = |arguments: &ParticipantArguments, change, done: &str| {
            change_ladder(&arguments.ladder, &arguments.name, &change, games)?;
            say(&format!("{} {done}\n", plain(&arguments.name)))
        };
        match self {
            Self::New(command) => command.run(games),
            Self::Update(command) => command.run(games),
            Self::Play(command) => command.run(games),
            Self::Standings(command) => command.run(games),
            Self::Pages(command) => command.run(games),
            Self::Pack { ladder, keep } => {
                let packed = pack_ladder(&ladder, keep, games)?;
                say(&format!("{} packed\n", counted(packed, "game")))
            }
            Self::Request { ladder, name, opponent } => {
                let ids = request_games(&ladder, [&name, &opponent], unix_s(), games)?;
                say(&format!("requested: {}\n", ids.join(", ")))
            }
            Self::Freeze { ladder, assignment, out } => {
                let folder = freeze_ladder(&ladder, &assignment, &out, games)?;
                let run = plain(&folder.path().display().to_string());
                say(&format!("made the competition `{run}`\nnext: referee plan --next {run}\n"))
            }
            Self::Withdraw(arguments) => {
                change(&arguments, LadderChange::Withdraw, "has withdrawn; running games are finished")
            }
            Self::Readmit(arguments) => change(&arguments, LadderChange::Readmit, "plays again"),
            Self::Rename { ladder, name, new_name } => {
                let done = format!("{} is now {}\n", plain(&name), plain(new_name.as_str()));
                change_ladder(&ladder, &name, &LadderChange::Rename(new_name), games)?;
                say(&done)
            }
        }?;
        Ok(CommandOutcome::Yes)
    }
}
