//! An assignment as one checked value. Plain data, made by [`super::reading`]; gradings, competitions, checks and
//! reports read it.

use std::path::PathBuf;

use super::{Criterion, LateRules};
use referee_games::builtin::BuiltinAgent;
use referee_games::protocol::Tolerance;
use referee_games::{DrawRules, GameRef};
use referee_matches::tournament::{ExtraGameStart, Format, RankBy};
use referee_records::{Conditions, PerSide};
use referee_seat::{Charge, Isolation, Limits, PreparationLimit, Protocol, SeatOptions};
use referee_submissions::agents::{AgentBuilder, AgentName, AgentSpec, FileNames};
use referee_time::{CpuTime, WallTime};

/// An assignment of a course, from one file.
///
/// `tournaments/README.md` explains every key of the file.
///
/// ```
/// use std::path::Path;
/// use referee_course::assignment::{Assignment, CriterionKind};
/// use referee_games::KnownGames;
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
/// let (file, known) = (Path::new("hw2.toml"), KnownGames::builtin());
/// let assignment = Assignment::parse(text, file, &known)?;
/// let [games] = assignment.criteria.as_slice() else { unreachable!("there is one criterion") };
/// assert_eq!(games.worth.most(games.kind.items(&[])), Some("90".parse()?));
///
/// let faults = Assignment::parse("titel = 3", file, &known).unwrap_err();
/// let first = faults.all()[0].to_string();
/// assert_eq!(first.lines().next(), Some("hw2.toml:1:1: unknown key `titel` in the top of the file"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Its title: one line.
    pub title: String,
    /// The game and its rule set.
    pub game: GameRef,
    /// What students submit, and what the course adds.
    pub submission: SubmissionRules,
    /// The rules of the clocks.
    pub clock: ClockRules,
    /// How programs are asked for a move, and answer.
    pub protocol: Protocol,
    /// The tolerance for answers.
    pub tolerance: Tolerance,
    /// The resource limits besides time.
    pub limits: Limits,
    /// The minimum isolation of gradings and competitions, unless overridden explicitly.
    pub minimum_isolation: Isolation,
    /// The rules for draws beyond the board.
    pub draws: DrawRules,
    /// The random seed.
    pub seed: u64,
    /// The criteria, with unique names. Empty if the assignment is only a competition.
    pub criteria: Vec<Criterion>,
    /// What late submissions cost; `None` if times do not matter.
    pub late: Option<LateRules>,
    /// The competition of the class, if any.
    pub competition: Option<Competition>,
    /// The ladder of the class, if any.
    pub ladder: Option<LadderRules>,
}

/// The `[submission]` of an assignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubmissionRules {
    /// The names of its programs, with their languages.
    pub names: FileNames,
    /// The folder of files that the course adds to every submission.
    pub provide: Option<PathBuf>,
}

/// The clocks of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockRules {
    /// The CPU time that is charged. User time alone is sampled by kernel ticks, which a program can evade.
    pub charge: Charge,
    /// The default play time of a game.
    pub play_time: CpuTime,
    /// The limit for a single move, if any.
    pub move_time: Option<CpuTime>,
    /// How many moves of a side may take longer than that in one game.
    pub overruns: u32,
    /// The limit of such a move, if any.
    pub longest_move: Option<CpuTime>,
    /// The CPU time that a living program may use before its first question without charge.
    pub startup_time: CpuTime,
    /// The grace period: how far beyond its remaining time a run may go before it is killed; it loses anyway.
    pub grace: CpuTime,
    /// The wall-clock limit of a run is this multiple of the CPU time left, ...
    pub wall_limit_factor: u32,
    /// ... plus this.
    pub wall_limit_extra: WallTime,
    /// The CPU time of one run of a compiler.
    pub compile_time: CpuTime,
    /// The CPU time of a `calibrate` program.
    pub calibrate_time: CpuTime,
}

