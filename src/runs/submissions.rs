//! Takes in the submissions of a run. It builds nothing.

use std::path::{Path, PathBuf};

use super::error::{Remedy, RunFailure};
use super::progress::{OnProgress, Progress};
use referee_messages::plain;
use referee_submissions::agents::{ClassEntry, FileNames};
use referee_submissions::intake::{ClassIntake, import_class, import_submissions};

/// The submissions at `paths` and those in the folder or archive `folder`; programs are called by `names`. Archives are
/// unpacked below `scratch`. Of an assignment with parts, `part` is taken in. Students on the `roster` who have handed
/// in nothing are among them.
pub(super) fn import(
    (paths, folder): (&[PathBuf], Option<&Path>),
    (roster, part): (Option<&Path>, Option<&str>),
    names: &FileNames,
    scratch: &Path,
    on_progress: &OnProgress,
) -> Result<ClassIntake, RunFailure> {
    let mut class = match paths {
        [] => ClassIntake::default(),
        _ => import_submissions(paths, names, &scratch.join("submissions"))?,
    };
    if let Some(folder) = folder {
        class.add(import_class(folder, part, names, &scratch.join("unpacked"))?);
    }
    if let Some(roster) = roster {
        class.match_roster(roster)?;
    }
    class.name_members();
    on_progress(Progress::ClassRead(&class));
    Ok(class)
}

/// Refuses an output folder `out` among the submissions of a class: it would be one itself the next time.
pub(super) fn expect_elsewhere(out: &Path, entries: &[ClassEntry], class: Option<&Path>) -> Result<(), RunFailure> {
    let out = real(out);
    let folders = entries.iter().map(|entry| entry.path.as_path());
    let folders = folders.filter(|path| path.is_dir()).chain(class);
    match folders.map(real).find(|folder| out.starts_with(folder)) {
        None => Ok(()),
        Some(folder) => Err(RunFailure::request(format!(
            "the run directory would be in `{}`, among the submissions",
            plain(&folder.display().to_string())
        ))
        .with(Remedy::OtherFolder)),
    }
}

/// The path without links and dots, even if it does not exist yet.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let existing = path.ancestors().find_map(|part| Some((part, part.canonicalize().ok()?)));
    existing.map_or_else(
        || path.clone(),
        |(part, real)| path.strip_prefix(part).map_or(real.clone(), |rest| real.join(rest)),
    )
}
