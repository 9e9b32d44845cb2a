//! What can be wrong with an archive that somebody handed in: each fault with a name for programs, a sentence and a
//! remedy.
//!
//! Deliberately not here: reading archives, which `intake` does, and the limits of a submission
//! ([`SubmissionFault::TooLarge`](super::SubmissionFault::TooLarge)).

use super::shown;

/// Why an archive is not unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveFault {
    /// It is cut off, damaged, or no archive at all.
    Broken {
        /// What the reader met.
        problem: String,
    },
    /// It, or something in it, can only be read with a password.
    Encrypted,
    /// It is in a format that is not read.
    OtherFormat {
        /// The usual name of the format, behind its article.
        format: &'static str,
    },
    /// An entry that would be written outside the folder of the submission.
    Outside {
        /// Its name, lossy.
        entry: String,
    },
    /// A link or a device.
    Special {
        /// Its name, lossy.
        entry: String,
        /// What it is, with its article.
        found: &'static str,
    },
    /// Two entries at one place, or at places that only letter case tells apart.
    Indistinct {
        /// Their names, lossy.
        entries: [String; 2],
    },
    /// An entry with a name that no file should have.
    UnfitEntry {
        /// Its name, lossy.
        entry: String,
    },
    /// Nothing but another archive in it.
    Nested {
        /// The name of the one within.
        archive: String,
    },
    /// Several archives and no program beside them.
    Several {
        /// Their names.
        archives: Vec<String>,
    },
}

/// What can be done about nearly everything.
const PACK_AGAIN: &str = "pack the sources again as a `.zip` or a `.tar.gz`";

impl ArchiveFault {
    /// A stable name for programs, in kebab case.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Broken { .. } => "broken-archive",
            Self::Encrypted => "encrypted-archive",
            Self::OtherFormat { .. } => "unsupported-archive",
            Self::Outside { .. } => "archive-path-outside",
            Self::Special { .. } => "archive-link-or-device",
            Self::Indistinct { .. } => "archive-duplicate-names",
            Self::UnfitEntry { .. } => "archive-bad-name",
            Self::Nested { .. } => "archive-in-archive",
            Self::Several { .. } => "several-archives",
        }
    }

    /// What is wrong with the archive `file`, in a sentence without a full stop.
    pub(super) fn message(&self, file: &str) -> String {
        let (file, name) = (shown::name(file), shown::name);
        match self {
            Self::Broken { problem } => {
                format!("{file} cannot be unpacked: {}", referee_games::protocol::plain(problem))
            }
            Self::Encrypted => format!("{file} is protected by a password"),
            Self::OtherFormat { format } => format!("{file} is {format} archive"),
            Self::Outside { entry } => format!("{file} has the entry {}, which leads outside", name(entry)),
            Self::Special { entry, found } => format!("{file} has {found} in it, {}", name(entry)),
            Self::Indistinct { entries: [one, other] } if one == other => {
                format!("{file} has the entry {} twice", name(one))
            }
            Self::Indistinct { entries: [one, other] } => {
                format!("{file} has the entries {} and {}, which only letter case tells apart", name(one), name(other))
            }
            Self::UnfitEntry { entry } => format!("{file} has the entry {}, which is no name for a file", name(entry)),
            Self::Nested { archive } => format!("{file} holds the archive {} and no program", name(archive)),
            Self::Several { archives } => {
                format!("which archive is meant is unclear: {}", shown::names(archives))
            }
        }
    }

    /// What to do about it, as a command without a full stop.
    pub(super) fn hint(&self) -> String {
        match self {
            Self::Broken { .. } | Self::OtherFormat { .. } | Self::Outside { .. } => PACK_AGAIN.to_owned(),
            Self::Encrypted => format!("{PACK_AGAIN}, without a password"),
            Self::Special { .. } => format!("{PACK_AGAIN}, without links, devices and virtual environments"),
            Self::Indistinct { .. } => format!("rename or remove one of them and {PACK_AGAIN}"),
            Self::UnfitEntry { .. } => format!("rename it and {PACK_AGAIN}"),
            Self::Nested { .. } => "hand in the inner archive".to_owned(),
            Self::Several { .. } => "hand in one of them".to_owned(),
        }
    }
}