/// The `[competition]` of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Competition {
    /// The format.
    pub format: Format,
    /// The number of games per pairing.
    pub games_per_pairing: u32,
    /// The play time of each side per game.
    pub play_time: CpuTime,
    /// The number of random plies at the start of a game.
    pub opening_plies: u32,
    /// Who begins the extra game of an odd number.
    pub extra_game_start: ExtraGameStart,
    /// What a round robin is ranked by first.
    pub rank_by: RankBy,
    /// Agents that always take part, with unique names.
    pub agents: Vec<AssignmentAgent>,
}

/// The `[ladder]` of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderRules {
    /// The agent whose rating is 0.
    pub reference: BuiltinAgent,
    /// The play time of each side per game.
    pub play_time: CpuTime,
    /// The number of random plies at the start of a pair of games.
    pub opening_plies: u32,
    /// The least number of pairs of a new version before others are preferred.
    pub minimum_pairs: u32,
    /// How many of 100 opponents are drawn by lot.
    pub random_percent: u32,
    /// How many versions of a participant are taken in within 24 hours.
    pub versions_per_day: u32,
    /// Who is named on its pages.
    pub named: NamedParticipants,
}

/// Who is named on the pages of a ladder, for others than the staff. Everybody's own page names its owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamedParticipants {
    /// All.
    Everybody,
    /// The best, and on one's own page those who are two ranks away or less.
    Neighbours {
        /// The last rank of the best.
        first: u32,
    },
    /// Nobody.
    #[default]
    Nobody,
}

/// How many ranks away a neighbour is.
const NEIGHBOURHOOD: u32 = 2;

impl NamedParticipants {
    /// Whether a participant with this rank is named to the one with the rank `own`, or to everybody.
    pub fn names(self, rank: Option<u32>, own: Option<u32>) -> bool {
        match self {
            Self::Everybody => true,
            Self::Neighbours { first } => {
                rank.is_some_and(|rank| rank <= first || own.is_some_and(|own| rank.abs_diff(own) <= NEIGHBOURHOOD))
            }
            Self::Nobody => false,
        }
    }
}

/// An agent named in the assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignmentAgent {
    /// Its name.
    pub name: AgentName,
    /// Its source.
    pub spec: AgentSpec,
}

impl Assignment {
    /// The number of random plies at the start of a game in the competition or the ladder: the larger of the two.
    pub fn opening_plies(&self) -> u32 {
        let of_competition = self.competition.as_ref().map_or(0, |competition| competition.opening_plies);
        self.ladder.as_ref().map_or(of_competition, |ladder| ladder.opening_plies.max(of_competition))
    }

    /// The conditions of a game with `play_time` for each side.
    pub fn conditions(&self, play_time: CpuTime) -> Conditions {
        Conditions {
            charge: self.clock.charge,
            tolerance: self.tolerance,
            play_time: PerSide { black: play_time, white: play_time },
            move_time: self.clock.move_time,
            overruns: self.clock.overruns,
            longest_move: self.clock.longest_move,
            protocol: self.protocol,
            startup_time: self.clock.startup_time,
            grace: self.clock.grace,
            wall_limit_factor: self.clock.wall_limit_factor,
            wall_limit_extra: self.clock.wall_limit_extra,
            limits: self.limits,
            draws: self.draws,
        }
    }

    /// The options of the seats of its agents; no play time is part of them.
    pub fn seats(&self) -> SeatOptions {
        self.conditions(CpuTime::ZERO).seats()
    }

    /// `builder` with its programs' names, provided files and limits of builds.
    pub fn builder_from(&self, builder: AgentBuilder) -> AgentBuilder {
        AgentBuilder {
            names: self.submission.names.clone(),
            provide: self.submission.provide.clone(),
            compile_limit: PreparationLimit::of_cpu_time(self.clock.compile_time),
            calibrate_limit: PreparationLimit::of_cpu_time(self.clock.calibrate_time),
            ..builder
        }
    }
}
