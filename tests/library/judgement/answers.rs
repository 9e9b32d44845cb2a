//! Answers to questions with one right text: what they are worth, and which of them are close calls.

use referee_games::protocol::Finding;
use referee_games::star_circle;
use referee_matches::referee::{UnjudgedAnswer, verify_answer};
use referee_records::{
    AnswerRecord, AnswerVerdict, CloseCall, Conditions, ExpectedAnswer, Fault, OtherClockResult, PlayerKind,
    PlayerRecord, Question,
};
use referee_seat::{Charge, Isolation, Meter, Protocol, Run, Termination, Usage};
use referee_time::CpuTime;

use crate::fabricated::said;

const UNCERTAINTY: CpuTime = CpuTime::from_micros(10);

/// The verdict and the close calls of `run`, for the text `expected` within a second that `charge` measures.
fn judged(expected: &str, charge: Charge, run: &Run) -> (AnswerVerdict, Vec<CloseCall>) {
    let judged = recorded(expected, charge, run.clone());
    (judged.verdict, judged.close_calls)
}

/// The record of such an answer.
fn recorded(expected: &str, charge: Charge, run: Run) -> AnswerRecord {
    let time = CpuTime::from_secs(1);
    let seated = PlayerKind::Program {
        meter: Meter::Rusage,
        uncertainty: UNCERTAINTY,
        isolation: Isolation::Bare,
        protocol: Protocol::Files,
        pace: None,
    };
    let answer = UnjudgedAnswer {
        id: "case".to_owned(),
        game: star_circle::ID,
        agent: PlayerRecord { name: "ada".to_owned(), digest: String::new(), seated },
        question: question(expected, time),
        conditions: Conditions { charge, ..Conditions::usual(star_circle::ID, time) },
        began_unix_s: 0,
        run,
    };
    answer.judged().unwrap()
}

fn question(expected: &str, time: CpuTime) -> Question {
    Question { name: "case".to_owned(), input: String::new(), time, expects: ExpectedAnswer::Text(expected.to_owned()) }
}

fn after(user_micros: u64, system_micros: u64) -> Run {
    let run = said("A1-B2\n3\n");
    let usage =
        Usage { user: CpuTime::from_micros(user_micros), system: CpuTime::from_micros(system_micros), ..run.usage };
    Run { usage, ..run }
}

#[test]
fn a_text_is_equal_different_or_missing() {
    let verdict = |expected: &str, text: &str| judged(expected, Charge::Cpu, &said(text)).0;
    let empty = Fault::EmptyOutput;
    assert_eq!(verdict("A1-B2\n3\n", "A1-B2\n3\n"), AnswerVerdict::Equal);
    assert_eq!(verdict("A1-B2\n3\n", "A1-B2\n4\n"), AnswerVerdict::Different { lines: vec![2] });
    assert_eq!(verdict("A1-B2\n3\n", " \n"), AnswerVerdict::Fault { fault: empty });
    // Where nothing is right, nothing is not missing.
    assert_eq!(verdict("", ""), AnswerVerdict::Equal);
}

#[test]
fn the_time_of_an_answer_is_over_when_all_of_it_is_used() {
    for (user, is_right) in [(999_999, true), (1_000_000, false), (1_000_001, false)] {
        let (verdict, _) = judged("A1-B2\n3\n", Charge::Cpu, &after(user, 0));
        assert_eq!(verdict.is_right(), is_right, "{user} us: {verdict:?}");
    }
}

#[test]
fn an_answer_that_the_other_clock_would_judge_otherwise_is_a_close_call() {
    let call = |charge, otherwise| CloseCall::OtherClock { charge, otherwise };
    let forgiven = call(Charge::User, OtherClockResult::GoesOn);
    let too_late = call(Charge::Cpu, OtherClockResult::TooLate);
    for (charge, user, system, expected) in [
        (Charge::Cpu, 999_999, 200_000, vec![forgiven]),
        // By user time alone it is too late as well.
        (Charge::Cpu, 1_000_000, 200_000, vec![]),
        (Charge::User, 900_000, 100_000, vec![too_late]),
        (Charge::User, 900_000, 99_999, vec![]),
    ] {
        let (_, calls) = judged("A1-B2\n3\n", charge, &after(user, system));
        assert_eq!(calls, expected, "{charge:?} {user} {system}");
    }
}

#[test]
fn an_answer_that_is_too_late_by_less_than_the_meter_can_tell_is_a_close_call() {
    for (user, is_close) in [(999_999, false), (1_000_000, true), (1_000_010, true), (1_000_011, false)] {
        let (_, calls) = judged("A1-B2\n3\n", Charge::Cpu, &after(user, 0));
        let is_told = calls.iter().any(|call| matches!(call, CloseCall::WithinUncertainty { .. }));
        assert_eq!(is_told, is_close, "{user} us: {calls:?}");
        let killed = Run { ended: Termination::OutOfCpu, ..after(user, 0) };
        assert_eq!(judged("A1-B2\n3\n", Charge::Cpu, &killed).1, [], "{user} us");
    }
}

type Tamper = fn(&mut AnswerRecord);

#[test]
fn each_part_of_the_record_of_an_answer_follows_from_its_run() {
    let sound = recorded("A1-B2\n3\n", Charge::Cpu, after(999_999, 200_000));
    assert_eq!(verify_answer(&sound), Ok(()));
    assert!(!sound.close_calls.is_empty());
    let tampers: [(&str, Tamper); 4] = [
        ("verdict", |record| record.verdict = AnswerVerdict::Equal),
        ("charge", |record| record.charged = CpuTime::ZERO),
        ("warnings", |record| {
            record.warnings = vec![Finding::new("odd", "it is not")];
        }),
        ("close calls", |record| record.close_calls.clear()),
    ];
    for (part, tamper) in tampers {
        let mut record = sound.clone();
        tamper(&mut record);
        let difference = verify_answer(&record).unwrap_err();
        assert!(difference.contains(&format!("the {part} of the record")), "{difference}");
    }
}
