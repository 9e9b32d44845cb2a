//! From what a user names on the command line to a program that a seat can run.
//!
//! For: finding out what a folder or a file is ([`AgentSpec`], [`Submission`]), building it once with the tools of the
//! machine ([`Toolchain`]), and knowing ever after which files it was made of ([`Digest`]). [`Workshop::prepare`] does
//! all of it. [`Contestant`] is an agent that has been calibrated and can take a seat. Deliberately not here: how a
//! program is run ([`crate::seat`]), and making two agents of one name distinct, which needs to know both.
//!
//! What must always hold: a submission is never written to; whatever is shown of it is bounded and escaped; a build
//! ends, however hostile its sources, and leaves its products in the build folder alone. Each failure says whether the
//! submission is at fault or whoever asked for it ([`AgentError::is_the_submissions_fault`]).
//!
//! A submission's folder is copied into the build folder and run from there: what is digested is what is run, an edit
//! in the middle of a tournament changes nothing, and Python gets its `__pycache__` without leaving one behind.
//! A file that is named alone stays where it is, because nobody can tell which of its neighbours belong to it.

mod agent;
mod bounded_run;
mod build;
pub mod builtin;
mod contestant;
mod digest;
mod error;
mod language;
mod shown;
mod snapshot;
mod spec;
mod submission;
mod toolchain;

pub use agent::{Agent, Workshop};
pub use contestant::{Calibration, Contestant};
pub use digest::Digest;
pub use error::{AgentError, BuildFault, SubmissionFault};
pub use language::{Conventions, CppStandard, Language, PythonVersion};
pub use spec::{AgentName, AgentSource, AgentSpec, SpecError};
pub use submission::{Source, Submission};
pub use toolchain::{MissingTool, Toolchain};
