//! The rules programs loaded by this process, each once, for its lifetime. [`crate::games`] calls it through a hook.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::game::CustomGame;
use super::launch::Launch;
use crate::games::{GameRef, RULES_FOLDER, RulesUnavailable, RulesWanted, run_folders};

static LOADED: Mutex<Vec<&'static CustomGame>> = Mutex::new(Vec::new());

/// What runs keep and this process cannot use: every record asks for it, and a program that hangs takes half a minute.
static UNUSABLE: Mutex<BTreeMap<PathBuf, RulesUnavailable>> = Mutex::new(BTreeMap::new());

/// Finds and starts a rules program; what [`crate::games::register_rules_loader`] is given.
///
/// # Errors
///
/// [`RulesUnavailable`] with what is wrong and what to do.
pub fn load(wanted: &RulesWanted<'_>) -> Result<GameRef, RulesUnavailable> {
    match wanted {
        RulesWanted::At(path) => at(path),
        RulesWanted::Recorded { game, digest } => match handle(digest) {
            Some(game) => Ok(game.id()),
            None => recorded(game, digest),
        },
        RulesWanted::Kept(run) => kept(run),
        RulesWanted::Loaded(name) => {
            called(name).ok_or_else(|| RulesUnavailable::Program(format!("no game `{name}` is loaded")))
        }
        RulesWanted::Attached(text) => Launch::attach(text).map_err(RulesUnavailable::Program).and_then(begin),
    }
}

/// The loaded game of that digest.
pub(super) fn handle(digest: &str) -> Option<&'static CustomGame> {
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.iter().copied().find(|game| game.client.launch().digest == digest)
}

/// The loaded game of that name.
fn called(name: &str) -> Option<GameRef> {
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.iter().map(|game| game.id()).find(|game| game.name() == name)
}

/// The first fault of any rules program in this process.
pub fn first_fault() -> Option<String> {
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.iter().find_map(|game| game.fault().map(str::to_owned))
}

fn at(path: &Path) -> Result<GameRef, RulesUnavailable> {
    let shown = path.display().to_string();
    begin(Launch::prepare(path, shown)?)
}

/// Of two that are the same, the first one stays.
fn begin(launch: Launch) -> Result<GameRef, RulesUnavailable> {
    if let Some(known) = handle(&launch.digest) {
        return Ok(known.id());
    }
    let game = CustomGame::begin(launch)?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let digest = &game.client.launch().digest;
    if let Some(known) = loaded.iter().find(|known| known.client.launch().digest == *digest) {
        return Ok(known.id());
    }
    loaded.push(game);
    Ok(game.id())
}

fn recorded(game: &str, digest: &str) -> Result<GameRef, RulesUnavailable> {
    let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let folders = run_folders();
    let place = folders.iter().map(|run| run.join(RULES_FOLDER).join(digest)).find(|place| is_digest && place.is_dir());
    let Some(place) = place else {
        return Err(RulesUnavailable::Program(format!(
            "`{}` is a game of a rules program, which a run keeps in its folder `{RULES_FOLDER}/`, and it is not \
             there; name the record within its run, or put the folder back",
            crate::protocol::plain(game)
        )));
    };
    recorded_at(&place, digest)
}

/// A run has one game, so one rules program.
fn kept(run: &Path) -> Result<GameRef, RulesUnavailable> {
    let folder = run.join(RULES_FOLDER);
    let listed = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut places: Vec<PathBuf> =
        listed.map(|entry| entry.path()).filter(|path| path.is_dir() && path.extension().is_none()).collect();
    match (places.pop(), places.is_empty()) {
        (Some(place), true) => {
            let name = place.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            match handle(name) {
                Some(game) => Ok(game.id()),
                None => recorded_at(&place, name),
            }
        }
        (_, _) => Err(RulesUnavailable::Program(format!("expected the run's rules program in `{}`", folder.display()))),
    }
}

fn recorded_at(place: &Path, digest: &str) -> Result<GameRef, RulesUnavailable> {
    let unusable = || UNUSABLE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = unusable().get(place) {
        return Err(known.clone());
    }
    let begun = Launch::prepare(place, place.display().to_string()).and_then(|launch| {
        if launch.digest == digest {
            return begin(launch);
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
