//! Matches the students of a gradebook with the rows of a platform's file. Only [`super::fill`] uses it.
//!
//! A student may only get a row if exactly one matches and it matches no other student. A name that people have given
//! themselves is no match for somebody with a surer sign. A wrong grade is worse than none.

use std::collections::BTreeMap;
use std::path::Path;

use crate::grading::StudentGrade;
use referee_games::protocol::{letters, spellings, surest};
use referee_records::StudentIdentity;

/// A student in a platform's file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::grading::exports) struct ListedStudent {
    /// The displayed name: `Doe, Jane`.
    pub(in crate::grading::exports) name: String,
    /// The number from the platform.
    pub(in crate::grading::exports) id: String,
    /// What else identifies the student: the number from the university, or the e-mail.
    pub(in crate::grading::exports) other_id: String,
    /// The login name.
    pub(in crate::grading::exports) login: String,
}

impl ListedStudent {
    /// What a message calls this row: the name, or else what identifies it.
    pub(super) fn shown(&self) -> String {
        let all = [&self.name, &self.id, &self.other_id, &self.login];
        all.into_iter().find(|text| !text.is_empty()).cloned().unwrap_or_default()
    }
}

/// The matching person for a student of the gradebook, as an index; or why none is certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RosterMatch {
    /// This one.
    Found(usize),
    /// Nobody matches.
    Nobody,
    /// Several match equally well.
    Several(Vec<usize>),
    /// This one matches, but also matches another student, by no less sure a sign.
    Contested(usize),
}

/// The sign by which a student is a person of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RosterSign {
    /// A name that people give themselves.
    OnlyCalled,
    /// The name by which a grader called the submission.
    Called,
    /// An id, a login or an e-mail by which a grader called the submission.
    Numbered,
    /// An id, a login or an e-mail that a platform or a roster says.
    Known,
}

impl RosterSign {
    /// Whether it counts for nothing beside the sign of another student. What a grader called both of two submissions
    /// may mean one student, so neither counts.
    const fn yields_to(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::OnlyCalled, Self::Called | Self::Numbered | Self::Known) | (Self::Called, Self::Known)
        )
    }
}

type MatchingRule = fn(&ListedStudent, &StudentHint) -> bool;

/// The rules for matching, the most certain first: those of Canvas itself, in its order
/// (<https://github.com/instructure/canvas-lms/blob/master/lib/gradebook_importer.rb>, `process_student`).
const RULES: [MatchingRule; 4] = [
    |person, hint| {
        let of_canvas = hint.canvas_id.as_ref().is_some_and(|id| fits(&person.id, id));
        fits(&person.id, &hint.text) || of_canvas || hint.moodle.as_ref().is_some_and(|hint| hint.is_of(person))
    },
    |person, hint| fits(&person.other_id, &hint.text),
    |person, hint| {
        let before_at = person.login.split_once('@').map_or("", |(user, _)| user);
        fits(&person.login, &hint.text) || fits(before_at, &hint.text)
    },
    |person, hint| spellings(&person.name).iter().any(|spelling| fits(spelling, &hint.name)),
];

/// In any letter case, as on a roster.
fn fits(known: &str, hint: &str) -> bool {
    !known.is_empty() && known.to_lowercase() == hint.to_lowercase()
}

/// The match of each of `students`, in order.
pub(super) fn match_all(people: &[ListedStudent], students: &[StudentGrade]) -> Vec<RosterMatch> {
    let mut authors: BTreeMap<&str, usize> = BTreeMap::new();
    for student in students {
        *authors.entry(&student.submission).or_default() += 1;
    }
    let is_shared = |student: &StudentGrade| authors[student.submission.as_str()] > 1;
    let matches = students.iter().map(|student| match_one(people, student, is_shared(student)));
    let matches: Vec<(RosterSign, RosterMatch)> = matches.collect();
    let mut claims: BTreeMap<usize, Vec<RosterSign>> = BTreeMap::new();
    for (sign, found) in &matches {
        if let RosterMatch::Found(person) = found {
            claims.entry(*person).or_default().push(*sign);
        }
    }
    let judged = matches.into_iter().map(|(sign, found)| match found {
        RosterMatch::Found(person) => match claims[&person].iter().filter(|other| !other.yields_to(sign)).count() {
            1 => RosterMatch::Found(person),
            _ => RosterMatch::Contested(person),
        },
        found => found,
    });
    judged.collect()
}

