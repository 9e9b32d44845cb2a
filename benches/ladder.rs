//! A ladder at the end of a large course: 50 participants with 10 versions each, and 500,000 games. How long `ladder
//! play` and `ladder standings` need before they can begin, the next pair, a fit of all ratings and the staff's page,
//! against the limits of each. The numbers of games that were read are asserted.
//!
//! The peer in the same run is reading the same files whole on all processors, without looking at what they say.
//!
//! The records are of the usual size and are read like real ones, but their moves are made up. They need 8 GB of disk.
//!
//! `cargo bench --bench ladder`; with `-- --games 50000` a smaller one. With `-- --test` 8,000 games are read and
//! counted, and nothing is timed.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use referee::runs::{LadderPlayRequest, OpenLadder, open_ladder, pack_ladder};
use referee_course::assignment::Assignment;
use referee_games::{KnownGames, Side};
use referee_matches::ladder::{LadderPairs, LadderStandings, PlanRules};
use referee_matches::shards::{AgentPool, NextPair, PairSource, ShardPlace};
use referee_pages::report::{Naming, ReportSource, write_report};
use referee_records::{
    AdmissionRecord, AgentRecord, AgentRole, Claims, GameRecord, GameSummary, LadderPair, Manifest, ParticipantRecord,
    RunFolder, RunKind, SeatingOptions, StaleClaim, Verdict, VersionRecord,
};
use referee_seat::{Isolation, SeatOptions};
use referee_submissions::agents::{AgentBuilder, SourceStore};
use tempfile::TempDir;

mod record_template;

use record_template::record_template;

const PARTICIPANTS: u32 = 50;
const VERSIONS: u32 = 10;
/// The turns of a game in the median, as `benches/scale.py` has them.
const TURNS: usize = 47;

const SETTINGS: &str = "\
title = \"A ladder\"
game = \"checkers\"
minimum_isolation = \"bare\"

[ladder]
opening_plies = 0
";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // As benchmark libraries have it: cargo says `--bench` where it is to be timed.
    let is_asked = |wanted: &str| arguments.iter().any(|argument| argument == wanted);
    let is_test = is_asked("--test") || !is_asked("--bench");
    let asked_for = arguments.iter().skip_while(|argument| *argument != "--games").nth(1);
    let usual = if is_test { 8_000 } else { 500_000 };
    let games = asked_for.map_or(usual, |games| games.parse().expect("`--games` has a number"));
    let place = TempDir::new().expect("there is a place for temporary files");
    let pairs = games / 2;
    recorded(place.path(), pairs);
    let figures = Figures::of(place.path(), usize::try_from(2 * pairs).expect("it is a number of files"));
    if is_test {
        println!("{} games", 2 * pairs);
    } else {
        figures.print();
    }
}

/// What was measured.
struct Figures {
    games: usize,
    /// Reading all files whole.
    files: Spent,
    /// What `ladder play` does before it plans the first pair, and the most memory that took.
    play: (Spent, u64),
    /// What `ladder standings` does before it prints, and the most memory that took.
    standings: (Spent, u64),
    /// The first pair, for which strengths are fitted, and any other.
    next_pairs: [Spent; 2],
    /// Packing all but the latest 1,000 games, and `standings` afterwards.
    packing: Spent,
    packed: (Spent, u64),
    /// What `report` does, with and without packed games.
    pages: [(Spent, u64); 2],
    /// The part of `standings` that fits the shown ratings, with their errors and ranks.
    ratings: Spent,
}

/// The time that something took, and the CPU time of all its threads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Spent {
    wall: Duration,
    cpu: Duration,
}

impl Figures {
    fn of(ladder: &Path, games: usize) -> Self {
        let known = KnownGames::builtin();
        let (files, bytes) = timed(|| read_files(&ladder.join("games")));
        assert!(bytes > games, "every file has something in it");
        forget_peak();
        let (play, prepared) = timed(|| {
            let request = LadderPlayRequest {
                ladder: ladder.to_owned(),
                pairs: None,
                stale: StaleClaim::default(),
                known_games: known.clone(),
            };
            request.prepare(ladder.join("builds")).expect("it is a ladder")
        });
        let play = (play, peak_bytes());
        drop(prepared);
        let next_pairs = planned(ladder, &known, games);
        forget_peak();
        let (standings, (opened, shown)) = timed(|| {
            let opened = open_ladder(ladder, &known).expect("it is a ladder");
            let shown = LadderStandings::of(&opened.manifest, summaries_of(&opened), None);
            (opened, shown)
        });
        let standings = (standings, peak_bytes());
        assert_eq!(usize::try_from(shown.games), Ok(games));
        assert!(shown.participants.iter().all(|one| one.rating().is_some()));
        let summaries: Vec<GameSummary> = summaries_of(&opened).collect();
        let (ratings, again) = timed(|| LadderStandings::of(&opened.manifest, &summaries, None));
        assert_eq!(shown, again);
        drop((opened, summaries));
        let page = written_page(ladder, &known);
        let (packing, count) = timed(|| pack_ladder(ladder, 1_000, &known).expect("it packs"));
        assert_eq!(count, games - 1_000);
        forget_peak();
        let (packed, again) = timed(|| {
            let opened = open_ladder(ladder, &known).expect("it is a ladder");
            LadderStandings::of(&opened.manifest, summaries_of(&opened), None)
        });
        assert_eq!(shown, again);
        let packed = (packed, peak_bytes());
        let pages = [page, written_page(ladder, &known)];
        Self { games, files, play, standings, next_pairs, packing, packed, pages, ratings }
    }

