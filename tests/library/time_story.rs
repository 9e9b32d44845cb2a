//! The story of a game's time: the exact texts, and the turn from which on a loss on time was unavoidable.

use proptest::prelude::*;
use referee_games::Side;
use referee_games::checkers::Checkers;
use referee_matches::referee::{
    GameStep, OngoingGame, TimeLoss, TimeStory, UselessTurnReason, recorded_positions, time_loss, time_story,
};
use referee_messages::{NO_BREAK, OutputStyle, SideNames, time_sentences, time_story_lines};
use referee_records::{
    AnalysisBasis, Conditions, GameAnalysis, GameRecord, PerSide, PersonClock, PlayerKind, TurnAnalysis,
};
use referee_seat::{Run, Termination};
use referee_time::CpuTime;

use crate::fabricated::{KINGS, SHUFFLE, checkers, ended, record_of, said, took, with_draws};

/// Of either clock.
const SECONDS: u64 = 10;

fn unlimited() -> Conditions {
    with_draws(SECONDS, |draws| (draws.repetitions, draws.idle_turns) = (None, None))
}

/// A run that plays `mv` and takes so many milliseconds; more than are left lose.
fn run_of(mv: &str, millis: u64) -> Run {
    took(said(&format!("{mv}\n")), millis, 0, millis)
}

/// The game of these runs from `start`, over after the last.
fn record_from(
    start: &Checkers,
    conditions: Conditions,
    people: PerSide<Option<PersonClock>>,
    runs: Vec<Run>,
) -> GameRecord {
    let mut ongoing_game = OngoingGame::new(start.clone(), conditions.clone()).with_people(people);
    for run in runs {
        assert!(matches!(ongoing_game.next_step(), GameStep::Run(_)), "the game is over too early");
        ongoing_game.report(run);
    }
    let mut record = record_of(ongoing_game, start, conditions, ["ada", "bob"], CpuTime::ZERO);
    if let Some(clock) = people.black {
        record.players.black.seated = PlayerKind::Person { clock };
    }
    record
}

/// Kings that walk about, and take so long, turn by turn over both sides.
fn walk(conditions: Conditions, people: PerSide<Option<PersonClock>>, millis: &[u64]) -> GameRecord {
    let moves = SHUFFLE.iter().cycle();
    let runs = moves.zip(millis).map(|(mv, &millis)| run_of(mv, millis)).collect();
    record_from(&checkers(KINGS, Side::Black), conditions, people, runs)
}

const PROGRAMS: PerSide<Option<PersonClock>> = PerSide { black: None, white: None };

/// The same with black's times; white takes 10 ms each time.
fn black_takes(black: &[u64]) -> GameRecord {
    let both: Vec<u64> = black.iter().flat_map(|&millis| [millis, 10]).collect();
    walk(unlimited(), PROGRAMS, &both[..both.len() - 1])
}

fn story(record: &GameRecord) -> TimeStory {
    story_with(record, None)
}

fn story_with(record: &GameRecord, analysis: Option<&GameAnalysis>) -> TimeStory {
    time_story(record, &recorded_positions(record).expect("the record follows the rules"), analysis)
}

fn told(record: &GameRecord) -> Vec<String> {
    let sentences = time_sentences(&story(record), &SideNames::of(record));
    sentences.iter().map(|sentence| sentence.replace(NO_BREAK, " ")).collect()
}

#[test]
fn a_loss_at_the_usual_pace_says_from_which_turn_on() {
    let record = black_takes(&[500, 500, 2000, 2000, 2000, 2000, 2000]);
    assert_eq!(
        told(&record),
        [
            "from turn 1 on, ada (black) could not avoid its loss on time at its usual pace: 10.00 s were left, and 7 \
             runs of about 2.00 s followed",
            "bob (white): 9.94 s left at the end",
        ]
    );
    let record = black_takes(&[500, 500, 500, 500, 7100, 500, 500]);
    assert_eq!(
        told(&record)[0],
        "from turn 11 on, ada (black) could not avoid its loss on time at its usual pace: 0.90 s were left, and 2 runs \
         of about 0.50 s followed"
    );
    let record = black_takes(&[100, 500, 500, 500, 8000, 500]);
    assert_eq!(
        told(&record)[0],
        "on turn 11, ada (black) had 0.40 s left, less than the 0.50 s that its runs usually took"
    );
}

#[test]
fn a_loss_by_one_long_turn_says_so() {
    let times = "94 % of its time went into 3 of 9 runs: turn 17 (9.00 s), turn 7 (1.00 s), turn 1 (0.10 s)";
    let record = black_takes(&[100, 100, 100, 1000, 100, 100, 100, 100, 9000]);
    let sentences = told(&record);
    assert_eq!(
        sentences[0],
        "ada (black) lost its time on turn 17 alone: 8.30 s were left, and its runs usually took 0.10 s"
    );
    assert_eq!(sentences[1], format!("ada (black): {times}"));
}

