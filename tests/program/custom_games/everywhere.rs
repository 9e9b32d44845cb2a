//! Every command that works with a built-in game works with a custom one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{ROOT, example, referee_in};
use crate::competition::arena::{Arena, assignment, done, small_agents};
use crate::invocation::{status, stderr, stdout, words};
use crate::served::{Player, Served};
use crate::slurm::cluster::Cluster;
use crate::slurm::submitted::{assert_same, plan, status as slurm_status, submit, when_idle};

fn heirs() -> String {
    format!("{ROOT}/examples/rules/heirs.py")
}

/// A competition of tic-tac-toe among built-in agents, whose records this process can read.
fn arena(agents: usize) -> Arena {
    let competition = assignment("\"round-robin\"", &small_agents(agents));
    let arena = Arena::new(
        &competition
            .replace("\"duo-othello\"", "\"three/rules/three.py\"")
            .replace("opening_plies = 124", "opening_plies = 2"),
    );
    // Otherwise the time that agents happen to use decides draws.
    let level = ("    rules = {\n", "    draw_decisions = ()\n    rules = {\n");
    example(&arena.path(""), "three", &[level]);
    arena
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_custom_game_is_watched_while_another_process_plays_it() {
    let folder = TempDir::new().expect("a folder");
    let run = folder.path().join("run");
    let player = Player::start(&run, "builtin:random", &["--game", &heirs(), "--games", "1"]);
    let served = Served::start(&run, &[]);
    let mut events = served.events();
    player.play();
    let (mut turns, mut boards) = (BTreeSet::new(), BTreeSet::new());
    while turns.len() < 4 {
        let (name, data) = events.next().expect("the stream lasts");
        if name == "game" {
            turns.insert(data["turns"].as_u64().expect("a number"));
            boards.insert(data["boards"].as_str().expect("a text").to_owned());
        }
    }
    assert_eq!(boards.len(), 4, "each turn changes the board");
    player.stop();
}

/// The same games in one process, in two shards, and on a cluster.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_custom_game_is_played_in_shards_and_on_a_cluster() {
    let arena = arena(4);
    done(arena.compete("local", &[]));
    let alike = |run: &str| {
        assert_eq!(arena.games(run), arena.games("local"), "{run}");
        let told = done(arena.referee(&["verify", run]));
        assert!(told.contains(", 0 different"), "{told}");
    };
    done(arena.referee(&["plan", "small.toml", "--out", "parts"]));
    for index in ["0", "1"] {
        done(arena.referee(&["shard", "parts", "--index", index, "--of", "2"]));
    }
    alike("parts");
    let Some(cluster) = Cluster::start() else { return };
    plan(&arena);
    submit(&cluster, &arena, &["--shards", "2"]);
    let (complete, exit) = when_idle(&cluster, &arena);
    assert_eq!((exit, &complete["finished"]), (0, &12.into()), "{complete:#}");
    assert_same(&arena, "local");
    assert_eq!(slurm_status(&arena).1, 0);
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn games_of_a_custom_game_are_exported() {
    let arena = arena(2);
    done(arena.compete("run", &[]));
    let text = done(arena.referee(&["export", "run", "--format", "text"]));
    assert!(text.contains("three"), "{text}");
    let moves: Vec<String> = fs::read_dir(arena.path("run/games"))
        .expect("games")
        .map(|game| fs::read_to_string(game.expect("a file").path()).expect("a record"))
        .flat_map(|record| {
            let record: Value = serde_json::from_str(&record).expect("JSON");
            let turns = record["turns"].as_array().expect("turns").clone();
            turns.into_iter().filter_map(|turn| turn["move"].as_str().map(str::to_owned))
        })
        .collect();
    assert!(moves.len() >= 10, "{moves:?}");
    assert!(moves.iter().all(|mv| text.contains(mv)), "{moves:?} in {text}");
    let csv = done(arena.referee(&["export", "run", "--format", "csv"]));
    assert_eq!(csv.lines().count(), 3, "{csv}");
    let lines = done(arena.referee(&["export", "run", "--format", "jsonl"]));
    assert_eq!(lines.lines().count(), 2, "{lines}");
    let refused = arena.referee(&["export", "run", "--format", "pdn"]).output().expect("it runs");
    assert_ne!(status(&refused), 0);
    assert!(stderr(&refused).contains("pdn"), "{}", stderr(&refused));
}

/// An agent that takes a taken square at its second move.
pub(super) const STUBBORN: &str = "open('output.txt', 'w').write('a1\\n')\n";

pub(super) fn submission(folder: &Path, name: &str, text: &str) -> PathBuf {
    let place = folder.join(name);
    fs::create_dir_all(&place).expect("a folder");
    fs::write(place.join("homework.py"), text).expect("written");
    place
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn a_submission_for_a_custom_game_is_checked_before_it_is_handed_in() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    example(within, "three", &[]);
    submission(within, "stubborn", STUBBORN);
    let check = |agent: &str| {
        let words = ["check", agent, "--game", "three/rules/three.py", "--positions", "6"];
        referee_in(within, &words)
    };
    let good = check("three/agents/second");
    assert_eq!(status(&good), 0, "{}{}", stdout(&good), stderr(&good));
    let bad = check("stubborn");
    assert_eq!(status(&bad), 1, "{}{}", stdout(&bad), stderr(&bad));
    assert!(stdout(&bad).contains("these are empty"), "{}", stdout(&bad));
}

/// The reference agents are told the position, so the games of a check need no rules that read an `input.txt`.
#[test]
#[ignore = "long: plays by rules in another process"]
fn a_check_plays_its_games_by_rules_that_read_no_input() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    example(within, "three", &[("    def from_input(", "    def never_asked(")]);
    let check = ["check", "three/agents/second", "--game", "three/rules/three.py", "--json"];
    let checked = referee_in(within, &check);
    let said = stdout(&checked);
    assert_eq!(status(&checked), 0, "{said}{}", stderr(&checked));
    let report: Value = serde_json::from_str(&said).expect("JSON");
    let items = report["items"].as_array().expect("a list");
    let of_games = items.iter().filter(|item| item["name"] == "game");
    let played: Vec<_> = of_games.map(|item| item["found"].as_str().expect("a text")).collect();
    for opponent in ["against random", "against minimax"] {
        assert!(played.iter().any(|game| game.starts_with(opponent)), "{said}");
    }
    // On a slow machine a game is stopped, and then there is one of each.
    let is_sound = |game: &&str| game.contains("on the board") || game.contains("no errors in");
    assert!(played.iter().all(is_sound), "{said}");
}

