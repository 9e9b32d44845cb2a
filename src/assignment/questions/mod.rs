//! The questions of a criterion: the positions or cases of a folder, read and found fit to be asked.
//!
//! A folder of positions holds one `input.txt` in every `*.txt`. A folder of cases pairs inputs with answers by their
//! names, in any of the ways in which courses keep them (letter case does not matter):
//!
//! | input | answer | the case is called |
//! | --- | --- | --- |
//! | `NAME.input.txt` | `NAME.expected.txt` or `NAME.output.txt` | `NAME` |
//! | `INPUT7.txt`, `input-07.txt`, `input.txt` | `OUTPUT7.txt`, `expected-07.txt`, `output.txt` | `7`, `07`, `case` |
//! | `input/NAME.txt` | `expected/NAME.txt` or `output/NAME.txt` | `NAME` |
//!
//! Where the answers are computed, answers in the folder are not looked at, and any other `NAME.txt` is an input, too.
//! Files with another ending, hidden files and other folders are passed over.

mod naming;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{CaseSource, CriterionKind, Fault, FaultPlace, Faults};
use crate::games::{GameId, Status};
use crate::protocol::{Game, GameVisitor, InputFault, plain};
use crate::records::read_bounded;
use naming::{Role, natural_order};

/// One position or case of a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionText {
    /// Its name, unique within the criterion, fit for file names: letters, digits and `._-` of ASCII.
    pub name: String,
    /// The whole `input.txt`.
    pub text: String,
    /// The whole right `output.txt`, where there is one and it is kept in a file.
    pub expected: Option<String>,
}

/// The most questions of one folder.
const MOST_QUESTIONS: usize = 9999;

/// Larger than any `input.txt` or `output.txt` that means anything.
const LARGEST_TEXT_BYTES: u64 = 64 << 10;

impl CriterionKind {
    /// Reads the questions of its folder, in the natural order of their names (`7` before `10`); none where it has
    /// games.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the folder: that it is not there or empty, inputs that are not of `game`, a
    /// position in which there is nothing to move, inputs without answers and answers without inputs.
    pub fn read_questions(&self, game: GameId) -> Result<Vec<QuestionText>, Faults> {
        let Some(source) = Source::of(self) else {
            return Ok(Vec::new());
        };
        let (questions, faults) = source.read(Some(game));
        Faults::of(faults, source.folder).map_or(Ok(questions), Err)
    }
}

/// The folder of a criterion, and what is in it.
pub(super) struct Source<'a> {
    pub(super) folder: &'a Path,
    content: Content,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Positions,
    Pairs,
    Inputs,
}

/// One question of which nothing has been read yet.
#[derive(Default)]
struct Files {
    inputs: Vec<PathBuf>,
    answers: Vec<PathBuf>,
}

impl<'a> Source<'a> {
    /// The folder of `kind`, if it has one.
    pub(super) fn of(kind: &'a CriterionKind) -> Option<Self> {
        let (folder, content) = match kind {
            CriterionKind::Games { .. } => return None,
            CriterionKind::SingleMoves { positions, .. } => (positions, Content::Positions),
            CriterionKind::Cases { cases, .. } => match cases {
                CaseSource::Folder(folder) => (folder, Content::Pairs),
                CaseSource::Solved(folder) => (folder, Content::Inputs),
            },
        };
        Some(Self { folder, content })
    }

    /// Everything that can be read, and everything that is wrong. Inputs are held against the rules of `game` where it is
    /// known.
    pub(super) fn read(&self, game: Option<GameId>) -> (Vec<QuestionText>, Vec<Fault>) {
        let (files, mut faults) = match self.files() {
            Ok(found) => found,
            Err(fault) => return (Vec::new(), vec![fault]),
        };
        if let Some(fault) = self.miscounted(files.len(), &faults) {
            faults.push(fault);
            return (Vec::new(), faults);
        }
        let mut questions = Vec::new();
        for (name, files) in &files {
            match self.question(name, files, game) {
                Ok(question) => questions.push(question),
                Err(found) => faults.extend(found),
            }
        }
        questions.sort_by(|a, b| natural_order(&a.name, &b.name));
        (questions, faults)
    }

