//! The judgement of whole games with fabricated runs: every way to win, draw and lose.

use referee::games::DrawRules;
use referee::games::checkers::Checkers;
use referee::games::othello::DuoOthello;
use referee::games::{Builtin, Position, Side};
use referee::records::{
    CloseCall, Conditions, Decided, Draw, Fault, GameRecord, Noise, Otherwise, PerSide, PlayerRecord, SCHEMA, Seated,
    TurnRecord, Verdict, WinReason, paced,
};
use referee::referee::{Due, OngoingGame, verify};
use referee::seat::{Bytes, Charge, Exceeded, Isolation, Meter, OutputFile, Run, Termination, Usage};
use referee::time::{CpuTime, WallTime};

fn conditions<P: Builtin>(seconds: u64) -> Conditions {
    Conditions::usual(P::id(P::Rules::default()), CpuTime::from_secs(seconds))
}

/// What the meter of either side may be off by in one run.
const UNCERTAINTY: PerSide<CpuTime> = PerSide {
    black: CpuTime::from_micros(10),
    white: CpuTime::from_micros(10),
};

/// A run that returned with this text after 0.1 s of user time and 0.02 s of system time.
fn said(text: &str) -> Run {
    let usage = Usage {
        user: CpuTime::from_millis(100),
        system: CpuTime::from_millis(20),
        wall: WallTime::from_millis(150),
        peak_rss_bytes: 1 << 20,
    };
    Run::wrote(text.into(), usage)
}

fn used(run: Run, user_millis: u64, system_millis: u64) -> Run {
    let (user, system) = (CpuTime::from_millis(user_millis), CpuTime::from_millis(system_millis));
    Run {
        usage: Usage {
            user,
            system,
            ..run.usage
        },
        ..run
    }
}

fn checkers(rows: [&str; 8], side: Side) -> Checkers {
    Checkers::from_rows(&rows.map(str::as_bytes), side, ()).expect("the board is drawn as it should be")
}

fn start() -> OngoingGame {
    OngoingGame::new(Checkers::start(()), conditions::<Checkers>(300))
}

fn verdict(ongoing_game: &OngoingGame) -> &Verdict {
    ongoing_game.verdict().expect("the game is over")
}

fn fault_of(run: Run) -> Fault {
    let mut ongoing_game = start();
    ongoing_game.report(run);
    match verdict(&ongoing_game) {
        Verdict::Forfeit {
            loser: Side::Black,
            fault,
        } => fault.clone(),
        other => panic!("expected a forfeit of black, got {other:?}"),
    }
}

fn record_of<P: Builtin>(ongoing_game: OngoingGame, start: &P, conditions: Conditions) -> GameRecord {
    let player = |name: &str| PlayerRecord {
        name: name.to_owned(),
        digest: String::new(),
        seated: Seated::Program {
            meter: Meter::Rusage,
            uncertainty: UNCERTAINTY.black,
            isolation: Isolation::Bare,
            pace: None,
        },
    };
    GameRecord {
        schema: SCHEMA,
        id: "g0001".to_owned(),
        game: P::id(start.rules()),
        players: PerSide {
            black: player("a"),
            white: player("b"),
        },
        conditions,
        began_unix_s: 0,
        start: start.rows(),
        first: start.side_to_move(),
        verdict: verdict(&ongoing_game).clone(),
        close_calls: ongoing_game.close_calls(UNCERTAINTY, None),
        turns: ongoing_game.into_turns(),
        noise: None,
        host: None,
    }
}

#[test]
fn a_move_may_take_its_whole_limit_and_no_more() {
    let limit = CpuTime::from_secs(10);
    let limited = |seconds| Conditions {
        move_time: Some(limit),
        ..conditions::<Checkers>(seconds)
    };
    let after = |seconds, run| {
        let mut ongoing_game = OngoingGame::new(Checkers::start(()), limited(seconds));
        assert_eq!(ongoing_game.job().kill_after, limit.min(CpuTime::from_secs(seconds)));
        ongoing_game.report(run);
        ongoing_game
    };
    let mut whole = after(300, used(said("E b6 a5"), 10_000, 0));
    assert_eq!(whole.verdict(), None);
    assert_eq!(whole.clocks().black, CpuTime::from_secs(290));
    let charged = CpuTime::from_millis(10_001);
    whole.report(used(said("E a3 b4"), 10_001, 0));
    let fault = Fault::OutOfMoveTime { limit, charged };
    let loser = Side::White;
    assert_eq!(verdict(&whole), &Verdict::Forfeit { loser, fault });
    let record = record_of(whole, &Checkers::start(()), limited(300));
    assert_eq!(verify(&record), Ok(()));

    let killed = Run {
        ended: Termination::OutOfCpu,
        ..said("")
    };
    assert!(matches!(
        verdict(&after(300, killed.clone())),
        Verdict::Forfeit {
            fault: Fault::OutOfMoveTime { .. },
            ..
        }
    ));
    // With less on the clock than a move may take, it is the clock that runs out.
    assert!(matches!(
        verdict(&after(5, killed)),
        Verdict::Forfeit {
            fault: Fault::OutOfTime { .. },
            ..
        }
    ));
}

