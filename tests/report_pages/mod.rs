//! Small real runs and their pages, for the tests of reports.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test file uses another part of it, so that it is dead code in the others"
)]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use referee::games::Position;
use referee::games::checkers::Checkers;
use referee::records::{GameRecord, PerSide, RunFolder, TurnRecord};
use referee::referee::{Due, Proceedings};
use referee::seat::{Bytes, OutputFile};
use serde_json::Value;
use tempfile::TempDir;

/// The games that there are, by the names of the command line.
pub(crate) const GAMES: [&str; 4] = ["checkers", "halma", "duo-othello", "star-circle"];

/// A run of two games between built-in agents.
pub(crate) struct Run {
    folder: TempDir,
}

impl Run {
    pub(crate) fn play(game: &str) -> Self {
        let run = Self::empty();
        let play = ["play", "builtin:random", "builtin:minimax,depth=1", "--game", game];
        let more = ["--games", "2", "--time", "20", "--seed", "5", "--out"];
        said(&[&play[..], &more, &[run.path().to_str().unwrap()]].concat());
        run
    }

    /// A folder without a run.
    pub(crate) fn empty() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn records(&self) -> RunFolder {
        RunFolder::open(self.path()).unwrap()
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

    /// What the page shows.
    pub(crate) fn view(&self, more: &[&str]) -> Value {
        let arguments = [&["report", self.path().to_str().unwrap(), "--json"], more].concat();
        serde_json::from_str(&said(&arguments)).unwrap()
    }
}

/// Standard output of a command that succeeds.
pub(crate) fn said(arguments: &[&str]) -> String {
    let command = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(
        command.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&command.stderr)
    );
    String::from_utf8(command.stdout).unwrap()
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
    all.map(|cell| if cell == "0" { ".".to_owned() } else { cell })
        .collect()
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
    let agents = names.iter().map(|name| referee::records::AgentRecord {
        name: name.clone(),
        remarks: names.to_vec(),
        ..agent.clone()
    });
    manifest.agents = agents.collect();
    for (pairing, names) in manifest.games.iter_mut().zip(names.chunks(2)) {
        [pairing.black, pairing.white] = [names[0].clone(), names[1].clone()];
    }
    let folder = RunFolder::begin(hostile.path(), &manifest).unwrap();
    for pairing in &manifest.games {
        let mut record = played.record(&pairing.id);
        record.players = PerSide::from_fn(|side| referee::records::PlayerRecord {
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
    let TurnRecord::Run { run, .. } = &record.turns[0] else {
        panic!("a game begins with a run")
    };
    let mut run = run.clone();
    run.output = OutputFile::Content {
        bytes: Bytes(HOSTILE_OUTPUT.to_vec()),
    };
    let mut proceedings = Proceedings::new(Checkers::start(()), record.conditions.clone());
    proceedings.report(*run);
    let Due::Nothing(verdict) = proceedings.due() else {
        panic!("a wrong format loses the game")
    };
    GameRecord {
        close_calls: proceedings.close_calls(record.uncertainty()),
        turns: proceedings.into_turns(),
        verdict,
        ..record
    }
}
