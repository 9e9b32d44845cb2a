//! Builds the view model from the folder of a run. It renders no page and counts nothing that `tournament` or `grading`
//! count; `write`, `cli/report` and `serve` call it.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::agents::{TimeUse, agents, column_views};
use super::anonymization::{Naming, PageNames};
use super::board::board_of;
use super::bracket::{brackets, settle_ties};
use super::counted_games::{AllGames, CountedGames};
use super::finished_game::{FinishedGame, not_shown};
use super::grades::grades;
use super::ladder::with_shown_games;
use super::losses::LossesView;
use super::replay::{ReplayedGame, lines};
use super::view::{Fact, GameView, MeetingView, PageView, RejectedView, ReplayView, RoundView, VIEW_SCHEMA};
use referee_analysis::LostGame;
use referee_course::assignment::Assignment;
use referee_course::grading::gradebook;
use referee_games::Side;
use referee_games::protocol::{plain, quote};
use referee_matches::tournament::{Encounter, Format, Standings, Voids, planned};
use referee_messages::{counted, missing_lines, order_sentence, rating_group_lines, reading_words, standings_notes};
use referee_records::{
    Conditions, Manifest, ManifestIndex, Pairing, ParticipantRecord, PerSide, PersonClock, PlayerKind, RecordError,
    RunFolder, RunKind, VoidRecord,
};
use referee_seat::{Charge, Isolation, Protocol};
use referee_time::CpuTime;

/// A view model, and the records missing from it.
#[derive(Debug)]
pub struct Report {
    /// What there is to show.
    pub view: PageView,
    /// Why records are not shown: one sentence each, safe on a terminal.
    pub unreadable: Vec<String>,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Reading the run or writing the page failed.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// No participant of the ladder, or no agent of another run, has the requested name.
    #[error("the {} {}: {}", without(*.kind), quote(.name.as_bytes()), known_names(.known))]
    UnknownName {
        /// The kind of the run.
        kind: RunKind,
        /// The name that was asked for.
        name: String,
        /// The existing names.
        known: Vec<String>,
    },
}

/// How many games are read together, on all processors, before their turns are passed on.
const BATCH: usize = 640;

/// How many existing names are listed in the error.
const MAX_NAMES: usize = 12;

const fn without(kind: RunKind) -> &'static str {
    match kind {
        RunKind::Ladder => "ladder has no participant",
        RunKind::Games | RunKind::Competition | RunKind::Grading => "run has no agent",
    }
}

fn known_names(known: &[String]) -> String {
    let quoted = known.iter().take(MAX_NAMES).map(|name| quote(name.as_bytes()));
    let mut names: Vec<String> = quoted.collect();
    if known.len() > MAX_NAMES {
        names.push(format!("and {} more", known.len() - MAX_NAMES));
    }
    format!("choose one of {}", names.join(", "))
}

/// A run with its games counted, from which any number of pages can be made.
pub struct ReportSource<'a> {
    folder: &'a RunFolder,
    assignment: Option<&'a Assignment>,
    manifest: Manifest,
    all: AllGames,
}

impl<'a> ReportSource<'a> {
    /// Counts the games of the run in `folder`, with its `assignment` if it has one.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the manifest cannot be read.
    pub fn read(folder: &'a RunFolder, assignment: Option<&'a Assignment>) -> Result<Self, RecordError> {
        let manifest = folder.roster()?;
        let all = AllGames::read(folder, assignment, &manifest)?;
        Ok(Self { folder, assignment, manifest, all })
    }

    /// The participants, if it is a ladder.
    pub fn participants(&self) -> &[ParticipantRecord] {
        &self.manifest.participants
    }

    /// The report of the run. Passes the games' turns to `keep`, some at a time and in the order of
    /// [`PageView::games`], without storing them.
    ///
    /// # Errors
    ///
    /// [`ReportError`] if the answers of a grading cannot be read, or nobody has the name in `naming`; and the errors
    /// of `keep`. An unreadable game is left out and reported.
    pub fn report(
        &self,
        naming: Naming,
        keep: &mut dyn FnMut(Vec<ReplayView>) -> Result<(), RecordError>,
    ) -> Result<Report, ReportError> {
        let Self { folder, assignment, all: AllGames { counted, of_ladder, unread }, .. } = self;
        let naming = match naming {
            Naming::Own(name) => Naming::Own(subject_of(name, &self.manifest)?),
            Naming::Real | Naming::Pseudonyms | Naming::Lot(_) => naming,
        };
        let manifest = with_shown_games(&self.manifest, of_ladder, &naming);
        let page_names = PageNames::new(naming, &manifest, &counted.standings, counted.ladder.as_ref());
        let mut played = PlayedRecords::read(folder, &manifest, &page_names, keep)?;
        played.unreadable.extend(unread.iter().cloned());
        let unreadable = played.unreadable.clone();
        let view = view(folder, &manifest, *assignment, counted, played, &page_names)?;
        Ok(Report { view, unreadable })
    }
}

