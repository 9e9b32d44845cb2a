//! What is asked of a seat, and what it tells of a run. Plain data: it travels between the processes and into records.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::meter::Discrepancy;
use crate::time::{CpuTime, WallTime};

/// One run that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRequest {
    /// What the program is run for.
    pub task: Task,
    /// The CPU time after which the program is killed: what its clock has left, and the grace on top.
    #[serde(rename = "kill_after_cpu_us")]
    pub kill_after: CpuTime,
    /// The wall time after which it is killed.
    #[serde(rename = "guard_wall_us")]
    pub wall_limit: WallTime,
}

/// What a program is run for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "task")]
pub enum Task {
    /// To answer an `input.txt` with an `output.txt`.
    Move {
        /// The whole `input.txt`.
        input: String,
    },
    /// To write a `calibration.txt`; there is no `input.txt`.
    Calibrate,
}

/// What came of one run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// How the program ended.
    pub ended: Termination,
    /// What its whole process tree used: what a clock is charged with.
    pub usage: Usage,
    /// Where the meter in force and the account of the processes that were waited for tell different stories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discrepancy: Option<Discrepancy>,
    /// What the meter has seen beyond what was charged: processes that nobody waited for may have used it, or a
    /// hypervisor may have taken it away. It is not charged; a result that hangs on it is a close call.
    #[serde(default, rename = "in_doubt_cpu_us", skip_serializing_if = "is_no_time")]
    pub in_doubt: CpuTime,
    /// What it left as `output.txt`, or as `calibration.txt` if that was the task.
    pub output: OutputFile,
    /// Names of other files it left, which were removed. `playdata.txt` is among them only where it may not live on:
    /// not a regular file, with a second link, or above 16 MiB. At most ten, lossy, each cut at 80 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
    /// How many processes were still alive when the program ended by itself, and were killed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub survivors: u32,
    /// The end of what it wrote to its standard error, lossy, at most 2 KiB.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

impl Run {
    /// One that returned, left `output` as its answer, and of which nothing else is to be said.
    pub const fn wrote(output: Vec<u8>, usage: Usage) -> Self {
        Self {
            ended: Termination::Exited { status: 0 },
            usage,
            discrepancy: None,
            in_doubt: CpuTime::ZERO,
            output: OutputFile::Content { bytes: Bytes(output) },
            removed: Vec::new(),
            survivors: 0,
            stderr: String::new(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_no_time(time: &CpuTime) -> bool {
    *time == CpuTime::ZERO
}

/// How a program's run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "how")]
pub enum Termination {
    /// It returned, with this exit status.
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
    /// The seat killed it because its CPU time had passed the job's `kill_after`.
    OutOfCpu,
    /// The seat killed it because the wall guard had run out.
    Guarded,
    /// It passed one of the seat's [`Limits`](super::Limits), and was killed where it had not ended by then.
    Exceeded {
        /// The limit and what was used.
        limit: Exceeded,
    },
    /// It could not be started at all: the executable is missing, not executable, or has no interpreter.
    NotStarted {
        /// What the system said.
        error: String,
    },
}

/// A limit that a program passed: one of the [`Limits`](super::Limits), and what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "resource")]
pub enum Exceeded {
    /// Resident memory of the whole tree.
    Memory {
        /// What was found in use.
        used_bytes: u64,
        /// What was allowed.
        limit_bytes: u64,
    },
    /// Processes and threads at a time.
    Processes {
        /// How many were found, or at least so many: counting ends where the limit is passed.
        used: u32,
        /// How many were allowed.
        limit: u32,
    },
    /// The size of one file.
    FileSize {
        /// What was allowed.
        limit_bytes: u64,
    },
    /// The size of all files in the working directory.
    DirectorySize {
        /// What was found.
        used_bytes: u64,
        /// What was allowed.
        limit_bytes: u64,
    },
    /// The number of files in the working directory, directories included.
    DirectoryFiles {
        /// How many were found, or at least so many.
        used: u64,
        /// How many were allowed.
        limit: u64,
    },
}

/// What a process tree used in one run.
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
    /// The largest resident set of any one process.
    pub peak_rss_bytes: u64,
}

/// What was found under the name of the file that was to be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum OutputFile {
    /// Nothing.
    Missing {
        /// A file whose name differs in letter case alone, lossy.
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
    /// A regular file, whole.
    Content {
        /// Every byte of it.
        bytes: Bytes,
    },
}

/// Any bytes, kept without loss: in JSON a string where they are UTF-8, `{"hex": "…"}` where they are not, or where a
/// string would need more than two characters for a byte; themselves in a format that nobody reads.
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
        if !serializer.is_human_readable() {
            return self.0.serialize(serializer);
        }
        match str::from_utf8(&self.0) {
            Ok(text) if is_short_in_json(text) => serializer.serialize_str(text),
            Ok(_) | Err(_) => WrittenBytes::Raw {
                hex: Hex(self.0.clone()),
            }
            .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Vec::deserialize(deserializer).map(Self);
        }
        Ok(match WrittenBytes::deserialize(deserializer)? {
            WrittenBytes::Text(text) => Self(text.into_bytes()),
            WrittenBytes::Raw { hex: Hex(bytes) } => Self(bytes),
        })
    }
}

/// Whether a JSON string has at most two characters for each byte of `text`: control characters have six.
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
        bytes
            .iter()
            .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
            .collect()
    }
}

impl TryFrom<String> for Hex {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const NOT_HEX: &str = "expected pairs of hexadecimal digits";
        let pairs = text.as_bytes().chunks(2);
        let byte = |pair: &[u8]| {
            u8::from_str_radix(str::from_utf8(pair).ok()?, 16)
                .ok()
                .filter(|_| pair.len() == 2)
        };
        pairs
            .map(|pair| byte(pair).ok_or(NOT_HEX))
            .collect::<Result<_, _>>()
            .map(Self)
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
        assert_eq!(
            serde_json::to_string(&Bytes(b"E c3 b4\n".to_vec())).unwrap(),
            r#""E c3 b4\n""#
        );
        assert_eq!(
            serde_json::to_string(&Bytes(vec![0xff, 0x0a])).unwrap(),
            r#"{"hex":"ff0a"}"#
        );
    }
}
