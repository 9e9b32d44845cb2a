//! Checks the answers to the exercises: whether they are right, and in the exact format. `examine` calls it; exercises
//! come from `exercises`.

use std::time::Instant;

use super::error::CheckError;
use super::prepared::{AnsweredTurn, PreparedSubmission, WALL_LIMIT};
use super::report::{CheckItem, FailedAnswer};
use super::time_pressure::most_used;
use referee_games::GameRef;
use referee_games::protocol::{Tolerance, plain};
use referee_messages::{compared, counted, fault_sentence};
use referee_records::{AnswerVerdict, ExpectedAnswer, Fault, Question};
use referee_seat::OutputFile;
use referee_time::{CpuTime, WallTime};

const ANSWERS: &str = "answers";
const FORMAT: &str = "format";

/// The time after which no further exercise starts.
const LONG_ENOUGH: WallTime = WallTime::from_secs(30);

/// How many wrong answers are named besides the first, which is explained.
const NAMED: usize = 5;

/// The results of the exercises.
#[derive(Clone, Debug, Default)]
pub(super) struct ExerciseResults {
    pub(super) given: Vec<AnsweredTurn>,
    /// The number of exercises skipped for lack of time.
    pub(super) unasked: usize,
}

/// Asks the exercises one after the other, each in its own seat, as in grading.
pub(super) fn ask_all(
    prepared: &mut PreparedSubmission<'_>,
    exercises: &[Question],
) -> Result<ExerciseResults, CheckError> {
    let began = Instant::now();
    let mut answers = ExerciseResults::default();
    for exercise in exercises {
        if began.elapsed() > LONG_ENOUGH.to_duration() {
            break;
        }
        let mut seat = prepared.seat()?;
        answers.given.push(prepared.ask(&mut seat, exercise.clone(), CpuTime::ZERO)?);
    }
    answers.unasked = exercises.len() - answers.given.len();
    Ok(answers)
}

impl ExerciseResults {
    /// The index of the first right answer.
    pub(super) fn first_correct(&self) -> Option<usize> {
        self.given.iter().position(AnsweredTurn::is_right)
    }

    /// Whether no run left an `output.txt`.
    pub(super) fn wrote_nothing(&self) -> bool {
        let is_missing = |given: &AnsweredTurn| matches!(given.record.run.output, OutputFile::Missing { .. });
        !self.given.is_empty() && self.given.iter().all(is_missing)
    }

    /// The highest charge for one answer.
    pub(super) fn slowest(&self) -> CpuTime {
        most_used(&self.given)
    }

    /// The answers that are wrong or not in the exact format.
    pub(super) fn failed(&self) -> Vec<FailedAnswer> {
        let failed = |given: &&AnsweredTurn| given.is_wrong() || given.deviation().is_some();
        self.given.iter().filter(failed).map(AnsweredTurn::kept).collect()
    }
}

impl AnsweredTurn {
    fn name(&self) -> &str {
        &self.record.id
    }

    fn kept(&self) -> FailedAnswer {
        let question = &self.record.question;
        FailedAnswer {
            name: question.name.clone(),
            input: question.input.clone(),
            output: self.output().map(<[u8]>::to_vec),
            expected: match &question.expects {
                ExpectedAnswer::LegalMove => None,
                ExpectedAnswer::Text(text) => Some(format!("{text}\n")),
            },
        }
    }

    /// The objection of an exact reading to an answer accepted by a tolerant one.
    fn deviation(&self) -> Option<String> {
        if !self.is_right() {
            return None;
        }
        match self.read_exactly() {
            AnswerVerdict::Legal { .. } | AnswerVerdict::Equal => None,
            AnswerVerdict::Fault { fault: Fault::WrongFormat { finding } | Fault::IllegalMove { finding } } => {
                Some(plain(&finding.to_string()))
            }
            AnswerVerdict::Fault { fault } => Some(fault_sentence(&fault)),
            AnswerVerdict::Different { .. } => {
                let warning = self.record.warnings.first();
                Some(warning.map_or_else(String::new, |warning| plain(&warning.to_string())))
            }
        }
    }

