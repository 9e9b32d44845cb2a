//! The students to grade: the named submissions, merged with the class of an earlier run. It builds and plays nothing;
//! `cli/grade` and the preparation of a grading call it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{GradingRequest, OnProgress, Remedy, RunFailure};
use crate::runs::submissions::{expect_elsewhere, import};
use referee_course::grading::{EnrolledClass, MergedClass, continue_class};
use referee_messages::{counted, plain};
use referee_records::{Manifest, Rejection, StudentIdentity, StudentRecord, TimeSource};
use referee_submissions::agents::{
    AgentError, AgentName, AgentSpec, ClassEntry, FileNames, MissingTool, SubmissionFault,
};
use referee_submissions::intake::{ClassIntake, StudentFacts};

/// The submissions of one grading.
#[derive(Debug, Default)]
pub struct NamedClass {
    /// The submissions to grade.
    pub entries: Vec<ClassEntry>,
    /// What a platform says of the students.
    pub facts: BTreeMap<String, StudentFacts>,
    /// Who the students are, and when they handed in.
    pub students: Vec<StudentRecord>,
    /// The names of other submissions in the folder that are left out.
    pub left_out: Vec<String>,
    /// The names of submissions that are not to be in the gradebook, even if they were graded before.
    pub without: Vec<String>,
    /// Their common folder, if it was named.
    folder: Option<PathBuf>,
}

impl NamedClass {
    /// All submissions in the folder or archive `folder`, or those at `submissions`; programs are called by `names`.
    /// Archives are unpacked below `scratch`, which must stay. Of an assignment with parts, `part` is taken in.
    /// Students on the `roster` who have handed in nothing are among them.
    ///
    /// # Errors
    ///
    /// [`RunFailure`], never for what is wrong with one submission.
    pub fn import(
        folder: Option<&Path>,
        submissions: &[PathBuf],
        names: &FileNames,
        (roster, part): (Option<&Path>, Option<&str>),
        scratch: &Path,
        on_progress: &OnProgress,
    ) -> Result<Self, RunFailure> {
        let class = import((submissions, folder), (roster, part), names, scratch, on_progress)?;
        let students = class.student_records();
        let ClassIntake { class, facts, .. } = class;
        Ok(Self { facts, students, entries: class.entries, folder: folder.map(Path::to_owned), ..Self::default() })
    }

    /// The submission of one student, at `path`.
    pub fn of_one(student: AgentName, path: PathBuf) -> Self {
        let spec = Ok(AgentSpec::of_submission(student.clone(), path.clone()));
        Self { entries: vec![ClassEntry { student, path, spec }], ..Self::default() }
    }

    /// The names of the submissions.
    pub fn names(&self) -> BTreeSet<String> {
        self.entries.iter().map(|entry| entry.student.to_string()).collect()
    }

    /// Refuses an output folder `out` among the submissions.
    pub(super) fn expect_elsewhere(&self, out: &Path) -> Result<(), RunFailure> {
        expect_elsewhere(out, &self.entries, self.folder.as_deref())
    }

    /// The submissions of the students of these names, in the gradebook or in the class; or those that were `graded` in
    /// the run before.
    ///
    /// # Errors
    ///
    /// [`RunFailure::Request`], with the first name that is of nobody.
    pub fn submissions_of(&self, names: &[String], graded: &[String]) -> Result<Vec<String>, RunFailure> {
        let submission = |name: &String| {
            let graded = graded.iter().map(String::as_str);
            let of_class =
                || self.entries.iter().map(|entry| entry.student.as_str()).chain(graded).find(|one| one == name);
            let student = self.students.iter().find(|student| student.name == *name);
            let found = student.map(|student| student.submission.as_str()).or_else(of_class);
            found.map(str::to_owned).ok_or_else(|| {
                RunFailure::request(format!(
                    "no student `{}` in this class: use a name that `--dry-run` lists",
                    plain(name)
                ))
            })
        };
        names.iter().map(submission).collect()
    }