    fn print(&self) {
        let row = |what: &str, spent: Spent, limit: &str, more: &str| {
            let [wall, cpu] = [spent.wall, spent.cpu].map(|time| time.as_secs_f64());
            println!("{what:<32}  {wall:>7.3}  {limit:>7}  {cpu:>7.3}  {more}");
        };
        let beside_files = |(spent, peak): (Spent, u64)| {
            let ratio = spent.cpu.as_secs_f64() / self.files.cpu.as_secs_f64();
            format!("{ratio:.1} times the CPU time of the files, peak {} MB", peak / 1_000_000)
        };
        println!("{} games, {} versions\n", self.games, PARTICIPANTS * VERSIONS);
        println!("what                                    s  limit s    CPU s");
        row("reading the files whole", self.files, "", "");
        row("what `ladder play` does first", self.play.0, "10", &beside_files(self.play));
        row("`ladder standings`", self.standings.0, "10", &beside_files(self.standings));
        row("the next pair, with a fit", self.next_pairs[0], "0.1", "");
        row("the next pair", self.next_pairs[1], "0.1", "");
        row("of which the ratings", self.ratings, "", "");
        row("`ladder pack`", self.packing, "", "");
        row("`ladder standings` when packed", self.packed.0, "10", &beside_files(self.packed));
        row("`report`", self.pages[0].0, "10", &beside_files(self.pages[0]));
        row("`report` when packed", self.pages[1].0, "10", &beside_files(self.pages[1]));
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (Spent, T) {
    let (begin, cpu) = (Instant::now(), cpu_time());
    let result = work();
    (Spent { wall: begin.elapsed(), cpu: cpu_time().saturating_sub(cpu) }, result)
}

/// The CPU time of this process.
fn cpu_time() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("a process may ask for its own");
    let micros = [usage.user_time(), usage.system_time()].map(|time| time.num_microseconds());
    Duration::from_micros(u64::try_from(micros[0] + micros[1]).unwrap_or(0))
}

/// The summaries of all games, as `ladder standings` reads them.
fn summaries_of(ladder: &OpenLadder) -> impl Iterator<Item = GameSummary> {
    let games = ladder.folder.ladder_summaries(&ladder.manifest, &ladder.games);
    games.map(|(_, summary)| summary.expect("it reads"))
}

/// Writes the page for the staff: the time and the most memory.
fn written_page(ladder: &Path, known: &KnownGames) -> (Spent, u64) {
    forget_peak();
    let (spent, report) = timed(|| {
        let OpenLadder { folder, assignment, .. } = open_ladder(ladder, known).expect("it is a ladder");
        let source = ReportSource::read(&folder, Some(&assignment)).expect("it reads");
        write_report(&source, Naming::Real, &ladder.join("report.html")).expect("there is room")
    });
    // The latest games are read whole. Their moves are made up, so none can be shown; `benches/report.rs` measures
    // that.
    assert_eq!(report.view.games.len() + report.unreadable.len(), 1_000);
    (spent, peak_bytes())
}

/// The bytes of all files in `folder`, read whole.
fn read_files(folder: &Path) -> usize {
    let paths: Vec<_> =
        fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("it reads").path()).collect();
    paths.par_iter().map(|path| fs::read(path).expect("it reads").len()).sum()
}

