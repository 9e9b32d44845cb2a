//! Writes a page for each student, and the list of them. `gradebook` and `grade` call it.

use std::path::Path;

use super::Failure;
use referee_course::grading::Gradebook;
use referee_course::grading::exports::student_pages;
use referee_messages::{counted, plain};
use referee_records::{read_bounded_text, write_files};

/// The file of the run that names of pages depend on, so that they stay the same when pages are written again.
const SECRET: &str = ".pages-secret";

/// The list of the pages, which stays with the run.
const INDEX: &str = "pages.csv";

/// Writes the pages to `folder`, and their list to the directory `run`; returns what to say about it.
pub(super) fn write_pages(gradebook: &Gradebook, run: &Path, folder: &Path) -> Result<String, Failure> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real(run).starts_with(real(folder)) {
        return Err(Failure::Usage(format!(
            "`--pages {}` would publish the run directory inside it: choose another directory",
            plain(&folder.display().to_string())
        )));
    }
    let secret = secret(run)?;
    let written = student_pages(gradebook, secret.as_bytes());
    let pages = written.pages.iter();
    write_files(folder, pages.map(|page| (page.path.as_str(), page.text.as_str())))
        .map_err(|error| Failure::or_write_elsewhere(error, "choose another directory with `--pages`"))?;
    write_files(run, [(INDEX, written.index.as_str())])?;
    Ok(format!(
        "pages: {} in {}, listed in {}\n",
        counted(written.pages.len(), "page"),
        plain(&folder.display().to_string()),
        plain(&run.join(INDEX).display().to_string())
    ))
}

/// The secret of the run, made the first time.
fn secret(run: &Path) -> Result<String, Failure> {
    if let Ok(kept) = read_bounded_text(&run.join(SECRET), 32)
        && kept.len() == 32
    {
        return Ok(kept);
    }
    let secret = format!("{:032x}", rand::random::<u128>());
    write_files(run, [(SECRET, secret.as_str())])?;
    Ok(secret)
}
