//! Matches a class with the roster of the course: whose submission is whose, and who is missing. [`super::roster`]
//! reads the roster.
//!
//! A roster must never rename a submission or give it to another student: a wrong grade is worse than none. It adds
//! missing students, reports submissions of others, and supplies names that the platform does not know. Every line must
//! have a row in the gradebook.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::download::PlatformPerson;
use super::roster::read;
use super::roster_line::RosterLine;
use super::{ClassIntake, DownloadLayout, IntakeError, StudentFacts, SubmissionTime};
use crate::agents::{AgentName, SubmissionFault};
use referee_games::protocol::{letters, plain, spellings, surest};

/// The texts by which a class knows one of those who handed in a submission.
#[derive(Default)]
struct KnownPerson {
    /// What a grader has called a submission, which may be anything that identifies a student.
    names: Vec<String>,
    /// The names by their letters, also those that people have given themselves.
    letters: Vec<String>,
    ids: Vec<String>,
    logins: Vec<String>,
    emails: Vec<String>,
    /// The number of a participant of Moodle.
    number: String,
}

impl KnownPerson {
    fn of_names(names: &[&str]) -> Self {
        let names: Vec<String> = names.iter().copied().map(str::to_owned).collect();
        Self { letters: names.iter().map(|name| letters(name)).collect(), names, ..Self::default() }
    }

    /// Whoever has the id, the login or the e-mail of another one for a name is only called so.
    fn on_platform(person: &PlatformPerson) -> Self {
        let text = |text: &String| -> Vec<String> {
            Some(text).filter(|text| !text.is_empty()).cloned().into_iter().collect()
        };
        Self {
            letters: vec![letters(&person.name), letters(&person.login)],
            ids: text(&person.id),
            logins: text(&person.login),
            emails: text(&person.email),
            number: person.number.clone(),
            names: Vec::new(),
        }
    }
}

/// A line of the roster, ready to be compared with many persons.
struct ListedPerson<'a> {
    line: &'a RosterLine,
    /// The letters of the name, first and last name in every order.
    spellings: Vec<String>,
    /// The letters of the group.
    group: String,
}

/// The rank of the sign that a name is.
const CALLED_LIKE: usize = 3;

impl<'a> ListedPerson<'a> {
    fn of(line: &'a RosterLine) -> Self {
        let mut names = spellings(&line.name);
        let (first, last) = (letters(&line.first_name), letters(&line.last_name));
        if !first.is_empty() && !last.is_empty() {
            names.extend([format!("{first}{last}"), format!("{last}{first}")]);
        }
        Self { line, spellings: names, group: letters(&line.group) }
    }

    /// How surely this is that person: the lower, the surer, up to [`CALLED_LIKE`].
    fn fits(&self, known: &KnownPerson) -> Option<usize> {
        let RosterLine { id, login, email, .. } = self.line;
        let is = |own: &str, text: &str| !own.is_empty() && own.eq_ignore_ascii_case(text);
        let of_any = |own: &str, texts: &[String]| texts.iter().any(|text| is(own, text));
        let user = |email: &str| email.split('@').next().unwrap_or_default().to_owned();
        let signs = [
            of_any(id, &known.ids) || of_any(email, &known.emails),
            of_any(id, &known.names) || of_any(email, &known.names) || self.is_participant(known),
            [&known.names, &known.logins].iter().any(|logins| of_any(login, logins) || of_any(&user(email), logins))
                || of_any(login, &known.ids)
                || known.emails.iter().any(|email| is(login, &user(email))),
            self.is_called_like(known),
        ];
        signs.into_iter().position(|fits| fits)
    }

    fn is_called_like(&self, known: &KnownPerson) -> bool {
        let mut names = known.letters.iter().filter(|name| !name.is_empty());
        names.any(|name| self.spellings.contains(name))
    }

    /// Whether it is `Participant 123` of the grading worksheet of Moodle. The number may be a group's, so it says
    /// nothing without the name.
    fn is_participant(&self, known: &KnownPerson) -> bool {
        let number = self.line.id.rsplit_once(' ').map(|(_, number)| number);
        let is_anonymous = || {
            let mut names = known.letters.iter();
            names.any(|name| format!("{name}{}", known.number) == letters(&self.line.id))
        };
        number == Some(known.number.as_str()) && (self.is_called_like(known) || is_anonymous())
    }
}

