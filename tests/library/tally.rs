//! The gradebook of a run whose records are known: what each game is worth, what is to be reviewed, and what is told of
//! its conditions.

use std::path::Path;

use referee_course::assignment::{Assignment, CriterionKind, DrawPoints};
use referee_course::grading::{GameItem, Gradebook, GradebookItem, GradingState, ItemState, gradebook};
use referee_games::checkers::{Checkers, ID};
use referee_games::{KnownGames, Side};
use referee_matches::referee::OngoingGame;
use referee_records::{
    AgentRecord, Conditions, GameRecord, Manifest, Pairing, PlayerKind, RunFolder, StudentRecord, VoidBlame,
};
use referee_seat::{Isolation, Meter, Protocol};
use referee_time::CpuTime;
use tempfile::TempDir;

use crate::analyses::{Fall, keep, made_up};
use crate::fabricated::{KINGS, SHUFFLE, checkers, conditions, record_of, said, took};
use crate::gradebooks::points;

const ASSIGNMENT: &str = r#"
title = "A class of one"
game = "checkers"

[late]
deadline = 2026-11-20T23:59:00Z
penalty_percent = 50
penalty_of = "earned"

[[grade]]
kind = "games"
name = "games"
opponent = "builtin:random"
games = 4
points_each = 4
drawn = "half"
"#;

/// The record of `id`, a game of kings between `black` and `white` that wrote `texts`.
fn kings(id: &str, [black, white]: [&str; 2], texts: &[&str]) -> GameRecord {
    let start = checkers(KINGS, Side::Black);
    let mut times: Conditions = conditions::<Checkers>(300);
    times.play_time.white = CpuTime::from_millis(300_001);
    let mut game = OngoingGame::new(start.clone(), times.clone());
    for (turn, text) in texts.iter().enumerate() {
        game.report(took(said(text), if turn == 0 { 105 } else { 100 }, 20, 150));
    }
    let record = record_of(game, &start, times, [black, white], CpuTime::from_millis(10));
    GameRecord { id: id.to_owned(), ..record }
}

/// Drawn by the third occurrence of a placement, after eight turns, and won by white with 6 ms more on its clock; each
/// side writes once in the wrong case.
fn drawn(id: &str, names: [&str; 2]) -> GameRecord {
    let mut texts: Vec<&str> = SHUFFLE.iter().copied().cycle().take(8).collect();
    texts[0] = "e b8 a7";
    texts[1] = "E E1 f2";
    kings(id, names, &texts)
}

/// The first one loses by its first answer.
fn lost(id: &str, names: [&str; 2]) -> GameRecord {
    kings(id, names, &["nothing"])
}

/// Black loses on time, by its fourth turn.
fn out_of_time(id: &str, names: [&str; 2]) -> GameRecord {
    let (start, times) = (checkers(KINGS, Side::Black), conditions::<Checkers>(300));
    let mut game = OngoingGame::new(start.clone(), times.clone());
    for (turn, text) in SHUFFLE.iter().cycle().take(7).enumerate() {
        let millis = if turn == 6 { 301_000 } else { 100 };
        game.report(took(said(text), millis, 0, millis));
    }
    GameRecord { id: id.to_owned(), ..record_of(game, &start, times, names, CpuTime::ZERO) }
}

fn assignment() -> Assignment {
    Assignment::parse(ASSIGNMENT, Path::new("x.toml"), &KnownGames::builtin()).unwrap()
}

/// The run of Ada alone.
fn begun(folder: &Path) -> RunFolder {
    let mut manifest = Manifest::new(ID, conditions::<Checkers>(300), 1);
    let agent = AgentRecord::participant("ada".to_owned(), "class/ada".to_owned(), String::new());
    manifest.agents.push(agent);
    manifest.students.push(StudentRecord {
        name: "Ada L.".to_owned(),
        submission: "ada".to_owned(),
        submitted: Some("2026-11-21T10:00:00Z".to_owned()),
        ..StudentRecord::default()
    });
    manifest.games.push(Pairing {
        id: "ada.games.03".to_owned(),
        black: "ada".to_owned(),
        white: "random".to_owned(),
        first: Side::Black,
        play_time: None,
        start: None,
    });
    RunFolder::begin(&folder.join("run"), &manifest, &KnownGames::builtin()).unwrap()
}

/// Ada's games: drawn, with a close call and three repetitions; won; void twice; lost.
fn book() -> Gradebook {
    book_by(&assignment())
}

fn book_by(assignment: &Assignment) -> Gradebook {
    let folder = TempDir::new().unwrap();
    let run = begun(folder.path());
    let mut first = drawn("ada.games.01", ["ada", "random"]);
    first.began_unix_s = 300;
    assert!(!first.close_calls.is_empty(), "time decided the draw");
    let mut second = lost("ada.games.02", ["random", "ada"]);
    second.began_unix_s = 200;
    second.players.white.seated = PlayerKind::Program {
        meter: Meter::Perf,
        uncertainty: CpuTime::from_micros(10),
        isolation: Isolation::Sealed,
        protocol: Protocol::Files,
        pace: None,
    };
    let mut fourth = lost("ada.games.04", ["ada", "random"]);
    fourth.players.black.seated = second.players.white.seated;
    let again = [
        // Where time decides, white has won it.
        drawn("ada.games.01.again1", ["random", "ada"]),
        lost("ada.games.01.again2", ["random", "ada"]),
        lost("ada.games.01.again3", ["ada", "random"]),
    ];
    for record in [&first, &second, &fourth].into_iter().chain(&again) {
        run.keep(record).unwrap();
    }
    let fall = Fall::of(8, "E f2 g1", [0.5, 0.25]);
    keep(&run, made_up(&first, &[fall]));
    // Won by the student, to whom it says nothing.
    keep(&run, made_up(&second, &[]));
    for reason in ["no room", "no time"] {
        let agents = ["ada".to_owned(), "random".to_owned()];
        run.count_void("ada.games.03", &agents, reason, VoidBlame::Machine).unwrap();
    }
    gradebook(assignment, &run).unwrap()
}

