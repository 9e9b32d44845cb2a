//! From the folder of a run to the view model.

use std::collections::{BTreeMap, BTreeSet};

use super::agents::{TimeUse, agents};
use super::board::board_of;
use super::discretion::{Cast, Naming};
use super::game::game;
use super::grades::grades;
use super::view::{Fact, Game, Meeting, Rejected, RoundView, VIEW_SCHEMA, View};
use crate::assignment::Assignment;
use crate::games::Side;
use crate::grading::gradebook;
use crate::protocol::{Tolerance, plain};
use crate::records::{GameRecord, Manifest, ManifestIndex, PerSide, RecordError, RunFolder};
use crate::seat::{Charge, Isolation};
use crate::tournament::{Crosstable, Encounter, RatingOptions, Standings, TieBreak, planned, ratings};
use crate::wording::counted;

/// A view model, and what is missing from it.
#[derive(Debug)]
pub struct Report {
    /// What there is to show.
    pub view: View,
    /// Why some records are not shown: a sentence each, fit for a terminal.
    pub unreadable: Vec<String>,
}

/// Makes the report of the run in `folder`, whose assignment is `assignment` where it belongs to one.
///
/// # Errors
///
/// [`RecordError`] where the manifest or the answers of a grading cannot be read. A game that cannot be read is left out
/// and told of.
pub fn report(folder: &RunFolder, assignment: Option<&Assignment>, naming: Naming) -> Result<Report, RecordError> {
    let manifest = folder.manifest()?;
    let table = counted_games(folder, &manifest);
    let standings = Standings::of(&table, &TieBreak::ROUND_ROBIN);
    let ratings = ratings(&table, &RatingOptions::default());
    let cast = Cast::new(naming, &manifest, &standings);
    let played = Played::read(folder, &manifest, &cast);
    // The folder of a competition may have criteria in its assignment, too; it has rounds, and no answers.
    let graded = assignment.filter(|assignment| !assignment.criteria.is_empty() && manifest.rounds.is_empty());
    let gradebook = graded.map(|assignment| gradebook(assignment, folder)).transpose()?;
    let view = View {
        schema: VIEW_SCHEMA,
        title: assignment.map_or_else(|| format!("Games of {}", manifest.game), |it| plain(&it.title)),
        run: (!cast.is_discreet()).then(|| run_name(folder)).flatten(),
        facts: facts(&manifest, &played, &cast),
        planned: manifest.games.len(),
        board: board_of(manifest.game),
        agents: agents(&manifest, &standings, &ratings, &played.times, &cast),
        remarks: remarks(&standings),
        rounds: rounds(&manifest, &played.games, &cast),
        grades: gradebook.map(|gradebook| grades(&gradebook, &cast)),
        rejected: rejected(&manifest, &cast),
        games: played.games,
    };
    Ok(Report {
        view,
        unreadable: played.unreadable,
    })
}

/// The results of all readable games; what cannot be read is told of when the games are read whole.
fn counted_games(folder: &RunFolder, manifest: &Manifest) -> Crosstable {
    let mut table = Crosstable::new(manifest.agents.iter().map(|agent| agent.name.as_str()));
    for summary in folder.summaries(manifest).flatten() {
        table.add(&summary);
    }
    table
}

/// What the whole records tell.
#[derive(Default)]
struct Played {
    games: Vec<Game>,
    unreadable: Vec<String>,
    /// By the agents' indices.
    times: Vec<TimeUse>,
    isolation: BTreeSet<Isolation>,
    meters: BTreeSet<&'static str>,
}

impl Played {
    /// Reads the finished games one at a time: a record is far larger than what is shown of it.
    fn read(folder: &RunFolder, manifest: &Manifest, cast: &Cast) -> Self {
        let mut played = Self {
            times: vec![TimeUse::default(); manifest.agents.len()],
            ..Self::default()
        };
        let finished: BTreeSet<String> = folder.finished(manifest).into_iter().collect();
        let index = ManifestIndex::of(manifest);
        let games = cast.in_order(manifest);
        for pairing in games.into_iter().filter(|pairing| finished.contains(&pairing.id)) {
            match folder.game(&pairing.id) {
                Ok(record) => played.add(&record, &index, cast),
                Err(error) => played.unreadable.push(plain(&error.to_string())),
            }
        }
        played
    }

    fn add(&mut self, record: &GameRecord, index: &ManifestIndex<'_>, cast: &Cast) {
        let contradiction = index.contradiction(record);
        let packed = contradiction.map_or_else(|| game(record, cast).map_err(|error| error.to_string()), Err);
        match packed {
            Ok(game) => self.games.push(game),
            Err(reason) => {
                self.unreadable
                    .push(plain(&format!("game `{}` cannot be shown: {reason}", record.id)));
                return;
            }
        }
        for side in Side::BOTH {
            let player = record.players.of(side);
            self.isolation.insert(player.isolation);
            self.meters.insert(player.meter.name());
            if let Some(times) = self.times.get_mut(cast.place(&player.name)) {
                times.add(record, side);
            }
        }
    }
}

