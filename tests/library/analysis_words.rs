//! The exact sentences about analyzed games, from boards and values made for them.

use referee_games::othello::DuoOthello;
use referee_games::{Position, ProvedResult, Side, State};
use referee_matches::referee::OngoingGame;
use referee_messages::{AnalysisWords, SideNames, mark_words};
use referee_records::{Confirmation, Draw, DrawAward, Fault, GameAnalysis, GameRecord, MoveMark, Verdict, WinReason};
use referee_time::CpuTime;

use crate::analyses::{Fall, made_up};
use crate::fabricated::{checkers, conditions, record_of, said, with_draws};

/// Black can capture two men, or the one on `g7`.
const TWO_OR_ONE: [&str; 8] =
    ["........", "......w.", ".......B", "........", "...w....", "........", ".w......", "B......."];
const BOTH: &str = "J a1 c3\nJ c3 e5";
const ONE: &str = "J h6 f8";

/// A game of two turns from `rows`, of which the words read only who played what.
fn game(rows: [&str; 8], mv: &str) -> (GameRecord, Vec<State>) {
    let start = checkers(rows, Side::Black);
    let conditions = with_draws(10, |draws| draws.turn_limit = Some(1));
    let mut ongoing_game = OngoingGame::new(start.clone(), conditions.clone());
    let mut positions = vec![ongoing_game.position().clone()];
    ongoing_game.report(said(mv));
    positions.push(ongoing_game.position().clone());
    let record = record_of(ongoing_game, &start, conditions, ["ada", "bob"], CpuTime::ZERO);
    assert!(record.turns[0].mv().is_some(), "{:?}", record.verdict);
    let lost = Verdict::Won { winner: Side::White, by: WinReason::NoPieces };
    (GameRecord { verdict: lost, ..record }, positions)
}

fn words(record: &GameRecord, positions: &[State], analysis: &GameAnalysis) -> AnalysisWords {
    AnalysisWords::of(record, positions, analysis, &SideNames::of(record))
}

/// The sentences about a game lost by `ONE` instead of `BOTH`.
fn lost(scores: [f64; 2], proved: [Option<ProvedResult>; 2]) -> Vec<String> {
    let (record, positions) = game(TWO_OR_ONE, ONE);
    let analysis = made_up(&record, &[Fall { proved, ..Fall::of(1, BOTH, scores) }]);
    words(&record, &positions, &analysis).sentences
}

#[test]
fn the_decisive_mistake_names_what_it_gave_up_and_only_proofs_are_called_proved() {
    use ProvedResult::{Draw, Loss, Win};
    let cases = [
        ([1.0, 0.0], [Some(Win), Some(Loss)], "gave up a won game: `J a1 c3; J c3 e5` captures 2 pieces (proved)"),
        ([1.0, 0.3], [Some(Win), None], "gave up a won game: `J a1 c3; J c3 e5` captures 2 pieces (proved)"),
        (
            [0.82, 0.31],
            [None, None],
            "let its expected score fall from 0.82 to 0.31 (not proved): `J a1 c3; J c3 e5` captures 2 pieces",
        ),
        (
            [0.82, 0.0],
            [None, Some(Loss)],
            "turned an expected score of 0.82 into a lost game (proved): `J a1 c3; J c3 e5` captures 2 pieces",
        ),
        (
            [0.82, 0.5],
            [None, Some(Draw)],
            "turned an expected score of 0.82 into a draw (proved): `J a1 c3; J c3 e5` captures 2 pieces",
        ),
    ];
    for (scores, proved, expected) in cases {
        assert_eq!(lost(scores, proved), [format!("turn 1, `J h6 f8` by ada (black), {expected}")]);
    }
    // A drawn position is not worth more than one half, so that it is decisive only as the first mistake.
    let drawn = "gave up a drawn game: `J a1 c3; J c3 e5` captures 2 pieces (proved)";
    assert_eq!(lost([0.5, 0.0], [Some(Draw), Some(Loss)]), [format!("turn 1, `J h6 f8` by ada (black), {drawn}")]);
}

