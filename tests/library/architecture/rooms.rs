//! Which rooms a room, and a file of a game, may use.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::{SourceFile, assert_none, map, sources};

/// The rooms that `code` names by `crate::room`.
fn rooms_used(code: &str) -> BTreeSet<String> {
    let names = code.split("crate::").skip(1);
    names
        .map(|rest| rest.split(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap_or_default())
        .filter(|room| !room.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn rooms_use_just_the_rooms_that_the_map_gives_them() {
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut strays = Vec::new();
    let map = map::rooms();
    let files = sources("src");
    for file in files.iter().filter(|file| !["lib", "main"].contains(&file.room())) {
        let Some(allowed) = map.get(file.room()) else {
            strays.push(format!("the map has no room `{}`", file.room()));
            continue;
        };
        let mut of_file = rooms_used(&file.code);
        of_file.remove(file.room());
        let stray = of_file.difference(allowed);
        strays.extend(stray.map(|stray| format!("{} uses {stray}", file.path)));
        used.entry(file.room().to_owned()).or_default().extend(of_file);
    }
    for (room, allowed) in &map {
        let used = used.get(room).cloned().unwrap_or_default();
        let idle = allowed.difference(&used);
        strays.extend(idle.map(|idle| format!("the map lets `{room}` use `{idle}`, which it does not")));
    }
    assert_none("rooms and the map differ", &strays);
}

#[test]
fn the_files_of_games_keep_to_their_layers() {
    let map = map::files_of_games();
    let mut strays = Vec::new();
    for file in sources("src/games") {
        let rules = BTreeSet::from(["games".to_owned()]);
        let used = rooms_used(&file.code);
        let stray = used.difference(row_of(&file, &map).unwrap_or(&rules)).filter(|room| *room != "games");
        strays.extend(stray.map(|stray| format!("{} uses {stray}", file.path)));
    }
    assert_none("rooms that a file of a game may not use", &strays);
}

/// What `map` says of the file itself, or of the folder that it is a part of.
fn row_of<'a>(file: &SourceFile, map: &'a map::Allowed) -> Option<&'a BTreeSet<String>> {
    let mut parts = file.path.split('/').skip(2);
    parts.find_map(|part| map.get(&format!("{}.rs", part.strip_suffix(".rs").unwrap_or(part))))
}

#[test]
fn every_game_implements_the_traits_in_the_files_that_the_map_names() {
    let map = map::traits_of_games();
    let rules = &map["mod.rs"];
    let mut expected = BTreeSet::new();
    let mut found = BTreeSet::new();
    for file in sources("src/games") {
        let Some((folder, _)) = file.path["src/games/".len()..].split_once('/') else {
            continue;
        };
        for name in map.values().flatten() {
            expected.insert((folder.to_owned(), name.clone()));
            let header = format!("{name} for ");
            let is_implementation = |line: &str| line.starts_with("impl") && line.contains(&header);
            if row_of(&file, &map).unwrap_or(rules).contains(name) && file.code.lines().any(is_implementation) {
                found.insert((folder.to_owned(), name.clone()));
            }
        }
    }
    let missing: Vec<String> = expected
        .difference(&found)
        .map(|(folder, name)| format!("src/games/{folder} does not implement `{name}` where the map says"))
        .collect();
    assert_none("traits of games", &missing);
}

/// The assignment file that stands for all where one is asked for.
const EXAMPLE: &str = "tournaments/checkers-2021.toml";

/// The names by which a game's folder, its types and its profile are known.
fn names_of_games() -> Vec<(String, Vec<String>)> {
    referee::games::GameRef::all()
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

/// Whether `name` stands in `text` as a word or as several.
fn is_named(text: &str, name: &str) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    text.match_indices(name).any(|(place, _)| {
        !is_part(text[..place].chars().next_back()) && !is_part(text[place + name.len()..].chars().next())
    })
}

/// The help of a command is written as comments.
fn help(file: &SourceFile) -> String {
    let lines = file.text.lines().filter(|line| line.trim_start().starts_with("///"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A game's folder, and the registry, are the only places in the program that know it. Tests within the sources may
/// take any game for an example, and comments may, but for those that are shown as help.
#[test]
fn no_code_but_its_own_names_a_game() {
    let files = sources("src");
    let mut named = Vec::new();
    for (folder, names) in names_of_games() {
        let own = format!("src/games/{folder}/");
        for file in &files {
            // The examples of the keys of an assignment are a line of one.
            let is_example = file.path == "src/assignment/reading/keys.rs";
            if file.path.starts_with(&own) || file.path == "src/games/mod.rs" || is_example {
                continue;
            }
            let mut text = file.code.clone();
            if file.path.starts_with("src/cli/") {
                text.push_str(&help(file));
            }
            let text = text.replace(EXAMPLE, "");
            let found = names.iter().filter(|name| is_named(&text, name));
            named.extend(found.map(|name| format!("{} names {name}", file.path)));
        }
    }
    assert_none("games are named outside their folders", &named);
}
