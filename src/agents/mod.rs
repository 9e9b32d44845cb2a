//! From what a user names on the command line to a program that a seat can run.
//!
//! For: who handed in what ([`Class`]), finding out what a folder or a file is ([`AgentSpec`], [`Submission`]),
//! building it once with the tools of the machine ([`Toolchain`]), and knowing ever after which files it was made of
//! ([`Digest`]). [`AgentBuilder::prepare`] does all of it. [`Participant`] is an agent that has been calibrated and can
//! take a seat. Deliberately not here: how a program is run and a compiler kept in ([`crate::seat`]), and making two
//! agents of one name distinct, which needs to know both.
//!
//! What must always hold: a submission is never written to; whatever is shown of it is bounded and escaped; a build
//! ends, however hostile its sources, reads nothing but them and the system, and leaves its products in the build
//! folder alone. Each failure says whether the submission is at fault, with a name and a remedy
//! ([`AgentError::finding`]), or whoever asked for it, or this machine.
//!
//! A submission's folder is copied into the build folder, what is built of it joins the copy, and the copy is what the
//! program finds in its working directory: what is digested is what is run, an edit in the middle of a tournament
//! changes nothing, and Python gets its `__pycache__` without leaving one behind. So it is with a file that is a
//! student's whole submission ([`AgentSource::Submission`]). A file that is named alone otherwise stays where it is and
//! has an empty working directory, because nobody can tell which of its neighbours belong to it.
//!
//! Which file has what: `class` the list of a class, `spec` names, `submission`, `names` and `language` which file is
//! the program, `snapshot` and `digest` the copy, `builder` the making of an agent, `build` of one program, `toolset`
//! the tools and their words, `compile` their runs, `cache` what they made before, `source_store` what agents are made
//! of on other machines, `error` and `fault` what can be wrong.

mod agent;
mod bounded_run;
mod build;
mod builder;
pub mod builtin;
mod cache;
mod class;
mod compile;
mod digest;
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
pub use builder::AgentBuilder;
pub use class::{Class, ClassEntry, ClassError};
pub use digest::Digest;
pub use error::AgentError;
pub use fault::{BuildFault, SubmissionFault};
pub use language::{CppStandard, Language, PythonVersion};
pub use names::{FileNames, NamePattern, NotAPattern};
pub use participant::{Calibration, Participant};
pub use source_store::SourceStore;
pub use spec::{AgentName, AgentSource, AgentSpec, SpecError};
pub use submission::{ProgramSource, Submission};
pub use toolchain::{MissingTool, Toolchain};
pub use toolset::Python2;
