//! `referee play`

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use super::forfeits::Forfeits;
use super::game::GameArguments;
use super::limits::LimitArguments;
use super::output::{note, print};
use super::places::PinArgument;
use super::session::{Watched, on_threads, play_out, prepared};
use super::{Answer, Failure};
use crate::agents::{AgentSpec, Calibration, Contestant, Workshop};
use crate::console::Live;
use crate::games::GameId;
use crate::protocol::Tolerance;
use crate::records::{AgentRecord, Conditions, DrawRules, Host, Manifest, PerSide, Role, RunFolder, SCHEMA};
use crate::seat::{Charge, Isolation, IsolationRange, Meter, SeatOptions};
use crate::time::{CpuTime, WallTime};
use crate::tournament::{Crosstable, Runner, Tally, encounter};
use crate::wording::plain;

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
        let builds = tempfile::tempdir().map_err(|error| Failure::Machine(format!("no temporary folder: {error}")))?;
        on_threads(self.play_all(builds.path().to_owned())).map(|()| Answer::Yes)
    }

    async fn play_all(self, builds: PathBuf) -> Result<(), Failure> {
        let places = self.pin.places(Some(self.jobs))?;
        let runner = prepared(move || self.prepare(&builds)).await?;
        let (manifest, folder) = (runner.manifest.clone(), runner.folder.clone());
        let undone = runner.undone();
        let all = manifest.games.len();
        let live = Live::new(manifest.game, "games", all, all - undone.len(), places.count());
        let how_to_go_on = format!(
            "finished games are kept, the same command with `--out {}` plays the others",
            folder.path().display()
        );
        play_out(runner, undone, places, Watched::by(&live), &how_to_go_on).await?;
        report(&folder, &manifest)
    }

    /// Everything before the first game: agents built and calibrated, the run begun or found again.
    fn prepare(&self, builds: &Path) -> Result<Runner, Failure> {
        let game = self.game.id()?;
        let contestants = self.contestants(builds)?;
        let seats = self.seats();
        for contestant in &contestants {
            // Whether this machine can do what was asked is better known before a run is begun.
            contestant
                .take_seat(game, 0, &seats)
                .map_err(|error| Failure::Machine(error.to_string()))?;
        }
        let manifest = self.manifest(game, &contestants);
        let path = self.out.clone().map_or_else(|| default_folder(game), Ok)?;
        let folder = RunFolder::begin(&path, &manifest)?;
        let contestants = calibrated(contestants, &seats)?;
        Ok(Runner {
            manifest,
            folder,
            seats,
            contestants,
        })
    }

    /// Both agents, built and under two different names, not calibrated yet.
    fn contestants(&self, builds: &Path) -> Result<[Contestant; 2], Failure> {
        let mut workshop = Workshop::new()
            .map_err(|error| Failure::Machine(format!("cannot tell where `referee` itself is: {error}")))?;
        workshop.seats = self.seats();
        let ready = |spec: &AgentSpec, build: &str| {
            let agent = workshop.prepare(spec, &builds.join(build))?;
            for remark in &agent.remarks {
                note(&format!("{}: {remark}", agent.name));
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
            role: Role::Entrant,
            remarks: contestant.agent().remarks.clone(),
        };
        Manifest {
            schema: SCHEMA,
            referee: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            conditions: self.conditions(game),
            seed: self.seed,
            agents: vec![record(a), record(b)],
            rejected: vec![],
            games: encounter(game, a.name(), b.name(), self.games),
            rounds: vec![],
            questions: vec![],
            answers: vec![],
            host: Host::this(),
        }
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
            limits: self.limits.limits(),
            draws: DrawRules {
                turn_limit: self.turn_limit.or(draws.turn_limit),
                ..draws
            },
        }
    }
}

/// The contestants by their names, after the one run of their calibrate programs.
fn calibrated(contestants: [Contestant; 2], seats: &SeatOptions) -> Result<BTreeMap<String, Contestant>, Failure> {
    let mut ready = BTreeMap::new();
    for mut contestant in contestants {
        let name = contestant.name().to_owned();
        match contestant
            .calibrate(seats)
            .map_err(|error| Failure::Machine(format!("{name}: calibrate: {error}")))?
        {
            Calibration::None | Calibration::Done => {}
            Calibration::Odd(oddity) => {
                note(&format!("{name}: calibrate {}; it plays all the same", plain(&oddity)));
            }
        }
        ready.insert(name, contestant);
    }
    Ok(ready)
}

/// A new folder under `results`, named after the game and the time, and numbered where that is taken.
fn default_folder(game: GameId) -> Result<PathBuf, Failure> {
    let results = Path::new("results");
    let failed = |error| Failure::Write(format!("cannot make a folder under `results`: {error}"));
    fs::create_dir_all(results).map_err(failed)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let name = format!("{}-{}", game.name(), now.map_or(0, |since| since.as_secs()));
    let numbered = (2..).map(|number: u32| format!("{name}-{number}"));
    for name in std::iter::once(name.clone()).chain(numbered) {
        match fs::create_dir(results.join(&name)) {
            Ok(()) => return Ok(results.join(name)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Err(Failure::Write("`results` has no room for another folder".to_owned()))
}

/// Prints the score of the two agents from the records of the run, and explains what they forfeited.
fn report(folder: &RunFolder, manifest: &Manifest) -> Result<(), Failure> {
    let mut score = Crosstable::new(manifest.agents.iter().map(|agent| agent.name.as_str()));
    let mut forfeits = Forfeits::default();
    for summary in folder.summaries(manifest) {
        let summary = summary?;
        score.add(&summary);
        forfeits.add(&summary);
    }
    let agents = score.names().iter().enumerate();
    let mut lines: Vec<String> = agents
        .map(|(index, name)| tally_line(name, score.tally(index)))
        .collect();
    lines.push(format!("records: {}", folder.path().display()));
    lines.extend(forfeits.lines(folder, console::colors_enabled())?);
    print(&(lines.join("\n") + "\n"))
}

fn tally_line(name: &str, tally: &Tally) -> String {
    let points = f64::from(tally.half_points()) / 2.0;
    let Tally { won, drawn, lost, .. } = tally;
    format!(
        "{}: {points} of {} points; {} won ({} of them level on the board), {drawn} drawn, {} lost ({} by forfeit)",
        plain(name),
        tally.games(),
        won.total(),
        won.level(),
        lost.total(),
        lost.forfeit,
    )
}
