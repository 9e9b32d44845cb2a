//! The rounds of a competition, as stored in a manifest. `runs`, reports and standings call it; formats decide
//! the rounds.
//!
//! The manifest lists the games of all rounds one after another; a round says how many of them belong to which
//! encounter. So code that plays, verifies or counts games needs no rounds.

use super::opening::{Opening, opening};
use super::{Encounter, Round, derive_seed};
use referee_games::{GameRef, RulesUnavailable, Side};
use referee_records::{Manifest, Pairing, PlannedEncounter, PlannedRound};

/// The planned rounds of `manifest`.
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

/// Appends `rounds` to the plan of `manifest`. Each two consecutive games of an encounter share an opening of this many
/// plies, played once from either side; `on_opening` is called after each.
///
/// # Errors
///
/// Why a rules program did not answer; then the plan is unusable.
pub fn plan(
    manifest: &mut Manifest,
    rounds: Vec<Round>,
    opening_plies: u32,
    on_opening: &dyn Fn(),
) -> Result<(), RulesUnavailable> {
    for round in rounds {
        let mut encounters = Vec::with_capacity(round.encounters.len());
        for Encounter { players, games } in round.encounters {
            encounters.push(PlannedEncounter { players, games: games.len() });
            for pair in games.chunks(2) {
                manifest.games.extend(opened(manifest.game, manifest.seed, pair, opening_plies)?);
                on_opening();
            }
        }
        manifest.rounds.push(PlannedRound { number: round.number, encounters, byes: round.byes });
    }
    Ok(())
}

/// Gives two games the same opening.
///
/// # Errors
///
/// Why a rules program did not answer.
pub fn opened(game: GameRef, seed: u64, pair: &[Pairing], plies: u32) -> Result<Vec<Pairing>, RulesUnavailable> {
    let seed = pair.first().map_or(0, |first| derive_seed(seed, &["opening", &first.id]));
    let mut drawn: Vec<(Side, Option<Opening>)> = Vec::new();
    let mut begin = |pairing: &Pairing| {
        let known = drawn.iter().find(|(first, _)| *first == pairing.first).map(|(_, opening)| opening.clone());
        let opening = match known {
            Some(opening) => opening,
            None => opening(game, pairing.first, plies, seed)?,
        };
        drawn.push((pairing.first, opening.clone()));
        Ok(match opening {
            None => pairing.clone(),
            Some(Opening { rows, first }) => Pairing { first, start: Some(rows), ..pairing.clone() },
        })
    };
    pair.iter().map(&mut begin).collect()
}
