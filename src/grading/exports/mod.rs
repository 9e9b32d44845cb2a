//! The gradebook for other programs: each format in a file of its own, a function from the gradebook to a text.
//!
//! For: what a platform or a spreadsheet reads. Deliberately not here: writing files, and what the points are.
//!
//! What must always hold: every student is in every export (but for Canvas, which says who is not); points are exact;
//! no text of a student's making is a formula, a tag or a command there. `docs/exports.md` has an example of each, made
//! by this code.

mod autolab;
mod canvas;
mod class_csv;
mod class_json;
mod files;
mod github_classroom;
mod gradescope;
mod junit;
mod prairielearn;
mod vocareum;

use serde::Serialize;

pub use autolab::autolab;
pub use canvas::{CanvasError, CanvasWarning, Filled, canvas};
pub use class_csv::class_csv;
pub use class_json::{GRADEBOOK_SCHEMA, class_json};
pub use files::file_names;
pub use github_classroom::github_classroom;
pub use gradescope::gradescope;
pub use junit::junit;
pub use prairielearn::prairielearn;
pub use vocareum::{vocareum_grades, vocareum_report};

use super::feedback::charged;
use super::{Gradebook, StudentGrade, class_markdown, class_text, student_markdown, student_text};
use crate::time::CpuTime;

/// One way to export a gradebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GradeExport {
    /// `gradebook.csv`.
    Csv,
    /// `gradebook.json`.
    Json,
    /// The page of the class, as text and as Markdown.
    Summary,
    /// The page of each student, as text and as Markdown.
    Feedback,
    /// A `results.json` for each student.
    Gradescope,
    /// A grade file and a report for each student.
    Vocareum,
    /// A gradebook of Canvas, filled in.
    Canvas {
        /// What Canvas has exported, the whole text.
        template: String,
        /// Which assignment; see [`canvas()`].
        column: Option<String>,
    },
    /// A `results.json` for each student.
    Prairielearn,
    /// The output of an autograder for each student.
    Autolab,
    /// The result of a runner for each student.
    GithubClassroom,
    /// One `JUnit` report.
    Junit,
}

/// Whom a file of an export is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All students.
    Class,
    /// One of them; the files are in a folder.
    Student,
}

/// A name that is not the name of an export, or lacks what the export needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAnExport {
    /// There is none of this name.
    #[error("{} is not an export: choose one of {}", crate::protocol::quote(.0.as_bytes()), GradeExport::names())]
    Unknown(String),
    /// Canvas needs its own file.
    #[error("the export `canvas` fills in a gradebook that Canvas has exported: name that file, too")]
    NoTemplate,
}

/// A file that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportFile {
    /// Where, below the folder of exports: one or two names apart by `/`, all of them harmless.
    pub path: String,
    /// The whole content.
    pub text: String,
}

/// What comes of exports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// The files, no two at one path.
    pub files: Vec<ExportFile>,
    /// What whoever uploads them should know.
    pub warnings: Vec<CanvasWarning>,
}

impl GradeExport {
    /// All names, as they are written on the command line, and whom their files are about.
    pub const NAMES: [(&str, Scope); 11] = [
        ("csv", Scope::Class),
        ("json", Scope::Class),
        ("summary", Scope::Class),
        ("feedback", Scope::Student),
        ("gradescope", Scope::Student),
        ("vocareum", Scope::Student),
        ("canvas", Scope::Class),
        ("prairielearn", Scope::Student),
        ("autolab", Scope::Student),
        ("github-classroom", Scope::Student),
        ("junit", Scope::Class),
    ];

    /// The export of this name. `template` is what Canvas has exported, and `column` its assignment; the others need
    /// neither.
    ///
    /// ```
    /// use referee::grading::exports::GradeExport;
    ///
    /// assert_eq!(GradeExport::named("gradescope", None, None), Ok(GradeExport::Gradescope));
    /// assert!(GradeExport::named("canvas", None, None).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotAnExport`].
    pub fn named(name: &str, template: Option<&str>, column: Option<&str>) -> Result<Self, NotAnExport> {
        Ok(match name {
            "csv" => Self::Csv,
            "json" => Self::Json,
            "summary" => Self::Summary,
            "feedback" => Self::Feedback,
            "gradescope" => Self::Gradescope,
            "vocareum" => Self::Vocareum,
            "canvas" => Self::Canvas {
                template: template.ok_or(NotAnExport::NoTemplate)?.to_owned(),
                column: column.map(str::to_owned),
            },
            "prairielearn" => Self::Prairielearn,
            "autolab" => Self::Autolab,
            "github-classroom" => Self::GithubClassroom,
            "junit" => Self::Junit,
            _ => return Err(NotAnExport::Unknown(name.to_owned())),
        })
    }

