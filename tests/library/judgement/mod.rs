//! The judgement of whole games with fabricated runs: every way to win, draw and lose.

mod answers;
mod close_calls;

use referee_games::GameId;
use referee_games::checkers::Checkers;
use referee_games::heirs::Heirs;
use referee_games::little_go::LittleGo;
use referee_games::othello::DuoOthello;
use referee_games::star_circle::StarCircle;
use referee_games::{Builtin, Position, Side};
use referee_matches::referee::{Difference, GameStep, OngoingGame, TurnDifference, snapshots, verify};
use referee_records::{
    CloseCall, Conditions, Draw, DrawAward, Fault, GameRecord, PerSide, PersonClock, TurnRecord, Verdict, WinReason,
};
use referee_seat::{Bytes, Charge, Exceeded, OutputFile, Run, Termination};
use referee_time::{CpuTime, WallTime};

use crate::fabricated::{self, KINGS, SHUFFLE, checkers, conditions, said, took, with_draws};

/// What the meter of either side may be off by in one run.
const UNCERTAINTY: PerSide<CpuTime> = PerSide { black: CpuTime::from_micros(10), white: CpuTime::from_micros(10) };

/// The run with other times of user and system.
fn used(run: Run, user_millis: u64, system_millis: u64) -> Run {
    took(run, user_millis, system_millis, 150)
}

fn game(conditions: Conditions) -> OngoingGame {
    OngoingGame::new(Checkers::start(()), conditions)
}

/// A game of the four kings that walk about.
fn kings(conditions: Conditions) -> OngoingGame {
    OngoingGame::new(checkers(KINGS, Side::Black), conditions)
}

fn start() -> OngoingGame {
    game(conditions::<Checkers>(300))
}

fn verdict(ongoing_game: &OngoingGame) -> &Verdict {
    ongoing_game.verdict().expect("the game is over")
}

fn fault_of(run: Run) -> Fault {
    let mut ongoing_game = start();
    ongoing_game.report(run);
    match verdict(&ongoing_game) {
        Verdict::Forfeit { loser: Side::Black, fault } => fault.clone(),
        other => panic!("expected a forfeit of black, got {other:?}"),
    }
}

fn record_of<P: Builtin>(ongoing_game: OngoingGame, start: &P, conditions: Conditions) -> GameRecord {
    fabricated::record_of(ongoing_game, start, conditions, ["a", "b"], UNCERTAINTY.black)
}

/// The codes of the warnings of the first turn.
fn warnings(ongoing_game: &OngoingGame) -> Vec<&str> {
    let TurnRecord::Run { warnings, .. } = &ongoing_game.turns()[0] else { panic!("the first turn is a run") };
    warnings.iter().map(|warning| &*warning.code).collect()
}

/// Black and white each make a move that takes so many milliseconds of user and of system time; then it is a draw.
fn drawn_after_two([black, white]: [(u64, u64); 2]) -> OngoingGame {
    let mut ongoing_game = game(with_draws(300, |draws| draws.turn_limit = Some(2)));
    ongoing_game.report(used(said("E b6 a5"), black.0, black.1));
    ongoing_game.report(used(said("E a3 b4"), white.0, white.1));
    ongoing_game
}

