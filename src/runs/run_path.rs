//! Opens the run or the record that a command line names. If another thing is there, the error says what it is, and
//! names the runs or records nearby. Every command that takes a run, a record or a run directory calls it.
//!
//! It reads names, and of a run only its kind: it never changes anything.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::{Remedy, RunFailure};
use referee_games::KnownGames;
use referee_messages::{counted, plain};
use referee_records::{Manifest, RecordError, RunFolder, RunKind, read_answer, read_game};

/// How many runs or records an error names.
const NAMED: usize = 5;

/// How many entries of a directory are considered.
const LISTED: usize = 10_000;

/// Opens the run in the directory `path`, and reads its manifest.
///
/// # Errors
///
/// [`RunFailure`] that says what is there instead, and names the runs nearby.
pub fn open_run(path: &Path, games: &KnownGames) -> Result<(RunFolder, Manifest), RunFailure> {
    let (folder, roster) = open_roster(path, games)?;
    let manifest = folder.with_games(roster);
    Ok((folder, manifest))
}

/// The same, but the manifest of a ladder lists no games.
pub(super) fn open_roster(path: &Path, games: &KnownGames) -> Result<(RunFolder, Manifest), RunFailure> {
    if !RunFolder::is_begun(path) {
        return Err(PathContent::at(path).instead_of("a run directory", path));
    }
    RunFolder::open_with_roster(path, games).map_err(|error| {
        let RecordError::NotARecord { reason, .. } = error else { return error.into() };
        RunFailure::invalid(format!(
            "{} is not a run directory: its `manifest.json` is not the manifest of a run: {}",
            shown(path),
            plain(&reason)
        ))
    })
}

/// The kinds of records that a command reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedRecord {
    /// Games.
    Game,
    /// Games, and answers of a grading.
    GameOrAnswer,
}

/// The error for `path`, which could not be read as a record.
pub fn no_record(path: &Path, wanted: WantedRecord, error: RecordError) -> RunFailure {
    let what = match wanted {
        WantedRecord::Game => "the record of a game",
        WantedRecord::GameOrAnswer => "a record",
    };
    let found = PathContent::at(path);
    if matches!(error, RecordError::NewerSchema { .. } | RecordError::Rules { .. }) {
        return error.into();
    }
    let mut above = [parent(path), parent(&parent(path))].into_iter();
    let above = above.find(|run| RunFolder::is_begun(run));
    let run = match (&found, &above, &error) {
        (PathContent::Run(run) | PathContent::PartOfRun(run), _, _) | (PathContent::Nothing, Some(run), _) => {
            run.clone()
        }
        (PathContent::Record(_), _, _)
            if wanted == WantedRecord::Game && is_readable(&read_answer(path, &KnownGames::builtin())) =>
        {
            let problem = format!("{} is the record of an answer, not of a game", shown(path));
            return RunFailure::invalid(problem).with(Remedy::ExplainAnswer);
        }
        // The system's reason, or the fault of a record.
        (PathContent::Record(_), _, _) => return error.into(),
        (PathContent::File, _, RecordError::NotARecord { reason, .. }) => {
            return RunFailure::invalid(format!(
                "expected {what}: {} is not a record of this program: {}",
                shown(path),
                plain(reason)
            ));
        }
        (
            PathContent::Nothing
            | PathContent::Void(_)
            | PathContent::Runs(_)
            | PathContent::Folder
            | PathContent::Assignment
            | PathContent::File,
            _,
            _,
        ) => {
            return found.instead_of(what, path);
        }
    };
    let records = records_in(&run, wanted);
    let remedy = if records.is_empty() {
        "it has no finished game yet".to_owned()
    } else if records.len() == 1 {
        format!("name its only {}", some_of(&records).trim_start_matches("1 "))
    } else {
        format!("name one of its {}", some_of(&records))
    };
    RunFailure::invalid(format!("expected {what}: {}: {remedy}", found.sentence(path)))
}

/// Whether `path` is a file among the records of a run, readable or not.
pub fn is_record(path: &Path) -> bool {
    matches!(PathContent::at(path), PathContent::Record(_))
}

