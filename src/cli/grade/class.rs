//! The students to grade: the named submissions, merged with the class of an earlier run. `grade` calls it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::agents::{AgentError, ClassEntry, FileNames, MissingTool};
use crate::assignment::LateRules;
use crate::cli::Failure;
use crate::cli::output::note;
use crate::cli::roster::note_class;
use crate::grading::{Continued, Enrolled, go_on};
use crate::intake::{StudentFacts, TakenIn, take_in_class, take_in_submissions};
use crate::messages::{counted, plain};
use crate::records::{Manifest, StudentRecord, TimeSource};

/// The submissions of one command.
#[derive(Debug)]
pub(super) struct NamedClass {
    /// The submissions to grade.
    pub(super) entries: Vec<ClassEntry>,
    /// What a platform says of the students.
    pub(super) facts: BTreeMap<String, StudentFacts>,
    /// Who the students are, and when they handed in.
    pub(super) students: Vec<StudentRecord>,
    /// The names of other submissions in the folder that are left out.
    pub(super) left_out: Vec<String>,
}

impl NamedClass {
    /// All submissions in the folder or archive `folder`, or those at `submissions`; programs are called by `names`.
    /// Archives are unpacked below `scratch`. Whoever is on the `roster` and has handed in nothing is among them.
    pub(super) fn on_command_line(
        folder: Option<&Path>,
        submissions: &[PathBuf],
        names: &FileNames,
        roster: Option<&Path>,
        scratch: &Path,
    ) -> Result<Self, Failure> {
        let class = match (folder, submissions) {
            (None, []) => {
                return Err(Failure::Usage(
                    "no submissions: name them one by one, or their directory with `--class`".to_owned(),
                ));
            }
            (Some(_), [_, ..]) => {
                return Err(Failure::Usage(
                    "`--class` already names all submissions: remove the others".to_owned(),
                ));
            }
            (Some(folder), []) => take_in_class(folder, names, scratch),
            (None, submissions) => take_in_submissions(submissions, names, scratch),
        };
        let mut class = class?;
        if let Some(roster) = roster {
            class.hold_against(roster)?;
        }
        note_class(&class);
        let students = class.student_records();
        let TakenIn { class, facts, .. } = class;
        Ok(Self {
            facts,
            students,
            entries: class.entries,
            left_out: vec![],
        })
    }

    /// Forgets times that only a deadline would need.
    pub(super) fn forget_file_times(&mut self) {
        for student in &mut self.students {
            if student.submitted_by == Some(TimeSource::Files) {
                (student.submitted, student.submitted_by) = (None, None);
            }
        }
    }

    /// Those in `only`, or all if it is empty, except those in `without`; students to regrade must be among them.
    pub(super) fn limited(self, only: &[String], without: &[String], regrade: &[String]) -> Result<Self, Failure> {
        let known = |name: &String| self.entries.iter().any(|entry| entry.student.as_str() == name);
        if let Some(unknown) = only.iter().chain(without).chain(regrade).find(|name| !known(name)) {
            return Err(Failure::Usage(format!(
                "no submission of `{}`: a student is named like the directory or file, without its extension",
                plain(unknown)
            )));
        }
        let (only_some, has) = (!only.is_empty(), |list: &[String], entry: &ClassEntry| {
            list.iter().any(|name| name == entry.student.as_str())
        });
        if let Some(both) = self
            .entries
            .iter()
            .find(|entry| has(without, entry) && (has(only, entry) || has(regrade, entry)))
        {
            return Err(Failure::Usage(format!(
                "`{}` is both included and excluded: remove one of the options",
                both.student
            )));
        }
        let (entries, left_out): (Vec<_>, Vec<_>) = self
            .entries
            .into_iter()
            .partition(|entry| !has(without, entry) && (!only_some || has(only, entry) || has(regrade, entry)));
        if entries.is_empty() {
            return Err(Failure::Usage("every student is excluded: nothing to grade".to_owned()));
        }
        let left_out = left_out.iter().map(|entry| entry.student.to_string()).collect();
        Ok(Self {
            entries,
            left_out,
            ..self
        })
    }
}

