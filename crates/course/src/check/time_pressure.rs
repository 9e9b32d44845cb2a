//! Checks moves with almost no time left. `examine` calls it.

use super::budget::seconds;
use super::error::CheckError;
use super::exercises::{as_turn, first_turn};
use super::prepared::{AnsweredTurn, PreparedSubmission};
use super::report::CheckItem;
use referee_messages::counted;
use referee_records::Question;
use referee_seat::Termination;
use referee_time::CpuTime;

const ONE_SECOND: &str = "1 s left";
const NO_TIME: &str = "0.01 s left";

/// With this time left, it must answer in time.
const LITTLE: CpuTime = CpuTime::from_secs(1);

/// With this time left, hardly any program can, but it should not think long either.
const HARDLY_ANY: CpuTime = CpuTime::from_millis(10);

/// How much longer it may run, to measure what it would have used.
const OVERTIME: CpuTime = CpuTime::from_secs(4);

/// The number of turns with one second left: the start, and some exercises.
const TURNS: usize = 3;

/// The answers to some turns, each with one second left.
pub(super) fn with_a_second(
    prepared: &mut PreparedSubmission<'_>,
    exercises: &[Question],
) -> Result<Vec<AnsweredTurn>, CheckError> {
    let game = prepared.assignment.game;
    let crowded = exercises.iter().skip(1).take(TURNS - 1);
    let first = std::iter::once(Ok(first_turn(game, LITTLE)));
    first
        .chain(crowded.map(|exercise| as_turn(game, exercise, LITTLE)))
        .map(|turn| {
            let mut seat = prepared.seat()?;
            prepared.ask(&mut seat, turn?, OVERTIME)
        })
        .collect()
}

/// The answer to the first turn of a game, with almost no time.
pub(super) fn answer_with_little_time(prepared: &mut PreparedSubmission<'_>) -> Result<AnsweredTurn, CheckError> {
    let turn = first_turn(prepared.assignment.game, HARDLY_ANY);
    let mut seat = prepared.seat()?;
    prepared.ask(&mut seat, turn, OVERTIME)
}

/// The maximum CPU time used.
pub(super) fn most_used(answers: &[AnsweredTurn]) -> CpuTime {
    let charged = answers.iter().map(|answered| answered.record.charged);
    charged.max().unwrap_or_default()
}

/// Judges the answers with one second left.
pub(super) fn judge_second(answers: &[AnsweredTurn]) -> CheckItem {
    let used = seconds(most_used(answers));
    let turns = counted(answers.len(), "move");
    if let Some(stopped) = answers.iter().find(|answered| answered.is_guarded()) {
        let remedy = "do not sleep or wait: wall-clock time is limited, too";
        return CheckItem::fault(ONE_SECOND, stopped.sentence(), remedy);
    }
    if let Some(late) = answers.iter().find(|answered| answered.is_late()) {
        let found = format!("out of time: it used {} for one move", at_least(late));
        let remedy =
            "read the remaining time on every move, and search less when it is short, as at the end of a long game";
        return CheckItem::fault(ONE_SECOND, found, remedy);
    }
    if let Some(wrong) = answers.iter().find(|answered| answered.is_wrong()) {
        let found = wrong.sentence();
        let remedy = "play any legal move when time is short";
        return CheckItem::fault(ONE_SECOND, found, remedy).with(wrong.explained());
    }
    CheckItem::ok(ONE_SECOND, format!("{turns} in time, {used} at most"))
}

/// Judges the answer with a hundredth of a second left.
pub(super) fn judge_with_little_time(answered: &AnsweredTurn) -> CheckItem {
    let used = seconds(answered.record.charged);
    if answered.is_right() {
        return CheckItem::ok(NO_TIME, format!("in time, with {used}"));
    }
    if answered.is_guarded() {
        let remedy = "do not sleep or wait: wall-clock time is limited, too";
        return CheckItem::warning(NO_TIME, answered.sentence(), remedy);
    }
    if answered.is_late() {
        let found = format!("out of time: it used {}", at_least(answered));
        let remedy = format!("never let your clock fall below {used}: a move needs that much");
        return CheckItem::warning(NO_TIME, found, remedy);
    }
    let remedy = "play any legal move when time is short";
    CheckItem::warning(NO_TIME, answered.sentence(), remedy)
}

/// The CPU time of a late run; a killed one would have used more.
fn at_least(answered: &AnsweredTurn) -> String {
    let used = seconds(answered.record.charged);
    if answered.record.run.ended == Termination::OutOfCpu { format!("{used} at least") } else { used }
}