#[test]
fn every_fault_is_a_verdict_of_its_own() {
    let output = |output| Run { output, ..said("") };
    let ended = |ended| Run { ended, ..said("") };
    let left = CpuTime::from_secs(300);

    assert_eq!(
        fault_of(used(said("E b6 a5"), 300_000, 0)),
        Fault::OutOfTime { left, charged: left }
    );
    assert!(matches!(
        fault_of(ended(Termination::OutOfCpu)),
        Fault::OutOfTime { .. }
    ));
    let wall_limit = WallTime::from_secs(910);
    assert_eq!(
        fault_of(ended(Termination::Guarded)),
        Fault::NeverReturned { wall_limit }
    );
    let error = "no such file".to_owned();
    assert_eq!(
        fault_of(ended(Termination::NotStarted { error: error.clone() })),
        Fault::NotStarted { error }
    );
    let limit = Exceeded::Memory {
        used_bytes: 2,
        limit_bytes: 1,
    };
    assert_eq!(
        fault_of(ended(Termination::Exceeded { limit })),
        Fault::LimitExceeded { limit }
    );
    assert_eq!(
        fault_of(output(OutputFile::Missing { lookalike: None })),
        Fault::NoOutput { lookalike: None }
    );
    let found = "a directory".to_owned();
    assert_eq!(
        fault_of(output(OutputFile::NotAFile { found: found.clone() })),
        Fault::UnusableOutput { found }
    );
    assert!(matches!(
        fault_of(output(OutputFile::TooLarge { bytes: 70_000 })),
        Fault::UnusableOutput { .. }
    ));
    assert_eq!(fault_of(said("\n \n")), Fault::EmptyOutput);
    assert!(matches!(fault_of(said("b6 a5")), Fault::WrongFormat { .. }));
    assert!(matches!(fault_of(said("E b6 b5")), Fault::IllegalMove { .. }));
}

#[test]
fn time_is_judged_before_the_answer() {
    assert!(matches!(
        fault_of(used(said("nonsense"), 299_990, 10)),
        Fault::OutOfTime { .. }
    ));
    assert!(matches!(
        fault_of(used(said("nonsense"), 299_989, 10)),
        Fault::WrongFormat { .. }
    ));
}

#[test]
fn a_crash_after_a_valid_answer_is_a_warning() {
    let mut ongoing_game = start();
    let signal = Termination::Signalled {
        signal: 11,
        name: "SIGSEGV".to_owned(),
    };
    ongoing_game.report(Run {
        ended: signal,
        survivors: 2,
        ..said("E b6 a5")
    });
    assert_eq!(ongoing_game.due(), Due::Run(Side::White));
    let TurnRecord::Run { warnings, .. } = &ongoing_game.turns()[0] else {
        panic!("black was run")
    };
    let codes: Vec<_> = warnings.iter().map(|warning| warning.code.as_ref()).collect();
    assert_eq!(codes, ["signal", "processes-left"]);
}

#[test]
fn a_clock_that_charges_user_time_forgives_the_system() {
    let conditions = Conditions {
        charge: Charge::User,
        ..conditions::<Checkers>(300)
    };
    let mut ongoing_game = OngoingGame::new(Checkers::start(()), conditions);
    ongoing_game.report(used(said("E b6 a5"), 1_000, 400_000));
    assert_eq!(ongoing_game.clocks().black, CpuTime::from_secs(299));
}

#[test]
fn system_time_that_is_not_charged_and_dominates_is_a_warning() {
    let codes = |charge: Charge, user_millis, system_millis| -> Vec<String> {
        let conditions = Conditions {
            charge,
            ..conditions::<Checkers>(300)
        };
        let mut ongoing_game = OngoingGame::new(Checkers::start(()), conditions);
        ongoing_game.report(used(said("E b6 a5"), user_millis, system_millis));
        let TurnRecord::Run { warnings, .. } = &ongoing_game.turns()[0] else {
            panic!("black was run")
        };
        warnings.iter().map(|warning| warning.code.to_string()).collect()
    };
    assert_eq!(codes(Charge::User, 180, 220), ["system-time"]);
    assert_eq!(codes(Charge::User, 0, 100), ["system-time"]);
    // Charged like any other time, or not the larger part, or too short for a clock's ticks to tell the two apart.
    assert_eq!(codes(Charge::Cpu, 180, 220), [""; 0]);
    assert_eq!(codes(Charge::User, 200, 200), [""; 0]);
    assert_eq!(codes(Charge::User, 0, 99), [""; 0]);
}

