//! The arguments for a game and a position. It only parses; many commands include it.

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::Args;

use super::Failure;
use referee_games::{GameName, GameRef, KnownGames, State};
use referee_records::read_stream;

/// `--game` and `--rules`.
#[derive(Debug, Args)]
pub(super) struct GameArguments {
    #[arg(long, help = games_help(""))]
    game: GameName,
    #[arg(long, help = rules_help())]
    rules: Option<String>,
}

/// The help for `--game`, followed by `remark`.
pub(super) fn games_help(remark: &str) -> String {
    let names: Vec<&str> = GameRef::all().map(GameRef::name).collect();
    let listed = match names.as_slice() {
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
        [] => String::new(),
    };
    format!("Game{remark}: {listed}, or the path of a rules program")
}

/// The help for `--rules`.
pub(super) fn rules_help() -> String {
    let several = GameRef::all().filter_map(|game| {
        let names: Vec<&str> = game.variants().filter_map(|variant| variant.rules()).collect();
        let usual = names.first()?;
        Some(format!("{} for {} [default: {usual}]", names.join(" or "), game.profile().title))
    });
    format!("Rules of the game: {}", several.collect::<Vec<_>>().join("; "))
}

impl GameArguments {
    /// The game with its rules.
    pub(super) fn game(&self, games: &KnownGames) -> Result<GameRef, Failure> {
        with_rules(games.named(&self.game)?, self.rules.as_deref())
    }
}

/// `game` with the variant `rules`, if given.
pub(super) fn with_rules(game: GameRef, rules: Option<&str>) -> Result<GameRef, Failure> {
    let Some(rules) = rules else { return Ok(game) };
    game.with_rules(rules).map_err(|fault| Failure::Usage(format!("`--rules`: {fault}")))
}

/// `--input`: a position in a file, or the start.
#[derive(Debug, Args)]
pub(super) struct PositionArguments {
    /// Read the position from this input.txt [default: the start of the game]
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
}

impl PositionArguments {
    /// The position in the file, or the start of the game.
    pub(super) fn position(&self, game: GameRef) -> Result<State, Failure> {
        match &self.input {
            None => Ok(game.start()),
            Some(path) => read_position(path, game),
        }
    }
}

/// Parses the position of an `input.txt`.
pub(super) fn read_position(path: &Path, game: GameRef) -> Result<State, Failure> {
    let input = game.read_input(&read(path)?);
    input.map(|input| input.position).map_err(|fault| Failure::input(path, fault))
}

/// Larger than any sensible `input.txt` or `output.txt`.
pub(super) const MAX_TEXT_BYTES: u64 = 1 << 20;

/// Reads a text that the user named, which may be a pipe.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let text = File::open(path).and_then(|file| read_stream(file, MAX_TEXT_BYTES));
    text.map_err(|error| Failure::input(path, error))
}
