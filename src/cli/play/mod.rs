//! `referee play`: parses options and plays games between named agents, or with a person.

mod person;
mod report;

use std::path::{Path, PathBuf};

use clap::Args;

use super::assignment::read_for_play;
use super::events::EventLog;
use super::game::{games_help, rules_help, with_rules};
use super::limits::LimitArguments;
use super::play_time::PlayTime;
use super::player::PlayerArgument;
use super::protocol::PROTOCOL_HELP;
use super::run_arguments::Python2Argument;
use super::run_display::{Detail, RunDisplay};
use super::session::on_threads;
use super::slots::PinArgument;
use super::voids::print_voids;
use super::{CommandOutcome, Failure};
use crate::runs::{GamePlan, MatchRequest, MatchTerms, play_match};
use person::Matchup;
use referee_course::assignment::Assignment;
use referee_games::protocol::Tolerance;
use referee_games::{DrawRules, GameName, GameRef, KnownGames};
use referee_matches::tournament::Sprt;
use referee_records::Conditions;
use referee_seat::{Charge, Isolation, IsolationRange, Meter, Protocol, SeatOptions};
use referee_submissions::agents::AgentSpec;
use referee_time::CpuTime;

/// Play games between two agents, or one agent against several
///
/// An agent is a directory with homework.py, .cpp or .java, a source file, an executable, or built in: builtin:random,
/// builtin:minimax,depth=2 or builtin:alphabeta. `human` or `NAME=human` is you, at this terminal. Prefix NAME= to
/// rename an agent; `stdio:PATH` is an agent that lives for a whole game. A moves first in the first game, then the
/// agents alternate. Without `depth=`, minimax looks 1 to 3 plies ahead: fewer with little time left, and in custom
/// games as far as its share of the time allows.
///
/// A directory is copied to the agent's working directory. A single file starts in an empty one: name its directory if
/// the program needs other files.
#[derive(Debug, Args)]
pub(super) struct PlayCommand {
    /// First agent: moves first in the first game
    a: PlayerArgument,
    /// Opponent, or several: A plays each of them
    #[arg(value_name = "B", required = true, num_args = 1..=MAX_OPPONENTS)]
    opponents: Vec<PlayerArgument>,
    #[arg(long, required_unless_present = "assignment", help = games_help(""))]
    game: Option<GameName>,
    #[arg(long, requires = "game", help = rules_help())]
    rules: Option<String>,
    /// Play by this assignment file, as grading will: its game, file names, provided files, protocol, clocks, limits
    /// and tolerance. `--time` replaces its play time
    #[arg(long, value_name = "FILE", conflicts_with_all = GIVEN_BY_ASSIGNMENT)]
    assignment: Option<PathBuf>,
    /// Number of games against each opponent; with `--sprt`, the maximum [default: 1; with `--sprt`, 9998]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9999))]
    games: Option<u32>,
    /// Start each pair of games with K random plies, played once from each side; without them, deterministic agents
    /// repeat the same two games
    #[arg(long, value_name = "K", default_value_t = 0)]
    opening_plies: u32,
    /// Stop as soon as a sequential probability ratio test decides whether A is elo1 or elo0 stronger, such as
    /// elo0=0,elo1=50; error rates: alpha=0.05 (accepting elo1 wrongly), beta=0.05 (accepting elo0 wrongly)
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Time of each side for the whole game, in seconds: CPU time for an agent, wall-clock time for a person; `none`:
    /// no clock for the person [default: 300; for a custom game, the time that its rules give]
    #[arg(long, value_parser = PlayTime::read)]
    time: Option<PlayTime>,
    /// Grace period before an overrunning agent is killed, in seconds (it loses either way)
    #[arg(long, default_value = "0")]
    grace: CpuTime,
    /// CPU time to charge: cpu (user + system, exact) or user (sampled by the kernel; a program can hide half of it or
    /// more)
    #[arg(long, default_value = "cpu", value_parser = charge)]
    charge: Charge,
    #[arg(long, value_name = "NAME", default_value = "files", help = PROTOCOL_HELP)]
    protocol: Protocol,
    /// CPU time that an agent of protocol stdio may use before its first question without charge, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0")]
    startup_time: CpuTime,
    /// Require the exact format: no extra blanks, no empty lines, no other letter case
    #[arg(long)]
    exact: bool,
    /// Minimum isolation level: bare, confined or sealed; use the best available, refuse to run below this
    #[arg(long, default_value = "bare", value_name = "LEVEL")]
    isolation: Isolation,
    /// CPU time meter: perf, cgroup-v2, cgroup-v1 or rusage [default: the best available]
    #[arg(long)]
    meter: Option<Meter>,
    #[command(flatten)]
    python2: Python2Argument,
    /// Declare a draw after this many turns [default: that of the game, if it has one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turn_limit: Option<u32>,
    /// Random seed; built-in agents play the same games for the same seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Number of games to play in parallel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    #[command(flatten)]
    pin: PinArgument,
    /// Output directory; an unfinished run in it is resumed [default: a new directory in results/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write an event log to this file as JSON Lines; `-` for stdout
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArguments,
}

