//! The summary of the class: a table for the terminal, and a page.
//!
//! For a teaching assistant at the end of a run; the page of one student is in [`super::feedback`]. `cli/grade` and
//! `cli/gradebook` show it. Every student must be in the table, and every result to review in the list.

use std::collections::BTreeMap;

use super::feedback::{FeedbackPage, HeadingLevel, Loss, conditions, earned, names, short_remark, table, wrapped};
use super::{
    CriterionHead, GameItem, Gradebook, GradebookItem, GradingState, ItemState, LateGrade, Review, StudentGrade,
    VoidItem,
};
use crate::assignment::Points;
use referee_games::protocol::plain;
use referee_messages::{close_call_sentence, counted};
use referee_records::{CloseCall, Verdict};

/// One row per student: the criteria, the number of games drawn on the board, the total, a remark. At most `columns`
/// wide, which must be at least 40; with a final line end.
pub fn summary_table(gradebook: &Gradebook, columns: u16) -> String {
    table(&head(gradebook), &rows(gradebook), columns.max(40))
}

/// Who has handed in what, at most `columns` wide, the last line ended; of at least 40 columns.
pub fn roster_table(head: &[String], rows: &[Vec<String>], columns: u16) -> String {
    table(head, rows, columns.max(40))
}

/// The results to review, with their number first, at most `columns` wide where possible; empty if there are none.
pub fn review_list(gradebook: &Gradebook, columns: u16) -> String {
    let lines = review_lines(gradebook);
    if lines.is_empty() {
        return String::new();
    }
    let things = if gradebook.review.iter().all(|review| review.void.is_none()) { "close call" } else { "result" };
    let noisy = |review: &&Review| review.close_calls.iter().any(CloseCall::is_within_noise);
    let noisy = match gradebook.review.iter().filter(noisy).count() {
        0 => String::new(),
        count => format!(", {count} of them decided by less than the noise of CPU time"),
    };
    let head = format!("{} to review{noisy}:\n", counted(lines.len(), things));
    let lines = lines.iter().map(|line| wrapped(line, ["- ", "  "], columns.max(40)));
    std::iter::once(head).chain(lines).collect()
}

/// The results to review, one line each; empty if there are none.
pub fn review_lines(gradebook: &Gradebook) -> Vec<String> {
    gradebook.review.iter().map(|review| review_line(gradebook, review)).collect()
}

/// What to say of references that lost by a fault so often that it may be theirs, one line for each criterion: their
/// students have points that nobody had to earn. `record_of` is the path of the record of a game.
pub fn reference_lines(gradebook: &Gradebook, record_of: impl Fn(&str) -> String) -> Vec<String> {
    let heads = gradebook.criteria.iter().enumerate();
    heads.filter_map(|(index, head)| reference_line(gradebook, (index, head), &record_of)).collect()
}

fn reference_line(
    gradebook: &Gradebook,
    (index, head): (usize, &CriterionHead),
    record_of: &impl Fn(&str) -> String,
) -> Option<String> {
    let items = gradebook.students.iter().filter_map(|student| student.criteria.get(index)).flatten();
    // The members of a group share their games.
    let games: BTreeMap<&str, &GameItem> = items.filter_map(|item| Some((item.id.as_str(), game_of(item)?))).collect();
    let mut of_fault: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (id, game) in &games {
        if let Some(fault) = fault_of_reference(game) {
            of_fault.entry(fault).or_default().push(id);
        }
    }
    let lost = of_fault.values().map(Vec::len).sum::<usize>();
    if lost < 2 || lost * 2 < games.len() {
        return None;
    }
    let (fault, ids) = of_fault.iter().max_by_key(|(_, ids)| ids.len())?;
    let opponent = &games.first_key_value()?.1.opponent;
    Some(plain(&format!(
        "the reference `{opponent}` lost {lost} of its {} games in `{}` by a fault of its own, most often {fault}, and \
         these points went to the students: `referee explain {}` shows one",
        games.len(),
        head.name,
        record_of(ids.first()?)
    )))
}

fn game_of(item: &GradebookItem) -> Option<&GameItem> {
    if let ItemState::Game(game) = &item.state { Some(game) } else { None }
}

/// The fault that lost the game for the reference, also one of time.
fn fault_of_reference(game: &GameItem) -> Option<String> {
    match &game.verdict {
        Verdict::Forfeit { loser, fault } if *loser != game.side => Some(Loss::by(fault).words()),
        Verdict::Forfeit { .. } | Verdict::Won { .. } | Verdict::Drawn { .. } => None,
    }
}

/// The page of the class as plain text.
pub fn class_text(gradebook: &Gradebook) -> String {
    class_page(gradebook).to_text()
}

/// The page of the class as Markdown.
pub fn class_markdown(gradebook: &Gradebook) -> String {
    class_page(gradebook).to_markdown()
}

fn class_page(gradebook: &Gradebook) -> FeedbackPage {
    let mut page = FeedbackPage::default();
    page.heading(HeadingLevel::Page, gradebook.title.clone());
    page.paragraph(statistics(gradebook));
    if let Some(rules) = &gradebook.late {
        page.paragraph(format!("Late submissions: {rules}."));
    }
    page.wide_table(head(gradebook), rows(gradebook));
    let losses = losses(gradebook);
    if !losses.is_empty() {
        page.heading(HeadingLevel::Section, "How points were lost");
        page.table(["how", "items", "students", "points"], losses);
    }
    let references = reference_lines(gradebook, |id| format!("games/{id}.json"));
    if !references.is_empty() {
        page.heading(HeadingLevel::Section, "References at fault");
        page.list(references);
    }
    if !gradebook.review.is_empty() {
        page.heading(HeadingLevel::Section, "For review");
        page.list(review_lines(gradebook));
    }
    page.heading(HeadingLevel::Section, "How it was played");
    page.paragraph(conditions(gradebook));
    page
}

