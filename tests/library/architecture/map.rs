//! The tables of `ARCHITECTURE.md`, and that of the files of a game.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The page with the files of a game.
const GAMES: &str = "docs/adding-a-game.md";

/// What a row of a table allows, by the name of the row.
pub(super) type Allowed = BTreeMap<String, BTreeSet<String>>;

/// The rooms that each room may use, from the table "Rooms".
pub(super) fn rooms() -> Allowed {
    let row = |cells: &[&str]| {
        let (name, may_use) = (names(cells[0]), cells[2]);
        let name = name.iter().filter_map(|name| name.strip_prefix("src/"));
        let name = name.map(|name| name.trim_end_matches('/').trim_end_matches(".rs"));
        (name.map(str::to_owned).collect(), list(may_use))
    };
    table("ARCHITECTURE.md", "## Rooms", row)
}

/// The rooms that each file of a game may use, from the table "The files of a game".
pub(super) fn files_of_games() -> Allowed {
    table(GAMES, "## The files of a game", |cells| (names(cells[0]), list(cells[3])))
}

/// The traits that each file of a game implements, from the same table.
pub(super) fn traits_of_games() -> Allowed {
    table(GAMES, "## The files of a game", |cells| (names(cells[0]), names(cells[2]).into_iter().collect()))
}

/// The rows of the first table below `heading` of `page`, each of which is about some names.
fn table(page: &str, heading: &str, row: impl Fn(&[&str]) -> (Vec<String>, BTreeSet<String>)) -> Allowed {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap();
    let (_, section) = page.split_once(&format!("{heading}\n")).unwrap();
    let lines = section.lines().skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    let mut found = Allowed::new();
    for line in rows {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let (names, allowed) = row(&cells);
        for name in names {
            found.insert(name, allowed.clone());
        }
    }
    assert!(!found.is_empty(), "there is no table below `{heading}`");
    found
}

/// The names in backticks.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The rooms of a list such as `games, agents (built-in play), time`; what is in brackets is for people.
fn list(cell: &str) -> BTreeSet<String> {
    let mut depth = 0_u32;
    let bare = cell.chars().filter(|character| match character {
        '(' => {
            depth += 1;
            false
        }
        ')' => {
            depth -= 1;
            false
        }
        _ => depth == 0,
    });
    let bare: String = bare.collect();
    let rooms = bare.split(',').map(str::trim).filter(|room| !room.is_empty());
    rooms.map(|room| room.split("::").next().unwrap().to_owned()).collect()
}
