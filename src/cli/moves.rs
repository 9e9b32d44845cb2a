//! `referee moves`: lists the legal moves of a position.

use clap::Args;

use super::game::{GameArguments, PositionArguments};
use super::output::SoundOutput;
use super::{CommandOutcome, Failure};
use referee_games::Status;

/// List the legal moves of a position
///
/// Prints one move per line, as written in output.txt. The lines of a move with several jumps are joined by "; ".
#[derive(Debug, Args)]
pub(super) struct MovesCommand {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    position: PositionArguments,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

impl MovesCommand {
    pub(super) fn run(self, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let game = self.game.game(output.games)?;
        let position = self.position.position(game)?;
        let side = game.profile().side(position.side_to_move()).word;
        let moves = position.moves();
        if self.json {
            output.print(&format!("{}\n", serde_json::json!({ "side": side, "moves": moves })))?;
            return Ok(CommandOutcome::Yes);
        }
        for mv in &moves {
            output.print(&format!("{}\n", mv.replace('\n', "; ")))?;
        }
        if !position.notes().is_empty() {
            output.note(&position.notes());
        }
        match position.status() {
            Status::ToMove => {}
            Status::MustPass => output.note(&format!("{side} has no legal move and passes")),
            Status::Over(_) => output.note("the game is over in this position"),
        }
        Ok(CommandOutcome::Yes)
    }
}
