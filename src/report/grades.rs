//! The points of a grading as the page shows them.

use super::discretion::Cast;
use super::view::{Criterion, GradedItem, Grades, Student};
use crate::assignment::Points;
use crate::games::GameId;
use crate::grading::{GameItem, Gradebook, Item, ItemState, State, StudentGrade, review_lines};
use crate::protocol::plain;
use crate::records::PerSide;
use crate::wording::{Names, answer_sentence, counted, verdict_sentence};

/// The grades of `gradebook`, with the names of the page.
pub(super) fn grades(gradebook: &Gradebook, cast: &Cast) -> Grades {
    let criteria = gradebook.criteria.iter();
    let told = gradebook.students.iter();
    let mut students: Vec<Student> = told
        .filter(|grade| cast.tells_results_of(&grade.name))
        .map(|grade| student(gradebook.game, grade, cast))
        .collect();
    if !cast.tells_names() {
        // The gradebook is in the order of the real names.
        students.sort_by(|a, b| a.name.cmp(&b.name));
    }
    Grades {
        criteria: criteria
            .map(|criterion| Criterion {
                title: plain(&criterion.title),
                of: criterion.of.to_string(),
            })
            .collect(),
        students,
        review: review(gradebook, cast),
    }
}

fn student(game: GameId, grade: &StudentGrade, cast: &Cast) -> Student {
    let earned = |items: &Vec<Item>| items.iter().map(|item| item.points).sum::<Points>().to_string();
    Student {
        name: cast.name(&grade.name),
        points: grade.points.to_string(),
        of: grade.of.to_string(),
        state: match &grade.state {
            State::Graded => String::new(),
            State::Unfinished { missing } => format!("{} not done yet", counted(*missing as usize, "item")),
            State::Rejected { fault, .. } => format!("rejected: {}", cast.finding(fault, &grade.name)),
        },
        earned: grade.criteria.iter().map(earned).collect(),
        items: grade
            .criteria
            .iter()
            .flatten()
            .map(|item| graded_item(game, &grade.name, item, cast))
            .collect(),
    }
}

fn graded_item(game: GameId, student: &str, item: &Item, cast: &Cast) -> GradedItem {
    let reason = match &item.state {
        ItemState::Missing => "not done".to_owned(),
        ItemState::WinRate(rate) => rate.to_string(),
        ItemState::Answer(answer) => answer_sentence(&cast.answer_verdict(&answer.verdict, student)),
        ItemState::Game(played) => {
            let players = players(student, played);
            let names = Names::new(game, &cast.name(players.black), &cast.name(players.white));
            verdict_sentence(&cast.verdict(&played.verdict, players), &names)
        }
    };
    GradedItem {
        title: plain(&item.title),
        score: item.score(),
        is_earned: item.is_earned(),
        reason,
        game: cast.id(&item.id).map(str::to_owned),
    }
}

fn players<'a>(student: &'a str, played: &'a GameItem) -> PerSide<&'a str> {
    PerSide::from_fn(|side| {
        if side == played.side {
            student
        } else {
            played.opponent.as_str()
        }
    })
}

/// The results that deserve a second look, in sentences with the names of the page.
fn review(gradebook: &Gradebook, cast: &Cast) -> Vec<String> {
    let mut renamed = gradebook.clone();
    renamed.students.retain(|student| cast.tells_results_of(&student.name));
    renamed.review.retain(|review| cast.tells_results_of(&review.student));
    // A review is found by the name of its item, so both get the same new one. Answers are called by a number.
    for student in &mut renamed.students {
        for (index, item) in student.criteria.iter_mut().flatten().enumerate() {
            let shown = match cast.id(&item.id) {
                Some(id) => id.to_owned(),
                None if !cast.tells_names() => format!("item {}", index + 1),
                None => continue,
            };
            let reviews = renamed.review.iter_mut();
            for review in reviews.filter(|review| review.id == item.id) {
                review.id.clone_from(&shown);
            }
            item.id = shown;
            if let ItemState::Game(played) = &mut item.state {
                played.opponent = cast.name(&played.opponent);
            }
        }
        student.name = cast.name(&student.name);
    }
    for review in &mut renamed.review {
        review.student = cast.name(&review.student);
        if let Some(void) = review.void.as_mut().filter(|_| !cast.tells_names()) {
            void.reason.clear();
        }
    }
    review_lines(&renamed)
}
