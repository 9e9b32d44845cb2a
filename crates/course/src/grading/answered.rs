//! Presents one answer in full. It judges nothing; `cli/explain`, `cli/play` and reports show it.

use super::feedback::{last_words, side_by_side};
use super::gradebook::AnswerItem;
use referee_matches::referee::{ProcessEnd, as_lost_game, explain, text_of};
use referee_messages::{OutputStyle, SideNames, answer_line, close_call_sentence, explained};
use referee_records::{AnswerRecord, AnswerVerdict, ExpectedAnswer, Fault};
use referee_seat::Bytes;

/// The gradebook item of `record`. A single move lost by a fault includes its explanation.
pub fn answer_item(record: &AnswerRecord) -> AnswerItem {
    let explanation = match &record.verdict {
        AnswerVerdict::Fault { .. } => as_lost_game(record).ok().flatten(),
        AnswerVerdict::Legal { .. } | AnswerVerdict::Equal | AnswerVerdict::Different { .. } => None,
    };
    AnswerItem {
        explanation: explanation.and_then(|game| explain(&game).ok()).map(Box::new),
        verdict: record.verdict.clone(),
        input: record.question.input.clone(),
        expected: match &record.question.expects {
            ExpectedAnswer::LegalMove => None,
            ExpectedAnswer::Text(text) => Some(text.clone()),
        },
        got: record.run.output.content().map(|bytes| Bytes(bytes.to_vec())),
        found: match text_of(&record.run.output) {
            Err(Fault::UnusableOutput { found }) => Some(found),
            Ok(_) | Err(_) => None,
        },
        charged: record.charged,
        stderr: ProcessEnd::of(&record.run).stderr,
        warnings: record.warnings.clone(),
        close_calls: record.close_calls.clone(),
    }
}

/// Everything about an answer, line by line, for a terminal with `look`.
///
/// A single move lost by a fault is explained like a game; for other answers it shows the question, the expected answer
/// and the answer.
pub fn answer_lines(record: &AnswerRecord, look: OutputStyle) -> Vec<String> {
    let item = answer_item(record);
    let names = SideNames::new(record.game, &record.agent.name, &record.agent.name);
    if let Some(explanation) = &item.explanation {
        return explained(explanation, &names, look);
    }
    let calls = item.close_calls.iter();
    let calls = calls.map(|call| format!("close call: {}", close_call_sentence(call, &names)));
    [answer_line(record), String::new()]
        .into_iter()
        .chain(side_by_side(&item))
        .chain(last_words(&item))
        .chain(calls)
        .collect()
}
