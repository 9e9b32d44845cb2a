//! The end of `cargo test`: a list of what was skipped and what to install, and how to run the longer tests.
//!
//! No test: a program without libtest, which Cargo runs after all other test programs because of its name.

mod skips;

use std::process::ExitCode;

use nix::sys::signal::killpg;
use nix::unistd::Pid;

fn main() -> ExitCode {
    let asked_for: Vec<String> = std::env::args().skip(1).collect();
    if asked_for.iter().any(|word| word == "--list") {
        return ExitCode::SUCCESS;
    }
    let notes = skips::notes(skips::own_group());
    print!("{}", skips::list(&std::fs::read_to_string(&notes).unwrap_or_default()));
    print!("{}", skips::longer_tests(&asked_for));
    forget(&notes);
    ExitCode::SUCCESS
}

/// Removes `notes`, and those of groups that are gone: of test programs that were run without this one after them.
fn forget(notes: &std::path::Path) {
    drop(std::fs::remove_file(notes));
    let files = notes.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    for path in files.into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let group = name.strip_prefix("skipped-").and_then(|name| name.strip_suffix(".txt"));
        let group = group.and_then(|group| group.parse().ok());
        if group.is_some_and(|group| killpg(Pid::from_raw(group), None).is_err()) {
            drop(std::fs::remove_file(path));
        }
    }
}
