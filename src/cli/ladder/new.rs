//! `referee ladder new`: makes a ladder. It only parses; [`crate::runs`] does the work.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Failure;
use crate::cli::output::say;
use crate::cli::run_arguments::SeatingArguments;
use crate::runs::NewLadder;
use crate::shell::shell_path;
use referee_games::{GameName, KnownGames};
use referee_matches::tournament::Slots;
use referee_messages::plain;

/// Make a ladder
///
/// Writes `ladder.toml`, the assignment that the ladder is played by, with a section `[ladder]` of its settings.
#[derive(Debug, Args)]
pub(in crate::cli) struct NewCommand {
    /// Directory of the new ladder
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Game to play, with its usual rules and times
    #[arg(long, value_name = "GAME", required_unless_present = "assignment", conflicts_with = "assignment")]
    game: Option<GameName>,
    /// Assignment file, such as tournaments/checkers-2021.toml
    #[arg(long, value_name = "FILE")]
    assignment: Option<PathBuf>,
    #[command(flatten)]
    seating: SeatingArguments,
}

impl NewCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<(), Failure> {
        let text = self.game.as_ref().map_or_else(|| Ok(String::new()), text)?;
        let options = self.seating.options(self.ladder.clone(), Slots::anywhere(1), games);
        let folder = NewLadder { assignment: self.assignment, text, options }.make()?;
        let word = shell_path(folder.path());
        say(&format!(
            "made the ladder `{}`; its settings are in `{}`\n\
             next: referee ladder update {word} CLASS, then referee ladder play {word}\n",
            plain(&folder.path().display().to_string()),
            plain(&folder.assignment_path().display().to_string())
        ))
    }
}

/// The assignment that names only a game.
fn text(game: &GameName) -> Result<String, Failure> {
    let name = match game {
        GameName::Builtin(game) => game.name().to_owned(),
        GameName::RulesAt(path) => {
            let path = std::path::absolute(path);
            let path = path.map_err(|error| Failure::Usage(format!("cannot find the rules program: {error}")))?;
            path.to_str().map(str::to_owned).ok_or_else(|| Failure::Usage("its path is not UTF-8".to_owned()))?
        }
    };
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    Ok(format!(
        "# The settings of this ladder. https://toml.io is the syntax, tournaments/README.md explains every key.\n\n\
         title = \"Ladder\"\n\
         game = \"{name}\"\n\n\
         [clock]\n\
         play_time = 30                  # seconds of CPU time for each side and game; fixed after the first game\n\n\
         [ladder]\n\
         reference = \"builtin:minimax\"   # its rating is 0; fixed\n\
         minimum_pairs = 10              # pairs of games of a new version before others are preferred\n\
         random_percent = 20             # share of opponents drawn by lot\n\
         versions_per_day = 10           # versions taken from one participant within 24 hours\n\
         named = \"nobody\"               # who is named on public pages: everybody, neighbours or nobody\n"
    ))
}
