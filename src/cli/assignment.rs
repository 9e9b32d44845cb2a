//! Reads the assignment of a course for `check`, `play` and `serve --play`, by which students try their programs: they
//! have the file, but not the positions of the grading that it names.

use std::path::{Path, PathBuf};

use super::Failure;
use super::game::read;
use referee_course::assignment::Assignment;
use referee_games::KnownGames;

/// The assignment, and the folder that its paths are relative to.
pub(super) fn read_assignment(path: &Path, games: &KnownGames) -> Result<(Assignment, PathBuf), Failure> {
    let text =
        String::from_utf8(read(path)?).map_err(|_| Failure::input(path, "expected UTF-8: save the file as UTF-8"))?;
    let assignment = Assignment::parse(&text, path, games).map_err(|faults| Failure::Input(faults.to_string()))?;
    Ok((assignment, path.parent().unwrap_or(Path::new("")).to_owned()))
}

/// The assignment for games at home: its provided files are named from the current directory.
pub(super) fn read_for_play(path: &Path, games: &KnownGames) -> Result<Assignment, Failure> {
    let (mut assignment, folder) = read_assignment(path, games)?;
    if let Some(provided) = &mut assignment.submission.provide {
        *provided = folder.join(&*provided);
    }
    Ok(assignment)
}
