//! A run that is served, asked over raw connections on the loopback: what it shows, what it refuses, how it ends.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use referee_games::protocol::plain;
use serde_json::{Value, json};

use crate::invocation::{assert_starts, command};
use crate::report_pages::analyzed::AnalyzedGame;
use crate::report_pages::types::Types;
use crate::report_pages::{Run, hostile, hostile_names};
use crate::served::{Answer, Events, Player, Served};

#[test]
fn a_finished_run_is_its_report() {
    let game = AnalyzedGame::play();
    game.of_students();
    game.analyze();
    let run = &game.run;
    let served = Served::start(run.path(), &[]);
    let report = run.view(&[]);
    assert!(report["losses"].is_object());
    let view = served.settled("over");
    assert_eq!(view.as_object().unwrap().len() + 1, report.as_object().unwrap().len(), "it lacks the replays");
    for (key, value) in view.as_object().unwrap() {
        assert_eq!(value, &report[key], "{key}");
    }
    for replay in report["replays"].as_array().unwrap() {
        let id = replay["id"].as_str().unwrap();
        assert_eq!(served.get(&format!("/replays/{id}")).json(), *replay);
    }
    let page = served.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(page.body.contains("connect-src 'self'") && page.body.contains("new EventSource"));
    let head = served.ask(&request("HEAD", "/", &served.host()));
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}

#[test]
#[ignore = "long: plays for a page"]
fn every_answer_forbids_what_no_page_here_needs() {
    let run = Run::play("star-circle");
    let served = Served::start(run.path(), &[]);
    for path in ["/", "/view", "/replays/g0001", "/replays/none", "/nothing"] {
        let answer = served.get(path);
        let expected = [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-store"),
            ("x-frame-options", "DENY"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
        ];
        for (name, value) in expected {
            assert_eq!(answer.header(name), value, "{path}");
        }
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(policy.contains("default-src 'none'"), path != "/", "{path}: {policy}");
        assert_eq!(answer.header("access-control-allow-origin"), "", "{path}");
    }
}

fn request(method: &str, target: &str, host: &str) -> String {
    format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
}

#[test]
fn hostile_requests_get_nothing() {
    let run = Run::play("star-circle");
    fs::write(run.path().join("secret.txt"), "root:x:0").unwrap();
    let served = Served::start(run.path(), &[]);
    let own = served.host();
    let get = |target: &str| request("GET", target, &own);
    let port = own.rsplit_once(':').unwrap().1;
    let long = "x".repeat(8000);
    let many = (0..150).map(|number| format!("X-{number}: y\r\n")).collect::<Vec<_>>().concat();
    let cases = [
        (get("/../../etc/passwd"), 404),
        (get("/..%2f..%2fetc%2fpasswd"), 404),
        (get("/replays/..%2fmanifest"), 404),
        (get("/replays/..%2f..%2f..%2f..%2fetc%2fpasswd"), 404),
        (get("/replays/%2fetc%2fpasswd"), 404),
        (get("/replays/g0001%00"), 404),
        (get("/replays/g0001.json"), 404),
        (get("/replays/%ff"), 400),
        (get("/replays/"), 404),
        (get("/replays/g0001/../../secret.txt"), 404),
        (get("/secret.txt"), 404),
        (get("/manifest.json"), 404),
        (get("/games/g0001.json"), 404),
        (get("//etc/passwd"), 404),
        (get(&format!("/replays/{long}")), 404),
        (request("POST", "/", &own), 405),
        (request("POST", "/nothing", &own), 405),
        (request("DELETE", "/view", &own), 405),
        (request("OPTIONS", "/view", &own), 405),
        (request("TRACE", "/view", &own), 405),
        (request("GET", "/view", "evil.example"), 421),
        (request("GET", "/view", &format!("evil.example:{port}")), 421),
        (request("GET", "/view", &format!("localhost.evil.example:{port}")), 421),
        (request("GET", "http://evil.example/view", &own), 421),
        (request("GET", "/view", &format!("{own}\r\nHost: evil.example")), 421),
        ("GET /view HTTP/1.0\r\n\r\n".to_owned(), 421),
        (format!("GET / HTTP/1.1\r\nHost: {own}\r\n{many}\r\n"), 431),
        ("\0\0\0\0\r\n\r\n".to_owned(), 400),
        ("GET /\r\n\r\n".to_owned(), 400),
    ];
    for (request, status) in cases {
        let answer = served.ask(&request);
        let head: String = request.chars().take(60).collect();
        assert_eq!(answer.status, status, "{head:?}: {}", answer.body);
        assert!(!answer.body.contains("root:x:0"), "{head:?}");
    }
    let localhost = served.ask(&request("GET", "/view", &format!("localhost:{port}")));
    assert_eq!(localhost.status, 200);
}

#[test]
#[ignore = "long: plays for a page"]
fn streams_are_bounded_and_everybody_else_is_answered_all_the_same() {
    let run = Run::play("star-circle");
    let mut served = Served::start(run.path(), &[]);
    let streams: Vec<Events> = (0..200).map(|_| served.events()).collect();
    let statuses: Vec<u16> = streams.iter().map(|events| events.status).collect();
    let count = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(200), count(503)), (128, 72), "{statuses:?}");
    assert_eq!(served.get("/view").status, 200);
    // And with all of them open, it ends when it is told to.
    assert_eq!(served.end().code(), Some(0));
    for mut events in streams.into_iter().filter(|events| events.status == 200) {
        while events.next().is_some() {}
    }
}

