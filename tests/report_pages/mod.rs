//! Small real runs and their pages, for the tests of reports.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test file uses another part of it, so that it is dead code in the others"
)]

pub(crate) mod analyzed;
pub(crate) mod graded;
pub(crate) mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use referee_games::checkers::Checkers;
use referee_games::protocol::Finding;
use referee_games::{GAMES, KnownGames, Position, Side};
use referee_matches::referee::{GameStep, OngoingGame};
use referee_matches::tournament::{CompetitionField, Format, NextStep, Results, Round, next_rounds, plan};
use referee_records::{
    AgentRecord, GameRecord, Manifest, Pairing, PerSide, PlannedEncounter, PlannedRound, PlayerRecord, Rejection,
    RunFolder, RunKind, TurnRecord,
};
use referee_seat::{Bytes, OutputFile};
use serde_json::Value;
use tempfile::TempDir;

use crate::invocation::printed;

/// The games that there are, by the names of the command line.
pub(crate) fn games() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|variants| variants[0].name())
}

/// A run of two games between built-in agents.
pub(crate) struct Run {
    folder: TempDir,
}

/// The runs that tests have had so far, by their games: the same seed gives the same games, so each is played once.
static PLAYED: Mutex<BTreeMap<String, (Manifest, Vec<GameRecord>)>> = Mutex::new(BTreeMap::new());

impl Run {
    pub(crate) fn play(game: &str) -> Self {
        let run = Self::empty();
        let mut played = PLAYED.lock();
        if let Some((manifest, records)) = played.get(game) {
            let folder = RunFolder::begin(run.path(), manifest, &KnownGames::builtin()).unwrap();
            for record in records {
                folder.keep(record).unwrap();
            }
            return run;
        }
        let play = ["play", "builtin:random", "builtin:minimax,depth=1", "--game", game];
        let more = ["--games", "2", "--time", "20", "--seed", "5", "--out"];
        said(&[&play[..], &more, &[run.path().to_str().unwrap()]].concat());
        let records = ["g0001", "g0002"].map(|id| run.record(id)).into();
        played.insert(game.to_owned(), (run.records().manifest().unwrap(), records));
        run
    }

    /// A folder without a run.
    pub(crate) fn empty() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    fn records_path(&self, id: &str) -> PathBuf {
        self.path().join("games").join(format!("{id}.json"))
    }

    pub(crate) fn records(&self) -> RunFolder {
        RunFolder::open(self.path(), &KnownGames::builtin()).unwrap()
    }

    pub(crate) fn record(&self, id: &str) -> GameRecord {
        self.records().game(id).unwrap()
    }

    /// Where `referee report` writes the page.
    pub(crate) fn page(&self) -> PathBuf {
        let page = self.path().join("report.html");
        let told = said(&["report", self.path().to_str().unwrap()]);
        assert_eq!(told, format!("report: {}\n", page.display()));
        page
    }

    /// The text of the page.
    pub(crate) fn html(&self) -> String {
        fs::read_to_string(self.page()).unwrap()
    }

    /// Writes the page of one agent as `out`.
    pub(crate) fn student_page(&self, name: &str, out: &Path) {
        let (run, out) = (self.path().to_str().unwrap(), out.to_str().unwrap());
        // The name may look like an option.
        said(&["report", run, &format!("--student={name}"), "--out", out]);
    }

    /// The text of the page of one agent.
    pub(crate) fn student_html(&self, name: &str) -> String {
        let out = self.path().join("student.html");
        self.student_page(name, &out);
        fs::read_to_string(out).unwrap()
    }

    /// What the page shows.
    pub(crate) fn view(&self, more: &[&str]) -> Value {
        let arguments = [&["report", self.path().to_str().unwrap(), "--json"], more].concat();
        serde_json::from_str(&said(&arguments)).unwrap()
    }
}

/// Standard output of a command that succeeds.
pub(crate) fn said(arguments: &[&str]) -> String {
    printed(arguments, 0)
}

/// A board square by square, a letter and the height of its stack each, `.` where there is nothing.
pub(crate) fn squares(rows: &[String]) -> Vec<String> {
    let cells = |row: &String| -> Vec<String> {
        if row.contains(',') {
            row.split(',').map(str::to_owned).collect()
        } else {
            row.chars().map(String::from).collect()
        }
    };
    let all = rows.iter().flat_map(cells);
    all.map(|cell| if cell == "0" { ".".to_owned() } else { cell }).collect()
}

