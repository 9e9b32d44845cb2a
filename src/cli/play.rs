//! `referee play`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use super::game::GameArguments;
use super::output::print;
use super::{Answer, Failure};
use crate::agents::{AgentSpec, Calibration, Contestant, Workshop};
use crate::console::{Live, plain};
use crate::games::GameId;
use crate::protocol::Tolerance;
use crate::records::{AgentRecord, Conditions, DrawRules, Host, Manifest, PerSide, RunFolder, SCHEMA};
use crate::seat::Charge;
use crate::time::{CpuTime, WallTime};
use crate::tournament::{Event, Runner, Score, Tally, encounter};

/// Plays games between two agents. The first agent has the first turn in the first game, then they take turns.
///
/// An agent is a folder with a homework.py, .cpp or .java, a single source file, any executable, or built in:
/// builtin:random, builtin:minimax, builtin:minimax,depth=2,seed=7.
#[derive(Debug, Args)]
pub(super) struct Play {
    /// The agent that begins
    a: AgentSpec,
    /// The agent that it meets
    b: AgentSpec,
    #[command(flatten)]
    game: GameArguments,
    /// How many games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=9999))]
    games: u32,
    /// The play time of each side for a whole game, in seconds
    #[arg(long, default_value = "300", value_parser = play_time)]
    time: CpuTime,
    /// How far past its time an agent may run before it is killed, in seconds; it loses all the same
    #[arg(long, default_value = "0")]
    grace: CpuTime,
    /// Which CPU time the clocks charge: cpu (user and system) or user
    #[arg(long, default_value = "cpu", value_parser = charge)]
    charge: Charge,
    /// Read answers exactly: no stray blanks, empty lines or other letter case
    #[arg(long)]
    exact: bool,
    /// A game is a draw after this many turns [default: 1000 in Halma, none otherwise]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    turn_limit: Option<u32>,
    /// Where all randomness comes from: the same seed gives the same games of the built-in agents
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many games at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// The folder for the records; a folder with unfinished games is gone on with [default: a new one under results/]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn play_time(text: &str) -> Result<CpuTime, String> {
    let time: CpuTime = text
        .parse()
        .map_err(|error: crate::time::NotSeconds| error.to_string())?;
    if time == CpuTime::ZERO {
        Err("an agent needs more than 0 seconds to play".to_owned())
    } else {
        Ok(time)
    }
}

fn charge(text: &str) -> Result<Charge, String> {
    match text {
        "cpu" => Ok(Charge::Cpu),
        "user" => Ok(Charge::User),
        _ => Err("expected `cpu` or `user`".to_owned()),
    }
}

