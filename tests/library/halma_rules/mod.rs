//! Laws of Halma, checked on random games and scrambled boards against a slow, plain twin.

mod boards;
mod ends;
mod refusals;
mod twin;

use std::collections::HashSet;

use boards::{EXAMPLES, position, reflected, scrambled, square};
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use referee_games::halma::{Halma, Move, Rules};
use referee_games::protocol::{InputPurpose, Texts, TimeLeft, Tolerance};
use referee_games::{Position, Side, Status, perft};
use referee_time::CpuTime;
use twin::Twin;

const BOTH_RULES: [Rules; 2] = [Rules::Original, Rules::Addendum];

/// Calls `look` with every position of a random game, up to `turns` turns.
fn random_game(rules: Rules, seed: u64, turns: usize, mut look: impl FnMut(&Halma)) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut position = Halma::start(rules);
    for _ in 0..turns {
        look(&position);
        match position.status() {
            Status::Over(_) => return,
            Status::MustPass => position.pass(),
            Status::ToMove => {
                let mv = *position.moves().choose(&mut dice).expect("a side to move has a move");
                position.play_unchecked(mv);
            }
        }
    }
}

fn assert_same_moves_as_twin(position: &Halma) {
    let moves = position.moves();
    let listed: HashSet<_> = moves.iter().copied().collect();
    assert_eq!(listed.len(), moves.len(), "a move is listed twice in {position:?}");
    assert_eq!(position.count_moves(), moves.len() as u64);
    let expected: HashSet<_> = Twin::of(position).moves().into_iter().collect();
    assert_eq!(listed, expected, "{:#?}", position.rows());
    for mv in [Move { from: square(0, 0), to: square(5, 5) }].iter().chain(&moves) {
        assert_eq!(position.is_legal(*mv), listed.contains(mv));
    }
}

fn assert_every_move_is_written_as_it_is_read(position: &Halma) {
    for mv in position.moves() {
        let text = position.write_move(mv);
        let answer = position.read_output(text.as_bytes(), Tolerance::Exact);
        let answer = answer.unwrap_or_else(|refusal| panic!("{text:?} is refused: {refusal:?}"));
        assert_eq!((answer.mv, answer.warnings.len()), (mv, 0), "{text:?}");
    }
}

#[test]
fn perft_from_the_start_is_as_known_for_both_sides() {
    let known = [(Rules::Addendum, [40, 1600, 62_240, 2_421_136]), (Rules::Original, [40, 1600, 85_440, 4_562_496])];
    for (rules, counts) in known {
        for side in Side::BOTH {
            let start = Halma::start(rules).with_side_to_move(side);
            assert_eq!([1, 2, 3, 4].map(|depth| perft(&start, depth)), counts, "{rules:?} {side:?}");
        }
    }
}

#[test]
fn the_twin_lists_the_same_moves_all_through_random_games() {
    for rules in BOTH_RULES {
        for seed in 0..2 {
            random_game(rules, seed, 150, assert_same_moves_as_twin);
        }
    }
}

#[test]
fn every_move_of_random_games_is_written_as_it_is_read() {
    for rules in BOTH_RULES {
        random_game(rules, 11, 300, assert_every_move_is_written_as_it_is_read);
    }
}

#[test]
fn the_examples_of_the_handout_are_legal() {
    for (side, rows, answer) in EXAMPLES {
        for rules in BOTH_RULES {
            let position = position(&rows, side, rules);
            let read = position.read_output(answer.as_bytes(), Tolerance::Exact);
            assert!(read.is_ok_and(|answer| answer.warnings.is_empty()), "{answer:?} by {rules:?}");
        }
    }
}