#[test]
fn some_moves_may_overrun_the_limit_and_the_next_one_loses() {
    let [limit, longest] = [10, 30].map(CpuTime::from_secs);
    let conditions =
        Conditions { move_time: Some(limit), overruns: 1, longest_move: Some(longest), ..conditions::<Checkers>(300) };
    let begun = |first| {
        let mut ongoing_game = game(conditions.clone());
        assert_eq!(ongoing_game.job(false).unwrap().kill_after, longest);
        ongoing_game.report(used(said("E b6 a5"), first, 0));
        ongoing_game
    };
    let mut once = begun(30_000);
    assert_eq!(warnings(&once), ["slow-move"]);
    // The other side has its own.
    once.report(used(said("E a3 b4"), 20_000, 0));
    assert_eq!((once.verdict(), once.job(false).unwrap().kill_after), (None, limit));
    once.report(used(said("E d6 c5"), 10_001, 0));
    let charged = CpuTime::from_millis(10_001);
    let fault = Fault::OutOfMoveTime { limit, charged, still_computing: false };
    assert_eq!(verdict(&once), &Verdict::Forfeit { loser: Side::Black, fault });
    // By the other clock it is the same, which the recount has to know.
    assert_eq!(once.close_calls(PerSide::default(), None), []);
    let record = record_of(once, &Checkers::start(()), conditions.clone());
    assert_eq!(verify(&record), Ok(()));
    let fault = Fault::OutOfMoveTime { limit: longest, charged: CpuTime::from_millis(30_001), still_computing: false };
    assert_eq!(verdict(&begun(30_001)), &Verdict::Forfeit { loser: Side::Black, fault });
}

#[test]
fn a_move_may_take_its_whole_limit_and_no_more() {
    let limit = CpuTime::from_secs(10);
    let limited = |seconds| Conditions { move_time: Some(limit), ..conditions::<Checkers>(seconds) };
    let after = |seconds, run| {
        let mut ongoing_game = game(limited(seconds));
        let job = ongoing_game.job(false).unwrap();
        assert_eq!(job.kill_after, limit.min(CpuTime::from_secs(seconds)));
        ongoing_game.report(run);
        ongoing_game
    };
    let mut whole = after(300, used(said("E b6 a5"), 10_000, 0));
    assert_eq!(whole.verdict(), None);
    assert_eq!(whole.clocks().black, CpuTime::from_secs(290));
    let charged = CpuTime::from_millis(10_001);
    whole.report(used(said("E a3 b4"), 10_001, 0));
    let fault = Fault::OutOfMoveTime { limit, charged, still_computing: false };
    let loser = Side::White;
    assert_eq!(verdict(&whole), &Verdict::Forfeit { loser, fault });
    // Black's meter, however bad, cannot have decided that, and black's whole limit is no overrun by any clock.
    let of_black = PerSide { black: charged, white: CpuTime::ZERO };
    assert_eq!(whole.close_calls(of_black, None), []);
    let record = record_of(whole, &Checkers::start(()), limited(300));
    assert_eq!(verify(&record), Ok(()));

    let killed = Run { ended: Termination::OutOfCpu, ..said("") };
    assert!(matches!(
        verdict(&after(300, killed.clone())),
        Verdict::Forfeit { fault: Fault::OutOfMoveTime { .. }, .. }
    ));
    // With no more on the clock than a move may take, it is the clock that runs out.
    for seconds in [5, 10] {
        assert!(matches!(
            verdict(&after(seconds, killed.clone())),
            Verdict::Forfeit { fault: Fault::OutOfTime { .. }, .. }
        ));
    }
}

#[test]
fn every_fault_is_a_verdict_of_its_own() {
    let output = |output| Run { output, ..said("") };
    let ended = |ended| Run { ended, ..said("") };
    let left = CpuTime::from_secs(300);

    assert_eq!(
        fault_of(used(said("E b6 a5"), 300_000, 0)),
        Fault::OutOfTime { left, charged: left, still_computing: false }
    );
    assert!(matches!(fault_of(ended(Termination::OutOfCpu)), Fault::OutOfTime { .. }));
    let wall_limit = WallTime::from_secs(910);
    assert_eq!(fault_of(ended(Termination::Guarded)), Fault::NeverReturned { wall_limit });
    let error = "no such file".to_owned();
    assert_eq!(fault_of(ended(Termination::NotStarted { error: error.clone() })), Fault::NotStarted { error });
    let limit = Exceeded::Memory { used_bytes: 2, limit_bytes: 1 };
    assert_eq!(fault_of(ended(Termination::Exceeded { limit })), Fault::LimitExceeded { limit });
    assert_eq!(fault_of(output(OutputFile::Missing { lookalike: None })), Fault::NoOutput { lookalike: None });
    let found = "a directory".to_owned();
    assert_eq!(fault_of(output(OutputFile::NotAFile { found: found.clone() })), Fault::UnusableOutput { found });
    assert!(matches!(fault_of(output(OutputFile::TooLarge { bytes: 70_000 })), Fault::UnusableOutput { .. }));
    assert_eq!(fault_of(said("\n \n")), Fault::EmptyOutput);
    assert!(matches!(fault_of(said("b6 a5")), Fault::WrongFormat { .. }));
    assert!(matches!(fault_of(said("E b6 b5")), Fault::IllegalMove { .. }));
    // Only people resign.
    assert!(matches!(fault_of(said("resign")), Fault::WrongFormat { .. }));
}

