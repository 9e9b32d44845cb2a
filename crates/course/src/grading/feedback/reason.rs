//! The reason for an item's points, as a sentence and as a keyword for statistics. Feedback, the summary and exports
//! use it; verdicts are worded in [`referee_messages`].

use crate::assignment::DrawPoints;
use crate::grading::{GameItem, Gradebook, GradebookItem, GradingState, ItemState, StudentGrade};
use referee_games::protocol::Finding;
use referee_games::{GameRef, Side};
use referee_messages::{SideNames, answer_sentence, verdict_sentence};
use referee_records::{AnswerVerdict, DrawAward, Fault, Verdict, VoidBlame};
use referee_seat::Exceeded;

/// The result of an item, as a sentence without a full stop. It may contain text from the student, escaped for a
/// terminal.
pub(in crate::grading) fn reason(gradebook: &Gradebook, student: &StudentGrade, item: &GradebookItem) -> String {
    match &item.state {
        ItemState::Missing => match &student.state {
            GradingState::Rejected { .. } => "not played: submission rejected".to_owned(),
            GradingState::Graded | GradingState::Unfinished { .. } if is_void_by_rules(gradebook, item) => {
                "no result: the rules program of the game failed".to_owned()
            }
            GradingState::Graded | GradingState::Unfinished { .. } => "not played yet".to_owned(),
        },
        ItemState::Answer(answer) => answer_sentence(&answer.verdict),
        ItemState::WinRate(rate) => rate.to_string(),
        ItemState::Game(game) => {
            let sentence = verdict_sentence(&game.verdict, &names(gradebook.game, student, item));
            match game.drawn {
                Some(DrawPoints::Half) => format!("{sentence}; a draw on the board counts half here"),
                Some(DrawPoints::Won) => format!("{sentence}; a draw on the board counts as won here"),
                Some(DrawPoints::ByTime) | None => sentence,
            }
        }
    }
}

/// Whether every attempt at the item was void, the last one through the rules program of the game.
fn is_void_by_rules(gradebook: &Gradebook, item: &GradebookItem) -> bool {
    let void = gradebook.review.iter().find(|review| review.id == item.id);
    let void = void.and_then(|review| review.void.as_ref());
    void.is_some_and(|void| void.blame == VoidBlame::Rules)
}

/// `2.5 of 5 points`, or `half a win`.
pub(super) fn score_in_words(item: &GradebookItem) -> String {
    match item.half_wins() {
        Some(_) => item.score(),
        None => format!("{} {}", item.score(), item.of.noun()),
    }
}

/// The names of an item's two sides.
pub(in crate::grading) fn names(game: GameRef, student: &StudentGrade, item: &GradebookItem) -> SideNames {
    match &item.state {
        ItemState::Game(played) => match played.side {
            Side::Black => SideNames::new(game, &student.name, &played.opponent),
            Side::White => SideNames::new(game, &played.opponent, &student.name),
        },
        ItemState::Missing | ItemState::Answer(_) | ItemState::WinRate(_) => {
            SideNames::new(game, &student.name, &student.name)
        }
    }
}

/// How points were lost.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::grading) struct Loss {
    /// A keyword in kebab case, for programs.
    pub(in crate::grading) kind: &'static str,
    /// The code of the finding, if there is one.
    pub(in crate::grading) code: Option<String>,
    /// Whether it is the student's own fault.
    pub(in crate::grading) is_fault: bool,
}

impl Loss {
    /// How `item` lost points; `None` if it lost none.
    pub(in crate::grading) fn of(item: &GradebookItem) -> Option<Self> {
        if item.is_earned() {
            return None;
        }
        Some(match &item.state {
            ItemState::Missing => Self::other("not-played"),
            ItemState::Answer(answer) => match &answer.verdict {
                AnswerVerdict::Fault { fault } => Self::by(fault),
                AnswerVerdict::Different { .. } => Self::other("wrong-answer"),
                AnswerVerdict::Legal { .. } | AnswerVerdict::Equal => Self::other("not-counted"),
            },
            ItemState::Game(game) => Self::of_game(game),
            ItemState::WinRate(_) => Self::other("too-few-wins"),
        })
    }