#[test]
fn a_draw_says_whom_time_has_favoured() {
    let drawn = with_draws(SECONDS, |draws| draws.turn_limit = Some(6));
    let record = walk(drawn, PROGRAMS, &[100, 200, 100, 200, 100, 200]);
    let sentences = told(&record);
    assert_eq!(sentences[2], "the draw went to ada (black), which had 0.3 s more left", "{sentences:?}");
    assert_eq!(sentences[0], "ada (black): 9.70 s left at the end");
}

/// Black captures the last piece.
#[test]
fn a_won_game_says_whom_a_draw_would_have_favoured() {
    let rows = ["........", "........", ".b......", "..w.....", "........", "........", "........", "........"];
    let record = record_from(&checkers(rows, Side::Black), unlimited(), PROGRAMS, vec![run_of("J b6 d4", 100)]);
    assert_eq!(told(&record), [""; 0], "white had no turn");
    let rows = [".b......", "........", "........", "..w.....", "........", "........", "........", "........"];
    let won_after = |first| {
        let runs = [("E b8 a7", first), ("E c5 b6", 100), ("J a7 c5", 100)].map(|(mv, millis)| run_of(mv, millis));
        record_from(&checkers(rows, Side::Black), unlimited(), PROGRAMS, runs.to_vec())
    };
    assert_eq!(told(&won_after(300)), ["a draw would have gone to bob (white), which had 0.30 s more left"]);
    assert_eq!(told(&won_after(5)), [""; 0], "the clocks show no difference");
}

#[test]
fn short_games_and_other_faults_have_no_story() {
    for run in [run_of("E b8 a7", 11_000), said("E b8\n"), said(""), ended(Termination::Guarded)] {
        let record = record_from(&checkers(KINGS, Side::Black), unlimited(), PROGRAMS, vec![run]);
        assert_eq!(told(&record), [""; 0]);
        assert_eq!(story(&record).loss, None);
    }
}

/// The clock is told, and blamed for nothing.
#[test]
fn an_illegal_move_late_in_a_game_is_no_loss_on_time() {
    let moves = SHUFFLE.iter().cycle().take(8).map(|mv| run_of(mv, 1000));
    let runs = moves.chain([run_of("E b8 b7", 1000)]).collect();
    let record = record_from(&checkers(KINGS, Side::Black), unlimited(), PROGRAMS, runs);
    assert_eq!(told(&record), ["ada (black): 5.00 s left at the end", "bob (white): 6.00 s left at the end"]);
    assert_eq!((story(&record).loss, story(&record).draw), (None, None));
}

#[test]
fn a_limit_for_each_move_has_no_story() {
    let drawn = with_draws(SECONDS, |draws| draws.turn_limit = Some(8));
    let conditions = Conditions { move_time: Some(CpuTime::from_secs(SECONDS)), ..drawn };
    assert_eq!(told(&walk(conditions, PROGRAMS, &[100; 8])), [""; 0]);
}

#[test]
fn a_person_without_a_clock_has_no_story() {
    let drawn = |turns| with_draws(SECONDS, |draws| draws.turn_limit = Some(turns));
    let people = |clock| PerSide { black: Some(clock), white: None };
    let millis = [100; 8];
    let record = walk(drawn(8), people(PersonClock::NoClock), &millis);
    assert_eq!(told(&record), ["bob (white): 9.60 s left at the end"]);
    let record = walk(drawn(8), people(PersonClock::WallTime), &millis);
    assert_eq!(told(&record)[0], "ada (black): 9.60 s left at the end");
}

/// An analysis in which so many moves of each turn are equally good.
fn analysis(record: &GameRecord, depth: u32, equally_good: u32) -> GameAnalysis {
    let text = String::new;
    let basis = AnalysisBasis { record: text(), agent: text(), nodes: 1, curve: text(), seed: 0, confirm: 0 };
    let turn = |side| TurnAnalysis { side, best: None, played: None, depth, equally_good, mark: None };
    let turns = record.turns.iter().map(|played| turn(played.side())).collect();
    GameAnalysis { schema: 1, id: text(), basis, turns, confirmation: None }
}

#[test]
fn turns_that_cost_much_and_changed_nothing_are_named() {
    let record = out_of_the_corner(SECONDS);
    let reasons = |analysis: Option<&GameAnalysis>| {
        let useless = story_with(&record, analysis).clocks[0].useless.clone();
        useless.iter().map(|turn| (turn.turn, turn.reason)).collect::<Vec<_>>()
    };
    let (only, equal) = (UselessTurnReason::OnlyMove, UselessTurnReason::AllEqual);
    assert_eq!(reasons(None), [(9, only)]);
    assert_eq!(reasons(Some(&analysis(&record, 4, 3))), [(9, only)]);
    assert_eq!(reasons(Some(&analysis(&record, 1, 4))), [(9, only)], "one ply tells nothing");
    let analysed = analysis(&record, 4, 4);
    assert_eq!(reasons(Some(&analysed)), [(7, equal), (9, only)]);
    let names = SideNames::of(&record);
    let lines = time_story_lines(&story_with(&record, Some(&analysed)), &names, OutputStyle::PLAIN);
    assert_eq!(
        lines[..2],
        [
            "time       ada (black): 8.20 s left at the end; 0.80 s changed nothing: there was one legal move on",
            "           turn 9; 0.70 s changed nothing: all moves were equally good on turn 7",
        ]
    );
}

