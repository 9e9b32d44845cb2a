//! `referee agent`

use std::path::Path;

use clap::Args;

use super::game::with_rules;
use super::{Answer, Failure};
use crate::agents::builtin::{self, BuiltinAgent};
use crate::games::{GameId, halma};

/// Is a built-in agent: reads input.txt in the current folder and writes output.txt, like any agent program.
#[derive(Debug, Args)]
pub(super) struct Agent {
    /// random or minimax, with parameters after commas: minimax,depth=3,seed=7
    #[arg(value_name = "AGENT")]
    named: BuiltinAgent,
    /// Which game, where the input.txt is not to tell
    #[arg(long)]
    game: Option<GameId>,
    /// Which rules of Halma: addendum or original [default: addendum]
    #[arg(long, requires = "game")]
    rules: Option<halma::Rules>,
    /// The seed of its choices, unless it has one as a parameter
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl Agent {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let game = self.game.map(|game| with_rules(game, self.rules)).transpose()?;
        let ran = builtin::run_in(Path::new("."), &self.named, self.seed, game);
        ran.map(|()| Answer::Yes)
            .map_err(|error| Failure::Input(error.to_string()))
    }
}