    /// In words: `illegal move`.
    pub(in crate::grading) fn words(&self) -> String {
        self.kind.replace('-', " ")
    }

    fn of_game(game: &GameItem) -> Self {
        match &game.verdict {
            Verdict::Forfeit { loser, fault } if *loser == game.side => Self::by(fault),
            Verdict::Drawn { .. } if game.drawn == Some(DrawPoints::Half) => {
                Self::other("drawn-for-half-of-the-points")
            }
            verdict if verdict.winner() == Some(game.side) => Self::other("not-counted"),
            Verdict::Won { .. } | Verdict::Forfeit { .. } => Self::other("lost-on-the-board"),
            Verdict::Drawn { decided, .. } => match decided {
                DrawAward::Time { .. } => Self::other("drawn-and-lost-on-time"),
                DrawAward::Pieces { .. } | DrawAward::SecondMove { .. } | DrawAward::Nobody | DrawAward::NoClock => {
                    Self::other("drawn")
                }
            },
        }
    }

    fn other(kind: &'static str) -> Self {
        Self { kind, code: None, is_fault: false }
    }

    /// A loss by this fault.
    pub(in crate::grading) fn by(fault: &Fault) -> Self {
        let kind = if let Fault::LimitExceeded { limit } = fault { limit_kind(limit) } else { fault.kind().into() };
        let code = fault.finding().map(|finding| finding.code.clone().into_owned());
        Self { kind, code, is_fault: true }
    }
}

fn limit_kind(limit: &Exceeded) -> &'static str {
    match limit {
        Exceeded::Memory { .. } => "too-much-memory",
        Exceeded::Processes { .. } => "too-many-processes",
        Exceeded::AnswerSize { .. } => "too-long-an-answer",
        Exceeded::FileSize { .. } | Exceeded::DirectorySize { .. } | Exceeded::DirectoryFiles { .. } => "too-much-disk",
    }
}

/// How a student lost points, in half a sentence: `2x out of time, 1x drawn`; empty if none are lost.
pub(in crate::grading) fn losses(student: &StudentGrade) -> String {
    let played = student.criteria.iter().flatten();
    let played = played.filter(|item| !matches!(item.state, ItemState::Missing));
    let kinds = played.filter_map(Loss::of);
    let mut counted: Vec<(String, u32)> = Vec::new();
    for words in kinds.map(|loss| loss.words()) {
        match counted.iter_mut().find(|(known, _)| *known == words) {
            Some((_, count)) => *count += 1,
            None => counted.push((words, 1)),
        }
    }
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let counted: Vec<String> = counted.into_iter().map(|(words, count)| format!("{count}x {words}")).collect();
    counted.join(", ")
}

/// The explanation of a student's grade, as a sentence without a full stop; empty with all points.
pub(in crate::grading) fn remark(student: &StudentGrade) -> String {
    match &student.state {
        GradingState::Graded => losses(student),
        GradingState::Unfinished { missing } => {
            let losses = losses(student);
            format!("unfinished, {missing} missing: {losses}").trim_end_matches(": ").to_owned()
        }
        GradingState::Rejected { fault, .. } => format!("rejected: {fault}"),
    }
}

/// Why points are missing, in half a sentence for a table: without remedies, and empty with all points.
pub fn short_remark(student: &StudentGrade) -> String {
    match &student.state {
        GradingState::Rejected { fault, .. } => format!("rejected: {}", without_hint(fault)),
        GradingState::Graded | GradingState::Unfinished { .. } => remark(student),
    }
}

/// The fault without its remedy.
pub(super) fn without_hint(fault: &Finding) -> Finding {
    Finding { hint: None, ..fault.clone() }
}