#[test]
fn time_is_judged_before_the_answer() {
    assert!(matches!(fault_of(used(said("nonsense"), 299_990, 10)), Fault::OutOfTime { .. }));
    assert!(matches!(fault_of(used(said("nonsense"), 299_989, 10)), Fault::WrongFormat { .. }));
}

#[test]
fn a_crash_after_a_valid_answer_is_a_warning() {
    let mut ongoing_game = start();
    let signal = Termination::Signalled { signal: 11, name: "SIGSEGV".to_owned() };
    ongoing_game.report(Run { ended: signal, survivors: 2, removed: vec!["notes.txt".to_owned()], ..said("E b6 a5") });
    assert_eq!(ongoing_game.next_step(), GameStep::Run(Side::White));
    assert_eq!(warnings(&ongoing_game), ["signal", "processes-left", "files-removed"]);
}

fn charging(charge: Charge) -> Conditions {
    Conditions { charge, ..conditions::<Checkers>(300) }
}

#[test]
fn a_clock_that_charges_user_time_forgives_the_system() {
    let mut ongoing_game = game(charging(Charge::User));
    ongoing_game.report(used(said("E b6 a5"), 1_000, 400_000));
    assert_eq!(ongoing_game.clocks().black, CpuTime::from_secs(299));
}

#[test]
fn system_time_that_is_not_charged_and_dominates_is_a_warning() {
    // Or it is charged like any other time, is not the larger part, or is too short for a clock's ticks to tell.
    let cases = [
        (Charge::User, 180, 220, true),
        (Charge::User, 0, 100, true),
        (Charge::Cpu, 180, 220, false),
        (Charge::User, 200, 200, false),
        (Charge::User, 0, 99, false),
    ];
    for (charge, user_millis, system_millis, is_told) in cases {
        let mut ongoing_game = game(charging(charge));
        ongoing_game.report(used(said("E b6 a5"), user_millis, system_millis));
        let expected: &[&str] = if is_told { &["system-time"] } else { &[] };
        assert_eq!(warnings(&ongoing_game), expected, "{charge:?}: {user_millis}, {system_millis}");
    }
}

#[test]
fn each_run_is_asked_with_its_own_clock() {
    let conditions = Conditions { grace: CpuTime::from_secs(10), ..conditions::<Checkers>(300) };
    let mut ongoing_game = game(conditions);
    ongoing_game.report(used(said("E b6 a5"), 7_500, 0));
    ongoing_game.report(used(said("E a3 b4"), 0, 0));
    let job = ongoing_game.job(false).unwrap();
    let text = format!("{:?}", job.task);
    assert!(text.contains("GAME\\nBLACK\\n292.5\\n"), "{text}");
    assert_eq!(job.kill_after, CpuTime::from_millis(302_500));
    assert_eq!(job.wall_limit, WallTime::from_millis(3 * 292_500 + 10_000));
}

