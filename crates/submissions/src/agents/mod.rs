//! Makes agents: from a command-line argument to a program that a seat can run.
//!
//! It lists who submitted what ([`Class`]), recognizes a folder or file ([`AgentSpec`], [`Submission`]), builds it once
//! with the tools of the machine ([`Toolchain`]), and identifies its files ([`Digest`]). [`AgentBuilder::prepare`] does
//! all of it. [`Participant`] is an agent that is calibrated and can take a seat. It does not run programs or isolate
//! compilers ([`referee_seat`]), or distinguish two agents of the same name. Every command that plays, grades or checks
//! uses it.
//!
//! A submission must never be written to. All shown text of a submission must be bounded and escaped. A build must end,
//! however hostile its sources, read only them and the system, and write only to the build folder. Each error must say
//! whose fault it is: the submission's, with a code and a remedy ([`AgentError::finding`]), the user's, or this
//! machine's.
//!
//! A submission's folder is copied into the build folder, its build is added, and the program finds this copy in its
//! working directory. So exactly the digested files are run, an edit during a tournament changes nothing, and Python
//! can write `__pycache__` without leaving one behind. The same holds for a single file that is a student's whole
//! submission ([`AgentSource::Submission`]). Any other single file has an empty working directory and sees no file
//! beside it, because nobody can tell which of these belong to it. A source is copied for that; an executable stays
//! where it is.
//!
//! Files: `class` (the list of a class), `spec` (arguments), `submission`, `names` and `language` (which file is the
//! program), `entries` (what is in a folder), `snapshot`, `digest` and `copies` (the copy), `builder` (an agent),
//! `build` (one program), `toolset` (tools and their arguments), `compile` (compiler runs), `cache` (earlier builds),
//! `source_store` (sources for other machines), `error` and `fault`.

mod agent;
mod archive_fault;
mod bounded_run;
mod build;
mod builder;
mod builtin_run;
mod cache;
mod class;
mod compile;
mod copies;
mod digest;
mod entries;
mod error;
mod fault;
mod language;
mod names;
mod participant;
mod shown;
mod snapshot;
mod source_store;
mod spec;
mod submission;
mod toolchain;
mod toolset;

pub use agent::Agent;
pub use archive_fault::ArchiveFault;
pub use builder::{AgentBuilder, CALIBRATE_LIMIT, COMPILE_LIMIT};
pub use builtin_run::{BuiltinRunError, run_builtin, run_builtin_alive};
pub use class::{Class, ClassEntry, ClassError, ClassMember};
pub use digest::Digest;
pub(crate) use entries::{FolderEntry, entries_of};
pub use error::AgentError;
pub use fault::{BuildFault, SubmissionFault};
pub use language::{CppStandard, Language, PythonVersion};
pub use names::{FileNames, NamePattern};
pub use participant::{Participant, calibration_oddities};
pub use shown::readable;
pub use snapshot::{SubmissionLimits, copy_provided, copy_with_provided, is_left_behind};
pub use source_store::SourceStore;
pub use spec::{AgentName, AgentSource, AgentSpec, SpecError};
pub use submission::{ProgramSource, Submission, SubmissionContent};
pub use toolchain::{BrokenTool, MissingTool, Toolchain, python_packages};
pub use toolset::Python2;
