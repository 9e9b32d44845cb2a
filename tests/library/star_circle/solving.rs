//! The search: examples of the handout, the shared corpus, the twin, and common properties of both algorithms.

use proptest::prelude::*;
use referee_games::star_circle::read_question;
use referee_games::star_circle::{Algorithm, RowValues, SearchDepth, SearchQuestion, StarCircle, solve};
use referee_games::{Position, Side, perft};

use crate::corpora::corpus;
use crate::star_circle::{any_position, drawn, twin};

fn question(position: StarCircle, algorithm: Algorithm, plies: u8, values: RowValues) -> Option<SearchQuestion> {
    SearchQuestion::new(position, algorithm, SearchDepth::new(plies).unwrap(), values).ok()
}

/// The five examples of the handout; the answer to the fifth, which the scrape lost, is that of RULES.md.
#[test]
fn the_examples_of_the_handout() {
    let first = ["0,S1,0,0,0,0,0,0", "0,0,C1,0,0,0,0,0", "0,0,0,S1,0,0,0,0"];
    let third = ["0,S1,0,0,0,0,0,0", "S1,0,0,0,0,0,0,0", "0,0,0,0,0,0,0,C1", "0,0,0,0,0,0,S1,0"];
    let fourth = ["0,S2,0,0,0,0,0,0", "S1,0,0,0,0,0,0,0", "0,0,0,0,0,0,0,C1", "0,0,0,0,0,0,S1,0", "0,0,0,0,0,S1,0,0"];
    let fifth = ["0,C1,0,C1,0,C1,0,C1", "C1,0,C1,0,C1,0,C1,0", "0,S1,0,S1,0,S1,0,S1", "S1,0,S1,0,S1,0,S1,0"];
    let usual = RowValues::STANDARD;
    let uneven = RowValues::new([10, 20, 30, 40, 52, 70, 90, 1000]).unwrap();
    let table = [
        (drawn(&first, Side::White), Algorithm::Minimax, 2, usual, "F4-H2\n160\n160\n5"),
        (drawn(&first, Side::White), Algorithm::AlphaBeta, 2, usual, "F4-H2\n160\n160\n4"),
        (drawn(&third[..3], Side::White), Algorithm::Minimax, 9, usual, "G1-H2\n130\n90\n26"),
        (drawn(&fourth, Side::Black), Algorithm::AlphaBeta, 2, usual, "pass\n-290\n-300\n5"),
        (drawn(&fifth, Side::White), Algorithm::AlphaBeta, 7, uneven, "pass\n368\n368\n3"),
    ];
    for (position, algorithm, plies, values, expected) in table {
        let question = question(position, algorithm, plies, values).unwrap();
        assert_eq!(solve(&question).to_string(), expected);
        assert_eq!(twin::solve(&question), expected, "the twin");
    }
}

/// Sixty inputs on whose answers several independent solvers agree.
#[test]
fn the_corpus_is_answered_as_others_answer_it() {
    let Some(corpus) = corpus("star-circle-2018-sample.jsonl") else {
        return;
    };
    let mut answered = 0;
    for line in corpus.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let input = case["input"].as_str().unwrap();
        let question = read_question(input.as_bytes()).unwrap();
        assert_eq!(solve(&question).to_string(), case["output"].as_str().unwrap(), "{input}");
        answered += 1;
    }
    assert_eq!(answered, 60);
}

/// While no game ends, a tree has as many nodes as there are move sequences of all lengths up to its depth. Counted so
/// by `referee perft` for depth 10, by the plain generator here for less.
#[test]
fn the_widest_trees_are_counted_to_the_last_node() {
    let start: StarCircle = Position::start(());
    let nodes = |plies| solve(&question(start.clone(), Algorithm::Minimax, plies, RowValues::STANDARD).unwrap()).nodes;
    for plies in 1..=7 {
        let sequences = (0..=u32::from(plies)).map(|depth| perft(&start, depth)).sum::<u64>();
        assert_eq!(nodes(plies), sequences, "depth {plies}");
    }
    assert_eq!(nodes(10), 1_851_260_456);
}

fn any_values() -> impl Strategy<Value = RowValues> {
    let steps = prop::collection::vec(1..50_i32, 8);
    (steps, -200..200_i32).prop_map(|(steps, first)| {
        let mut value = first;
        let mut steps = steps.into_iter();
        RowValues::new([0; 8].map(|_: i32| {
            value += steps.next().unwrap();
            value
        }))
        .unwrap()
    })
}

/// Crowded positions to a small depth, and those of few pieces to the last.
fn any_question() -> impl Strategy<Value = (StarCircle, u8)> {
    prop_oneof![(any_position(4), 1..=3_u8), (any_position(3), 1..=4_u8), (any_position(1), 1..=7_u8),]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_twin_finds_the_same_with_as_many_nodes((position, plies) in any_question(), values in any_values()) {
        for algorithm in Algorithm::BOTH {
            if let Some(question) = question(position.clone(), algorithm, plies, values) {
                prop_assert_eq!(solve(&question).to_string(), twin::solve(&question));
            }
        }
    }

    #[test]
    fn alpha_beta_finds_what_minimax_finds_with_no_more_nodes(
        position in any_position(4),
        plies in 1..=6_u8,
        values in any_values(),
    ) {
        let [minimax, alpha_beta] = [Algorithm::Minimax, Algorithm::AlphaBeta]
            .map(|algorithm| question(position.clone(), algorithm, plies, values));
        if let (Some(minimax), Some(alpha_beta)) = (minimax, alpha_beta) {
            let [whole, pruned] = [minimax, alpha_beta].map(|question| solve(&question));
            prop_assert_eq!(
                (whole.next_move, whole.myopic, whole.farsighted),
                (pruned.next_move, pruned.myopic, pruned.farsighted)
            );
            prop_assert!(pruned.nodes <= whole.nodes);
        }
    }
}