#[test]
fn each_run_is_asked_with_its_own_clock() {
    let conditions = Conditions {
        grace: CpuTime::from_secs(10),
        ..conditions::<Checkers>(300)
    };
    let mut ongoing_game = OngoingGame::new(Checkers::start(()), conditions);
    ongoing_game.report(used(said("E b6 a5"), 7_500, 0));
    ongoing_game.report(used(said("E a3 b4"), 0, 0));
    let job = ongoing_game.job();
    let text = format!("{:?}", job.task);
    assert!(text.contains("GAME\\nBLACK\\n292.5\\n"), "{text}");
    assert_eq!(job.kill_after, CpuTime::from_millis(302_500));
    assert_eq!(job.wall_limit, WallTime::from_millis(3 * 292_500 + 10_000));
}

/// Four kings that can walk about for ever without meeting.
const KINGS: [&str; 8] = [
    ".B.B....", "........", "........", "........", "........", "........", "........", "....W.W.",
];

#[test]
fn the_third_occurrence_of_a_placement_is_a_draw_and_the_start_is_the_first() {
    let mut ongoing_game = OngoingGame::new(checkers(KINGS, Side::Black), conditions::<Checkers>(300));
    let shuffle = ["E b8 a7", "E e1 f2", "E a7 b8", "E f2 e1"];
    for (turn, text) in shuffle.iter().cycle().take(8).enumerate() {
        assert_eq!(ongoing_game.verdict(), None, "before turn {}", turn + 1);
        ongoing_game.report(used(said(text), if turn == 0 { 10 } else { 5 }, 0));
    }
    let decided = Decided::Time {
        winner: Side::White,
        margin: CpuTime::from_millis(5),
    };
    assert_eq!(
        verdict(&ongoing_game),
        &Verdict::Drawn {
            by: Draw::Repetition { times: 3 },
            decided
        }
    );
}

#[test]
fn fifty_turns_without_progress_are_a_draw() {
    let draws = DrawRules {
        repetitions: None,
        ..Checkers::id(()).profile().draws
    };
    let conditions = Conditions {
        draws,
        ..conditions::<Checkers>(300)
    };
    let mut ongoing_game = OngoingGame::new(checkers(KINGS, Side::Black), conditions);
    let shuffle = ["E b8 a7", "E e1 f2", "E a7 b8", "E f2 e1"];
    for text in shuffle.iter().cycle().take(50) {
        assert_eq!(ongoing_game.verdict(), None);
        ongoing_game.report(said(text));
    }
    let expected = Verdict::Drawn {
        by: Draw::IdleTurns { turns: 50 },
        decided: Decided::Nobody,
    };
    assert_eq!(verdict(&ongoing_game), &expected);
}

#[test]
fn a_win_comes_before_a_draw_on_the_same_move() {
    let rows = [
        "........", "........", "........", "b.b.....", "........", "w.......", "........", "........",
    ];
    let draws = DrawRules {
        idle_turns: Some(1),
        repetitions: None,
        turn_limit: Some(1),
    };
    let conditions = Conditions {
        draws,
        ..conditions::<Checkers>(300)
    };
    let mut ongoing_game = OngoingGame::new(checkers(rows, Side::Black), conditions);
    ongoing_game.report(said("E a5 b4"));
    assert_eq!(
        verdict(&ongoing_game),
        &Verdict::Won {
            winner: Side::Black,
            by: WinReason::NoMoves
        }
    );
}

#[test]
fn the_turn_limit_is_a_draw() {
    let draws = DrawRules {
        turn_limit: Some(2),
        ..Checkers::id(()).profile().draws
    };
    let mut ongoing_game = OngoingGame::new(
        Checkers::start(()),
        Conditions {
            draws,
            ..conditions::<Checkers>(300)
        },
    );
    ongoing_game.report(used(said("E b6 a5"), 1, 0));
    ongoing_game.report(used(said("E a3 b4"), 3, 0));
    let decided = Decided::Time {
        winner: Side::Black,
        margin: CpuTime::from_millis(2),
    };
    assert_eq!(
        verdict(&ongoing_game),
        &Verdict::Drawn {
            by: Draw::TurnLimit { turns: 2 },
            decided
        }
    );
}