    /// Its name, as it is written on the command line.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Summary => "summary",
            Self::Feedback => "feedback",
            Self::Gradescope => "gradescope",
            Self::Vocareum => "vocareum",
            Self::Canvas { .. } => "canvas",
            Self::Prairielearn => "prairielearn",
            Self::Autolab => "autolab",
            Self::GithubClassroom => "github-classroom",
            Self::Junit => "junit",
        }
    }

    fn names() -> String {
        let names: Vec<String> = Self::NAMES.iter().map(|(name, _)| format!("`{name}`")).collect();
        names.join(", ")
    }

    fn write(&self, gradebook: &Gradebook, exported: &mut Exported) -> Result<(), CanvasError> {
        let mut class = |path: &str, text: String| {
            exported.files.push(ExportFile {
                path: path.to_owned(),
                text,
            });
        };
        match self {
            Self::Csv => class("gradebook.csv", class_csv(gradebook)),
            Self::Json => class("gradebook.json", class_json(gradebook)),
            Self::Summary => {
                class("summary.txt", class_text(gradebook));
                class("summary.md", class_markdown(gradebook));
            }
            Self::Junit => class("junit.xml", junit(gradebook)),
            Self::Canvas { template, column } => {
                let filled = canvas(gradebook, template, column.as_deref())?;
                class("canvas.csv", filled.text);
                exported.warnings.extend(filled.warnings);
            }
            Self::Feedback => {
                exported.each(gradebook, self, "txt", student_text);
                exported.each(gradebook, self, "md", student_markdown);
            }
            Self::Gradescope => exported.each(gradebook, self, "json", gradescope),
            Self::Vocareum => {
                exported.each(gradebook, self, "csv", vocareum_grades);
                exported.each(gradebook, self, "txt", vocareum_report);
            }
            Self::Prairielearn => exported.each(gradebook, self, "json", prairielearn),
            Self::Autolab => exported.each(gradebook, self, "txt", autolab),
            Self::GithubClassroom => exported.each(gradebook, self, "json", github_classroom),
        }
        Ok(())
    }
}

impl Exported {
    /// A file for each student, in the export's folder.
    fn each(
        &mut self,
        gradebook: &Gradebook,
        export: &GradeExport,
        extension: &str,
        write: fn(&Gradebook, &StudentGrade) -> String,
    ) {
        for (student, name) in gradebook.students.iter().zip(file_names(gradebook)) {
            self.files.push(ExportFile {
                path: format!("{}/{name}.{extension}", export.name()),
                text: write(gradebook, student),
            });
        }
    }
}

/// Everything that `exports` come to, to be written by the caller.
///
/// # Errors
///
/// [`CanvasError`] where Canvas's file cannot be filled in; nothing is exported then.
pub fn export_all(gradebook: &Gradebook, exports: &[GradeExport]) -> Result<Exported, CanvasError> {
    let mut exported = Exported::default();
    for export in exports {
        export.write(gradebook, &mut exported)?;
    }
    Ok(exported)
}

/// A value as JSON for people to read, the last line ended.
fn json_text(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("what is exported has texts for keys") + "\n"
}

/// The CPU time of all items of a student, in seconds.
fn seconds_in_all(student: &StudentGrade) -> f64 {
    let all: CpuTime = student.criteria.iter().flatten().filter_map(charged).sum();
    all.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_names_an_export_of_that_name() {
        for (name, _) in GradeExport::NAMES {
            let export = GradeExport::named(name, Some(""), None).unwrap();
            assert_eq!(export.name(), name);
        }
    }

    #[test]
    fn an_unknown_name_is_told_which_there_are() {
        assert_eq!(
            GradeExport::named("excel", None, None).unwrap_err().to_string(),
            "`excel` is not an export: choose one of `csv`, `json`, `summary`, `feedback`, `gradescope`, `vocareum`, \
             `canvas`, \
             `prairielearn`, `autolab`, `github-classroom`, `junit`"
        );
    }
}