#[test]
fn a_game_says_what_time_had_to_do_with_the_loss_of_the_student() {
    let folder = TempDir::new().unwrap();
    let run = begun(folder.path());
    for (id, names) in [("ada.games.01", ["ada", "random"]), ("ada.games.02", ["random", "ada"])] {
        run.keep(&out_of_time(id, names)).unwrap();
    }
    let book = gradebook(&assignment(), &run).unwrap();
    let told = book.students[0].criteria[0][..2].iter().map(|item| game(item).time.as_deref());
    let sentence = "black lost its time on turn 7 alone: 299.70 s were left, and its runs usually took 0.10 s";
    assert_eq!(told.collect::<Vec<_>>(), [Some(sentence), None], "the second is won");
}

fn game(item: &GradebookItem) -> &GameItem {
    match &item.state {
        ItemState::Game(game) => game,
        other => panic!("{}: {other:?}", item.id),
    }
}

#[test]
fn games_are_worth_what_their_records_say() {
    let book = book();
    let [ada] = &book.students[..] else { panic!("one student") };
    assert_eq!(ada.state, GradingState::Unfinished { missing: 1 });
    let [items] = &ada.criteria[..] else { panic!("one criterion") };
    let earned: Vec<_> = items.iter().map(|item| item.points).collect();
    assert_eq!(earned, ["2", "4", "0", "0"].map(points));
    // Half of what was earned, not of what could be.
    assert_eq!((ada.name.as_str(), ada.points, ada.of), ("Ada L.", points("3"), points("16")));

    let first = game(&items[0]);
    assert_eq!((first.side, first.turns), (Side::Black, 8));
    assert_eq!((first.drawn, first.explanation.is_some()), (Some(DrawPoints::Half), true));
    assert_eq!(first.play_time, CpuTime::from_secs(300));
    assert_eq!(first.charged, CpuTime::from_millis(485));
    let turns: Vec<_> = first.last_turns.iter().map(|turn| (turn.turn, turn.side)).collect();
    let sides = [Side::Black, Side::White].into_iter().cycle();
    assert_eq!(turns, (3..=8).zip(sides).collect::<Vec<_>>());
    // The opponent's is not among them.
    assert_eq!(first.warnings, [("letter-case".to_owned(), 1)]);
    assert_eq!(first.close_calls, [], "half of the points, to whomever the draw goes");

    assert!(first.last_turns.iter().all(|turn| turn.refused.is_none()));
    // What was written in the place of a move.
    let last = game(&items[3]).last_turns.last().unwrap();
    assert_eq!((&last.mv, last.refused.as_deref()), (&None, Some("`nothing`")));

    // The sides are named by their colours.
    let analyzed = first.analysis.as_ref().map(|words| words.sentences.as_slice());
    assert_eq!(analyzed, Some(&["on the board it stood at 0.75 for black".to_owned()][..]));
    assert_eq!((&game(&items[1]).analysis, &game(&items[3]).analysis), (&None, &None));

    let second = game(&items[1]);
    assert_eq!((second.side, second.drawn, &second.explanation), (Side::White, None, &None));
}

#[test]
fn close_calls_and_void_games_are_to_be_reviewed() {
    let mut by_time = assignment();
    let CriterionKind::Games { drawn, .. } = &mut by_time.criteria[0].kind else { unreachable!("games come first") };
    *drawn = DrawPoints::ByTime;
    let timed = book_by(&by_time);
    let [close, void] = &timed.review[..] else { panic!("{:?}", timed.review) };
    assert_eq!(close.id, "ada.games.01");
    assert_eq!((close.earned, close.again), (false, (3, 2)));
    assert_eq!(close.close_calls, game(&timed.students[0].criteria[0][0]).close_calls);
    assert_eq!((void.id.as_str(), void.earned, void.again), ("ada.games.03", false, (0, 0)));
    let found = void.void.as_ref().map(|void| (void.times, void.reason.as_str()));
    assert_eq!(found, Some((2, "no time")));
    // Where a draw is worth half to either side, it is no close call.
    let halved: Vec<String> = book().review.into_iter().map(|review| review.id).collect();
    assert_eq!(halved, ["ada.games.03"]);
}

#[test]
fn all_conditions_are_told_the_best_meter_first() {
    let book = book();
    assert_eq!(book.isolation, [Isolation::Bare, Isolation::Sealed]);
    assert_eq!(book.meters, [Meter::Perf, Meter::Rusage]);
    assert_eq!(book.last_began_unix_s, 300);
}
