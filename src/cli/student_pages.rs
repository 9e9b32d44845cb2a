//! Writes a page for each student, and the list of them. `gradebook` and `grade` call it.

use std::fs;
use std::path::Path;

use super::Failure;
use referee_course::grading::Gradebook;
use referee_course::grading::exports::{is_page_file_name, student_pages};
use referee_messages::{counted, plain};
use referee_records::{read_bounded_text, remove_file, write_files};

/// The file of the run that names of pages depend on, so that they stay the same when pages are written again.
const SECRET: &str = ".pages-secret";

/// The list of the pages, which stays with the run.
const INDEX: &str = "pages.csv";

/// Writes the pages to `folder`, and their list to the directory `run`; returns what to say about it.
pub(super) fn write_pages(gradebook: &Gradebook, run: &Path, folder: &Path) -> Result<String, Failure> {
    expect_outside(run, folder)?;
    let secret = secret(run)?;
    let written = student_pages(gradebook, secret.as_bytes());
    // Who is no longer in the gradebook must not stay published.
    let earlier = fs::read_to_string(run.join(INDEX)).unwrap_or_default();
    for page in earlier.split(',').filter(|cell| is_page_file_name(cell) && !written.index.contains(cell)) {
        remove_file(&folder.join(page))?;
    }
    let pages = written.pages.iter();
    write_files(folder, pages.map(|page| (page.path.as_str(), page.text.as_str())))
        .map_err(|error| Failure::or_write_elsewhere(error, "choose another directory with `--pages`"))?;
    list_pages(&written.index, written.pages.len(), run, folder)
}

/// Fails if `folder`, where pages are written, contains the directory `run`.
pub(super) fn expect_outside(run: &Path, folder: &Path) -> Result<(), Failure> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real(run).starts_with(real(folder)) {
        return Err(Failure::Usage(format!(
            "pages in `{}` would publish the run directory inside it: choose another directory",
            plain(&folder.display().to_string())
        )));
    }
    Ok(())
}

/// Writes the list `index` of `count` pages in `folder` to the directory `run`; returns what to say about it.
pub(super) fn list_pages(index: &str, count: usize, run: &Path, folder: &Path) -> Result<String, Failure> {
    write_files(run, [(INDEX, index)])?;
    Ok(format!(
        "pages: {} in {}, listed in {}\n",
        counted(count, "page"),
        plain(&folder.display().to_string()),
        plain(&run.join(INDEX).display().to_string())
    ))
}

/// The secret of the run, made the first time.
pub(super) fn secret(run: &Path) -> Result<String, Failure> {
    if let Ok(kept) = read_bounded_text(&run.join(SECRET), 32)
        && kept.len() == 32
    {
        return Ok(kept);
    }
    let secret = format!("{:032x}", rand::random::<u128>());
    write_files(run, [(SECRET, secret.as_str())])?;
    Ok(secret)
}
