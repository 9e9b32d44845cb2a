//! Moves are picked by their squares: every legal move can be, and every complete pick is one.

use proptest::prelude::*;
use proptest::sample::Index;
use referee_games::checkers::Checkers;
use referee_games::halma::{Halma, Rules};
use referee_games::protocol::Tolerance;
use referee_games::{GameRef, Picking, Position, Side, State, Target, moved_squares, pick_squares_or_texts};

fn after(choices: &[Index], game: GameRef) -> State {
    let mut position = game.start();
    for choice in choices {
        match position.successors().as_slice() {
            [] => break,
            next => position = choice.get(next).clone(),
        }
    }
    position
}

/// Whether the squares of `text` can be picked in order and then are the move.
fn is_within_reach(position: &State, text: &str) -> bool {
    let squares = moved_squares(text);
    let one_by_one = (0..squares.len()).all(|depth| {
        let targets = position.picking(&squares[..depth]).map(|picking| picking.targets);
        targets.is_some_and(|targets| targets.iter().any(|target| target.square() == squares[depth]))
    });
    one_by_one && position.picking(&squares).is_some_and(|picking| picking.answer.as_deref() == Some(text))
}

/// Picks targets repeatedly: each complete pick is a legal move, and each target is what it claims.
fn pick(position: &State, choices: &[Index]) {
    let mut picked: Vec<String> = Vec::new();
    for choice in choices {
        let Some(Picking { answer, targets }) = position.picking(&picked) else {
            // Where there is no legal move, nothing can be picked.
            assert!(picked.is_empty() && position.moves().is_empty(), "{picked:?} was offered");
            return;
        };
        if let Some(answer) = &answer {
            let judged = position.judge(answer.as_bytes(), Tolerance::Exact);
            assert!(judged.is_ok(), "{answer:?} is refused: {judged:?}");
        }
        if targets.is_empty() {
            assert!(answer.is_some(), "{picked:?} leads nowhere");
            return;
        }
        let target = choice.get(&targets);
        picked.extend(target.way.iter().cloned());
        let then = position.picking(&picked).expect("it was offered");
        assert_eq!(then.answer.is_some(), target.ends, "{picked:?} in {position:?}");
        assert_eq!(!then.targets.is_empty(), target.goes_on, "{picked:?} in {position:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_legal_move_can_be_picked(choices: [Index; 90], length in 0_usize..90) {
        for game in GameRef::all_variants() {
            let position = after(&choices[..length], game);
            let out_of_reach = position.moves().into_iter().find(|text| !is_within_reach(&position, text));
            prop_assert_eq!(out_of_reach, None, "in {:?}", position);
        }
    }

    #[test]
    fn every_complete_pick_is_a_legal_move(choices: [Index; 90], length in 0_usize..90, picks: [Index; 12]) {
        for game in GameRef::all_variants() {
            pick(&after(&choices[..length], game), &picks);
        }
    }
}

#[test]
fn a_move_that_names_more_than_squares_is_one_target() {
    let moves = ["drop 1", "drop 12", "a1 b2", "a1 b2 c1", "a1 b2=Q", "PASS"].map(str::to_owned);
    let pick = |picked: &[&str]| {
        let picked: Vec<String> = picked.iter().map(|&name| name.to_owned()).collect();
        pick_squares_or_texts(moves.to_vec(), &picked, |name| ["a1", "b2", "c1"].contains(&name))
    };
    let first = pick(&[]).unwrap();
    let firsts: Vec<&str> = first.targets.iter().map(Target::square).collect();
    assert_eq!(firsts, ["a1", "drop 1", "drop 12", "a1 b2=Q", "PASS"]);
    for text in &firsts[1..] {
        let picked = pick(&[text]).unwrap();
        assert_eq!((picked.answer.as_deref(), picked.targets.len()), (Some(*text), 0));
    }
    assert_eq!(pick(&["a1", "b2"]).unwrap().answer.as_deref(), Some("a1 b2"));
    assert_eq!(pick(&["drop"]), None);
    assert_eq!(pick(&["a1", "PASS"]), None);
    assert_eq!(pick_squares_or_texts(Vec::new(), &[], |_| true), None);
}

fn ways(picking: &Picking) -> Vec<(String, bool, bool)> {
    let way = |target: &Target| (target.way.join(" "), target.ends, target.goes_on);
    picking.targets.iter().map(way).collect()
}

fn picked(squares: &str) -> Vec<String> {
    squares.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_chain_of_checkers_is_picked_jump_by_jump_or_by_its_end() {
    let rows: [&[u8]; 8] =
        [b".b...b..", b"..b.b.b.", b"...b...b", b"..b.....", b".....w..", b"w.b.w...", b".w.....w", b"w...w..."];
    let position = State::from(Checkers::from_rows(&rows, Side::White, ()).unwrap());
    let begun = position.picking(&picked("b2")).unwrap();
    assert_eq!(begun.answer, None);
    assert_eq!(ways(&begun), [("d4".to_owned(), false, true), ("d4 b6 d8".to_owned(), true, false)]);
    let whole = position.picking(&picked("b2 d4 b6 d8")).unwrap();
    assert_eq!(whole.answer.as_deref(), Some("J b2 d4\nJ d4 b6\nJ b6 d8"));
    assert_eq!(position.picking(&picked("b2 c3")), None);
}

#[test]
fn a_play_of_halma_may_end_on_the_way_or_go_on() {
    let start = State::from(Halma::start(Rules::Original));
    let begun = start.picking(&picked("3,0")).unwrap();
    assert!(ways(&begun).contains(&("5,0".to_owned(), true, true)), "{begun:?}");
    let landed = start.picking(&picked("3,0 5,0")).unwrap();
    assert_eq!(landed.answer.as_deref(), Some("J 3,0 5,0"));
    assert_eq!(start.picking(&picked("3,0 3,0")), None);
    assert_eq!(start.picking(&picked("03,0 5,0")), None);
}

/// Found by a random game: the only jump from the end of this play leads back to where it began.
#[test]
fn a_jump_of_halma_that_leads_nowhere_is_not_offered() {
    let rows: [&[u8]; 16] = [
        b".....B..........",
        b".....BB.........",
        b"....B...........",
        b"...BB...........",
        b"..BBBB..........",
        b".B..............",
        b"BBB.......W.....",
        b"..BBB......WW...",
        b"...B.........WW.",
        b".....B.....WW.W.",
        b"...........W..WW",
        b"..........W.W...",
        b"..........W.W...",
        b"..........WW....",
        b"..........W.....",
        b"..........W.....",
    ];
    let position = State::from(Halma::from_rows(&rows, Side::Black, Rules::Addendum).unwrap());
    let begun = position.picking(&picked("4,4")).unwrap();
    assert!(ways(&begun).contains(&("6,4".to_owned(), true, false)), "{begun:?}");
    let landed = position.picking(&picked("4,4 6,4")).unwrap();
    assert_eq!((landed.answer.as_deref(), ways(&landed)), (Some("J 4,4 6,4"), Vec::new()));
}
