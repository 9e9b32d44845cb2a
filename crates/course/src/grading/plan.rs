//! Plans a grading: from an assignment and its class to the manifest of games and questions. It plays nothing;
//! `runs` calls it.

use sha2::{Digest, Sha256};

use crate::assignment::{
    Assignment, Criterion, CriterionKind, FirstMoves, QuestionFolder, QuestionText, RightAnswers, agent_begins,
};
use referee_games::protocol::{InputError, letters, spellings};
use referee_games::{Puzzles, Side};
use referee_matches::tournament::derive_seed;
use referee_records::{
    AgentRecord, AnswerRequest, ExpectedAnswer, Manifest, Pairing, PerSide, Question, Rejection, RunKind,
    StudentIdentity, StudentRecord,
};
use referee_submissions::agents::SubmissionFault;
use referee_time::CpuTime;

/// The input of a plan.
#[derive(Clone, Debug)]
pub struct Grading<'a> {
    /// What is asked of the class.
    pub assignment: &'a Assignment,
    /// The questions of each criterion, in the order of the assignment; empty for games.
    pub questions: &'a [Vec<QuestionText>],
    /// The opponent of each criterion with games, in the order of the assignment.
    pub opponents: &'a [Option<AgentRecord>],
    /// The accepted submissions.
    pub agent_records: &'a [AgentRecord],
    /// The rejected submissions.
    pub rejected: &'a [Rejection],
}

impl Grading<'_> {
    /// The manifest of the run, with the answers and games of each submission.
    ///
    /// Names of answers and games depend only on the names of the submission and criterion and the number of the item,
    /// so they stay the same when other submissions come and go.
    pub fn manifest(&self) -> Manifest {
        let parts = || self.assignment.criteria.iter().zip(self.questions).zip(self.opponents);
        let (mut questions, mut answers, mut games) = (vec![], vec![], vec![]);
        for ((criterion, texts), _) in parts() {
            if let CriterionKind::Questions(asked) = &criterion.kind {
                questions.extend(texts.iter().map(|text| question(asked, question_name(criterion, text), text)));
            }
        }
        for student in self.agent_records {
            for ((criterion, texts), opponent) in parts() {
                answers.extend(asked(criterion, texts, &student.name));
                if let Some(opponent) = opponent {
                    games.extend(self.pairings(criterion, &student.name, &opponent.name));
                }
            }
        }
        let mut agents = self.agent_records.to_vec();
        for opponent in self.opponents.iter().flatten() {
            if !agents.iter().any(|agent| agent.name == opponent.name) {
                agents.push(opponent.clone());
            }
        }
        let conditions = self.assignment.conditions(self.assignment.clock.play_time);
        Manifest {
            kind: RunKind::Grading,
            agents,
            rejected: self.rejected.to_vec(),
            games,
            questions,
            answers,
            ..Manifest::new(self.assignment.game, conditions, self.assignment.seed)
        }
    }

    fn pairings(&self, criterion: &Criterion, student: &str, opponent: &str) -> Vec<Pairing> {
        let CriterionKind::Games { first_move, play_times, .. } = &criterion.kind else {
            return vec![];
        };
        let all = u32::try_from(play_times.len()).expect("an assignment has at most 9999 games");
        let begun = games_begun(self.assignment, &criterion.name, *first_move, all, student);
        let pairing = |(index, time): (u32, &CpuTime)| {
            let number = index.to_string();
            let seed = derive_seed(self.assignment.seed, &["first side", &criterion.name, &number]);
            let first = self.assignment.game.profile().first_turn.drawn_by(seed);
            let side = if agent_begins(index, begun, all) { first } else { first.other() };
            let name = |of: Side| if of == side { student } else { opponent }.to_owned();
            Pairing {
                id: item_id(student, &criterion.name, index),
                black: name(Side::Black),
                white: name(Side::White),
                first,
                play_time: Some(PerSide::from_fn(|_| *time)),
                start: None,
            }
        };
        (0..).zip(play_times).map(pairing).collect()
    }
}

