//! The report of 2,000 games of each kind: how long, how large, how much memory. The games in the page are counted
//! before anything is timed.
//!
//! The games are real ones, played here by the built-in agents, 41 of each kind under many names: more than a bundle of
//! the page holds, so that none is packed beside its double. What the agents are charged is drawn from the range of the
//! competition of 2021 (RULES.md, section 6), since it takes more room than what they really need.
//!
//! Then every game gets an analysis, made up, and the page is written again.
//!
//! The peer in the same run is reading the same records whole, as anybody must who wants to show them.
//!
//! `cargo bench --bench report`; with `-- --test` 100 games of each kind are reported and counted, and nothing is
//! timed.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use referee_games::builtin::{BuiltinAgent, answer};
use referee_games::{GameId, GameRef, KnownGames, Side};
use referee_matches::referee::{GameStep, OngoingGame};
use referee_matches::tournament::encounter;
use referee_pages::report::{Naming, Report, ReportSource, write_report};
use referee_records::{
    AgentRecord, AnalysisBasis, Conditions, GameAnalysis, GameRecord, Manifest, MoveMark, PerSide, RunFolder, SCHEMA,
    TurnAnalysis, ValuedMove, digest_of_record,
};
use referee_seat::{Run, Task};
use referee_time::CpuTime;
use serde_json::{Value, json};
use tempfile::TempDir;

const DIFFERENT: u64 = 41;
const NAMES: [&str; 2] = ["random", "minimax"];

fn main() {
    // As benchmark libraries have it: cargo says `--bench` where it is to be timed.
    let is_asked = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    let is_test = is_asked("--test") || !is_asked("--bench");
    let games = if is_test { 100 } else { 2_000 };
    println!(
        "game          bytes/record  bytes/game  page MB  report ms  reading ms  ratio  peak MB above reading one  \
         analyzed: bytes/game  report ms"
    );
    for game in [
        referee_games::checkers::ID,
        referee_games::halma::ID,
        referee_games::othello::ID,
        referee_games::star_circle::ID,
    ] {
        let place = TempDir::new().expect("there is a place for temporary files");
        let (folder, bytes) = recorded(place.path(), game, games);
        let page = place.path().join("report.html");
        let before = peak_bytes();
        let report = written(&folder, &page);
        let memory = peak_bytes().saturating_sub(before);
        assert_eq!((report.view.games.len(), report.unreadable.len()), (games, 0), "{game}");
        let size = fs::metadata(&page).expect("it was written").len();
        assert!(size < 10_000_000, "{game}: a page of {size} bytes");
        let analyzed = place.path().join("analyzed.html");
        if is_test {
            let larger = analyzed_size(&folder, &analyzed);
            assert!(larger < size * 3 / 2, "{game}: {larger} bytes with analyses, {size} without");
            println!("{game}: {games} games");
            continue;
        }
        let reporting = quickest(|| {
            let report = written(&folder, &page);
            assert_eq!(report.view.games.len(), games);
        });
        let reading = quickest(|| {
            let manifest = folder.manifest().expect("it reads");
            let records = manifest.games.iter().map(|game| folder.game(&game.id).expect("it reads"));
            assert_eq!(records.filter(|record| !record.turns.is_empty()).count(), games);
        });
        let larger = analyzed_size(&folder, &analyzed);
        let reporting_analyzed = quickest(|| drop(written(&folder, &analyzed)));
        println!(
            "{:<12}  {:>12}  {:>10}  {:>7.2}  {:>9}  {:>10}  {:>5.1}  {:>6.1}  {:>10}  {:>9}",
            game.name(),
            bytes / games,
            size / games as u64,
            mega(size),
            reporting.as_millis(),
            reading.as_millis(),
            reporting.as_secs_f64() / reading.as_secs_f64(),
            mega(memory),
            larger / games as u64,
            reporting_analyzed.as_millis(),
        );
    }
}

/// The report of the run in `folder`, written to `page`.
fn written(folder: &RunFolder, page: &Path) -> Report {
    let run = ReportSource::read(folder, None).expect("the manifest reads");
    write_report(&run, Naming::Real, page).expect("the run is whole")
}

/// The size of the page with every game analyzed.
fn analyzed_size(folder: &RunFolder, page: &Path) -> u64 {
    let manifest = folder.manifest().expect("it reads");
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for game in &manifest.games {
        let record = folder.game(&game.id).expect("it reads");
        folder.keep_analysis(&analysis(folder, &record, &mut random)).expect("there is room");
    }
    written(folder, page);
    fs::metadata(page).expect("it was written").len()
}

