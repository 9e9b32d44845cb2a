//! `referee gradebook`, and the final output of `referee grade`: counts points and writes exports.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;

use super::kind::{WantedKind, expect_kind};
use super::output::{note, print, say};
use super::run_path::{open_run, or_write_elsewhere};
use super::{CommandOutcome, Failure};
use crate::assignment::Assignment;
use crate::console::{Stream, Terminal};
use crate::grading::exports::{ExportFile, GradeExport, export_all};
use crate::grading::{Gradebook, gradebook, review_list, summary_table};
use crate::messages::plain;
use crate::records::{RunKind, read_bounded, write_files};

/// Compute the gradebook of a grading from its records, and export it
#[derive(Debug, Args)]
pub(super) struct GradebookCommand {
    /// Run directory of a grading
    #[arg(value_name = "RUN")]
    run: PathBuf,
    #[command(flatten)]
    exports: ExportArguments,
    /// Print the gradebook as JSON and write no files
    #[arg(long)]
    json: bool,
}

/// Which exports are made beside the pages and tables that always are.
#[derive(Debug, Args)]
pub(super) struct ExportArguments {
    /// Also export for gradescope, vocareum, canvas, prairielearn, autolab, github-classroom or junit; may be repeated
    #[arg(long = "export", value_name = "FORMAT", value_delimiter = ',')]
    exports: Vec<String>,
    /// Gradebook exported from Canvas, for `--export canvas` to fill in
    #[arg(long, value_name = "CSV")]
    canvas: Option<PathBuf>,
    /// Canvas assignment to fill in, by title or ID [default: the one with the title of the assignment]
    #[arg(long, value_name = "TITLE", requires = "canvas")]
    canvas_column: Option<String>,
    /// Write pages and exports to this directory [default: the run directory]
    #[arg(long, value_name = "DIR")]
    export_to: Option<PathBuf>,
}

/// The exports that are always written.
const ALWAYS: [GradeExport; 4] = [
    GradeExport::Csv,
    GradeExport::Json,
    GradeExport::Summary,
    GradeExport::Feedback,
];

/// Larger than the gradebook of any course.
const LARGEST_TEMPLATE_BYTES: u64 = 64 << 20;

impl GradebookCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let (folder, manifest) = open_run(&self.run)?;
        expect_kind(&self.run, &manifest, RunKind::Grading, WantedKind::ToRead)?;
        let Some(text) = folder.assignment()? else {
            return Err(Failure::input(
                &self.run,
                "it is not the run directory of a grading: make one with `referee grade`",
            ));
        };
        let assignment = Assignment::parse(&text, &self.run.join("assignment.toml"))
            .map_err(|faults| Failure::Input(faults.to_string()))?;
        let exports = self.exports.wanted()?;
        let gradebook = gradebook(&assignment, &folder)?;
        if self.json {
            print(&crate::grading::exports::class_json(&gradebook))?;
        } else {
            self.exports.publish(&exports, &gradebook, folder.path())?;
        }
        Ok(CommandOutcome::Yes)
    }
}

impl ExportArguments {
    /// The requested exports, parsed before anything is played.
    pub(super) fn wanted(&self) -> Result<Vec<GradeExport>, Failure> {
        let template = self.canvas.as_deref().map(read_template).transpose()?;
        let canvas = self.canvas.iter().map(|_| "canvas");
        let mut names: Vec<&str> = self.exports.iter().map(String::as_str).chain(canvas).collect();
        names.sort_unstable();
        names.dedup();
        let export_of = |name: &str| GradeExport::named(name, template.as_deref(), self.canvas_column.as_deref());
        let mut exports = ALWAYS.to_vec();
        for name in names {
            let export = export_of(name).map_err(|error| Failure::Usage(error.to_string()))?;
            if !exports.contains(&export) {
                exports.push(export);
            }
        }
        Ok(exports)
    }

    /// Writes the exports, and prints the summary of the class.
    pub(super) fn publish(&self, exports: &[GradeExport], gradebook: &Gradebook, run: &Path) -> Result<(), Failure> {
        let exported = export_all(gradebook, exports).map_err(|fault| Failure::Input(fault.to_string()))?;
        let into = self.export_to.as_deref().unwrap_or(run);
        let files = exported
            .files
            .iter()
            .map(|ExportFile { path, text }| (path.as_str(), text.as_str()));
        write_files(into, files)
            .map_err(|error| or_write_elsewhere(error, "choose another directory with `--export-to`"))?;
        for warning in &exported.warnings {
            note(&plain(&warning.to_string()));
        }
        let look = Terminal::of(Stream::Stdout).look();
        // If it is no terminal, wide enough for any table.
        let columns = u16::try_from(look.columns).unwrap_or(200);
        let table = summary_table(gradebook, columns);
        let review = review_list(gradebook, columns);
        let gap = if review.is_empty() { "" } else { "\n" };
        let into = into.display();
        let asked: Vec<String> = asked_for(gradebook, exports)?
            .iter()
            .map(|name| format!("export: {into}/{name}\n"))
            .collect();
        say(&format!(
            "{table}{gap}{review}\nfeedback pages: {into}/feedback, gradebook: {into}/gradebook.csv\n{}",
            asked.concat()
        ))
    }
}

/// The files and folders of the exports that are made on request, as they are called in the folder of the exports.
fn asked_for(gradebook: &Gradebook, exports: &[GradeExport]) -> Result<BTreeSet<String>, Failure> {
    let asked: Vec<GradeExport> = exports
        .iter()
        .filter(|export| !ALWAYS.contains(export))
        .cloned()
        .collect();
    let exported = export_all(gradebook, &asked).map_err(|fault| Failure::Input(fault.to_string()))?;
    let first = |path: &str| path.split('/').next().unwrap_or(path).to_owned();
    Ok(exported.files.iter().map(|file| first(&file.path)).collect())
}

fn read_template(path: &Path) -> Result<String, Failure> {
    let bytes = read_bounded(path, LARGEST_TEMPLATE_BYTES).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::Input(format!(
            "no such file: `{}`; export the gradebook from Canvas (`Grades`, `Export`) and name that file",
            plain(&path.display().to_string())
        )),
        _ => Failure::input(path, error),
    })?;
    String::from_utf8(bytes).map_err(|error| Failure::input(path, format!("expected UTF-8: {error}")))
}