    /// Takes out the students of the roster who hand in nothing now, but are in the run `before` by a submission of
    /// another name: what was graded stays.
    pub fn without_graded(&mut self, before: &Manifest) {
        let before = before_without(before, &self.without);
        let (entries, students) = (&self.entries, &self.students);
        let nothing: Vec<&str> =
            entries.iter().filter(|entry| is_without_submission(entry)).map(|entry| entry.student.as_str()).collect();
        let rejected = before.rejected.iter().filter(|one| !is_nothing(one)).map(|one| &one.name);
        let graded: Vec<&String> = before.agents.iter().map(|agent| &agent.name).chain(rejected).collect();
        let is_same = |now: &StudentRecord, earlier: &StudentRecord| {
            let (now_ids, ids) = (known_ids(now), known_ids(earlier));
            let is_named = now.name == earlier.name && (now_ids.is_empty() || ids.is_empty());
            earlier.submission != now.submission
                && graded.contains(&&earlier.submission)
                && (is_named || !now_ids.is_disjoint(&ids))
        };
        let is_graded = |student: &&StudentRecord| {
            nothing.contains(&student.submission.as_str())
                && before.students.iter().any(|earlier| is_same(student, earlier))
        };
        let graded: Vec<String> = students.iter().filter(is_graded).map(|one| one.submission.clone()).collect();
        self.entries.retain(|entry| !graded.iter().any(|name| name == entry.student.as_str()));
        self.students.retain(|student| !graded.contains(&student.submission));
    }

    /// Refuses two submissions of one person in this class: no line of the gradebook would be right.
    ///
    /// # Errors
    ///
    /// [`RunFailure::Request`], which names both.
    pub fn expect_one_submission_each(&self) -> Result<(), RunFailure> {
        let handed_in = self.entries.iter().filter(|entry| !is_without_submission(entry));
        let handed_in: BTreeSet<&str> = handed_in.map(|entry| entry.student.as_str()).collect();
        let mut known: BTreeMap<String, &str> = BTreeMap::new();
        for student in self.students.iter().filter(|student| handed_in.contains(student.submission.as_str())) {
            for id in known_ids(student) {
                let first = *known.entry(id.clone()).or_insert(&student.submission);
                if first != student.submission {
                    let problem = format!(
                        "`{}` and `{}` are both submissions of `{}`",
                        plain(first),
                        plain(&student.submission),
                        plain(&id)
                    );
                    return Err(RunFailure::request(problem).with(Remedy::LeaveOut(first.to_owned())));
                }
            }
        }
        Ok(())
    }

    /// The submissions in `only`, or all if it is empty, except those in `without`; those in `regrade` are kept.
    ///
    /// # Errors
    ///
    /// [`RunFailure::Request`], if names contradict each other.
    pub fn limited(self, only: &[String], without: &[String], regrade: &[String]) -> Result<Self, RunFailure> {
        let (only_some, has) = (!only.is_empty(), |list: &[String], entry: &ClassEntry| {
            list.iter().any(|name| name == entry.student.as_str())
        });
        if let Some(both) =
            self.entries.iter().find(|entry| has(without, entry) && (has(only, entry) || has(regrade, entry)))
        {
            return Err(RunFailure::request(format!(
                "`{}` is both included and excluded: remove one of the options",
                both.student
            )));
        }
        let (entries, left_out): (Vec<_>, Vec<_>) = self
            .entries
            .into_iter()
            .partition(|entry| !has(without, entry) && (!only_some || has(only, entry) || has(regrade, entry)));
        if entries.is_empty() {
            return Err(RunFailure::request("every student is excluded: nothing to grade"));
        }
        let left_out = left_out.iter().map(|entry| entry.student.to_string()).collect();
        Ok(Self { entries, left_out, without: without.to_vec(), ..self })
    }
}

/// The texts that identify a student.
fn known_ids(student: &StudentRecord) -> BTreeSet<String> {
    let StudentIdentity { id, email, login, .. } = &student.identity;
    [id, email, login].into_iter().map(|text| text.trim().to_lowercase()).filter(|text| !text.is_empty()).collect()
}

fn is_nothing(rejection: &Rejection) -> bool {
    SubmissionFault::WITHOUT_SUBMISSION.contains(&&*rejection.fault.code)
}

/// Whether only the roster knows of the student: nothing was handed in.
fn is_without_submission(entry: &ClassEntry) -> bool {
    entry.spec.as_ref().is_err_and(|fault| SubmissionFault::WITHOUT_SUBMISSION.contains(&fault.code()))
}

