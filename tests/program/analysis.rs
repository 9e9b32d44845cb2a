//! What the commands say of games that were analyzed. The analyses are made up, and a search has its own tests.

use std::fs;
use std::path::Path;

use referee_games::Side;
use referee_messages::board_words;
use serde_json::{Value, json};

use crate::invocation::{assert_contains, printed};
use crate::json_formats::{file_follows, object_follows};
use crate::pseudo_terminal::{PseudoTerminal, Size};
use crate::report_pages::analyzed::AnalyzedGame;
use crate::report_pages::types::Types;

#[test]
fn explain_names_the_mistake_or_how_to_find_it() {
    let game = AnalyzedGame::play();
    let (run, record) = (&game.run, &game.record);
    let path = run.records().path_of(&record.id);
    let path = path.to_str().unwrap();
    let hint = "for the mistake that lost it, add `--analyze`\n";
    let plain = printed(&["explain", path], 0);
    let without = plain.strip_suffix(hint).expect("the hint is the last line");
    let json: Value = serde_json::from_str(&printed(&["explain", path, "--json"], 0)).unwrap();
    assert_eq!(json.get("analysis"), None);

    game.analyze();
    let turn = game.decisive;
    file_follows("analysis", &run.records().path_of_analysis(&record.id));
    let told = printed(&["explain", path], 0);
    let words = told.strip_prefix(without).expect("an analysis only adds to an explanation");
    assert!(words.starts_with(&format!("analysis   turn {turn}, `")), "{words}");
    let words: Vec<&str> = words.split_whitespace().collect();
    let better = board_words(&game.better[0]);
    assert_contains(words.join(" "), &format!("gave up a won game: `{better}`"));
    let text = printed(&["explain", path, "--json"], 0);
    object_follows("explain", &text);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["analysis"]["decisive_turn"], json!(turn));
    assert_eq!(json["analysis"]["sentences"].as_array().unwrap().len(), 1);

    // Neither a copy nor a record that has changed since has an analysis.
    let copies = run.path().join("copies");
    fs::create_dir(&copies).unwrap();
    let copy = copies.join(format!("{}.json", record.id));
    fs::copy(path, &copy).unwrap();
    assert_contains(printed(&["explain", copy.to_str().unwrap()], 0), "add `--analyze`");
    fs::write(path, fs::read_to_string(path).unwrap() + "\n").unwrap();
    assert_eq!(printed(&["explain", path], 0), plain);
}

#[test]
#[ignore = "long: plays for a page"]
fn a_page_has_the_analysis_of_a_game_and_is_as_before_without_one() {
    let game = AnalyzedGame::play();
    let without = game.run.view(&[]);
    assert!(!without.to_string().contains("analysis"), "nothing is analyzed");
    game.analyze();
    let mut view = game.run.view(&[]);
    let replays = view["replays"].as_array_mut().unwrap();
    let shown = replays.iter_mut().find(|replay| replay["id"] == game.record.id).unwrap();
    Types::read().assert_is("Replay", shown);
    let analysis = shown.as_object_mut().unwrap().remove("analysis").unwrap();
    assert_eq!(view, without, "nothing else changes");

    let [better, unclear] = game.better.each_ref().map(|mv| board_words(mv));
    assert_eq!(analysis["mistakes"], json!({ game.decisive.to_string(): better }));
    assert_eq!(analysis["unclear"], json!({ game.unclear.to_string(): unclear }));
    assert_eq!(analysis["decisive"], json!(game.decisive));
    assert_eq!(analysis["sentences"].as_array().unwrap().len(), 1);
    let black: Vec<u64> = serde_json::from_value(analysis["black"].clone()).unwrap();
    assert_eq!(black.len(), game.record.turns.len() + 1);
    let of_loser = |score: u64| if game.loser == Side::Black { score } else { 100 - score };
    assert_eq!([game.decisive - 1, game.decisive].map(|at| of_loser(black[at])), [100, 25]);

    let anonymous = game.run.view(&["--anonymous"]).to_string();
    assert!(anonymous.contains("gave up a won game") && !anonymous.contains("by random ("), "{anonymous}");
}

#[test]
fn replay_shows_expected_scores_and_marks_of_an_analyzed_game() {
    let game = AnalyzedGame::play();
    let path = game.run.records().path_of(&game.record.id);
    let path = path.to_str().unwrap();
    let frame = |turn: usize| printed(&["replay", path, "--turn", &turn.to_string()], 0);
    let last = game.record.turns.len();
    let turns = [0, game.decisive, game.unclear, last];
    let without = turns.map(frame);
    game.analyze();
    let added: Vec<Vec<String>> =
        turns.iter().zip(&without).map(|(turn, before)| added(before, &frame(*turn))).collect();

    let [better, unclear] = game.better.each_ref().map(|mv| board_words(mv));
    let scores = |of_loser: [&str; 2]| {
        let [black, white] = if game.loser == Side::Black { of_loser } else { [of_loser[1], of_loser[0]] };
        (format!("black {black} "), format!(" {white} white (expected score)"))
    };
    let is_scores = |line: &String, of_loser| {
        let (start, end) = scores(of_loser);
        assert!(line.starts_with(&start) && line.ends_with(&end), "{line}");
    };
    is_scores(&added[0][0], ["1.00", "0.00"]);
    is_scores(&added[1][0], ["0.25", "0.75"]);
    assert_eq!(added[1][1..], [format!("decisive mistake: expected score from 1.00 to 0.25; better was `{better}`")]);
    assert_eq!(added[2][1..], [format!("unclear: expected score from 0.25 to 0.12; better was `{unclear}`")]);
    assert_eq!((added[0].len(), added[3].len()), (1, 2));
    assert_contains(&added[3][1], "gave up a won game");
}