#[test]
fn a_run_is_watched_while_another_process_plays_it() {
    let run = Run::empty();
    let player = Player::start(run.path(), "builtin:random", &["--game", "halma", "--games", "1"]);
    let served = Served::start(run.path(), &[]);
    let mut events = served.events();
    player.play();
    let mut turns = BTreeSet::new();
    let mut boards = BTreeSet::new();
    let mut types = Types::read();
    while turns.len() < 4 {
        let (name, data) = events.next().unwrap();
        match name.as_str() {
            "game" => types.assert_is("LiveGame", &data),
            "status" => types.assert_is("Status", &data),
            _ => {}
        }
        if name == "game" {
            assert_eq!(data["id"], "g0001");
            assert_eq!(data["over"], Value::Null);
            turns.insert(data["turns"].as_u64().unwrap());
            boards.insert(data["boards"].as_str().unwrap().to_owned());
        }
    }
    assert_eq!(boards.len(), 4, "each turn changes the board");
    // Whoever comes later sees at once what there is.
    let mut late = served.events();
    let mut first = Vec::new();
    while first.last().is_none_or(|name| name != "status") {
        first.push(late.next().unwrap().0);
    }
    assert_eq!(first, ["clock", "games", "game", "status"]);
    // Who plays is stopped, and leaves nothing behind.
    player.stop();
    assert_eq!(fs::read_dir(run.path().join("live")).unwrap().count(), 0);
    while events.next().unwrap() != ("gone".to_owned(), json!("g0001")) {}
}

#[test]
#[ignore = "long: plays for a page"]
fn standings_change_as_games_end() {
    let run = Run::empty();
    let player = Player::start(run.path(), "builtin:random", &["--game", "star-circle", "--games", "3", "--jobs", "2"]);
    let served = Served::start(run.path(), &[]);
    let mut events = served.events();
    player.play();
    let mut seen = BTreeSet::new();
    let status = loop {
        let (name, data) = events.next().unwrap();
        if name == "status" {
            seen.insert(data["finished"].as_u64().unwrap());
            if data["state"] == "over" {
                break data;
            }
        }
    };
    player.wait();
    assert_eq!((&status["finished"], &status["planned"]), (&json!(3), &json!(3)));
    let view = served.get("/view").json();
    assert_eq!(view["games"].as_array().unwrap().len(), 3);
    let report = run.view(&[]);
    assert_eq!(view["agents"], report["agents"]);
    // A record that is taken away and put back is noticed, too.
    let record = run.path().join("games/g0002.json");
    let text = fs::read(&record).unwrap();
    fs::remove_file(&record).unwrap();
    while events.next().unwrap().1["finished"] != 2 {}
    fs::write(&record, text).unwrap();
    while events.next().unwrap().1["finished"] != 3 {}
}

