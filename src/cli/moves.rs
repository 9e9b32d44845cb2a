//! `referee moves`: lists the legal moves of a position.

use clap::Args;

use super::game::{GameArguments, PositionArguments};
use super::output::{note, print};
use super::{CommandOutcome, Failure};
use crate::games::Status;

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
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let game = self.game.id()?;
        let position = self.position.position(game)?;
        let side = game.profile().side(position.side_to_move()).word;
        let moves: Vec<String> = position.moves().into_iter().map(|mv| mv.replace('\n', "; ")).collect();
        if self.json {
            print(&format!("{}\n", serde_json::json!({ "side": side, "moves": moves })))?;
            return Ok(CommandOutcome::Yes);
        }
        for mv in &moves {
            print(&format!("{mv}\n"))?;
        }
        if !position.notes().is_empty() {
            note(&position.notes());
        }
        match position.status() {
            Status::ToMove => {}
            Status::MustPass => note(&format!("{side} has no legal move and passes")),
            Status::Over(_) => note("the game is over in this position"),
        }
        Ok(CommandOutcome::Yes)
    }
}
