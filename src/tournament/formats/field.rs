//! Who competes, and what they have played: all that a format may look at.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::games::{GameId, Side};
use crate::records::Pairing;

/// Who won each finished game, by the names of the games; `None` is a true draw.
///
/// What a record says: `(record.id, record.verdict.winner())`.
pub type Results = BTreeMap<String, Option<Side>>;

/// Who competes, and under what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The game and its rule set.
    pub game: GameId,
    /// Everybody who was ever told to compete, best seed first. Names are unique, and a player keeps its place for
    /// ever: whoever joins later goes to the end, whoever leaves stays here and is named in `withdrawn` too.
    pub players: Vec<String>,
    /// Those of the players who left. They get no more games; see [`next_rounds`](super::next_rounds).
    pub withdrawn: BTreeSet<String>,
    /// How many games two play when they meet.
    pub games_per_pairing: NonZeroU32,
    /// Who begins once more, where that is an odd number.
    pub odd_game: OddGame,
    /// The run's seed.
    pub seed: u64,
}

/// Who begins the odd game, where two play an odd number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OddGame {
    /// Whoever has begun less often in the competition so far.
    #[default]
    Balanced,
    /// One of the two, by lot from the run's seed, for each pairing anew.
    ByLot,
}

impl Field {
    /// A field from which nobody has withdrawn.
    pub fn new(game: GameId, players: Vec<String>, games_per_pairing: NonZeroU32, seed: u64) -> Self {
        Self {
            game,
            players,
            withdrawn: BTreeSet::new(),
            games_per_pairing,
            odd_game: OddGame::Balanced,
            seed,
        }
    }

    /// Whether the player at `place` is still in.
    pub(super) fn is_active(&self, place: usize) -> bool {
        !self.withdrawn.contains(&self.players[place])
    }

    /// The places of those who are still in.
    pub(super) fn active(&self) -> Vec<usize> {
        (0..self.players.len()).filter(|&place| self.is_active(place)).collect()
    }
}

/// Encounters that can be played at the same time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Counted from 1. A second round of the same number brings further games of encounters that were tied.
    pub number: u32,
    /// Who meets whom.
    pub encounters: Vec<Encounter>,
    /// Who is in, but meets nobody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<String>,
}

impl Round {
    /// All games of the round, in the order in which they are best begun.
    pub fn games(&self) -> impl Iterator<Item = &Pairing> {
        self.encounters.iter().flat_map(|encounter| &encounter.games)
    }
}

/// The games of two players against each other within a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encounter {
    /// The two; the one named first has the first turn of the first game.
    pub players: [String; 2],
    /// Their games.
    pub games: Vec<Pairing>,
}