/// Names that would like to be something else.
pub(crate) fn hostile_names() -> [String; 4] {
    [
        "<script>alert(1)</script>".to_owned(),
        "\"' onload=alert(1) <b>&lt;</script>".to_owned(),
        "\u{202e}rtl\u{1b}[2J".to_owned(),
        "x".repeat(10_000),
    ]
}

/// The `output.txt` by which the first game of [`hostile`] is lost.
pub(crate) const HOSTILE_OUTPUT: &[u8] = b"<script>alert(1)</script>\x1b[2J\xff\n";

/// A run of two games among agents with [`hostile_names`], the first lost by [`HOSTILE_OUTPUT`].
pub(crate) fn hostile() -> Run {
    let (played, hostile) = (Run::play("checkers"), Run::empty());
    let mut manifest = played.records().manifest().unwrap();
    let names = hostile_names();
    let agent = manifest.agents[0].clone();
    let agents = names.iter().map(|name| AgentRecord { name: name.clone(), remarks: names.to_vec(), ..agent.clone() });
    manifest.agents = agents.collect();
    for (pairing, names) in manifest.games.iter_mut().zip(names.chunks(2)) {
        [pairing.black, pairing.white] = [names[0].clone(), names[1].clone()];
    }
    let folder = RunFolder::begin(hostile.path(), &manifest, &KnownGames::builtin()).unwrap();
    for pairing in &manifest.games {
        let mut record = played.record(&pairing.id);
        record.players = PerSide::from_fn(|side| PlayerRecord {
            name: pairing.name(side).to_owned(),
            digest: agent.digest.clone(),
            ..record.players.of(side).clone()
        });
        if pairing.id == "g0001" {
            record = lost_at_once(record);
        }
        folder.keep(&record).unwrap();
    }
    hostile
}

/// The same game, lost by its first answer.
fn lost_at_once(record: GameRecord) -> GameRecord {
    let TurnRecord::Run { run, .. } = &record.turns[0] else { panic!("a game begins with a run") };
    let mut run = run.clone();
    run.output = OutputFile::Content { bytes: Bytes(HOSTILE_OUTPUT.to_vec()) };
    let mut ongoing_game = OngoingGame::new(Checkers::start(()), record.conditions.clone());
    ongoing_game.report(*run);
    let GameStep::Nothing(verdict) = ongoing_game.next_step() else { panic!("a wrong format loses the game") };
    GameRecord {
        close_calls: ongoing_game.close_calls(record.uncertainty(), None),
        turns: ongoing_game.into_turns(),
        verdict,
        ..record
    }
}

/// How many agents [`marked`] has.
pub(crate) const MARKED: usize = 4;

/// A text that only the agent of that number has.
pub(crate) fn mark(agent: usize, what: &str) -> String {
    format!("mark{agent}-{what}")
}

/// A run in which everybody meets everybody once, in a round, and each agent's name, origin, remarks, answers and
/// standard errors have texts of their own. Black loses every game, by an answer with its mark, and everybody has black
/// once.
pub(crate) fn marked() -> Run {
    let (played, marked) = (Run::play("checkers"), Run::empty());
    let mut manifest = played.records().manifest().unwrap();
    let agent = manifest.agents[0].clone();
    let agents = (0..MARKED).map(|number| AgentRecord {
        name: mark(number, "name"),
        origin: format!("class/{}", mark(number, "origin")),
        // Another order than that of the names: 1, 3, 0, 2.
        digest: format!("{:064x}", [2, 0, 3, 1][number]),
        remarks: vec![mark(number, "remark")],
        ..agent.clone()
    });
    manifest.agents = agents.collect();
    manifest.rejected = vec![Rejection {
        name: "mark9-name".to_owned(),
        origin: "mark9-origin".to_owned(),
        fault: Finding::new("no-sources", "mark9-fault"),
        compiler_output: Some("mark9-compiler".to_owned()),
    }];
    let template = manifest.games[0].clone();
    let pairs = (0..MARKED).flat_map(|a| (a + 1..MARKED).map(move |b| if (a + b) % 2 == 0 { (a, b) } else { (b, a) }));
    let pairs: Vec<(usize, usize)> = pairs.collect();
    manifest.games = pairs
        .iter()
        .map(|(black, white)| Pairing {
            id: format!("{}-{}", mark(*black, "id"), mark(*white, "id")),
            black: mark(*black, "name"),
            white: mark(*white, "name"),
            ..template.clone()
        })
        .collect();
    let encounters = manifest
        .games
        .iter()
        .map(|pairing| PlannedEncounter { players: [pairing.black.clone(), pairing.white.clone()], games: 1 });
    manifest.rounds = vec![PlannedRound { number: 1, encounters: encounters.collect(), byes: vec![] }];
    let folder = RunFolder::begin(marked.path(), &manifest, &KnownGames::builtin()).unwrap();
    let record = played.record("g0001");
    for (pairing, (black, white)) in manifest.games.iter().zip(pairs) {
        folder.keep(&with_marks(&record, &manifest, pairing, PerSide { black, white })).unwrap();
    }
    marked
}

