//! The arguments that name a game and a position.

use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use crate::games::{GameId, halma};
use crate::protocol::Game;
use crate::records::read_bounded;

/// `--game` and `--rules`.
#[derive(Debug, Args)]
pub(super) struct GameArguments {
    /// Which game: checkers, halma, duo-othello or star-circle
    #[arg(long)]
    game: GameId,
    /// Which rules of Halma: addendum or original [default: addendum]
    #[arg(long)]
    rules: Option<halma::Rules>,
}

impl GameArguments {
    /// The game with its rules.
    pub(super) fn id(&self) -> Result<GameId, Failure> {
        with_rules(self.game, self.rules)
    }
}

/// `game` played by `rules`, if rules are named.
pub(super) fn with_rules(game: GameId, rules: Option<halma::Rules>) -> Result<GameId, Failure> {
    match (game, rules) {
        (GameId::Halma(_), Some(rules)) => Ok(GameId::Halma(rules)),
        (game, None) => Ok(game),
        (game @ (GameId::Checkers | GameId::DuoOthello | GameId::StarCircle), Some(_)) => Err(Failure::Usage(format!(
            "`--rules` goes with `--game halma`: {game} has one set of rules"
        ))),
    }
}

/// `--input`: a position in a file, or the start.
#[derive(Debug, Args)]
pub(super) struct PositionArguments {
    /// The input.txt with the position [default: the start of the game]
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
}

impl PositionArguments {
    /// The position of the file, or the start of the game.
    pub(super) fn position<P: Game>(&self, rules: P::Rules) -> Result<P, Failure> {
        match &self.input {
            None => Ok(P::start(rules)),
            Some(path) => read_position(path, rules),
        }
    }
}

/// Reads the position of an `input.txt`.
pub(super) fn read_position<P: Game>(path: &Path, rules: P::Rules) -> Result<P, Failure> {
    let text = read(path)?;
    P::read_input(&text, rules)
        .map(|input| input.position)
        .map_err(|fault| Failure::input(path, fault))
}

/// Larger than any `input.txt` or `output.txt` that means anything.
pub(super) const LARGEST_TEXT_BYTES: u64 = 1 << 20;

/// Reads a whole text that the user named.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_bounded(path, LARGEST_TEXT_BYTES).map_err(|error| Failure::input(path, error))
}