#[test]
fn the_third_occurrence_of_a_placement_is_a_draw_and_the_start_is_the_first() {
    let mut ongoing_game = kings(conditions::<Checkers>(300));
    for (turn, text) in SHUFFLE.iter().cycle().take(8).enumerate() {
        assert_eq!(ongoing_game.verdict(), None, "before turn {}", turn + 1);
        ongoing_game.report(used(said(text), if turn == 0 { 10 } else { 5 }, 0));
    }
    let decided = DrawAward::Time { winner: Side::White, margin: CpuTime::from_millis(5) };
    assert_eq!(verdict(&ongoing_game), &Verdict::Drawn { by: Draw::Repetition { times: 3 }, decided });
}

#[test]
fn fifty_turns_without_progress_are_a_draw() {
    let mut ongoing_game = kings(with_draws(300, |draws| draws.repetitions = None));
    for text in SHUFFLE.iter().cycle().take(50) {
        assert_eq!(ongoing_game.verdict(), None);
        ongoing_game.report(said(text));
    }
    let expected = Verdict::Drawn { by: Draw::IdleTurns { turns: 50 }, decided: DrawAward::Nobody };
    assert_eq!(verdict(&ongoing_game), &expected);
}

/// Black's man is crowned on the third turn.
#[test]
fn progress_starts_the_count_of_idle_turns_again() {
    let rows = [".......W", "........", "........", "........", "........", "b.......", "........", "........"];
    let conditions = with_draws(300, |draws| (draws.idle_turns, draws.repetitions) = (Some(3), None));
    let mut ongoing_game = OngoingGame::new(checkers(rows, Side::Black), conditions);
    for text in ["E a3 b2", "E h8 g7", "E b2 a1", "E g7 h8", "E a1 b2", "E h8 g7"] {
        assert_eq!(ongoing_game.verdict(), None, "before {text}");
        ongoing_game.report(said(text));
    }
    assert!(matches!(verdict(&ongoing_game), Verdict::Drawn { by: Draw::IdleTurns { turns: 3 }, .. }));
}

/// Both Princes walk to and fro; White has a Baby more.
const PRINCES_WALK: [&str; 4] = ["n1 m1", "a12 b12", "m1 n1", "b12 a12"];

fn princes(conditions: Conditions) -> OngoingGame {
    let rows = [
        "p...........",
        "............",
        "............",
        "............",
        "............",
        "............",
        "............",
        "............",
        "............",
        "............",
        "B...........",
        "...........P",
    ];
    let start = Heirs::from_rows(&rows.map(str::as_bytes), Side::White, ()).unwrap();
    OngoingGame::new(start, conditions)
}

#[test]
fn in_heirs_a_board_with_the_same_side_to_move_is_drawn_the_third_time_and_decided_by_pieces_at_equal_times() {
    let mut ongoing_game = princes(conditions::<Heirs>(300));
    for (turn, text) in PRINCES_WALK.iter().cycle().take(8).enumerate() {
        assert_eq!(ongoing_game.verdict(), None, "before turn {}", turn + 1);
        ongoing_game.report(said(text));
    }
    let decided = DrawAward::Pieces { winner: Side::White, pieces: 2, against: 1 };
    let by = Draw::Repetition { times: 3 };
    assert_eq!(verdict(&ongoing_game), &Verdict::Drawn { by, decided });
}

#[test]
fn in_heirs_a_hundred_turns_without_a_capture_or_a_move_of_a_baby_are_a_draw() {
    let mut conditions = conditions::<Heirs>(300);
    conditions.draws.repetitions = None;
    let mut ongoing_game = princes(conditions);
    // The Baby's move begins the count anew.
    let walk = ["b12 a12", "m1 n1", "a12 b12", "n1 m1"].iter().cycle().take(100);
    for text in ["n1 m1", "a12 b12", "a2 a3"].iter().chain(walk) {
        assert_eq!(ongoing_game.verdict(), None, "before {text}");
        ongoing_game.report(said(text));
    }
    assert!(matches!(verdict(&ongoing_game), Verdict::Drawn { by: Draw::IdleTurns { turns: 100 }, .. }));
}

