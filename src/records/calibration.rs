//! What the `calibrate` program of an agent found out about a kind of machine.

use std::io::ErrorKind;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::store::{publish, read, text_of};
use super::{Host, HostKind, Kept, RecordError, RunFolder};
use crate::seat::Bytes;

const CALIBRATIONS: &str = "calibrations";

/// The one run of an agent's `calibrate` program on one kind of machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalibrationRecord {
    /// The version of this format, [`SCHEMA`](super::SCHEMA).
    pub schema: u32,
    /// The agent's name within its run.
    pub agent: String,
    /// The digest of the agent's files.
    pub digest: String,
    /// The machine that it was run on.
    pub host: Host,
    /// What was odd about it, as the end of a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The `calibration.txt` that every game on machines of this kind gets, if it left one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Bytes>,
}

impl RunFolder {
    /// What the agent with this digest found out about machines of `kind`, if it has been asked.
    ///
    /// # Errors
    ///
    /// [`RecordError`] where it cannot be read.
    pub fn calibration(&self, digest: &str, kind: &HostKind) -> Result<Option<CalibrationRecord>, RecordError> {
        match read::<CalibrationRecord>(&self.calibrations().join(file_name(digest, kind))) {
            Ok(found) => Ok(Some(found).filter(|found| found.digest == digest && found.host.kind() == *kind)),
            Err(RecordError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps a calibration, unless there is one of the same agent and kind of machine.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn keep_calibration(&self, calibration: &CalibrationRecord) -> Result<Kept, RecordError> {
        let folder = self.calibrations();
        std::fs::create_dir_all(&folder).map_err(|source| RecordError::Write {
            path: folder.clone(),
            source,
        })?;
        let name = file_name(&calibration.digest, &calibration.host.kind());
        publish(&folder, &name, &text_of(calibration, &folder.join(&name))?)
    }

    fn calibrations(&self) -> PathBuf {
        self.path().join(CALIBRATIONS)
    }
}

/// Names of processors are no names of files.
fn file_name(digest: &str, kind: &HostKind) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let kind: String = kind.to_string().chars().map(fit).take(120).collect();
    let digest: String = digest.chars().map(fit).take(64).collect();
    format!("{digest}-{kind}.json")
}
