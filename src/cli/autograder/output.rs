//! The options of commands that pack an archive, and the archive's way to its file.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;

use crate::cli::Failure;
use crate::cli::output::note;

/// What to pack, and where to.
#[derive(Debug, Args)]
pub(super) struct ArchiveOutput {
    /// Pack this `referee` instead of the running one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Output file [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl ArchiveOutput {
    /// Refuses a terminal.
    pub(super) fn expect_place(&self) -> Result<(), Failure> {
        if self.out.is_none() && io::stdout().is_terminal() {
            return Err(Failure::Usage(
                "the archive would go to the terminal: redirect stdout, or name a file with `--out`".to_owned(),
            ));
        }
        Ok(())
    }

    /// The program to pack.
    pub(super) fn binary(&self) -> Result<PathBuf, Failure> {
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

    /// Writes the archive.
    pub(super) fn write(&self, archive: &[u8]) -> Result<(), Failure> {
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
