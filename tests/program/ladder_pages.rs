//! The pages of a ladder: what they show, and to whom.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::ladder::{failed, games, hand_in, ladder, play, standings, update};
use crate::competition::arena::{Arena, done};
use crate::invocation::assert_contains;
use crate::report_pages::types::Types;
use crate::served::Served;
use crate::toolbox::{PYTHON3, require};

/// A ladder with two versions of ada, a request of hers, eve whose program does not compile, and cyd who has left.
fn played() -> Arena {
    let arena = ladder(&["ada", "bob", "cyd"]);
    hand_in(&arena, "eve", "broken\nprint(");
    update(&arena);
    play(&arena, "6", "2");
    hand_in(&arena, "ada", "version 2");
    update(&arena);
    play(&arena, "1", "2");
    done(arena.referee(&["ladder", "request", "lad", "ada", "bob"]));
    done(arena.referee(&["ladder", "withdraw", "lad", "cyd"]));
    arena
}

fn view(arena: &Arena, more: &[&str]) -> Value {
    let words: Vec<&str> = ["report", "lad", "--json"].iter().chain(more).copied().collect();
    serde_json::from_str(&done(arena.referee(&words))).unwrap()
}

/// Who is in the list of `view`, in its order.
fn listed(view: &Value) -> Vec<&str> {
    let participants = view["ladder"]["participants"].as_array().unwrap();
    participants.iter().map(|one| one["name"].as_str().unwrap()).collect()
}

fn participant<'a>(view: &'a Value, name: &str) -> &'a Value {
    let mut participants = view["ladder"]["participants"].as_array().unwrap().iter();
    participants.find(|one| one["name"] == name).unwrap()
}

#[test]
#[ignore = "long: plays for a page"]
fn a_page_shows_who_stands_where_and_what_everybody_has_handed_in() {
    require!(PYTHON3);
    let arena = played();
    let (page, known) = (view(&arena, &[]), standings(&arena, &[]));
    for one in known["participants"].as_array().unwrap() {
        let shown = participant(&page, one["name"].as_str().unwrap());
        assert_eq!(shown["rank"], one["rank"]);
        assert_eq!((&shown["version"], &shown["withdrawn"]), (&one["active_version"], &one["withdrawn"]));
        for version in one["versions"].as_array().unwrap() {
            let mut versions = shown["versions"].as_array().unwrap().iter();
            let other = versions.find(|other| other["number"] == version["number"]).unwrap();
            let agent = &page["agents"][usize::try_from(other["agent"].as_u64().unwrap()).unwrap()];
            assert_eq!(agent["name"], version["agent"]);
            assert_eq!(other["rating"]["elo"], version["rating"]["elo"]);
            assert_eq!(agent["rating"], other["rating"], "versions have one rating on a page");
        }
    }
    assert_agents_are_ranked_by_rating(&page);
    let ada = participant(&page, "ada");
    assert_eq!(ada["versions"].as_array().unwrap().len(), 2);
    assert_eq!(
        waiting(ada),
        [
            "version 2 has played 1 of its first 2 pairs of games, which come before others",
            "the games against `bob v1` that it asked for are not finished yet"
        ]
    );
    let sum = |list: &Value| -> u64 {
        let counts = list.as_array().unwrap().iter();
        counts.flat_map(|one| ["won", "drawn", "lost"].map(|result| one[result].as_u64().unwrap())).sum()
    };
    assert_eq!(sum(&ada["against"]), sum(&ada["versions"]));
    assert_contains(participant(&page, "eve")["versions"][0]["fault"].as_str().unwrap(), "cannot be built");
    // The newest games come first, and those that were asked for count for nothing.
    let newest = games(&arena).into_iter().filter(|game| game.pair.rated).max().unwrap();
    assert_eq!(page["games"][0]["id"], newest.to_string());
    play(&arena, "1", "1");
    let later = view(&arena, &[]);
    assert_eq!(later["games"].as_array().unwrap().len(), page["games"].as_array().unwrap().len() + 2);
    for counts in ["versions", "against"] {
        assert_eq!(sum(&participant(&later, "ada")[counts]), sum(&ada[counts]), "{counts}");
    }

    let mut types = Types::read();
    for mut page in [page, later] {
        page.as_object_mut().unwrap().remove("replays");
        types.assert_is("View", &page);
    }
    let unseen = types.unseen(&["Ladder", "Participant", "ParticipantResults", "Version"]);
    assert_eq!(unseen, [""; 0]);
}