/// Says where the submission times of the class come from.
pub(super) fn note_times(rules: &LateRules, students: &[StudentRecord]) {
    let count = |source: Option<TimeSource>| students.iter().filter(|one| one.submitted_by == source).count();
    let sources = [TimeSource::Roster, TimeSource::Platform, TimeSource::Files];
    let known = sources.into_iter().map(|source| (count(Some(source)), source.words()));
    let parts = known.chain([(count(None), "unknown")]).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, words)| format!("{count} {words}")).collect();
    note(&format!("{rules}; submission times: {}", parts.join(", ")));
    if count(Some(TimeSource::Files)) > 0 {
        note(
            "file times may have been set when the folder or archive was made: compare them with the platform, and \
             give the correct ones in the column `submitted` of the roster",
        );
    }
}

/// The students of the run: those of this command, and those of an earlier one who are still in it. Without `[late]`,
/// times of files say nothing.
pub(super) fn students(named: &[StudentRecord], before: Option<&Manifest>, manifest: &Manifest) -> Vec<StudentRecord> {
    let is_named = |student: &StudentRecord| named.iter().any(|one| one.submission == student.submission);
    let is_there = |student: &StudentRecord| {
        let agents = manifest.agents.iter().map(|agent| &agent.name);
        let mut all = agents.chain(manifest.rejected.iter().map(|rejection| &rejection.name));
        all.any(|name| *name == student.submission)
    };
    let earlier = before.into_iter().flat_map(|before| &before.students);
    let earlier = earlier.filter(|student| !is_named(student));
    let mut students: Vec<StudentRecord> = named
        .iter()
        .chain(earlier)
        .filter(|one| is_there(one))
        .cloned()
        .collect();
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
pub(super) fn all_ready(enrolled: Enrolled) -> Result<Enrolled, Failure> {
    if enrolled.lacking.is_empty() {
        return Ok(enrolled);
    }
    let line = |(name, error): &(String, AgentError)| format!("\n  {}: {}", plain(name), plain(&error.to_string()));
    let lines: Vec<String> = enrolled.lacking.iter().map(line).collect();
    let wants_python2 = |error: &AgentError| {
        matches!(
            error,
            AgentError::MissingTool {
                tool: MissingTool::Python2,
                ..
            }
        )
    };
    let python2 = if enrolled.lacking.iter().any(|(_, error)| wants_python2(error)) {
        ", run Python 2 programs with Python 3 by `--python2-by-python3`"
    } else {
        ""
    };
    Err(Failure::Machine(format!(
        "nothing was graded, because this machine cannot build {}:{}\ninstall the missing tools{python2}, or exclude \
         the students with `--without STUDENT`",
        counted(lines.len(), "submission"),
        lines.concat()
    )))
}

/// The merged class.
pub(super) fn continued(
    before: Option<&Manifest>,
    enrolled: &Enrolled,
    regrade: &[String],
) -> Result<Continued, Failure> {
    let (agent_records, rejected) = (&enrolled.agent_records, &enrolled.rejected);
    let continued = go_on(before, agent_records, rejected, regrade).map_err(|changed| {
        let names: Vec<String> = changed.iter().map(|name| plain(name)).collect();
        let regrade: Vec<String> = names.iter().map(|name| format!("--regrade {}", quoted(name))).collect();
        Failure::Usage(format!(
            "changed since grading: {}; remove the old results and grade again with `{}`, or keep both with another \
             `--out`",
            names.join(", "),
            regrade.join(" ")
        ))
    })?;
    for name in &continued.admitted {
        note(&format!("`{}` was rejected before and is accepted now", plain(name)));
    }
    Ok(continued)
}

/// Quoted for a shell.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+,=@".contains(c);
    if name.chars().all(is_plain) {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_a_shell() {
        for (name, word) in [("ada", "ada"), ("O'Brien, C", r"'O'\''Brien, C'"), ("a;b", "'a;b'")] {
            assert_eq!(quoted(name), word);
        }
    }
}
