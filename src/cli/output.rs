//! Prints the output of commands: for programs, for people, notes, and failures. All commands print through it. It also
//! checks that a folder for output is free.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use super::Failure;
use crate::console::{Stream, Terminal};
use referee_games::KnownGames;
use referee_messages::OutputStyle;

/// The output of a command that only asks rules. It prints nothing more once a rules program has failed: what follows
/// from its answers is false.
#[derive(Clone, Copy, Debug)]
pub(super) struct SoundOutput<'a> {
    /// The games of the command.
    pub(super) games: &'a KnownGames,
}

impl SoundOutput<'_> {
    /// Fails if an answer must not be printed any more.
    pub(super) fn expect_sound_rules(self) -> Result<(), Failure> {
        self.games.first_fault().map_or(Ok(()), |fault| Err(Failure::Input(fault)))
    }

    /// Like [`print()`].
    pub(super) fn print(self, text: &str) -> Result<(), Failure> {
        self.expect_sound_rules()?;
        print(text)
    }

    /// Like [`print_json`].
    pub(super) fn print_json(self, value: &impl Serialize) -> Result<(), Failure> {
        self.expect_sound_rules()?;
        print_json(value)
    }

    /// Like [`say`].
    pub(super) fn say(self, text: &str) -> Result<(), Failure> {
        self.expect_sound_rules()?;
        say(text)
    }

    /// Like [`note`].
    pub(super) fn note(self, text: &str) {
        if self.expect_sound_rules().is_ok() {
            note(text);
        }
    }
}

/// Prints `text` for programs: unchanged, except for characters that a terminal lacks. With a closed pipe (`| head`)
/// the command continues, because its exit code is still read.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let look = Terminal::of(Stream::Stdout).look();
    let mut output = io::stdout().lock();
    match output.write_all(look.spell(text).as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Write(format!("cannot write to stdout: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints `value` as a line of JSON.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&json_line(value)?)
}

/// `value` as a line of JSON.
pub(super) fn json_line(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(value).map_err(|error| Failure::Bug(error.to_string()))?;
    Ok(text + "\n")
}

/// Prints `text` for people: fitted to the width of a terminal.
pub(super) fn say(text: &str) -> Result<(), Failure> {
    print(&fitted(text, Terminal::of(Stream::Stdout).look()))
}

/// Prints a note or a complaint on standard error. If that fails, it is dropped.
pub(super) fn note(text: &str) {
    let text = fitted(text, Terminal::of(Stream::Stderr).look());
    drop(writeln!(io::stderr(), "{}", text.trim_end_matches('\n')));
}

/// Fails if there is something in the folder that `option` names.
pub(super) fn expect_free_folder(option: &str, folder: &Path) -> Result<(), Failure> {
    let found = match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => return Ok(()),
        Ok(false) => "the directory is not empty: choose a new one, no files are overwritten".to_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => error.to_string(),
    };
    Err(Failure::Usage(format!("`{option} {}`: {found}", folder.display())))
}

impl Failure {
    /// Prints the message; returns the exit code.
    pub(super) fn report(self) -> ExitCode {
        let (status, message) = match self {
            Self::SetAside(message) => (1, message),
            Self::Usage(message) => (2, message),
            Self::Input(message) => (3, message),
            Self::Machine(message) => (4, message),
            Self::Write(message) => (5, message),
            Self::Bug(message) => (70, message),
            Self::ReaderGone => return ExitCode::SUCCESS,
            Self::Stopped(message) => (75, message),
            Self::Interrupted(message) => (130, message),
        };
        note(&format!("referee: {message}"));
        ExitCode::from(status)
    }
}

fn fitted(text: &str, look: OutputStyle) -> String {
    text.lines().flat_map(|line| look.fit(line)).map(|line| line + "\n").collect()
}
