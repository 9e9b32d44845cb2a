//! Real games, played and recorded, as `standings`, `status` and `export` tell of them.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use referee_games::checkers::square_number;
use referee_games::checkers::{Checkers, Move};
use referee_games::{KnownGames, Position, Side};
use referee_matches::referee::snapshots;
use referee_records::export::{GAMES_CSV_COLUMNS, csv_text, games_csv_row};
use referee_records::{GameRecord, GameSummary, Outcome, RunFolder, Verdict, WinReason};
use serde_json::{Value, json};
use sgf_parse::{SgfNode, go as sgf};
use tempfile::TempDir;

use crate::invocation::{
    assert_contains, assert_ends, assert_starts, printed as said, referee, referee_reading, stderr, stdout, words,
};

/// A run of a few games.
struct Run {
    folder: TempDir,
}

impl Run {
    fn play(game: &str, more: &[&str]) -> Self {
        Self::of("builtin:random", game, more)
    }

    /// Games of `agent` against minimax.
    fn of(agent: &str, game: &str, more: &[&str]) -> Self {
        let run = Self { folder: TempDir::new().unwrap() };
        let path = run.path().to_owned();
        let play = words("play {} builtin:minimax,depth=1 --game {} --out {}", &[agent, game, &path]);
        said(&[&play[..], &["--games", "4", "--seed", "3"], more].concat(), 0);
        run
    }

    fn path(&self) -> &str {
        self.folder.path().to_str().unwrap()
    }

    fn records(&self) -> Vec<GameRecord> {
        let folder = RunFolder::open(self.folder.path(), &KnownGames::builtin()).unwrap();
        let ids = folder.finished(&folder.manifest().unwrap());
        ids.iter().map(|id| folder.game(id).unwrap()).collect()
    }

    fn summaries(&self) -> Vec<GameSummary> {
        let folder = RunFolder::open(self.folder.path(), &KnownGames::builtin()).unwrap();
        let manifest = folder.manifest().unwrap();
        folder.summaries(&manifest).map(Result::unwrap).collect()
    }
}

static CHECKERS: LazyLock<Run> = LazyLock::new(|| Run::play("checkers", &[]));
static HALMA: LazyLock<Run> = LazyLock::new(|| Run::play("halma", &["--turn-limit", "60"]));
static OTHELLO: LazyLock<Run> = LazyLock::new(|| Run::play("duo-othello", &[]));
static LITTLE_GO: LazyLock<Run> = LazyLock::new(|| Run::of("builtin:pruning", "little-go", &[]));

/// A copy of the run that may be damaged.
fn copy_of(run: &Run) -> Run {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("games")).unwrap();
    let copy = |name: &str| fs::copy(run.folder.path().join(name), folder.path().join(name)).unwrap();
    copy("manifest.json");
    for id in 1..=4 {
        copy(&format!("games/g{id:04}.json"));
    }
    Run { folder }
}

#[test]
#[ignore = "long: plays games of every kind"]
fn a_record_that_is_skimmed_says_the_same_as_one_that_is_read() {
    for run in [&*CHECKERS, &*HALMA, &*OTHELLO] {
        let read: Vec<GameSummary> = run.records().iter().map(GameSummary::of).collect();
        assert_eq!(run.summaries(), read);
        assert_eq!(read.len(), 4);
    }
}

#[test]
#[ignore = "long: plays games of every kind"]
fn a_damaged_record_hides_no_other_and_is_named() {
    let run = copy_of(&CHECKERS);
    let path = |id: u32| run.folder.path().join(format!("games/g{id:04}.json"));
    let text = fs::read_to_string(path(1)).unwrap();
    fs::write(path(1), &text[..text.len() / 2]).unwrap();
    fs::copy(path(3), path(2)).unwrap();
    fs::write(path(4), "{\"schema\": 99, \"turns\": 7}").unwrap();
    let folder = RunFolder::open(run.folder.path(), &KnownGames::builtin()).unwrap();
    let manifest = folder.manifest().unwrap();
    let read: Vec<_> = folder.summaries(&manifest).map(|summary| summary.map_err(|error| error.to_string())).collect();
    let error = |index: usize| read[index].as_ref().unwrap_err();
    assert_contains(error(0), "g0001.json` is not a record of this program: EOF");
    assert_contains(error(1), "it is the record of another game, `g0003`");
    assert!(read[2].is_ok());
    assert_contains(error(3), "has schema 99, this program reads up to schema 1");

    let table = said(&["standings", run.path()], 3);
    assert!(table.ends_with("1 of 4 games finished\n"), "{table}");
    let status = referee(&["status", run.path()]);
    assert_eq!(status.status.code(), Some(3));
    let complaint = String::from_utf8_lossy(&status.stderr).into_owned();
    assert_ends(&complaint, "referee: 3 records cannot be read; the others are counted\n");
    assert!(String::from_utf8_lossy(&status.stdout).contains("remove these files"));
}