/// Black's king has one move in the corner, and four elsewhere. Its last two turns cost 0.7 and 0.8 s.
fn out_of_the_corner(seconds: u64) -> GameRecord {
    let rows = ["........", "........", "........", "........", "........", "........", "........", "B.....W."];
    let moves = ["E a1 b2", "E g1 f2", "E b2 a1", "E f2 g1"];
    let millis = [100, 10, 100, 10, 100, 10, 700, 10, 800, 10];
    let runs: Vec<Run> = moves.iter().cycle().zip(millis).map(|(mv, millis)| run_of(mv, millis)).collect();
    let drawn = with_draws(seconds, |draws| (draws.repetitions, draws.turn_limit) = (None, Some(10)));
    record_from(&checkers(rows, Side::Black), drawn, PROGRAMS, runs)
}

/// A fiftieth of the clock is noticeable: 0.8 s of 40 s, but not of 41 s.
#[test]
fn of_small_parts_of_the_clock_nothing_is_said() {
    let useless = |seconds| story(&out_of_the_corner(seconds)).clocks[0].useless.len();
    assert_eq!([10, 40, 41].map(useless), [1, 1, 0]);
    let told = |seconds| told(&out_of_the_corner(seconds));
    assert!(told(40)[0].contains("changed nothing"));
    assert_eq!(told(41)[0], "ada (black): 39.20 s left at the end");

    // Three of nine turns that take most of the time are named only if they cost 0.2 s of 10 s.
    let costly = |last| {
        let drawn = with_draws(SECONDS, |draws| (draws.repetitions, draws.turn_limit) = (None, Some(18)));
        let mut millis = [1; 18];
        [millis[4], millis[10], millis[16]] = [60, 60, last];
        self::told(&walk(drawn, PROGRAMS, &millis)).iter().any(|sentence| sentence.contains("of its time went into"))
    };
    assert_eq!([79, 80].map(costly), [false, true]);
}

/// Two kings walk to meet, and white captures. Black's first turn takes so many milliseconds, all others 10.
fn lost_on_the_board(first: u64, people: PerSide<Option<PersonClock>>) -> GameRecord {
    let rows = ["........", "........", "........", "........", "........", "........", "........", "B.....W."];
    let moves = ["E a1 b2", "E g1 f2", "E b2 a1", "E f2 e3", "E a1 b2", "E e3 d4", "E b2 c3"];
    let millis = [first].into_iter().chain([10].into_iter().cycle());
    let walk = moves.iter().zip(millis).map(|(mv, millis)| run_of(mv, millis));
    let runs = walk.chain([run_of("J d4 b2", 10)]).collect();
    record_from(&checkers(rows, Side::Black), unlimited(), people, runs)
}

#[test]
fn much_unused_time_in_a_game_lost_on_the_board_is_named() {
    let record = lost_on_the_board(100, PROGRAMS);
    let loss = |first| time_loss(&lost_on_the_board(first, PROGRAMS));
    assert_eq!(record.verdict.loser_on_board(), Some(Side::Black));
    let sentences = told(&record);
    assert_eq!(
        sentences,
        ["ada (black) lost on the board with 9.87 s of its 10.00 s unused", "bob (white): 9.96 s left at the end"]
    );
    assert_eq!(time_loss(&record), story(&record).loss);
    assert_eq!([4970, 4971].map(|first| loss(first).map(|loss| loss.loser())), [Some(Side::Black), None]);
    // A person without a clock has no time to use.
    let people = PerSide { black: Some(PersonClock::NoClock), white: None };
    assert_eq!(story(&lost_on_the_board(100, people)).loss, None);
}

/// The rule as it is defined, turn by turn.
fn unavoidable_from(black: &[u64]) -> Option<usize> {
    let mut sorted = black.to_vec();
    sorted.sort_unstable();
    let pace = sorted[(sorted.len() - 1) / 2];
    let left = |index: usize| SECONDS * 1000 - black[..index].iter().sum::<u64>();
    let is_short = |index: usize| left(index) < pace * (black.len() - index) as u64;
    (0..black.len()).find(|&first| (first..black.len()).all(is_short)).map(|index| 2 * index + 1)
}

proptest! {
    #[test]
    fn the_turn_of_no_return_is_the_first_after_which_no_time_suffices(
        mut black in prop::collection::vec(1_u64..2000, 3..12)
    ) {
        let before: u64 = black[..black.len() - 1].iter().sum();
        prop_assume!(before < SECONDS * 1000);
        let last = black.len() - 1;
        black[last] += SECONDS * 1000 - before;
        let found = match story(&black_takes(&black)).loss {
            Some(TimeLoss::Pace { from, .. }) => Some(from.turn),
            Some(TimeLoss::LastTurn { .. }) => None,
            Some(TimeLoss::Unused { .. }) | None => panic!("black has lost on time"),
        };
        prop_assert_eq!(found, unavoidable_from(&black));
    }
}
