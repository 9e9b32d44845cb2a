//! A ladder: versions of agents that play each other as long as a course lasts.
//!
//! It decides who plays next ([`next_pair`]), hands these pairs to a shard's worker ([`LadderPairs`]), and ranks the
//! versions ([`LadderStandings`]). It does not admit versions, and changes nothing but the records of games: `runs`
//! does the rest.
//!
//! Who plays next must be a pure function of the seed, the versions, the records and the claims. So two machines need
//! not agree by talking, and a killed process plans the same pair again. Ratings are fitted to all games at once,
//! because those that are added up game by game depend on the order of games.

mod history;
mod pair_score;
mod pairs;
mod planner;
mod standings;
mod strengths;

pub use history::LadderHistory;
pub use pair_score::PairScore;
pub use pairs::{LadderPairs, expected_pairing};
pub use planner::{LadderField, PlanRules, next_pair};
pub use standings::{LadderStanding, LadderStandings, VersionStanding};
