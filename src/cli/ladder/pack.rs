//! `referee ladder pack`: packs old games through [`crate::runs`].

use std::path::PathBuf;

use clap::Args;

use crate::cli::Failure;
use crate::cli::output::say;
use crate::runs::pack_ladder;
use referee_games::KnownGames;
use referee_messages::counted;

/// Pack old games: thousands into one compressed file
///
/// A large ladder is then opened in seconds and copied as a few files. Every command reads packed games as before. They
/// are in LADDER/games/packed-*.zip, which any unzip program opens. Works while the ladder is played.
#[derive(Debug, Args)]
pub(super) struct PackCommand {
    /// Ladder directory
    #[arg(value_name = "LADDER")]
    ladder: PathBuf,
    /// Leave the latest N games as they are
    #[arg(long, value_name = "N", default_value_t = 1000)]
    keep: usize,
}

impl PackCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<(), Failure> {
        let packed = pack_ladder(&self.ladder, self.keep, games)?;
        say(&format!("{} packed\n", counted(packed, "game")))
    }
}