/// `text` with its computed right answer.
///
/// # Errors
///
/// [`InputError`] if it is not a valid question.
pub fn solved(text: QuestionText, puzzles: &Puzzles) -> Result<QuestionText, InputError> {
    let solution = (puzzles.solve)(text.text.as_bytes())?;
    Ok(QuestionText { expected: Some(solution.text), ..text })
}

/// How many of its `games` in `criterion` the agent `student` begins.
pub(super) fn games_begun(
    assignment: &Assignment,
    criterion: &str,
    first_move: FirstMoves,
    games: u32,
    student: &str,
) -> u32 {
    let seed = derive_seed(assignment.seed, &["first move", criterion, student]);
    first_move.count(games, seed)
}

/// The question of `text`, which has the right answer if there is only one, under this name.
pub(crate) fn question(asked: &QuestionFolder, name: String, text: &QuestionText) -> Question {
    let expects = match asked.answers {
        RightAnswers::LegalMoves => ExpectedAnswer::LegalMove,
        RightAnswers::Files | RightAnswers::Solver => ExpectedAnswer::Text(text.expected.clone().unwrap_or_default()),
    };
    Question { name, input: text.text.clone(), time: asked.time, expects }
}

fn question_name(criterion: &Criterion, text: &QuestionText) -> String {
    format!("{}.{}", criterion.name, text.name)
}

fn asked(criterion: &Criterion, texts: &[QuestionText], student: &str) -> Vec<AnswerRequest> {
    let one = |(index, text): (u32, &QuestionText)| AnswerRequest {
        id: item_id(student, &criterion.name, index),
        agent: student.to_owned(),
        question: question_name(criterion, text),
    };
    (0..).zip(texts).map(one).collect()
}

/// The name of the item at `index`, from 0, of `criterion` for `student`.
pub(super) fn item_id(student: &str, criterion: &str, index: u32) -> String {
    format!("{}.{criterion}.{:02}", file_stem(student), index + 1)
}

/// The name of the item with the common points of `student`'s games in `criterion`; it has no record.
pub(super) fn win_rate_id(student: &str, criterion: &str) -> String {
    format!("{}.{criterion}.win-rate", file_stem(student))
}

/// The maximum length of a name that is used unchanged in file names.
const LONGEST_STEM: usize = 40;

/// The stem of file names for `student`: a short and plain name unchanged, otherwise its plain start and the start of
/// its digest. Different names have different stems.
pub fn file_stem(student: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if student.len() <= LONGEST_STEM && student.chars().all(is_plain) {
        return student.to_owned();
    }
    let plain: String = student.chars().filter(|c| is_plain(*c)).take(LONGEST_STEM).collect();
    let digest = Sha256::digest(student.as_bytes());
    // Students choose their names, so nobody may find two with one start of a digest.
    let start = digest.first_chunk().expect("it has 32 bytes");
    // A plain name contains no tilde, so this stem is unique.
    format!("{plain}~{:032x}", u128::from_be_bytes(*start))
}

/// A class, merged from an earlier and the current grading.
#[derive(Debug)]
pub struct MergedClass {
    /// The accepted submissions of both.
    pub agent_records: Vec<AgentRecord>,
    /// The rejected submissions of both.
    pub rejected: Vec<Rejection>,
    /// Students to grade anew; their records must be removed.
    pub anew: Vec<String>,
    /// Students who were rejected before and are now accepted.
    pub admitted: Vec<String>,
}

