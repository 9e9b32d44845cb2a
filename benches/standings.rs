//! Standings, ratings and the crosstable of a large competition, and its records read for them. Results are asserted
//! before anything is timed.
//!
//! `cargo bench --bench standings`; with `-- --test` everything is checked once and nothing is timed.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use referee_games::{KnownGames, Side};
use referee_matches::tournament::{
    Crosstable, ELO_PER_LOG_ODDS, RatingOptions, Standings, TieBreak, encounter, ratings,
};
use referee_records::{
    AgentRecord, Conditions, GameRecord, GameSummary, Manifest, Outcome, PerSide, RunFolder, TurnTotals,
};
use referee_time::CpuTime;
use tempfile::TempDir;

mod record_template;

use record_template::record_template;

const PLAYERS: usize = 300;
const GAMES: usize = 100_000;
const RECORDS: usize = 2_000;
const TURNS: usize = 62;

fn main() {
    divan::main();
}

fn strength(player: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "there are 300")]
    let place = player as f64 - PLAYERS as f64 / 2.0;
    4.0 * place
}

/// 300 agents of known strengths in 100,000 games, a fifth of the close ones drawn.
fn competition() -> Vec<GameSummary> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let name = |player: usize| format!("agent-{player:03}");
    let mut one = |id: usize| {
        let (first, off) = (random.random_range(0..PLAYERS), random.random_range(1..PLAYERS));
        let second = (first + off) % PLAYERS;
        // Davidson's model: wins, draws and losses of the first in the proportion of odds, half of 1, and 1 / odds.
        let odds = ((strength(first) - strength(second) + 20.0) / ELO_PER_LOG_ODDS / 2.0).exp();
        let throw = random.random_range(0.0..odds + 0.5 + 1.0 / odds);
        let outcome = if throw < odds {
            Outcome::Board { winner: Side::Black }
        } else if throw < odds + 0.5 {
            Outcome::Drawn
        } else {
            Outcome::DrawnByTime { winner: Side::White }
        };
        let players = PerSide { black: name(first), white: name(second) };
        let charged = PerSide { black: CpuTime::from_millis(15_000), white: CpuTime::from_millis(16_000) };
        GameSummary {
            totals: TurnTotals { turns: 62, charged, ..TurnTotals::default() },
            close_call: id.is_multiple_of(300),
            ..GameSummary::of_result(format!("g{id:06}"), players, Side::Black, outcome)
        }
    };
    (0..GAMES).map(&mut one).collect()
}

/// A competition, its crosstable, and its checked standings and ratings.
static COMPETITION: LazyLock<(Vec<GameSummary>, Crosstable)> = LazyLock::new(|| {
    let games = competition();
    let table = Crosstable::of([], &games);
    let standings = Standings::of(&table, &TieBreak::ALL);
    let points: f64 = standings.agents.iter().map(|agent| agent.points).sum();
    assert!((points - 100_000.0).abs() < 1e-6);
    let rated = ratings(&table, &RatingOptions::default());
    assert_eq!((rated.groups, rated.agents.len()), (1, PLAYERS));
    let off_scale = rated.agents.iter().filter_map(|agent| {
        let player: usize = agent.name[6..].parse().ok()?;
        let estimate = agent.strength.estimate()?;
        // The strengths have the mean -2.
        Some((estimate.elo - strength(player) - 2.0).abs() > 4.0 * estimate.standard_error)
    });
    assert!(off_scale.filter(|off| *off).count() < 3);
    (games, table)
});

#[divan::bench(sample_count = 10, sample_size = 1)]
fn crosstable(bencher: Bencher<'_, '_>) {
    let (games, _) = &*COMPETITION;
    bencher.counter(ItemsCount::new(GAMES)).bench(|| Crosstable::of([], black_box(games)));
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn standings(bencher: Bencher<'_, '_>) {
    let (_, table) = &*COMPETITION;
    bencher.counter(ItemsCount::new(GAMES)).bench(|| Standings::of(black_box(table), &TieBreak::ALL));
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn rating(bencher: Bencher<'_, '_>) {
    let (_, table) = &*COMPETITION;
    bencher.counter(ItemsCount::new(GAMES)).bench(|| ratings(black_box(table), &RatingOptions::default()));
}

/// A run of 2,000 games of the median length of 2021, as this program writes it.
fn recorded(path: &Path) -> (RunFolder, Manifest) {
    let games = encounter(referee_games::checkers::ID, "a", "b", u32::try_from(RECORDS).unwrap_or_default());
    let agent = |name: &str| AgentRecord::participant(name.to_owned(), name.to_owned(), "0".repeat(64));
    let manifest = Manifest {
        agents: vec![agent("a"), agent("b")],
        games,
        ..Manifest::new(referee_games::checkers::ID, conditions(), 0)
    };
    let folder = RunFolder::begin(path, &manifest, &KnownGames::builtin()).expect("there is room");
    let template = record_template(&conditions(), TURNS);
    for pairing in &manifest.games {
        let mut record = GameRecord { id: pairing.id.clone(), ..template.clone() };
        record.players.black.name.clone_from(&pairing.black);
        record.players.white.name.clone_from(&pairing.white);
        let text = serde_json::to_vec(&record).expect("it can be written");
        // As `RunFolder::keep`, but without a sync for each of them.
        fs::write(folder.path_of(&pairing.id), text).expect("there is room");
    }
    (folder, manifest)
}

fn conditions() -> Conditions {
    Conditions::usual(referee_games::checkers::ID, CpuTime::from_secs(300))
}

/// Such a run, of which both ways to read it say the same.
fn checked() -> (TempDir, RunFolder, Manifest) {
    let place = TempDir::new().expect("there is a place for temporary files");
    let (folder, manifest) = recorded(place.path());
    assert_eq!(skim(&folder, &manifest), read(&folder, &manifest));
    assert_eq!(skim(&folder, &manifest).len(), RECORDS);
    (place, folder, manifest)
}

fn skim(folder: &RunFolder, manifest: &Manifest) -> Vec<GameSummary> {
    let games = folder.summaries(manifest);
    games.map(|game| game.expect("it reads")).collect()
}

fn read(folder: &RunFolder, manifest: &Manifest) -> Vec<GameSummary> {
    let games = manifest.games.iter();
    games.map(|game| GameSummary::of(&folder.game(&game.id).expect("it reads"))).collect()
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn skimmed(bencher: Bencher<'_, '_>) {
    let (_place, folder, manifest) = checked();
    bencher.counter(ItemsCount::new(RECORDS)).bench(|| skim(&folder, &manifest));
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn read_whole(bencher: Bencher<'_, '_>) {
    let (_place, folder, manifest) = checked();
    bencher.counter(ItemsCount::new(RECORDS)).bench(|| read(&folder, &manifest));
}
