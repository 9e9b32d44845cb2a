//! Reports: the view model as JSON, and what the page is made of.

use std::fs;

use referee_games::Side;
use referee_matches::referee::snapshots;
use referee_messages::{SideNames, board_words, plain, verdict_sentence};
use serde_json::{Value, json};

use crate::invocation::{referee, words};
use crate::report_pages::analyzed::AnalyzedGame;
use crate::report_pages::graded::graded;
use crate::report_pages::types::Types;
use crate::report_pages::{
    HOSTILE_OUTPUT, MARKED, Run, competition, games, hostile, hostile_names, mark, marked, said, squares, won_by_white,
};

/// The boards of a packed game, as the page's script unpacks them.
fn boards(view: &Value, replay: &Value) -> Vec<Vec<String>> {
    let mut board = vec![".".to_owned(); view["board"]["squares"].as_array().unwrap().len()];
    let differences = replay["boards"].as_str().unwrap().split('\n');
    differences
        .map(|difference| {
            for group in difference.split(' ').filter(|group| !group.is_empty()) {
                let (piece, squares) = group.split_once(':').unwrap();
                for square in squares.as_bytes().chunks(2) {
                    let index = usize::from_str_radix(str::from_utf8(square).unwrap(), 36).unwrap();
                    piece.clone_into(&mut board[index]);
                }
            }
            board.clone()
        })
        .collect()
}

#[test]
#[ignore = "long: plays for a page"]
fn the_view_has_every_turn_as_it_is_recorded() {
    for game in games() {
        let run = Run::play(game);
        let view = run.view(&[]);
        assert_eq!((&view["schema"], &view["board"]["game"]), (&json!(2), &json!(game)));
        assert_eq!((&view["planned"], view["games"].as_array().unwrap().len()), (&json!(2), 2));
        let (games, replays) = (view["games"].as_array().unwrap(), view["replays"].as_array().unwrap());
        assert_eq!(games.len(), replays.len());
        for (shown, replay) in games.iter().zip(replays) {
            assert_eq!(shown["id"], replay["id"]);
            let record = run.record(shown["id"].as_str().unwrap());
            let expected: Vec<_> =
                snapshots(&record).unwrap().iter().map(|snapshot| squares(&snapshot.rows())).collect();
            assert_eq!(boards(&view, replay), expected, "{game}: the boards");
            let agent = |side: &str| &view["agents"][usize::try_from(shown[side].as_u64().unwrap()).unwrap()]["name"];
            assert_eq!(agent("black"), record.players.black.name.as_str());
            assert_eq!(agent("white"), record.players.white.name.as_str());
            assert_eq!(shown["verdict"], verdict_sentence(&record.verdict, &SideNames::of(&record)));
            let moves = record.turns.iter().map(|turn| match turn.mv() {
                Some(mv) => board_words(mv),
                None => if turn.is_pass() { "-" } else { "" }.to_owned(),
            });
            assert_eq!(replay["moves"], moves.collect::<Vec<_>>().join("\n"));
            let sides = record.turns.iter().map(|turn| if turn.side() == Side::Black { 'b' } else { 'w' });
            assert_eq!(replay["sides"], sides.collect::<String>());
            let charged: Vec<u64> = record.turns.iter().map(|turn| turn.charged().micros()).collect();
            assert_eq!(replay["charged_cpu_us"], json!(charged));
            assert_eq!(shown["turns"], record.turns.len());
        }
    }
}

#[test]
#[ignore = "long: plays for a page"]
fn agents_are_listed_by_rank_with_results_and_times() {
    let run = Run::play("star-circle");
    let view = run.view(&[]);
    let standings: Value =
        serde_json::from_str(&said(&words("standings {} --json --ratings", &[run.path().to_str().unwrap()]))).unwrap();
    for (place, standing) in standings["agents"].as_array().unwrap().iter().enumerate() {
        let agent = &view["agents"][place];
        for key in ["name", "points", "drawn"] {
            assert_eq!(agent[key], standing[key], "{key}");
        }
        assert_eq!(agent["games"], 2);
        let name = standing["name"].as_str().unwrap();
        let mut moves = 0_u32;
        let mut most = 0;
        for id in ["g0001", "g0002"] {
            let record = run.record(id);
            let side = if record.players.black.name == name { Side::Black } else { Side::White };
            let runs = record.turns.iter().filter(|turn| turn.side() == side && !turn.is_pass());
            for turn in runs {
                moves += 1;
                most = most.max(turn.charged().micros());
            }
        }
        assert_eq!(standing["moves"], moves);
        let sum = standing["charged_cpu_us"].as_u64().unwrap();
        assert_eq!(standing["cpu_us_per_move"], sum / u64::from(moves));
        assert_eq!((&agent["cpu_us"]["count"], &agent["cpu_us"]["most"]), (&json!(moves), &json!(most)));
    }
}

