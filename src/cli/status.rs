//! `referee status`: prints the progress of a run and how to resume it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::nodes::node_lines;
use super::output::{print_json, say};
use super::standings::{readable, report_unreadable};
use super::voids::{fix_rules, withdrawal};
use super::{CommandOutcome, Failure};
use crate::runs::{competition_of, open_run};
use crate::shell::shell_path;
use referee_games::{KnownGames, Side};
use referee_matches::shards::{MachineReport, RunMachines};
use referee_matches::tournament::{Format, NextStep, Results, Voids, planned};
use referee_messages::{counted, counted_are, missing_lines, plain};
use referee_records::{AgentRecord, GameOnMachine, Manifest, Pairing, RunFolder, RunKind, VoidRecord};

/// Show the progress of a run: finished and missing games and answers, of each round and agent, and how to resume
///
/// Exits with 0 if nothing is missing, 1 otherwise.
#[derive(Debug, Args)]
pub(super) struct StatusCommand {
    /// Run directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
    /// List every machine that played games
    #[arg(long)]
    nodes: bool,
}

/// The progress of a run; `--json` prints it.
#[derive(Serialize)]
struct RunProgress {
    run: String,
    game: &'static str,
    #[serde(skip)]
    title: String,
    games: usize,
    finished: usize,
    /// The single moves and cases of a grading, and how many of them were answered.
    answers: usize,
    answered: usize,
    /// The planned rounds; empty without competition.
    rounds: Vec<RoundProgress>,
    /// The total number of rounds, if known.
    rounds_in_all: Option<usize>,
    /// Whether rounds will follow that are not planned yet.
    more_rounds: bool,
    agents: Vec<AgentProgress>,
    /// Why records cannot be read.
    unreadable: Vec<String>,
    /// Files among the records that belong to no game of the run.
    foreign_files: Vec<String>,
    /// The number of pairs claimed by shards, including dead ones.
    claimed: usize,
    /// The machines that games were played on.
    nodes: MachineReport,
    /// Whether the run contains its agents, so that it can be played without the originals.
    #[serde(skip)]
    holds_agents: bool,
    #[serde(skip)]
    kind: RunKind,
    /// The games and answers without a result, because they were void at every attempt.
    void: Vec<VoidRecord>,
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
    answers: usize,
    answered: usize,
}

impl AgentProgress {
    fn of(agent: &AgentRecord) -> Self {
        let (name, origin) = (agent.name.clone(), agent.origin.clone());
        Self { name, origin, games: 0, finished: 0, answers: 0, answered: 0 }
    }
}

impl StatusCommand {
    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let (folder, manifest) = open_run(&self.run, games)?;
        let progress = RunProgress::of(&folder, &manifest)?;
        if self.json {
            print_json(&progress)?;
        } else {
            say(&(progress.lines(self.nodes).join("\n") + "\n"))?;
        }
        report_unreadable(&progress.unreadable)?;
        Ok((progress.missing() == 0 && !progress.more_rounds).into())
    }
}

impl RunProgress {
    fn of(folder: &RunFolder, manifest: &Manifest) -> Result<Self, Failure> {
        let mut agents: Vec<AgentProgress> = manifest.agents.iter().map(AgentProgress::of).collect();
        let names = manifest.agents.iter().map(|agent| agent.name.as_str());
        let places: HashMap<&str, usize> = names.zip(0..).collect();
        let mut count = |name: &str, add: fn(&mut AgentProgress)| {
            if let Some(&place) = places.get(name) {
                add(&mut agents[place]);
            }
        };
        let mut unreadable = Vec::new();
        let mut results = Results::new();
        let mut nodes = RunMachines::default();
        for GameOnMachine { summary, played_on } in readable(folder.games_on_machines(manifest), &mut unreadable) {
            for side in Side::BOTH {
                count(summary.name(side), |agent| agent.finished += 1);
            }
            nodes.add(&summary.id, &played_on);
            results.insert(summary.id, summary.outcome.winner());
        }
        let answered: HashSet<String> = folder.answered(manifest).into_iter().collect();
        for asked in &manifest.answers {
            count(&asked.agent, |agent| agent.answers += 1);
            if answered.contains(&asked.id) {
                match folder.answer(&asked.id) {
                    Ok(_) => count(&asked.agent, |agent| agent.answered += 1),
                    Err(error) => unreadable.push(plain(&error.to_string())),
                }
            }
        }
        let is_expected = |pairing: &&Pairing| !manifest.is_called_off(pairing) || results.contains_key(&pairing.id);
        for pairing in manifest.games.iter().filter(is_expected) {
            for side in Side::BOTH {
                count(pairing.name(side), |agent| agent.games += 1);
            }
        }
        let competition = competition_of(folder, manifest)?;
        let rounds: Vec<RoundProgress> = planned(manifest)
            .iter()
            .map(|round| RoundProgress {
                number: round.number,
                games: round.games().filter(is_expected).count(),
                finished: round.games().filter(|game| results.contains_key(&game.id)).count(),
            })
            .collect();
        Ok(Self {
            run: folder.path().display().to_string(),
            game: manifest.game.name(),
            title: manifest.game.to_string(),
            games: manifest.games_in_all(|id| results.contains_key(id)),
            finished: results.len(),
            answers: manifest.answers.len(),
            answered: agents.iter().map(|agent| agent.answered).sum(),
            claimed: folder.claimed()?.len(),
            nodes: nodes.report(manifest),
            holds_agents: manifest.seating.is_some(),
            kind: manifest.kind,
            void: Voids::of(folder, manifest)?.set_aside,
            rounds_in_all: competition
                .as_ref()
                .and_then(|competition| rounds_in_all(&competition.format, rounds.len())),
            more_rounds: competition
                .is_some_and(|competition| matches!(competition.next(manifest, &results), NextStep::Play(_))),
            rounds,
            agents,
            unreadable,
            foreign_files: folder.foreign_files(manifest)?,
        })
    }