/// The view of the `played` games with their counts.
pub(super) fn view(
    folder: &RunFolder,
    manifest: &Manifest,
    assignment: Option<&Assignment>,
    counted: &CountedGames,
    mut played: PlayedRecords,
    page_names: &PageNames,
) -> Result<PageView, RecordError> {
    let CountedGames { standings, results, ratings, ladder, .. } = counted;
    let graded = assignment.filter(|_| manifest.kind == RunKind::Grading);
    let gradebook = graded.map(|assignment| gradebook(assignment, folder)).transpose()?;
    let competition = assignment.and_then(|assignment| assignment.competition_of(manifest));
    let format = competition.map(|competition| &competition.format);
    let challenger = format.and_then(Format::challenger);
    let mut rounds = rounds(manifest, &played.games, format, page_names);
    // On an agent's own page the others' paths are unknown, so there is no bracket.
    let shown = competition.filter(|_| page_names.subject().is_none());
    if let Some(competition) = shown {
        settle_ties(&mut rounds, competition.advances(manifest, results), page_names);
    }
    let mut agents = agents(manifest, standings, ratings, &played.times_by_rank(standings), page_names);
    if let Some(ladder) = ladder {
        ladder.rate(&mut agents, page_names);
    }
    Ok(PageView {
        schema: VIEW_SCHEMA,
        title: assignment.map_or_else(|| format!("Games of {}", manifest.game), |it| plain(&it.title)),
        run: page_names.shows_names().then(|| run_name(folder)).flatten(),
        subject: page_names.subject().map(|own| page_names.name(own)),
        facts: facts(manifest, counted, &played, page_names),
        planned: games_in_all(manifest, &played, page_names),
        board: board_of(manifest.game),
        winners: winners(standings, page_names),
        columns: if ladder.is_some() { Vec::new() } else { column_views(standings) },
        agents,
        remarks: if ladder.is_some() { Vec::new() } else { remarks(counted, challenger, page_names) },
        brackets: shown.map(|shown| brackets(&shown.format, &rounds)).unwrap_or_default(),
        rounds,
        grades: gradebook.map(|gradebook| grades(&gradebook, page_names)),
        ladder: ladder.as_ref().map(|ladder| ladder.view(manifest, standings, page_names)),
        rejected: rejected(manifest, page_names),
        missing: missing(folder, manifest, &played, page_names)?,
        losses: LossesView::of(&played.lost, manifest, page_names),
        games: played.games,
    })
}

/// How many of the shown games have been or will be played.
fn games_in_all(manifest: &Manifest, played: &PlayedRecords, page_names: &PageNames) -> usize {
    let finished: BTreeSet<&str> = played.games.iter().map(|game| game.id.as_str()).collect();
    let is_finished = |pairing: &Pairing| page_names.id(&pairing.id).is_some_and(|id| finished.contains(id));
    let games = page_names.in_order(manifest).into_iter();
    games.filter(|pairing| !manifest.is_called_off(pairing) || is_finished(pairing)).count()
}

/// Which games are missing. Where names are replaced, reasons are left out, because agents' texts may be in them, and
/// so are records that cannot be shown, whose names are.
fn missing(
    folder: &RunFolder,
    manifest: &Manifest,
    played: &PlayedRecords,
    page_names: &PageNames,
) -> Result<Vec<String>, RecordError> {
    let set_aside = Voids::of(folder, manifest)?.set_aside;
    if page_names.shows_names() {
        return Ok([missing_lines(&set_aside), played.unreadable.clone()].concat());
    }
    let told = set_aside.into_iter().filter_map(|record| {
        Some(VoidRecord {
            id: page_names.id(&record.id)?.to_owned(),
            agents: record.agents.iter().map(|name| page_names.name(name)).collect(),
            reason: String::new(),
            ..record
        })
    });
    let mut told: Vec<VoidRecord> = told.collect();
    told.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(missing_lines(&told))
}