#[test]
fn in_little_go_a_move_is_limited_by_its_own_limit_and_by_what_is_left_of_the_play_time() {
    let after = |first_millis| {
        let mut ongoing_game = OngoingGame::new(LittleGo::start(()), conditions::<LittleGo>(15));
        assert_eq!(ongoing_game.job(false).unwrap().kill_after, CpuTime::from_secs(10));
        ongoing_game.report(used(said("2,2"), first_millis, 0));
        ongoing_game
    };
    let loser = Side::Black;
    let fault = Fault::OutOfMoveTime {
        limit: CpuTime::from_secs(10),
        charged: CpuTime::from_millis(10_001),
        still_computing: false,
    };
    assert_eq!(verdict(&after(10_001)), &Verdict::Forfeit { loser, fault });
    let mut ongoing_game = after(10_000);
    ongoing_game.report(used(said("1,1"), 1_000, 0));
    assert_eq!(ongoing_game.job(false).unwrap().kill_after, CpuTime::from_secs(5));
    ongoing_game.report(used(said("3,3"), 5_001, 0));
    let fault =
        Fault::OutOfTime { left: CpuTime::from_secs(5), charged: CpuTime::from_millis(5_001), still_computing: false };
    assert_eq!(verdict(&ongoing_game), &Verdict::Forfeit { loser, fault });
}

#[test]
fn a_win_comes_before_a_draw_on_the_same_move() {
    let rows = ["........", "........", "........", "b.b.....", "........", "w.......", "........", "........"];
    let conditions = with_draws(300, |draws| {
        (draws.idle_turns, draws.repetitions, draws.turn_limit) = (Some(1), None, Some(1));
    });
    let mut ongoing_game = OngoingGame::new(checkers(rows, Side::Black), conditions);
    ongoing_game.report(said("E a5 b4"));
    assert_eq!(verdict(&ongoing_game), &Verdict::Won { winner: Side::Black, by: WinReason::NoMoves });
}

#[test]
fn the_turn_limit_is_a_draw() {
    let ongoing_game = drawn_after_two([(1, 0), (3, 0)]);
    let decided = DrawAward::Time { winner: Side::Black, margin: CpuTime::from_millis(2) };
    assert_eq!(verdict(&ongoing_game), &Verdict::Drawn { by: Draw::TurnLimit { turns: 2 }, decided });
}

#[test]
fn a_game_that_ends_before_its_first_turn_knows_of_people_without_a_clock() {
    let ongoing_game = game(with_draws(300, |draws| draws.turn_limit = Some(0)));
    let decided = |ongoing_game: &OngoingGame| match verdict(ongoing_game) {
        Verdict::Drawn { decided, .. } => *decided,
        other => panic!("expected a draw, got {other:?}"),
    };
    assert_eq!(decided(&ongoing_game), DrawAward::Nobody);
    let people = PerSide { black: Some(PersonClock::NoClock), white: None };
    assert_eq!(decided(&ongoing_game.with_people(people)), DrawAward::NoClock);
}

#[test]
fn a_game_of_duo_othello_can_be_over_after_four_turns() {
    let conditions = conditions::<DuoOthello>(300);
    let mut ongoing_game = OngoingGame::new(DuoOthello::start(()), conditions.clone());
    for text in ["c2", "k9", "d5", "i11"] {
        ongoing_game.report(said(text));
    }
    let by = WinReason::HigherScore { winner: 7.into(), loser: 6.into() };
    assert_eq!(verdict(&ongoing_game), &Verdict::Won { winner: Side::Black, by });
    let record = record_of(ongoing_game, &DuoOthello::start(()), conditions);
    assert_eq!(verify(&record), Ok(()));
}

type Tamper = fn(&mut GameRecord);

