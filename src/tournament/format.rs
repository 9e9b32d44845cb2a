//! How a competition decides who meets whom.

use serde::{Deserialize, Serialize};

/// The format of a competition, with what has to be known of it beside the players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "format")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// One meets all the others.
    Gauntlet {
        /// The name of the one.
        challenger: String,
    },
    /// In each round, those of about the same score meet who have not met before.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
    /// Single elimination: who loses a pairing is out.
    Knockout,
    /// Double elimination: who loses two pairings is out.
    DoubleKnockout,
    /// The handouts' elimination: who loses more than half of a pairing's games is out, on a split both go on, and
    /// there may be several winners.
    Elimination {
        /// The competition ends after so many rounds, if not before.
        round_limit: u32,
    },
    /// What the staff of 2021 ran: rounds against random opponents in which only those are out who lose every
    /// pairing, then a round robin of those who are left.
    RandomRounds {
        /// How many opponents each meets in a round.
        opponents: u32,
        /// How many rounds come before the round robin.
        rounds: u32,
    },
}
