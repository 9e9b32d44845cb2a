//! Judges one answer to one question: a single move, or a case that has only one right answer.
//!
//! A single move is judged as the first turn of a game, by the same judge ([`super::judgement`]). It plays no games and
//! prints nothing. Called by `tournament/scheduler`, `check`, `serve/play` and Star and Circle's solver.

use super::judgement::{self, TimeAllowance, wall_limit};
use super::{Player, Void};
use referee_games::protocol::{Finding, InputError};
use referee_games::{self as games, GameRef, State, Status, without_position_line};
use referee_records::{
    AnswerRecord, AnswerVerdict, CloseCall, Conditions, ExpectedAnswer, Fault, GameRecord, OtherClockResult, PerSide,
    PlayerRecord, Question, SCHEMA, TurnRecord, Verdict,
};
use referee_seat::{Charge, Run, RunRequest, Task};
use referee_time::CpuTime;

/// An answer before it is judged.
#[derive(Clone, Debug)]
pub struct UnjudgedAnswer {
    /// Its name within the run.
    pub id: String,
    /// The game and its rule set.
    pub game: GameRef,
    /// Who answered.
    pub agent: PlayerRecord,
    /// The question.
    pub question: Question,
    /// The conditions, with the question's time limit.
    pub conditions: Conditions,
    /// When it was asked, in seconds since 1970.
    pub began_unix_s: u64,
    /// The seat's report.
    pub run: Run,
}

impl UnjudgedAnswer {
    /// The answer in `record`, to be judged again from its run alone.
    pub fn of(record: &AnswerRecord) -> Self {
        Self {
            id: record.id.clone(),
            game: record.game,
            agent: record.agent.clone(),
            question: record.question.clone(),
            conditions: record.conditions.clone(),
            began_unix_s: record.began_unix_s,
            run: (*record.run).clone(),
        }
    }

    /// Judges the answer.
    ///
    /// # Errors
    ///
    /// `QuestionError` if the question is malformed.
    pub fn judged(self) -> Result<AnswerRecord, QuestionError> {
        let Self { game, question, conditions, run, .. } = &self;
        let judgement = match &question.expects {
            ExpectedAnswer::LegalMove => judge_move(&position(*game, question)?, question, conditions, run),
            ExpectedAnswer::Text(text) => judgement::judge_text(text, question.time, conditions, run),
        };
        let (verdict, warnings) = judgement.unwrap_or_else(|fault| (AnswerVerdict::Fault { fault }, vec![]));
        let charge = conditions.charge;
        let charged = run.usage.charged(charge);
        let close_calls = close_calls(&verdict, question.time, charge, run, self.agent.uncertainty());
        Ok(AnswerRecord {
            schema: SCHEMA,
            id: self.id,
            game: self.game,
            agent: self.agent,
            question: self.question,
            conditions: self.conditions,
            began_unix_s: self.began_unix_s,
            charged,
            verdict,
            warnings,
            close_calls,
            run: Box::new(self.run),
        })
    }
}

/// A question that cannot be asked: the fault of the author of the assignment.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// Its input is not in the game's format.
    #[error("its input is not an `input.txt` of the game: {0}")]
    Input(InputError),
    /// The position has no legal move.
    #[error("the side to move has no legal move")]
    NoMove,
    /// The expected answer cannot be compared with a move.
    #[error("it compares text, so there is no move to explain")]
    NotAMove,
}

/// Asks `player` the `question`, under `conditions` with the question's time limit.
///
/// # Errors
///
/// [`Void`] if the run failed through no fault of the player.
pub fn ask(question: &Question, conditions: &Conditions, player: &mut impl Player) -> Result<Run, Void> {
    let input = if player.reads_position() { &question.input } else { without_position_line(&question.input) };
    player.run(&request(question, conditions, input))
}

/// The run that answers `question`, which the player reads as `input`.
pub(super) fn request(question: &Question, conditions: &Conditions, input: &str) -> RunRequest {
    RunRequest {
        task: Task::Move { input: input.to_owned() },
        kill_after: question.time + conditions.grace,
        wall_limit: wall_limit(conditions, question.time),
    }
}