/// The index of the turn, one of black's, on which the games of [`marked`] end.
const LOST_ON: usize = 12;

/// `record` as the game of `pairing`, with the marks of its players.
fn with_marks(record: &GameRecord, manifest: &Manifest, pairing: &Pairing, players: PerSide<usize>) -> GameRecord {
    let mut game = record.clone();
    game.id.clone_from(&pairing.id);
    game.players = PerSide::from_fn(|side| PlayerRecord {
        name: mark(*players.of(side), "name"),
        digest: manifest.agents[*players.of(side)].digest.clone(),
        ..record.players.of(side).clone()
    });
    let mut ongoing_game = OngoingGame::new(Checkers::start(()), game.conditions.clone());
    for (index, turn) in record.turns.iter().enumerate() {
        let TurnRecord::Run { side, run, .. } = turn else {
            continue;
        };
        let mut run = run.clone();
        let player = *players.of(*side);
        run.stderr = mark(player, "stderr");
        run.removed = vec![mark(player, "file")];
        if index == LOST_ON {
            run.output = OutputFile::Content { bytes: Bytes(mark(player, "output").into_bytes()) };
        }
        ongoing_game.report(*run);
        if let GameStep::Nothing(verdict) = ongoing_game.next_step() {
            game.verdict = verdict;
            break;
        }
    }
    game.close_calls = ongoing_game.close_calls(game.uncertainty(), None);
    game.turns = ongoing_game.into_turns();
    game
}

/// A competition in `format` (`tied knockout` is one of two games a pairing, `swiss` has three rounds, `elimination`
/// two games a pairing) among agents of these names, or of eight plain ones, of games that white has won at once.
pub(crate) fn competition(format: &str, names: &[String]) -> Run {
    let plain = ["ada", "ben", "chiara", "dmitri", "elif", "farah", "goran", "hana"].map(str::to_owned);
    let names = if names.is_empty() { &plain[..] } else { names };
    let (played, run) = (Run::play("checkers"), Run::empty());
    let record = lost_at_once(played.record("g0001"));
    let mut manifest = played.records().manifest().unwrap();
    let agent = manifest.agents[0].clone();
    let agents =
        names.iter().map(|name| AgentRecord { name: name.clone(), origin: format!("class/{name}"), ..agent.clone() });
    manifest.agents = agents.collect();
    manifest.kind = RunKind::Competition;
    manifest.games.clear();
    let per_pairing = NonZeroU32::new(match format {
        "tied knockout" | "elimination" => 2,
        _ => 1,
    })
    .unwrap();
    let (text, format) = match format {
        "swiss" => ("\"swiss\"\nrounds = 3".to_owned(), Format::Swiss { rounds: 3 }),
        "knockout" | "tied knockout" => ("\"knockout\"".to_owned(), Format::Knockout),
        "double-knockout" => ("\"double-knockout\"".to_owned(), Format::DoubleKnockout),
        "elimination" => ("\"elimination\"\nround_limit = 2".to_owned(), Format::Elimination { round_limit: 2 }),
        "gauntlet" => {
            let challenger = names[0].clone();
            let text = format!("\"gauntlet\"\nchallenger = \"{challenger}\"");
            (text, Format::Gauntlet { challenger })
        }
        "round-robin" => ("\"round-robin\"".to_owned(), Format::RoundRobin),
        other => panic!("there is no `{other}` here"),
    };
    let field = CompetitionField::new(manifest.game, names.to_vec(), per_pairing, 7);
    let (mut rounds, mut results) = (Vec::new(), Results::new());
    while let NextStep::Play(more) = next_rounds(&format, &field, &rounds, &results) {
        let games = more.iter().flat_map(Round::games);
        results.extend(games.map(|game| (game.id.clone(), Some(Side::White))));
        rounds.extend(more);
    }
    plan(&mut manifest, rounds, 0, &|| ()).unwrap();
    let assignment = format!(
        "title = \"The class\"\ngame = \"checkers\"\n\n[competition]\nformat = {text}\n\
         games_per_pairing = {per_pairing}\n"
    );
    RunFolder::begin_by(run.path(), &manifest, &assignment, &KnownGames::builtin()).unwrap();
    write_copies(&run, &record, &manifest);
    run
}