#[test]
#[ignore = "long: plays for a page"]
fn only_the_page_for_the_staff_says_what_the_lost_games_have_in_common() {
    let game = AnalyzedGame::play();
    game.of_students();
    assert_eq!(game.run.view(&[]).get("losses"), None, "nothing is analyzed");
    game.analyze();
    let losses = game.run.view(&[])["losses"].clone();
    Types::read().assert_is("Losses", &losses);
    let loser = &game.record.players.of(game.loser).name;
    let examples = json!([{ "id": game.record.id, "loser": loser, "turn": game.decisive }]);
    assert_eq!(losses["lost"], json!(1));
    let groups = losses["groups"].as_array().unwrap();
    assert_eq!(groups[0], json!({ "words": "1 game, 1 agent: one mistake decided the game", "examples": examples }));
    for part in &groups[1..] {
        assert_eq!((&part["is_part"], &part["examples"]), (&json!(true), &examples));
        assert_contains(part["words"].as_str().unwrap(), "1 game, 1 agent: of these, in `");
    }
    let told = printed(&["analyze", game.run.path().to_str().unwrap(), "--nodes", "100"], 0);
    assert_contains(&told, "what lost ");
    for naming in [vec!["--anonymous"], vec!["--student", loser]] {
        assert_eq!(game.run.view(&naming).get("losses"), None, "{naming:?}");
    }
}

#[test]
#[ignore = "long: plays for a page"]
fn pages_say_what_time_had_to_do_with_a_game_as_far_as_the_reader_may_know() {
    let game = AnalyzedGame::play();
    let [winner, loser] = [game.loser.other(), game.loser].map(|side| &game.record.players.of(side).name);
    let told = |naming: &[&str]| {
        let view = game.run.view(naming);
        let replays = view["replays"].as_array().unwrap();
        let replay =
            replays.iter().find(|replay| replay["charged_cpu_us"].as_array().unwrap().len() == game.record.turns.len());
        serde_json::from_value::<Vec<String>>(replay.unwrap()["time"].clone()).unwrap()
    };
    let all = told(&[]);
    let unused = format!("{loser} ({}) lost on the board with ", game.record.game.profile().side(game.loser).name);
    assert!(all[0].starts_with(&unused), "{all:?}");
    assert!(all.iter().any(|sentence| sentence.starts_with(winner.as_str())), "{all:?}");
    for own in [winner, loser] {
        let own_page = told(&["--student", own]);
        let of_own: Vec<&String> = all.iter().filter(|sentence| sentence.starts_with(own.as_str())).collect();
        assert_eq!(own_page.iter().collect::<Vec<_>>(), of_own);
    }
}

/// The lines of `after` that are not in `before`, which has no others.
fn added(before: &str, after: &str) -> Vec<String> {
    let mut before = before.lines().peekable();
    let new = after.lines().filter(|line| before.next_if_eq(line).is_none()).map(str::to_owned).collect();
    assert_eq!(before.next(), None, "nothing is gone");
    new
}

#[test]
#[ignore = "long: plays for a page"]
fn a_terminal_shows_the_marks_where_there_is_room() {
    let game = AnalyzedGame::play();
    game.analyze();
    let path = game.run.records().path_of(&game.record.id);
    for (rows, columns) in [(24, 80), (40, 120), (12, 40)] {
        let arguments = ["replay", path.to_str().unwrap()];
        let program = Path::new(env!("CARGO_BIN_EXE_referee"));
        let mut terminal = PseudoTerminal::start(program, &arguments, Size { rows, columns }, &[]);
        terminal.press(&format!("g{}\r", game.decisive));
        terminal.until(|lines| {
            let text = lines.join(" ");
            // In a small one, the move matters more than its value.
            let has_room =
                text.contains("decisive mistake") && text.contains("(expected score)") && text.contains("??");
            text.contains(&format!("turn {} of", game.decisive)) && (has_room || rows == 12)
        });
        terminal.press("?");
        terminal.until(|lines| lines.iter().any(|line| line.contains("the decisive mistake")) || rows < 30);
        terminal.press("qq");
        assert!(terminal.end().success());
    }
}
