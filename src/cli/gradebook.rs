//! `referee gradebook`, and the final output of `referee grade`: counts points and writes exports.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::Args;

use super::events::EventLog;
use super::output::{note, print, say};
use super::run_display::{Detail, RunDisplay};
use super::student_pages::write_pages;
use super::{CommandOutcome, Failure};
use crate::console::{Stream, Terminal};
use crate::runs::{WantedKind, expect_kind, open_run, reassign};
use crate::shell::shell_path;
use referee_course::assignment::Assignment;
use referee_course::grading::exports::{EXPORTS, ExportFile, GradeColumn, GradeExport, export_all};
use referee_course::grading::{Gradebook, gradebook, reference_lines, review_list, summary_table};
use referee_games::KnownGames;
use referee_messages::plain;
use referee_records::{RunKind, read_bounded, write_files};

/// Compute the gradebook of a grading from its records, and export it
#[derive(Debug, Args)]
pub(super) struct GradebookCommand {
    /// Run directory of a grading
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Changed assignment file: compute points, weights, titles and penalties by it from now on; nothing is played
    #[arg(long, value_name = "FILE")]
    assignment: Option<PathBuf>,
    #[command(flatten)]
    exports: ExportArguments,
    /// Print the gradebook as JSON and write no files
    #[arg(long)]
    json: bool,
}

/// Which exports are made beside the pages and tables that always are.
#[derive(Debug, Args)]
pub(super) struct ExportArguments {
    #[arg(long = "export", value_name = "FORMAT", value_delimiter = ',', help = EXPORT_HELP.as_str())]
    exports: Vec<String>,
    /// Gradebook exported from Canvas, for `--export canvas` to fill in
    #[arg(long, value_name = "CSV")]
    canvas: Option<PathBuf>,
    /// Gradebook or grading worksheet downloaded from Canvas, Brightspace, Moodle or Blackboard, to fill in
    #[arg(long, value_name = "FILE", conflicts_with = "canvas")]
    template: Option<PathBuf>,
    /// Column of `--canvas` or `--template` to fill in, by title or Canvas ID [default: the one with the title of the
    /// assignment]
    #[arg(long = "column", alias = "canvas-column", value_name = "TITLE")]
    canvas_column: Option<String>,
    /// Write an HTML page for each student to this directory, to mail, publish or print; `pages.csv` in the run
    /// directory lists them for a mail merge
    #[arg(long, value_name = "DIR")]
    pages: Option<PathBuf>,
    /// Write pages and exports to this directory [default: the run directory]
    #[arg(long, value_name = "DIR")]
    export_to: Option<PathBuf>,
}

static EXPORT_HELP: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<&str> = EXPORTS.iter().filter(|format| !format.is_default).map(|format| format.name).collect();
    format!("Also export for these: {}; `--export a,b` for several", names.join(", "))
});

/// Larger than the gradebook of any course.
const MAX_TEMPLATE_BYTES: u64 = 64 << 20;

impl GradebookCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        if let Some(path) = &self.assignment {
            let display = RunDisplay::new(Detail::Quiet, EventLog::default());
            reassign(&self.run, path, games, &display.on_progress())?;
        }
        let (folder, manifest) = open_run(&self.run, games)?;
        expect_kind(&self.run, &manifest, RunKind::Grading, WantedKind::ToRead)?;
        let Some(text) = folder.assignment()? else {
            return Err(Failure::input(
                &self.run,
                "it is not the run directory of a grading: make one with `referee grade`",
            ));
        };
        let assignment = Assignment::parse(&text, &self.run.join("assignment.toml"), games)
            .map_err(|faults| Failure::Input(faults.to_string()))?;
        let exports = self.exports.wanted(folder.path())?;
        let gradebook = gradebook(&assignment, &folder)?;
        if self.json {
            print(&referee_course::grading::exports::class_json(&gradebook))?;
        } else {
            self.exports.publish(&exports, &gradebook, folder.path())?;
        }
        Ok(CommandOutcome::Yes)
    }
}

impl ExportArguments {
    /// The requested exports of `run`, parsed before anything is played.
    pub(super) fn wanted(&self, run: &Path) -> Result<Vec<GradeExport>, Failure> {
        let platform = self.platform_file()?;
        let asked = self.exports.iter().map(String::as_str).chain(platform.iter().map(|(platform, _)| platform.name()));
        // What is made anyway may be asked for, too.
        let is_default = |name: &str| EXPORTS.iter().any(|format| format.is_default && format.name == name);
        let names: BTreeSet<&str> = asked.filter(|name| !is_default(name)).collect();
        let mut exports = GradeExport::defaults();
        for name in names {
            let file = platform.as_ref().filter(|(platform, _)| platform.name() == name);
            let template = file.map(|(_, text)| text.as_str());
            let export = GradeExport::named(name, template, self.canvas_column.as_deref());
            exports.push(export.map_err(|error| Failure::Usage(error.to_string()))?);
        }
        self.expect_other_files(&exports, run)?;
        Ok(exports)
    }