/// A run of games between these agents, black first, that white has won at once.
pub(crate) fn won_by_white(games: &[[&str; 2]]) -> Run {
    let (played, run) = (Run::play("checkers"), Run::empty());
    let record = lost_at_once(played.record("g0001"));
    let mut manifest = played.records().manifest().unwrap();
    let agent = |name: &&str| AgentRecord { name: (*name).to_owned(), ..manifest.agents[0].clone() };
    manifest.agents = BTreeSet::from_iter(games.as_flattened()).into_iter().map(agent).collect();
    let template = manifest.games[0].clone();
    let pairing = |(number, [black, white]): (usize, &[&str; 2])| Pairing {
        id: format!("g{number:04}"),
        black: (*black).to_owned(),
        white: (*white).to_owned(),
        ..template.clone()
    };
    manifest.games = (1..).zip(games).map(pairing).collect();
    RunFolder::begin(run.path(), &manifest, &KnownGames::builtin()).unwrap();
    write_copies(&run, &record, &manifest);
    run
}

/// How many games [`large`] has: more than a page has in itself.
pub(crate) const fn many_games() -> usize {
    referee_pages::report::MAX_GAMES_INSIDE + 1
}

/// A run of [`many_games`] games that are lost at once.
pub(crate) fn large() -> Run {
    let (played, run) = (Run::play("checkers"), Run::empty());
    let record = lost_at_once(played.record("g0001"));
    let mut manifest = played.records().manifest().unwrap();
    let pairing = manifest.games[0].clone();
    let games = (1..=many_games()).map(|number| Pairing { id: format!("g{number:04}"), ..pairing.clone() });
    manifest.games = games.collect();
    RunFolder::begin(run.path(), &manifest, &KnownGames::builtin()).unwrap();
    write_copies(&run, &record, &manifest);
    run
}

/// Writes `record` as every game of `manifest`; not synced, which takes its time with thousands.
fn write_copies(run: &Run, record: &GameRecord, manifest: &Manifest) {
    for pairing in &manifest.games {
        let copy = GameRecord {
            id: pairing.id.clone(),
            players: PerSide::from_fn(|side| PlayerRecord {
                name: pairing.name(side).to_owned(),
                digest: manifest.agents.iter().find(|agent| agent.name == pairing.name(side)).unwrap().digest.clone(),
                ..record.players.of(side).clone()
            }),
            ..record.clone()
        };
        fs::write(run.records_path(&pairing.id), serde_json::to_vec(&copy).unwrap()).unwrap();
    }
}

/// A run of two games whose agents have this remark.
pub(crate) fn remarked(remark: &str) -> Run {
    let (played, run) = (Run::play("checkers"), Run::empty());
    let mut manifest = played.records().manifest().unwrap();
    for agent in &mut manifest.agents {
        agent.remarks = vec![remark.to_owned()];
    }
    let folder = RunFolder::begin(run.path(), &manifest, &KnownGames::builtin()).unwrap();
    for pairing in &manifest.games {
        folder.keep(&played.record(&pairing.id)).unwrap();
    }
    run
}
