//! The rounds of a competition, as a manifest keeps them.
//!
//! The games of all rounds stand one after another among the manifest's games; a round says how many of them belong to
//! which encounter. So whatever plays, verifies or counts games needs to know nothing of rounds.

use super::opening::{Opening, opening};
use super::{Encounter, Round, derive_seed};
use crate::games::GameId;
use crate::records::{Manifest, Pairing, PlannedEncounter, PlannedRound};

/// The rounds that `manifest` has planned.
pub fn planned(manifest: &Manifest) -> Vec<Round> {
    let mut games = manifest.games.iter();
    let mut encounter = |planned: &PlannedEncounter| Encounter {
        players: planned.players.clone(),
        games: games.by_ref().take(planned.games).cloned().collect(),
    };
    let rounds = manifest.rounds.iter();
    rounds
        .map(|round| Round {
            number: round.number,
            encounters: round.encounters.iter().map(&mut encounter).collect(),
            byes: round.byes.clone(),
        })
        .collect()
}

/// Adds `rounds` to what `manifest` has planned. Each two games of an encounter in a row begin with the same opening of
/// so many plies, played once from either side.
pub fn plan(manifest: &mut Manifest, rounds: Vec<Round>, opening_plies: u32) {
    for round in rounds {
        let mut encounters = Vec::with_capacity(round.encounters.len());
        for Encounter { players, games } in round.encounters {
            encounters.push(PlannedEncounter {
                players,
                games: games.len(),
            });
            for pair in games.chunks(2) {
                manifest
                    .games
                    .extend(opened(manifest.game, manifest.seed, pair, opening_plies));
            }
        }
        manifest.rounds.push(PlannedRound {
            number: round.number,
            encounters,
            byes: round.byes,
        });
    }
}

/// Two games with one opening.
pub fn opened(game: GameId, seed: u64, pair: &[Pairing], plies: u32) -> Vec<Pairing> {
    let lot = pair
        .first()
        .map_or(0, |first| derive_seed(seed, &["opening", &first.id]));
    let begin = |pairing: &Pairing| match opening(game, pairing.first, plies, lot) {
        None => pairing.clone(),
        Some(Opening { rows, first }) => Pairing {
            first,
            start: Some(rows),
            ..pairing.clone()
        },
    };
    pair.iter().map(begin).collect()
}