#[test]
fn standings_have_a_form_for_everybody() {
    let run = CHECKERS.path();
    let text = said(&words("standings {} --ratings --crosstable --tie-breaks wins,buchholz", &[run]), 0);
    assert!(text.contains("ranked by points, then wins, then buchholz;") && text.contains("Elo"), "{text}");
    let json: Value =
        serde_json::from_str(&said(&["standings", run, "--json", "--ratings", "--prior", "1"], 0)).unwrap();
    assert_eq!((json["games"].as_u64(), json["finished"].as_u64()), (Some(4), Some(4)));
    let points: f64 = json["agents"].as_array().unwrap().iter().map(|agent| agent["points"].as_f64().unwrap()).sum();
    assert!((points - 4.0).abs() < 1e-12);
    assert_eq!(json["ratings"]["agents"].as_array().unwrap().len(), 2);
    let csv = said(&["standings", run, "--csv"], 0);
    assert_eq!(csv.lines().count(), 3);
    assert_starts(&csv, "rank,shared,rank_best,rank_worst,agent,points,games,won,");
    assert!(said(&["standings", run, "--markdown"], 0).starts_with("| # | 95 % | agent |"));
    said(&["standings", run, "--markdown", "--csv"], 2);
    let refused = referee(&["standings", run, "--tie-breaks", "luck"]);
    assert_contains(
        String::from_utf8_lossy(&refused.stderr),
        "`luck` is not a tie-break: choose among `direct-encounter`",
    );
}

#[test]
#[ignore = "long: plays games of every kind"]
fn a_run_in_progress_has_a_status_and_standings() {
    let run = copy_of(&OTHELLO);
    let finished = said(&["status", run.path()], 0);
    assert!(finished.contains("4 of 4 games finished\n") && finished.ends_with("nothing is missing\n"), "{finished}");
    fs::remove_file(run.folder.path().join("games/g0002.json")).unwrap();
    fs::write(run.folder.path().join("games/notes.txt"), "mine").unwrap();
    let status = said(&["status", run.path()], 1);
    assert_contains(&status, "random (builtin:random): 3 of 4 games finished\n");
    assert!(status.contains("not a game of this run: notes.txt\n"), "{status}");
    assert!(
        status.contains("1 game is missing; if nothing plays it now, resume with ") && status.contains("`--out "),
        "{status}"
    );
    let json: Value = serde_json::from_str(&said(&["status", run.path(), "--json"], 1)).unwrap();
    assert_eq!((json["finished"].as_u64(), json["foreign_files"][0].as_str()), (Some(3), Some("notes.txt")));
    assert!(said(&["standings", run.path()], 0).ends_with("3 of 4 games finished\n"));
    assert_eq!(said(&["export", run.path(), "--format", "jsonl"], 0).lines().count(), 3);
}

/// The games of a PDN file: tags and movetext without comments and numbers.
fn games_of_pdn(text: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let mut games: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for block in text.split("\n\n") {
        if block.starts_with('[') {
            games.push((block.lines().map(str::to_owned).collect(), Vec::new()));
            continue;
        }
        let mut without_comments = String::new();
        let mut in_comment = false;
        for character in block.chars() {
            match character {
                '{' => in_comment = true,
                '}' => in_comment = false,
                _ if !in_comment => without_comments.push(character),
                _ => {}
            }
        }
        let words = without_comments.split_whitespace().filter(|word| !word.ends_with('.'));
        games.last_mut().unwrap().1 = words.map(str::to_owned).collect();
    }
    games
}

/// The legal move that goes through the squares of `text`.
fn read_pdn_move(position: &Checkers, text: &str) -> Move {
    let numbers: Vec<u8> = text.split(['-', 'x']).map(|number| number.parse().unwrap()).collect();
    let path = |mv: &Move| -> Vec<u8> {
        let squares = std::iter::once(mv.origin()).chain(mv.hops().map(|hop| hop.to));
        squares.map(|square| square_number(square).unwrap()).collect()
    };
    let moves: Vec<Move> = position.moves().into_iter().filter(|mv| path(mv) == numbers).collect();
    assert_eq!(moves.len(), 1, "{text}");
    assert_eq!(moves[0].is_jump(), text.contains('x'), "{text}");
    moves[0]
}