/// The match, and its sign.
fn match_one(people: &[ListedStudent], student: &StudentGrade, is_shared: bool) -> (RosterSign, RosterMatch) {
    let hints = hints(student, is_shared);
    let ranks = people.iter().map(|person| {
        let fits = |(number, rule): (usize, &MatchingRule)| {
            Some(number * hints.len() + hints.iter().position(|hint| rule(person, hint))?)
        };
        RULES.iter().enumerate().find_map(fits)
    });
    match surest(ranks) {
        None => (RosterSign::OnlyCalled, RosterMatch::Nobody),
        Some((rank, fitting)) => {
            let sign = match (rank / hints.len() + 1 == RULES.len(), is_known(student)) {
                (true, true) => RosterSign::OnlyCalled,
                (true, false) => RosterSign::Called,
                (false, false) => RosterSign::Numbered,
                (false, true) => RosterSign::Known,
            };
            match fitting.as_slice() {
                [person] => (sign, RosterMatch::Found(*person)),
                _ => (sign, RosterMatch::Several(fitting)),
            }
        }
    }
}

/// Whether a platform or a roster says who it is. Then people may have chosen the name themselves; else the grader has
/// named the submission.
fn is_known(student: &StudentGrade) -> bool {
    let StudentIdentity { id, login, email, .. } = &student.identity;
    // Moodle says no more than a name and a number of its own.
    [id, login, email].iter().any(|text| !text.is_empty()) || student.origin.contains(MOODLE_MARK)
}

/// A text that may identify a student.
#[derive(Default)]
struct StudentHint {
    /// An id, a login or an e-mail; empty where the student may have chosen the text.
    text: String,
    /// The number of the student in the name of a file downloaded from Canvas.
    canvas_id: Option<String>,
    /// The beginning of a name in a download from Moodle.
    moodle: Option<MoodleHint>,
    /// The letters and digits of the student's name.
    name: String,
}

/// The hints for `student`: what the roster or the platform says, the name in the run, then the names on the path of
/// the submission, unless others share it.
fn hints(student: &StudentGrade, is_shared: bool) -> Vec<StudentHint> {
    let StudentIdentity { id, login, email, .. } = &student.identity;
    let known = [id, login, email].into_iter().filter(|text| !text.is_empty()).cloned();
    let name = student.name.clone();
    let name = if is_known(student) { StudentHint::of_name(&name) } else { StudentHint::of(name) };
    // Of a group, the path says who handed in.
    let origin = Path::new(if is_shared { "" } else { &student.origin });
    let parts = [origin.file_stem(), origin.file_name(), origin.parent().and_then(Path::file_name)];
    let parts = parts.into_iter().flatten().map(|part| part.to_string_lossy().into_owned());
    known.map(StudentHint::of).chain([name]).chain(parts.map(StudentHint::of)).collect()
}

/// What Moodle puts behind the number of a participant.
const MOODLE_MARK: &str = "_assignsubmission_";

/// `Gina Good_123_assignsubmission_file`: the number is a participant's or, if groups hand in, a group's, so it says
/// nothing without the name.
struct MoodleHint {
    /// The letters and digits of the name.
    name: String,
    number: String,
}

impl MoodleHint {
    fn of(text: &str) -> Option<Self> {
        let (student, rest) = text.split_once(MOODLE_MARK)?;
        // Whoever is called, or calls a file, like somebody's submission.
        if rest.contains(MOODLE_MARK) {
            return None;
        }
        let (name, number) = student.rsplit_once('_')?;
        Some(Self { name: letters(name), number: number.to_owned() })
    }

    /// In an anonymous assignment the row is called `Participant 123`, and the submission `Participant_123`.
    fn is_of(&self, person: &ListedStudent) -> bool {
        let Self { name, number } = self;
        let row = letters(&person.name);
        person.id.rsplit(' ').next() == Some(number) && (row == *name || row == format!("{name}{number}"))
    }
}

