//! The files of a run on disk, and the only code that writes them.
//!
//! The formats of game records and manifests, and the folder that contains them. It computes nothing from records:
//! standings, grades and reports are computed each time. Every crate that runs, judges or shows games uses it.
//!
//! A file under `games/` or `answers/` must be finished, and written whole or not at all. A record must contain
//! everything needed to judge its game again without the agents. A reader must refuse a newer schema than its own.
//!
//! ```text
//! results/<run>/manifest.json        who plays, under which conditions, on which machine
//! results/<run>/games/<id>.json      one finished game
//! results/<run>/answers/<id>.json    one answer to a question
//! results/<run>/analysis/<id>.json   what each move of a game gave up, which is computed again where it is missing
//! results/<run>/curve.json           the curve of expected scores that was fitted for the game of this run
//! results/<run>/live/<id>.json       a running game, for spectators; nothing is computed from it
//! results/<run>/assignment.toml      of a grading or a competition: a copy of the assignment
//! results/<run>/ladder.toml          of a ladder: the same
//! results/<run>/agents/<digest>/     of a competition: the sources of an agent, to build it anywhere
//! results/<run>/entries/<name>/      of a ladder: the sources of each version of an agent
//! results/<run>/requests/<id>.json   of a ladder: a pair of games that a participant has asked for
//! results/<run>/built/               cached builds
//! results/<run>/calibrations/         the output of `calibrate` programs for each kind of machine
//! results/<run>/voids/<id>.json      how often a game or an answer was void, and why
//! results/<run>/claims/<id>          a pair of games that a process is playing
//! ```

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

mod analysis;
mod answer;
mod bounded;
mod calibration;
mod claims;
mod close_call;
mod error;
pub mod export;
mod files;
mod game;
mod host;
mod ladder;
mod live;
mod manifest;
mod noise;
mod pack;
mod packing;
mod participants;
mod process;
mod reading;
mod set_aside;
mod skim;
mod store;
mod summary;
mod unix_time;
mod verdict;
mod voids;

pub use analysis::{
    AnalysisBasis, Confirmation, GameAnalysis, MoveMark, TurnAnalysis, ValuedMove, analysis_beside, digest_of_record,
    run_of_record,
};
pub use answer::{AnswerRecord, AnswerRequest, AnswerVerdict, ExpectedAnswer, Question};
pub use bounded::{MAX_ASSIGNMENT_BYTES, MAX_RECORD_BYTES, read_bounded, read_bounded_text, read_stream};
pub use calibration::CalibrationRecord;
pub use claims::{Claim, ClaimHolder, Claims, StaleClaim};
pub use close_call::{CloseCall, OtherClockResult};
pub use error::RecordError;
pub use files::{Kept, new_folder, open_lock, remove_file, write_file, write_files, write_folder};
pub use game::{Conditions, GameRecord, PersonClock, PlayerKind, PlayerRecord, TurnRecord, charged, paced};
pub use host::{Host, HostKind};
pub use ladder::{LadderGame, LadderPair, LadderRequest, NotALadderGame};
pub use live::{Changes, LastTurn, LiveFile, LiveGame};
pub use manifest::{
    AgentRecord, AgentRole, Manifest, ManifestIndex, Pairing, PlannedEncounter, PlannedRound, Rejection, RunKind,
    SeatingOptions, StudentIdentity, StudentRecord, TimeSource,
};
pub use noise::MachineNoise;
pub use packing::GAMES_IN_PACK;
pub use participants::{AdmissionRecord, ParticipantRecord, VersionRecord};
pub use process::ProcessIdentity;
pub use reading::{read_answer, read_game};
use serde::{Deserialize, Serialize};
pub use skim::read_summary;
pub use store::RunFolder;
pub use summary::{GameOnMachine, GameSummary, Outcome, PlayedOn, TurnTotals};
pub use unix_time::{unix_ms, unix_s};
pub use verdict::{Draw, DrawAward, Fault, FaultKind, Verdict, WinReason};
pub use voids::{VoidBlame, VoidRecord};

use referee_games::Side;

/// The version of the formats in this crate. It must increase with every change that an older reader would misread.
pub const SCHEMA: u32 = 1;

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PerSide<T> {
    /// Black's.
    pub black: T,
    /// White's.
    pub white: T,
}

impl<T> PerSide<T> {
    /// Both values, made from their sides.
    pub fn from_fn(mut value: impl FnMut(Side) -> T) -> Self {
        Self { black: value(Side::Black), white: value(Side::White) }
    }

    /// The value of `side`.
    pub const fn of(&self, side: Side) -> &T {
        match side {
            Side::Black => &self.black,
            Side::White => &self.white,
        }
    }

    /// Mutable access to the value of `side`.
    pub const fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Black => &mut self.black,
            Side::White => &mut self.white,
        }
    }
}

/// Whether a value need not be written, because it is read where there is none.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
