//! Writes the page of one student from the gradebook. It renders nothing; its parent module does.

use std::collections::BTreeMap;

use super::details::details;
use super::page::{FeedbackPage, HeadingLevel};
use super::reason::{names, reason, score_in_words, without_hint};
use crate::assignment::{DrawPoints, Points};
use crate::grading::{CriterionHead, DrawnGames, Gradebook, GradebookItem, GradingState, ItemState, StudentGrade};
use referee_messages::{clock, close_call_sentence, counted, reading_words};
use referee_seat::{Charge, Protocol};
use referee_time::CpuTime;

/// The maximum number of shown lines of compiler output.
const COMPILER_LINES: usize = 60;

/// The maximum width of such a line.
const COMPILER_COLUMNS: usize = 200;

/// The whole page.
pub(in crate::grading) fn student_page(gradebook: &Gradebook, student: &StudentGrade) -> FeedbackPage {
    let mut page = FeedbackPage::default();
    page.heading(HeadingLevel::Page, format!("{}: {}", gradebook.title, student.name));
    page.paragraph(format!("{} of {} {}", student.points, student.of, student.of.noun()));
    late_lines(&mut page, student);
    state_lines(&mut page, student);
    page.table(["part", "points", "of", "items earned"], criteria_rows(gradebook, student));
    page.list(student.remarks.clone());
    if !matches!(student.state, GradingState::Rejected { .. }) {
        for (head, items) in gradebook.criteria.iter().zip(&student.criteria) {
            criterion_part(&mut page, gradebook, student, head, items);
        }
    }
    warnings_part(&mut page, student);
    close_calls_part(&mut page, gradebook, student);
    page.heading(HeadingLevel::Section, "How it was played");
    page.paragraph(conditions(gradebook));
    page.heading(HeadingLevel::Section, "What to do next");
    page.list(next_steps(student));
    page
}

/// The points earned in one criterion.
pub(in crate::grading) fn earned(items: &[GradebookItem]) -> Points {
    items.iter().map(|item| item.points).sum()
}

/// Whether the item stands for the common points of other items.
fn is_win_rate(item: &GradebookItem) -> bool {
    matches!(item.state, ItemState::WinRate(_))
}

fn criteria_rows(gradebook: &Gradebook, student: &StudentGrade) -> Vec<[String; 4]> {
    let heads = gradebook.criteria.iter().zip(&student.criteria);
    let row = |(head, items): (&CriterionHead, &Vec<GradebookItem>)| {
        let points = earned(items).to_string();
        let items: Vec<&GradebookItem> = items.iter().filter(|item| !is_win_rate(item)).collect();
        let whole = items.iter().filter(|item| item.is_earned()).count();
        [head.title.clone(), points, head.of.to_string(), format!("{whole} of {}", items.len())]
    };
    heads.map(row).collect()
}

/// What lateness cost; nothing for a submission in time.
pub(super) fn late_lines(page: &mut FeedbackPage, student: &StudentGrade) {
    match &student.late {
        None => (),
        Some(late) if late.penalty == Points::ZERO => page.paragraph(capitalized(&late.sentence())),
        Some(late) => page.paragraph(format!(
            "{}: {} {} before, {} after.",
            capitalized(&late.sentence()),
            late.earned,
            late.earned.noun(),
            student.points
        )),
    }
}