#[test]
fn exported_checkers_games_replay_to_the_same_board() {
    let text = said(&["export", CHECKERS.path(), "--format", "pdn"], 0);
    assert!(text.lines().all(|line| line.len() <= 79 || line.starts_with('[')));
    let records = CHECKERS.records();
    let games = games_of_pdn(&text);
    assert_eq!(games.len(), records.len());
    for ((tags, moves), record) in games.iter().zip(&records) {
        assert!(tags.contains(&"[GameType \"21\"]".to_owned()) && !tags.iter().any(|tag| tag.starts_with("[FEN")));
        let (end, moves) = moves.split_last().unwrap();
        assert_eq!(end, "*");
        let mut position = Checkers::start(());
        for text in moves {
            position.play_unchecked(read_pdn_move(&position, text));
        }
        assert_eq!(position.rows(), snapshots(record).unwrap().last().unwrap().rows());
        let result = match record.verdict.winner() {
            Some(Side::Black) => "[Result \"1-0\"]",
            Some(Side::White) => "[Result \"0-1\"]",
            None => "[Result \"1/2-1/2\"]",
        };
        assert!(tags.contains(&result.to_owned()), "{tags:?}");
    }
}

/// The Old Fourteenth, a Single Corner and a Double Corner, as the manuals number them.
#[test]
fn well_known_openings_are_legal_as_they_are_numbered() {
    for opening in [
        "11-15 23-19 8-11 22-17 4-8 17-13 15-18 24-20 11-15 28-24 8-11",
        "11-15 22-18 15x22 25x18 8-11 29-25 4-8",
        "9-14 22-18 5-9 24-19 11-15 18x11 8x15x24 28x19",
    ] {
        let mut position = Checkers::start(());
        for text in opening.split(' ') {
            position.play_unchecked(read_pdn_move(&position, text));
        }
    }
}

#[test]
#[ignore = "long: plays games of every kind"]
fn texts_hold_every_move_and_the_result() {
    for run in [&*HALMA, &*OTHELLO, &*CHECKERS] {
        let text = said(&["export", run.path(), "--format", "text"], 0);
        let games = games_of_pdn(&text);
        for ((tags, words), record) in games.iter().zip(run.records()) {
            assert_eq!(words.len(), record.turns.len() + 1);
            let passes = record.turns.iter().filter(|turn| turn.is_pass()).count();
            assert_eq!(words.iter().filter(|word| *word == "pass").count(), passes);
            assert!(tags.contains(&format!("[Round \"{}\"]", record.id)));
            assert!(tags.contains(&format!("[Start \"{}\"]", record.start.join("/"))));
        }
        assert_eq!(games.len(), 4);
    }
    for (run, game, fitting) in [(&*HALMA, "Halma (addendum)", "text"), (&*LITTLE_GO, "Little-Go", "sgf")] {
        let refused = referee(&["export", run.path(), "--format", "pdn"]);
        assert_eq!(refused.status.code(), Some(2));
        assert_eq!(
            String::from_utf8_lossy(&refused.stderr),
            format!(
                "referee: `--format pdn` is Portable Draughts Notation, for checkers programs; this is a run of \
                 {game}: use `--format {fitting}`\n"
            )
        );
    }
}

/// The library is nobody of ours: what it reads is what other Go programs read.
#[test]
#[ignore = "long: plays whole games"]
fn exported_go_games_are_read_back_move_by_move() {
    let text = said(&["export", LITTLE_GO.path(), "--format", "sgf"], 0);
    let games = sgf::parse(&text).unwrap();
    let mut passes = 0;
    for (game, record) in games.iter().zip(LITTLE_GO.records()) {
        assert_eq!(game.validate(), Ok(()));
        assert_eq!(game.get_property("SZ"), Some(&sgf::Prop::SZ((5, 5))));
        assert_eq!(game.get_property("KM"), Some(&sgf::Prop::KM(2.5)));
        let Verdict::Won { winner, by: WinReason::HigherScore { winner: more, loser: fewer } } = record.verdict else {
            panic!("{:?}", record.verdict);
        };
        let letter = if winner == Side::Black { 'B' } else { 'W' };
        let result = format!("{letter}+{}", f64::from(more.halves() - fewer.halves()) / 2.0);
        let Some(sgf::Prop::RE(told)) = game.get_property("RE") else {
            panic!("no result: {game:?}");
        };
        assert_eq!(told.text, result);
        let moves = game.main_variation().filter_map(SgfNode::get_move);
        let read: Vec<Option<String>> = moves.map(point_of_move).collect();
        let played: Vec<Option<String>> = record.turns.iter().map(|turn| point_of(turn.mv().unwrap())).collect();
        assert_eq!(read, played);
        passes += played.iter().filter(|mv| mv.is_none()).count();
    }
    assert_eq!(games.len(), 4);
    assert!(passes > 0, "a pass is among the moves that were read");
}

