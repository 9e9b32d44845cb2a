//! Many games: pairings, the runner that plays them, and standings, ratings and statistics from their results.
//!
//! It covers everything between one game and a finished run. It does not play a game itself ([`crate::referee`]) or
//! present a run (`console`). `cli`, `shards`, `grading`, `serve` and `report` call it. Pairings, standings
//! and ratings must be pure functions. All randomness must come from the run's seed through the game's name
//! ([`derive_seed`]). A game must be on disk before it is reported as finished.

mod attempts;
mod encounter;
mod estimate;
mod event;
mod external_signals;
mod formats;
mod live_feed;
mod match_statistics;
mod one_game;
mod opening;
mod pending_task;
mod ratings;
mod runner;
mod schedule;
mod scheduler;
mod seed;
mod slots;
mod standings;
mod voids;

pub use attempts::{Attempts, Pass, SelfTest, Settled};
pub use encounter::encounter;
pub use estimate::{ELO_PER_LOG_ODDS, score_of_elo};
pub use event::{RunError, RunEvent, VoidRetry};
pub use formats::{
    Advance, CompetitionField, Conclusion, Encounter, ExtraGameStart, Format, NextStep, RankBy, RankKey, Results,
    Round, advances, next_rounds, ranking,
};
pub use live_feed::LiveFeed;
pub use match_statistics::{MatchCounts, MatchStatistics, Pentanomial, SequentialTest, Sprt, SprtDecision, SprtState};
pub use one_game::{agent_record, player, seed_of};
pub use pending_task::PendingTask;
pub use ratings::{
    AgentRating, Estimate, RankCertainty, RankRange, RankRanges, RatingOptions, Ratings, Strength, ratings,
};
pub use runner::{Runner, TaskList};
pub use schedule::{opened, plan, planned};
pub use scheduler::{NextTask, Scheduler, Workload};
pub use seed::derive_seed;
pub use slots::Slots;
pub use standings::{
    ColumnValue, CompetitionStanding, Crosstable, EndCounts, FirstAgainstSecond, FirstMove, HeadToHead,
    RankingCriterion, Standing, Standings, StandingsColumn, Tally, TieBreak,
};
pub use voids::Voids;