    /// The details of a wrong answer, with the solution beside it if there is one.
    fn explained_beside(&self) -> Vec<String> {
        let record = &self.record;
        let (ExpectedAnswer::Text(solution), Some(puzzles)) = (&record.question.expects, record.game.puzzles()) else {
            return self.explained();
        };
        let Some(text) = self.output() else {
            return self.explained();
        };
        let beside = (puzzles.compare)(solution, text, Tolerance::Tolerant);
        beside.map_or_else(|_| self.explained(), |beside| compared(&beside.lines))
    }
}

/// Judges whether the answers are right; the first `own` questions are the assignment's.
pub(super) fn judge_answers(answers: &ExerciseResults, own: usize) -> CheckItem {
    let wrong: Vec<&AnsweredTurn> = answers.given.iter().filter(|given| given.is_wrong()).collect();
    let slow = answers.given.iter().filter(|given| given.cut_short).count();
    let asked = answers.given.len();
    let unasked = match answers.unasked {
        0 => String::new(),
        unasked => format!("; {unasked} more skipped after {LONG_ENOUGH} s"),
    };
    let of_assignment = match own.min(asked) {
        0 => String::new(),
        own => format!(", {own} of them the assignment's own"),
    };
    if let Some(first) = wrong.first() {
        let found = format!("{} of {} wrong{unasked}", wrong.len(), counted(asked, "answer"));
        let remedy = "fix the first one, then check again; `--keep DIR` writes the input and output of each";
        return CheckItem::fault(ANSWERS, found, remedy).with(wrong_lines(first, &wrong));
    }
    let right = asked - slow;
    if slow > 0 {
        let found = format!(
            "{right} of {} right, and {slow} stopped after {WALL_LIMIT} s of wall-clock time (grading waits \
             longer){unasked}",
            counted(asked, "answer")
        );
        return CheckItem::warning(ANSWERS, found, "answer faster: an answer that runs out of time is wrong");
    }
    CheckItem::ok(ANSWERS, format!("all {right} right{of_assignment}{unasked}"))
}

/// The first wrong answer explained, and some others in one line each.
fn wrong_lines(first: &AnsweredTurn, wrong: &[&AnsweredTurn]) -> Vec<String> {
    let line = |given: &AnsweredTurn| format!("{}: {}", given.name(), given.sentence());
    let explained = first.explained_beside().into_iter().map(|line| format!("  {line}"));
    let others = wrong.iter().skip(1).map(|given| line(given)).collect();
    std::iter::once(line(first)).chain(explained).chain(some_of(others)).collect()
}

/// Judges whether the right answers are in the exact format; `None` if there are none.
pub(super) fn judge_format(answers: &ExerciseResults, tolerance: Tolerance, game: GameRef) -> Option<CheckItem> {
    let right = answers.given.iter().filter(|given| given.is_right()).count();
    if right == 0 {
        return None;
    }
    let source = game.profile().described_by();
    let departures: Vec<String> =
        answers.given.iter().filter_map(|given| Some(format!("{}: {}", given.name(), given.deviation()?))).collect();
    if departures.is_empty() {
        return Some(CheckItem::ok(FORMAT, format!("exactly as in {source}")));
    }
    let found = format!("{} of {right} right answers do not have the exact format", departures.len());
    let remedy = match tolerance {
        Tolerance::Tolerant => {
            format!("write the exact format of {source}; only this course tolerates deviations")
        }
        Tolerance::Exact => format!("write the exact format of {source}"),
    };
    Some(CheckItem::warning(FORMAT, found, remedy).with(some_of(departures)))
}