/// Judges the answer in `record` again from its run alone.
///
/// # Errors
///
/// A description of the difference.
pub fn verify_answer(record: &AnswerRecord) -> Result<(), String> {
    let judged = UnjudgedAnswer::of(record).judged().map_err(|fault| fault.to_string())?;
    let parts = [
        (judged.verdict == record.verdict, "verdict of the record does"),
        (judged.charged == record.charged, "charge of the record does"),
        (judged.warnings == record.warnings, "warnings of the record do"),
        (judged.close_calls == record.close_calls, "close calls of the record do"),
    ];
    match parts.into_iter().find(|(same, _)| !same) {
        None => Ok(()),
        Some((_, part)) => Err(format!("the {part} not follow from its run")),
    }
}

/// Turns `record` into a game of one turn lost by its agent, for [`explain`](super::explain()); `None` if no fault cost
/// the point.
///
/// # Errors
///
/// `QuestionError` if the question asks for no move.
pub fn as_lost_game(record: &AnswerRecord) -> Result<Option<GameRecord>, QuestionError> {
    let AnswerVerdict::Fault { fault } = &record.verdict else {
        return Ok(None);
    };
    if record.question.expects != ExpectedAnswer::LegalMove {
        return Err(QuestionError::NotAMove);
    }
    let position = position(record.game, &record.question)?;
    let first = position.side_to_move();
    Ok(Some(GameRecord {
        schema: record.schema,
        id: record.id.clone(),
        game: record.game,
        players: PerSide::from_fn(|_| record.agent.clone()),
        conditions: record.conditions.clone(),
        began_unix_s: record.began_unix_s,
        start: position.setup(),
        first,
        turns: vec![TurnRecord::Run {
            side: first,
            left: record.question.time,
            charged: record.charged,
            mv: None,
            warnings: vec![],
            run: record.run.clone(),
        }],
        verdict: Verdict::Forfeit { loser: first, fault: fault.clone() },
        close_calls: record.close_calls.clone(),
        noise: None,
        host: None,
    }))
}

type Judgement = Result<(AnswerVerdict, Vec<Finding>), Fault>;

fn judge_move(position: &State, question: &Question, conditions: &Conditions, run: &Run) -> Judgement {
    let allowance = TimeAllowance::of_program(question.time, conditions, run);
    let games::Judged { mv, warnings, .. } = judgement::judge(position, allowance, conditions, run)?;
    Ok((AnswerVerdict::Legal { mv }, warnings))
}

/// The position of a question; its side to move must answer.
fn position(game: GameRef, question: &Question) -> Result<State, QuestionError> {
    let input = game.read_input(question.input.as_bytes()).map_err(QuestionError::Input)?;
    match input.position.status() {
        Status::ToMove => Ok(input.position),
        Status::MustPass | Status::Over(_) => Err(QuestionError::NoMove),
    }
}

fn close_calls(
    verdict: &AnswerVerdict,
    time: CpuTime,
    charge: Charge,
    run: &Run,
    uncertainty: CpuTime,
) -> Vec<CloseCall> {
    let other = charge.other();
    let (charged, otherwise) = (run.usage.charged(charge), run.usage.charged(other));
    // A program that was still running would be too late by any clock.
    let too_late = !run.ended.is_timeout()
        && matches!(verdict, AnswerVerdict::Fault { fault: Fault::OutOfTime { .. } | Fault::OutOfMoveTime { .. } });
    let in_time_then = too_late && otherwise < time;
    let too_late_then = verdict.is_right() && otherwise >= time;
    let then = match (in_time_then, too_late_then) {
        (true, _) => Some(OtherClockResult::GoesOn),
        (false, true) => Some(OtherClockResult::TooLate),
        (false, false) => None,
    };
    let by_other_clock = then.map(|otherwise| CloseCall::OtherClock { charge: other, otherwise });
    let margin = charged.saturating_sub(time);
    let within = (too_late && margin <= uncertainty).then_some(CloseCall::WithinUncertainty { margin, uncertainty });
    by_other_clock.into_iter().chain(within).collect()
}
