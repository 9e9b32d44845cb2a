//! Assigns the files of a folder to questions. It reads no contents; its parent module does.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::naming::{self, CaseFile, natural_order};
use super::{fault, shown};
use crate::assignment::{AssignmentError, RightAnswers};

/// The files of one question.
#[derive(Default)]
pub(super) struct Files {
    pub(super) inputs: Vec<PathBuf>,
    pub(super) answers: Vec<PathBuf>,
}

/// The files of each question by name, and the files of no question.
pub(super) fn files_in(
    folder: &Path,
    right: RightAnswers,
) -> Result<(BTreeMap<String, Files>, Vec<AssignmentError>), AssignmentError> {
    let mut files: BTreeMap<String, Files> = BTreeMap::new();
    let mut faults = Vec::new();
    for (path, role, name) in named_files(folder, right)? {
        match role {
            Some(_) if !naming::is_fit(&name) => {
                let message = format!("{} is not a valid question name", shown(&path));
                faults.push(fault(&path, message, "use only letters, digits and `._-` in file names"));
            }
            Some(CaseFile::Input) => files.entry(name).or_default().inputs.push(path),
            Some(CaseFile::Answer) if right == RightAnswers::Files => {
                files.entry(name).or_default().answers.push(path);
            }
            Some(CaseFile::Answer) => {}
            None => {
                let message = format!("{} is neither an input nor an expected output", shown(&path));
                let remedy = "rename it to `NAME.input.txt` or `NAME.expected.txt`, or use another extension";
                faults.push(fault(&path, message, remedy));
            }
        }
    }
    Ok((files, faults))
}

/// The text files of the folder, each with its role and the name of its question.
fn named_files(
    folder: &Path,
    right: RightAnswers,
) -> Result<Vec<(PathBuf, Option<CaseFile>, String)>, AssignmentError> {
    let mut found = Vec::new();
    for (path, name, is_folder) in list(folder)? {
        match (right, naming::role_of_folder(&name)) {
            (RightAnswers::Files | RightAnswers::Solver, Some(role)) if is_folder => {
                let inner = list(&path)?.into_iter().filter(|(_, _, is_folder)| !is_folder);
                found.extend(inner.filter_map(|(path, name, _)| Some((path, Some(role), naming::stem(&name)?))));
            }
            _ if is_folder => {}
            _ => {
                let Some(stem) = naming::stem(&name) else { continue };
                let case = naming::role_and_case(&stem).map(|(role, name)| (Some(role), name));
                let (role, name) = match right {
                    RightAnswers::LegalMoves => (Some(CaseFile::Input), stem),
                    RightAnswers::Files => case.unwrap_or((None, stem)),
                    RightAnswers::Solver => case.unwrap_or((Some(CaseFile::Input), stem)),
                };
                found.push((path, role, name));
            }
        }
    }
    Ok(found)
}

/// The only one of `files`. `others` are the files of the same name on the other side.
pub(super) fn only<'a>(
    name: &str,
    files: &'a [PathBuf],
    what: &str,
    others: &[PathBuf],
) -> Result<&'a Path, Vec<AssignmentError>> {
    match (files, others) {
        ([file], _) => Ok(file),
        ([], others) => {
            let other = others.first().expect("a question has a name because a file has");
            let message = format!("{} has no {what} of the same name", shown(other));
            Err(vec![fault(other, message, format!("add the {what}, or remove the file"))])
        }
        ([first, second, ..], _) => {
            let message = format!("{} and {} are both the {what} of `{name}`", shown(first), shown(second));
            Err(vec![fault(second, message, "remove or rename one of them")])
        }
    }
}

/// The visible files and folders in `folder`, with their names and whether each is a folder.
fn list(folder: &Path) -> Result<Vec<(PathBuf, String, bool)>, AssignmentError> {
    let unreadable = |error: std::io::Error| {
        let message = format!("cannot read directory {}: {error}", shown(folder));
        fault(folder, message, "name a directory, relative to the assignment file")
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
    found.sort_by(|(_, a, _), (_, b, _)| natural_order(a, b));
    Ok(found)
}