/// The first of these lines, and how many more there are.
fn some_of(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(NAMED);
    lines.truncate(NAMED);
    lines.extend((more > 0).then(|| format!("... and {more} more")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::default_assignment;
    use crate::check::exercises::first_turn;
    use referee_matches::referee::UnjudgedAnswer;
    use referee_records::{PlayerKind, PlayerRecord};
    use referee_seat::{Isolation, Meter, Protocol, Run, Usage};

    /// The answer `text` to the start of checkers, judged as in its seat.
    fn given(text: &str) -> AnsweredTurn {
        let run = Run::wrote(text.into(), Usage::default());
        let game = referee_games::checkers::ID;
        let question = first_turn(game, CpuTime::from_secs(30));
        let conditions = default_assignment(game).unwrap().conditions(question.time);
        let agent = PlayerRecord {
            name: "ada".to_owned(),
            digest: String::new(),
            seated: PlayerKind::Program {
                meter: Meter::Rusage,
                uncertainty: CpuTime::ZERO,
                isolation: Isolation::Bare,
                protocol: Protocol::Files,
                pace: None,
            },
        };
        let answer =
            UnjudgedAnswer { id: question.name.clone(), game, agent, question, conditions, began_unix_s: 0, run };
        let record = answer.judged().unwrap();
        AnsweredTurn { record, cut_short: false }
    }

    /// A run stopped after [`WALL_LIMIT`], having used `cpu`.
    fn stopped(cpu: CpuTime) -> AnsweredTurn {
        let mut given = given("");
        given.cut_short = true;
        given.record.run.usage = Usage { user: cpu, wall: WALL_LIMIT, ..Usage::default() };
        given
    }

    fn judged(given: Vec<AnsweredTurn>, unasked: usize) -> (&'static str, String) {
        let item = judge_answers(&ExerciseResults { given, unasked }, 0);
        (item.light.word(), item.found)
    }

    #[test]
    fn answers_are_counted_and_those_that_were_not_asked_too() {
        let said = |word, found: &str| (word, found.to_owned());
        let right = || given("E b6 a5\n");
        assert_eq!(judged(vec![right(), right()], 0), said("ok", "all 2 right"));
        assert_eq!(judged(vec![right()], 3), said("ok", "all 1 right; 3 more skipped after 30 s"));
        assert_eq!(judged(vec![right(), given("E b6 a6\n")], 0), said("fault", "1 of 2 answers wrong"));
    }

    #[test]
    fn who_was_not_waited_for_is_at_fault_only_if_it_did_nothing() {
        let (word, found) = judged(vec![stopped(CpuTime::from_secs(55))], 29);
        assert_eq!(word, "warning");
        assert_eq!(
            found,
            "0 of 1 answer right, and 1 stopped after 60 s of wall-clock time (grading waits longer); 29 more skipped \
             after 30 s"
        );
        let idle = ExerciseResults { given: vec![stopped(CpuTime::from_millis(40))], unasked: 0 };
        let item = judge_answers(&idle, 0);
        assert_eq!((item.light.word(), item.found.as_str()), ("fault", "1 of 1 answer wrong"));
        assert_eq!(item.details, ["start: no answer in 60 s of wall-clock time, with 0.04 s of CPU time used"]);
    }

    #[test]
    fn many_wrong_answers_are_not_all_shown() {
        let answers = ExerciseResults { given: vec![given("nonsense\n"); 9], unasked: 0 };
        let details = judge_answers(&answers, 0).details;
        assert_eq!(details.iter().filter(|line| line.starts_with("start: ")).count(), 6);
        assert_eq!(details.last().unwrap(), "... and 3 more");
        assert_eq!(judge_format(&answers, Tolerance::Tolerant, referee_games::checkers::ID), None);
        assert_eq!(answers.failed().len(), 9);
    }

    #[test]
    fn the_format_is_judged_of_right_answers_alone() {
        let answers = ExerciseResults { given: vec![given("e b6 a5\n"), given("E b6 a5"), given("x")], unasked: 0 };
        let item = judge_format(&answers, Tolerance::Tolerant, referee_games::checkers::ID).unwrap();
        assert_eq!(item.found, "1 of 2 right answers do not have the exact format");
        assert_eq!(answers.failed().len(), 2);
    }
}
