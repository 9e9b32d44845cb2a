//! The rooms keep to the map in `ARCHITECTURE.md`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which rooms a room may use, from the table in `ARCHITECTURE.md`.
const MAY_USE: &[(&str, &[&str])] = &[
    ("time", &[]),
    // The registry and the adapter see all layers of a game; what its files may use is in `GAME_FILES`.
    ("games", &["protocol", "agents", "positions", "time"]),
    ("protocol", &["games", "time"]),
    ("seat", &["time"]),
    ("agents", &["games", "protocol", "seat", "time"]),
    ("positions", &["games", "protocol", "agents", "time"]),
    ("records", &["games", "protocol", "seat", "time"]),
    ("referee", &["games", "protocol", "seat", "records", "time"]),
    (
        "tournament",
        &["games", "protocol", "seat", "agents", "records", "referee", "time"],
    ),
    ("messages", &["games", "protocol", "seat", "records", "referee", "time"]),
    (
        "grading",
        &[
            "assignment",
            "games",
            "protocol",
            "seat",
            "agents",
            "records",
            "referee",
            "tournament",
            "export",
            "messages",
            "time",
        ],
    ),
    (
        "assignment",
        &["games", "protocol", "seat", "agents", "records", "tournament", "time"],
    ),
    (
        "check",
        &[
            "agents",
            "assignment",
            "games",
            "positions",
            "protocol",
            "records",
            "referee",
            "seat",
            "time",
            "tournament",
            "messages",
        ],
    ),
    (
        "report",
        &[
            "assignment",
            "games",
            "grading",
            "protocol",
            "records",
            "referee",
            "seat",
            "tournament",
            "messages",
            "time",
        ],
    ),
    (
        "human",
        &[
            "agents",
            "games",
            "protocol",
            "records",
            "referee",
            "seat",
            "time",
            "tournament",
        ],
    ),
    (
        "serve",
        &[
            "assignment",
            "games",
            "human",
            "protocol",
            "records",
            "referee",
            "report",
            "time",
            "tournament",
            "messages",
        ],
    ),
    (
        "rules_program",
        &["agents", "games", "positions", "protocol", "seat", "time"],
    ),
    ("shards", &["agents", "games", "records", "seat", "time", "tournament"]),
    ("export", &["games", "protocol", "records", "time"]),
    ("doctor", &["agents", "games", "records", "seat", "time"]),
    ("slurm", &["records", "messages"]),
];

/// What the files of `games` may use beyond `games` itself: those of the interface, then those of a game by their
/// names. All others are rules, and use nothing.
const GAME_FILES: &[(&str, &[&str])] = &[
    ("game.rs", &["agents", "positions", "protocol"]),
    ("adapter.rs", &["agents", "positions", "protocol"]),
    ("state.rs", &["protocol"]),
    ("puzzles.rs", &["protocol", "time"]),
    ("profile.rs", &["protocol", "time"]),
    ("reasons.rs", &["protocol"]),
    ("texts", &["protocol", "time"]),
    ("evaluation.rs", &["agents"]),
    ("search.rs", &["agents", "protocol", "time"]),
    ("plays.rs", &["agents", "protocol", "time"]),
    ("kinds.rs", &["agents", "positions", "protocol"]),
    ("cases.rs", &["agents", "positions", "protocol"]),
];

/// What a room without I/O, clock and randomness has no use for.
const IMPURE: [&str; 10] = [
    "std::fs",
    "std::io",
    "std::net",
    "std::env",
    "std::process",
    "std::thread",
    "std::time",
    "rand::",
    "nix::",
    "libc::",
];

fn sources(room: &str) -> Vec<(PathBuf, String)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    collect(&source.join(format!("{room}.rs")), &mut found);
    collect(&source.join(room), &mut found);
    assert!(!found.is_empty(), "there is no room `{room}`");
    found
}

fn collect(path: &Path, found: &mut Vec<(PathBuf, String)>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), found);
        }
    } else if path.is_file() {
        found.push((path.to_owned(), code(&fs::read_to_string(path).unwrap())));
    }
}

/// A source without its comments and its tests.
fn code(source: &str) -> String {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .fold(String::new(), |code, line| code + line + "\n")
}

/// The rooms that `code` names by `crate::room`.
fn rooms_used(code: &str) -> BTreeSet<&str> {
    let names = code.split("crate::").skip(1);
    names
        .map(|rest| {
            rest.split(|c: char| !c.is_ascii_lowercase() && c != '_')
                .next()
                .unwrap_or_default()
        })
        .collect()
}