#[test]
fn a_better_move_has_a_reason_only_if_it_wins_or_captures_more() {
    let told = |rows, better: &str, played: &str, proved| {
        let (record, positions) = game(rows, ONE);
        let mut analysis = made_up(&record, &[Fall { proved, ..Fall::of(1, better, [0.9, 0.1]) }]);
        analysis.turns[0].played.as_mut().unwrap().mv = played.to_owned();
        let sentences = words(&record, &positions, &analysis).sentences;
        sentences[0].rsplit_once(": ").unwrap().1.to_owned()
    };
    let single = ["........", "......w.", ".......B", "........", "........", "........", "........", "B......."];
    let win = [Some(ProvedResult::Win), None];
    assert_eq!(told(single, ONE, "E a1 b2", [None; 2]), "`J h6 f8` wins at once");
    assert_eq!(told(single, ONE, "E a1 b2", win), "`J h6 f8` wins at once (proved)");
    assert_eq!(told(TWO_OR_ONE, ONE, "", [None; 2]), "`J h6 f8` captures 1 piece");
    assert_eq!(told(TWO_OR_ONE, ONE, BOTH, [None; 2]), "better was `J h6 f8`");
    assert_eq!(told(TWO_OR_ONE, ONE, BOTH, win), "`J h6 f8` wins (proved)");
    assert_eq!(told(TWO_OR_ONE, ONE, BOTH, [Some(ProvedResult::Draw), None]), "`J h6 f8` holds the draw (proved)");
    assert_eq!(told(TWO_OR_ONE, "E a1 \x1b", "", [None; 2]), r"better was `E a1 \u{1b}`");
}

#[test]
fn a_disk_that_is_turned_is_not_captured() {
    let conditions = conditions::<DuoOthello>(10);
    let start = DuoOthello::start(());
    let mut ongoing_game = OngoingGame::new(start.clone(), conditions.clone());
    let positions = [ongoing_game.position().clone()];
    for mv in ["c2", "k9", "d5", "i11"] {
        ongoing_game.report(said(mv));
    }
    let record = record_of(ongoing_game, &start, conditions, ["ada", "bob"], CpuTime::ZERO);
    let winner = record.first.other();
    let record = GameRecord { verdict: Verdict::Won { winner, by: WinReason::NoMoves }, ..record };
    let mut analysis = made_up(&record, &[Fall::of(1, "c2", [0.9, 0.1])]);
    analysis.turns[0].played.as_mut().unwrap().mv = "-".to_owned();
    let told = words(&record, &positions, &analysis).sentences;
    let expected =
        "turn 1, `-` by bob (O), let its expected score fall from 0.90 to 0.10 (not proved): better was `c2`";
    assert_eq!(told, [expected]);
}

#[test]
fn a_confirmation_is_told_of_the_turn_that_it_belongs_to() {
    let (record, positions) = game(TWO_OR_ONE, ONE);
    let mut analysis = made_up(&record, &[Fall::of(1, BOTH, [0.82, 0.31])]);
    let confirmed = |turn| Some(Confirmation { turn, pairs: 8, after_best: 6.5, after_played: 1.0 });
    analysis.confirmation = confirmed(1);
    let told = words(&record, &positions, &analysis);
    assert_eq!(told.decisive_turn, Some(1));
    let expected = "in continued games, from the better move it scored 6.5 of 8, from the one played 1 of 8";
    assert_eq!(told.sentences[1], expected);
    analysis.confirmation = confirmed(2);
    assert_eq!(words(&record, &positions, &analysis).sentences.len(), 1);
}

/// A game of kings that walk about for six turns.
fn walk() -> GameRecord {
    let start = checkers(crate::fabricated::KINGS, Side::Black);
    let conditions = with_draws(10, |draws| draws.turn_limit = Some(6));
    let mut ongoing_game = OngoingGame::new(start.clone(), conditions.clone());
    for mv in crate::fabricated::SHUFFLE.iter().cycle().take(6) {
        ongoing_game.report(said(mv));
    }
    record_of(ongoing_game, &start, conditions, ["ada", "bob"], CpuTime::ZERO)
}

