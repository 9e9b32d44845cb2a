//! The formats by name, with their parameters. It plans nothing; assignments choose a format, and
//! [`super::next_rounds`] plays it.

use serde::{Deserialize, Serialize};

use super::CompetitionField;
use referee_games::protocol::quote;

/// The format of a competition, with its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "format")]
pub enum Format {
    /// Everybody plays everybody.
    RoundRobin,
    /// One player plays all the others.
    Gauntlet {
        /// The name of that player.
        challenger: String,
    },
    /// In each round, players with similar scores meet who have not met before.
    Swiss {
        /// The number of rounds.
        rounds: u32,
    },
    /// Single elimination: a player who loses a pairing is out.
    Knockout,
    /// Double elimination: a player who loses two pairings is out.
    DoubleKnockout,
    /// The handouts' elimination: a player who loses more than half of a pairing's games is out; on a split both
    /// continue, and several may win.
    Elimination {
        /// The maximum number of rounds.
        round_limit: u32,
    },
    /// The format that the staff ran in 2021: rounds against random opponents, which eliminate only players who lose
    /// every pairing, then a round robin of the rest.
    RandomRounds {
        /// The opponents of each player in a round.
        opponents: u32,
        /// The rounds before the round robin.
        rounds: u32,
    },
}

/// The challenger of a gauntlet is not in the field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the challenger {} is not among the players: name one of them", quote(.0.as_bytes()))]
pub struct NoChallenger(String);

impl Format {
    /// Whether all games are planned at the start, so that agents may still join; otherwise the next round depends on
    /// all results of those before it.
    pub const fn is_planned_at_once(&self) -> bool {
        match self {
            Self::RoundRobin | Self::Gauntlet { .. } => true,
            Self::Swiss { .. }
            | Self::Knockout
            | Self::DoubleKnockout
            | Self::Elimination { .. }
            | Self::RandomRounds { .. } => false,
        }
    }

    /// The name of the player whom all others meet, in a gauntlet.
    pub fn challenger(&self) -> Option<&str> {
        if let Self::Gauntlet { challenger } = self { Some(challenger) } else { None }
    }

    /// Whether `field` can play this format. An assignment has checked its numbers.
    ///
    /// # Errors
    ///
    /// If the challenger of a gauntlet is not in the field.
    pub fn check(&self, field: &CompetitionField) -> Result<(), NoChallenger> {
        match self.challenger().filter(|&challenger| field.players.iter().all(|player| player != challenger)) {
            Some(challenger) => Err(NoChallenger(challenger.to_owned())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    #[test]
    fn a_gauntlet_needs_its_challenger() {
        let players = ["a", "b"].map(str::to_owned).to_vec();
        let field = CompetitionField::new(referee_games::checkers::ID, players, NonZeroU32::MIN, 0);
        let gauntlet = |challenger: &str| Format::Gauntlet { challenger: challenger.to_owned() };
        assert_eq!(gauntlet("b").check(&field), Ok(()));
        let refused = gauntlet("\x1b").check(&field).unwrap_err().to_string();
        assert_eq!(refused, r"the challenger `\u{1b}` is not among the players: name one of them");
    }
}
