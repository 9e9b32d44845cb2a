//! A trial of an archive: it is unpacked somewhere else, and has to work there with what it has alone.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use zip::ZipArchive;

use crate::cli::Failure;
use crate::cli::output::note;
use crate::runs::scratch_dir;
use referee_messages::plain;
use referee_seat::{Scratch, ScratchDir};
use referee_submissions::agents::FileNames;

/// The exit code of a command that this machine cannot carry out.
const NOT_HERE: i32 = 4;

/// The folder of the archive.
const UNPACKED: &str = "unpacked";

/// An archive that was packed, unpacked elsewhere.
pub(super) struct ArchiveTrial {
    scratch: ScratchDir,
}

impl ArchiveTrial {
    pub(super) fn unpack(zip: &[u8]) -> Result<Self, Failure> {
        let scratch = scratch_dir(Scratch::Other)?;
        let mut archive = ZipArchive::new(Cursor::new(zip)).map_err(cannot_try)?;
        archive.extract(scratch.path().join(UNPACKED)).map_err(cannot_try)?;
        Ok(Self { scratch })
    }

    /// A submission that ends at once and answers nothing: all rules, positions and opponents are read, and each game
    /// ends with its first turn.
    pub(super) fn silent_submission(&self, names: &FileNames) -> Result<PathBuf, Failure> {
        let (name, language) = names.first_program();
        let text = language.empty_program(&name);
        let sample = self.scratch.path().join("sample");
        let made = fs::create_dir(&sample).and_then(|()| fs::write(sample.join(name), text));
        made.map(|()| sample).map_err(cannot_try)
    }

    /// Runs `referee` with these words in the unpacked archive, and returns its exit code; one that is not `accepted`
    /// is a failure, of the machine where only that is to blame.
    pub(super) fn run(&self, words: &[&OsStr], accepted: &[i32]) -> Result<i32, Failure> {
        let unpacked = self.scratch.path().join(UNPACKED);
        let ran = Command::new(runnable(&unpacked)?)
            .args(words)
            .current_dir(&unpacked)
            .stdin(Stdio::null())
            .output()
            .map_err(cannot_try)?;
        let command = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
        let said = String::from_utf8_lossy(&ran.stderr);
        let said = said.lines().map(plain).collect::<Vec<_>>().join("\n");
        match ran.status.code() {
            Some(code) if accepted.contains(&code) => Ok(code),
            Some(NOT_HERE) => Err(Failure::Machine(format!(
                "the archive was not written, because this machine cannot try it with `referee {command}`:\n{said}"
            ))),
            Some(_) | None => Err(Failure::Input(format!(
                "the archive was not written, because it does not work: unpacked in another folder, `referee \
                 {command}` ended with {} and said:\n{said}",
                ran.status
            ))),
        }
    }

    /// A new folder for results.
    pub(super) fn results(&self) -> PathBuf {
        self.scratch.path().join("results")
    }
}

fn cannot_try(error: impl Display) -> Failure {
    Failure::Machine(format!("cannot try the archive: {error}"))
}

/// The program in the archive; the running one if it is for another kind of machine.
fn runnable(unpacked: &Path) -> Result<PathBuf, Failure> {
    let packed = unpacked.join("referee");
    let asked = Command::new(&packed).arg("--version").stdin(Stdio::null()).output();
    if asked.is_ok_and(|output| output.status.success()) {
        return Ok(packed);
    }
    note("the packed program does not run on this machine: the archive is tried with the running one");
    std::env::current_exe().map_err(|error| Failure::Machine(format!("cannot find the running program: {error}")))
}