/// Merges the class of `before`, if it was graded before, with the current submissions; those in `regrade` are graded
/// anew. Submissions not named now are unchanged. Whoever was on the roster alone before, and is one of the `students`
/// now, has another row.
///
/// # Errors
///
/// The names of submissions that have changed but are not to be graded anew.
pub fn continue_class(
    before: Option<&Manifest>,
    agent_records: &[AgentRecord],
    rejected: &[Rejection],
    regrade: &[String],
    students: &[StudentRecord],
) -> Result<MergedClass, Vec<String>> {
    let Some(before) = before else {
        return Ok(MergedClass {
            agent_records: agent_records.to_vec(),
            rejected: rejected.to_vec(),
            anew: vec![],
            admitted: vec![],
        });
    };
    let graded = |name: &str| {
        let mut agent_records = before.agents.iter().filter(|agent| agent.role.is_participant());
        agent_records.find(|agent| agent.name == name)
    };
    let now = |name: &str| {
        let participant = agent_records.iter().any(|agent| agent.name == name);
        participant || rejected.iter().any(|rejection| rejection.name == name)
    };
    let is_anew = |name: &str| regrade.iter().any(|regraded| regraded == name);
    let changed = agent_records
        .iter()
        .filter(|agent| graded(&agent.name).is_some_and(|before| before.digest != agent.digest))
        .map(|agent| &agent.name);
    let refused = rejected.iter().map(|rejection| &rejection.name);
    let refused = refused.filter(|name| graded(name).is_some());
    let others: Vec<String> = changed.chain(refused).filter(|name| !is_anew(name)).cloned().collect();
    if !others.is_empty() {
        return Err(others);
    }
    let kept = before.agents.iter().filter(|agent| agent.role.is_participant());
    let kept = kept.filter(|agent| !now(&agent.name)).cloned();
    let kept_out = before
        .rejected
        .iter()
        .filter(|rejection| !now(&rejection.name) && !has_another_row(rejection, before, students))
        .cloned();
    let was_rejected = |name: &str| before.rejected.iter().any(|rejection| rejection.name == name);
    let admitted = agent_records.iter().filter(|agent| was_rejected(&agent.name));
    let admitted = admitted.map(|agent| agent.name.clone()).collect();
    let now = agent_records.iter().map(|agent| match graded(&agent.name) {
        Some(before) if !is_anew(&agent.name) => with_remarks_of(before, agent),
        Some(_) | None => agent.clone(),
    });
    Ok(MergedClass {
        agent_records: by_name(kept.chain(now), |agent| &agent.name),
        rejected: by_name(kept_out.chain(rejected.iter().cloned()), |rejection| &rejection.name),
        anew: regrade.iter().filter(|name| graded(name).is_some()).cloned().collect(),
        admitted,
    })
}

/// Whether the student, who was on the roster alone, is one of `students` with a submission of another name: a platform
/// calls `goodgina` whom the roster calls `Good, Gina`.
fn has_another_row(rejection: &Rejection, before: &Manifest, students: &[StudentRecord]) -> bool {
    if !SubmissionFault::WITHOUT_SUBMISSION.contains(&&*rejection.fault.code) {
        return false;
    }
    let known = before.students.iter().find(|one| one.submission == rejection.name);
    let known = known.map(|one| one.identity.clone()).unwrap_or_default();
    let names = spellings(&rejection.name);
    students.iter().any(|student| {
        let StudentIdentity { id, login, email, .. } = &student.identity;
        let signs = [(&known.id, id), (&known.login, login), (&known.email, email)];
        let mut both = signs.iter().filter(|(then, now)| !then.is_empty() && !now.is_empty());
        let is_same = match both.next() {
            Some((then, now)) => then.eq_ignore_ascii_case(now),
            None => names.contains(&letters(&student.name)),
        };
        is_same && student.submission != rejection.name
    })
}

/// `agent` with its remarks from `before`: its calibration is not run again once all of its games are over.
fn with_remarks_of(before: &AgentRecord, agent: &AgentRecord) -> AgentRecord {
    let known = before.remarks.iter().filter(|remark| !agent.remarks.contains(remark));
    AgentRecord { remarks: agent.remarks.iter().chain(known).cloned().collect(), ..agent.clone() }
}

fn by_name<T>(all: impl Iterator<Item = T>, name: impl Fn(&T) -> &String) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    all.sort_by(|a, b| name(a).cmp(name(b)));
    all
}