/// What a participant waits for.
fn waiting(participant: &Value) -> Vec<&str> {
    let lines = participant.get("waiting").and_then(Value::as_array).into_iter().flatten();
    lines.map(|line| line.as_str().unwrap()).collect()
}

/// Versions with a rating have ranks from 1, the best first; all others have none.
fn assert_agents_are_ranked_by_rating(page: &Value) {
    let agents = page["agents"].as_array().unwrap().iter();
    let (mut rated, others): (Vec<&Value>, Vec<&Value>) = agents.partition(|agent| agent["rating"]["elo"].is_number());
    rated.sort_by(|one, other| {
        other["rating"]["elo"].as_f64().unwrap().total_cmp(&one["rating"]["elo"].as_f64().unwrap())
    });
    let ranks: Vec<&str> = rated.iter().map(|agent| agent["rank"].as_str().unwrap()).collect();
    let expected: Vec<String> = (1..=rated.len()).map(|rank| rank.to_string()).collect();
    assert!(rated.len() > 2 && ranks == expected, "{rated:?}");
    assert!(others.iter().all(|agent| agent["rank"] == "–"), "{others:?}");
}

#[test]
#[ignore = "long: a ladder with real games"]
fn what_a_later_update_takes_is_on_the_page_of_its_owner_until_then() {
    require!(PYTHON3);
    let arena = ladder(&["ada", "bob"]);
    let mut without_python = arena.referee(&["ladder", "update", "lad", "class", "--jobs", "2"]);
    without_python.env("PATH", "/nonexistent");
    let said = done(without_python);
    let reason = said.lines().find_map(|line| line.strip_prefix("bob  not taken in: ")).unwrap();
    assert_contains(reason, "; a later update takes it");
    let own = view(&arena, &["--student", "bob"]);
    assert_eq!(waiting(participant(&own, "bob")), [format!("the latest submission is not taken in yet: {reason}")]);
    assert!(!view(&arena, &["--anonymous"]).to_string().contains("taken in yet"), "only its owner and the staff know");
    assert_contains(done(arena.referee(&["ladder", "standings", "lad"])), "bob: no version plays yet\n");

    // A machine with Python takes it, and what is above a quota waits longer.
    update(&arena);
    for comment in ["2", "3", "above the quota"] {
        hand_in(&arena, "ada", comment);
        update(&arena);
    }
    let page = view(&arena, &[]);
    assert!(!waiting(participant(&page, "bob")).concat().contains("taken in yet"), "{page}");
    let line = "the latest submission is not taken in yet: 3 versions within 24 hours; a later update takes it";
    assert_eq!(waiting(participant(&page, "ada"))[0], line);
    hand_in(&arena, "ada", "3");
    update(&arena);
    assert!(!waiting(participant(&view(&arena, &[]), "ada")).concat().contains("taken in yet"));
}