    fn template_path(&self) -> Option<&Path> {
        self.canvas.as_deref().or(self.template.as_deref())
    }

    /// The file to fill in may be the only copy, so no export may replace it.
    fn expect_other_files(&self, exports: &[GradeExport], run: &Path) -> Result<(), Failure> {
        let Some(template) = self.template_path() else { return Ok(()) };
        let into = self.export_to.as_deref().unwrap_or(run);
        let mut files = exports.iter().flat_map(|export| export.format.paths("")).map(|file| into.join(file));
        let is_template = |file: &PathBuf| {
            file.canonicalize().is_ok_and(|file| template.canonicalize().is_ok_and(|path| path == file))
        };
        match files.find(is_template) {
            None => Ok(()),
            Some(_) => Err(Failure::input(
                template,
                "an export would replace this file: move or rename it, or choose another directory with `--export-to`",
            )),
        }
    }

    /// The file to fill in, and the platform that it is from.
    fn platform_file(&self) -> Result<Option<(GradeColumn, String)>, Failure> {
        if let Some(path) = &self.canvas {
            let text = read_template(path, "export the gradebook from Canvas (`Grades`, `Export`)")?;
            return Ok(Some((GradeColumn::Canvas, text)));
        }
        let Some(path) = &self.template else { return Ok(None) };
        let text = read_template(path, "download the gradebook from the platform")?;
        let platform = GradeColumn::of_template(&text).ok_or_else(|| {
            Failure::input(
                path,
                "expected a file downloaded from Brightspace (`OrgDefinedId` or `Username`, and `End-of-Line \
                 Indicator` in the first line), Moodle (`Identifier` and `Grade`), Blackboard (`Last Name` and \
                 `Username`) or Canvas (`Student` and `ID`)",
            )
        })?;
        Ok(Some((platform, text)))
    }

    /// Writes the exports, and prints the summary of the class.
    pub(super) fn publish(&self, exports: &[GradeExport], gradebook: &Gradebook, run: &Path) -> Result<(), Failure> {
        let exported = export_all(gradebook, exports).map_err(|fault| match self.template_path() {
            Some(path) => Failure::input(path, fault),
            None => Failure::Input(fault.to_string()),
        })?;
        let into = self.export_to.as_deref().unwrap_or(run);
        let files = exported.files.iter().map(|ExportFile { path, text }| (path.as_str(), text.as_str()));
        write_files(into, files)
            .map_err(|error| Failure::or_write_elsewhere(error, "choose another directory with `--export-to`"))?;
        for warning in &exported.warnings {
            note(&plain(warning));
        }
        for line in reference_lines(gradebook, |id| shell_path(&run.join("games").join(format!("{id}.json")))) {
            note(&line);
        }
        let look = Terminal::of(Stream::Stdout).look();
        // If it is no terminal, wide enough for any table.
        let columns = u16::try_from(look.columns).unwrap_or(200);
        let table = summary_table(gradebook, columns);
        let review = review_list(gradebook, columns);
        let gap = if review.is_empty() { "" } else { "\n" };
        let into = into.display();
        let asked: Vec<String> = asked_for(exports).iter().map(|name| format!("export: {into}/{name}\n")).collect();
        let pages = self.pages.as_deref().map(|folder| write_pages(gradebook, run, folder)).transpose()?;
        say(&format!(
            "{table}{gap}{review}\nfeedback pages: {into}/feedback, gradebook: {into}/gradebook.csv\n{}{}",
            asked.concat(),
            pages.unwrap_or_default()
        ))
    }
}

/// The files and folders of the exports that are made on request, as they are called in the folder of the exports.
fn asked_for(exports: &[GradeExport]) -> BTreeSet<String> {
    let asked = exports.iter().filter(|export| !export.format.is_default);
    let paths = asked.flat_map(|export| export.format.paths(""));
    paths.map(|path| path.split('/').next().unwrap_or(&path).to_owned()).collect()
}

/// The text of a file from a platform; `remedy` says where it comes from.
fn read_template(path: &Path, remedy: &str) -> Result<String, Failure> {
    let bytes = read_bounded(path, MAX_TEMPLATE_BYTES).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::Input(format!(
            "no such file: `{}`; {remedy} and name that file",
            plain(&path.display().to_string())
        )),
        _ => Failure::input(path, error),
    })?;
    // Blackboard writes UTF-16.
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        let units: Vec<u16> = rest.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        return String::from_utf16(&units).map_err(|_| Failure::input(path, "expected UTF-8 or UTF-16"));
    }
    String::from_utf8(bytes).map_err(|error| Failure::input(path, format!("expected UTF-8: {error}")))
}
