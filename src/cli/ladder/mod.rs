//! `referee ladder`: makes, updates, changes and plays a ladder. [`crate::runs`] does the work.

mod new;
mod pack;
mod pages;
mod play;
mod standings;
mod update;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output::say;
use super::{CommandOutcome, Failure};
use crate::runs::{LadderChange, change_ladder, freeze_ladder, request_games};
use referee_games::KnownGames;
use referee_messages::plain;
use referee_records::unix_s;
use referee_submissions::agents::AgentName;

/// Run a ladder: versions of agents that play each other all semester
///
/// Make one with `referee ladder new`, take submissions in with `referee ladder update` as often as you like, and play
/// with `referee ladder play`, on one machine or several. `referee ladder standings` and `pages` show who leads;
/// `replay`, `explain`, `report` and `verify` work as with every run.
#[derive(Debug, Args)]
pub(super) struct LadderCommand {
    #[command(subcommand)]
    command: LadderSubcommand,
}

#[derive(Debug, Subcommand)]
enum LadderSubcommand {
    New(new::NewCommand),
    Update(update::UpdateCommand),
    Play(play::PlayLadderCommand),
    Standings(standings::LadderStandingsCommand),
    Pages(pages::LadderPagesCommand),
    Pack(pack::PackCommand),
    Request(RequestCommand),
    Freeze(FreezeCommand),
    /// Withdraw a participant, who then plays no more games
    Withdraw(ParticipantArguments),
    /// Readmit a participant who has withdrawn
    Readmit(ParticipantArguments),
    Rename(RenameCommand),
}

/// The participant to change.
#[derive(Debug, Args)]
struct ParticipantArguments {
    /// Ladder directory
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Name of the participant
    name: String,
}

/// Rename a participant, such as one whom the platform calls differently now
///
/// Its versions keep their names in the records.
#[derive(Debug, Args)]
struct RenameCommand {
    /// Ladder directory
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Name of the participant
    name: String,
    /// New name
    new_name: AgentName,
}

/// Ask for an unrated pair of games between two participants
///
/// The next `referee ladder play` plays them first. A participant may ask for 20 pairs within 24 hours.
#[derive(Debug, Args)]
struct RequestCommand {
    /// Ladder directory
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Name of the participant who asks
    name: String,
    /// Name of the opponent
    opponent: String,
}

/// Make a competition of the newest versions, seeded by their ranks
///
/// Play it with `referee plan --next RUN` and `referee shard RUN`, round by round.
#[derive(Debug, Args)]
struct FreezeCommand {
    /// Ladder directory
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Assignment file with a `[competition]`
    #[arg(long, value_name = "FILE")]
    assignment: PathBuf,
    /// Run directory of the new competition
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
}

impl LadderCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let change = |arguments: &ParticipantArguments, change, done: &str| {
            change_ladder(&arguments.ladder, &arguments.name, &change, games)?;
            say(&format!("{} {done}\n", plain(&arguments.name)))
        };
        match self.command {
            LadderSubcommand::New(command) => command.run(games),
            LadderSubcommand::Update(command) => command.run(games),
            LadderSubcommand::Play(command) => command.run(games),
            LadderSubcommand::Standings(command) => command.run(games),
            LadderSubcommand::Pages(command) => command.run(games),
            LadderSubcommand::Pack(command) => command.run(games),
            LadderSubcommand::Request(RequestCommand { ladder, name, opponent }) => {
                let ids = request_games(&ladder, [&name, &opponent], unix_s(), games)?;
                say(&format!("requested: {}\n", ids.join(", ")))
            }
            LadderSubcommand::Freeze(FreezeCommand { ladder, assignment, out }) => {
                let folder = freeze_ladder(&ladder, &assignment, &out, games)?;
                let run = plain(&folder.path().display().to_string());
                say(&format!("made the competition `{run}`\nnext: referee plan --next {run}\n"))
            }
            LadderSubcommand::Withdraw(arguments) => {
                change(&arguments, LadderChange::Withdraw, "has withdrawn; running games are finished")
            }
            LadderSubcommand::Readmit(arguments) => change(&arguments, LadderChange::Readmit, "plays again"),
            LadderSubcommand::Rename(RenameCommand { ladder, name, new_name }) => {
                let done = format!("{} is now {}\n", plain(&name), plain(new_name.as_str()));
                change_ladder(&ladder, &name, &LadderChange::Rename(new_name), games)?;
                say(&done)
            }
        }?;
        Ok(CommandOutcome::Yes)
    }
}
