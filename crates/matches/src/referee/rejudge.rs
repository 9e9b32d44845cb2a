//! Judges recorded runs under other conditions, as if they had been made under them.
//!
//! Only where that is certain: every run must have had the same input, and no limit that differs may have ended it. An
//! agent that reads other seconds on its clock may play another move. It changes no record; `grading` calls it when
//! an assignment has changed.

use super::answer::{UnjudgedAnswer, request};
use super::ongoing_game::{GameStep, OngoingGame};
use referee_records::{AnswerRecord, Conditions, GameRecord, Question};
use referee_seat::{Run, RunRequest, Termination};

/// `record` under `conditions`; `None` if its runs do not tell how the game goes.
pub fn rejudged_game(record: &GameRecord, conditions: &Conditions) -> Option<GameRecord> {
    if record.conditions == *conditions {
        return Some(record.clone());
    }
    let mut then = OngoingGame::of_record(record, &record.conditions).ok()?;
    let mut now = OngoingGame::of_record(record, conditions).ok()?;
    for (side, run) in record.turns.iter().filter_map(|turn| Some((turn.side(), turn.run()?))) {
        if now.verdict().is_some() {
            break;
        }
        if now.next_step() != GameStep::Run(side) {
            return None;
        }
        let requests = [then.job(false).ok()?, now.job(false).ok()?];
        if !holds(run, [&record.conditions, conditions], requests) {
            return None;
        }
        then.report(run.clone());
        now.report(run.clone());
        now.expect_rules_answered().ok()?;
    }
    let verdict = now.verdict()?.clone();
    let close_calls = now.close_calls(record.uncertainty(), record.noise.as_ref());
    let (conditions, turns) = (conditions.clone(), now.into_turns());
    Some(GameRecord { conditions, turns, verdict, close_calls, ..record.clone() })
}

/// `record` as the answer to `question` under `conditions`; `None` if its run does not tell.
pub fn rejudged_answer(record: &AnswerRecord, question: &Question, conditions: &Conditions) -> Option<AnswerRecord> {
    let requests = [(&record.question, &record.conditions), (question, conditions)]
        .map(|(question, conditions)| request(question, conditions, &question.input));
    if !holds(&record.run, [&record.conditions, conditions], requests) {
        return None;
    }
    let (question, conditions) = (question.clone(), conditions.clone());
    UnjudgedAnswer { question, conditions, ..UnjudgedAnswer::of(record) }.judged().ok()
}

/// Whether `run`, made for the first of two requests, tells what the program does for the second.
fn holds(run: &Run, [then, now]: [&Conditions; 2], [asked, wanted]: [RunRequest; 2]) -> bool {
    let same_wall = asked.wall_limit == wanted.wall_limit;
    asked.task == wanted.task
        && then.limits == now.limits
        && then.protocol == now.protocol
        && then.startup_time == now.startup_time
        && match run.ended {
            Termination::OutOfCpu => then.charge == now.charge && wanted.kill_after <= asked.kill_after,
            Termination::Guarded => same_wall,
            Termination::Answered
            | Termination::Exited { .. }
            | Termination::Signalled { .. }
            | Termination::Exceeded { .. }
            | Termination::NotStarted { .. } => same_wall || run.usage.wall <= wanted.wall_limit,
        }
}
