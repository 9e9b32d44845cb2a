//! `referee play`: parses options and plays games between named agents, or with a person.

mod games;
mod match_tests;
mod person;
mod preparation;
mod report;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;

use super::against::PlayTime;
use super::game::GameArguments;
use super::limits::LimitArguments;
use super::places::PinArgument;
use super::player::PlayerArgument;
use super::scratch::scratch_dir;
use super::session::{Watched, on_threads, play_out, prepared};
use super::voids::tell_voids;
use super::{CommandOutcome, Failure};
use crate::agents::AgentSpec;
use crate::console::Live;
use crate::games::{DrawRules, GameId};
use crate::protocol::Tolerance;
use crate::records::Conditions;
use crate::seat::{Charge, Isolation, IsolationRange, Meter, Scratch, SeatOptions};
use crate::time::CpuTime;
use crate::tournament::{Agenda, Sprt};
use games::GamePlan;
use person::Matchup;
use preparation::Ready;
pub(super) use preparation::default_folder;

/// Plays games between two agents, or of one against many. The first agent has the first turn in the first game, then
/// they take turns.
///
/// An agent is a folder with a homework.py, .cpp or .java, a single source file, any executable, or built in:
/// builtin:random, builtin:minimax, builtin:alphabeta, builtin:minimax,depth=2,seed=7. `human` (or NAME=human) is you
/// at this terminal, against one agent.
///
/// A folder is the agent's working directory. A file named alone starts in an empty one, without the files beside it:
/// name its folder if it reads any.
#[derive(Debug, Args)]
pub(super) struct PlayCommand {
    /// The agent that begins
    a: PlayerArgument,
    /// The agent that it meets, or several: it meets one after another
    #[arg(value_name = "B", required = true, num_args = 1..=MOST_OPPONENTS)]
    opponents: Vec<PlayerArgument>,
    #[command(flatten)]
    game: GameArguments,
    /// How many games against each opponent; with `--sprt`, how many at most [default: 1, with `--sprt` 9998]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9999))]
    games: Option<u32>,
    /// Begin each two games with so many random plies, the same for both, which the agents play from either side;
    /// agents without chance play the same two games for ever otherwise
    #[arg(long, value_name = "K", default_value_t = 0)]
    opening_plies: u32,
    /// Play until it is known whether the first agent is stronger by elo1 rather than by elo0: elo0=0,elo1=50; and how
    /// often that may be wrong: alpha=0.05 (elo1 accepted), beta=0.05 (elo0 accepted)
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// The play time of each side for a whole game, in seconds: CPU time of an agent, time on the wall of a person;
    /// `none` for a person without a clock, the agent has 300 then
    #[arg(long, default_value = "300", value_parser = PlayTime::read)]
    time: PlayTime,
    /// How far past its time an agent may run before it is killed, in seconds; it loses all the same
    #[arg(long, default_value = "0")]
    grace: CpuTime,
    /// Which CPU time the clocks charge: cpu (user and system) or user. User time is sampled by the ticks of a clock,
    /// so a program can hide half of it or more; the sum is exact
    #[arg(long, default_value = "cpu", value_parser = charge)]
    charge: Charge,
    /// Read answers exactly: no stray blanks, empty lines or other letter case
    #[arg(long)]
    exact: bool,
    /// The weakest isolation of the agents that will do: bare, confined or sealed; the best that can be had is used
    #[arg(long, default_value = "bare", value_name = "LEVEL")]
    isolation: Isolation,
    /// How CPU time is measured: perf, cgroup-v2, cgroup-v1 or rusage [default: the best that can be had]
    #[arg(long)]
    meter: Option<Meter>,
    #[command(flatten)]
    limits: LimitArguments,
    /// A game is a draw after this many turns [default: 1000 in Halma, none otherwise]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turn_limit: Option<u32>,
    /// Where all randomness comes from: the same seed gives the same games of the built-in agents
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    #[command(flatten)]
    pin: PinArgument,
    /// The folder for the records; a folder with unfinished games is gone on with [default: a new one under results/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The maximum number of opponents: their numbers have two digits in the names of games.
const MOST_OPPONENTS: usize = 99;

/// The maximum number of games of a sequential test: numbers of games have four digits, and games come in pairs.
const MOST_TESTED: u32 = 9998;

fn charge(text: &str) -> Result<Charge, String> {
    match text {
        "cpu" => Ok(Charge::Cpu),
        "user" => Ok(Charge::User),
        _ => Err("expected `cpu` or `user`".to_owned()),
    }
}

impl PlayCommand {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let builds = scratch_dir(Scratch::Builds)?;
        match self.meeting()? {
            Matchup::Agents(agents) => on_threads(self.play_all(agents, builds.path().to_owned())),
            Matchup::Person(with) => on_threads(self.play_with_person(with, builds.path())),
        }
        .map(|()| CommandOutcome::Yes)
    }

