//! The students to grade: the named submissions, merged with the class of an earlier run. It builds and plays nothing;
//! `cli/grade` and the preparation of a grading call it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{GradingRequest, OnProgress, Remedy, RunFailure};
use crate::runs::submissions::{expect_elsewhere, import};
use referee_course::grading::{EnrolledClass, MergedClass, continue_class};
use referee_messages::{counted, plain};
use referee_records::{Manifest, StudentRecord, TimeSource};
use referee_submissions::agents::{AgentError, AgentName, AgentSpec, ClassEntry, FileNames, MissingTool};
use referee_submissions::intake::{ClassIntake, StudentFacts};

/// The submissions of one grading.
#[derive(Debug)]
pub struct NamedClass {
    /// The submissions to grade.
    pub entries: Vec<ClassEntry>,
    /// What a platform says of the students.
    pub facts: BTreeMap<String, StudentFacts>,
    /// Who the students are, and when they handed in.
    pub students: Vec<StudentRecord>,
    /// The names of other submissions in the folder that are left out.
    pub left_out: Vec<String>,
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
        Ok(Self { facts, students, entries: class.entries, left_out: vec![], folder: folder.map(Path::to_owned) })
    }

    /// The submission of one student, at `path`.
    pub fn of_one(student: AgentName, path: PathBuf) -> Self {
        let spec = Ok(AgentSpec::of_submission(student.clone(), path.clone()));
        Self {
            entries: vec![ClassEntry { student, path, spec }],
            facts: BTreeMap::new(),
            students: vec![],
            left_out: vec![],
            folder: None,
        }
    }

    /// Refuses an output folder `out` among the submissions.
    pub(super) fn expect_elsewhere(&self, out: &Path) -> Result<(), RunFailure> {
        expect_elsewhere(out, &self.entries, self.folder.as_deref())
    }

    /// The submissions of the students of these names, in the gradebook or in the class.
    ///
    /// # Errors
    ///
    /// [`RunFailure::Request`], with the first name that is of nobody.
    pub fn submissions_of(&self, names: &[String]) -> Result<Vec<String>, RunFailure> {
        let submission = |name: &String| {
            let of_class = || self.entries.iter().map(|entry| entry.student.as_str()).find(|one| one == name);
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
        Ok(Self { entries, left_out, ..self })
    }
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