#[test]
fn a_game_of_duo_othello_can_be_over_after_four_turns() {
    let conditions = conditions::<DuoOthello>(300);
    let mut ongoing_game = OngoingGame::new(DuoOthello::start(()), conditions.clone());
    for text in ["c2", "k9", "d5", "i11"] {
        ongoing_game.report(said(text));
    }
    let by = WinReason::HigherScore {
        winner: 7.into(),
        loser: 6.into(),
    };
    assert_eq!(
        verdict(&ongoing_game),
        &Verdict::Won {
            winner: Side::Black,
            by
        }
    );
    let record = record_of(ongoing_game, &DuoOthello::start(()), conditions);
    assert_eq!(verify(&record), Ok(()));
}

#[test]
fn a_draw_that_the_other_clock_would_give_away_is_a_close_call() {
    let draws = DrawRules {
        turn_limit: Some(2),
        ..Checkers::id(()).profile().draws
    };
    let mut ongoing_game = OngoingGame::new(
        Checkers::start(()),
        Conditions {
            draws,
            ..conditions::<Checkers>(300)
        },
    );
    ongoing_game.report(used(said("E b6 a5"), 100, 300));
    ongoing_game.report(used(said("E a3 b4"), 200, 100));
    let otherwise = Otherwise::DrawGoesTo {
        winner: Some(Side::Black),
    };
    let call = CloseCall::OtherClock {
        charge: Charge::User,
        otherwise,
    };
    assert_eq!(
        (
            verdict(&ongoing_game).winner(),
            ongoing_game.close_calls(UNCERTAINTY, None)
        ),
        (Some(Side::White), vec![call])
    );
}

#[test]
fn an_overrun_that_the_other_clock_would_forgive_is_a_close_call() {
    let mut ongoing_game = start();
    ongoing_game.report(used(said("E b6 a5"), 299_000, 2_000));
    let call = CloseCall::OtherClock {
        charge: Charge::User,
        otherwise: Otherwise::GoesOn,
    };
    assert_eq!(ongoing_game.close_calls(UNCERTAINTY, None), [call]);
}

#[test]
fn an_overrun_by_less_than_the_meter_can_tell_is_a_close_call() {
    let mut ongoing_game = start();
    let run = said("E b6 a5");
    let usage = Usage {
        user: CpuTime::from_micros(300_000_004),
        system: CpuTime::ZERO,
        ..run.usage
    };
    ongoing_game.report(Run { usage, ..run });
    let (margin, uncertainty) = (CpuTime::from_micros(4), CpuTime::from_micros(10));
    assert_eq!(
        ongoing_game.close_calls(UNCERTAINTY, None),
        [CloseCall::WithinUncertainty { margin, uncertainty }]
    );
}

#[test]
fn a_stated_pace_is_charged_as_long_as_it_costs_no_game() {
    let seconds = CpuTime::from_secs;
    let pace = Some(seconds(3));
    let charged =
        [(300, 0), (300, 4), (60, 0), (20, 0), (1, 0)].map(|(left, used)| paced(seconds(used), pace, seconds(left)));
    let millis = [3000, 4000, 3000, 1000, 50].map(CpuTime::from_millis);
    assert_eq!(charged, millis);
    assert_eq!(paced(seconds(1), None, seconds(300)), seconds(1));
    // However long a game goes on, its clock never runs out by the pace alone.
    let left = (0..10_000).fold(seconds(5), |left, _| {
        left.saturating_sub(paced(CpuTime::ZERO, pace, left))
    });
    assert!(left > CpuTime::ZERO);
}

#[test]
fn a_stated_pace_decides_a_draw_and_stands_in_the_record() {
    let (position, conditions) = (checkers(KINGS, Side::Black), conditions::<Checkers>(300));
    let paces = PerSide {
        black: Some(CpuTime::from_secs(3)),
        white: None,
    };
    let mut ongoing_game = OngoingGame::new(position.clone(), conditions.clone()).with_paces(paces);
    for text in ["E b8 a7", "E e1 f2", "E a7 c9"] {
        ongoing_game.report(said(text));
    }
    let charged: Vec<CpuTime> = ongoing_game.turns().iter().map(TurnRecord::charged).collect();
    assert_eq!(charged, [3000, 120, 3000].map(CpuTime::from_millis));
    let mut record = record_of(ongoing_game, &position, conditions);
    assert!(verify(&record).is_err());
    let Seated::Program { pace, .. } = &mut record.players.black.seated else {
        panic!("a program played");
    };
    *pace = paces.black;
    assert_eq!(verify(&record), Ok(()));
}