/// The agent or rejected submission of this name, or of the student whom the gradebook calls so; in a ladder the
/// participant.
fn subject_of(name: String, manifest: &Manifest) -> Result<String, ReportError> {
    let agents = manifest.agents.iter().map(|agent| &agent.name);
    let known: Vec<&String> = if manifest.kind == RunKind::Ladder {
        manifest.participants.iter().map(|participant| &participant.name).collect()
    } else {
        agents.chain(manifest.rejected.iter().map(|rejection| &rejection.name)).collect()
    };
    if let Some(student) = manifest.students.iter().find(|student| student.name == name) {
        return Ok(student.submission.clone());
    }
    if known.contains(&&name) {
        return Ok(name);
    }
    Err(ReportError::UnknownName { kind: manifest.kind, name, known: known.into_iter().cloned().collect() })
}

/// The data from complete records.
#[derive(Default)]
pub(super) struct PlayedRecords {
    pub(super) games: Vec<GameView>,
    pub(super) unreadable: Vec<String>,
    pub(super) times: BTreeMap<String, TimeUse>,
    pub(super) isolation: BTreeSet<Isolation>,
    pub(super) meters: BTreeSet<&'static str>,
    /// The analyzed games that were lost.
    pub(super) lost: Vec<LostGame>,
}

impl PlayedRecords {
    /// Reads the finished games, some at a time on all processors: a record is far larger than its view.
    fn read(
        folder: &RunFolder,
        manifest: &Manifest,
        page_names: &PageNames,
        keep: &mut dyn FnMut(Vec<ReplayView>) -> Result<(), RecordError>,
    ) -> Result<Self, RecordError> {
        let mut played = Self::default();
        let finished: BTreeSet<String> = folder.finished(manifest).into_iter().collect();
        let index = ManifestIndex::of(manifest);
        let mut games = page_names.in_order(manifest);
        games.retain(|pairing| finished.contains(&pairing.id));
        for batch in games.chunks(BATCH) {
            let shown = batch.par_iter().map(|pairing| {
                let (record, mut game) = FinishedGame::read(folder, &index, &pairing.id)?;
                let replayed = ReplayedGame::judge(folder, &record);
                let shown = replayed.and_then(|replayed| {
                    let view = replayed.view(page_names)?;
                    game.lost = replayed.lost();
                    Ok((game, view))
                });
                shown.map_err(|error| not_shown(&pairing.id, &error.to_string()))
            });
            let mut replays = Vec::new();
            for game in shown.collect::<Vec<Result<_, String>>>() {
                match game {
                    Ok((game, replay)) => {
                        played.games.push(game.line(page_names));
                        played.count(&game);
                        replays.push(replay);
                    }
                    Err(reason) => played.unreadable.push(reason),
                }
            }
            keep(replays)?;
        }
        Ok(played)
    }

    /// Counts the programs of a game, and what lost it.
    pub(super) fn count(&mut self, game: &FinishedGame) {
        self.lost.extend(game.lost.clone());
        for side in Side::BOTH {
            match game.seated.of(side) {
                PlayerKind::Program { isolation, meter, .. } => {
                    self.isolation.insert(*isolation);
                    self.meters.insert(meter.into());
                    let times = self.times.entry(game.summary.players.of(side).clone()).or_default();
                    times.add_charges(game.charges.of(side));
                }
                // A person uses no CPU time.
                PlayerKind::Person { .. } => {}
            }
        }
    }

    fn times_by_rank(&mut self, standings: &Standings) -> Vec<TimeUse> {
        let agents = standings.agents.iter();
        agents.map(|agent| self.times.remove(&agent.name).unwrap_or_default()).collect()
    }
}

fn run_name(folder: &RunFolder) -> Option<String> {
    let path = folder.path().canonicalize().ok()?;
    Some(plain(&path.file_name()?.to_string_lossy()))
}