fn capitalized(sentence: &str) -> String {
    let mut characters = sentence.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// Why a grade is incomplete, apart from the items; nothing for a finished one.
pub(super) fn state_lines(page: &mut FeedbackPage, student: &StudentGrade) {
    match &student.state {
        GradingState::Graded => (),
        GradingState::Unfinished { missing } => page.paragraph(format!(
            "The grading is not finished: {} not been played yet. The points are those earned so far.",
            match missing {
                1 => "1 item has".to_owned(),
                missing => format!("{missing} items have"),
            }
        )),
        GradingState::Rejected { fault, compiler_output } => {
            page.paragraph(format!("The submission was rejected: {}", without_hint(fault)));
            if let Some(hint) = &fault.hint {
                page.paragraph(format!("Hint: {hint}"));
            }
            if let Some(output) = compiler_output {
                page.paragraph("What the compiler said:");
                page.verbatim(bounded(output));
            }
        }
    }
}

/// The first lines of a foreign text, with spaces for tabs.
fn bounded(text: &str) -> Vec<String> {
    let cut = |line: &str| {
        let line = line.trim_end().replace('\t', "    ");
        if line.chars().count() <= COMPILER_COLUMNS {
            return line;
        }
        line.chars().take(COMPILER_COLUMNS - 1).collect::<String>() + "…"
    };
    let mut lines: Vec<String> = text.lines().take(COMPILER_LINES).map(cut).collect();
    let more = text.lines().count().saturating_sub(COMPILER_LINES);
    if more > 0 {
        lines.push(format!("... {}", counted(more, "more line")));
    }
    lines
}

fn criterion_part(
    page: &mut FeedbackPage,
    gradebook: &Gradebook,
    student: &StudentGrade,
    head: &CriterionHead,
    items: &[GradebookItem],
) {
    page.heading(HeadingLevel::Section, format!("{}: {} of {} {}", head.title, earned(items), head.of, head.of.noun()));
    let row = |item: &GradebookItem| [item.title.clone(), item.score(), reason(gradebook, student, item)];
    page.table(["item", "points", "what happened"], items.iter().map(row).collect());
    if let Some(sentence) = drawn_sentence(head, items) {
        page.paragraph(sentence);
    }
    details(page, gradebook, student, items);
}

/// How many games were drawn on the board, and their worth; `None` if none was.
fn drawn_sentence(head: &CriterionHead, items: &[GradebookItem]) -> Option<String> {
    let worth = head.drawn?;
    let DrawnGames { games, won } = DrawnGames::among(items);
    let drawn = match games {
        0 => return None,
        1 => "1 game was drawn on the board".to_owned(),
        games => format!("{games} games were drawn on the board"),
    };
    Some(match worth {
        DrawPoints::ByTime => {
            format!("{drawn}. A draw is won by the side with more remaining time: {won} won, {} lost.", games - won)
        }
        DrawPoints::Half => format!("{drawn}. A draw counts half, regardless of the remaining times."),
        DrawPoints::Won => format!("{drawn}. A draw counts as won, regardless of the remaining times."),
    })
}

fn warnings_part(page: &mut FeedbackPage, student: &StudentGrade) {
    let mut warnings: BTreeMap<String, (u32, Option<String>)> = BTreeMap::new();
    for (code, times, example) in student.criteria.iter().flatten().flat_map(warnings_of) {
        let (all, first) = warnings.entry(code).or_default();
        *all += times;
        *first = first.take().or(example);
    }
    let rows = warnings.into_iter();
    let rows =
        rows.map(|(code, (times, example))| [format!("`{code}`"), times.to_string(), example.unwrap_or_default()]);
    let rows: Vec<_> = rows.collect();
    if !rows.is_empty() {
        page.heading(HeadingLevel::Section, "Warnings, without loss of points");
        page.table(["warning", "times", "for example"], rows);
    }
}

fn warnings_of(item: &GradebookItem) -> Vec<(String, u32, Option<String>)> {
    match &item.state {
        ItemState::Missing | ItemState::WinRate(_) => Vec::new(),
        ItemState::Game(game) => {
            let counted = game.warnings.iter();
            counted.map(|(code, times)| (code.clone(), *times, None)).collect()
        }
        ItemState::Answer(answer) => {
            let found = answer.warnings.iter();
            found.map(|finding| (finding.code.to_string(), 1, Some(finding.to_string()))).collect()
        }
    }
}

fn close_calls_part(page: &mut FeedbackPage, gradebook: &Gradebook, student: &StudentGrade) {
    let items = student.criteria.iter().flatten();
    let calls: Vec<String> = items.flat_map(|item| close_calls(gradebook, student, item)).collect();
    if !calls.is_empty() {
        page.heading(HeadingLevel::Section, "Close calls");
        page.paragraph("These results depend on how time is measured and deserve a second look.");
        page.list(calls);
    }
}

/// The reasons to review an item, one sentence each.
fn close_calls(gradebook: &Gradebook, student: &StudentGrade, item: &GradebookItem) -> Vec<String> {
    let names = names(gradebook.game, student, item);
    let earned = format!("{}, {}", item.title, score_in_words(item));
    let sentence = |call| format!("{earned}: {}", close_call_sentence(call, &names));
    item.state.close_calls().iter().map(sentence).collect()
}

/// The conditions of the games, in one paragraph.
pub(in crate::grading) fn conditions(gradebook: &Gradebook) -> String {
    let charge = match gradebook.conditions.charge {
        Charge::Cpu => "user and system time",
        Charge::User => "user time only",
    };
    let tolerance = reading_words(gradebook.conditions.tolerance, gradebook.game);
    let grace = match gradebook.conditions.grace {
        CpuTime::ZERO => String::new(),
        grace => format!(" (a run is killed {grace} s after its time is up)"),
    };
    let isolation: Vec<&str> = gradebook.isolation.iter().map(Into::into).collect();
    let meters: Vec<&str> = gradebook.meters.iter().map(Into::into).collect();
    let host = &gradebook.host;
    let answers = match gradebook.conditions.protocol {
        Protocol::Files => "`output.txt` was read",
        Protocol::Stdio => "answers were read",
    };
    let charged =
        format!("The game is {}. Clocks were charged with {charge}{grace}, and {answers} {tolerance}.", gradebook.game);
    if isolation.is_empty() && meters.is_empty() {
        return format!("{charged} No program has run.");
    }
    format!(
        "{charged} Programs ran {}, measured by {}, on {} ({}, {}, {}).",
        isolation.join(" and "),
        meters.join(" and "),
        host.name,
        host.cpu_model,
        counted(host.processors, "processor"),
        host.system,
    )
}

fn next_steps(student: &StudentGrade) -> Vec<String> {
    let check = "`referee check SUBMISSION --assignment ASSIGNMENT` checks a submission before you hand it in: names, \
                 build, format, times"
        .to_owned();
    let mut lost = student.criteria.iter().flatten().filter(|item| !item.is_earned());
    let folder_of = |item: &GradebookItem| match &item.state {
        ItemState::Missing | ItemState::WinRate(_) => None,
        ItemState::Answer(_) => Some(("answers", "")),
        ItemState::Game(_) => Some(("games", ", and `referee replay` shows it turn by turn")),
    };
    let record_of = |item: &GradebookItem| {
        let (folder, replay) = folder_of(item)?;
        Some(format!(
            "Your course has the record `{folder}/{0}.json`: with that file, `referee explain {0}.json` explains `{0}` \
             in full{replay}",
            item.id
        ))
    };
    let explain = lost.find_map(record_of);
    let times: Vec<CpuTime> = student.criteria.iter().flatten().filter_map(charged).collect();
    let slowest = times.iter().max().map(|time| {
        let all: CpuTime = times.iter().copied().sum();
        format!("{} s of CPU time charged in total, at most {} s for one item", clock(all), clock(*time))
    });
    std::iter::once(check).chain(explain).chain(slowest).collect()
}

/// The charge of an item.
pub(in crate::grading) fn charged(item: &GradebookItem) -> Option<CpuTime> {
    match &item.state {
        ItemState::Missing | ItemState::WinRate(_) => None,
        ItemState::Answer(answer) => Some(answer.charged),
        ItemState::Game(game) => Some(game.charged),
    }
}