/// A game of one turn each, drawn by a limit of turns, in which black used so many milliseconds and white 100.
fn drawn_by_time(black_ms: u64, in_doubt_ms: u64) -> OngoingGame {
    let mut conditions = conditions::<Checkers>(300);
    conditions.draws.turn_limit = Some(2);
    let mut ongoing_game = OngoingGame::new(Checkers::start(()), conditions);
    let black = used(said("E b6 a5"), black_ms, 0);
    ongoing_game.report(Run {
        in_doubt: CpuTime::from_millis(in_doubt_ms),
        ..black
    });
    ongoing_game.report(used(said("E a3 b4"), 100, 0));
    ongoing_game
}

/// The same work took between 10.0 and 10.5 ms, leaving the quickest and the slowest time aside.
fn five_per_cent() -> Noise {
    Noise {
        before: [9_000, 10_000, 10_100, 10_200].map(CpuTime::from_micros).into(),
        after: [10_100, 10_500, 10_200, 19_000].map(CpuTime::from_micros).into(),
    }
}

#[test]
fn a_draw_that_is_decided_by_less_than_the_noise_of_both_totals_is_a_close_call_and_stays_as_it_is() {
    // Five per cent of 190 ms are 9.5 ms; of 211 ms, 10.55.
    for (black_ms, margin_ms, noise_us, is_close) in [(90, 10, 9_500, false), (91, 9, 9_550, true), (111, 11, 0, false)]
    {
        let ongoing_game = drawn_by_time(black_ms, 0);
        let winner = if black_ms < 100 { Side::Black } else { Side::White };
        assert_eq!(verdict(&ongoing_game).winner(), Some(winner));
        let call = CloseCall::WithinNoise {
            margin: CpuTime::from_millis(margin_ms),
            noise: CpuTime::from_micros(noise_us),
        };
        let expected: &[CloseCall] = if is_close { &[call] } else { &[] };
        assert_eq!(ongoing_game.close_calls(UNCERTAINTY, Some(&five_per_cent())), expected);
        assert_eq!(ongoing_game.close_calls(UNCERTAINTY, None), []);
    }
}

#[test]
fn time_that_was_seen_and_left_in_doubt_makes_a_close_call_of_what_it_would_have_changed() {
    let close = |ongoing_game: OngoingGame| ongoing_game.close_calls(UNCERTAINTY, None);
    let both = UNCERTAINTY.black + UNCERTAINTY.white;
    let call = |margin, doubt| CloseCall::WithinUncertainty {
        margin: CpuTime::from_millis(margin),
        uncertainty: both + CpuTime::from_millis(doubt),
    };
    // The winner used 80 of 100 ms; with 30 ms more it would have lost, with 10 ms more it would not.
    assert_eq!(close(drawn_by_time(80, 30)), [call(20, 30)]);
    assert_eq!(close(drawn_by_time(80, 10)), []);
    // Whoever lost would have lost by more.
    assert_eq!(close(drawn_by_time(130, 50)), []);
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
        ("the verdict", |record| {
            record.verdict = Verdict::Won {
                winner: Side::Black,
                by: WinReason::NoPieces,
            }
        }),
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
            record.close_calls.push(CloseCall::WithinUncertainty {
                margin: zero,
                uncertainty: zero,
            });
        }),
    ];
    for (what, tamper) in tampers {
        let mut tampered = record.clone();
        tamper(&mut tampered);
        assert!(verify(&tampered).is_err(), "{what} was changed unnoticed");
    }
    for index in 0..record.turns.len() {
        let mut tampered = record.clone();
        let TurnRecord::Run { charged, .. } = &mut tampered.turns[index] else {
            continue;
        };
        *charged += CpuTime::from_micros(1);
        assert!(
            verify(&tampered).is_err(),
            "the charge of turn {} was changed unnoticed",
            index + 1
        );
    }
}

#[test]
fn a_record_survives_json() {
    let conditions = conditions::<Checkers>(300);
    let mut ongoing_game = OngoingGame::new(Checkers::start(()), conditions.clone());
    ongoing_game.report(said("e B6 a5 \r\n"));
    ongoing_game.report(Run {
        output: OutputFile::Content {
            bytes: Bytes(vec![0xff, 0, 7]),
        },
        ..said("")
    });
    let record = record_of(ongoing_game, &Checkers::start(()), conditions);
    let json = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<GameRecord>(&json).unwrap(), record);
}