/// Refuses `out` as the directory of a new run if that would mix it with other things: it is a file, part of another
/// run, or has runs in it.
pub(super) fn expect_place_for_run(out: &Path) -> Result<(), RunFailure> {
    let found = PathContent::at(out);
    match &found {
        PathContent::Nothing | PathContent::Run(_) | PathContent::Folder => Ok(()),
        PathContent::Runs(_) => Err(RunFailure::request(format!(
            "{}: a run in the same directory would mix with them",
            found.sentence(out)
        ))
        .with(Remedy::NewFolder(out.join("run-2")))),
        PathContent::PartOfRun(_)
        | PathContent::Void(_)
        | PathContent::Record(_)
        | PathContent::Assignment
        | PathContent::File => Err(RunFailure::request(found.sentence(out)).with(Remedy::OtherFolder)),
    }
}

/// The content of a path.
#[derive(Debug)]
enum PathContent {
    /// Nothing.
    Nothing,
    /// The directory of a run.
    Run(PathBuf),
    /// The file of a void game of this run.
    Void(PathBuf),
    /// A file or directory of this run, other than a record.
    PartOfRun(PathBuf),
    /// A record of this run.
    Record(PathBuf),
    /// A directory with these runs in it.
    Runs(Vec<PathBuf>),
    /// Another directory.
    Folder,
    /// A TOML file.
    Assignment,
    /// Another file.
    File,
}

impl PathContent {
    fn at(path: &Path) -> Self {
        let (parent, extension) = (parent(path), path.extension().and_then(|extension| extension.to_str()));
        if !path.exists() {
            return Self::Nothing;
        }
        if RunFolder::is_begun(path) {
            return Self::Run(path.to_owned());
        }
        if RunFolder::is_begun(&parent) {
            return Self::PartOfRun(parent);
        }
        let run = self::parent(&parent);
        if RunFolder::is_begun(&run) {
            let is_record = ["games", "answers"].iter().any(|name| parent.ends_with(name));
            return if is_record && path.is_file() {
                Self::Record(run)
            } else if parent.ends_with("voids") && path.is_file() {
                Self::Void(run)
            } else {
                Self::PartOfRun(run)
            };
        }
        if !path.is_dir() {
            return if extension == Some("toml") {
                Self::Assignment
            } else if has_record(path) {
                Self::Record(path.to_owned())
            } else {
                Self::File
            };
        }
        match runs_in(path) {
            runs if runs.is_empty() => Self::Folder,
            runs => Self::Runs(runs),
        }
    }

    /// What it is, as a sentence without its end.
    fn sentence(&self, path: &Path) -> String {
        let path_shown = shown(path);
        match self {
            Self::Nothing => format!("no such file or directory: {path_shown}"),
            Self::Run(run) => format!("{path_shown} is the run directory of {}", kind_of(run)),
            Self::PartOfRun(run) => format!("{path_shown} is part of the run {}", shown(run)),
            Self::Record(_) => format!("{path_shown} is the record of one game or answer"),
            Self::Void(run) => format!("{path_shown} describes a void game of run {}, which has no record", shown(run)),
            Self::Runs(runs) => format!("{path_shown} is not a run directory, but has {}", with_kinds(runs)),
            Self::Folder if is_empty(path) => format!("{path_shown} is empty: no run has been started in it"),
            Self::Folder => format!("{path_shown} is not a run directory: it has no `manifest.json`"),
            Self::Assignment => format!("{path_shown} is an assignment file"),
            Self::File => format!("{path_shown} is a file, and not a record of `referee`"),
        }
    }

    /// The failure that this is at `path` instead of `expected`; it says what to name instead.
    fn instead_of(&self, expected: &str, path: &Path) -> RunFailure {
        let problem = format!("expected {expected}: {}", self.sentence(path));
        match self {
            Self::Run(_) | Self::Void(_) => RunFailure::invalid(problem),
            Self::PartOfRun(run) | Self::Record(run) if run != path => {
                RunFailure::invalid(format!("{problem}; name {}", shown(run)))
            }
            Self::Runs(_) => RunFailure::invalid(format!("{problem}; name one of them")),
            Self::PartOfRun(_) | Self::Record(_) | Self::Nothing | Self::Folder | Self::Assignment | Self::File => {
                match nearby(path, self) {
                    Ok(runs) => RunFailure::invalid(format!("{problem}; {runs}")),
                    Err(remedy) => RunFailure::invalid(problem).with(remedy),
                }
            }
        }
    }
}

