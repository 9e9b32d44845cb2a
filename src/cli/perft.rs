//! `referee perft`: counts move sequences.

use std::fmt::Write;

use clap::Args;

use super::game::{GameArguments, PositionArguments};
use super::output::SoundOutput;
use super::{CommandOutcome, Failure};
use referee_games::MAX_PERFT_DEPTH;

/// Count the move sequences of a given length (perft); a forced pass counts as a move
#[derive(Debug, Args)]
pub(super) struct PerftCommand {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    position: PositionArguments,
    /// Length of the sequences, in turns
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PERFT_DEPTH)))]
    depth: u32,
    /// Print the count for each first move, then the sum
    #[arg(long)]
    divide: bool,
}

impl PerftCommand {
    pub(super) fn run(self, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        if self.divide && self.depth == 0 {
            return Err(Failure::Usage("`--divide` needs a `--depth` of at least 1".to_owned()));
        }
        let position = self.position.position(self.game.game(output.games)?)?;
        let mut text = String::new();
        if self.divide {
            for (mv, next) in position.moves().into_iter().zip(position.successors()) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{}: {}", mv.replace('\n', "; "), next.perft(self.depth - 1));
            }
        }
        let _ = writeln!(text, "{}", position.perft(self.depth));
        output.print(&text)?;
        Ok(CommandOutcome::Yes)
    }
}
