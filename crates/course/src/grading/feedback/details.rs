//! The details of lost items, to explain each loss. [`super::student`] puts them on the page.
//!
//! The first item lost by a fault must be explained in full; later ones lost by the same fault are only named.

use super::page::{FeedbackPage, HeadingLevel};
use super::reason::{Loss, names, reason, score_in_words};
use super::side_by_side::{last_words, side_by_side};
use crate::grading::{AnswerItem, FinalTurn, GameItem, Gradebook, GradebookItem, ItemState, StudentGrade};
use referee_messages::{OutputStyle, board_words, clock, counted, explained};

/// How many wrong answers of a criterion are shown in full; the others are only in its table.
const MAX_WRONG_ANSWERS: usize = 12;

/// How many titles are listed after the item that stands for them.
const MAX_TITLES: usize = 12;

/// The lost items of one criterion.
pub(super) fn details(page: &mut FeedbackPage, gradebook: &Gradebook, student: &StudentGrade, items: &[GradebookItem]) {
    for group in groups(items) {
        page.heading(HeadingLevel::Item, format!("{}: {}", group.first.title, score_in_words(group.first)));
        detail(page, gradebook, student, group.first);
        if !group.others.is_empty() {
            page.paragraph(the_same(&group.others));
        }
    }
}

/// An item, and later ones that were lost in the same way.
struct ItemGroup<'a> {
    first: &'a GradebookItem,
    loss: Loss,
    others: Vec<&'a GradebookItem>,
}

fn groups(items: &[GradebookItem]) -> Vec<ItemGroup<'_>> {
    let mut groups: Vec<ItemGroup<'_>> = Vec::new();
    let mut wrong_answers = 0;
    for item in items.iter().filter(|item| !matches!(item.state, ItemState::Missing)) {
        let Some(loss) = Loss::of(item) else { continue };
        let is_wrong_answer = !loss.is_fault && matches!(item.state, ItemState::Answer(_));
        wrong_answers += usize::from(is_wrong_answer);
        let is_told_already = loss.is_fault || (is_wrong_answer && wrong_answers > MAX_WRONG_ANSWERS);
        match groups.iter_mut().rfind(|group| group.loss == loss) {
            Some(group) if is_told_already => group.others.push(item),
            Some(_) | None => groups.push(ItemGroup { first: item, loss, others: Vec::new() }),
        }
    }
    groups
}

fn the_same(others: &[&GradebookItem]) -> String {
    let titles: Vec<&str> = others.iter().take(MAX_TITLES).map(|item| item.title.as_str()).collect();
    let more = if others.len() > MAX_TITLES { "; ..." } else { "" };
    let items = counted(others.len(), "more item");
    format!("Also in {items}: {}{more}", titles.join("; "))
}

/// The details of one item.
pub(super) fn detail(page: &mut FeedbackPage, gradebook: &Gradebook, student: &StudentGrade, item: &GradebookItem) {
    match &item.state {
        ItemState::Missing | ItemState::WinRate(_) => page.paragraph(reason(gradebook, student, item)),
        ItemState::Answer(answer) => answer_detail(page, gradebook, student, item, answer),
        ItemState::Game(game) => game_detail(page, gradebook, student, item, game),
    }
}

fn answer_detail(
    page: &mut FeedbackPage,
    gradebook: &Gradebook,
    student: &StudentGrade,
    item: &GradebookItem,
    answer: &AnswerItem,
) {
    if let Some(explanation) = &answer.explanation {
        page.verbatim(explained(explanation, &names(gradebook.game, student, item), OutputStyle::PLAIN));
        return;
    }
    page.paragraph(reason(gradebook, student, item));
    if !item.is_earned() {
        page.verbatim(side_by_side(answer));
        page.verbatim(last_words(answer));
    }
}

fn game_detail(
    page: &mut FeedbackPage,
    gradebook: &Gradebook,
    student: &StudentGrade,
    item: &GradebookItem,
    game: &GameItem,
) {
    let names = names(gradebook.game, student, item);
    match &game.explanation {
        None => page.paragraph(reason(gradebook, student, item)),
        Some(explanation) => page.verbatim(explained(explanation, &names, OutputStyle::PLAIN)),
    }
    for sentence in game.analysis.iter().flat_map(|words| &words.sentences) {
        page.paragraph(format!("Analysis: {sentence}"));
    }
    if let Some(sentence) = &game.time {
        page.paragraph(format!("Time: {sentence}"));
    }
    if !item.is_earned() {
        let rows = game.last_turns.iter().map(|turn| turn_row(turn, names.side(turn.side)));
        page.table(["turn", "whose", "move", "CPU time"], rows.collect());
    }
}

fn turn_row(turn: &FinalTurn, whose: &str) -> [String; 4] {
    [
        turn.turn.to_string(),
        whose.to_owned(),
        match (&turn.mv, &turn.refused) {
            (Some(mv), _) => board_words(mv),
            (None, Some(written)) => format!("not a legal move: {written}"),
            (None, None) => "none".to_owned(),
        },
        format!("{} s", clock(turn.charged)),
    ]
}
