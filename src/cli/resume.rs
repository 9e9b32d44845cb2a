//! Says that a run is resumed, on a terminal and in a pipe. Commands that play call it.

use super::output::note;
use crate::messages::{counted, plain};
use crate::records::{Manifest, RunFolder};

/// Notes how much of the run is finished; nothing if it is a new one.
pub(super) fn note_resumed(folder: &RunFolder, manifest: &Manifest) {
    let games = folder.finished(manifest).len();
    let answers = folder.answered(manifest).len();
    if games + answers == 0 {
        return;
    }
    let of = |done: usize, all: usize, things| format!("{done} of {}", counted(all, things));
    let games = of(games, manifest.games.len(), "game");
    let answers = of(answers, manifest.answers.len(), "answer");
    let done = match (manifest.games.len(), manifest.answers.len()) {
        (_, 0) => games,
        (0, _) => answers,
        _ => format!("{games} and {answers}"),
    };
    let path = plain(&folder.path().display().to_string());
    note(&format!("resuming the run in `{path}`: {done} finished"));
}
