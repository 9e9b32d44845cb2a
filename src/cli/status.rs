//! `referee status`

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::compete::{competition_of, next};
use super::output::{print, say};
use super::standings::complain;
use super::{Answer, Failure};
use crate::games::Side;
use crate::records::{Manifest, RunFolder};
use crate::tournament::{Format, Next, planned};
use crate::wording::{counted, plain};

/// Tells how far a run is: games finished and missing, of each round and agent, and how to go on. The exit status is 0 where
/// nothing is missing, 1 otherwise.
#[derive(Debug, Args)]
pub(super) struct Status {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How far a run is; `--json` prints it.
#[derive(Serialize)]
struct Progress {
    run: String,
    game: String,
    games: usize,
    finished: usize,
    /// The rounds that are planned; empty for what is no competition.
    rounds: Vec<RoundProgress>,
    /// How many rounds there will be, where that is known.
    rounds_in_all: Option<usize>,
    /// Whether rounds will follow that are not planned yet.
    more_rounds: bool,
    agents: Vec<AgentProgress>,
    /// Why records cannot be read that are there.
    unreadable: Vec<String>,
    /// Files among the records that are of no game of the run.
    strangers: Vec<String>,
}

#[derive(Serialize)]
struct RoundProgress {
    number: u32,
    games: usize,
    finished: usize,
}

#[derive(Serialize)]
struct AgentProgress {
    name: String,
    origin: String,
    games: usize,
    finished: usize,
}

impl Status {
    pub(super) fn run(self) -> Result<Answer, Failure> {
        let folder = RunFolder::open(&self.run)?;
        let progress = Progress::of(&folder, &folder.manifest()?)?;
        if self.json {
            let text = serde_json::to_string(&progress);
            print(&(text.map_err(|error| Failure::Bug(error.to_string()))? + "\n"))?;
        } else {
            say(&(progress.lines().join("\n") + "\n"))?;
        }
        complain(&progress.unreadable)?;
        Ok(if progress.missing() == 0 && !progress.more_rounds {
            Answer::Yes
        } else {
            Answer::No
        })
    }
}

impl Progress {
    fn of(folder: &RunFolder, manifest: &Manifest) -> Result<Self, Failure> {
        let mut unreadable = Vec::new();
        let mut of_agent: BTreeMap<String, usize> = BTreeMap::new();
        let mut finished = BTreeSet::new();
        for summary in folder.summaries(manifest) {
            match summary {
                Ok(summary) => {
                    for side in Side::BOTH {
                        *of_agent.entry(summary.name(side).to_owned()).or_default() += 1;
                    }
                    finished.insert(summary.id);
                }
                Err(error) => unreadable.push(plain(&error.to_string())),
            }
        }
        let games_of = |name: &str| {
            let sides = manifest
                .games
                .iter()
                .flat_map(|pairing| Side::BOTH.map(|side| pairing.name(side)));
            sides.filter(|player| *player == name).count()
        };
        let agents = manifest.agents.iter().map(|agent| AgentProgress {
            name: agent.name.clone(),
            origin: agent.origin.clone(),
            games: games_of(&agent.name),
            finished: of_agent.get(&agent.name).copied().unwrap_or_default(),
        });
        let competition = competition_of(folder, manifest)?;
        let rounds: Vec<RoundProgress> = planned(manifest)
            .iter()
            .map(|round| RoundProgress {
                number: round.number,
                games: round.games().count(),
                finished: round.games().filter(|game| finished.contains(&game.id)).count(),
            })
            .collect();
        Ok(Self {
            run: folder.path().display().to_string(),
            game: manifest.game.to_string(),
            games: manifest.games.len(),
            finished: finished.len(),
            rounds_in_all: competition
                .as_ref()
                .and_then(|competition| rounds_in_all(&competition.format, rounds.len())),
            more_rounds: competition
                .is_some_and(|competition| matches!(next(manifest, &competition, folder), Next::Play(_))),
            rounds,
            agents: agents.collect(),
            unreadable,
            strangers: folder.strangers(manifest)?,
        })
    }

    const fn missing(&self) -> usize {
        self.games - self.finished
    }

    fn lines(&self) -> Vec<String> {
        let games = counted(self.games, "game");
        let mut lines = vec![format!(
            "{}: {}, {} of {games} finished",
            self.run, self.game, self.finished
        )];
        lines.extend(self.round_line());
        lines.extend(self.agents.iter().map(|agent| {
            let (name, origin) = (plain(&agent.name), plain(&agent.origin));
            format!(
                "{name} ({origin}): {} of {} finished",
                agent.finished,
                counted(agent.games, "game")
            )
        }));
        let strangers = self.strangers.iter();
        lines.extend(strangers.map(|name| format!("not a game of this run: {}", plain(name))));
        lines.push(self.what_next());
        lines
    }

    /// How far the first round is that is not finished, or the last one.
    fn round_line(&self) -> Option<String> {
        let is_going_on = |round: &&RoundProgress| round.finished < round.games;
        let round = self.rounds.iter().find(is_going_on).or(self.rounds.last())?;
        let of = self.rounds_in_all.map_or(String::new(), |all| format!(" of {all}"));
        let games = counted(round.games, "game");
        Some(format!(
            "round {}{of}: {} of {games} finished",
            round.number, round.finished
        ))
    }

    fn what_next(&self) -> String {
        let broken = self.unreadable.len();
        match self.missing() {
            0 if self.more_rounds => format!(
                "to play the rounds that follow: the command that began the run, with the same agents and options and `--out {}`",
                self.run
            ),
            0 => "nothing is missing".to_owned(),
            missing if missing == broken => {
                "to play the unreadable games again: remove their files, then give the command that began the run with \
                 `--out "
                    .to_owned()
                    + &self.run
                    + "`"
            }
            missing => format!(
                "to play the {} that {} missing: the command that began the run, with the same agents and options and \
                 `--out {}`",
                counted(missing - broken, "game"),
                if missing - broken == 1 { "is" } else { "are" },
                self.run
            ),
        }
    }
}

/// How many rounds a competition has, where that does not depend on how its games end.
fn rounds_in_all(format: &Format, planned: usize) -> Option<usize> {
    match format {
        Format::RoundRobin | Format::Gauntlet { .. } => Some(planned),
        Format::Swiss { rounds } => usize::try_from(*rounds).ok(),
        Format::Knockout | Format::DoubleKnockout | Format::Elimination { .. } | Format::RandomRounds { .. } => None,
    }
}
