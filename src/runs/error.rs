//! Why a run could not be opened, prepared or played, and by whose fault. An agent's fault is never among them: it is
//! in the records.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

use referee_course::assignment::AssignmentErrors;
use referee_games::RulesUnavailable;
use referee_matches::shards::{AgentPoolError, ShardError};
use referee_matches::tournament::RunError;
use referee_messages::plain;
use referee_records::{RecordError, RunKind};
use referee_seat::Isolation;
use referee_submissions::agents::{AgentError, MissingTool};
use referee_submissions::intake::IntakeError;

/// Why a run could not be opened, prepared or played.
#[derive(Debug, thiserror::Error)]
pub enum RunFailure {
    /// The user's: the request contradicts itself, or the run in its folder.
    #[error("{0}")]
    Request(RunProblem),
    /// The user's: a named file is invalid.
    #[error("{0}")]
    Input(RunProblem),
    /// The machine cannot do it.
    #[error("{0}")]
    Machine(RunProblem),
    /// The machine cannot write the results.
    #[error("{0}")]
    Write(RunProblem),
    /// Ours.
    #[error("{0}")]
    Bug(String),
}

/// What failed, and what helps.
#[derive(Debug)]
pub struct RunProblem {
    /// What failed, on which file or agent, and why.
    pub what: String,
    /// What the user can do, if `what` does not already say it.
    pub remedy: Option<Remedy>,
}

/// What the user can do. The caller says it in its own words, such as options of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Choose another directory for the run.
    OtherFolder,
    /// The same, or make it writable.
    OtherFolderOrWritable,
    /// Wait until the running grading ends, or choose another directory.
    WaitOrOtherFolder,
    /// Choose this new directory for the run.
    NewFolder(PathBuf),
    /// Rename one of two agents.
    RenameAgent,
    /// Restore the files of this agent, or withdraw it.
    RestoreOrWithdraw(String),
    /// Name this agent again, or withdraw it.
    NameOrWithdraw(String),
    /// Accept this isolation level.
    AcceptIsolation(Isolation),
    /// Install the missing tools, or leave out the students whose programs need them.
    InstallTools {
        /// Whether running Python 2 programs with Python 3 helps.
        python2: bool,
    },
    /// Run the Python 2 program with Python 3.
    ByPython3,
    /// Play the missing games by the changed assignment.
    GradeAgain,
    /// Grade these students anew.
    Regrade(Vec<String>),
    /// Take the earlier submission of this name out of the gradebook.
    TakeOut(String),
    /// Leave one of two submissions out, such as this one.
    LeaveOut(String),
    /// Name a run of this kind.
    NameRun(RunKind),
    /// Start a run, of this assignment if it is known.
    StartRun(Option<PathBuf>),
    /// Once the rules are fixed, begin a new run of this kind.
    BeginAnew(RunKind),
    /// Plan a competition.
    PlanCompetition,
    /// Plan a competition, or upgrade the run of an older version.
    PlanForShards,
    /// It is an answer: have it explained.
    ExplainAnswer,
    /// Fit a curve of expected scores.
    FitCurve,
}

impl RunProblem {
    fn new(what: impl Display) -> Self {
        Self { what: what.to_string(), remedy: None }
    }
}

impl Display for RunProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl RunFailure {
    /// A request that contradicts itself or the run.
    pub(super) fn request(what: impl Display) -> Self {
        Self::Request(RunProblem::new(what))
    }

    /// An invalid file; the message names it.
    pub(super) fn invalid(what: impl Display) -> Self {
        Self::Input(RunProblem::new(what))
    }

    /// An unreadable or invalid file.
    pub(super) fn input(path: &Path, reason: impl Display) -> Self {
        Self::invalid(format!("`{}`: {reason}", path.display()))
    }

    /// A machine that cannot do it.
    pub(super) fn machine(what: impl Display) -> Self {
        Self::Machine(RunProblem::new(what))
    }

    /// Results that cannot be written.
    pub(super) fn write(what: impl Display) -> Self {
        Self::Write(RunProblem::new(what))
    }

    /// A folder for a run that cannot be written; other errors as they are.
    pub(super) fn of_folder(error: RecordError) -> Self {
        match error.unwritable_place() {
            Some(problem) => Self::write(problem).with(Remedy::OtherFolderOrWritable),
            None => error.into(),
        }
    }

