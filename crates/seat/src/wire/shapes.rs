//! The wire shapes of runs, for a format that does not describe itself.
//!
//! In records, the same types omit defaults and tag variants inside their fields, which such a format cannot read. The
//! meaning of the fields is in [`super::super::report`]. The compiler checks that the shapes match their types. Only
//! [`super`] uses them.

use serde::{Deserialize, Serialize};

use crate::meter::Discrepancy;
use crate::report::{Bytes, Exceeded, OutputFile, Run, Termination, Usage};
use referee_time::{CpuTime, WallTime};

#[derive(Serialize, Deserialize)]
#[serde(remote = "Run")]
pub(super) struct RunShape {
    #[serde(with = "TerminationShape")]
    ended: Termination,
    usage: Usage,
    discrepancy: Option<Discrepancy>,
    in_doubt: CpuTime,
    delayed: WallTime,
    between_turns: CpuTime,
    startup: CpuTime,
    #[serde(with = "OutputFileShape")]
    output: OutputFile,
    removed: Vec<String>,
    survivors: u32,
    stderr: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Termination")]
pub(super) enum TerminationShape {
    Answered,
    Exited {
        status: u8,
    },
    Signalled {
        signal: i32,
        name: String,
    },
    OutOfCpu,
    Guarded,
    Exceeded {
        #[serde(with = "ExceededShape")]
        limit: Exceeded,
    },
    NotStarted {
        error: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Exceeded")]
enum ExceededShape {
    Memory { used_bytes: u64, limit_bytes: u64 },
    Processes { used: u32, limit: u32 },
    FileSize { limit_bytes: u64 },
    AnswerSize { limit_bytes: u64 },
    DirectorySize { used_bytes: u64, limit_bytes: u64 },
    DirectoryFiles { used: u64, limit: u64 },
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "OutputFile")]
enum OutputFileShape {
    Missing { lookalike: Option<String> },
    NotAFile { found: String },
    TooLarge { bytes: u64 },
    Unreadable { error: String },
    Unfinished { bytes: Bytes, after_input: Bytes },
    Unasked { bytes: Bytes },
    Content { bytes: Bytes },
}
