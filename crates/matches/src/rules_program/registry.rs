//! The rules programs loaded by a command, each once, for its lifetime. [`referee_games::KnownGames`] has them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use super::game::CustomGame;
use super::launch::Launch;
use referee_games::protocol::plain;
use referee_games::{GameRef, KnownGames, RULES_FOLDER, RulesLoader, RulesUnavailable};

/// The built-in games, and those of any rules program. Programs other than `referee` name its executable as `keeper`.
pub fn known_games(keeper: Option<&Path>) -> KnownGames {
    let keeper = keeper.map(Path::to_owned);
    KnownGames::new(LoadedRules { keeper, ..LoadedRules::default() })
}

/// The rules programs of one command.
#[derive(Default)]
struct LoadedRules {
    loaded: Mutex<Vec<&'static CustomGame>>,
    /// What runs keep and this process cannot use: every record asks for it, and a program that hangs takes half a
    /// minute.
    unusable: Mutex<BTreeMap<PathBuf, RulesUnavailable>>,
    /// The executable that has the `keeper` command, if it is not this one.
    keeper: Option<PathBuf>,
}

impl RulesLoader for LoadedRules {
    fn at(&self, path: &Path) -> Result<GameRef, RulesUnavailable> {
        self.begin(self.prepared(path)?)
    }

    fn kept_as(&self, name: &str, digest: &str, run: &Path) -> Result<GameRef, RulesUnavailable> {
        if let Some(known) = self.with_digest(digest) {
            return Ok(known);
        }
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        let place = run.join(RULES_FOLDER).join(digest);
        if is_digest && place.is_dir() {
            return self.recorded_at(&place, digest);
        }
        Err(RulesUnavailable::Program(format!(
            "`{}` is a game of a rules program, which a run keeps in its folder `{RULES_FOLDER}/`, and it is not \
             there; name the record within its run, or put the folder back",
            plain(name)
        )))
    }

    /// A run has one game, so one rules program.
    fn kept(&self, run: &Path) -> Result<GameRef, RulesUnavailable> {
        let folder = run.join(RULES_FOLDER);
        let listed = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut places: Vec<PathBuf> =
            listed.map(|entry| entry.path()).filter(|path| path.is_dir() && path.extension().is_none()).collect();
        let (Some(place), true) = (places.pop(), places.is_empty()) else {
            let folder = folder.display();
            return Err(RulesUnavailable::Program(format!("expected the run's rules program in `{folder}`")));
        };
        let digest = place.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        self.with_digest(digest).map_or_else(|| self.recorded_at(&place, digest), Ok)
    }

    fn attached(&self, attachment: &str) -> Result<GameRef, RulesUnavailable> {
        Launch::attach(attachment).map_err(RulesUnavailable::Program).and_then(|launch| self.begin(launch))
    }

    fn first_fault(&self) -> Option<String> {
        self.loaded.lock().iter().find_map(|game| game.fault().map(str::to_owned))
    }
}

impl LoadedRules {
    fn with_digest(&self, digest: &str) -> Option<GameRef> {
        let loaded = self.loaded.lock();
        loaded.iter().find(|game| game.program.digest == digest).map(|game| game.game_ref())
    }

    fn prepared(&self, path: &Path) -> Result<Launch, RulesUnavailable> {
        Launch::prepare(path, path.display().to_string(), self.keeper.as_deref())
    }

    /// Of two that are the same, the first one stays.
    fn begin(&self, launch: Launch) -> Result<GameRef, RulesUnavailable> {
        if let Some(known) = self.with_digest(&launch.digest) {
            return Ok(known);
        }
        let game = CustomGame::begin(launch)?;
        let mut loaded = self.loaded.lock();
        if let Some(known) = loaded.iter().find(|known| known.program.digest == game.program.digest) {
            return Ok(known.game_ref());
        }
        loaded.push(game);
        Ok(game.game_ref())
    }

    fn recorded_at(&self, place: &Path, digest: &str) -> Result<GameRef, RulesUnavailable> {
        let unusable = || self.unusable.lock();
        if let Some(known) = unusable().get(place) {
            return Err(known.clone());
        }
        let begun = self.prepared(place).and_then(|launch| {
            if launch.digest == digest {
                return self.begin(launch);
            }
            Err(RulesUnavailable::Program(format!(
                "the rules program `{}` has been changed since the run began; put the original back",
                place.display()
            )))
        });
        begun.inspect_err(|unavailable| {
            unusable().insert(place.to_owned(), unavailable.clone());
        })
    }
}
