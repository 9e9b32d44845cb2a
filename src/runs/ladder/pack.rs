//! Packs the old games of a ladder.

use std::path::Path;

use super::{OpenLadder, RosterLock, open_ladder};
use crate::runs::error::RunFailure;
use referee_games::KnownGames;
use referee_records::GAMES_IN_PACK;

/// Packs the games of the ladder in the folder `path`, but for the latest `keep`. Returns how many were packed.
///
/// # Errors
///
/// [`RunFailure`], also if a pack cannot be written; every game stays readable.
pub fn pack_ladder(path: &Path, keep: usize, games: &KnownGames) -> Result<usize, RunFailure> {
    let OpenLadder { folder, .. } = open_ladder(path, games)?;
    let _lock = RosterLock::acquire(&folder)?;
    let finished = folder.ladder_games();
    let old = finished.iter().take(finished.len().saturating_sub(keep)).map(ToString::to_string);
    let loose: Vec<String> = old.filter(|id| folder.path_of(id).exists()).collect();
    let packed: Result<Vec<usize>, _> = loose.chunks(GAMES_IN_PACK).map(|ids| folder.pack(ids)).collect();
    Ok(packed?.into_iter().sum())
}
