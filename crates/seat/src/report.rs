//! The request for a run and its result: plain data that travels between processes and into records. It contains no
//! logic of a run. The whole program from `seat` to `messages` reads it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::meter::Discrepancy;
use referee_time::{CpuTime, WallTime};

/// A request for one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRequest {
    /// The purpose of the run.
    pub task: Task,
    /// The CPU time after which the program is killed: its clock plus the grace period.
    pub kill_after: CpuTime,
    /// How long it may wait before it is killed: wall-clock time in which nothing of it was ready to run.
    pub wall_limit: WallTime,
}

/// The limit of a run that no clock is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PreparationLimit {
    /// The CPU time of its whole process tree.
    pub cpu: CpuTime,
    /// How long it may wait: wall-clock time in which nothing of it is ready to run.
    pub waiting: WallTime,
}

impl PreparationLimit {
    /// That much CPU time, and as long a wait as a move with as much time left by default.
    pub const fn of_cpu_time(cpu: CpuTime) -> Self {
        Self { cpu, waiting: WallTime::from_micros(cpu.saturating_mul(3).micros().saturating_add(10_000_000)) }
    }
}

/// The purpose of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// Answer an `input.txt` with an `output.txt`.
    Move {
        /// The whole `input.txt`.
        input: String,
    },
    /// Write a `calibration.txt`; there is no `input.txt`.
    Calibrate,
}

/// The result of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// How the program ended.
    pub ended: Termination,
    /// The usage of its whole process tree, from which a clock is charged.
    pub usage: Usage,
    /// Set if the meter and the account of reaped processes disagree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discrepancy: Option<Discrepancy>,
    /// Time that the meter has seen beyond the charge: unreaped processes may have used it, or a hypervisor may have
    /// taken it. It is not charged; a result that depends on it is a close call.
    #[serde(default, rename = "in_doubt_cpu_us", skip_serializing_if = "is_default")]
    pub in_doubt: CpuTime,
    /// How long it was ready and waited for a processor while the machine ran other programs; a lower bound.
    #[serde(default, rename = "delayed_us", skip_serializing_if = "is_default")]
    pub delayed: WallTime,
    /// The part of `usage` that a living program used after its last answer and before this question, although it was
    /// frozen as soon as it had answered.
    #[serde(default, rename = "between_turns_cpu_us", skip_serializing_if = "is_default")]
    pub between_turns: CpuTime,
    /// What a living program used before its first question, up to [`SeatOptions::startup`](super::SeatOptions);
    /// not part of `usage`.
    #[serde(default, rename = "startup_cpu_us", skip_serializing_if = "is_default")]
    pub startup: CpuTime,
    /// Its `output.txt` or its answer on standard output; or `calibration.txt` if that was the task.
    pub output: OutputFile,
    /// The names of other files that it left and that were removed. `playdata.txt` is among them only if it may not
    /// persist: not a regular file, with a second link, or above 16 MiB. At most ten, lossy, each cut at 80 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// How many processes were alive when the program exited, and were killed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub survivors: u32,
    /// The end of its standard error, lossy, at most 2 KiB.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

impl Run {
    /// A run that returned normally with the answer `output`.
    pub fn wrote(output: Vec<u8>, usage: Usage) -> Self {
        let run = Self::not_begun(Termination::Exited { status: 0 });
        Self { usage, output: OutputFile::Content { bytes: Bytes(output) }, ..run }
    }

    /// A turn of a living program without remarks.
    pub(super) fn of_turn(ended: Termination, usage: Usage, output: OutputFile) -> Self {
        Self { usage, output, ..Self::not_begun(ended) }
    }

    /// The report to every question after this one, at which the program ended: it answers no more.
    pub(super) fn repeated(&self) -> Self {
        let nothing = OutputFile::Unfinished { bytes: Bytes::default(), after_input: Bytes::default() };
        Self { stderr: self.stderr.clone(), ..Self::of_turn(self.ended.clone(), Usage::default(), nothing) }
    }

    /// A run without a process.
    pub(super) fn not_begun(ended: Termination) -> Self {
        Self {
            ended,
            usage: Usage::default(),
            discrepancy: None,
            in_doubt: CpuTime::ZERO,
            delayed: WallTime::ZERO,
            between_turns: CpuTime::ZERO,
            startup: CpuTime::ZERO,
            output: OutputFile::Missing { lookalike: None },
            removed: Vec::new(),
            survivors: 0,
            stderr: String::new(),
        }
    }
}

