//! Every format, from the first round to its end.

use std::fs;

use serde_json::Value;

use crate::competition::arena::{Arena, assignment, conclusion, done, small_agents};
use crate::invocation::assert_starts;

const FORMATS: [&str; 7] = [
    "\"round-robin\"",
    "\"gauntlet\"\nchallenger = \"a03\"",
    "\"swiss\"\nrounds = 3",
    "\"knockout\"",
    "\"double-knockout\"",
    "\"elimination\"\nround_limit = 4",
    "\"random-rounds\"\nopponents = 2\nrounds = 2",
];

#[test]
#[ignore = "long: plays competitions"]
fn every_format_comes_to_its_end_and_to_the_same_one_under_one_seed() {
    for format in FORMATS {
        // An odd number, so that there are byes.
        let mut text = assignment(format, &small_agents(5));
        // An elimination needs both colours.
        if !format.starts_with("\"elimination") {
            text = text.replace("games_per_pairing = 2", "games_per_pairing = 1");
        }
        let arena = Arena::new(&text);
        let [first, second] = ["first", "second"].map(|out| done(arena.compete(out, &[])));
        let ended = conclusion(&first);
        assert_eq!(ended, conclusion(&second), "{format}");
        assert!(ended.contains("95 %  agent"), "{format}: {ended}");
        assert_eq!(arena.games("first"), arena.games("second"), "{format}");
        for word in ["verify", "status"] {
            done(arena.referee(&[word, "first"]));
        }
        one_ranking_is_published(&arena, format, &first);
        // There is nothing left to be done, and it is told again.
        let again = done(arena.compete("first", &[]));
        assert_eq!(conclusion(&again), ended, "{format}");
    }
}

#[test]
#[ignore = "long: plays a competition of each format"]
fn status_tells_how_far_each_round_is() {
    let arena = Arena::new(&assignment("\"swiss\"\nrounds = 3", &small_agents(5)));
    done(arena.compete("run", &[]));
    let out = done(arena.referee(&["status", "run"]));
    assert_starts(&out, "run: Duo-Othello, 12 of 12 games finished\nround 3 of 3: 4 of 4 games finished\n");
    let last = arena.manifest("run").games.pop().unwrap();
    fs::remove_file(arena.run("run").path_of(&last.id)).unwrap();
    let mut status = arena.referee(&["status", "run"]);
    let status = status.output().unwrap();
    assert_eq!(status.status.code(), Some(1));
    let out = String::from_utf8(status.stdout).unwrap();
    assert_starts(&out, "run: Duo-Othello, 11 of 12 games finished\nround 3 of 3: 3 of 4 games finished\n");
}

#[test]
#[ignore = "long: plays a competition of each format"]
fn standings_go_by_what_the_format_goes_by() {
    let swiss = "ranked by points, then buchholz, then sonneborn-berger;";
    let round_robin = "ranked by points, then sonneborn-berger;";
    for (format, expected) in [("\"swiss\"\nrounds = 2", swiss), ("\"round-robin\"", round_robin)] {
        let arena = Arena::new(&assignment(format, &small_agents(3)));
        done(arena.compete("run", &[]));
        let usual = done(arena.referee(&["standings", "run"]));
        assert!(usual.contains(expected), "{usual}");
        let told = done(arena.referee(&["standings", "run", "--tie-breaks", "wins"]));
        assert!(told.contains("ranked by points, then wins"), "{told}");
    }
}

/// The ranks and names of a table whose first column is the rank; a shared rank without its mark.
fn rows<'a>(lines: impl Iterator<Item = &'a str>, columns: impl Fn(&'a str) -> Vec<&'a str>) -> Vec<(String, String)> {
    let row = |line: &'a str| {
        let cells = columns(line);
        let rank = cells.first()?.trim_end_matches('=');
        rank.parse::<u32>().ok()?;
        let name = cells.iter().skip(1).find(|name| name.starts_with('a'))?;
        Some((rank.to_owned(), (*name).to_owned()))
    };
    lines.filter_map(row).collect()
}

/// The same of the agents of a JSON object; the page has the rank as it is shown.
fn rows_of_json(object: &Value) -> Vec<(String, String)> {
    let agents = object["agents"].as_array().unwrap().iter();
    let rank =
        |rank: &Value| rank.as_str().map_or_else(|| rank.to_string(), |rank| rank.trim_end_matches('=').to_owned());
    agents.map(|agent| (rank(&agent["rank"]), agent["name"].as_str().unwrap().to_owned())).collect()
}

/// Ranks with names, in their order.
type Ranks = Vec<(String, String)>;

/// Who has won the run `first` and who stands where, from everything that tells it.
fn published(arena: &Arena, told: &str) -> Vec<(&'static str, Vec<String>, Ranks)> {
    let words = |line| str::split_whitespace(line).collect::<Vec<_>>();
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    let named = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("winner")).unwrap();
        let (_, names) = line.split_once(": ").unwrap();
        let mut names: Vec<String> = names.split(", ").map(str::to_owned).collect();
        names.sort();
        names
    };
    let standings = done(arena.referee(&["standings", "first"]));
    let markdown: &'static str = fs::read_to_string(arena.path("first/standings.md")).unwrap().leak();
    let csv = fs::read_to_string(arena.path("first/standings.csv")).unwrap();
    let json: Value = serde_json::from_str(&done(arena.referee(&["standings", "first", "--json"]))).unwrap();
    let page: Value = serde_json::from_str(&done(arena.referee(&["report", "first", "--json"]))).unwrap();
    let of_json = json["winners"].as_array().unwrap().iter();
    let mut of_json: Vec<String> = of_json.map(|name| name.as_str().unwrap().to_owned()).collect();
    of_json.sort();
    let of_page = page["winners"].as_array().unwrap().iter();
    let mut of_page: Vec<String> = of_page
        .map(|index| {
            page["agents"][usize::try_from(index.as_u64().unwrap()).unwrap()]["name"].as_str().unwrap().to_owned()
        })
        .collect();
    of_page.sort();
    vec![
        ("compete", named(told), rows(told.lines(), words)),
        ("standings", named(&standings), rows(standings.lines(), words)),
        ("standings.md", named(markdown), rows(markdown.lines(), cells)),
        (
            "standings.csv",
            of_json.clone(),
            rows(csv.lines(), |line| {
                line.split(',')
                    .collect::<Vec<_>>()
                    .into_iter()
                    .enumerate()
                    .filter_map(|(column, cell)| (column != 1).then_some(cell))
                    .collect()
            }),
        ),
        ("standings --json", of_json, rows_of_json(&json)),
        ("report", of_page, rows_of_json(&page)),
    ]
}

fn one_ranking_is_published(arena: &Arena, format: &str, told: &str) {
    let published = published(arena, told);
    let (_, winners, ranks) = &published[0];
    assert_eq!(ranks.len(), 5, "{format}: {told}");
    assert!(!winners.is_empty(), "{format}: {told}");
    for (place, its_winners, its_ranks) in &published {
        assert_eq!((its_winners, its_ranks), (winners, ranks), "{format}: {place}");
    }
    let ranked_first = ranks.iter().filter(|(rank, _)| rank == "1");
    let mut ranked_first: Vec<&String> = ranked_first.map(|(_, name)| name).collect();
    ranked_first.sort();
    let winners: Vec<&String> = winners.iter().collect();
    assert_eq!(ranked_first, winners, "{format}: whoever has won stands first");
}
