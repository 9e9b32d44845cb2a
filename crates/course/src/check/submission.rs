//! Judges names, files and build of a submission. `agents` finds and builds it; `examine` calls this.

use std::path::Path;
use std::time::Duration;

use super::report::CheckItem;
use referee_messages::{counted, plain};
use referee_submissions::agents::{Agent, FileNames, Language, ProgramSource, Submission, SubmissionFault};

const FILES: &str = "files";
const BUILD: &str = "build";

/// How many lines of compiler output are shown: the first error matters.
const COMPILER_LINES: usize = 12;

/// A submission's programs, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Programs {
    /// The main program: the name of its file, and its language by that name.
    homework: (String, Option<Language>),
    calibrate: Option<ProgramSource>,
}

impl Programs {
    /// The programs of the submission at `path`, which must be valid.
    pub(super) fn of(path: &Path, names: &FileNames) -> Self {
        if let Ok(found) = Submission::find(path, names) {
            let ProgramSource { file, language } = found.homework;
            return Self { homework: (file, Some(language)), calibrate: found.calibrate };
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let language = names.language_by_extension(&file);
        Self { homework: (file, language), calibrate: None }
    }

    /// The language of the main program; `None` for an executable.
    pub(super) const fn language(&self) -> Option<Language> {
        self.homework.1
    }

    /// Whether it is compiled ahead of time.
    fn is_compiled(&self) -> bool {
        match self.homework.1 {
            Some(Language::Cpp(_) | Language::Java) => true,
            Some(Language::Python(_)) | None => false,
        }
    }
}

/// Judges the files of a valid submission.
pub(super) fn judge_files(programs: &Programs, remarks: &[String]) -> CheckItem {
    let (file, language) = &programs.homework;
    let language = language.map_or_else(|| "a program".to_owned(), |language| language.to_string());
    let calibrate = programs.calibrate.as_ref();
    let calibrate = calibrate.map_or_else(String::new, |source| format!(", with `{}`", plain(&source.file)));
    let found = format!("`{}`, {language}{calibrate}", plain(file));
    if remarks.is_empty() {
        return CheckItem::ok(FILES, found);
    }
    let remedy = "if this is not intended, change the files";
    CheckItem::warning(FILES, found, remedy).with(remarks.iter().map(|remark| plain(remark)).collect())
}

/// Judges its build, which took `took`.
pub(super) fn judge_build(programs: &Programs, agent: &Agent, took: Duration) -> CheckItem {
    let took = format!("{:.1} s", took.as_secs_f64());
    let found = if programs.is_compiled() { format!("compiled in {took}") } else { "nothing to compile".to_owned() };
    match &agent.compiler_output {
        None => CheckItem::ok(BUILD, found),
        Some(output) => {
            let remedy = "read the compiler's warnings";
            CheckItem::warning(BUILD, format!("{found}, with warnings"), remedy).with(first_lines(output))
        }
    }
}

/// Judges an invalid submission.
pub(super) fn judge_fault(fault: &SubmissionFault) -> CheckItem {
    let name = if matches!(fault, SubmissionFault::Build { .. }) { BUILD } else { FILES };
    let output = fault.compiler_output().map(first_lines).unwrap_or_default();
    CheckItem::fault(name, fault.message(), fault.hint()).with(output)
}

/// The start of compiler output, which is already escaped except for tabs.
fn first_lines(output: &str) -> Vec<String> {
    let all: Vec<&str> = output.trim_end().lines().collect();
    let shown = all.iter().take(COMPILER_LINES).map(|line| plain(&line.replace('\t', "    ")));
    let more = all.len().saturating_sub(COMPILER_LINES);
    let more = (more > 0).then(|| format!("... and {}", counted(more, "more line")));
    shown.chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_submissions::agents::CppStandard;

    #[test]
    fn programs_are_told_by_file_and_language() {
        let language = Language::Cpp(CppStandard::Cpp17);
        let calibrate = Some(ProgramSource { file: "calibrate.cpp".to_owned(), language });
        let programs = Programs { homework: ("homework.cpp".to_owned(), Some(language)), calibrate };
        let item = judge_files(&programs, &[]);
        assert_eq!(item, CheckItem::ok(FILES, "`homework.cpp`, C++17, with `calibrate.cpp`"));
        let item = judge_files(&programs, &["`x` is\nleft out".to_owned()]);
        assert_eq!(item.details, [r"`x` is\nleft out"]);
    }

    #[test]
    fn of_a_long_complaint_the_beginning_is_shown() {
        let lines = first_lines(&"a\tb\n".repeat(15));
        assert_eq!(lines.len(), 13);
        assert_eq!((lines[0].as_str(), lines[12].as_str()), ("a    b", "... and 3 more lines"));
    }
}
