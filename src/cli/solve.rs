//! `referee solve`: prints the right answer to an input that has only one.

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::game::{MAX_TEXT_BYTES, read};
use super::output::print;
use super::{CommandOutcome, Failure};
use referee_games::{GameName, GameRef, KnownGames, Puzzles};
use referee_records::read_stream;

/// Solve a question that has one right answer
///
/// Prints the only correct output.txt.
#[derive(Debug, Args)]
pub(super) struct SolveCommand {
    /// Read the question from this input.txt [default: stdin]
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Game [default: the one with such questions]
    #[arg(long)]
    game: Option<GameName>,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

impl SolveCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let (text, source) = match &self.input {
            Some(path) => (read(path)?, format!("`{}`", path.display())),
            None => (read_standard_input()?, "standard input".to_owned()),
        };
        let solution =
            (self.puzzles(games)?.solve)(&text).map_err(|fault| Failure::Input(format!("{source}: {fault}")))?;
        print(&if self.json { format!("{}\n", solution.json) } else { format!("{}\n", solution.text) })?;
        Ok(CommandOutcome::Yes)
    }

    fn puzzles(&self, games: &KnownGames) -> Result<&'static Puzzles, Failure> {
        let wanted = self.game.as_ref().map(|name| games.named(name)).transpose()?;
        let mut all = GameRef::all().filter_map(|game| Some((game, game.puzzles()?)));
        let found = all.find(|(game, _)| wanted.is_none_or(|wanted| wanted == *game));
        let (_, puzzles) =
            found.ok_or_else(|| Failure::Usage("`solve` needs a game with computed answers".to_owned()))?;
        Ok(puzzles)
    }
}

fn read_standard_input() -> Result<Vec<u8>, Failure> {
    read_stream(io::stdin().lock(), MAX_TEXT_BYTES).map_err(|error| Failure::Input(format!("standard input: {error}")))
}
