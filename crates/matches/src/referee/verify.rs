//! Judges a record again, from its runs alone.
//!
//! Drives [`OngoingGame`] with recorded runs and compares every consequence. It reads no files and changes no record.
//! Called by `cli/verify`, [`super::explain`] and everything that replays games.

use std::fmt;

use super::ongoing_game::{GameStep, OngoingGame};
use super::play::GameSnapshot;
use referee_games::{BoardError, Side, State};
use referee_records::{GameRecord, TurnRecord, Verdict};

/// The first point where a record and its new judgement differ.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// The start is not a board of the game.
    #[error("invalid start position: {0}")]
    Start(BoardError),
    /// The rules, which are a program of their own, have failed: nothing can be said of the record.
    #[error("the game cannot be judged: {0}")]
    Rules(String),
    /// A turn differs from the turn that the rules require.
    #[error("turn {turn}: {what}")]
    Turn {
        /// The turn, counted from 1.
        turn: usize,
        /// The difference.
        what: TurnDifference,
    },
    /// All turns were taken, but the game is not over.
    #[error("the record ends after turn {turns}, but the game goes on")]
    Unfinished {
        /// The number of turns.
        turns: usize,
    },
    /// The verdict differs.
    #[error("expected the verdict {}, found {}", in_json(.expected), in_json(.found))]
    Verdict {
        /// The verdict by the rules.
        expected: Box<Verdict>,
        /// The verdict of the record.
        found: Box<Verdict>,
    },
    /// The close calls differ.
    #[error("the close calls do not follow from the turns")]
    CloseCalls,
}

/// A verdict as written in a record, for comparison.
fn in_json(verdict: &Verdict) -> String {
    serde_json::to_string(verdict).unwrap_or_else(|_| format!("{verdict:?}"))
}

/// A difference within one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnDifference {
    /// The game was already over.
    AfterTheEnd,
    /// It was the other side's turn.
    OtherSide(Side),
    /// A pass that was not due, or a run when a pass was due.
    Pass,
    /// The clock, charge, move or warnings do not follow from the run.
    Consequences,
}

impl fmt::Display for TurnDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AfterTheEnd => f.write_str("the game was already over"),
            Self::OtherSide(side) => write!(f, "it is the turn of {}", format!("{side:?}").to_lowercase()),
            Self::Pass => f.write_str("a pass is missing, or recorded although a move was possible"),
            Self::Consequences => f.write_str("the clock, charge, move or warnings do not follow from the run"),
        }
    }
}

/// Judges the game in `record` again from its runs alone.
///
/// # Errors
///
/// The first [`Difference`] between the record and the rules.
pub fn verify(record: &GameRecord) -> Result<(), Difference> {
    compare_ends(&judge_again(record, |_| ())?, record)
}

/// The snapshots of the game in `record`: before its first turn, and after each turn.
///
/// # Errors
///
/// The first [`Difference`] between the record and the rules; a record that verifies has none.
pub fn snapshots(record: &GameRecord) -> Result<Vec<GameSnapshot>, Difference> {
    at_each_turn(record, GameSnapshot::of)
}

/// The positions of the game in `record`: before its first turn, and after each turn and the forced pass that follows
/// it.
///
/// # Errors
///
/// Those of [`snapshots`].
pub fn recorded_positions(record: &GameRecord) -> Result<Vec<State>, Difference> {
    at_each_turn(record, |game| game.position().clone())
}

/// What `of` tells of the game in `record`: before its first turn, and after each.
///
/// # Errors
///
/// Those of [`snapshots`].
pub fn at_each_turn<T>(record: &GameRecord, of: impl Fn(&OngoingGame) -> T) -> Result<Vec<T>, Difference> {
    let mut all = Vec::with_capacity(record.turns.len() + 1);
    compare_ends(&judge_again(record, |game| all.push(of(game)))?, record)?;
    Ok(all)
}

/// Takes all turns of `record` again; calls `watch` before the first and after each.
pub(super) fn judge_again(record: &GameRecord, mut watch: impl FnMut(&OngoingGame)) -> Result<OngoingGame, Difference> {
    let mut ongoing_game = OngoingGame::of_record(record, &record.conditions).map_err(Difference::Start)?;
    expect_rules_answered(&ongoing_game)?;
    watch(&ongoing_game);
    for (index, turn) in record.turns.iter().enumerate() {
        let taken = take(&mut ongoing_game, index, turn);
        expect_rules_answered(&ongoing_game)?;
        taken.map_err(|what| Difference::Turn { turn: index + 1, what })?;
        watch(&ongoing_game);
    }
    Ok(ongoing_game)
}

fn expect_rules_answered(ongoing_game: &OngoingGame) -> Result<(), Difference> {
    ongoing_game.expect_rules_answered().map_err(|void| Difference::Rules(void.reason))
}

/// Makes `ongoing_game` take the turn at `index` of the record, and compares the result.
///
/// The game takes passes by itself, so a recorded pass is already there.
fn take(ongoing_game: &mut OngoingGame, index: usize, turn: &TurnRecord) -> Result<(), TurnDifference> {
    if ongoing_game.turns().len() == index {
        let GameStep::Run(side) = ongoing_game.next_step() else {
            return Err(TurnDifference::AfterTheEnd);
        };
        match turn {
            TurnRecord::Pass { .. } => return Err(TurnDifference::Pass),
            TurnRecord::Run { side: runner, .. } if *runner != side => return Err(TurnDifference::OtherSide(side)),
            TurnRecord::Run { run, .. } => ongoing_game.report((**run).clone()),
        }
    }
    match (&ongoing_game.turns()[index], turn) {
        (expected, found) if expected == found => Ok(()),
        (TurnRecord::Pass { .. }, _) | (_, TurnRecord::Pass { .. }) => Err(TurnDifference::Pass),
        (TurnRecord::Run { .. }, TurnRecord::Run { .. }) => Err(TurnDifference::Consequences),
    }
}

fn compare_ends(ongoing_game: &OngoingGame, record: &GameRecord) -> Result<(), Difference> {
    match ongoing_game.verdict() {
        None => Err(Difference::Unfinished { turns: record.turns.len() }),
        Some(_) if ongoing_game.turns().len() > record.turns.len() => {
            Err(Difference::Turn { turn: record.turns.len() + 1, what: TurnDifference::Pass })
        }
        Some(expected) if *expected != record.verdict => {
            Err(Difference::Verdict { expected: Box::new(expected.clone()), found: Box::new(record.verdict.clone()) })
        }
        Some(_) if ongoing_game.close_calls(record.uncertainty(), record.noise.as_ref()) != record.close_calls => {
            Err(Difference::CloseCalls)
        }
        Some(_) => Ok(()),
    }
}
