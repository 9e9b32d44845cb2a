//! Close calls that are played and asked again, so that a person can decide about them with more than one result.
//!
//! The points stay those of the first time: who may try until it works would be graded by luck.

use super::gradebook::Gradebook;
use crate::records::Manifest;

/// What stands in the name of an item that is done again, before the number of the time.
const AGAIN: &str = ".again";

/// The name under which the item `id` is done again for the `time`th time.
pub(super) fn again_id(id: &str, time: u32) -> String {
    format!("{id}{AGAIN}{time}")
}

/// Whether `id` is the name of something that is done again.
pub fn is_again(id: &str) -> bool {
    id.rsplit_once(AGAIN)
        .is_some_and(|(_, time)| !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `manifest` with everything on the review list of `gradebook` done `times` times again.
pub fn rechecks(manifest: &Manifest, gradebook: &Gradebook, times: u32) -> Manifest {
    let mut manifest = manifest.clone();
    for review in gradebook.review.iter().filter(|review| review.void.is_none()) {
        for id in (1..=times).map(|time| again_id(&review.id, time)) {
            let game = manifest.games.iter().find(|game| game.id == review.id).cloned();
            if let Some(mut game) = game.filter(|_| manifest.games.iter().all(|known| known.id != id)) {
                game.id = id;
                manifest.games.push(game);
                continue;
            }
            let asked = manifest.answers.iter().find(|asked| asked.id == review.id).cloned();
            if let Some(mut asked) = asked.filter(|_| manifest.answers.iter().all(|known| known.id != id)) {
                asked.id = id;
                manifest.answers.push(asked);
            }
        }
    }
    manifest
}