    fn miscounted(&self, questions: usize, faults: &[Fault]) -> Option<Fault> {
        let folder = shown(self.folder);
        if questions == 0 && faults.is_empty() {
            let (what, names) = match self.content {
                Content::Positions => ("position", "`NAME.txt`"),
                Content::Pairs => ("case", "`NAME.input.txt` and `NAME.expected.txt`"),
                Content::Inputs => ("input", "`NAME.txt`"),
            };
            let message = format!("there is no {what} in {folder}");
            return Some(fault(
                self.folder,
                message,
                format!("put files in it that are called {names}"),
            ));
        }
        (questions > MOST_QUESTIONS).then(|| {
            let message = format!("there are {questions} questions in {folder}");
            fault(self.folder, message, format!("use {MOST_QUESTIONS} at most"))
        })
    }

    /// The files of each question by its name, and the files that are of none.
    fn files(&self) -> Result<(BTreeMap<String, Files>, Vec<Fault>), Fault> {
        let mut files: BTreeMap<String, Files> = BTreeMap::new();
        let mut faults = Vec::new();
        for (path, role, name) in self.named_files()? {
            match role {
                Some(_) if !naming::is_fit(&name) => {
                    let message = format!("{} makes no name for a question", shown(&path));
                    faults.push(fault(&path, message, "use letters, digits and `._-` for file names"));
                }
                Some(Role::Input) => files.entry(name).or_default().inputs.push(path),
                Some(Role::Answer) if self.content == Content::Pairs => {
                    files.entry(name).or_default().answers.push(path);
                }
                Some(Role::Answer) => {}
                None => {
                    let message = format!("{} is neither an input nor an answer", shown(&path));
                    let remedy = "call it `NAME.input.txt` or `NAME.expected.txt`, or give it another ending";
                    faults.push(fault(&path, message, remedy));
                }
            }
        }
        Ok((files, faults))
    }

    /// The text files of the folder, each with its role and the name of its question.
    fn named_files(&self) -> Result<Vec<(PathBuf, Option<Role>, String)>, Fault> {
        let mut found = Vec::new();
        for (path, name, is_folder) in list(self.folder)? {
            match (self.content, naming::role_of_folder(&name)) {
                (Content::Pairs | Content::Inputs, Some(role)) if is_folder => {
                    let inner = list(&path)?.into_iter().filter(|(_, _, is_folder)| !is_folder);
                    found.extend(inner.filter_map(|(path, name, _)| Some((path, Some(role), naming::stem(&name)?))));
                }
                _ if is_folder => {}
                (content, _) => {
                    let Some(stem) = naming::stem(&name) else { continue };
                    let case = naming::role_and_case(&stem).map(|(role, name)| (Some(role), name));
                    let (role, name) = match content {
                        Content::Positions => (Some(Role::Input), stem),
                        Content::Pairs => case.unwrap_or((None, stem)),
                        Content::Inputs => case.unwrap_or((Some(Role::Input), stem)),
                    };
                    found.push((path, role, name));
                }
            }
        }
        Ok(found)
    }

    fn question(&self, name: &str, files: &Files, game: Option<GameId>) -> Result<QuestionText, Vec<Fault>> {
        let wants_answer = self.content == Content::Pairs;
        let input = only(name, &files.inputs, "input", &files.answers)?;
        let answer = if wants_answer {
            Some(only(name, &files.answers, "answer", &files.inputs)?)
        } else {
            None
        };
        let text = read_text(input).map_err(|fault| vec![fault]);
        let text = text.and_then(|text| match game.and_then(|game| self.objection(input, &text, game)) {
            None => Ok(text),
            Some(fault) => Err(vec![fault]),
        });
        let expected = answer.map(read_answer).transpose();
        match (text, expected) {
            (Ok(text), Ok(expected)) => Ok(QuestionText {
                name: name.to_owned(),
                text,
                expected,
            }),
            (text, expected) => Err(text.err().into_iter().flatten().chain(expected.err()).collect()),
        }
    }

