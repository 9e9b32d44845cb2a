//! The questions that an assignment asks. They are read from its folders, and solved where it has no answers.

use std::path::Path;

use crate::runs::error::RunFailure;
use referee_course::assignment::{Assignment, CriterionKind, QuestionFolder, QuestionText, RightAnswers};
use referee_course::grading::solved;
use referee_games::Puzzles;

/// The questions of each criterion; empty for games.
pub(super) fn questions(assignment: &Assignment) -> Result<Vec<Vec<QuestionText>>, RunFailure> {
    let criteria = assignment.criteria.iter();
    criteria
        .map(|criterion| {
            let questions = criterion.kind.read_questions(assignment.game)?;
            let CriterionKind::Questions(QuestionFolder { folder, answers: RightAnswers::Solver, .. }) =
                &criterion.kind
            else {
                return Ok(questions);
            };
            let puzzles = assignment.game.puzzles().expect("it was held against the game when it was read");
            questions.into_iter().map(|text| with_answer(text, puzzles, folder)).collect()
        })
        .collect()
}

fn with_answer(text: QuestionText, puzzles: &Puzzles, folder: &Path) -> Result<QuestionText, RunFailure> {
    let name = text.name.clone();
    solved(text, puzzles).map_err(|fault| RunFailure::input(folder, format!("case `{name}`: {fault}")))
}
