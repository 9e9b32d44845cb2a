//! The games that a command knows: the only way from a name or a record to a game. Its value is made once and passed
//! where names become games.
//!
//! This crate does no I/O: the [`RulesLoader`] within finds and starts rules programs, and only when it is asked to.

use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use super::{GameId, GameRef, RulesUnavailable, UnknownGame, UnknownRules};

/// The name of the folder in which a run keeps the rules program of its game, within a folder named by its digest.
pub const RULES_FOLDER: &str = "rules";

/// A game as a command line or an assignment names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameName {
    /// A built-in game, in the usual variant.
    Builtin(GameRef),
    /// The rules program at this path, which has not been looked at.
    RulesAt(PathBuf),
}

impl FromStr for GameName {
    type Err = UnknownGame;

    fn from_str(name: &str) -> Result<Self, UnknownGame> {
        match name.parse() {
            Err(_) if name.contains(['/', '.']) => Ok(Self::RulesAt(name.into())),
            builtin => builtin.map(Self::Builtin),
        }
    }
}

/// The built-in games, and the games of rules programs, which are loaded when they are asked for. Clones share what is
/// loaded.
#[derive(Clone)]
pub struct KnownGames(Arc<dyn RulesLoader>);

impl KnownGames {
    /// The built-in games, and those of this loader.
    pub fn new(loader: impl RulesLoader + 'static) -> Self {
        Self(Arc::new(loader))
    }

    /// The built-in games alone.
    pub fn builtin() -> Self {
        Self::new(NoRulesPrograms)
    }

    /// The game of that name.
    ///
    /// # Errors
    ///
    /// [`RulesUnavailable`] if it names a rules program that cannot be used.
    pub fn named(&self, name: &GameName) -> Result<GameRef, RulesUnavailable> {
        match name {
            GameName::Builtin(game) => Ok(*game),
            GameName::RulesAt(path) => self.at(path),
        }
    }

    /// The game of a record, whose run in the folder `run` keeps its rules program, if it has one.
    ///
    /// # Errors
    ///
    /// [`UnknownRecordedGame`] tells a damaged record from rules that cannot be used.
    pub fn recorded(&self, id: &GameId, run: &Path) -> Result<GameRef, UnknownRecordedGame> {
        let game = match &id.rules_program {
            Some(digest) => self.kept_as(&id.name, digest, run)?,
            None => id.name.parse()?,
        };
        Ok(id.rules.as_ref().map_or(Ok(game), |rules| game.with_rules(rules))?)
    }
}

impl Deref for KnownGames {
    type Target = dyn RulesLoader;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for KnownGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownGames").finish_non_exhaustive()
    }
}

/// Finds rules programs, starts them, and makes games of them that live as long as this process, each once. By itself
/// it has none.
///
/// Its errors are what is wrong, and what to do.
#[expect(clippy::missing_errors_doc, reason = "all of them are the same")]
pub trait RulesLoader: Send + Sync {
    /// The game of the rules program at this path.
    fn at(&self, _path: &Path) -> Result<GameRef, RulesUnavailable> {
        not_here()
    }

    /// The game called `name` of the rules program with this digest, which the run in the folder `run` keeps.
    fn kept_as(&self, _name: &str, _digest: &str, _run: &Path) -> Result<GameRef, RulesUnavailable> {
        not_here()
    }

    /// The game of the only rules program that the run in this folder keeps.
    fn kept(&self, _run: &Path) -> Result<GameRef, RulesUnavailable> {
        not_here()
    }

    /// The game of the rules program that [`RulesProgram::attachment`](super::RulesProgram::attachment) describes.
    fn attached(&self, _attachment: &str) -> Result<GameRef, RulesUnavailable> {
        not_here()
    }

    /// The first fault of a loaded rules program, if any has failed: what follows from its answers is false.
    fn first_fault(&self) -> Option<String> {
        None
    }
}

/// Where only the built-in games exist.
struct NoRulesPrograms;

impl RulesLoader for NoRulesPrograms {}

fn not_here<T>() -> Result<T, RulesUnavailable> {
    Err(RulesUnavailable::Program("rules programs cannot be used here".to_owned()))
}

/// Why the game of a record is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownRecordedGame {
    /// The record is damaged: there is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The record is damaged: the game has no such variant.
    #[error(transparent)]
    Variant(#[from] UnknownRules),
    /// The rules cannot be used here. Nothing is wrong with the record.
    #[error(transparent)]
    Rules(#[from] RulesUnavailable),
}