#[test]
fn rooms_use_only_the_rooms_that_they_may() {
    let mut strays = BTreeMap::new();
    for (room, allowed) in MAY_USE {
        for (path, code) in sources(room) {
            let used = rooms_used(&code);
            let stray: Vec<_> = used
                .iter()
                .filter(|used| **used != *room && !allowed.contains(used))
                .collect();
            if !stray.is_empty() {
                strays.insert(path, format!("{stray:?}"));
            }
        }
    }
    assert!(strays.is_empty(), "rooms that a file may not use: {strays:#?}");
}

#[test]
fn the_files_of_games_keep_to_their_layers() {
    let mut strays = BTreeMap::new();
    for (path, code) in sources("games") {
        let allowed = path.components().find_map(|part| {
            let part = part.as_os_str().to_str()?;
            let part = if part == "texts.rs" { "texts" } else { part };
            GAME_FILES.iter().find(|(name, _)| *name == part)
        });
        let allowed = allowed.map_or(&[][..], |(_, rooms)| rooms);
        let used = rooms_used(&code);
        let stray: Vec<_> = used
            .iter()
            .filter(|used| **used != "games" && !allowed.contains(used))
            .collect();
        if !stray.is_empty() {
            strays.insert(path, format!("{stray:?}"));
        }
    }
    assert!(strays.is_empty(), "rooms that a file may not use: {strays:#?}");
}

/// The names by which a game's folder, its types and its profile are known.
fn names_of_games() -> Vec<(String, Vec<String>)> {
    referee::games::GameId::all()
        .map(|game| {
            let profile = game.profile();
            let folder = folder_of(profile.name);
            let mut names = vec![folder.clone(), profile.name.to_owned(), profile.title.to_owned()];
            names.push(profile.title.replace([' ', '-'], ""));
            names.sort();
            names.dedup();
            (folder, names)
        })
        .collect()
}

/// The folder under `src/games` whose profile has `name`.
fn folder_of(name: &str) -> String {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games");
    let folders = fs::read_dir(games).unwrap().map(|entry| entry.unwrap().path());
    let found = folders.filter(|path| path.is_dir()).find(|path| {
        let profile = fs::read_to_string(path.join("profile.rs")).unwrap();
        profile.contains(&format!("name: \"{name}\""))
    });
    found.unwrap().file_name().unwrap().to_str().unwrap().to_owned()
}

/// A game's folder, and the registry, are the only places in the program that know it. Tests within the sources may
/// take any game for an example, and comments may.
#[test]
fn no_code_but_its_own_names_a_game() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    collect(&source, &mut found);
    let mut named = Vec::new();
    for (folder, names) in names_of_games() {
        for (path, code) in &found {
            let is_own = path.starts_with(source.join("games").join(&folder));
            let is_registry = *path == source.join("games/mod.rs");
            // The examples of the keys of an assignment are a line of one.
            let is_example = *path == source.join("assignment/reading/keys.rs");
            if is_own || is_registry || is_example {
                continue;
            }
            let words = code.split(|c: char| !(c.is_alphanumeric() || "_- ".contains(c)));
            let words: Vec<&str> = words.flat_map(|text| text.split(' ')).collect();
            for name in names.iter().filter(|name| words.contains(&name.as_str())) {
                named.push(format!("{} names {name}", path.display()));
            }
        }
    }
    assert!(named.is_empty(), "games are named outside their folders: {named:#?}");
}

#[test]
fn rules_and_texts_are_pure() {
    for room in ["games", "protocol"] {
        for (path, code) in sources(room) {
            let impure: Vec<_> = IMPURE.iter().filter(|name| code.contains(*name)).collect();
            assert!(impure.is_empty(), "{} uses {impure:?}", path.display());
        }
    }
}

#[test]
fn unsafe_code_and_the_start_of_agents_are_in_the_seat_alone() {
    for (room, _) in MAY_USE.iter().filter(|(room, _)| *room != "seat") {
        for (path, code) in sources(room) {
            assert!(!code.contains("unsafe "), "{} has unsafe code", path.display());
        }
    }
    for room in ["referee", "records", "tournament", "console", "cli"] {
        for (path, code) in sources(room) {
            assert!(!code.contains("process::Command"), "{} starts programs", path.display());
        }
    }
}

#[test]
fn the_map_names_every_room() {
    let map = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = ["lib.rs", "main.rs"].contains(&name.as_str()) || map.contains(&format!("`src/{name}"));
        assert!(known, "ARCHITECTURE.md does not name `src/{name}`");
    }
}