/// The point of a move, as `output.txt` has it; none for a pass.
fn point_of_move(played: &sgf::Prop) -> Option<String> {
    match played {
        sgf::Prop::B(sgf::Move::Pass) | sgf::Prop::W(sgf::Move::Pass) => None,
        sgf::Prop::B(sgf::Move::Move(point)) | sgf::Prop::W(sgf::Move::Move(point)) => {
            Some(format!("{},{}", point.y, point.x))
        }
        other => panic!("{other:?} is no move"),
    }
}

fn point_of(mv: &str) -> Option<String> {
    (mv != "PASS").then(|| mv.to_owned())
}

#[test]
#[ignore = "long: plays games of every kind"]
fn exported_results_make_the_same_standings() {
    for run in [&*CHECKERS, &*OTHELLO] {
        let csv = said(&["export", run.path(), "--format", "csv"], 0);
        let fewer = ["--json", "--tie-breaks", "wins"];
        let agents = |text: &str| {
            let json: Value = serde_json::from_str(text).unwrap();
            let agents = json["agents"].as_array().unwrap().iter();
            let told = agents.map(|agent| ["name", "rank", "points"].map(|key| agent[key].clone()));
            (told.collect::<Vec<_>>(), json["first_against_second"].clone())
        };
        let own = agents(&said(&[&["standings", run.path()], &fewer[..]].concat(), 0));
        let read = |text: &str| {
            let output = referee_reading(&[&["standings", "--from", "-"], &fewer[..]].concat(), text);
            assert!(output.status.success(), "{}{text}", stderr(&output));
            agents(&stdout(&output))
        };
        assert_eq!(read(&csv), own);
        let commas = csv::Reader::from_reader(csv.as_bytes());
        let mut sheet = csv::WriterBuilder::new().delimiter(b';').from_writer(vec![]);
        sheet.write_record(csv.lines().next().unwrap().split(',')).unwrap();
        commas.into_records().for_each(|row| sheet.write_record(&row.unwrap()).unwrap());
        assert_eq!(read(&String::from_utf8(sheet.into_inner().unwrap()).unwrap()), own);
    }
    let drawn = GameSummary { outcome: Outcome::Drawn, ..CHECKERS.summaries().remove(0) };
    let csv = csv_text([GAMES_CSV_COLUMNS]) + &csv_text([games_csv_row(&drawn)]);
    let output = referee_reading(&["standings", "--from", "-", "--json"], csv);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["agents"][0]["points"], 0.5);
    let output = referee_reading(&["standings", "--from", "-"], "black;white;result\na;b;white\n");
    assert_eq!(output.status.code(), Some(3));
    assert_contains(stderr(&output), "`stdin`: line 1: no column `winner`, but `black`, `white`, `result`: name");
}

#[test]
fn csv_and_json_lines_have_a_line_for_each_game() {
    let out = TempDir::new().unwrap();
    let file = out.path().join("games.csv");
    said(&words("export {} --format csv --out {}", &[CHECKERS.path(), file.to_str().unwrap()]), 0);
    let mut reader = csv::Reader::from_path(&file).unwrap();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let summaries = CHECKERS.summaries();
    assert_eq!(rows.len(), summaries.len());
    for (row, summary) in rows.iter().zip(&summaries) {
        assert_eq!(
            (&row[0], &row[1], &row[2]),
            (summary.id.as_str(), summary.name(Side::Black), summary.name(Side::White))
        );
        assert_eq!((&row[5], &row[7]), (summary.outcome.word(), summary.totals.turns.to_string().as_str()));
        assert_eq!(row[8].parse(), Ok(summary.totals.charged.black));
    }
    let lines = said(&["export", CHECKERS.path(), "--format", "jsonl"], 0);
    let read: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json!(read), json!(summaries));
    let nowhere = Path::new("no/such/folder/games.csv");
    said(&words("export {} --format csv --out {}", &[CHECKERS.path(), nowhere.to_str().unwrap()]), 5);
}
