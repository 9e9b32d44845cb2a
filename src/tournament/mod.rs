//! Many games: who meets whom, the runner that plays them, and what their results say: standings, ratings, statistics.
//!
//! For: everything between one game and a finished run. Deliberately not here: how one game is played
//! ([`crate::referee`]) and what a run looks like to people ([`crate::console`]).
//!
//! What must always hold: pairings, standings and ratings are pure functions; all randomness comes from the run's seed
//! through the game's name ([`derive_seed`]); a game is on disk before anybody hears that it is finished.

mod attempts;
mod encounter;
mod estimate;
mod external_signals;
mod formats;
mod live_feed;
mod match_statistics;
mod one_game;
mod opening;
mod ratings;
mod runner;
mod schedule;
mod seed;
mod slots;
mod standings;
mod voids;

pub use attempts::{Attempted, Attempts, Pass, SelfTest, Settled};
pub use encounter::encounter;
pub use estimate::{ELO_PER_LOG_ODDS, Interval, Z_95, elo_of_score, normal_below, score_of_elo};
pub use formats::{
    Conclusion, Encounter, Field, FieldError, Format, Merit, NextStep, OddGame, Placing, Results, Round, next_rounds,
    ranking,
};
pub use live_feed::LiveFeed;
pub use match_statistics::{
    InvalidSprt, MatchCounts, MatchStatistics, Pentanomial, SequentialTest, Sprt, SprtDecision, SprtState, Trinomial,
    pairs_of,
};
pub use one_game::{GameSlot, OneGame, agent_record, one_game, player, seed_of};
pub use opening::{Opening, opening};
pub use ratings::{AgentRating, Anchor, Estimate, RatingOptions, Ratings, Strength, ratings};
pub use runner::{Agenda, PendingTask, RunError, RunEvent, Runner, VoidRetry};
pub use schedule::{opened, plan, planned};
pub use seed::derive_seed;
pub use slots::Slots;
pub use standings::{
    CompetitionStanding, Crosstable, FirstAgainstSecond, FirstMove, HeadToHead, RankingCriterion, Standing, Standings,
    Tally, TieBreak, UnknownTieBreak, Ways,
};
pub use voids::Voids;