impl StudentHint {
    /// A name, whatever it looks like.
    fn of_name(name: &str) -> Self {
        Self { name: letters(name), ..Self::default() }
    }

    /// Canvas names downloaded files `doejane_12345_678_homework.py`: name, number of the student, number of the
    /// submission, file; sometimes with `LATE` or an attempt number in between.
    fn of(text: String) -> Self {
        let words: Vec<&str> = text.split('_').collect();
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let numbers = words.windows(2).position(|pair| is_number(pair[0]) && is_number(pair[1]));
        let named = &words[..numbers.unwrap_or(words.len())];
        let name = named.iter().filter(|word| **word != "LATE").copied().collect::<String>();
        Self {
            canvas_id: numbers.filter(|&at| at > 0).map(|at| words[at].to_owned()),
            moodle: MoodleHint::of(&text),
            name: letters(&name),
            text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assignment::Points;
    use crate::grading::GradingState;

    fn student(name: &str, origin: &str) -> StudentGrade {
        StudentGrade {
            name: name.to_owned(),
            submission: name.to_owned(),
            identity: StudentIdentity::default(),
            late: None,
            origin: origin.to_owned(),
            state: GradingState::Graded,
            points: Points::ZERO,
            of: Points::ZERO,
            criteria: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn person(name: &str, id: &str, other_id: &str, login: &str) -> ListedStudent {
        let [name, id, other_id, login] = [name, id, other_id, login].map(str::to_owned);
        ListedStudent { name, id, other_id, login }
    }

    #[test]
    fn the_surest_sign_decides() {
        let people = [
            person("Doe, Jane", "12345", "77", "jdoe@example.edu"),
            person("Roe, Ann-Marie", "77", "88", "aroe"),
            person("Li", "3", "LI@x.edu", ""),
            person("Poe, Ed", "4", "", ""),
            person("Ed Poe", "5", "", ""),
            person("Ana Lo\u{301}pez Gil", "6", "", ""),
        ];
        let cases = [
            ("doejane_12345_999_homework", RosterMatch::Found(0)),
            ("doejane_LATE_12345_999_homework", RosterMatch::Found(0)),
            ("doe_jane_1_2_homework", RosterMatch::Found(0)),
            ("77", RosterMatch::Found(1)),
            ("88", RosterMatch::Found(1)),
            ("JDOE", RosterMatch::Found(0)),
            ("jdoe@example.edu", RosterMatch::Found(0)),
            ("li@X.edu", RosterMatch::Found(2)),
            ("Jane Doe", RosterMatch::Found(0)),
            ("Ann Marie Roe", RosterMatch::Found(1)),
            ("roe_annmarie", RosterMatch::Found(1)),
            ("li", RosterMatch::Found(2)),
            ("lópezgilana_LATE_9_10_homework", RosterMatch::Found(5)),
            ("poe_ed", RosterMatch::Several(vec![3, 4])),
            ("nobody", RosterMatch::Nobody),
            ("", RosterMatch::Nobody),
        ];
        for (name, expected) in cases {
            assert_eq!(match_one(&people, &student(name, "x/y"), false).1, expected, "{name}");
        }
        assert_eq!(match_one(&people, &student("a", "class/doejane_12345_9/"), false).1, RosterMatch::Found(0));
        assert_eq!(match_one(&people, &student("a", "class/jdoe/homework.py"), false).1, RosterMatch::Found(0));
    }

    /// The first one is called like the second one, by name, number or login.
    #[test]
    fn nobody_gets_or_contests_a_row_by_a_name_of_their_own_choice() {
        let people = [person("Doe, Jane", "12345", "77", "jdoe"), person("Roe, Ann", "3", "4", "aroe")];
        for name in ["Jane Doe", "12345", "77", "jdoe", "x_12345_9"] {
            let with_id = |name: &str, id: &str| StudentGrade {
                identity: StudentIdentity { id: id.to_owned(), ..StudentIdentity::default() },
                ..student(name, "")
            };
            let matches = match_all(&people, &[with_id(name, "999"), with_id("Jane Doe", "77")]);
            assert_eq!(matches[1], RosterMatch::Found(0), "{name}");
            assert_ne!(matches[0], RosterMatch::Found(0), "{name}");
        }
    }
}