#[test]
fn a_game_lost_gradually_names_its_greatest_losses() {
    let by = WinReason::NoMoves;
    let record = GameRecord { verdict: Verdict::Won { winner: Side::White, by }, ..walk() };
    let head = "ada (black) lost gradually: no single move is surely the one that lost the game";
    let slip = |turn, scores, mark| Fall { mark, ..Fall::of(turn, "E d8 c7", scores) };
    let cases = [
        (vec![], String::new()),
        (vec![slip(1, [0.5, 0.46], None)], String::new()),
        (
            vec![slip(1, [0.6, 0.5], None), slip(2, [0.6, 0.2], None), slip(3, [0.7, 0.4], Some(MoveMark::Unclear))],
            "; its greatest losses: turn 1, `E b8 a7` (0.60 to 0.50), turn 3, `E a7 b8` (0.70 to 0.40, unclear)"
                .to_owned(),
        ),
    ];
    for (falls, more) in cases {
        let told = words(&record, &[], &made_up(&record, &falls));
        assert_eq!((told.sentences, told.decisive_turn), (vec![format!("{head}{more}")], None));
    }
    let mut nothing = made_up(&record, &[]);
    nothing.turns.clear();
    assert_eq!(words(&record, &[], &nothing), AnalysisWords::default());
}

#[test]
fn a_game_that_the_board_did_not_decide_has_no_decisive_mistake() {
    let drawn = |by| Verdict::Drawn { by, decided: DrawAward::NoClock };
    let forfeit = |loser| Verdict::Forfeit { loser, fault: Fault::Resigned };
    let told = |verdict, fall: Fall| {
        let record = GameRecord { verdict, ..walk() };
        words(&record, &[], &made_up(&record, &[fall]))
    };
    let fall = || Fall::of(1, "E d8 c7", [0.9, 0.29]);
    for verdict in [forfeit(Side::Black), forfeit(Side::White), drawn(Draw::TurnLimit { turns: 6 })] {
        let expected = vec!["on the board it stood at 0.71 for bob (white)".to_owned()];
        assert_eq!(told(verdict, fall()), AnalysisWords { sentences: expected, decisive_turn: None });
    }
    let even = told(forfeit(Side::Black), Fall::of(1, "E d8 c7", [0.5, 0.5]));
    assert_eq!(even.sentences, ["on the board it stood even"]);
    assert_eq!(told(drawn(Draw::Blocked), fall()), AnalysisWords::default());
    let last = |proved, score| Fall { proved: [None, Some(proved)], ..Fall::of(6, "E f2 e1", [0.5, score]) };
    for (proved, score, expected) in [
        (ProvedResult::Win, 1.0, "on the board it was won for bob (white) (proved)"),
        (ProvedResult::Loss, 0.0, "on the board it was won for ada (black) (proved)"),
        (ProvedResult::Draw, 0.5, "on the board it stood at a draw (proved)"),
    ] {
        assert_eq!(told(forfeit(Side::Black), last(proved, score)).sentences, [expected]);
    }
}

#[test]
fn a_mark_says_what_was_lost_and_what_was_better() {
    let (record, _) = game(TWO_OR_ONE, ONE);
    let told = |mark| mark_words(&made_up(&record, &[Fall { mark, ..Fall::of(1, BOTH, [0.82, 0.31]) }]).turns[0]);
    let rest = "expected score from 0.82 to 0.31; better was `J a1 c3; J c3 e5`";
    assert_eq!(told(Some(MoveMark::Mistake)).unwrap(), format!("mistake: {rest}"));
    assert_eq!(told(Some(MoveMark::Unclear)).unwrap(), format!("unclear: {rest}"));
    let taken_back = Fall { mark: Some(MoveMark::Unclear), ..Fall::of(1, ONE, [0.82, 0.82]) };
    let words = mark_words(&made_up(&record, &[taken_back]).turns[0]).unwrap();
    assert_eq!(words, "unclear: a longer search finds no better move");
    assert_eq!(told(None), None);
}