impl Play {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let game = self.game.id()?;
        let builds = tempfile::tempdir().map_err(|error| Failure::Machine(format!("no temporary folder: {error}")))?;
        let contestants = self.contestants(builds.path())?;
        let manifest = self.manifest(game, &contestants);
        let path = self.out.clone().unwrap_or_else(|| default_folder(game));
        let folder = RunFolder::begin(&path, &manifest)?;
        let names = contestants.each_ref().map(|contestant| contestant.name().to_owned());
        let contestants = calibrated(contestants)?;
        self.play(Runner {
            manifest,
            folder: folder.clone(),
            contestants,
        })?;
        report(&folder, &names)?;
        Ok(Answer::Yes)
    }

    /// Both agents, built and under two different names, not calibrated yet.
    fn contestants(&self, builds: &Path) -> Result<[Contestant; 2], Failure> {
        let workshop = Workshop::new()
            .map_err(|error| Failure::Machine(format!("cannot tell where `referee` itself is: {error}")))?;
        let ready = |spec: &AgentSpec, build: &str| {
            let agent = workshop
                .prepare(spec, &builds.join(build))
                .map_err(|error| Failure::Input(error.to_string()))?;
            for remark in &agent.remarks {
                eprintln!("{}: {remark}", agent.name);
            }
            Ok::<_, Failure>(Contestant::new(agent))
        };
        let [a, b] = [ready(&self.a, "a")?, ready(&self.b, "b")?];
        if a.name() == b.name() {
            let [first, second] = ["1", "2"].map(|number| format!("{}-{number}", a.name()));
            return Ok([a.renamed(first), b.renamed(second)]);
        }
        Ok([a, b])
    }

    fn manifest(&self, game: GameId, contestants: &[Contestant; 2]) -> Manifest {
        let [a, b] = contestants;
        let record = |contestant: &Contestant| AgentRecord {
            name: contestant.name().to_owned(),
            origin: contestant.agent().spec.to_string(),
            digest: contestant.digest(),
        };
        Manifest {
            schema: SCHEMA,
            referee: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            conditions: self.conditions(game),
            seed: self.seed,
            agents: vec![record(a), record(b)],
            games: encounter(game, a.name(), b.name(), self.games),
            host: Host::this(),
        }
    }

    fn conditions(&self, game: GameId) -> Conditions {
        let draws = DrawRules::of(game);
        Conditions {
            charge: self.charge,
            tolerance: if self.exact {
                Tolerance::Exact
            } else {
                Tolerance::Tolerant
            },
            play_time: PerSide {
                black: self.time,
                white: self.time,
            },
            grace: self.grace,
            guard_factor: 3,
            guard_extra: WallTime::from_secs(10),
            uncertainty: crate::seat::uncertainty(self.charge),
            draws: DrawRules {
                turn_limit: self.turn_limit.or(draws.turn_limit),
                ..draws
            },
        }
    }

    fn play(&self, runner: Runner) -> Result<(), Failure> {
        let folder = runner.folder.clone();
        let finished = folder.finished()?.len();
        let jobs = usize::from(self.jobs);
        let live = Live::new(runner.manifest.game, runner.manifest.games.len(), finished, jobs);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::Machine(format!("cannot start threads: {error}")))?;
        let shown = live.clone();
        let ended = runtime.block_on(async {
            tokio::select! {
                ended = runner.run(jobs, move |event: Event| shown.show(event)) => Some(ended),
                _ = tokio::signal::ctrl_c() => None,
            }
        });
        live.close();
        // Games still in hand are dropped with the process; their keepers notice and kill what they started.
        runtime.shutdown_background();
        match ended {
            Some(ended) => Ok(ended?),
            None => Err(Failure::Interrupted(format!(
                "interrupted; finished games are kept, the same command with `--out {}` plays the others",
                folder.path().display()
            ))),
        }
    }
}

/// The contestants by their names, after the one run of their calibrate programs.
fn calibrated(contestants: [Contestant; 2]) -> Result<BTreeMap<String, Contestant>, Failure> {
    let mut ready = BTreeMap::new();
    for mut contestant in contestants {
        let name = contestant.name().to_owned();
        match contestant
            .calibrate()
            .map_err(|error| Failure::Machine(format!("{name}: calibrate: {error}")))?
        {
            Calibration::None | Calibration::Done => {}
            Calibration::Odd(oddity) => eprintln!("{name}: calibrate {}; it plays all the same", plain(&oddity)),
        }
        ready.insert(name, contestant);
    }
    Ok(ready)
}

/// A folder named after the time and the game.
fn default_folder(game: GameId) -> PathBuf {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    Path::new("results").join(format!("{}-{seconds}", game.name()))
}

/// Prints the score of the two agents from the records of the run.
fn report(folder: &RunFolder, names: &[String; 2]) -> Result<(), Failure> {
    let mut score = Score::default();
    for id in folder.finished()? {
        score.add(&folder.game(&id)?);
    }
    let mut lines: Vec<String> = names.iter().map(|name| tally_line(name, score.of(name))).collect();
    lines.push(format!("records: {}", folder.path().display()));
    print(&(lines.join("\n") + "\n"))
}

fn tally_line(name: &str, tally: Tally) -> String {
    let Tally {
        won,
        drawn,
        lost,
        won_level,
        forfeited,
    } = tally;
    let points = f64::from(tally.half_points()) / 2.0;
    let name = plain(name);
    format!(
        "{name}: {points} of {} points; {won} won ({won_level} of them level on the board), {drawn} drawn, {lost} lost ({forfeited} by forfeit)",
        tally.games()
    )
}