/// The time until the first pair is known, and the median of the next ones. Nothing is claimed, so they are the same.
fn planned(ladder: &Path, known: &KnownGames, games: usize) -> [Spent; 2] {
    let OpenLadder { folder, manifest, games: played, rules, .. } = open_ladder(ladder, known).expect("it is a ladder");
    let seed = manifest.seed;
    let plan_rules = PlanRules { seed, minimum_pairs: rules.minimum_pairs, random_percent: rules.random_percent };
    let sources = SourceStore::of_ladder(ladder.to_owned());
    let builder = AgentBuilder::for_game(manifest.game).expect("the system knows this program");
    let source = (folder.clone(), sources);
    let seats = SeatOptions::default();
    let agent_pool = AgentPool::new(source, &manifest, builder, seats, ladder.join("builds"));
    let place = ShardPlace {
        claims: Claims::in_folder(folder.claims(), None, StaleClaim::default()).expect("there is room"),
        agent_pool: agent_pool.expect("built-in agents can be made"),
        folder: folder.clone(),
    };
    let mut pairs = LadderPairs::new(&folder, Arc::new(manifest), &played, (plan_rules, rules.opening_plies), None)
        .expect("the records can be read");
    let mut next = || {
        let (time, next) = timed(|| pairs.next_pair(&place, &HashSet::new()).expect("the ladder can be read"));
        let NextPair::Pair(pair) = next else { panic!("there are agents to pair") };
        assert!(pair.name().starts_with(&format!("g{:06}-", games / 2 + 1)), "{}", pair.name());
        time
    };
    let first = next();
    let mut others: Vec<Spent> = (0..21).map(|_| next()).collect();
    others.sort_unstable();
    [first, others[10]]
}

/// The most memory that this process has had at once: proc(5), `VmHWM`.
fn peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.unwrap_or(0_u64) * 1024
}

/// Sets the peak to what this process has now: proc(5), `clear_refs`.
fn forget_peak() {
    fs::write("/proc/self/clear_refs", "5").expect("a process may forget its own peak");
}

/// A ladder with so many pairs of games, all of them finished. At any time the newest versions play each other and the
/// reference.
fn recorded(path: &Path, pairs: u32) {
    let known = KnownGames::builtin();
    let assignment = Assignment::parse(SETTINGS, Path::new("ladder.toml"), &known).expect("it is an assignment");
    let rules = assignment.ladder.as_ref().expect("it is of a ladder");
    let seating = SeatingOptions { at_least: Isolation::Bare, meter: None, python2_by_python3: false };
    let agent = |name: String| AgentRecord::participant(name, "builtin:random".to_owned(), "0".repeat(64));
    let origin = format!("builtin:{}", rules.reference);
    let reference = AgentRecord { role: AgentRole::Reference, origin, ..agent("minimax".to_owned()) };
    let mut manifest = Manifest {
        kind: RunKind::Ladder,
        agents: vec![reference],
        seating: Some(seating),
        participants: (0..PARTICIPANTS).map(participant).collect(),
        ..Manifest::new(assignment.game, assignment.conditions(rules.play_time), 1)
    };
    for number in 1..=VERSIONS {
        for participant in &mut manifest.participants {
            let index = u32::try_from(manifest.agents.len()).expect("there are 501");
            manifest.agents.push(agent(participant.agent_name(number)));
            let admission = AdmissionRecord::Admitted { agent: index, since_pair: pairs / VERSIONS * (number - 1) };
            participant.versions.push(VersionRecord { number, digest: None, received_unix_s: 0, admission });
        }
    }
    let folder = RunFolder::begin_by(path, &manifest, SETTINGS, &known).expect("there is room");
    let template = record_template(&manifest.conditions, TURNS);
    (0..pairs).into_par_iter().for_each(|index| {
        let mut random = ChaCha8Rng::seed_from_u64(index.into());
        let version = (index / (pairs / VERSIONS).max(1)).min(VERSIONS - 1);
        // The place after the last one is the reference's.
        let agent = |place: u32| if place == PARTICIPANTS { 0 } else { 1 + version * PARTICIPANTS + place };
        let (one, off) = (random.random_range(0..=PARTICIPANTS), random.random_range(1..=PARTICIPANTS));
        let (one, other) = (agent(one), agent((one + off) % (PARTICIPANTS + 1)));
        let pair = LadderPair { sequence: index + 1, agents: [one.min(other), one.max(other)], rated: true };
        for game in pair.games() {
            let pairing = game.pairing(&manifest).expect("it has these agents");
            // The higher a version and a participant, the stronger.
            let odds = (f64::from(pair.agents[1] - pair.agents[0]) / 100.0).exp();
            let second_wins = random.random_range(0.0..1.0 + odds) < odds;
            let stronger = &manifest.agents[pair.agents[usize::from(second_wins)] as usize].name;
            let winner = if pairing.black == *stronger { Side::Black } else { Side::White };
            let mut record = GameRecord { id: pairing.id.clone(), first: pairing.first, ..template.clone() };
            record.players.black.name.clone_from(&pairing.black);
            record.players.white.name.clone_from(&pairing.white);
            if let Verdict::Won { winner: won, .. } = &mut record.verdict {
                *won = winner;
            }
            let text = serde_json::to_vec(&record).expect("it can be written");
            // As `RunFolder::keep`, but without a sync for each of them.
            fs::write(folder.path_of(&pairing.id), text).expect("there is room");
        }
    });
}

fn participant(index: u32) -> ParticipantRecord {
    let name = format!("participant-{index:02}");
    ParticipantRecord { key: name.clone(), name, withdrawn: false, not_taken_in: None, versions: vec![] }
}
