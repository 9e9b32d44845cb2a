//! Close calls, and the paces that agents state.

use referee_course::grading::{Gradebook, Review, VoidItem, is_again, rechecks, review_lines};
use referee_games::Side;
use referee_games::checkers::Checkers;
use referee_matches::referee::{OngoingGame, verify};
use referee_records::{
    AnswerRequest, CloseCall, Conditions, MachineNoise, Manifest, OtherClockResult, Pairing, PerSide, PlayerKind,
    TurnRecord, VoidBlame, paced,
};
use referee_seat::{Charge, Run, Termination, Usage};
use referee_time::CpuTime;

use super::{UNCERTAINTY, charging, drawn_after_two, game, record_of, start, used, verdict};
use crate::fabricated::{KINGS, checkers, conditions, said, with_draws};
use crate::gradebooks::{class, points};

/// By user and system time black has lost on its first turn.
const BLACK_IS_LATE_AT_ONCE: CloseCall = CloseCall::OtherClock {
    charge: Charge::Cpu,
    otherwise: OtherClockResult::OutOfTime { loser: Side::Black, turn: 1 },
};

#[test]
fn a_draw_that_the_other_clock_would_give_away_is_a_close_call() {
    let ongoing_game = drawn_after_two([(100, 300), (200, 100)]);
    let otherwise = OtherClockResult::DrawGoesTo { winner: Some(Side::Black) };
    let call = CloseCall::OtherClock { charge: Charge::User, otherwise };
    assert_eq!(
        (verdict(&ongoing_game).winner(), ongoing_game.close_calls(UNCERTAINTY, None)),
        (Some(Side::White), vec![call])
    );
}

#[test]
fn an_overrun_that_the_other_clock_would_forgive_is_a_close_call() {
    let mut ongoing_game = start();
    ongoing_game.report(used(said("E b6 a5"), 299_000, 2_000));
    let call = CloseCall::OtherClock { charge: Charge::User, otherwise: OtherClockResult::GoesOn };
    assert_eq!(ongoing_game.close_calls(UNCERTAINTY, None), [call]);
}

#[test]
fn the_other_clock_is_over_when_all_of_it_is_used() {
    // User time is charged; user and system time together are 300 s less a millisecond, or all of them.
    for (system, is_close) in [(99_999, false), (100_000, true)] {
        let mut ongoing_game = game(Conditions {
            draws: with_draws(300, |draws| draws.turn_limit = Some(1)).draws,
            ..charging(Charge::User)
        });
        ongoing_game.report(used(said("E b6 a5"), 200_000, system));
        let calls = ongoing_game.close_calls(UNCERTAINTY, None);
        assert_eq!(calls.contains(&BLACK_IS_LATE_AT_ONCE), is_close, "{system}");
    }
}

/// By user time black overran on its second turn, by all of its time on its first.
#[test]
fn an_overrun_on_an_earlier_turn_by_the_other_clock_is_a_close_call() {
    let mut ongoing_game = game(charging(Charge::User));
    ongoing_game.report(used(said("E b6 a5"), 100_000, 250_000));
    ongoing_game.report(used(said("E a3 b4"), 100, 0));
    ongoing_game.report(used(said("E a5 c3"), 250_000, 0));
    assert_eq!(ongoing_game.close_calls(UNCERTAINTY, None), [BLACK_IS_LATE_AT_ONCE]);
}

#[test]
fn an_overrun_by_less_than_the_meter_can_tell_is_a_close_call() {
    for (over, is_close) in [(4, true), (10, true), (11, false)] {
        let mut ongoing_game = start();
        let run = said("E b6 a5");
        let usage = Usage { user: CpuTime::from_micros(300_000_000 + over), system: CpuTime::ZERO, ..run.usage };
        ongoing_game.report(Run { usage, ..run });
        let (margin, uncertainty) = (CpuTime::from_micros(over), CpuTime::from_micros(10));
        let call = CloseCall::WithinUncertainty { margin, uncertainty };
        let expected: &[CloseCall] = if is_close { &[call] } else { &[] };
        assert_eq!(ongoing_game.close_calls(UNCERTAINTY, None), expected);
    }
}

#[test]
fn what_is_close_is_repeated_once_and_what_was_void_is_not() {
    let void = VoidItem { times: 2, reason: String::new(), blame: VoidBlame::default() };
    let review = |id: &str, void| Review {
        student: "ada".to_owned(),
        id: id.to_owned(),
        of: points("1"),
        earned: false,
        close_calls: vec![],
        again: (0, 0),
        void,
    };
    let review = [("g", None), ("a", None), ("void", Some(void))].map(|(id, void)| review(id, void));
    let book = Gradebook { review: review.into(), ..class() };
    let pairing = Pairing {
        id: "g".to_owned(),
        black: "ada".to_owned(),
        white: "random".to_owned(),
        first: Side::Black,
        play_time: None,
        start: None,
    };
    let asked = |id: &str| AnswerRequest { id: id.to_owned(), agent: "ada".to_owned(), question: "moves.1".to_owned() };
    let manifest = Manifest {
        games: vec![pairing],
        answers: vec![asked("a"), asked("void")],
        ..Manifest::new(book.game, book.conditions.clone(), 1)
    };
    let once = rechecks(&manifest, &book, 1);
    assert_eq!((once.games.len(), once.answers.len()), (2, 3));
    assert!(is_again(&once.games[1].id) && is_again(&once.answers[2].id) && !is_again("g.again"));
    assert_eq!(rechecks(&once, &book, 1), once);
    assert!(review_lines(&book).iter().all(|line| !line.contains("replayed")));
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
    let left = (0..10_000).fold(seconds(5), |left, _| left.saturating_sub(paced(CpuTime::ZERO, pace, left)));
    assert!(left > CpuTime::ZERO);
}