/// An analysis whose scores wander by what a search's do, and in which one move in sixteen is marked.
fn analysis(folder: &RunFolder, record: &GameRecord, random: &mut ChaCha8Rng) -> GameAnalysis {
    let mut black = 0.5;
    let turns = record.turns.iter().map(|turn| {
        let side = turn.side();
        let of_side = |black: f64| if side == Side::Black { black } else { 1.0 - black };
        let before = of_side(black);
        let mark = (random.random_range(0..16) == 0).then_some(MoveMark::Mistake);
        let most = if mark.is_some() { 0.3 } else { 0.03 };
        let after = (before + random.random_range(-most..most)).clamp(0.01, 0.99);
        black = of_side(after);
        let valued = |mv: &str, expected| Some(ValuedMove { mv: mv.to_owned(), value: 0, expected, proved: None });
        let mv = turn.mv().unwrap_or_default();
        TurnAnalysis { side, best: valued(mv, before), played: valued(mv, after), depth: 5, equally_good: 1, mark }
    });
    let basis = AnalysisBasis {
        record: digest_of_record(&folder.text_of_game(&record.id).expect("it reads")),
        agent: "builtin:alphabeta 0.2.0".to_owned(),
        nodes: 20_000,
        curve: String::new(),
        seed: 0,
        confirm: 0,
    };
    GameAnalysis { schema: SCHEMA, id: record.id.clone(), basis, turns: turns.collect(), confirmation: None }
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with two digits")]
fn mega(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// The quickest of three.
fn quickest(mut work: impl FnMut()) -> Duration {
    let times = (0..3).map(|_| {
        let begin = Instant::now();
        work();
        begin.elapsed()
    });
    times.min().expect("there are three")
}

/// The most memory that this process has had at once: proc(5), `VmHWM`.
fn peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.unwrap_or(0_u64) * 1024
}

/// A run of so many games, and the bytes of all its records.
fn recorded(path: &Path, game: GameRef, games: usize) -> (RunFolder, usize) {
    let pairings = encounter(game, NAMES[0], NAMES[1], u32::try_from(games).unwrap_or(u32::MAX));
    let agent = |name: &str| AgentRecord::participant(name.to_owned(), format!("builtin:{name}"), "0".repeat(64));
    let manifest = Manifest {
        agents: NAMES.into_iter().map(agent).collect(),
        games: pairings,
        ..Manifest::new(game, Conditions::usual(game, CpuTime::from_secs(3000)), 0)
    };
    let folder = RunFolder::begin(path, &manifest, &KnownGames::builtin()).expect("there is room");
    // The colours of an encounter repeat after four games, so a game of the same place among four has the same players.
    let different = DIFFERENT.min(games as u64 / 40);
    let played: Vec<GameRecord> = (0..different * 4)
        .map(|seed| {
            let pairing = &manifest.games[usize::try_from(seed % 4).unwrap_or(0)];
            Playing {
                seed,
                manifest: &manifest,
                first: pairing.first,
                players: PerSide::from_fn(|side| pairing.name(side).to_owned()),
            }
            .record()
        })
        .collect();
    let mut bytes = 0;
    for (index, pairing) in manifest.games.iter().enumerate() {
        let fitting: Vec<&GameRecord> = played
            .iter()
            .filter(|record| record.players.black.name == pairing.black && record.first == pairing.first)
            .collect();
        let Some(record) = fitting.get(index / 2 % fitting.len().max(1)) else {
            panic!("every place among four was played")
        };
        let record = GameRecord { id: pairing.id.clone(), ..(*record).clone() };
        let text = serde_json::to_vec(&record).expect("it can be written");
        bytes += text.len();
        // As `RunFolder::keep`, but without a sync for each of them.
        fs::write(folder.path_of(&pairing.id), text).expect("there is room");
    }
    (folder, bytes)
}

fn merge(into: &mut Value, from: &Value) {
    let (Some(into), Some(from)) = (into.as_object_mut(), from.as_object()) else { panic!("both are objects") };
    into.extend(from.clone());
}

/// Plays a game between the two agents.
struct Playing<'a> {
    seed: u64,
    manifest: &'a Manifest,
    first: Side,
    players: PerSide<String>,
}

impl Playing<'_> {
    fn record(self) -> GameRecord {
        let start = self.manifest.game.start().rows();
        let position = self.manifest.game.start().with_side_to_move(self.first);
        let conditions = self.manifest.conditions.clone();
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut ongoing_game = OngoingGame::new(position, conditions.clone());
        while let GameStep::Run(side) = ongoing_game.next_step() {
            let Task::Move { input } = ongoing_game.job(false).expect("the rules of built-in games answer").task else {
                panic!("a game asks for moves")
            };
            let name = if self.players.of(side) == NAMES[0] { "random" } else { "minimax,depth=1" };
            let agent: BuiltinAgent = name.parse().expect("it is built in");
            let reply = answer(&agent, random.random(), input.as_bytes(), Some(self.manifest.game), None);
            let output = reply.expect("the side to move has a move").output;
            ongoing_game.report(run(&output, random.random_range(20_000..2_500_000)));
        }
        let player = |side: Side| {
            json!({
                "name": self.players.of(side), "digest": "0".repeat(64), "meter": "perf", "uncertainty_cpu_us": 50,
                "isolation": "sealed",
            })
        };
        let mut record = json!({
            "schema": 1, "id": "game", "players": {"black": player(Side::Black), "white": player(Side::White)},
            "conditions": conditions, "began_unix_s": 1_700_000_000, "start": start, "first": self.first,
            "verdict": ongoing_game.verdict(), "turns": ongoing_game.turns(),
        });
        merge(&mut record, &json!(self.manifest.game));
        let record: GameRecord<GameId> = serde_json::from_value(record).expect("it is written as the program does");
        record.with_game(self.manifest.game)
    }
}

fn run(output: &str, micros: u64) -> Run {
    let run = json!({
        "ended": {"how": "exited", "status": 0},
        "usage": {"cpu_user_us": micros, "cpu_system_us": 0, "wall_us": micros, "peak_rss_bytes": 5_054_464},
        "output": {"kind": "content", "bytes": output},
    });
    serde_json::from_value(run).expect("it is written as the program does")
}