/// The text of the block of data called `id`.
fn block<'a>(html: &'a str, id: &str) -> &'a str {
    let (_, data) = html.split_once(&format!(" id=\"{id}\">")).unwrap();
    data.split_once("</script>").unwrap().0
}

#[test]
#[ignore = "long: plays for a page"]
fn the_page_asks_for_nothing_and_holds_its_data_as_text() {
    let run = hostile();
    let html = run.html();
    assert!(html.contains(
        "content=\"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src 'sha256-"
    ));
    for forbidden in ["http:", "https:", " src=", "url(", "@import", "innerHTML", "eval(", "'self'"] {
        assert!(!html.contains(forbidden), "the page has `{forbidden}`");
    }
    let data = block(&html, "view");
    assert!(!data.contains('<'), "nothing in the data can end it");
    let mut expected = run.view(&[]);
    expected.as_object_mut().unwrap().remove("replays");
    assert_eq!(serde_json::from_str::<Value>(data).unwrap(), expected);
    assert_eq!(block(&html, "source"), r#"{"kind":"inside","games":40}"#);
    assert_eq!(html.matches("<script").count(), 4, "the view, the source, a bundle and the script");
}

#[test]
fn hostile_names_and_answers_are_shown_harmlessly() {
    let view = hostile().view(&[]);
    let mut names: Vec<&str> =
        view["agents"].as_array().unwrap().iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    let mut expected = hostile_names().map(|name| plain(&name));
    names.sort_unstable();
    expected.sort();
    assert_eq!(names, expected);
    let text = view.to_string();
    assert!(!text.contains("\\u001b") && !text.contains('\u{202e}'), "no escapes and no marks of direction");
    let output = &view["replays"][0]["ending"]["output"];
    assert_eq!(output[0], format!("output.txt ({} bytes):", HOSTILE_OUTPUT.len()));
    assert_eq!(output[1], r"  1 | <script>alert(1)</script>\x1b[2J\xff");
}

#[test]
#[ignore = "long: plays for a page"]
fn pseudonyms_leave_nothing_that_an_agent_is_called_or_wrote() {
    let run = hostile();
    let view = run.view(&["--anonymous"]);
    let names: Vec<&Value> = view["agents"].as_array().unwrap().iter().map(|agent| &agent["name"]).collect();
    assert_eq!(names, ["agent 01", "agent 02", "agent 03", "agent 04"]);
    let text = view.to_string();
    for name in ["alert", "onload", "rtl", "xxxx", "script"] {
        assert!(!text.contains(name), "`{name}` has leaked");
    }
    let host = run.records().manifest().unwrap().host.name;
    assert!(!view["facts"].to_string().contains(&format!("{host}: ")), "the machine has no name");
    assert_eq!(view["run"], Value::Null);
    let plain_run = Run::play("halma").view(&["--anonymous"]).to_string();
    assert!(!plain_run.contains("minimax") && !plain_run.contains("builtin"), "{plain_run}");
}

/// The text of `value` in which neither the page's own agent nor what stands in every page is looked for.
fn assert_no_mark(text: &str, marks: &[String]) {
    for mark in marks {
        assert!(!text.contains(mark), "`{mark}` has leaked: {text}");
    }
}

#[test]
#[ignore = "long: plays for a page"]
fn the_page_of_an_agent_tells_nothing_of_the_others() {
    let run = marked();
    for own in 0..MARKED {
        let name = mark(own, "name");
        let others = (0..MARKED).filter(|other| *other != own);
        let marks: Vec<String> = others.map(|other| format!("mark{other}")).collect();
        let view = run.view(&["--student", &name]);
        let text = view.to_string();
        assert_no_mark(&text, &marks);
        assert_no_mark(&run.student_html(&name), &marks);
        // Its own words are all there, so that the others' are not missed for another reason.
        for word in ["name", "stderr", "output", "remark"] {
            assert!(text.contains(&mark(own, word)), "its own {word}: {text}");
        }
        let agents = view["agents"].as_array().unwrap();
        let told: Vec<&Value> = agents.iter().filter(|agent| !agent["rank"].is_null()).collect();
        assert_eq!(told.len(), 1, "whose rank is told");
        assert_eq!(told[0]["name"], name.as_str());
        assert_eq!(view["subject"], name.as_str());
        assert_eq!(view["games"].as_array().unwrap().len(), MARKED - 1, "its own games");
        for (game, replay) in view["games"].as_array().unwrap().iter().zip(view["replays"].as_array().unwrap()) {
            let side = if game["black"] == 0 { "black" } else { "white" };
            let other = if side == "black" { "white" } else { "black" };
            assert_eq!(game[side], 0);
            assert!(replay["play_time_cpu_us"][side].is_u64() && replay["play_time_cpu_us"][other].is_null());
            let letters = replay["sides"].as_str().unwrap().chars();
            let charged = replay["charged_cpu_us"].as_array().unwrap();
            for (letter, charged) in letters.zip(charged) {
                assert!(letter == side.chars().next().unwrap() || *charged == json!(0), "the others' times");
            }
        }
    }
}

#[test]
#[ignore = "long: plays for a page"]
fn the_order_of_the_opponents_says_nothing_of_their_names() {
    let run = marked();
    let view = run.view(&["--student", &mark(0, "name")]);
    let names: Vec<&str> =
        view["agents"].as_array().unwrap().iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    assert_eq!(names[1..], ["opponent 01", "opponent 02", "opponent 03"]);
    // By their files the others are 1, 3 and 2; it had white against 1 and 3.
    let colours =
        view["games"].as_array().unwrap().iter().map(|game| if game["white"] == 0 { "white" } else { "black" });
    assert_eq!(colours.collect::<Vec<_>>(), ["white", "white", "black"]);
    let agents = |list: &Value| -> Vec<u64> {
        let list = list.as_array().unwrap().iter();
        list.map(|one| one["agent"].as_u64().or(one["agents"][1].as_u64()).unwrap()).collect()
    };
    assert_eq!(agents(&view["agents"][0]["against"]), [1, 2, 3]);
    assert_eq!(agents(&view["rounds"][0]["meetings"]), [1, 2, 3]);
    assert!(!view["facts"].to_string().contains("seed"), "nobody can draw the lots again");
}

#[test]
#[ignore = "long: plays for a page"]
fn pseudonyms_are_not_undone_by_the_order_of_a_round() {
    let run = marked();
    let view = run.view(&["--anonymous"]);
    let marks: Vec<String> = (0..10).map(|agent| format!("mark{agent}")).collect();
    assert_no_mark(&view.to_string(), &marks);
    let places = |list: &Value, of: [&str; 2]| -> Vec<[u64; 2]> {
        let list = list.as_array().unwrap().iter();
        let place = |value: &Value| value.as_u64().unwrap();
        list.map(|one| match one["agents"].as_array() {
            Some(agents) => [place(&agents[0]), place(&agents[1])],
            None => of.map(|side| place(&one[side])),
        })
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect()
    };
    let all = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    assert_eq!(places(&view["rounds"][0]["meetings"], ["", ""]), all);
    assert_eq!(places(&view["games"], ["black", "white"]), all);
}

/// Of two groups that have never met, and of two of which one has won every game against the other.
#[test]
#[ignore = "long: plays for a page"]
fn the_page_warns_of_ratings_that_cannot_be_compared_in_the_words_of_the_terminal() {
    let apart = [["ada", "ben"], ["ben", "ada"], ["chi", "dan"], ["dan", "chi"]];
    let one_way = [&apart[..], &[["ada", "chi"], ["ben", "dan"]]].concat();
    for games in [&apart[..], &one_way] {
        let run = won_by_white(games);
        let told = said(&["standings", run.path().to_str().unwrap(), "--ratings"]);
        let line = |start: &str| {
            let found = told.lines().find(|line| line.starts_with(start));
            found.unwrap_or_else(|| panic!("`{start}` is not in:\n{told}"))
        };
        let view = run.view(&[]);
        let remarks = view["remarks"].as_array().unwrap();
        for start in ["ratings: 2 groups, comparable only within a group", "group 1: ", "group 2: "] {
            assert!(remarks.contains(&json!(line(start))), "{remarks:#?}");
        }
        for agent in view["agents"].as_array().unwrap() {
            let group = line(&format!("group {}: ", agent["rating"]["group"]));
            assert!(group.contains(agent["name"].as_str().unwrap()), "{group}: {agent}");
        }
        let hidden = run.view(&["--anonymous"])["remarks"].to_string();
        assert!(hidden.contains("group 1: agent 0") && !hidden.contains("ada"), "{hidden}");
    }
    let comparable = won_by_white(&[["ada", "ben"], ["ben", "ada"]]).view(&[]);
    assert!(!comparable["remarks"].to_string().contains("group"));
}

#[test]
#[ignore = "long: plays for a page"]
fn the_page_explains_points_without_games_in_the_words_of_the_terminal() {
    let run = competition("swiss", &["ada", "ben", "chi", "dan", "eve"].map(str::to_owned));
    let told = said(&["standings", run.path().to_str().unwrap()]);
    let view = run.view(&[]);
    let remarks = view["remarks"].as_array().unwrap();
    let is_shared = |line: &&str| line.ends_with(" without games") || line.starts_with("ranked by ");
    let lines: Vec<&str> = told.lines().filter(is_shared).collect();
    assert_eq!(lines.len(), 1 + 3, "a bye in each round: {told}");
    for line in lines {
        assert!(remarks.contains(&json!(line)), "{line:?}: {remarks:#?}");
    }
}

#[test]
#[ignore = "long: plays for a page"]
fn the_page_has_the_criteria_of_the_ranks_beside_points() {
    let run = competition("swiss", &["ada", "ben", "chi", "dan", "eve"].map(str::to_owned));
    let view = run.view(&[]);
    let columns = view["columns"].as_array().unwrap();
    let place_of = |title: &str| columns.iter().position(|column| column["title"] == title).unwrap();
    let places = ["Buchholz", "SB"].map(place_of);
    let told = said(&["standings", run.path().to_str().unwrap(), "--json"]);
    let standings: Value = serde_json::from_str(&told).unwrap();
    for (rank, standing) in standings["agents"].as_array().unwrap().iter().enumerate() {
        let cells = places.map(|place| view["agents"][rank]["cells"][place].clone());
        let values = [1, 2].map(|criterion| json!(standing["values"][criterion].as_f64().unwrap().to_string()));
        assert_eq!(cells, values, "{standing:#?}");
        assert_eq!(view["agents"][rank]["cells"].as_array().unwrap().len(), columns.len());
    }
}

#[test]
#[ignore = "long: plays for a page"]
fn a_name_that_nobody_has_is_the_users_error() {
    let run = Run::play("checkers");
    let output = referee(&["report", run.path().to_str().unwrap(), "--student", "bob"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "referee: the run has no agent `bob`: choose one of `random`, `minimax,depth=1`\n"
    );
    assert!(!run.path().join("report-bob.html").exists());
}

#[test]
#[ignore = "long: plays for a page"]
fn an_unreadable_record_is_reported_and_the_rest_is_shown() {
    let run = Run::play("checkers");
    fs::write(run.path().join("games/g0001.json"), "{}").unwrap();
    let output = referee(&["report", run.path().to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 record cannot be read; the others are counted"));
    let view: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(view["games"].as_array().unwrap().len(), 1);
}

#[test]
#[ignore = "long: plays for a page"]
fn a_grading_shows_points_with_reasons_and_keeps_them_anonymous() {
    let Some(run) = graded() else { return };
    let grades = &run.view(&[])["grades"];
    let titles: Vec<&Value> = grades["criteria"].as_array().unwrap().iter().map(|part| &part["title"]).collect();
    assert_eq!(titles, ["Single moves", "Games"]);
    let student = &grades["students"][0];
    assert_eq!((&student["name"], &student["points"], &student["of"]), (&json!("marian"), &json!("0"), &json!("12")));
    let reasons: Vec<&str> =
        student["items"].as_array().unwrap().iter().map(|item| item["reason"].as_str().unwrap()).collect();
    assert!(reasons[0].starts_with("wrong format: "), "{reasons:?}");
    assert!(reasons[1].starts_with("marian (black) loses: "), "{reasons:?}");
    assert_eq!(student["remark"], "2x wrong format");
    let position = &student["items"][0]["position"];
    assert_eq!((&position["side"], &position["move"]), (&json!("black"), &json!("")), "no legal move was answered");
    assert_eq!(student["items"][1]["position"], Value::Null);
    let written = run.view(&[])["replays"][0]["ending"]["written"].clone();
    assert_eq!(written, "E marian");
    assert_eq!(student["items"][1]["game"], run.view(&[])["games"][0]["id"]);

    let own = run.view(&["--student", "marian"]);
    assert_eq!(earned(&own), earned(&run.view(&[])));

    let discreet = run.view(&["--anonymous"]);
    assert_eq!(discreet["grades"]["students"][0]["name"], "agent 01");
    assert!(!discreet.to_string().contains("marian"), "{discreet}");
}

/// The points and the reasons of the first student's items.
fn earned(view: &Value) -> Vec<(Value, Value)> {
    let items = view["grades"]["students"][0]["items"].as_array().unwrap().iter();
    items.map(|item| (item["points"].clone(), item["reason"].clone())).collect()
}

/// Checks all of `view` by the types of the page's script.
fn assert_typed(types: &mut Types, mut view: Value) {
    for replay in view["replays"].as_array().unwrap() {
        types.assert_is("Replay", replay);
    }
    view.as_object_mut().unwrap().remove("replays");
    types.assert_is("View", &view);
}

#[test]
#[ignore = "long: plays for a page"]
fn the_types_of_the_scripts_are_those_of_the_view() {
    let mut types = Types::read();
    for game in games() {
        assert_typed(&mut types, Run::play(game).view(&[]));
    }
    for run in [marked(), hostile(), competition("swiss", &[])] {
        assert_typed(&mut types, run.view(&[]));
    }
    let five = ["a", "b", "c", "d", "e"].map(str::to_owned);
    assert_typed(&mut types, competition("knockout", &five).view(&[]));
    assert_typed(&mut types, competition("tied knockout", &five).view(&[]));
    assert_typed(&mut types, marked().view(&["--student", &mark(0, "name")]));
    let analyzed = AnalyzedGame::play();
    analyzed.of_students();
    analyzed.analyze();
    assert_typed(&mut types, analyzed.run.view(&[]));
    let Some(graded) = graded() else { return };
    assert_typed(&mut types, graded.view(&[]));
    let interfaces = [
        "View",
        "Column",
        "Fact",
        "Losses",
        "LossGroup",
        "LossExample",
        "Board",
        "PieceLook",
        "Figure",
        "RankedAgent",
        "Rating",
        "Against",
        "Spread",
        "Bin",
        "Round",
        "Meeting",
        "Bracket",
        "BracketMatch",
        "Rejected",
        "Game",
        "Grades",
        "Criterion",
        "Student",
        "GradedItem",
        "SingleMove",
        "Replay",
        "Analysis",
        "LeftBehind",
        "Ending",
    ];
    // No game here is missing, is a close call, has notes, or has sides with colours of their own.
    let unseen = types.unseen(&interfaces);
    let others =
        ["View.missing", "View.ladder", "Board.colours", "SingleMove.notes", "Replay.notes", "Replay.close_calls"];
    let stale = unseen.iter().filter(|member| !others.contains(&member.as_str()));
    assert_eq!(stale.count(), 0, "stale members: {unseen:?}");
}

#[test]
fn a_grading_tells_the_clock_that_its_games_had() {
    let Some(run) = graded() else { return };
    let view = run.view(&[]);
    let clock = view["facts"].as_array().unwrap().iter().find(|fact| fact["name"] == "clock");
    assert_eq!(clock.unwrap()["value"], "20 s of CPU time per side, charging user and system time");
}
