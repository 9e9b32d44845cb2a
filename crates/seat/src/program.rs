//! The program that a seat runs, and how it is asked: plain data. It starts nothing.

use std::ffi::OsString;
use std::path::PathBuf;

/// A program that can be run any number of times.
///
/// ```
/// use referee_seat::Program;
///
/// // Started as it is in its own folder: `python3 homework.py`.
/// let program = Program {
///     command: vec!["/usr/bin/python3".into(), "homework.py".into()],
///     template: Some("/tmp/builds/ada".into()),
///     ..Program::default()
/// };
/// assert_eq!(program.folder, None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The absolute path of the executable, and its arguments. Relative paths among these are relative to the working
    /// directory.
    pub command: Vec<OsString>,
    /// The program's own name (`argv[0]`); `None` for the path of the executable.
    pub arg0: Option<OsString>,
    /// A folder outside the working directory that the program may read.
    pub folder: Option<PathBuf>,
    /// The folder with the submission. Its regular files and subfolders are in the working directory at the start of
    /// every run; a run never changes the originals. Files called `input.txt`, `output.txt` or `playdata.txt` are left
    /// out.
    pub template: Option<PathBuf>,
    /// Other executables that the program starts, by their absolute paths: what belongs to them can be read, too.
    pub tools: Vec<PathBuf>,
    /// Whether the program is told more of a position than its `input.txt` has; see
    /// [`Seat::reads_position`](super::Seat::reads_position).
    pub reads_position: bool,
}

/// How a program is asked for a move, and answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = not_a_protocol)]
pub enum Protocol {
    /// A process for each move: it reads `input.txt`, writes `output.txt` and ends.
    #[default]
    Files,
    /// A process for the whole game: for each move it reads the text of an `input.txt` and an empty line from standard
    /// input, and writes that of an `output.txt` and an empty line to standard output. The end of its input ends it.
    Stdio,
}

fn not_a_protocol(_word: &str) -> String {
    "expected `files` or `stdio`".to_owned()
}

/// Which files of the working directory persist from one run of a seat to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Persistence {
    /// `playdata.txt` alone; the template's files are restored (RULES.md, section 1).
    #[default]
    Playdata,
    /// Everything except `input.txt` and `output.txt` (RULES.md, section 8).
    /// [`SeatOptions::calibration`](super::SeatOptions::calibration) is restored.
    Everything,
}

/// The kind of CPU time that a clock charges (RULES.md, section 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Charge {
    /// User and system time.
    #[default]
    Cpu,
    /// User time alone.
    User,
}

impl Charge {
    /// The other kind.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Cpu => Self::User,
            Self::User => Self::Cpu,
        }
    }
}
