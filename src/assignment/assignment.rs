//! An assignment, checked as a whole.

use std::path::{Path, PathBuf};

use super::reading::{Folders, read};
use super::{AssignmentError, AssignmentErrors, Criterion, ErrorSpan};
use crate::agents::{AgentName, AgentSpec, FileNames};
use crate::games::{DrawRules, GameId};
use crate::protocol::Tolerance;
use crate::records::{Conditions, LARGEST_ASSIGNMENT_BYTES, PerSide, read_bounded};
use crate::seat::{Charge, Isolation, Limits};
use crate::time::{CpuTime, WallTime};
use crate::tournament::{Format, OddGame};

/// All that one file says about one assignment of a course.
///
/// `tournaments/README.md` explains every key of the file.
///
/// ```
/// use std::path::{Path, PathBuf};
/// use referee::assignment::{Assignment, CriterionKind};
///
/// let text = r#"
///     title = "Homework 2"
///     game = "checkers"
///
///     [[grade]]
///     kind = "games"
///     opponent = "builtin:minimax"
///     games = 9
///     first_move = 5
///     points_each = 10
/// "#;
/// let assignment = Assignment::parse(text, Path::new("hw2.toml"))?;
/// let [games] = assignment.criteria.as_slice() else { unreachable!("there is one criterion") };
/// assert_eq!(games.max_points(&[]).to_string(), "90");
///
/// let faults = Assignment::parse("titel = 3", Path::new("hw2.toml")).unwrap_err();
/// let first = faults.all()[0].to_string();
/// assert_eq!(first.lines().next(), Some("hw2.toml:1:1: unknown key `titel` in the top of the file"));
/// # Ok::<(), referee::assignment::AssignmentErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// What it is called: one line.
    pub title: String,
    /// The game and its rule set.
    pub game: GameId,
    /// What is handed in, and what the course adds to it.
    pub submission: SubmissionRules,
    /// What the clocks go by.
    pub clock: ClockRules,
    /// How exactly answers are read.
    pub tolerance: Tolerance,
    /// What an agent may use besides time.
    pub limits: Limits,
    /// The weakest isolation with which grading and competitions run, unless they are told so explicitly.
    pub minimum_isolation: Isolation,
    /// What makes a draw beyond the board.
    pub draws: DrawRules,
    /// Where all randomness comes from.
    pub seed: u64,
    /// What points are given for; each under its own name. Empty for an assignment that is a competition alone.
    pub criteria: Vec<Criterion>,
    /// The competition of the class, if there is one.
    pub competition: Option<Competition>,
}

/// The `[submission]` of an assignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmissionRules {
    /// How its programs are called, and what each is written in.
    pub names: FileNames,
    /// The folder of the files that the course provides beside those of every submission.
    pub provide: Option<PathBuf>,
}

/// What the clocks of an assignment go by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockRules {
    /// Which CPU time is charged. User time alone is sampled by the kernel's ticks, and a program can evade these.
    pub charge: Charge,
    /// The play time of a game that has none of its own.
    pub play_time: CpuTime,
    /// The most that a single move may take, where that is limited.
    pub move_time: Option<CpuTime>,
    /// How far past its remaining time a run may go before it is killed; it loses all the same.
    pub grace: CpuTime,
    /// The wall guard of a run is this many times the CPU time left, ...
    pub guard_factor: u32,
    /// ... plus this.
    pub guard_extra: WallTime,
}

/// The `[competition]` of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Competition {
    /// Who meets whom.
    pub format: Format,
    /// How many games two agents play when they meet.
    pub games_per_pairing: u32,
    /// The play time of each side for a whole game.
    pub play_time: CpuTime,
    /// How many plies at the beginning of a game are drawn at random from the seed.
    pub opening_plies: u32,
    /// Who begins the odd game of two agents.
    pub odd_game: OddGame,
    /// The agents that take part whoever else does, each under its own name.
    pub agents: Vec<Invited>,
}

/// An agent that an assignment names itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// What it is called.
    pub name: AgentName,
    /// Where it comes from.
    pub spec: AgentSpec,
}

impl Assignment {
    /// Reads the text of an assignment. No file is looked at, and paths stay as they are written; `file` is the name
    /// that faults go by.
    ///
    /// # Errors
    ///
    /// All faults of the text at once. Where it is not TOML, only what is wrong with it as such: what else it says
    /// cannot be known.
    pub fn parse(text: &str, file: &Path) -> Result<Self, AssignmentErrors> {
        read(text, file, Folders::Unseen)
    }

    /// Reads the assignment at `path` and looks at every file that it names. Paths are then relative to where the
    /// program runs, no longer to the assignment.
    ///
    /// # Errors
    ///
    /// All faults of the assignment and of the files that it names at once.
    pub fn load(path: &Path) -> Result<Self, AssignmentErrors> {
        let alone = |place, message, remedy: &str| {
            let (file, remedy) = (path.to_owned(), remedy.to_owned());
            let fault = AssignmentError {
                file,
                place,
                message,
                remedy,
            };
            AssignmentErrors::of(vec![fault], path).expect("there is one")
        };
        let bytes = read_bounded(path, LARGEST_ASSIGNMENT_BYTES).map_err(|error| {
            let remedy = "name an assignment file such as `tournaments/checkers-2021.toml`";
            alone(None, format!("cannot read the assignment: {error}"), remedy)
        })?;
        let text = str::from_utf8(&bytes).map_err(|error| {
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            let shown = format!("{}\u{fffd}", String::from_utf8_lossy(valid));
            let place = ErrorSpan::of(&shown, valid.len()..shown.len());
            let message = format!(
                "expected UTF-8, found the byte 0x{:02x}",
                rest.first().copied().unwrap_or_default()
            );
            alone(Some(place), message, "save the file in UTF-8")
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        read(text, path, Folders::In(folder))
    }

    /// The conditions of a game of this assignment in which each side has `play_time`.
    pub fn conditions(&self, play_time: CpuTime) -> Conditions {
        Conditions {
            charge: self.clock.charge,
            tolerance: self.tolerance,
            play_time: PerSide {
                black: play_time,
                white: play_time,
            },
            move_time: self.clock.move_time,
            grace: self.clock.grace,
            guard_factor: self.clock.guard_factor,
            guard_extra: self.clock.guard_extra,
            limits: self.limits,
            draws: self.draws,
        }
    }
}