#[test]
fn a_stated_pace_decides_a_draw_and_stands_in_the_record() {
    let (position, conditions) = (checkers(KINGS, Side::Black), conditions::<Checkers>(300));
    let paces = PerSide { black: Some(CpuTime::from_secs(3)), white: None };
    let mut ongoing_game = OngoingGame::new(position.clone(), conditions.clone()).with_paces(paces);
    for text in ["E b8 a7", "E e1 f2", "E a7 c9"] {
        ongoing_game.report(said(text));
    }
    let charged: Vec<CpuTime> = ongoing_game.turns().iter().map(TurnRecord::charged).collect();
    assert_eq!(charged, [3000, 120, 3000].map(CpuTime::from_millis));
    let mut record = record_of(ongoing_game, &position, conditions);
    assert!(verify(&record).is_err());
    let PlayerKind::Program { pace, .. } = &mut record.players.black.seated else {
        panic!("a program played");
    };
    *pace = paces.black;
    assert_eq!(verify(&record), Ok(()));
}

/// A game of one turn each, drawn by a limit of turns, in which black used so many milliseconds and white 100.
fn drawn_by_time(black_ms: u64, in_doubt_ms: u64) -> OngoingGame {
    let mut ongoing_game = game(with_draws(300, |draws| draws.turn_limit = Some(2)));
    let black = used(said("E b6 a5"), black_ms, 0);
    ongoing_game.report(Run { in_doubt: CpuTime::from_millis(in_doubt_ms), ..black });
    ongoing_game.report(used(said("E a3 b4"), 100, 0));
    ongoing_game
}

/// The same work took between 10.0 and 10.5 ms, leaving the quickest and the slowest time aside.
fn five_per_cent() -> MachineNoise {
    MachineNoise {
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
        let call =
            CloseCall::WithinNoise { margin: CpuTime::from_millis(margin_ms), noise: CpuTime::from_micros(noise_us) };
        let expected: &[CloseCall] = if is_close { &[call] } else { &[] };
        assert_eq!(ongoing_game.close_calls(UNCERTAINTY, Some(&five_per_cent())), expected);
        assert_eq!(ongoing_game.close_calls(UNCERTAINTY, None), []);
    }
    // A quarter of 160 ms is as much as the margin.
    let forty = CpuTime::from_millis(40);
    let call = CloseCall::WithinNoise { margin: forty, noise: forty };
    let mut quarter = five_per_cent();
    quarter.after[1] = CpuTime::from_micros(12_500);
    assert_eq!(drawn_by_time(60, 0).close_calls(UNCERTAINTY, Some(&quarter)), [call]);
}

/// Black's 3 s are its stated pace. Five per cent of white's 2.85 s are 142.5 ms, which is less than the margin.
#[test]
fn a_stated_pace_has_no_noise() {
    let paces = PerSide { black: Some(CpuTime::from_secs(3)), white: None };
    let mut ongoing_game = game(with_draws(300, |draws| draws.turn_limit = Some(2))).with_paces(paces);
    ongoing_game.report(used(said("E b6 a5"), 100, 0));
    ongoing_game.report(used(said("E a3 b4"), 2850, 0));
    assert_eq!(verdict(&ongoing_game).winner(), Some(Side::White));
    assert_eq!(ongoing_game.close_calls(UNCERTAINTY, Some(&five_per_cent())), []);
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

/// White's 200 s in doubt are all that is left of its time, in a game that an illegal move decides.
#[test]
fn time_in_doubt_makes_a_close_call_of_a_win_and_not_of_a_loss() {
    let in_doubt = CpuTime::from_secs(200);
    let calls = |white: &str, black: &str| {
        let mut ongoing_game = start();
        ongoing_game.report(said("E b6 a5"));
        ongoing_game.report(Run { in_doubt, ..used(said(white), 100_000, 0) });
        if ongoing_game.verdict().is_none() {
            ongoing_game.report(said(black));
        }
        (verdict(&ongoing_game).winner(), ongoing_game.close_calls(UNCERTAINTY, None))
    };
    let call = CloseCall::WithinUncertainty { margin: in_doubt, uncertainty: in_doubt };
    assert_eq!(calls("E a3 b4", "E a1 a1"), (Some(Side::White), vec![call]));
    assert_eq!(calls("E a1 a1", ""), (Some(Side::Black), vec![]));
}

/// However little later it was killed, and whatever share of that was system time.
#[test]
fn a_program_that_was_still_running_past_its_time_is_no_close_call() {
    for (charge, move_time) in [(Charge::Cpu, None), (Charge::User, None), (Charge::Cpu, Some(CpuTime::from_secs(10)))]
    {
        for ended in [Termination::OutOfCpu, Termination::Guarded] {
            let mut ongoing_game = game(Conditions { move_time, ..charging(charge) });
            let time = move_time.unwrap_or(CpuTime::from_secs(300));
            let usage = Usage { user: time, system: CpuTime::from_micros(1), ..said("").usage };
            ongoing_game.report(Run { ended, usage, ..said("") });
            assert_eq!(verdict(&ongoing_game).winner(), Some(Side::White));
            assert_eq!(ongoing_game.close_calls(UNCERTAINTY, None), []);
        }
    }
}