    /// Why `text` cannot be asked in `game`.
    fn objection(&self, path: &Path, text: &str, game: GameId) -> Option<Fault> {
        let remedy = format!("write an `input.txt` of {game}");
        let (at, message) = match game.visit(Asked { text: text.as_bytes() }) {
            Ok(Status::ToMove) => return None,
            Ok(Status::MustPass | Status::Over(_)) if self.content != Content::Positions => return None,
            Ok(Status::MustPass | Status::Over(_)) => {
                let message = "the side to move has no legal move";
                return Some(fault_at(
                    path,
                    text,
                    (1, None),
                    message.to_owned(),
                    "use another position".to_owned(),
                ));
            }
            Err(InputFault { line, column, message }) => ((line, column), message),
        };
        Some(fault_at(path, text, at, message, remedy))
    }
}

/// Reads an input and tells what there is to do.
struct Asked<'a> {
    text: &'a [u8],
}

impl GameVisitor for Asked<'_> {
    type Output = Result<Status, InputFault>;

    fn visit<P: Game>(self, rules: P::Rules) -> Self::Output {
        P::read_input(self.text, rules).map(|input| input.position.status())
    }
}

/// The one of `files`. `others` are the files of the same name on the other side.
fn only<'a>(name: &str, files: &'a [PathBuf], what: &str, others: &[PathBuf]) -> Result<&'a Path, Vec<Fault>> {
    match (files, others) {
        ([file], _) => Ok(file),
        ([], others) => {
            let other = others.first().map_or(Path::new(""), PathBuf::as_path);
            let message = format!("{} has no {what} of the same name", shown(other));
            Err(vec![fault(
                other,
                message,
                format!("add the {what}, or remove the file"),
            )])
        }
        ([first, second, ..], _) => {
            let message = format!("{} and {} are both the {what} of `{name}`", shown(first), shown(second));
            Err(vec![fault(second, message, "remove or rename one of them")])
        }
    }
}

/// The files and folders in `folder` that are not hidden, with their names, each with whether it is a folder.
fn list(folder: &Path) -> Result<Vec<(PathBuf, String, bool)>, Fault> {
    let unreadable = |error: std::io::Error| {
        let message = format!("cannot read the folder {}: {error}", shown(folder));
        fault(folder, message, "name a folder, relative to the assignment's own")
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            let is_folder = path.is_dir();
            found.push((path, name, is_folder));
        }
    }
    found.sort_by(|(_, a, _), (_, b, _)| match natural_order(a, b) {
        Ordering::Equal => a.cmp(b),
        order => order,
    });
    Ok(found)
}

fn read_text(path: &Path) -> Result<String, Fault> {
    let unreadable = |error: String| {
        let message = format!("cannot read {}: {error}", shown(path));
        fault(path, message, "put a text file there, or remove it")
    };
    // Opening a pipe would wait for somebody to write to it.
    if !path.is_file() {
        return Err(unreadable("it is no file".to_owned()));
    }
    let bytes = read_bounded(path, LARGEST_TEXT_BYTES).map_err(|error| unreadable(error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))
}

fn read_answer(path: &Path) -> Result<String, Fault> {
    let text = read_text(path)?;
    if text.trim().is_empty() {
        let message = format!("the answer {} is empty", shown(path));
        return Err(fault(path, message, "write the right `output.txt` into it"));
    }
    Ok(text)
}

fn shown(path: &Path) -> String {
    format!("`{}`", plain(&path.to_string_lossy()))
}

fn fault(file: &Path, message: String, remedy: impl Into<String>) -> Fault {
    Fault {
        file: file.to_owned(),
        place: None,
        message,
        remedy: remedy.into(),
    }
}

/// A fault in the line, from 1, and the column in bytes, from 1, of `text`.
fn fault_at(file: &Path, text: &str, at: (usize, Option<usize>), message: String, remedy: String) -> Fault {
    let (line, column) = at;
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let length = text[start..].lines().next().map_or(0, str::len);
    let stretch = column.map_or(start..start + length, |column| start + column - 1..start + column);
    Fault {
        file: file.to_owned(),
        place: Some(FaultPlace::of(text, stretch)),
        message,
        remedy,
    }
}