    const fn missing(&self) -> usize {
        // A ladder lists only games that have a record.
        let void = if matches!(self.kind, RunKind::Ladder) { self.void.len() } else { 0 };
        self.games - self.finished + self.answers - self.answered + void
    }

    fn lines(&self, every_node: bool) -> Vec<String> {
        let done = done_of([self.finished, self.games], [self.answered, self.answers]);
        let mut lines = vec![format!("{}: {}, {done} finished", self.run, self.title)];
        lines.extend(self.round_line());
        lines.extend(self.agents.iter().map(|agent| {
            let (name, origin) = (plain(&agent.name), plain(&agent.origin));
            let done = done_of([agent.finished, agent.games], [agent.answered, agent.answers]);
            format!("{name} ({origin}): {done} finished")
        }));
        lines.extend(self.foreign_files.iter().map(|name| format!("not a game of this run: {}", plain(name))));
        lines.extend(node_lines(&self.nodes, every_node));
        if self.claimed > 0 {
            let pairs = counted(self.claimed, "pair");
            lines.push(format!("{pairs} of games claimed by running or dead shards"));
        }
        lines.extend(missing_lines(&self.void));
        lines.push(self.what_next());
        lines
    }

    /// The progress of the first unfinished round, or of the last one.
    fn round_line(&self) -> Option<String> {
        let is_going_on = |round: &&RoundProgress| round.finished < round.games;
        let round = self.rounds.iter().find(is_going_on).or(self.rounds.last())?;
        let of = self.rounds_in_all.map_or(String::new(), |all| format!(" of {all}"));
        let games = counted(round.games, "game");
        Some(format!("round {}{of}: {} of {games} finished", round.number, round.finished))
    }

    /// The command to resume: `part` for a run played in parts, or the one that began it.
    fn way_on(&self, part: &str) -> String {
        let run = shell_path(Path::new(&self.run));
        if self.kind == RunKind::Ladder {
            return format!("`referee ladder play {run}`");
        }
        let begun = format!("the command that started the run, with the same agents and options and `--out {run}`");
        if self.holds_agents { format!("`referee {part} {run}`, or {begun}") } else { begun }
    }

    /// The command that goes on without an agent whose games stay void and hold up a competition.
    fn way_without(&self) -> String {
        if self.kind != RunKind::Competition || self.void.is_empty() {
            return String::new();
        }
        format!("; or continue by {}", withdrawal(Path::new(&self.run)))
    }

    fn what_next(&self) -> String {
        let broken = self.unreadable.len();
        match self.missing() {
            0 if self.more_rounds => format!("play the next rounds: {}", self.way_on("plan --next")),
            0 => "nothing is missing".to_owned(),
            missing if self.void.iter().any(VoidRecord::is_of_rules) => {
                format!("{} missing, and the rules failed: {}", counted_are(missing, "game"), fix_rules(self.kind))
            }
            missing if missing == broken => {
                format!("redo what cannot be read: remove these files, then use {}", self.way_on("shard"))
            }
            missing => format!(
                "{}, resume with {}",
                match missing - broken {
                    1 => format!(
                        "{} is missing; if nothing plays it now",
                        things(1, self.games - self.finished, self.answers - self.answered)
                    ),
                    some => format!(
                        "{} are missing; if nothing plays them now",
                        things(some, self.games - self.finished, self.answers - self.answered)
                    ),
                },
                self.way_on("shard") + &self.way_without()
            ),
        }
    }
}

/// `35 of 36 games and answers`, of the finished and the planned games and answers.
fn done_of([finished, games]: [usize; 2], [answered, answers]: [usize; 2]) -> String {
    format!("{} of {}", finished + answered, things(games + answers, games, answers))
}

/// This many of what `games` and `answers` there are, in words.
fn things(count: usize, games: usize, answers: usize) -> String {
    match (games, answers) {
        (_, 0) => counted(count, "game"),
        (0, _) => counted(count, "answer"),
        _ if count == 1 => "1 game or answer".to_owned(),
        _ => format!("{count} games and answers"),
    }
}

/// The number of rounds of a competition, if it does not depend on results.
fn rounds_in_all(format: &Format, planned: usize) -> Option<usize> {
    match format {
        Format::RoundRobin | Format::Gauntlet { .. } => Some(planned),
        Format::Swiss { rounds } => usize::try_from(*rounds).ok(),
        Format::Knockout | Format::DoubleKnockout | Format::Elimination { .. } | Format::RandomRounds { .. } => None,
    }
}
