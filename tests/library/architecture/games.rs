//! What holds for the folders of the games: they implement the traits that `docs/adding-a-game.md` says, and no other
//! code knows them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::{SourceFile, all_sources, assert_none, sources};

/// The folder of all games.
const GAMES: &str = "crates/games/src";

/// The page with the table of the files of a game.
const PAGE: &str = "docs/adding-a-game.md";

/// The traits that each file of a game implements.
type Traits = BTreeMap<String, BTreeSet<String>>;

/// The files of a game with their traits, from the first and the third column of the page's table.
fn traits_of_games() -> Traits {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE)).unwrap();
    let (_, section) = page.split_once("## The files of a game\n").unwrap();
    let lines = section.lines().skip_while(|line| !line.starts_with('|'));
    let mut found = Traits::new();
    for line in lines.take_while(|line| line.starts_with('|')).skip(2) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        let traits: BTreeSet<String> = names(cells[2]).into_iter().collect();
        found.extend(names(cells[0]).into_iter().map(|name| (name, traits.clone())));
    }
    assert!(!found.is_empty(), "{PAGE} has no table of the files of a game");
    found
}

/// The names in backticks.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The folders of games.
fn folders() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(GAMES);
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let games = folders.filter(|path| path.join("profile.rs").exists());
    games.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn every_game_implements_the_traits_in_the_files_that_the_page_names() {
    let page = traits_of_games();
    let rules = &page["mod.rs"];
    let mut missing = Vec::new();
    for folder in folders() {
        let files = sources(&format!("{GAMES}/{folder}"));
        for name in page.values().flatten().collect::<BTreeSet<_>>() {
            let header = format!("{name} for ");
            let is_implementation = |line: &str| line.starts_with("impl") && line.contains(&header);
            let is_there = files.iter().any(|file| {
                row_of(file, &page).unwrap_or(rules).contains(name) && file.code.lines().any(is_implementation)
            });
            if !is_there {
                missing.push(format!("{GAMES}/{folder} does not implement `{name}` where the page says"));
            }
        }
    }
    assert_none("traits of games", &missing);
}

/// What the page says of the file itself, or of the folder that it is a part of.
fn row_of<'a>(file: &SourceFile, page: &'a Traits) -> Option<&'a BTreeSet<String>> {
    let mut parts = file.path.split('/').skip(4);
    parts.find_map(|part| page.get(&format!("{}.rs", part.strip_suffix(".rs").unwrap_or(part))))
}

/// The assignment file that stands for all where one is asked for.
const EXAMPLE: &str = "tournaments/checkers-2021.toml";

/// The names by which a game's folder, its types and its profile are known.
fn names_of_games() -> Vec<(String, Vec<String>)> {
    referee_games::GameRef::all()
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

/// The folder of the game whose profile has `name`.
fn folder_of(name: &str) -> String {
    let is_its = |folder: &String| {
        let profile = format!("{}/{GAMES}/{folder}/profile.rs", env!("CARGO_MANIFEST_DIR"));
        fs::read_to_string(profile).unwrap().contains(&format!("name: \"{name}\""))
    };
    folders().into_iter().find(is_its).unwrap()
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
    let files = all_sources();
    let mut named = Vec::new();
    for (folder, names) in names_of_games() {
        let own = format!("{GAMES}/{folder}/");
        for file in &files {
            // The examples of the keys of an assignment are a line of one.
            let is_example = file.path == "crates/course/src/assignment/reading/keys.rs";
            if file.path.starts_with(&own) || file.path == format!("{GAMES}/lib.rs") || is_example {
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
