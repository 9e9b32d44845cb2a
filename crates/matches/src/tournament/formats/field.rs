//! The players and games of a competition: everything a format may use. Plain data with little logic; formats, the
//! schedule and assignments read it.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use referee_games::{GameRef, Side};
use referee_records::Pairing;

/// The winner of each finished game by the game's name; `None` for a true draw.
///
/// From a record: `(record.id, record.verdict.winner())`.
pub type Results = BTreeMap<String, Option<Side>>;

/// The players and the settings of their competition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompetitionField {
    /// The game and its rule set.
    pub game: GameRef,
    /// Everybody who ever entered, best seed first. Names are unique and places permanent: late players go to the end,
    /// and those who leave stay here and are also in `withdrawn`.
    pub players: Vec<String>,
    /// The players who left. They get no more games; see [`next_rounds`](super::next_rounds).
    pub withdrawn: BTreeSet<String>,
    /// The number of games per pairing.
    pub games_per_pairing: NonZeroU32,
    /// Who begins the extra game of an odd number.
    pub extra_game_start: ExtraGameStart,
    /// What a round robin is ranked by first.
    pub rank_by: RankBy,
    /// The run's seed.
    pub seed: u64,
}

/// Who begins the extra game, if a pairing has an odd number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExtraGameStart {
    /// The player who has begun less often in the competition.
    #[default]
    Balanced,
    /// One of the two, by lot from the run's seed, per pairing.
    ByLot,
}

/// What a round robin is ranked by first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankBy {
    /// Points, then Sonneborn-Berger.
    #[default]
    Points,
    /// Pairings won, then points, then Sonneborn-Berger.
    Pairings,
}

impl CompetitionField {
    /// A field from which nobody has withdrawn.
    pub fn new(game: GameRef, players: Vec<String>, games_per_pairing: NonZeroU32, seed: u64) -> Self {
        Self {
            game,
            players,
            withdrawn: BTreeSet::new(),
            games_per_pairing,
            extra_game_start: ExtraGameStart::Balanced,
            rank_by: RankBy::Points,
            seed,
        }
    }

    /// Whether the player at `place` is active.
    pub(super) fn is_active(&self, place: usize) -> bool {
        !self.withdrawn.contains(&self.players[place])
    }

    /// The places of the active players.
    pub(super) fn active(&self) -> Vec<usize> {
        (0..self.players.len()).filter(|&place| self.is_active(place)).collect()
    }
}

/// Encounters that can be played concurrently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Counted from 1. A second round with the same number has more games for tied encounters.
    pub number: u32,
    /// The encounters.
    pub encounters: Vec<Encounter>,
    /// The players with a bye.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<String>,
}

impl Round {
    /// All games of the round, in the best order to begin them.
    pub fn games(&self) -> impl Iterator<Item = &Pairing> {
        self.encounters.iter().flat_map(|encounter| &encounter.games)
    }
}

/// The games between two players in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encounter {
    /// The players; the first one has the first turn in the first game.
    pub players: [String; 2],
    /// Their games.
    pub games: Vec<Pairing>,
}
