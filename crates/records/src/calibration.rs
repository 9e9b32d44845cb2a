//! Stores the results of agents' `calibrate` programs per kind of machine. It runs nothing; `shards` calls it.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::files::{entries_of, publish, text_of};
use super::reading::read;
use super::{Host, HostKind, Kept, RecordError, RunFolder};
use referee_seat::Bytes;

const CALIBRATIONS: &str = "calibrations";

/// One run of an agent's `calibrate` program on one kind of machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalibrationRecord {
    /// The version of this format, [`SCHEMA`](super::SCHEMA).
    pub schema: u32,
    /// The agent's name in its run.
    pub agent: String,
    /// The digest of the agent's files.
    pub digest: String,
    /// The machine.
    pub host: Host,
    /// An oddity of the run, as the end of a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The `calibration.txt` for every game on machines of this kind, if it left one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<Bytes>,
}

impl RunFolder {
    /// The calibration of the agent with this digest for machines of `kind`, if there is one.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it cannot be read.
    pub fn calibration(&self, digest: &str, kind: &HostKind) -> Result<Option<CalibrationRecord>, RecordError> {
        match read::<CalibrationRecord>(&self.calibrations_folder().join(file_name(digest, kind))) {
            Ok(found) => Ok(Some(found).filter(|found| found.digest == digest && found.host.kind() == *kind)),
            Err(RecordError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Stores a calibration, unless there is one for the same agent and kind of machine.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn keep_calibration(&self, calibration: &CalibrationRecord) -> Result<Kept, RecordError> {
        let folder = self.calibrations_folder();
        fs::create_dir_all(&folder).map_err(|source| RecordError::Write { path: folder.clone(), source })?;
        let name = file_name(&calibration.digest, &calibration.host.kind());
        publish(&folder, &name, &text_of(calibration, &folder.join(&name))?)
    }

    /// All stored calibrations.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if one cannot be read.
    pub fn calibrations(&self) -> Result<Vec<CalibrationRecord>, RecordError> {
        let paths = entries_of(&self.calibrations_folder())?.into_iter().map(|entry| entry.path());
        let records = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
        records.map(|path| read(&path)).collect()
    }

    fn calibrations_folder(&self) -> PathBuf {
        self.path().join(CALIBRATIONS)
    }
}

/// Names of processors are not valid file names.
fn file_name(digest: &str, kind: &HostKind) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let kind: String = kind.to_string().chars().map(fit).take(120).collect();
    let digest: String = digest.chars().map(fit).take(64).collect();
    format!("{digest}-{kind}.json")
}