/// The students of the run: those of this command, and those of an earlier one who are still in it. Without `[late]`,
/// times of files say nothing.
pub(super) fn students(request: &GradingRequest, before: Option<&Manifest>, manifest: &Manifest) -> Vec<StudentRecord> {
    let mut named = request.class.students.clone();
    if request.assignment.late.is_none() {
        let by_files = named.iter_mut().filter(|one| one.submitted_by == Some(TimeSource::Files));
        by_files.for_each(|one| (one.submitted, one.submitted_by) = (None, None));
    }
    let is_named = |student: &StudentRecord| named.iter().any(|one| one.submission == student.submission);
    let is_there = |student: &StudentRecord| {
        let agents = manifest.agents.iter().map(|agent| &agent.name);
        let mut all = agents.chain(manifest.rejected.iter().map(|rejection| &rejection.name));
        all.any(|name| *name == student.submission)
    };
    let earlier = before.into_iter().flat_map(|before| &before.students);
    let earlier = earlier.filter(|student| !is_named(student));
    let mut students: Vec<StudentRecord> = named.iter().chain(earlier).filter(|one| is_there(one)).cloned().collect();
    students.retain(|student| {
        let nothing = StudentRecord {
            name: student.name.clone(),
            submission: student.submission.clone(),
            ..StudentRecord::default()
        };
        *student != nothing || student.name != student.submission
    });
    students.sort_by(|one, other| one.name.cmp(&other.name));
    students
}

/// Nobody is graded until everybody can be: grading a class on two machines would not be comparable.
pub(super) fn all_ready(enrolled: EnrolledClass) -> Result<EnrolledClass, RunFailure> {
    if enrolled.lacking.is_empty() {
        return Ok(enrolled);
    }
    let line = |(name, error): &(String, AgentError)| format!("\n  {}: {}", plain(name), plain(&error.to_string()));
    let lines: Vec<String> = enrolled.lacking.iter().map(line).collect();
    let wants_python2 =
        |error: &AgentError| matches!(error, AgentError::MissingTool { tool: MissingTool::Python2, .. });
    let problem = RunFailure::machine(format!(
        "nothing was graded, because this machine cannot build {}:{}",
        counted(lines.len(), "submission"),
        lines.concat()
    ));
    let python2 = enrolled.lacking.iter().any(|(_, error)| wants_python2(error));
    Err(problem.with(Remedy::InstallTools { python2 }))
}

/// The earlier run without the submissions that are to be in no gradebook.
pub(super) fn before_without(manifest: &Manifest, without: &[String]) -> Manifest {
    let mut manifest = manifest.clone();
    manifest.agents.retain(|agent| !agent.role.is_participant() || !without.contains(&agent.name));
    manifest.rejected.retain(|rejection| !without.contains(&rejection.name));
    manifest.students.retain(|student| !without.contains(&student.submission));
    manifest
}

/// Refuses two submissions of one person, as where a platform names one otherwise since a namesake handed in, too: the
/// gradebook would have a line for each.
pub(super) fn expect_each_once(class: &NamedClass, before: Option<&Manifest>) -> Result<(), RunFailure> {
    let Some(before) = before else {
        return Ok(());
    };
    let is_named = |name: &String| class.students.iter().any(|student| student.submission == *name);
    // Whoever had handed in nothing gives way to a submission of another name.
    let had_none = |name: &String| before.rejected.iter().any(|one| one.name == *name && is_nothing(one));
    let is_kept = |student: &&StudentRecord| !is_named(&student.submission) && !had_none(&student.submission);
    for earlier in before.students.iter().filter(is_kept) {
        let ids = known_ids(earlier);
        if let Some(now) = class.students.iter().find(|now| !ids.is_disjoint(&known_ids(now))) {
            let problem = format!(
                "`{}` has the same ID, login or e-mail as `{}`, which was graded before, and would have two lines in \
                 the gradebook",
                plain(&now.submission),
                plain(&earlier.submission)
            );
            return Err(RunFailure::request(problem).with(Remedy::TakeOut(earlier.submission.clone())));
        }
    }
    Ok(())
}

/// The merged class.
pub(super) fn continued(
    before: Option<&Manifest>,
    enrolled: &EnrolledClass,
    request: &GradingRequest,
) -> Result<MergedClass, RunFailure> {
    let (agent_records, rejected) = (&enrolled.agent_records, &enrolled.rejected);
    let (regrade, students) = (&request.regrade, &request.class.students);
    continue_class(before, agent_records, rejected, regrade, students).map_err(|changed| {
        let names: Vec<String> = changed.iter().map(|name| plain(name)).collect();
        RunFailure::request(format!("changed since grading: {}", names.join(", "))).with(Remedy::Regrade(names))
    })
}