fn facts(
    manifest: &Manifest,
    counted_games: &CountedGames,
    played: &PlayedRecords,
    page_names: &PageNames,
) -> Vec<Fact> {
    let conditions = &manifest.conditions;
    let charge = match conditions.charge {
        Charge::Cpu => "user and system time",
        Charge::User => "user time only",
    };
    let tolerance = reading_words(conditions.tolerance, manifest.game);
    let isolation: Vec<&str> = played.isolation.iter().map(Into::into).collect();
    let meters: Vec<&str> = played.meters.iter().copied().collect();
    let host = &manifest.host;
    let machine = format!("{}, {}, {}", host.cpu_model, counted(host.processors, "processor"), host.system);
    let machine = if page_names.shows_names() { format!("{}: {machine}", host.name) } else { machine };
    // With the seed, somebody who knows the class could reconstruct the lots of its rounds.
    let seed = if page_names.shows_names() { manifest.seed.to_string() } else { String::new() };
    let shown = games_in_all(manifest, played, page_names);
    let games = match (manifest.kind, page_names.subject()) {
        (RunKind::Ladder, None) => format!("the latest {shown} of {} finished", counted_games.finished),
        (RunKind::Ladder, Some(_)) => format!("{shown} finished"),
        _ => format!("{} of {shown} finished", played.games.len()),
    };
    let all = [
        ("game", manifest.game.to_string()),
        ("games", games),
        ("clock", format!("{}{}, charging {charge}", move_limit(conditions), play_times(manifest))),
        ("people", people(manifest).to_owned()),
        ("protocol", protocol(&manifest.conditions)),
        ("answers", format!("read {tolerance}")),
        ("isolation", isolation.join(", ")),
        ("meter", meters.join(", ")),
        ("machine", plain(&machine)),
        ("seed", seed),
        ("referee", format!("version {}", plain(&manifest.referee))),
    ];
    let told = all.into_iter().filter(|(_, value)| !value.is_empty());
    told.map(|(name, value)| Fact { name, value }).collect()
}

/// How programs are asked and answer, where that is not by files.
fn protocol(conditions: &Conditions) -> String {
    let startup = conditions.startup_time;
    match conditions.protocol {
        Protocol::Files => String::new(),
        Protocol::Stdio if startup > CpuTime::ZERO => format!("stdio, one process per game, {startup} s to start"),
        Protocol::Stdio => "stdio, one process per game".to_owned(),
    }
}

/// The limit for a move, if any, before the play times.
fn move_limit(conditions: &Conditions) -> String {
    let Some(limit) = conditions.move_time else {
        return String::new();
    };
    match (conditions.overruns, conditions.longest_move) {
        (0, _) => format!("{limit} s per move, "),
        (overruns, None) => format!("{limit} s per move with {overruns} overruns allowed, "),
        (overruns, Some(longest)) => {
            format!("{limit} s per move with {overruns} overruns of up to {longest} s allowed, ")
        }
    }
}

/// The play times. In a grading they may differ by game, and no game may have the run's default.
fn play_times(manifest: &Manifest) -> String {
    let of_games = manifest.games.iter().map(|pairing| manifest.conditions_of(pairing).play_time);
    let all: Vec<PerSide<_>> = of_games.collect();
    let first = all.first().unwrap_or(&manifest.conditions.play_time);
    let PerSide { black, white } = first;
    if all.iter().all(|times| times == first) {
        return if black == white {
            format!("{black} s of CPU time per side")
        } else {
            format!("{black} s and {white} s of CPU time")
        };
    }
    let sides = all.iter().flat_map(|times| [times.black, times.white]);
    let (least, most) = sides.fold((*black, *black), |(least, most), time| (least.min(time), most.max(time)));
    format!("{least} to {most} s of CPU time per side, depending on the game")
}

/// The clock of people, if any play.
fn people(manifest: &Manifest) -> &'static str {
    let clock = manifest.agents.iter().find_map(|agent| agent.person);
    match clock {
        None => "",
        Some(PersonClock::WallTime) => "play on wall-clock time",
        Some(PersonClock::NoClock) => "play without a clock, so draws are not decided by remaining time",
    }
}

/// The winners, by index on the page; none on an agent's own page.
fn winners(standings: &Standings, page_names: &PageNames) -> Vec<usize> {
    let winners = standings.winners.iter().filter(|_| page_names.subject().is_none());
    winners.filter_map(|name| page_names.place(name)).collect()
}

/// The notes of the terminal below the standings, with the page's names; a challenger's score comes first.
fn remarks(
    CountedGames { standings, ratings, .. }: &CountedGames,
    challenger: Option<&str>,
    page_names: &PageNames,
) -> Vec<String> {
    if page_names.subject().is_some() {
        return vec![order_sentence(standings), format!("of {} in all", counted(standings.agents.len(), "agent"))];
    }
    let shown = |name: &str| page_names.name(name);
    let challenger = standings.agents.iter().find(|agent| Some(agent.name.as_str()) == challenger);
    let score = challenger.map(|agent| {
        let games = counted(agent.tally.games() as usize, "game");
        format!("challenger: {}, {} points in {games}", shown(&agent.name), agent.points)
    });
    let mut remarks: Vec<String> = score.into_iter().chain(standings_notes(standings, shown)).collect();
    remarks.extend(rating_group_lines(ratings, shown));
    remarks
}