#[test]
#[ignore = "long: a ladder with real games"]
fn a_course_chooses_who_is_named() {
    require!(PYTHON3);
    let arena = played();
    let settings = fs::read_to_string(arena.path("lad/ladder.toml")).unwrap();
    let set = |text: &str| arena.write("lad/ladder.toml", &settings.replace("[ladder]", &format!("[ladder]\n{text}")));
    let names = ["ada", "bob", "cyd", "eve"];
    let told = |page: &Value| -> Vec<&str> {
        let text = page.to_string();
        names
            .into_iter()
            .filter(|name| text.contains(&format!("\"{name}")) || text.contains(&format!("`{name}")))
            .collect()
    };
    let [public, own, refused] = [&["--anonymous"][..], &["--student", "ada"], &["--student", "eve"]];

    let published = || -> Vec<&str> {
        done(arena.referee(&["ladder", "pages", "lad", "site"]));
        let page = fs::read_to_string(arena.path("site/index.html")).unwrap();
        assert!(!page.contains("cannot be built"), "why eve was refused is not public");
        names.into_iter().filter(|name| page.contains(&format!("\"name\":\"{name}\""))).collect()
    };

    // Nobody but oneself.
    assert_eq!(published(), [""; 0]);
    assert_eq!(told(&view(&arena, public)), [""; 0]);
    let page = view(&arena, own);
    assert_eq!((told(&page), listed(&page)), (vec!["ada"], vec!["ada"]));
    assert_eq!(page["ladder"]["unnamed"], 3);
    let others = page["games"].as_array().unwrap().iter().flat_map(|game| ["black", "white"].map(|side| &game[side]));
    assert!(others.clone().count() > 0 && page["agents"].as_array().unwrap().len() > 2);
    let page = view(&arena, refused);
    assert_eq!(told(&page), ["eve"]);
    assert_contains(participant(&page, "eve")["versions"][0]["fault"].as_str().unwrap(), "cannot be built");

    // The first one to everybody, and to oneself one's neighbours: here everybody who plays.
    set("named = \"neighbours\"\nnamed_first = 1");
    let first = listed(&view(&arena, &[]))[0].to_owned();
    assert_eq!(published(), [first.as_str()]);
    let page = view(&arena, own);
    assert_eq!(told(&page), ["ada", "bob"]);
    assert!(participant(&page, "bob")["versions"].as_array().unwrap().len() == 1);
    assert_eq!(participant(&page, "bob").get("against"), None);

    set("named = \"everybody\"");
    assert_eq!(published(), names);
    assert_eq!(told(&view(&arena, public)), [""; 0], "the option wins");
}

#[test]
#[ignore = "long: a ladder with real games"]
fn the_addresses_of_pages_stay_and_cannot_be_guessed() {
    require!(PYTHON3);
    let arena = played();
    let said = done(arena.referee(&["ladder", "pages", "lad", "site"]));
    assert_eq!(said, "pages: 5 pages in site, listed in lad/pages.csv\n");
    let files = || -> BTreeSet<String> {
        let files = fs::read_dir(arena.path("site")).unwrap();
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
    };
    let before = files();
    assert!(before.contains("index.html") && before.len() == 5, "{before:?}");
    let list = fs::read_to_string(arena.path("lad/pages.csv")).unwrap();
    for line in list.lines().skip(1) {
        let (name, file) = line.split_once(',').unwrap();
        let text = fs::read_to_string(arena.path("site").join(file.trim())).unwrap();
        assert_contains(&text, &format!("\"subject\":\"{name}\""));
    }
    done(arena.referee(&["ladder", "rename", "lad", "bob", "Bob B."]));
    done(arena.referee(&["ladder", "pages", "lad", "site"]));
    assert_eq!(files(), before);
    let inside = failed(arena.referee(&["ladder", "pages", "lad", "."]), 2);
    assert_contains(inside, "would publish the run directory inside it");
}

#[test]
#[ignore = "long: a ladder with real games"]
fn a_served_ladder_shows_new_games_and_versions() {
    require!(PYTHON3);
    let arena = ladder(&["ada", "bob"]);
    update(&arena);
    play(&arena, "2", "2");
    for more in [&[][..], &["--anonymous"]] {
        // A manifest that has just changed would be read again in any case.
        let manifest = File::options().append(true).open(arena.path("lad/manifest.json")).unwrap();
        manifest.set_modified(SystemTime::now() - Duration::from_mins(1)).unwrap();
        let served = Served::start(&arena.path("lad"), more);
        let mut events = served.events();
        let before = games(&arena).len();
        let mut wait_for = |finished: usize| while events.next().unwrap().1["finished"] != finished {};
        wait_for(before);
        play(&arena, "1", "1");
        wait_for(before + 2);
        hand_in(&arena, "ada", &format!("another version {more:?}"));
        update(&arena);
        play(&arena, "1", "1");
        wait_for(before + 4);
        let page = served.get("/view").json();
        assert_eq!(page["games"].as_array().unwrap().len(), before + 4);
        let newest = page["games"][0]["id"].as_str().unwrap();
        assert_eq!(served.get(&format!("/replays/{newest}")).json()["id"], newest);
        if more.is_empty() {
            let mut report = view(&arena, &[]);
            report.as_object_mut().unwrap().remove("replays");
            assert_eq!(page, report);
        } else {
            assert!(!page.to_string().contains("\"ada"), "{page}");
        }
    }
}