fn run_name(folder: &RunFolder) -> Option<String> {
    let path = folder.path().canonicalize().ok()?;
    Some(plain(&path.file_name()?.to_string_lossy()))
}

fn facts(manifest: &Manifest, played: &Played, cast: &Cast) -> Vec<Fact> {
    let conditions = &manifest.conditions;
    let PerSide { black, white } = conditions.play_time;
    let charge = match conditions.charge {
        Charge::Cpu => "user and system time",
        Charge::User => "user time alone",
    };
    let times = if black == white {
        format!("{black} s of CPU time a side")
    } else {
        format!("{black} s and {white} s of CPU time")
    };
    let tolerance = match conditions.tolerance {
        Tolerance::Tolerant => "with tolerance for blanks, line ends and letter case",
        Tolerance::Exact => "exactly as the handout has it",
    };
    let isolation: Vec<&str> = played.isolation.iter().map(|level| level.name()).collect();
    let meters: Vec<&str> = played.meters.iter().copied().collect();
    let host = &manifest.host;
    let machine = format!(
        "{}, {}, {}",
        host.cpu_model,
        counted(host.processors, "processor"),
        host.system
    );
    let machine = if cast.is_discreet() {
        machine
    } else {
        format!("{}: {machine}", host.name)
    };
    let all = [
        ("game", manifest.game.to_string()),
        (
            "games",
            format!("{} of {} finished", played.games.len(), manifest.games.len()),
        ),
        ("clock", format!("{times}, charged by {charge}")),
        ("output.txt", format!("read {tolerance}")),
        ("isolation", isolation.join(", ")),
        ("meter", meters.join(", ")),
        ("machine", plain(&machine)),
        ("seed", manifest.seed.to_string()),
        ("referee", format!("version {}", plain(&manifest.referee))),
    ];
    let told = all.into_iter().filter(|(_, value)| !value.is_empty());
    told.map(|(name, value)| Fact { name, value }).collect()
}

fn remarks(standings: &Standings) -> Vec<String> {
    let rules = standings.tie_breaks.iter().map(|rule| rule.name());
    let order: Vec<&str> = std::iter::once("points").chain(rules).collect();
    let mut remarks = vec![format!("order: {}; still tied: a shared rank", order.join(", then "))];
    let first = &standings.first_move;
    if let Some(score) = first.score {
        remarks.push(format!(
            "the side that moved first scored {:.1} % of the points (95 % interval {:.1} to {:.1})",
            100.0 * score,
            100.0 * first.interval.low,
            100.0 * first.interval.high,
        ));
    }
    remarks
}

fn rounds(manifest: &Manifest, games: &[Game], cast: &Cast) -> Vec<RoundView> {
    let finished: BTreeMap<&str, &Game> = games.iter().map(|game| (game.id.as_str(), game)).collect();
    let rounds = planned(manifest).into_iter();
    rounds
        .map(|round| RoundView {
            number: round.number,
            meetings: round
                .encounters
                .iter()
                .map(|one| meeting(one, &finished, cast))
                .collect(),
            byes: round.byes.iter().map(|name| cast.place(name)).collect(),
        })
        .collect()
}

fn meeting(encounter: &Encounter, finished: &BTreeMap<&str, &Game>, cast: &Cast) -> Meeting {
    let agents = encounter.players.each_ref().map(|name| cast.place(name));
    let ids = encounter.games.iter().filter_map(|pairing| cast.id(&pairing.id));
    let games: Vec<String> = ids.map(str::to_owned).collect();
    let points = |agent| {
        let played = games.iter().filter_map(|id| finished.get(id.as_str()));
        played.map(|game| points(game, agent)).sum()
    };
    Meeting {
        agents,
        points: agents.map(points),
        games,
    }
}

/// What `agent`, one of the two players, got from `game`.
fn points(game: &Game, agent: usize) -> f64 {
    match (game.score, game.black == agent) {
        ("1-0", true) | ("0-1", false) => 1.0,
        ("1-0", false) | ("0-1", true) => 0.0,
        _ => 0.5,
    }
}

fn rejected(manifest: &Manifest, cast: &Cast) -> Vec<Rejected> {
    let rejected = manifest.rejected.iter();
    rejected
        .map(|rejection| Rejected {
            name: cast.name(&rejection.name),
            fault: cast.finding(&rejection.fault),
        })
        .collect()
}
