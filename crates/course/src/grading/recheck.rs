//! Repeats close calls, so that a person can decide them with more than one result. `runs` calls it.
//!
//! The points must stay those of the first attempt: repeating until it works would grade luck.

use super::gradebook::Gradebook;
use referee_records::{AnswerRequest, Manifest, Pairing};

/// The part of a repetition's name before its number.
const AGAIN: &str = ".again";

/// The name of repetition `time` of the item `id`.
pub(super) fn again_id(id: &str, time: u32) -> String {
    format!("{id}{AGAIN}{time}")
}

/// Whether `id` names a repetition.
pub fn is_again(id: &str) -> bool {
    repeated(id).is_some()
}

/// The name of the item that `id` repeats; `None` if it is no repetition.
pub(super) fn repeated(id: &str) -> Option<&str> {
    let (item, time) = id.rsplit_once(AGAIN)?;
    (!time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit())).then_some(item)
}

/// `manifest` with everything on the review list of `gradebook` repeated `times` times.
pub fn rechecks(manifest: &Manifest, gradebook: &Gradebook, times: u32) -> Manifest {
    let mut manifest = manifest.clone();
    for review in gradebook.review.iter().filter(|review| review.void.is_none()) {
        for id in (1..=times).map(|time| again_id(&review.id, time)) {
            let game = manifest.games.iter().find(|game| game.id == review.id).cloned();
            if let Some(game) = game.filter(|_| manifest.games.iter().all(|known| known.id != id)) {
                manifest.games.push(Pairing { id, ..game });
                continue;
            }
            let asked = manifest.answers.iter().find(|asked| asked.id == review.id).cloned();
            if let Some(asked) = asked.filter(|_| manifest.answers.iter().all(|known| known.id != id)) {
                manifest.answers.push(AnswerRequest { id, ..asked });
            }
        }
    }
    manifest
}