/// What an assignment says for all agents.
const GIVEN_BY_ASSIGNMENT: [&str; 14] = [
    "game",
    "grace",
    "charge",
    "protocol",
    "startup_time",
    "exact",
    "turn_limit",
    "memory",
    "processes",
    "file_size",
    "directory_size",
    "directory_files",
    "open_files",
    "output_size",
];

/// The maximum number of opponents: their numbers have two digits in the names of games.
const MAX_OPPONENTS: usize = 99;

/// The maximum number of games of a sequential test: numbers of games have four digits, and games come in pairs.
const MAX_TESTED: u32 = 9998;

fn charge(text: &str) -> Result<Charge, String> {
    match text {
        "cpu" => Ok(Charge::Cpu),
        "user" => Ok(Charge::User),
        _ => Err("expected `cpu` or `user`".to_owned()),
    }
}

impl PlayCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        match self.matchup()? {
            Matchup::Agents(agents) => self.play_all(agents, games),
            Matchup::Person(with) => on_threads(self.play_with_person(with, games)),
        }
        .map(|()| CommandOutcome::Yes)
    }

    fn play_all(&self, agents: Vec<AgentSpec>, games: &KnownGames) -> Result<(), Failure> {
        if self.time == Some(PlayTime::NoClock) {
            return Err(Failure::Usage(
                "`--time none` is only for a person: an agent needs a time in seconds".to_owned(),
            ));
        }
        let slots = self.pin.slots(Some(self.jobs))?;
        let assignment = self.read_assignment(games)?;
        let plan = self.plan(assignment.as_ref(), games)?;
        let terms = self.terms(plan.game, assignment, games);
        let request = MatchRequest { agents, plan, sprt: self.sprt, terms, slots };
        let how_to_resume = |out: &Path| {
            format!("finished games are kept; rerun the same command with `--out {}` to resume", out.display())
        };
        let events = EventLog::open(self.events.as_deref())?;
        let display = RunDisplay::new(Detail::Games, events.clone());
        let work = play_match(request, display.on_progress());
        let played = on_threads(display.show(work, "", how_to_resume))?;
        report::report(&played, &events)?;
        print_voids(&played.folder, &played.manifest, &how_to_resume(played.folder.path()))
    }

    fn read_assignment(&self, games: &KnownGames) -> Result<Option<Assignment>, Failure> {
        self.assignment.as_deref().map(|path| read_for_play(path, games)).transpose()
    }

    /// The requested games.
    fn plan(&self, assignment: Option<&Assignment>, known_games: &KnownGames) -> Result<GamePlan, Failure> {
        let games = match (self.games, self.sprt) {
            (None, None) => 1,
            (None, Some(_)) => MAX_TESTED,
            (Some(odd), Some(_)) if !odd.is_multiple_of(2) => {
                return Err(Failure::Usage(format!(
                    "`--sprt` counts pairs of games: expected an even number of `--games`, found `{odd}`"
                )));
            }
            (Some(games), _) => games,
        };
        let game = match (assignment, &self.game) {
            (Some(assignment), _) => assignment.game,
            (None, Some(name)) => with_rules(known_games.named(name)?, self.rules.as_deref())?,
            (None, None) => return Err(Failure::Usage("expected `--game GAME` or `--assignment FILE`".to_owned())),
        };
        Ok(GamePlan { game, seed: self.seed, games, opening_plies: self.opening_plies })
    }

    fn terms(&self, game: GameRef, assignment: Option<Assignment>, games: &KnownGames) -> MatchTerms {
        let conditions = self.conditions(game, assignment.as_ref());
        let isolation = IsolationRange::at_least(self.isolation);
        MatchTerms {
            assignment,
            seats: SeatOptions { meter: self.meter, isolation, ..conditions.seats() },
            python2: self.python2.python2(),
            conditions,
            out: self.out.clone(),
            known_games: games.clone(),
        }
    }

    fn conditions(&self, game: GameRef, assignment: Option<&Assignment>) -> Conditions {
        let time = self.time.unwrap_or_default();
        if let Some(assignment) = assignment {
            return time.conditions_of(assignment);
        }
        let usual = time.conditions(game);
        Conditions {
            charge: self.charge,
            tolerance: if self.exact { Tolerance::Exact } else { Tolerance::Tolerant },
            protocol: self.protocol,
            startup_time: self.startup_time,
            grace: self.grace,
            limits: self.limits.limits(),
            draws: DrawRules { turn_limit: self.turn_limit.or(usual.draws.turn_limit), ..usual.draws },
            ..usual
        }
    }
}
