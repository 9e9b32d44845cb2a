//! One answer to one question: a single move, or a case of which only one answer is right.
//!
//! A single move is judged as the first turn of a game, by the same judge.

use super::judgement::{self, TimeAllowance, wall_limit};
use super::play::{Player, Void};
use crate::games::{self, GameId, State, Status};
use crate::protocol::{Finding, InputError};
use crate::records::{
    AnswerRecord, AnswerVerdict, CloseCall, Conditions, Expected, Fault, GameRecord, Otherwise, PerSide, PlayerRecord,
    Question, SCHEMA, TurnRecord, Verdict,
};
use crate::seat::{Charge, Run, RunRequest, Task, Termination};
use crate::time::CpuTime;

/// What came of one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedAnswer {
    /// What was charged.
    pub charged: CpuTime,
    /// Whether it is right.
    pub verdict: AnswerVerdict,
    /// What was odd about the run without costing the point.
    pub warnings: Vec<Finding>,
    /// Why the verdict deserves a second look.
    pub close_calls: Vec<CloseCall>,
}

/// An answer that is not judged yet.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its name in its run.
    pub id: String,
    /// The game and its rule set.
    pub game: GameId,
    /// Who answered.
    pub agent: PlayerRecord,
    /// What was asked.
    pub question: Question,
    /// What the clock and the reader go by, with the question's time.
    pub conditions: Conditions,
    /// Seconds since 1970 at which it was asked.
    pub began_unix_s: u64,
    /// What the seat reported.
    pub run: Run,
}

impl Answer {
    /// Judges it.
    ///
    /// # Errors
    ///
    /// [`QuestionError`] where the question is not one.
    pub fn judged(self) -> Result<AnswerRecord, QuestionError> {
        let uncertainty = self.agent.uncertainty();
        let judged = judge_answer(self.game, &self.question, &self.conditions, &self.run, uncertainty)?;
        Ok(AnswerRecord {
            schema: SCHEMA,
            id: self.id,
            game: self.game,
            agent: self.agent,
            question: self.question,
            conditions: self.conditions,
            began_unix_s: self.began_unix_s,
            charged: judged.charged,
            verdict: judged.verdict,
            warnings: judged.warnings,
            close_calls: judged.close_calls,
            run: Box::new(self.run),
        })
    }
}

/// Why a question cannot be put to anybody: the fault of whoever wrote it.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// Its input is not of the game.
    #[error("its input is not an `input.txt` of the game: {0}")]
    Input(InputError),
    /// Nobody could answer it.
    #[error("the side to move has no legal move")]
    NoMove,
    /// What it expects can be told of no position.
    #[error("it expects a text, and there is no move to explain")]
    NotAMove,
}

/// Puts `question`, under `conditions` with the question's time, to `player`.
///
/// # Errors
///
/// [`Void`] where the run failed through no fault of the player.
pub fn ask(question: &Question, conditions: &Conditions, player: &mut impl Player) -> Result<Run, Void> {
    player.run(&RunRequest {
        task: Task::Move {
            input: question.input.clone(),
        },
        kill_after: question.time + conditions.grace,
        wall_limit: wall_limit(conditions, question.time),
    })
}

/// Judges the run in which `question` of `game` was answered, where the meter may be off by `uncertainty`.
///
/// # Errors
///
/// [`QuestionError`] where the question is not one.
pub fn judge_answer(
    game: GameId,
    question: &Question,
    conditions: &Conditions,
    run: &Run,
    uncertainty: CpuTime,
) -> Result<JudgedAnswer, QuestionError> {
    let judgement = match &question.expects {
        Expected::LegalMove => judge_move(&position(game, question)?, question, conditions, run),
        Expected::Text(text) => judgement::judge_text(text, question.time, conditions, run),
    };
    let (verdict, warnings) = match judgement {
        Ok((verdict, warnings)) => (verdict, warnings),
        Err(fault) => (AnswerVerdict::Fault { fault }, vec![]),
    };
    let close_calls = close_calls(&verdict, question.time, conditions.charge, run, uncertainty);
    Ok(JudgedAnswer {
        charged: run.usage.charged(conditions.charge),
        verdict,
        warnings,
        close_calls,
    })
}

/// Judges the answer of `record` again from its run alone.
///
/// # Errors
///
/// What differs, in words.
pub fn verify_answer(record: &AnswerRecord) -> Result<(), String> {
    let AnswerRecord { question, run, .. } = record;
    let judged = judge_answer(
        record.game,
        question,
        &record.conditions,
        run,
        record.agent.uncertainty(),
    )
    .map_err(|fault| fault.to_string())?;
    let parts = [
        (judged.verdict == record.verdict, "verdict"),
        (judged.charged == record.charged, "charge"),
        (judged.warnings == record.warnings, "warnings"),
        (judged.close_calls == record.close_calls, "close calls"),
    ];
    match parts.into_iter().find(|(same, _)| !same) {
        None => Ok(()),
        Some((_, part)) => Err(format!("the {part} of the record do not follow from its run")),
    }
}

/// The answer of `record` as a game of one turn that its agent has lost, for [`explain`](super::explain()); `None`
/// where no point was lost by a fault.
///
/// # Errors
///
/// [`QuestionError`] where the question asks for no move.
pub fn as_lost_game(record: &AnswerRecord) -> Result<Option<GameRecord>, QuestionError> {
    let AnswerVerdict::Fault { fault } = &record.verdict else {
        return Ok(None);
    };
    if record.question.expects != Expected::LegalMove {
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
        verdict: Verdict::Forfeit {
            loser: first,
            fault: fault.clone(),
        },
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

/// The position of a question, in which its side is to answer.
fn position(game: GameId, question: &Question) -> Result<State, QuestionError> {
    let input = game
        .read_input(question.input.as_bytes())
        .map_err(QuestionError::Input)?;
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
    let other = match charge {
        Charge::Cpu => Charge::User,
        Charge::User => Charge::Cpu,
    };
    let (charged, otherwise) = (run.usage.charged(charge), run.usage.charged(other));
    let too_late = matches!(
        verdict,
        AnswerVerdict::Fault {
            fault: Fault::OutOfTime { .. } | Fault::OutOfMoveTime { .. }
        }
    );
    // What a program that was killed would have used is not known to anybody.
    let in_time_then = too_late && otherwise < time && run.ended != Termination::OutOfCpu;
    let too_late_then = verdict.is_right() && otherwise >= time;
    let then = match (in_time_then, too_late_then) {
        (true, _) => Some(Otherwise::GoesOn),
        (false, true) => Some(Otherwise::TooLate),
        (false, false) => None,
    };
    let by_other_clock = then.map(|otherwise| CloseCall::OtherClock {
        charge: other,
        otherwise,
    });
    let margin = charged.saturating_sub(time);
    let within = (too_late && margin <= uncertainty).then_some(CloseCall::WithinUncertainty { margin, uncertainty });
    by_other_clock.into_iter().chain(within).collect()
}