#[test]
#[ignore = "long: plays for a page"]
fn what_nobody_stands_behind_or_nobody_understands_is_not_shown() {
    let run = Run::play("star-circle");
    let live = run.path().join("live");
    fs::create_dir_all(&live).unwrap();
    fs::remove_file(run.path().join("games/g0001.json")).unwrap();
    let rows = json!(vec!["0,".repeat(7) + "0"; 8]);
    let now = referee_records::unix_ms();
    let told = |name: &str, id: &str, rows: &Value, told: u64| {
        let game = json!({ "schema": 1, "id": id, "turns": 1, "rows": rows, "notes": "<b>\u{1b}", "at_work": "black",
            "since_unix_ms": told, "written_unix_ms": told, "left_cpu_us": { "black": 1, "white": 2 } });
        fs::write(live.join(format!("{name}.json")), game.to_string()).unwrap();
    };
    told("g0001", "g0001", &rows, now - 100_000);
    told("g0002", "g0002", &json!(["<b>"]), now);
    told("g0003", "g0003", &rows, now);
    told("..", "..", &rows, now);
    fs::write(live.join("g0004.json"), "{").unwrap();
    let served = Served::start(run.path(), &[]);
    served.settled("playing");
    let mut events = served.events();
    let mut first = Vec::new();
    while first.last().is_none_or(|(name, _)| name != "status") {
        first.push(events.next().unwrap());
    }
    assert_eq!(first[1], ("games".to_owned(), json!([])), "{first:?}");
    // Somebody stands behind it again.
    told("g0001", "g0001", &rows, referee_records::unix_ms());
    let game = loop {
        let (name, data) = events.next().unwrap();
        if name == "game" {
            break data;
        }
    };
    assert_eq!(game["notes"], "<b>\\u{1b}");
}

#[test]
#[ignore = "long: plays for a page"]
fn names_are_kept_back_under_pseudonyms() {
    let run = hostile();
    let served = Served::start(run.path(), &["--anonymous"]);
    let view = served.settled("over");
    let mut names: Vec<&str> =
        view["agents"].as_array().unwrap().iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["agent 01", "agent 02", "agent 03", "agent 04"]);
    let page = served.get("/").body;
    let replays: String =
        ["game0001", "game0002"].iter().map(|id| served.get(&format!("/replays/{id}")).body).collect();
    assert!(replays.contains("\"boards\""));
    assert_eq!(served.get("/replays/g0001").status, 404, "the real name says more");
    for name in ["alert", "onload", "rtl", "xxxxxx"] {
        assert!(!view.to_string().contains(name) && !page.contains(name) && !replays.contains(name), "{name}");
    }
    let open = Served::start(run.path(), &[]);
    let view = open.settled("over").to_string();
    let shown = |name: &String| {
        view.contains(json!(plain(name)).as_str().unwrap())
            || view.contains(json!(plain(name)).to_string().trim_matches('"'))
    };
    assert!(hostile_names().iter().all(shown));
}

#[test]
fn names_are_kept_back_on_the_boards_of_running_games() {
    let run = Run::empty();
    let player = Player::start(run.path(), "builtin:random", &["--game", "halma"]);
    let served = Served::start(run.path(), &["--anonymous"]);
    let mut events = served.events();
    player.play();
    let game = loop {
        let (name, data) = events.next().unwrap();
        if name == "game" {
            break data;
        }
    };
    player.stop();
    let names = [&game["players"]["black"], &game["players"]["white"]].map(|name| name.as_str().unwrap().to_owned());
    assert_eq!(BTreeSet::from(names), BTreeSet::from(["agent 01".to_owned(), "agent 02".to_owned()]));
    assert_eq!(game["id"], "game0001");
    assert!(!game.to_string().contains("random"));
}

#[test]
fn what_cannot_be_served_is_said() {
    let nowhere = Run::empty();
    let said = |arguments: &[&str]| {
        let output = command(&["serve"]).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let path = nowhere.path().to_str().unwrap();
    let expected = format!("referee: expected a run directory: `{path}` is empty: no run has been started in it");
    let (code, message) = said(&[path]);
    assert_eq!(code, Some(3));
    assert!(message.starts_with(&expected), "{message}");
    let run = Run::play("star-circle");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, message) = said(&[run.path().to_str().unwrap(), "--listen", &address]);
    assert_eq!(code, Some(4));
    assert_starts(&message, &format!("referee: cannot listen at `{address}`: "));
    assert!(message.ends_with("; port 0 picks a free port\n"), "{message}");
}

#[test]
#[ignore = "long: plays for a page"]
fn serving_to_other_machines_prints_a_warning() {
    let run = Run::play("star-circle");
    let served = Served::start(run.path(), &["--listen", "0.0.0.0:0"]);
    let port = served.host().rsplit_once(':').unwrap().1.to_owned();
    let at = |host: &str| {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        stream.write_all(request("GET", "/view", host).as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        Answer::of(&text).status
    };
    assert_eq!(served.host(), format!("127.0.0.1:{port}"), "an address that a browser can open");
    for host in ["127.0.0.1", "localhost"] {
        assert_eq!(at(&format!("{host}:{port}")), 200, "{host}");
    }
    assert_eq!(at(&format!("evil.example:{port}")), 421);
    assert_eq!(
        served.warning(),
        "referee: warning: anyone who can reach this machine at any of its addresses can see this page, without a \
         password or encryption; omit `--listen` to serve only this machine\n"
    );
}