    async fn play_all(self, agents: Vec<AgentSpec>, builds: PathBuf) -> Result<(), Failure> {
        if self.time == PlayTime::NoClock {
            return Err(Failure::Usage(
                "`--time none` is for a person: an agent has a clock of so many seconds".to_owned(),
            ));
        }
        let places = self.pin.places(Some(self.jobs))?;
        let plan = self.plan()?;
        let Ready { runner, question } = prepared(move || self.prepare(&agents, &plan, &builds)).await?;
        let (mut manifest, folder) = (runner.manifest.clone(), runner.folder.clone());
        let is_tested = !question.tests().is_empty();
        let question = Arc::new(Mutex::new(question));
        let undone = runner.undone();
        let all = manifest.games.len();
        let live = Live::new(manifest.game, "games", all, all - undone.len(), places.count());
        let how_to_go_on = format!(
            "finished games are kept, the same command with `--out {}` plays the others",
            folder.path().display()
        );
        let agenda = if is_tested {
            let (live, question, folder) = (live.clone(), Arc::clone(&question), folder.clone());
            Agenda::while_wanted(undone, move |task| {
                let mut question = question.lock().unwrap_or_else(PoisonError::into_inner);
                question.wants(task, &folder, &live)
            })
        } else {
            Agenda::from(undone)
        };
        play_out(runner, agenda, places, Watched::by(&live), &how_to_go_on).await?;
        let mut question = question.lock().unwrap_or_else(PoisonError::into_inner);
        question.conclude(&folder, &mut manifest)?;
        report::report(&folder, &manifest, &question)?;
        tell_voids(&folder, &manifest, &how_to_go_on)
    }

    /// The requested games.
    fn plan(&self) -> Result<GamePlan, Failure> {
        let games = match (self.games, self.sprt) {
            (None, None) => 1,
            (None, Some(_)) => MOST_TESTED,
            (Some(odd), Some(_)) if !odd.is_multiple_of(2) => {
                return Err(Failure::Usage(format!(
                    "`--sprt` counts pairs of games with the agents exchanged: expected an even number of `--games`, \
                     found `{odd}`"
                )));
            }
            (Some(games), _) => games,
        };
        Ok(GamePlan {
            game: self.game.id()?,
            seed: self.seed,
            games,
            opening_plies: self.opening_plies,
        })
    }

    fn seats(&self) -> SeatOptions {
        SeatOptions {
            charge: self.charge,
            meter: self.meter,
            isolation: IsolationRange::at_least(self.isolation),
            limits: self.limits.limits(),
            ..SeatOptions::default()
        }
    }

    fn conditions(&self, game: GameId) -> Conditions {
        let usual = Conditions::usual(game, self.time.of_agent());
        Conditions {
            charge: self.charge,
            tolerance: if self.exact {
                Tolerance::Exact
            } else {
                Tolerance::Tolerant
            },
            grace: self.grace,
            limits: self.limits.limits(),
            draws: DrawRules {
                turn_limit: self.turn_limit.or(usual.draws.turn_limit),
                ..usual.draws
            },
            ..usual
        }
    }
}
