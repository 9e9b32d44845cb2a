//! The paths of a run and of the program, checked for use in job scripts. It writes nothing; `script` and the commands
//! of `cli/slurm` use it.

use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::shell::shell_word;
use referee_messages::plain;

/// The maximum length of the folder's name in a job's name.
const LONGEST_NAME: usize = 32;

/// The folder of a run and the program: absolute, and the same on every node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLocation {
    run: String,
    program: String,
}

/// A path that cannot be in a job script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the path `{}` {why}: rename it", plain(path))]
pub struct LocationError {
    path: String,
    why: &'static str,
}

impl RunLocation {
    /// Checks two absolute paths: the run's folder, and the program.
    ///
    /// # Errors
    ///
    /// [`LocationError`].
    pub fn new(run: &Path, program: &Path) -> Result<Self, LocationError> {
        Ok(Self { run: text(run)?, program: text(program)? })
    }

    /// The folder of the run.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// The folder of the run, quoted for a shell and safe on a terminal.
    pub fn run_word(&self) -> String {
        plain(&shell_word(&self.run))
    }

    /// The program.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// A path below the run's `slurm/`.
    pub fn below(&self, name: &str) -> PathBuf {
        Path::new(&self.run).join("slurm").join(name)
    }

    /// The name of the run's arrays in the queue: the name of its folder, for people, and a digest of its whole path,
    /// so that no two runs share a name.
    pub fn array_name(&self) -> String {
        let folder = Path::new(&self.run).file_name().map(|name| name.to_string_lossy().into_owned());
        let folder: String = folder
            .unwrap_or_default()
            .chars()
            .map(|character| if character.is_ascii_alphanumeric() { character } else { '-' })
            .take(LONGEST_NAME)
            .collect();
        let digest = Sha256::digest(self.run.as_bytes());
        let digest = u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]);
        format!("referee-{folder}-{digest:08x}")
    }

    /// The name of the jobs that plan the next round.
    pub fn next_name(&self) -> String {
        self.array_name() + "-next"
    }
}

fn text(path: &Path) -> Result<String, LocationError> {
    let refused = |why| LocationError { path: path.to_string_lossy().into_owned(), why };
    let text = path.to_str().ok_or_else(|| refused("is not UTF-8, as job scripts must be"))?;
    if text.chars().any(char::is_control) {
        return Err(refused("contains a control character, which job scripts cannot contain"));
    }
    if text.contains('\\') {
        return Err(refused("contains a backslash, which Slurm interprets in file names"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn location(run: &str) -> Result<RunLocation, LocationError> {
        RunLocation::new(Path::new(run), Path::new("/bin/referee"))
    }

    #[test]
    fn a_name_is_made_of_letters_digits_and_hyphens() {
        let location = location("/home/ada/it's 100 % \u{e9}").unwrap();
        assert_eq!(location.array_name(), "referee-it-s-100-----6efc2fc0");
        assert_eq!(location.next_name(), location.array_name() + "-next");
    }

    #[test]
    fn runs_of_one_folder_name_have_names_of_their_own() {
        let [one, other] = ["/a/run", "/b/run"].map(|run| location(run).unwrap().array_name());
        assert_ne!(one, other);
    }

    #[test]
    fn what_a_script_cannot_hold_is_refused() {
        for (run, refused) in [
            (&b"/a\nb"[..], r"`/a\nb` contains a control character, which job scripts cannot contain"),
            (b"/a\\b", r"`/a\b` contains a backslash, which Slurm interprets in file names"),
            (b"/\xff", "`/\u{fffd}` is not UTF-8, as job scripts must be"),
        ] {
            let run = Path::new(OsStr::from_bytes(run));
            let error = RunLocation::new(run, Path::new("/bin/referee")).unwrap_err().to_string();
            assert_eq!(error, format!("the path {refused}: rename it"));
        }
    }
}