/// Whether the file at `path` is a record, whose rules nobody looks for.
fn has_record(path: &Path) -> bool {
    let games = KnownGames::builtin();
    is_readable(&read_game(path, &games)) || is_readable(&read_answer(path, &games))
}

/// Whether it is a record, though its rules may be missing.
const fn is_readable<T>(record: &Result<T, RecordError>) -> bool {
    matches!(record, Ok(_) | Err(RecordError::Rules { .. }))
}

/// The runs beside `path`, of an assignment those made by it.
///
/// # Errors
///
/// How to make one, if there is none.
fn nearby(path: &Path, found: &PathContent) -> Result<String, Remedy> {
    let results = Path::new("results");
    let mut runs = Vec::new();
    if let (PathContent::Assignment, Some(stem)) = (found, path.file_stem().and_then(|stem| stem.to_str())) {
        let names = [stem.to_owned(), format!("{stem}-competition")];
        let made = names.into_iter().map(|name| results.join(name));
        runs.extend(made.filter(|run| RunFolder::is_begun(run)));
        if runs.is_empty() {
            return Err(Remedy::StartRun(Some(path.to_owned())));
        }
        return Ok(format!("it has {}", with_kinds(&runs)));
    }
    for folder in [parent(path), results.to_owned()] {
        if runs.is_empty() {
            runs = runs_in(&folder);
        }
    }
    if runs.is_empty() {
        return Err(Remedy::StartRun(None));
    }
    Ok(format!("nearby: {}", with_kinds(&runs)))
}

/// The runs in `folder`, by name. Only names are read.
fn runs_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(LISTED);
    // A path relative to the working directory is shown as it would be typed.
    let place = |name: &Path| match folder.as_os_str().to_str() {
        Some("." | "") => name.to_owned(),
        Some(_) | None => folder.join(name),
    };
    let mut runs: Vec<PathBuf> = entries.map(|entry| place(Path::new(&entry.file_name()))).collect();
    runs.retain(|run| RunFolder::is_begun(run));
    runs.sort_unstable();
    runs
}

/// The records of the run, by name.
fn records_in(run: &Path, wanted: WantedRecord) -> Vec<PathBuf> {
    let folders: &[&str] = match wanted {
        WantedRecord::Game => &["games"],
        WantedRecord::GameOrAnswer => &["games", "answers"],
    };
    let folders = folders.iter().map(|folder| run.join(folder));
    let paths = folders.flat_map(|folder| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(LISTED);
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort_unstable();
        paths
    });
    paths.collect()
}

/// `3 records: a, b, c`
fn some_of(records: &[PathBuf]) -> String {
    let some: Vec<String> = records.iter().take(NAMED).map(|record| shown(record)).collect();
    format!("{}: {}{}", counted(records.len(), "record"), some.join(", "), more(records.len()))
}

/// `2 runs: a (a match), b (a grading)`
fn with_kinds(runs: &[PathBuf]) -> String {
    let named = runs.iter().take(NAMED);
    let named: Vec<String> = named.map(|run| format!("{} ({})", shown(run), kind_of(run))).collect();
    format!("{}: {}{}", counted(runs.len(), "run"), named.join(", "), more(runs.len()))
}

fn more(count: usize) -> String {
    match count.saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    }
}

fn kind_of(run: &Path) -> &'static str {
    RunFolder::kind(run).map_or("unreadable", RunKind::words)
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// The directory that has `path` in it; of a bare name the working directory.
fn parent(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) => parent.to_owned(),
        None => path.to_owned(),
    }
}

fn shown(path: &Path) -> String {
    format!("`{}`", plain(&path.display().to_string()))
}