    /// The folder `out` contains a different run.
    pub(super) fn other_run(out: &Path, difference: impl Into<String>) -> Self {
        let (path, difference) = (out.to_owned(), difference.into());
        RecordError::OtherRun { path, difference }.into()
    }

    /// The same failure of a run of this kind.
    pub(super) fn in_run(self, kind: RunKind) -> Self {
        match self {
            Self::Input(RunProblem { remedy: Some(Remedy::BeginAnew(_)), .. }) => self.with(Remedy::BeginAnew(kind)),
            Self::Request(_) | Self::Input(_) | Self::Machine(_) | Self::Write(_) | Self::Bug(_) => self,
        }
    }

    /// The same failure with this remedy. A bug of ours has none.
    pub(super) fn with(mut self, remedy: Remedy) -> Self {
        match &mut self {
            Self::Request(problem) | Self::Input(problem) | Self::Machine(problem) | Self::Write(problem) => {
                problem.remedy = Some(remedy);
            }
            Self::Bug(_) => {}
        }
        self
    }
}

impl From<AssignmentErrors> for RunFailure {
    fn from(errors: AssignmentErrors) -> Self {
        Self::invalid(errors)
    }
}

impl From<IntakeError> for RunFailure {
    fn from(error: IntakeError) -> Self {
        match error {
            IntakeError::System { .. } => Self::machine(error),
            IntakeError::Class(_) | IntakeError::Archive { .. } | IntakeError::Roster { .. } => Self::invalid(error),
            IntakeError::Part { .. } => Self::request(error),
        }
    }
}

impl From<RecordError> for RunFailure {
    fn from(error: RecordError) -> Self {
        match error {
            RecordError::Write { .. } => Self::write(error),
            RecordError::Read { .. } | RecordError::NotARecord { .. } | RecordError::NewerSchema { .. } => {
                Self::invalid(error)
            }
            RecordError::Rules { ref unavailable, .. } => match unavailable {
                RulesUnavailable::Machine(_) => Self::machine(error),
                RulesUnavailable::Program(_) => Self::invalid(error),
            },
            RecordError::OtherRun { .. } => Self::request(error).with(Remedy::OtherFolder),
        }
    }
}

impl From<RulesUnavailable> for RunFailure {
    fn from(unavailable: RulesUnavailable) -> Self {
        match unavailable {
            RulesUnavailable::Machine(what) => Self::machine(what),
            RulesUnavailable::Program(what) => Self::invalid(what),
        }
    }
}

impl From<AgentError> for RunFailure {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::MissingTool { tool: MissingTool::Python2, .. } => Self::machine(error).with(Remedy::ByPython3),
            AgentError::MissingTool { .. } | AgentError::BrokenTool { .. } | AgentError::System { .. } => {
                Self::machine(error)
            }
            AgentError::Builtin(_) => Self::request(error),
            AgentError::NotFound { .. }
            | AgentError::NotExecutable { .. }
            | AgentError::NotAFile { .. }
            | AgentError::Provided { .. }
            | AgentError::Changed { .. }
            | AgentError::Submission { .. } => Self::invalid(error),
        }
    }
}

impl From<RunError> for RunFailure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Record(error) => error.into(),
            RunError::Machine { .. } | RunError::CopyRemoved { .. } => Self::machine(plain(&error.to_string())),
            RunError::Rules { .. } => Self::invalid(plain(&error.to_string())).with(Remedy::BeginAnew(RunKind::Games)),
            RunError::Task(_) => Self::Bug(error.to_string()),
        }
    }
}

impl From<ShardError> for RunFailure {
    fn from(error: ShardError) -> Self {
        match error {
            ShardError::Run(error) => error.into(),
            ShardError::Agent(error) => error.into(),
        }
    }
}

impl From<AgentPoolError> for RunFailure {
    fn from(error: AgentPoolError) -> Self {
        match error {
            AgentPoolError::Record(error) => error.into(),
            AgentPoolError::Unknown(_) => Self::invalid(plain(&error.to_string())),
            AgentPoolError::Agent { .. } | AgentPoolError::Seat { .. } => Self::machine(plain(&error.to_string())),
        }
    }
}