/// Whether a value need not be written, because it is read where there is none.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// How a program's run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "how")]
pub enum Termination {
    /// It has not ended: it answered, and lives on until its next turn ([`Protocol::Stdio`](super::Protocol)). Or it
    /// closed its standard output and was killed.
    Answered,
    /// It returned with this exit code.
    Exited {
        /// 0 to 255.
        status: u8,
    },
    /// A signal ended it that the seat did not send.
    Signalled {
        /// The number of the signal on this system.
        signal: i32,
        /// Its name, such as `SIGSEGV`.
        name: String,
    },
    /// The seat killed it because its CPU time exceeded the request's `kill_after`.
    OutOfCpu,
    /// The seat killed it because it waited for the request's `wall_limit`.
    Guarded,
    /// It exceeded one of the seat's [`Limits`](super::Limits), and was killed if still running.
    Exceeded {
        /// The limit and what was used.
        limit: Exceeded,
    },
    /// It could not be started: the executable is missing, not executable, or has no interpreter.
    NotStarted {
        /// What the system said.
        error: String,
    },
}

impl Termination {
    /// Whether the program was killed for its time, while it was still running: how much more time it would have needed
    /// is unknown.
    pub const fn is_timeout(&self) -> bool {
        match self {
            Self::OutOfCpu | Self::Guarded => true,
            Self::Answered
            | Self::Exited { .. }
            | Self::Signalled { .. }
            | Self::Exceeded { .. }
            | Self::NotStarted { .. } => false,
        }
    }

    /// The limit for which the program was killed.
    pub const fn exceeded(&self) -> Option<Exceeded> {
        match self {
            Self::Exceeded { limit } => Some(*limit),
            Self::Answered
            | Self::Exited { .. }
            | Self::Signalled { .. }
            | Self::OutOfCpu
            | Self::Guarded
            | Self::NotStarted { .. } => None,
        }
    }
}

/// The result of one run of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// How it ended: [`Termination::Guarded`] or [`Termination::OutOfCpu`] if it took too long.
    pub ended: Termination,
    /// The CPU time that it used.
    pub used: CpuTime,
    /// The start of its standard output and standard error, lossily decoded, at most 64 KiB.
    pub said: String,
}

/// A limit that a program exceeded: one of the [`Limits`](super::Limits), and the usage found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "resource")]
pub enum Exceeded {
    /// Resident memory of the whole tree.
    Memory {
        /// The usage found.
        used_bytes: u64,
        /// The limit.
        limit_bytes: u64,
    },
    /// Concurrent processes and threads.
    Processes {
        /// The number found, or a lower bound: counting stops at the limit.
        used: u32,
        /// The limit.
        limit: u32,
    },
    /// The size of one file.
    FileSize {
        /// The limit.
        limit_bytes: u64,
    },
    /// The size of an answer on standard output.
    AnswerSize {
        /// The limit.
        limit_bytes: u64,
    },
    /// The size of all files in the working directory.
    DirectorySize {
        /// The size found.
        used_bytes: u64,
        /// The limit.
        limit_bytes: u64,
    },
    /// The number of files in the working directory, directories included.
    DirectoryFiles {
        /// The number found, or a lower bound; [`u64::MAX`] if folders are nested too deeply to be counted.
        used: u64,
        /// The limit.
        limit: u64,
    },
}

impl Exceeded {
    /// The exceeded limit, as in `more than 1024 MiB of memory`.
    pub fn limit_in_words(self) -> String {
        match self {
            Self::Memory { limit_bytes, .. } => format!("{} MiB of memory", limit_bytes >> 20),
            Self::Processes { limit, .. } => format!("{limit} processes and threads"),
            Self::FileSize { limit_bytes } => format!("{} MiB in one file", limit_bytes >> 20),
            Self::AnswerSize { limit_bytes } => format!("{} KiB in one answer", limit_bytes >> 10),
            Self::DirectorySize { limit_bytes, .. } => format!("{} MiB of files", limit_bytes >> 20),
            Self::DirectoryFiles { limit, .. } => format!("{limit} files"),
        }
    }
}

/// The usage of a process tree in one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// CPU time in user mode.
    #[serde(rename = "cpu_user_us")]
    pub user: CpuTime,
    /// CPU time in the kernel.
    #[serde(rename = "cpu_system_us")]
    pub system: CpuTime,
    /// From start to end.
    #[serde(rename = "wall_us")]
    pub wall: WallTime,
    /// The largest resident set of any single process.
    pub peak_rss_bytes: u64,
}