#[test]
fn what_makes_progress_never_happens_again() {
    for rules in BOTH_RULES {
        let mut dice = ChaCha8Rng::seed_from_u64(5);
        let mut position = Halma::start(rules);
        let (mut earlier, mut lately, mut progress) = (HashSet::new(), HashSet::new(), 0);
        while position.status() == Status::ToMove && progress < 40 {
            let mv = *position.moves().choose(&mut dice).expect("a side to move has a move");
            lately.insert(position.rows());
            if position.makes_progress(mv) {
                earlier.extend(lately.drain());
                progress += 1;
            }
            position.play_unchecked(mv);
            assert!(!earlier.contains(&position.rows()), "{rules:?}: {position:?}");
        }
        assert!(progress > 0);
    }
}

#[test]
fn progress_is_entering_the_goal_or_under_the_addendum_leaving_home() {
    let progress = [
        (Rules::Addendum, (2, 2), (5, 5), true),
        (Rules::Original, (2, 2), (5, 5), false),
        (Rules::Addendum, (1, 1), (2, 2), true),
        (Rules::Original, (12, 11), (13, 12), true),
        (Rules::Addendum, (13, 12), (14, 13), false),
        (Rules::Addendum, (7, 7), (9, 9), false),
    ];
    for (rules, from, to, expected) in progress {
        let mv = Move { from: square(from.0, from.1), to: square(to.0, to.1) };
        assert_eq!(Halma::start(rules).makes_progress(mv), expected, "{rules:?} {mv:?}");
    }
}

proptest! {
    #[test]
    fn the_twin_lists_the_same_moves_on_scrambled_boards(position in scrambled()) {
        assert_same_moves_as_twin(&position);
    }

    #[test]
    fn a_claim_is_accepted_exactly_if_the_twin_allows_it(position in scrambled(), seed in any::<u64>()) {
        let twin = Twin::of(&position);
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..40 {
            let claim = twin.random_claim(&mut dice);
            let judged = position.judge(&claim);
            prop_assert_eq!(judged.as_ref().ok().copied(), twin.allows(&claim), "{:?} gives {:?}", claim, judged);
            if let Ok(mv) = judged {
                prop_assert_eq!(position.is_legal(mv), mv.from != mv.to);
            }
        }
    }

    #[test]
    fn moves_of_scrambled_boards_are_written_as_they_are_read(position in scrambled()) {
        assert_every_move_is_written_as_it_is_read(&position);
    }

    #[test]
    fn the_mirrored_board_has_the_mirrored_moves_and_the_mirrored_end(position in scrambled()) {
        let mirror = reflected(&position);
        prop_assert_eq!(reflected(&mirror), position.clone());
        let opposite = |Move { from, to }| Move { from: from.opposite(), to: to.opposite() };
        let expected: HashSet<_> = position.moves().into_iter().map(opposite).collect();
        prop_assert_eq!(mirror.moves().into_iter().collect::<HashSet<_>>(), expected);
        prop_assert_eq!(mirror.status(), boards::colours_swapped(position.status()));
    }

    #[test]
    fn a_board_is_drawn_as_it_is_read(position in scrambled()) {
        prop_assert_eq!(boards::redrawn(&position), position);
    }

    #[test]
    fn an_input_is_read_as_it_is_written(position in scrambled(), single in any::<bool>(), millis in 1_u64..1_000_000) {
        let purpose = if single { InputPurpose::Single } else { InputPurpose::Game };
        let own = CpuTime::from_micros(millis * 1000);
        let text = position.write_input(purpose, TimeLeft { own, opponent: own });
        let input = Halma::read_input(text.as_bytes(), position.rules()).expect("what was written");
        prop_assert_eq!((input.purpose, input.position, input.own), (purpose, position, own));
    }

    #[test]
    fn no_text_makes_the_reading_panic(
        text in "([EJej] ?[0-9]{1,2},[0-9]{1,2} [0-9]{1,2},[0-9]{1,2}[ \n]){0,4}.{0,3}",
    ) {
        for tolerance in [Tolerance::Exact, Tolerance::Tolerant] {
            let _ = Halma::start(Rules::Addendum).read_output(text.as_bytes(), tolerance);
        }
    }
}
