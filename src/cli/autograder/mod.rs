//! `referee autograder`: writes what a course uploads to a platform. `grade --as` grades there; this grades nothing.
//!
//! The archive has the binary, a script for the platform, and the assignment with everything that it refers to, at the
//! same places relative to each other.

mod archive_builder;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::grade::Platform;
use super::output::note;
use super::{CommandOutcome, Failure};
use crate::runs::load_grading;
use archive_builder::ArchiveBuilder;

/// Write the archive that makes a platform grade submissions by an assignment
///
/// Gradescope: upload the archive as the autograder of the assignment. Vocareum: unpack it into the scripts of the
/// assignment, `/voc/scripts`. The archive has this program, so run a statically linked one: it works whatever the
/// system of the platform.
#[derive(Debug, Args)]
pub(super) struct AutograderCommand {
    /// Platform
    #[arg(value_name = "PLATFORM", value_enum, hide_possible_values = true, help = "Platform: gradescope or vocareum")]
    platform: Platform,
    /// Assignment file; what it refers to is packed, too
    #[arg(value_name = "ASSIGNMENT")]
    assignment: PathBuf,
    /// Pack this `referee` instead of the running one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Output file [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Where the assignment is in the archive: apart from the scripts, whose names it might use itself.
const COURSE: &str = "course";

impl AutograderCommand {
    pub(super) fn run(&self) -> Result<CommandOutcome, Failure> {
        if self.out.is_none() && io::stdout().is_terminal() {
            return Err(Failure::Usage(
                "the archive would go to the terminal: redirect stdout, or name a file with `--out`".to_owned(),
            ));
        }
        load_grading(&self.assignment)?;
        let mut archive_builder = ArchiveBuilder::default();
        let assignment = archive_builder.add_assignment(&self.assignment, Path::new(COURSE))?;
        archive_builder.add_file("referee", &self.binary()?)?;
        for (name, text) in scripts(self.platform, &assignment) {
            archive_builder.add_script(name, text);
        }
        let archive = archive_builder.into_zip().map_err(|error| Failure::Bug(error.to_string()))?;
        self.write(&archive)?;
        Ok(CommandOutcome::Yes)
    }

    fn binary(&self) -> Result<PathBuf, Failure> {
        if let Some(path) = &self.binary {
            return Ok(path.clone());
        }
        if !cfg!(target_feature = "crt-static") {
            note(
                "referee: this program is not linked statically, so the platform needs the same C library as this \
                 machine, or a newer one: download a release, or name one with `--binary`",
            );
        }
        std::env::current_exe().map_err(|error| Failure::Machine(format!("cannot find the running program: {error}")))
    }

    fn write(&self, archive: &[u8]) -> Result<(), Failure> {
        let (name, written) = if let Some(path) = &self.out {
            (format!("`{}`", path.display()), fs::write(path, archive))
        } else {
            let mut stdout = io::stdout().lock();
            let written = stdout.write_all(archive).and_then(|()| stdout.flush());
            ("stdout".to_owned(), written)
        };
        written.map_err(|error| Failure::Write(format!("cannot write to {name}: {error}")))
    }
}

/// The scripts of `platform`, by name. `assignment` is the path in the archive.
fn scripts(platform: Platform, assignment: &str) -> Vec<(&'static str, String)> {
    let assignment = shlex::try_quote(assignment).unwrap_or(assignment.into());
    let naming = |script: &str| script.replace("ASSIGNMENT", &assignment);
    match platform {
        Platform::Gradescope => vec![
            ("setup.sh", include_str!("gradescope_setup.sh").to_owned()),
            ("run_autograder", naming(include_str!("gradescope_run.sh"))),
        ],
        Platform::Vocareum => vec![("grade.sh", naming(include_str!("vocareum_grade.sh")))],
    }
}