#[test]
fn a_record_that_was_tampered_with_does_not_verify() {
    let (position, conditions) = (checkers(KINGS, Side::Black), conditions::<Checkers>(300));
    let mut ongoing_game = OngoingGame::new(position.clone(), conditions.clone());
    for text in ["E b8 a7", "E e1 f2", "E a7 c9"] {
        ongoing_game.report(said(text));
    }
    let record = record_of(ongoing_game, &position, conditions);
    assert_eq!(verify(&record), Ok(()));

    let tampers: [(&str, Tamper); 7] = [
        ("the verdict", |record| record.verdict = Verdict::Won { winner: Side::Black, by: WinReason::NoPieces }),
        ("the start", |record| record.start[0] = "........".to_owned()),
        ("who began", |record| record.first = Side::White),
        ("a turn too few", |record| drop(record.turns.pop())),
        ("a turn too many", |record| {
            record.turns.push(TurnRecord::Pass { side: Side::White });
        }),
        ("play time", |record| {
            record.conditions.play_time.black = CpuTime::from_secs(1);
        }),
        ("a close call", |record| {
            let zero = CpuTime::ZERO;
            record.close_calls.push(CloseCall::WithinUncertainty { margin: zero, uncertainty: zero });
        }),
    ];
    for (what, tamper) in tampers {
        let mut tampered = record.clone();
        tamper(&mut tampered);
        assert!(verify(&tampered).is_err(), "{what} was changed unnoticed");
        assert!(snapshots(&tampered).is_err(), "{what} was changed, and is shown");
    }
    let mut tampered = record.clone();
    let TurnRecord::Run { side, .. } = &mut tampered.turns[1] else {
        panic!("white was run");
    };
    *side = Side::Black;
    let what = TurnDifference::OtherSide(Side::White);
    assert_eq!(verify(&tampered), Err(Difference::Turn { turn: 2, what }));
    for index in 0..record.turns.len() {
        let mut tampered = record.clone();
        let TurnRecord::Run { charged, .. } = &mut tampered.turns[index] else {
            continue;
        };
        *charged += CpuTime::from_micros(1);
        assert!(verify(&tampered).is_err(), "the charge of turn {} was changed unnoticed", index + 1);
    }
}

/// Circle cannot move from its last row, so it passes, and that is the last turn allowed.
#[test]
fn a_record_without_its_last_pass_does_not_verify() {
    let mut rows = ["0,0,0,0,0,0,0,0"; 8];
    (rows[5], rows[7]) = ("0,0,S1,0,0,0,0,0", "C1,0,0,0,0,0,0,0");
    let start = StarCircle::from_rows(&rows.map(str::as_bytes), Side::White, ()).unwrap();
    let mut conditions = conditions::<StarCircle>(300);
    conditions.draws.turn_limit = Some(2);
    let mut ongoing_game = OngoingGame::new(start.clone(), conditions.clone());
    ongoing_game.report(said("C3-D4"));
    assert_eq!(ongoing_game.turns().len(), 2);
    let mut record = record_of(ongoing_game, &start, conditions.clone());
    assert_eq!(verify(&record), Ok(()));
    // A game that is over has no pass after its last move.
    let mut over = conditions;
    over.draws.turn_limit = Some(1);
    let mut over = OngoingGame::new(start, over);
    over.report(said("C3-D4"));
    assert_eq!((over.verdict().is_some(), over.turns().len()), (true, 1));
    assert!(record.turns.pop().is_some_and(|turn| turn.is_pass()));
    let what = TurnDifference::Pass;
    assert_eq!(verify(&record), Err(Difference::Turn { turn: 2, what }));
}

#[test]
fn a_record_survives_json() {
    let conditions = conditions::<Checkers>(300);
    let mut ongoing_game = OngoingGame::new(Checkers::start(()), conditions.clone());
    ongoing_game.report(said("e B6 a5 \r\n"));
    ongoing_game.report(Run { output: OutputFile::Content { bytes: Bytes(vec![0xff, 0, 7]) }, ..said("") });
    let record = record_of(ongoing_game, &Checkers::start(()), conditions);
    let json = serde_json::to_string(&record).unwrap();
    let written: GameRecord<GameId> = serde_json::from_str(&json).unwrap();
    assert_eq!(written.game, record.game.id());
    assert_eq!(written.with_game(record.game), record);
}
