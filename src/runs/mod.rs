//! Runs as a whole, from a request to the results: a match, a competition or a shard of it, a grading, a ladder.
//!
//! A request says who plays, under which conditions, where the records go and how many games are played at a time. Here
//! submissions are taken in, agents built and tested, the run begun or resumed, and everything played that is missing,
//! with [`referee_matches::tournament`]. It also opens runs for those who only read them.
//!
//! It parses no arguments and prints nothing: [`Progress`] tells what happens, [`RunFailure`] whose fault a failure is.
//! [`crate::cli`] and other programs call it. Nothing may be written into a folder that has something else in it. What
//! was finished must stay when a run fails, is interrupted or is dropped.
//!
//! Its futures run within `tokio`, and dropping one ends its run. A program other than `referee` names a `referee` for
//! keepers and built-in agents, here that of the tests:
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use referee_games::{GameRef, KnownGames};
//! use referee_records::Conditions;
//! use referee::runs::{GamePlan, MatchRequest, MatchTerms, play_match};
//! use referee_seat::SeatOptions;
//! use referee_submissions::agents::Python2;
//! use referee_time::CpuTime;
//! use referee_matches::tournament::Slots;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let game: GameRef = "duo-othello".parse()?;
//! let request = MatchRequest {
//!     agents: vec!["builtin:alphabeta".parse()?, "builtin:random".parse()?],
//!     plan: GamePlan { game, seed: 1, games: 2, opening_plies: 0 },
//!     sprt: None,
//!     terms: MatchTerms {
//!         assignment: None,
//!         seats: SeatOptions { keeper: Some("/usr/bin/referee".into()), ..SeatOptions::default() },
//!         python2: Python2::Required,
//!         conditions: Conditions::usual(game, CpuTime::from_secs(300)),
//!         out: Some("results/match".into()),
//!         known_games: KnownGames::builtin(),
//!     },
//!     slots: Slots::anywhere(2),
//! };
//! let played = play_match(request, Arc::new(|progress| eprintln!("{progress:?}"))).await?;
//! for game in played.folder.summaries(&played.manifest) {
//!     println!("{:?}", game?.outcome);
//! }
//! # Ok(())
//! # }
//! ```

mod agent_setup;
mod analysis;
mod assignment_file;
mod calibration;
mod competition;
mod error;
mod grading;
mod kind;
mod ladder;
mod matches;
mod playing;
mod progress;
mod run_path;
mod scratch;
mod shard;
mod submissions;

pub use agent_setup::{MatchTerms, RunOptions};
pub use analysis::{
    AnalysisRequest, AnalyzedGames, KeptAnalyses, RefusedGame, analyze_games, analyze_record, fit_curve,
};
pub use assignment_file::{assignment_of, competition_of, load_competition, load_grading, next_step};
pub use competition::{
    CompetitionRequest, PlanState, PlanStatus, PlayedCompetition, compete, plan_next, prepare_competition,
};
pub use error::{Remedy, RunFailure, RunProblem};
pub use grading::{GradingRequest, NamedClass, grade, reassign};
pub use kind::{WantedKind, expect_kind};
pub use ladder::{
    LadderChange, LadderPlayRequest, LadderUpdateRequest, NewLadder, OpenLadder, VersionOutcome, change_ladder,
    freeze_ladder, open_ladder, pack_ladder, request_games, update_ladder,
};
pub use matches::{GamePlan, MatchRequest, PERSON, PersonGames, PersonMatchRequest, PlayedMatch, play_match};
pub use progress::{OnProgress, Progress, StepKind};
pub use run_path::{WantedRecord, is_record, no_record, open_run};
pub use scratch::scratch_dir;
pub use shard::{PlayedShard, PreparedShard, ShardRequest};