/// The state of the file, or of the answer on standard output, that the program was to write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum OutputFile {
    /// There is none.
    Missing {
        /// A file whose name differs only in letter case, lossy.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lookalike: Option<String>,
    },
    /// A link, a directory, a FIFO, a socket or a device.
    NotAFile {
        /// In words: `a symbolic link`, `a directory`.
        found: String,
    },
    /// A file larger than [`Limits::output_bytes`](super::Limits), or than 1 MiB for a `calibration.txt`.
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// A file that could not be read.
    Unreadable {
        /// What the system said.
        error: String,
    },
    /// On standard output: no empty line came after it, and the program lives on or was killed. A program that ends
    /// has finished its answer ([`Self::Content`]), unless that is blank.
    Unfinished {
        /// What it wrote, at most [`Limits::output_bytes`](super::Limits); perhaps nothing.
        bytes: Bytes,
        /// What it wrote when the end of its input followed, within a second: the answer of a program that reads all of
        /// its input first, or does not flush its output.
        after_input: Bytes,
    },
    /// On standard output: this came before the question. The program was not asked.
    Unasked {
        /// What it wrote, at most [`Limits::output_bytes`](super::Limits).
        bytes: Bytes,
    },
    /// A regular file, whole; or a finished answer on standard output, up to the empty line.
    Content {
        /// Every byte of it.
        bytes: Bytes,
    },
}

impl OutputFile {
    /// Its bytes, if it is whole.
    pub fn content(&self) -> Option<&[u8]> {
        match self {
            Self::Content { bytes } => Some(&bytes.0),
            Self::Missing { .. }
            | Self::NotAFile { .. }
            | Self::TooLarge { .. }
            | Self::Unreadable { .. }
            | Self::Unfinished { .. }
            | Self::Unasked { .. } => None,
        }
    }
}

/// Arbitrary bytes, stored without loss. In JSON a string if they are UTF-8, else `{"hex": "…"}`; also the latter if a
/// string would need more than two characters per byte.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bytes(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenBytes {
    Text(String),
    Raw { hex: Hex },
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match str::from_utf8(&self.0) {
            Ok(text) if is_short_in_json(text) => serializer.serialize_str(text),
            Ok(_) | Err(_) => WrittenBytes::Raw { hex: Hex(self.0.clone()) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match WrittenBytes::deserialize(deserializer)? {
            WrittenBytes::Text(text) => Self(text.into_bytes()),
            WrittenBytes::Raw { hex: Hex(bytes) } => Self(bytes),
        })
    }
}

/// Whether the JSON string for `text` has at most two characters per byte: control characters have six.
fn is_short_in_json(text: &str) -> bool {
    let further = |byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 1,
        0..=0x1f => 5,
        _ => 0,
    };
    text.bytes().map(further).sum::<usize>() <= text.len()
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct Hex(Vec<u8>);

impl From<Hex> for String {
    fn from(Hex(bytes): Hex) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
        bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}

impl TryFrom<String> for Hex {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const NOT_HEX: &str = "expected pairs of hexadecimal digits";
        let pairs = text.as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok().filter(|_| pair.len() == 2);
        pairs.map(|pair| byte(pair).ok_or(NOT_HEX)).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_survive_json(bytes: Vec<u8>) {
            let bytes = Bytes(bytes);
            let json = serde_json::to_string(&bytes).unwrap();
            prop_assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap(), bytes);
        }
    }

    proptest! {
        #[test]
        fn no_byte_takes_more_than_two_characters(bytes in "(\\PC|[\u{0}-\u{20}]|\"){0,40}") {
            let json = serde_json::to_string(&Bytes(bytes.clone().into_bytes())).unwrap();
            prop_assert!(json.len() <= 2 * bytes.len() + r#"{"hex":""}"#.len(), "{json}");
            prop_assert_eq!(serde_json::from_str::<Bytes>(&json).unwrap().0, bytes.into_bytes());
        }
    }

    #[test]
    fn text_stays_legible_and_the_rest_is_hex() {
        assert_eq!(serde_json::to_string(&Bytes(b"E c3 b4\n".to_vec())).unwrap(), r#""E c3 b4\n""#);
        assert_eq!(serde_json::to_string(&Bytes(vec![0xff, 0x0a])).unwrap(), r#"{"hex":"ff0a"}"#);
    }
}