fn head(gradebook: &Gradebook) -> Vec<String> {
    let parts = gradebook.criteria.iter().map(|criterion| criterion.name.clone());
    let drawn = gradebook.has_games().then(|| "drawn".to_owned());
    std::iter::once("student".to_owned())
        .chain(parts)
        .chain(drawn)
        .chain(gradebook.late.is_some().then(|| "late".to_owned()))
        .chain(["total".to_owned(), "remark".to_owned()])
        .collect()
}

fn rows(gradebook: &Gradebook) -> Vec<Vec<String>> {
    let row = |student: &StudentGrade| {
        let parts = student.criteria.iter().map(|items| earned(items).to_string());
        let drawn = gradebook.has_games().then(|| student.drawn().games.to_string());
        std::iter::once(student.name.clone())
            .chain(parts)
            .chain(drawn)
            .chain(gradebook.late.is_some().then(|| late_cell(student)))
            .chain([student.points.to_string(), short_remark(student)])
            .collect()
    };
    gradebook.students.iter().map(row).collect()
}

/// `-10`, and why if there is no number.
fn late_cell(student: &StudentGrade) -> String {
    student.late.as_ref().map_or_else(String::new, LateGrade::short)
}

fn statistics(gradebook: &Gradebook) -> String {
    let of = gradebook.criteria.iter().map(|criterion| criterion.of).sum::<Points>();
    let mut parts = vec![counted(gradebook.students.len(), "student")];
    let (mut unfinished, mut rejected) = (0, 0);
    for student in &gradebook.students {
        match student.state {
            GradingState::Graded => {}
            GradingState::Unfinished { .. } => unfinished += 1,
            GradingState::Rejected { .. } => rejected += 1,
        }
    }
    for (count, state) in [(unfinished, "unfinished"), (rejected, "rejected")] {
        parts.extend((count > 0).then(|| format!("{count} {state}")));
    }
    let mut points: Vec<Points> = gradebook.students.iter().map(|student| student.points).collect();
    points.sort_unstable();
    if let (Some(lowest), Some(highest), Some(median)) = (points.first(), points.last(), median(&points)) {
        parts.push(format!("{lowest} to {highest} of {of} {}, median {median}", of.noun()));
    }
    parts.join(", ")
}

/// The median of sorted points, rounded to a hundredth as all points are; `None` of none.
fn median(sorted: &[Points]) -> Option<Points> {
    let (below, above) = (sorted.get(sorted.len().checked_sub(1)? / 2)?, sorted.get(sorted.len() / 2)?);
    Some(Points::from_hundredths(below.hundredths().midpoint(above.hundredths())))
}

/// How points were lost in the whole class, the most costly first.
fn losses(gradebook: &Gradebook) -> Vec<[String; 4]> {
    // The items, the students and the hundredths of a point of each kind.
    let mut kinds: BTreeMap<String, (usize, usize, u32)> = BTreeMap::new();
    for student in &gradebook.students {
        let mut of_student: BTreeMap<String, Vec<&GradebookItem>> = BTreeMap::new();
        for item in student.criteria.iter().flatten() {
            if let Some(loss) = Loss::of(item) {
                let words = match student.state {
                    GradingState::Rejected { .. } => "rejected".to_owned(),
                    GradingState::Graded | GradingState::Unfinished { .. } => loss.words(),
                };
                of_student.entry(words).or_default().push(item);
            }
        }
        for (words, items) in of_student {
            let (all_items, students, hundredths) = kinds.entry(words).or_default();
            *students += 1;
            *all_items += items.len();
            let missed = items.iter().map(|item| item.of.hundredths().saturating_sub(item.points.hundredths()));
            *hundredths = missed.fold(*hundredths, u32::saturating_add);
        }
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, (_, _, hundredths))| std::cmp::Reverse(*hundredths));
    let kinds = kinds.into_iter().map(|(words, (items, students, hundredths))| {
        [words, items.to_string(), students.to_string(), Points::from_hundredths(hundredths).to_string()]
    });
    kinds.collect()
}

fn review_line(gradebook: &Gradebook, review: &Review) -> String {
    let student = gradebook.students.iter().find(|student| student.submission == review.student);
    let items = student.into_iter().flat_map(|student| student.criteria.iter().flatten());
    let item = items.into_iter().find(|item| item.id == review.id);
    let title = item.map_or(review.id.as_str(), |item| item.title.as_str());
    let worth = match review.of {
        // It counts for a win rate.
        Points::ZERO => "a win".to_owned(),
        points => format!("{points} {}", points.noun()),
    };
    if let Some(VoidItem { times, reason, .. }) = &review.void {
        let times = counted(*times as usize, "time");
        let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        return plain(&format!("{}, {title} (`{}`), {worth} pending: void {times}{reason}", review.student, review.id));
    }
    let earned = if review.earned { "earned" } else { "lost" };
    let calls = match (student, item) {
        (Some(student), Some(item)) => {
            let names = names(gradebook.game, student, item);
            let calls = review.close_calls.iter();
            calls.map(|call| close_call_sentence(call, &names)).collect::<Vec<_>>().join("; ")
        }
        _ => String::new(),
    };
    let again = match review.again {
        (0, _) => String::new(),
        (times, earned) => format!("; replayed {}, earned {earned} of them", counted(times as usize, "time")),
    };
    plain(&format!("{}, {title} (`{}`), {worth} {earned}: {calls}{again}", review.student, review.id))
}