/// A text of a rules program wherever one is shown: what it may contain comes from strangers, in the end.
const EVIL: &str = "\\x1b[2J\\x07<img src=x onerror=owned()>";

/// Tic-tac-toe in `within` with such texts in every place.
fn evil_example(within: &Path) -> PathBuf {
    let evil = |text: &str| text.replace("EVIL", &format!("\"{EVIL}\""));
    let changes = [
        ("\"Three\"", evil("EVIL")),
        (
            "    columns, rows = \"abc\", \"321\"\n",
            evil(
                "    columns, rows = (\"<b>\", \"\\x1b[2\", \"c\"), (\"<i>\", \"2\", \"1\")\n    \
                 side_names = (\"\\x1b[2J<b>X</b>\", \"\\x07<i>O</i>\")\n    \
                 progress_words = EVIL\n    idle_turns = 8\n",
            ),
        ),
        ("\"it has three in a row\"", evil("EVIL")),
        ("\"empty squares\", \"a side puts its sign on an empty square\"", evil("EVIL, EVIL")),
        ("\"`%s` is taken\" % move", evil("EVIL")),
        ("\"these are empty: \" +", evil("EVIL +")),
        ("+ state[\"board\"]) + \"\\n\"", evil("+ state[\"board\"]) + \"\\n\" + EVIL")),
        ("        signs = list(", evil("        import sys\n        sys.stderr.write(EVIL)\n        signs = list(")),
        (
            "        lines = text.split()\n",
            evil(
                "        lines = text.split()\n        if lines[0] == \"evil\":\n            \
                 raise Unreadable(1, EVIL)\n",
            ),
        ),
    ];
    let changes: Vec<(&str, &str)> = changes.iter().map(|(old, new)| (*old, new.as_str())).collect();
    example(within, "three", &changes)
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn no_text_of_a_rules_program_reaches_a_terminal_or_a_page_as_it_is() {
    let folder = TempDir::new().expect("a folder");
    let within = folder.path();
    let rules = evil_example(within);
    let game = rules.to_str().expect("a plain path");
    submission(within, "stubborn", STUBBORN);
    fs::write(within.join("evil.txt"), "evil\n").expect("written");
    fs::write(within.join("taken.txt"), "X\n5\n...\n...\nX..\n").expect("written");
    fs::write(within.join("a1.txt"), "a1\n").expect("written");
    let mut said = String::new();
    let mut hear = |words: &[&str]| {
        let output = referee_in(within, words);
        let text = format!("{}{}", stdout(&output), stderr(&output));
        let is_harmless = |c: char| c == '\n' || !c.is_control();
        assert!(text.chars().all(is_harmless), "{words:?}: {text:?}");
        said.push_str(&text);
    };
    hear(&words("play --game {} stubborn builtin:random --games 2 --out run", &[game]));
    let record = "run/games/g0001.json";
    for words in [
        &["explain", record][..],
        &["replay", record],
        &["verify", "run"],
        &["standings", "run"],
        &["export", "run", "--format", "text"],
        &["export", "run", "--format", "csv"],
        &["report", "run"],
        &["judge", "--game", game, "--input", "taken.txt", "--output", "a1.txt"],
        &["judge", "--game", game, "--input", "evil.txt", "--output", "a1.txt"],
        &["moves", "--game", game, "--input", "evil.txt"],
        &["moves", "--game", game],
        &["check", "stubborn", "--game", game, "--positions", "2"],
        &["game", "check", game, "--positions", "20"],
        &["positions", "--game", game, "--count", "2", "--out", "positions"],
        &words("grade three/assignment.toml stubborn three/agents/first --out graded", &[]),
        &["report", "graded"],
        &["gradebook", "graded"],
    ] {
        hear(words);
    }
    assert!(said.contains("onerror=owned()"), "it was shown, escaped: {said}");
    let pages = files_in(within, "html");
    assert_eq!(pages.len(), 2, "two reports");
    for page in &pages {
        let text = fs::read_to_string(page).expect("a page");
        for raw in ["<img src=x", "<b>X", "<i>O"] {
            assert!(!text.contains(raw), "{}: {raw:?}", page.display());
        }
    }
    for extension in ["html", "md", "txt", "csv"] {
        let files = files_in(&within.join("graded"), extension);
        assert!(!files.is_empty(), "{extension}");
        for file in files {
            let text = fs::read_to_string(&file).expect("a text");
            assert!(!text.contains(['\u{1b}', '\u{7}']), "{}", file.display());
        }
    }
    let served = Served::start(&within.join("run"), &[]);
    let page = served.get("/").body;
    assert!(!page.contains("<img src=x") && !page.contains('\u{1b}'), "{page}");
    assert_ne!(served.get("/view").json(), json!(null));
}

/// The files under `folder` that end so.
fn files_in(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == ending) {
                found.push(path);
            }
        }
    }
    found
}