/// The name of the reference called `name`, or another one if a submission has that name.
pub fn reference(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = name.to_owned();
    while is_taken(&name) {
        name.push('+');
    }
    name
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use referee_games::KnownGames;

    fn assignment(text: &str) -> Assignment {
        Assignment::parse(text, Path::new("hw.toml"), &KnownGames::builtin()).unwrap()
    }

    fn agent(name: &str) -> AgentRecord {
        AgentRecord::participant(name.to_owned(), name.to_owned(), name.to_owned())
    }

    /// The manifest of `students` in two criteria of games against `random`, `a` and `b`.
    fn two_criteria(game: &str, games: u32, students: &[AgentRecord]) -> Manifest {
        let criterion = |name: &str| {
            format!(
                "[[grade]]\nname = \"{name}\"\nkind = \"games\"\nopponent = \"builtin:random\"\npoints_each = 1\n\
                 games = {games}\nfirst_move = {}\n",
                games * 3 / 4
            )
        };
        let text = format!("title = \"T\"\ngame = \"{game}\"\n{}{}", criterion("a"), criterion("b"));
        let grading = Grading {
            assignment: &assignment(&text),
            questions: &[vec![], vec![]],
            opponents: &[Some(agent("random")), Some(agent("random"))],
            agent_records: students,
            rejected: &[],
        };
        grading.manifest()
    }

    #[test]
    fn an_opponent_of_two_criteria_is_one_agent() {
        let manifest = two_criteria("checkers", 1, &[agent("ada")]);
        let names: Vec<&str> = manifest.agents.iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!(names, ["ada", "random"]);
        assert_eq!(manifest.games.len(), 2);
        // A remark that is made again is not a second one.
        let mut ada = agent("ada");
        ada.remarks = vec!["odd".to_owned()];
        let before = Manifest { agents: vec![ada.clone()], ..manifest };
        let continued = continue_class(Some(&before), &[ada.clone()], &[], &[], &[]).unwrap();
        assert_eq!(continued.agent_records, [ada]);
        // Graded anew, she has none of before; who was not graded before has nothing to remove.
        let anew = ["ada", "eve"].map(str::to_owned);
        let continued = continue_class(Some(&before), &[agent("ada")], &[], &anew, &[]).unwrap();
        assert_eq!((continued.agent_records, continued.anew), (vec![agent("ada")], vec!["ada".to_owned()]));
    }

    #[test]
    fn each_student_has_a_lot_of_their_own_and_a_name_for_files() {
        let text = "title = \"T\"\ngame = \"checkers\"\n[[grade]]\nkind = \"games\"\nopponent = \"builtin:random\"\n\
                    games = 1\nfirst_move = \"lot\"\npoints_each = 1\n";
        let assignment = assignment(text);
        let begun = |student: u32| games_begun(&assignment, "random", FirstMoves::ByLot, 1, &student.to_string());
        let all: u32 = (0..20).map(begun).sum();
        assert!((1..20).contains(&all), "{all} of 20");
        let long = "a".repeat(LONGEST_STEM);
        assert_eq!(file_stem(&long), long);
        assert!(file_stem(&format!("{long}a")).starts_with(&format!("{long}~")));
    }

    #[test]
    fn the_first_side_is_drawn_for_each_game_and_is_the_same_for_all_students() {
        let games = two_criteria("halma", 8, &[agent("ada"), agent("eve")]).games;
        let firsts = |of: &[Pairing]| of.iter().map(|game| game.first).collect::<Vec<Side>>();
        let parts: Vec<Vec<Side>> = games.chunks(8).map(firsts).collect();
        assert_eq!((&parts[0], &parts[1]), (&parts[2], &parts[3]), "ada and eve");
        assert_ne!(parts[0], parts[1], "the criteria");
        for first in &parts[..2] {
            assert!(Side::BOTH.iter().all(|side| first.contains(side)), "{first:?}");
        }
        // Whichever side it plays, the student begins as many games as the assignment says.
        let begun = games.iter().filter(|game| game.name(game.first) != "random");
        assert_eq!(begun.count(), 2 * 2 * 6);
    }
}