/// The rounds of `manifest` with the agents on the page; in a gauntlet, the challenger comes first.
fn rounds(manifest: &Manifest, games: &[GameView], format: Option<&Format>, page_names: &PageNames) -> Vec<RoundView> {
    let challenger = format.and_then(Format::challenger).and_then(|name| page_names.place(name));
    let both_stay = matches!(format, Some(Format::Elimination { .. })) && page_names.subject().is_none();
    let finished: BTreeMap<&str, &GameView> = games.iter().map(|game| (game.id.as_str(), game)).collect();
    let mut rounds: Vec<RoundView> = Vec::new();
    for planned in planned(manifest) {
        // Extra games of a tied encounter are a round with the same number.
        if rounds.last().is_none_or(|round| round.number != planned.number) {
            rounds.push(RoundView { number: planned.number, meetings: Vec::new(), byes: Vec::new() });
        }
        let round = rounds.last_mut().expect("there is at least the one just added");
        for encounter in &planned.encounters {
            let Some(new) = meeting(encounter, page_names) else {
                continue;
            };
            match round.meetings.iter_mut().find(|known| known.agents == new.agents) {
                Some(known) => known.games.extend(new.games),
                None => round.meetings.push(new),
            }
        }
        if !page_names.shows_names() {
            round.meetings.sort_by_key(|meeting| meeting.agents);
        }
        let told = planned.byes.iter().filter(|name| page_names.tells_results_of(name));
        round.byes.extend(told.filter_map(|name| page_names.place(name)));
    }
    for meeting in rounds.iter_mut().flat_map(|round| &mut round.meetings) {
        if challenger == Some(meeting.agents[1]) {
            meeting.agents.reverse();
        }
        if count(meeting, &finished) && both_stay {
            meeting.tie_break = Some("both stay");
        }
    }
    rounds
}

/// A meeting whose games are not counted yet; `None` if the reader may not know of it.
fn meeting(encounter: &Encounter, page_names: &PageNames) -> Option<MeetingView> {
    let [a, b] = &encounter.players;
    if !page_names.tells_results_of(a) && !page_names.tells_results_of(b) {
        return None;
    }
    let ids = encounter.games.iter().filter_map(|pairing| page_names.id(&pairing.id));
    let mut agents = [page_names.place(a)?, page_names.place(b)?];
    if !page_names.shows_names() {
        // The order of a pairing reveals the seeds.
        agents.sort_unstable();
    }
    Some(MeetingView {
        agents,
        points: [0.0; 2],
        winner: None,
        tie_break: None,
        games: ids.map(str::to_owned).collect(),
    })
}

/// Counts the games of a meeting; returns whether all are finished with equal points.
fn count(meeting: &mut MeetingView, finished: &BTreeMap<&str, &GameView>) -> bool {
    let games = meeting.games.iter().map(|id| finished.get(id.as_str()));
    let played: Vec<&GameView> = games.flatten().copied().collect();
    // The sum of no floating-point numbers would be -0.0.
    meeting.points = meeting.agents.map(|agent| played.iter().map(|game| points(game, agent)).fold(0.0, |a, b| a + b));
    let [a, b] = meeting.points;
    let (is_over, is_tied) = (played.len() == meeting.games.len(), (a - b).abs() <= f64::EPSILON);
    if is_over && !is_tied {
        meeting.winner = Some(usize::from(b > a));
    }
    is_over && is_tied
}

/// The points of `agent`, one of the two players, from `game`.
fn points(game: &GameView, agent: usize) -> f64 {
    match (game.score, game.black == agent) {
        ("1-0", true) | ("0-1", false) => 1.0,
        ("1-0", false) | ("0-1", true) => 0.0,
        _ => 0.5,
    }
}

fn rejected(manifest: &Manifest, page_names: &PageNames) -> Vec<RejectedView> {
    let rejected = manifest.rejected.iter();
    rejected
        .filter(|rejection| page_names.tells_results_of(&rejection.name))
        .map(|rejection| {
            let output = rejection.compiler_output.as_deref().unwrap_or_default();
            let told = page_names.tells_words_of(&rejection.name);
            RejectedView {
                name: page_names.name(&rejection.name),
                fault: page_names.finding(&rejection.fault, &rejection.name),
                compiler: if told { lines(output) } else { Vec::new() },
            }
        })
        .collect()
}