/// Whose a submission is by what a class knows of one person.
enum RosterFit {
    /// Of nobody on the roster.
    Nobody,
    /// Of this line; or only called like it, by a name that people give themselves.
    Line { at: usize, is_only_called: bool },
    /// Of one of these, which fit equally well.
    Several(Vec<usize>),
    /// Of all these, the members of the group of that name.
    Group(Vec<usize>),
    /// Of one of several groups of that name, whose members these are.
    Groups(Vec<usize>),
}

/// The least sure sign is the name of a group: only a submission of nobody else is one of a group.
fn fit(lines: &[ListedPerson<'_>], known: &KnownPerson, is_alone: bool) -> RosterFit {
    match surest(lines.iter().map(|line| line.fits(known))) {
        None if is_alone => group(lines, known),
        None => RosterFit::Nobody,
        Some((rank, best)) => match best.as_slice() {
            [at] => RosterFit::Line { at: *at, is_only_called: known.names.is_empty() && rank == CALLED_LIKE },
            _ => RosterFit::Several(best),
        },
    }
}

fn group(lines: &[ListedPerson<'_>], known: &KnownPerson) -> RosterFit {
    let is_theirs = |line: &ListedPerson<'_>| !line.group.is_empty() && known.letters.contains(&line.group);
    let members = (0..lines.len()).filter(|&at| is_theirs(&lines[at]));
    let members: Vec<usize> = members.collect();
    let sections = members.iter().map(|&at| lines[at].line.section.as_str());
    let sections: BTreeSet<&str> = sections.filter(|section| !section.is_empty()).collect();
    match members.as_slice() {
        [] => RosterFit::Nobody,
        [_, ..] if sections.len() > 1 => RosterFit::Groups(members),
        [_, ..] => RosterFit::Group(members),
    }
}

/// The lines that somebody is by more than a name.
fn certain(fits: &[(String, Vec<(String, RosterFit)>)]) -> BTreeSet<usize> {
    let fits = fits.iter().flat_map(|(_, people)| people);
    fits.filter_map(|(_, fit)| if let RosterFit::Line { at, is_only_called: false } = fit { Some(*at) } else { None })
        .collect()
}

impl PlatformPerson {
    /// What a roster would say of them. A login may be of their own choice, and look like that of somebody else.
    fn line(&self) -> RosterLine {
        let shown = self.shown().to_owned();
        RosterLine { name: shown, id: self.id.clone(), email: self.email.clone(), ..RosterLine::default() }
    }
}

impl RosterLine {
    fn has_another_name_than(&self, student: &str) -> bool {
        let own = AgentName::derived_from(&self.name);
        !self.name.is_empty() && !own.as_str().eq_ignore_ascii_case(student)
    }

    /// The remark on a member of a group whose submission is called by another name.
    fn shares(&self, submission: &str, which: &str) -> String {
        let (name, group) = (plain(self.shown()), plain(&self.group));
        format!("`{name}` gets the points of group `{group}` (submission `{}`{which})", plain(submission))
    }

    /// Groups of one name in two sections are two groups.
    fn is_of_the_group_of(&self, other: &Self) -> bool {
        let is_one_section = self.section.is_empty() || other.section.is_empty() || self.section == other.section;
        !self.group.is_empty() && self.group == other.group && is_one_section
    }
}

/// The lines that a submission is of, by their places in the roster.
struct RosterShare {
    lines: Vec<usize>,
    /// Whether the submission is called by the name of a student.
    is_named_by_student: bool,
}

impl ClassIntake {
    /// Adds everybody on the roster in `path` who has handed in nothing, or nothing that is surely theirs, with that
    /// fault, and remarks who has handed in without being on it. Of a group, one submission is that of all.
    ///
    /// # Errors
    ///
    /// [`IntakeError::Roster`] where the file is no roster.
    pub fn match_roster(&mut self, path: &Path) -> Result<(), IntakeError> {
        let lines = read(path)?;
        let (mut shares, unclear) = self.shares(&lines);
        let taken: BTreeSet<usize> = shares.values().flat_map(|share| &share.lines).copied().collect();
        let mut without = Vec::new();
        for at in (0..lines.len()).filter(|at| !taken.contains(at)) {
            let of_group = self.of_group(&lines[at], &shares, &lines);
            let Some(student) = of_group.last().cloned() else {
                without.push(at);
                continue;
            };
            let are_dated = of_group.iter().all(|student| self.handed_in(student).is_some());
            let which = match (of_group.len(), are_dated) {
                (1, _) => String::new(),
                (all, true) => format!(", the last of {all}"),
                (all, false) => format!(", one of {all} in unknown order: remove the others from the download"),
            };
            self.class.remarks.push(lines[at].shares(&student, &which));
            shares.entry(student).and_modify(|share| share.lines.push(at));
        }
        for at in without {
            let fault = unclear.get(&at).cloned().unwrap_or(SubmissionFault::NothingHandedIn);
            let student = self.add_without_submission(&lines[at], path, fault);
            let share = RosterShare { lines: vec![at], is_named_by_student: true };
            shares.insert(student, share);
        }
        self.name_lines(&lines, shares);
        Ok(())
    }

    /// Gives each member of a group whom the platform names a line in the gradebook, unless the roster has given lines
    /// to their submission.
    pub fn name_members(&mut self) {
        let (mut lines, mut shares) = (Vec::new(), BTreeMap::new());
        for (student, facts) in &self.facts {
            if facts.people.len() < 2 || !facts.lines.is_empty() {
                continue;
            }
            let first = lines.len();
            for line in facts.people.iter().map(PlatformPerson::line) {
                if !lines[first..].contains(&line) {
                    lines.push(line);
                }
            }
            let share = RosterShare { lines: (first..lines.len()).collect(), is_named_by_student: false };
            shares.insert(student.clone(), share);
        }
        self.name_lines(&lines, shares);
    }

    /// The lines of each submission that are certain, and for others why none is theirs.
    fn shares(&mut self, lines: &[RosterLine]) -> (BTreeMap<String, RosterShare>, BTreeMap<usize, SubmissionFault>) {
        let listed: Vec<ListedPerson<'_>> = lines.iter().map(ListedPerson::of).collect();
        let (mut shares, mut unclear) = (BTreeMap::new(), BTreeMap::new());
        let fits = self.fits(&listed);
        let certain = certain(&fits);
        for (student, people) in fits {
            let is_alone = people.len() == 1;
            let mut share = RosterShare { lines: Vec::new(), is_named_by_student: is_alone };
            for (name, fit) in people {
                let (several, remedy) = match fit {
                    RosterFit::Line { at, is_only_called: true } if certain.contains(&at) => {
                        let (name, line) = (plain(&name), plain(lines[at].shown()));
                        self.class.remarks.push(format!(
                            "`{name}` is called like `{line}` on the roster, who handed in another submission: not on \
                             the roster"
                        ));
                        continue;
                    }
                    RosterFit::Line { at, .. } => {
                        share.lines.push(at);
                        continue;
                    }
                    RosterFit::Group(members) => {
                        let remarks = members.iter().map(|&at| lines[at].shares(&student, ""));
                        self.class.remarks.extend(remarks);
                        share.lines = members;
                        share.is_named_by_student = false;
                        continue;
                    }
                    RosterFit::Nobody => {
                        let of = if is_alone { String::new() } else { format!(", a member of `{}`,", plain(&student)) };
                        let remark = format!("`{}`{of} is not on the roster", plain(&name));
                        self.class.remarks.push(remark);
                        continue;
                    }
                    RosterFit::Several(lines) => (lines, "add an id, login or e-mail"),
                    RosterFit::Groups(lines) => (lines, "give the groups of its sections different names"),
                };
                let fault = SubmissionFault::SeveralLines {
                    submission: student.clone(),
                    member: (!is_alone).then(|| name.clone()),
                    lines: several.len(),
                    remedy,
                };
                self.class.remarks.push(fault.to_string());
                unclear.extend(several.into_iter().map(|at| (at, fault.clone())));
            }
            share.lines.sort_unstable();
            share.lines.dedup();
            if !share.lines.is_empty() {
                shares.insert(student, share);
            }
        }
        (shares, unclear)
    }

    /// Whose each submission is, by what is known of each of those who handed it in, with their names.
    fn fits(&self, listed: &[ListedPerson<'_>]) -> Vec<(String, Vec<(String, RosterFit)>)> {
        let students = self.class.entries.iter().map(|entry| entry.student.to_string());
        let fits = students.map(|student| {
            let people = self.people(&student);
            let is_alone = people.len() == 1;
            let fits = people.into_iter().map(|(name, person)| (name, fit(listed, &person, is_alone)));
            (student, fits.collect())
        });
        fits.collect()
    }

    /// The submissions of the group of `line`, the last one last.
    fn of_group(&self, line: &RosterLine, shares: &BTreeMap<String, RosterShare>, lines: &[RosterLine]) -> Vec<String> {
        let is_theirs = |share: &RosterShare| share.lines.iter().any(|&at| lines[at].is_of_the_group_of(line));
        let of_group = shares.iter().filter(|(_, share)| is_theirs(share));
        let mut of_group: Vec<String> = of_group.map(|(student, _)| student.clone()).collect();
        of_group.sort_by_key(|student| self.handed_in(student));
        of_group
    }

    /// When the submission of `student` was handed in, if that is known.
    fn handed_in(&self, student: &str) -> Option<SubmissionTime> {
        let facts = self.facts.get(student)?;
        facts.submitted.or(facts.file_time)
    }

    /// Gives each line its name in the gradebook: that of the submission if it is called by a student, and this is the
    /// first line of it, else the name on the roster. Canvas writes `goodgina`, which is a name to nobody.
    fn name_lines(&mut self, lines: &[RosterLine], shares: BTreeMap<String, RosterShare>) {
        let entries = self.class.entries.iter().map(|entry| entry.student.as_str());
        let lines_of_roster = self.facts.values().flat_map(|facts| &facts.lines).map(|(name, _)| name.as_str());
        let mut taken: BTreeSet<String> = entries.chain(lines_of_roster).map(str::to_lowercase).collect();
        let is_canvas = self.layout == Some(DownloadLayout::Canvas);
        for (student, share) in shares {
            let is_uploaded = self.facts.get(&student).is_some_and(|facts| !facts.people.is_empty());
            let named = share.lines.iter().enumerate().map(|(number, &at)| {
                let is_better = is_canvas && is_uploaded && lines[at].has_another_name_than(&student);
                let name = if number == 0 && share.is_named_by_student && !is_better {
                    student.clone()
                } else {
                    unique_name(&lines[at], &mut taken)
                };
                (name, lines[at].clone())
            });
            let named: Vec<(String, RosterLine)> = named.collect();
            self.facts.entry(student).or_default().lines = named;
        }
    }

    /// Those who handed in the submission of `student`, with their names.
    fn people(&self, student: &str) -> Vec<(String, KnownPerson)> {
        let nothing = StudentFacts::default();
        let facts = self.facts.get(student).unwrap_or(&nothing);
        if !facts.people.is_empty() {
            let people = facts.people.iter();
            let alone = facts.people.len() == 1;
            let named = |person: &PlatformPerson| if alone { student } else { person.shown() }.to_owned();
            return people.map(|person| (named(person), KnownPerson::on_platform(person))).collect();
        }
        // What was put behind a name to tell it from another one.
        let bare = student.split(" (").next().unwrap_or_default();
        let members: Vec<&str> = bare.split(" + ").collect();
        if let [_, _, ..] = members.as_slice() {
            let member = |name: &&str| ((*name).to_owned(), KnownPerson::of_names(&[name]));
            return members.iter().map(member).collect();
        }
        vec![(student.to_owned(), KnownPerson::of_names(&[bare, student]))]
    }

    /// Gives the name in the class.
    fn add_without_submission(&mut self, line: &RosterLine, path: &Path, fault: SubmissionFault) -> String {
        let facts = StudentFacts { id: line.id.clone(), email: line.email.clone(), ..StudentFacts::default() };
        let student = self.class.add_without_submission(line.shown(), &line.id, path, fault);
        self.facts.insert(student.clone(), facts);
        student
    }
}

/// A name for the line that nobody else has, in any letter case; from now on it is taken.
fn unique_name(line: &RosterLine, taken: &mut BTreeSet<String>) -> String {
    let name = AgentName::derived_from(line.shown()).to_string();
    let with_id = AgentName::derived_from(&format!("{name} ({})", line.id)).to_string();
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let names = [name.clone(), with_id].into_iter().chain(numbered);
    let mut names = names.filter(|name| taken.insert(name.to_lowercase()));
    names.next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use referee_records::TimeSource;

    use super::*;
    use crate::agents::{Class, ClassMember};

    fn person(name: &str, id: &str) -> PlatformPerson {
        PlatformPerson { name: name.to_owned(), id: id.to_owned(), ..PlatformPerson::default() }
    }

    fn handed_in_by(people: &[PlatformPerson]) -> StudentFacts {
        StudentFacts { people: people.to_vec(), ..StudentFacts::default() }
    }

    /// A class of submissions, each with what is known of it.
    fn class<const N: usize>(submissions: [(&str, StudentFacts); N]) -> ClassIntake {
        let members = submissions.each_ref().map(|(name, _)| ClassMember {
            name: (*name).to_owned(),
            origin: name.into(),
            submission: Ok(name.into()),
        });
        let facts = submissions.map(|(name, facts)| (name.to_owned(), facts)).into();
        ClassIntake { class: Class::of_hand_ins(&members), facts, ..ClassIntake::default() }
    }

    fn matched(mut class: ClassIntake, roster: &str) -> ClassIntake {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("roster.csv");
        std::fs::write(&path, roster).unwrap();
        class.match_roster(&path).unwrap();
        class
    }

    /// The second one is called like the first one, by name, number, login or e-mail.
    #[test]
    fn nobody_gets_a_line_by_a_name_of_their_own_choice() {
        for name in ["Gina Good", "77", "gina", "gina@x.edu", "Good, Gina"] {
            let people = [("first", person("Regina", "77")), ("second", person(name, "99"))];
            let class = class(people.map(|(submission, person)| (submission, handed_in_by(&[person]))));
            let class = matched(class, "id,login,name,email\n77,gina,Gina Good,gina@x.edu\n");
            let ids = class.student_records().into_iter().map(|student| (student.submission, student.identity.id));
            let expected = [("first", "77"), ("second", "")].map(|(name, id)| (name.to_owned(), id.to_owned()));
            assert_eq!(ids.collect::<Vec<_>>(), expected, "{name}");
            assert!(class.class.remarks[0].contains("not on the roster"), "{:?}", class.class.remarks);
        }
    }

    #[test]
    fn who_is_missing_has_a_line_and_who_is_no_student_is_told() {
        let roster = "id,name,email,group,submitted\n1,\"Good, Gina\",,,\n2,Gina Good,gina@x.edu,,\n\
            3,Roe,ann@x.edu,,\n4,Left Out,,,\n5,One Two,,g,2026-11-21T12:00:00Z\n6,Three Four,,g,\n7,Ada,,,\n";
        let ann = PlatformPerson { email: "ANN@x.edu".to_owned(), ..PlatformPerson::default() };
        let class = class([
            ("Gina Good (2)", handed_in_by(&[person("", "2")])),
            ("ann", handed_in_by(&[ann])),
            ("onetwo", StudentFacts::default()),
            ("eve", StudentFacts::default()),
            ("7", StudentFacts::default()),
        ]);
        let class = matched(class, roster);
        let missing = class.class.entries.iter().filter(|entry| entry.spec.is_err());
        let missing: Vec<&str> = missing.map(|entry| entry.student.as_str()).collect();
        assert_eq!(missing, ["Good, Gina", "Left Out"]);
        assert_eq!(
            class.class.remarks,
            ["`eve` is not on the roster", "`Three Four` gets the points of group `g` (submission `onetwo`)"]
        );
        let dated = class.student_records().into_iter().filter(|one| one.submitted_by == Some(TimeSource::Roster));
        assert_eq!(dated.map(|one| one.name).collect::<Vec<_>>(), ["onetwo", "Three Four"], "a group has one time");
    }

    #[test]
    fn of_a_groups_submissions_the_last_one_counts_if_that_is_known() {
        let remark = |[ada, bob]: [Option<SubmissionTime>; 2]| {
            let at = |submitted| StudentFacts { submitted, ..StudentFacts::default() };
            let class = class([("ada", at(ada)), ("bob", at(bob))]);
            matched(class, "name,group\nada,g\nbob,g\ncyd,g\n").class.remarks.concat()
        };
        let at = SubmissionTime::of_unix;
        let known = remark([at(7200), at(3600)]);
        assert_eq!(known, "`cyd` gets the points of group `g` (submission `ada`, the last of 2)");
        let unknown = remark([at(7200), None]);
        assert!(unknown.ends_with(", one of 2 in unknown order: remove the others from the download)"), "{unknown}");
    }

    /// Two of them are called alike, and one is named twice in a group.
    #[test]
    fn members_that_a_platform_names_have_lines_of_their_own_without_a_roster() {
        let facts = |people: &[PlatformPerson]| StudentFacts { id: "all ids".to_owned(), ..handed_in_by(people) };
        let mut class = class([
            ("Ada + Bob", facts(&[person("Ada", "1"), person("Bob", "2"), person("Bob", "2")])),
            ("Ada + Cyd", facts(&[person("Ada", "3"), person("Cyd", "4")])),
            ("Gina", facts(&[person("Gina", "5")])),
        ]);
        class.name_members();
        let records = class.student_records();
        let told = records
            .iter()
            .map(|student| [&student.name, &student.submission, &student.identity.id].map(String::as_str));
        let wanted = [
            ["Ada", "Ada + Bob", "1"],
            ["Bob", "Ada + Bob", "2"],
            ["Ada (3)", "Ada + Cyd", "3"],
            ["Cyd", "Ada + Cyd", "4"],
            ["Gina", "Gina", "all ids"],
        ];
        assert_eq!(told.collect::<Vec<_>>(), wanted);
    }
}
