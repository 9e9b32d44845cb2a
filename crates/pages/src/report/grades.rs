//! The points of a grading for the page. It counts none; [`referee_course::grading`] does, and `assemble` calls this.

use super::anonymization::PageNames;
use super::board::packed;
use super::view::{CriterionView, GradedItem, Grades, PositionView, Student};
use referee_course::assignment::Points;
use referee_course::grading::{
    AnswerItem, GameItem, Gradebook, GradebookItem, GradingState, ItemState, LateGrade, StudentGrade, review_lines,
    short_remark,
};
use referee_games::GameRef;
use referee_games::protocol::{Tolerance, plain};
use referee_messages::{SideNames, answer_sentence, board_words, verdict_sentence};
use referee_records::{AnswerVerdict, PerSide};

/// The grades of `gradebook`, with the page's names.
pub(super) fn grades(gradebook: &Gradebook, page_names: &PageNames) -> Grades {
    let criteria = gradebook.criteria.iter();
    let told = gradebook.students.iter();
    let mut students: Vec<Student> = told
        .filter(|grade| page_names.tells_results_of(&grade.submission))
        .map(|grade| student(gradebook, grade, page_names))
        .collect();
    if !page_names.shows_names() {
        // The gradebook is sorted by real names, the members of a group, too.
        students.sort_by(|a, b| (&a.name, &a.points, &a.remark).cmp(&(&b.name, &b.points, &b.remark)));
        number_members(&mut students);
    }
    Grades {
        criteria: criteria
            .map(|criterion| CriterionView { title: plain(&criterion.title), of: criterion.of.to_string() })
            .collect(),
        students,
        review: review(gradebook, page_names),
    }
}

/// Tells the members of a group apart, who have one name where names are hidden. They stand one after the other.
fn number_members(students: &mut [Student]) {
    for group in students.chunk_by_mut(|a, b| a.name == b.name).filter(|group| group.len() > 1) {
        for (member, number) in group.iter_mut().zip(1..) {
            member.name = format!("{}, member {number}", member.name);
        }
    }
}

/// The line of one student. A group has one for each member, because they need not be late alike.
fn student(gradebook: &Gradebook, grade: &StudentGrade, page_names: &PageNames) -> Student {
    let earned = |items: &Vec<GradebookItem>| items.iter().map(|item| item.points).sum::<Points>().to_string();
    let submission = page_names.name(&grade.submission);
    let (name, of_group) = if page_names.shows_names() {
        let same = gradebook.students.iter().filter(|one| one.submission == grade.submission);
        let is_group = same.count() > 1;
        (plain(&grade.name), if is_group { format!("group: {submission}") } else { String::new() })
    } else {
        (submission, String::new())
    };
    let (late, state) = match &grade.state {
        GradingState::Graded | GradingState::Unfinished { .. } => {
            (grade.late.as_ref().map_or_else(String::new, late), short_remark(grade))
        }
        GradingState::Rejected { fault, .. } => {
            let fault = page_names.finding(fault, &grade.submission);
            (String::new(), format!("rejected: {fault}"))
        }
    };
    let remark = [late, state, of_group].into_iter().filter(|text| !text.is_empty());
    Student {
        name,
        points: grade.points.to_string(),
        of: grade.of.to_string(),
        remark: remark.collect::<Vec<_>>().join("; "),
        earned: grade.criteria.iter().map(earned).collect(),
        items: grade
            .criteria
            .iter()
            .flatten()
            .map(|item| graded_item(gradebook.game, &grade.submission, item, page_names))
            .collect(),
    }
}

/// The penalty, with the points before and after it; empty if there is none.
fn late(late: &LateGrade) -> String {
    match (late.short(), late.penalty) {
        (short, Points::ZERO) => short,
        (short, penalty) => format!("{short} {} of {} earned", penalty.noun(), late.earned),
    }
}

fn graded_item(game: GameRef, student: &str, item: &GradebookItem, page_names: &PageNames) -> GradedItem {
    let reason = match &item.state {
        ItemState::Missing => "not done".to_owned(),
        ItemState::WinRate(rate) => rate.to_string(),
        ItemState::Answer(answer) => answer_sentence(&page_names.answer_verdict(&answer.verdict, student)),
        ItemState::Game(played) => {
            let players = players(student, played);
            let names = SideNames::new(game, &page_names.name(players.black), &page_names.name(players.white));
            verdict_sentence(&page_names.verdict(&played.verdict, players), &names)
        }
    };
    GradedItem {
        title: plain(&item.title),
        score: item.score(),
        is_earned: item.is_earned(),
        reason,
        game: page_names.id(&item.id).map(str::to_owned),
        position: match &item.state {
            ItemState::Answer(answer) => position(game, answer),
            ItemState::Missing | ItemState::WinRate(_) | ItemState::Game(_) => None,
        },
    }
}

/// The position in the input of `answer`, and the legal move that was answered. `None` for an input without a board.
fn position(game: GameRef, answer: &AnswerItem) -> Option<PositionView> {
    let before = game.read_input(answer.input.as_bytes()).ok()?.position;
    let played = match &answer.verdict {
        AnswerVerdict::Legal { mv } => {
            let judged = before.judge(mv.as_bytes(), Tolerance::Exact).ok();
            judged.map(|judged| (mv, judged.next))
        }
        AnswerVerdict::Equal | AnswerVerdict::Different { .. } | AnswerVerdict::Fault { .. } => None,
    };
    // A rules program that fails leaves a position that means nothing.
    let mut all = std::iter::once(&before).chain(played.iter().map(|(_, after)| after));
    if all.any(|position| position.breakdown().is_some()) {
        return None;
    }
    let boards = std::iter::once(before.rows()).chain(played.iter().map(|(_, after)| after.rows()));
    Some(PositionView {
        side: before.side_to_move(),
        boards: packed(game, boards),
        notes: played.as_ref().map_or(&before, |(_, after)| after).notes(),
        mv: played.map(|(mv, _)| board_words(mv)).unwrap_or_default(),
    })
}

fn players<'a>(student: &'a str, played: &'a GameItem) -> PerSide<&'a str> {
    PerSide::from_fn(|side| if side == played.side { student } else { played.opponent.as_str() })
}

/// The results to review, in sentences with the page's names.
fn review(gradebook: &Gradebook, page_names: &PageNames) -> Vec<String> {
    let mut renamed = gradebook.clone();
    renamed.students.retain(|student| page_names.tells_results_of(&student.submission));
    renamed.review.retain(|review| page_names.tells_results_of(&review.student));
    // A review refers to an item by name, so both get the same new name. Answers are numbered.
    for student in &mut renamed.students {
        for (index, item) in student.criteria.iter_mut().flatten().enumerate() {
            let shown = match page_names.id(&item.id) {
                Some(id) => id.to_owned(),
                None if !page_names.shows_names() => format!("item {}", index + 1),
                None => continue,
            };
            let reviews = renamed.review.iter_mut();
            for review in reviews.filter(|review| review.id == item.id) {
                review.id.clone_from(&shown);
            }
            item.id = shown;
            if let ItemState::Game(played) = &mut item.state {
                played.opponent = page_names.name(&played.opponent);
            }
        }
        student.submission = page_names.name(&student.submission);
        student.name.clone_from(&student.submission);
    }
    for review in &mut renamed.review {
        review.student = page_names.name(&review.student);
        if let Some(void) = review.void.as_mut().filter(|_| !page_names.shows_names()) {
            void.reason.clear();
        }
    }
    review_lines(&renamed)
}
