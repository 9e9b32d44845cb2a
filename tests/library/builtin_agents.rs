//! The laws of the built-in agents, on Duo-Othello; of minimax, on every game.

use std::fs;

use proptest::prelude::*;
use referee_games::builtin::{
    BuiltinAgent, BuiltinAnswerError, BuiltinReply, Depth, Evaluate, NodeLimit, TurnRng, WIN_VALUE, answer, best_moves,
    choose_random, minimax, value,
};
use referee_games::checkers::Checkers;
use referee_games::halma::{Halma, Rules};
use referee_games::heirs::Heirs;
use referee_games::little_go::LittleGo;
use referee_games::othello::{DuoOthello, Square};
use referee_games::protocol::{InputPurpose, Texts, TimeLeft, Tolerance};
use referee_games::star_circle::StarCircle;
use referee_games::{Ending, Position, Side, Status};
use referee_submissions::agents::run_builtin;
use referee_time::CpuTime;

const RANDOM: BuiltinAgent = BuiltinAgent::Random { seed: None };
const MINIMAX: BuiltinAgent = BuiltinAgent::Minimax { depth: None, seed: None, pace: None };

fn input(position: &DuoOthello, own: CpuTime) -> String {
    let opponent = CpuTime::from_secs(300);
    position.write_input(InputPurpose::Game, TimeLeft { own, opponent })
}

/// The position after some turns of random play.
fn after_random_turns(seed: u64, turns: u64) -> DuoOthello {
    after_turns((), seed, turns, 0)
}

/// The position after some turns, of which `sensible` in four are played by minimax, so that games finish.
fn after_turns<P: Evaluate>(rules: P::Rules, seed: u64, turns: u64, sensible: u64) -> P {
    let mut position = P::start(rules);
    for turn in 0..turns {
        let mut chance = TurnRng::new(seed, turn);
        match position.status() {
            Status::ToMove if turn % 4 < sensible => {
                position.play_unchecked(minimax(&position, Depth::ONE, &mut chance).unwrap());
            }
            Status::ToMove => position.play_unchecked(choose_random(&position, &mut chance).unwrap()),
            Status::MustPass => position.pass(),
            Status::Over(_) => break,
        }
    }
    position
}

fn drawn(rows: [&str; 12], side: Side) -> DuoOthello {
    DuoOthello::from_rows(&rows.map(str::as_bytes), side, ()).unwrap()
}

// The random agent.

/// How far the counts are from being equal: Pearson's statistic.
fn chi_square(counts: &[f64]) -> f64 {
    let expected = counts.iter().sum::<f64>() / f64::from(u32::try_from(counts.len()).unwrap());
    counts.iter().map(|count| (count - expected).powi(2) / expected).sum()
}

fn counts_of_choices(position: &DuoOthello, chances: impl Iterator<Item = TurnRng>) -> Vec<f64> {
    let moves = position.moves();
    let mut counts = vec![0.0; moves.len()];
    for mut chance in chances {
        let mv = choose_random(position, &mut chance).unwrap();
        counts[moves.iter().position(|&legal| legal == mv).unwrap()] += 1.0;
    }
    counts
}

#[test]
fn every_move_is_as_likely_as_any_other_over_seeds_and_over_turns() {
    for position in [DuoOthello::start(()), after_random_turns(1, 31)] {
        let over_seeds = counts_of_choices(&position, (0..6000).map(|seed| TurnRng::new(seed, 0)));
        let over_turns = counts_of_choices(&position, (0..6000).map(|turn| TurnRng::new(0, turn)));
        for counts in [over_seeds, over_turns] {
            // With n moves the statistic is about n - 1, give or take the root of twice that; this is five times as far
            // off.
            let freedom = f64::from(u32::try_from(counts.len() - 1).unwrap());
            let bound = freedom + 5.0 * (2.0 * freedom).sqrt();
            assert!(chi_square(&counts) < bound, "{counts:?}");
        }
    }
}

#[test]
fn a_side_without_a_move_gets_none() {
    let empty = drawn(["............"; 12], Side::Black);
    assert_eq!(choose_random(&empty, &mut TurnRng::new(0, 0)), None);
    assert_eq!(minimax(&empty, Depth::TWO, &mut TurnRng::new(0, 0)), None);
}

// Minimax.

/// Minimax told in another way and without shortcuts: from one side's view throughout, with a maximum and a minimum in
/// turns.
fn plain_worth<P: Evaluate>(position: &P, plies: i32, side: Side) -> i32 {
    let moves = position.moves();
    match position.status() {
        Status::Over(Ending::Drawn(_)) => 0,
        Status::Over(Ending::Won { winner, .. }) if winner == side => WIN_VALUE + plies,
        Status::Over(Ending::Won { .. }) => -WIN_VALUE - plies,
        _ if plies == 0 => position.evaluate(side),
        Status::MustPass => {
            let mut next = position.clone();
            next.pass();
            plain_worth(&next, plies - 1, side)
        }
        Status::ToMove => {
            let worths = moves.iter().map(|&mv| plain_worth(&position.after(mv), plies - 1, side));
            if position.side_to_move() == side { worths.max() } else { worths.min() }.unwrap()
        }
    }
}

fn expect_plain_worth<P: Evaluate>(position: &P, plies: u8) -> Result<(), TestCaseError> {
    let expected = plain_worth(position, i32::from(plies), position.side_to_move());
    prop_assert_eq!(value(position, plies), expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn minimax_is_worth_what_the_plain_recursion_says(
        seed in any::<u64>(),
        turns in 0..140_u64,
        sensible in 0..5_u64,
        plies in 0..4_u8,
    ) {
        expect_plain_worth::<Checkers>(&after_turns((), seed, turns, sensible), plies)?;
        expect_plain_worth::<DuoOthello>(&after_turns((), seed, turns, sensible), plies)?;
        expect_plain_worth::<StarCircle>(&after_turns((), seed, turns / 3, sensible), plies)?;
        expect_plain_worth::<Heirs>(&after_turns((), seed, turns, sensible), plies.min(2))?;
        expect_plain_worth::<LittleGo>(&after_turns((), seed, turns / 5, sensible), plies.min(2))?;
        for rules in [Rules::Addendum, Rules::Original] {
            expect_plain_worth::<Halma>(&after_turns(rules, seed, 2 * turns, sensible), plies.min(1))?;
        }
    }

    #[test]
    fn the_best_moves_are_those_that_keep_the_worth(seed in any::<u64>(), turns in 0..140_u64, plies in 1..4_u8) {
        let position = after_random_turns(seed, turns);
        let best = best_moves(&position, Depth::new(plies).unwrap());
        let value = value(&position, plies);
        for mv in position.moves() {
            let side = position.side_to_move();
            let kept = plain_worth(&position.after(mv), i32::from(plies) - 1, side) == value;
            prop_assert_eq!(best.contains(&mv), kept, "{}", mv);
        }
    }
}

#[test]
fn a_sooner_win_is_worth_more_and_a_later_loss_too() {
    // Whoever moves takes the other's last disk.
    let mut rows = ["............"; 12];
    rows[0] = "XO..........";
    let winning = drawn(rows, Side::Black);
    assert_eq!(value(&winning, 1), WIN_VALUE);
    assert_eq!(value(&winning, 3), WIN_VALUE + 2);
    let losing = drawn(rows, Side::White);
    assert_eq!(value(&losing, 3), -(WIN_VALUE + 1));
    assert_eq!(best_moves(&winning, Depth::THREE), [Square::read(b"c1").unwrap()]);
}

#[test]
fn minimax_beats_random() {
    let won = (0..20).filter(|&game| wins_against_random(game)).count();
    assert!(won >= 18, "{won} of 20");
}

/// Plays one game in memory, minimax with depth 2 on one side in even games and on the other in odd ones.
fn wins_against_random(game: u64) -> bool {
    let searching = Side::BOTH[usize::from(game.is_multiple_of(2))];
    let mut position = DuoOthello::start(());
    for turn in 0.. {
        let mut chance = TurnRng::new(game, turn);
        match position.status() {
            Status::Over(Ending::Won { winner, .. }) => return winner == searching,
            Status::Over(Ending::Drawn(_)) => return false,
            Status::MustPass => position.pass(),
            Status::ToMove if position.side_to_move() == searching => {
                position.play_unchecked(minimax(&position, Depth::TWO, &mut chance).unwrap());
            }
            Status::ToMove => position.play_unchecked(choose_random(&position, &mut chance).unwrap()),
        }
    }
    unreachable!("a game of Duo-Othello ends")
}

// Seeds and turns.

/// The moves of an agent that plays both sides from the start, with the play data of each side kept for it.
fn game_of(agent: BuiltinAgent, seed: u64, turns: usize) -> String {
    let mut position = DuoOthello::start(());
    let mut playdata = [None::<String>, None];
    let mut moves = Vec::new();
    while moves.len() < turns && position.status() == Status::ToMove {
        let input = input(&position, CpuTime::from_secs(20));
        let kept = &mut playdata[position.side_to_move().index()];
        let reply = answer(&agent, seed, input.as_bytes(), None, kept.as_deref()).unwrap();
        *kept = Some(reply.playdata);
        let mv = position.read_output(reply.output.as_bytes(), Tolerance::Exact).unwrap().mv;
        position.play_unchecked(mv);
        moves.push(mv.to_string());
    }
    moves.join(" ")
}

#[test]
fn the_same_seed_gives_the_same_game_for_ever() {
    assert_eq!(
        game_of(RANDOM, 1, 24),
        "c2 j8 k8 h10 h9 h8 j11 k11 g9 l7 d5 i11 k7 f9 j12 i8 g8 k10 l11 k12 k9 j7 e9 f7"
    );
    assert_eq!(game_of(RANDOM, 2, 24), "e4 e5 d5 e3 f3 d6 c6 b4 i8 c5 e2 h8 b5 i11 e6 g3 d2 i7 b2 c1 a3 k8 g4 d7");
    assert_eq!(
        game_of(MINIMAX, 1, 24),
        "c2 j8 k10 h11 i8 k8 i11 h10 h8 h9 g8 g9 h12 i12 j12 j11 k9 g10 e5 g11 f8 l9 l10 f9"
    );
    assert_eq!(game_of(MINIMAX, 2, 24), "k10 b4 d5 e2 a4 a5 a6 c5 h9 d6 d2 b3 c2 a3 a2 e1 e3 c1 d1 f4 b5 b2 e4 e5");
}

#[test]
fn seeds_change_the_choice_among_equals_and_nothing_else() {
    let start = DuoOthello::start(());
    let best = best_moves(&start, Depth::TWO);
    assert!(best.len() > 1, "the start is symmetric: {best:?}");
    let mut chosen: Vec<Square> =
        (0..100).map(|seed| minimax(&start, Depth::TWO, &mut TurnRng::new(seed, 0)).unwrap()).collect();
    chosen.sort();
    chosen.dedup();
    assert_eq!(chosen, best);
}

#[test]
fn the_same_position_on_another_turn_is_another_draw() {
    let input = input(&DuoOthello::start(()), CpuTime::from_secs(300));
    let mut playdata: Option<String> = None;
    let mut outputs = Vec::new();
    for turn in 1..=40 {
        let BuiltinReply { output, playdata: kept } =
            answer(&RANDOM, 3, input.as_bytes(), None, playdata.as_deref()).unwrap();
        assert_eq!(kept, format!("turn {turn}\n"));
        playdata = Some(kept);
        outputs.push(output);
    }
    outputs.sort();
    outputs.dedup();
    assert_eq!(outputs.len(), 8, "every opening move comes up in 40 draws: {outputs:?}");
}

#[test]
fn foreign_play_data_counts_as_none() {
    let input = input(&after_random_turns(4, 20), CpuTime::from_secs(300));
    let answered = |playdata| answer(&RANDOM, 3, input.as_bytes(), None, playdata).unwrap();
    let foreign = [
        "",
        "turn",
        "turn \n",
        "turn 3",
        "turn x\n",
        "turn -3\n",
        "turn 3\nturn 4\n",
        "3\n",
        "Turn 3\n",
        "turn 3\npast 7 x\n",
        "turn 3\npast 7 1",
        "hello",
    ];
    for playdata in foreign {
        assert_eq!(answered(Some(playdata)), answered(None), "{playdata:?}");
    }
}

#[test]
fn the_seed_in_the_name_goes_before_the_one_from_outside() {
    let input = input(&after_random_turns(4, 20), CpuTime::from_secs(300));
    for seed in 0..20 {
        let named = BuiltinAgent::Random { seed: Some(seed) };
        assert_eq!(
            answer(&named, 1000, input.as_bytes(), None, None),
            answer(&RANDOM, seed, input.as_bytes(), None, None)
        );
    }
}

// Time left.

#[test]
fn the_depth_follows_the_time_left_unless_it_is_given() {
    let (position, best) = a_position_in_which_depth_shows();
    let fixed = BuiltinAgent::Minimax { depth: Some(Depth::ONE), seed: None, pace: None };
    for (millis, expected) in [(500, &best[0]), (20_000, &best[1]), (300_000, &best[2])] {
        let own = CpuTime::from_millis(millis);
        let chosen = answered_move(&position, &MINIMAX, own);
        assert!(expected.contains(&chosen), "{own}: {chosen} of {expected:?}");
        assert!(best[0].contains(&answered_move(&position, &fixed, own)), "{own}");
    }
}

/// A position with its best moves at depths 1, 2 and 3, which have no move in common.
fn a_position_in_which_depth_shows() -> (DuoOthello, [Vec<Square>; 3]) {
    let positions =
        (0..100).map(|seed| after_random_turns(seed, 30)).filter(|position| position.status() == Status::ToMove);
    let mut with_best = positions.map(|position| {
        let best = [Depth::ONE, Depth::TWO, Depth::THREE].map(|depth| best_moves(&position, depth));
        (position, best)
    });
    let apart = |one: &[Square], other: &[Square]| one.iter().all(|mv| !other.contains(mv));
    with_best
        .find(|(_, [one, two, three])| apart(one, two) && apart(two, three) && apart(one, three))
        .expect("there is such a position among a hundred")
}

fn answered_move(position: &DuoOthello, agent: &BuiltinAgent, own: CpuTime) -> Square {
    let reply = answer(agent, 0, input(position, own).as_bytes(), None, None).unwrap();
    position.read_output(reply.output.as_bytes(), Tolerance::Exact).unwrap().mv
}

// Inputs and files.

#[test]
fn an_input_without_an_answer_is_refused() {
    let fault = |text: &str, game| answer(&RANDOM, 0, text.as_bytes(), game, None).unwrap_err();
    assert!(matches!(fault("hello\n", None), BuiltinAnswerError::UnknownGame { .. }));
    let said = fault("hello\n", None).to_string();
    assert!(said.contains("Duo-Othello (`X` or `O`, 14 lines)"), "{said}");
    assert!(referee_games::GameRef::all().all(|game| said.contains(game.profile().title)), "{said}");
    assert_eq!(
        fault("hello\n", Some(referee_games::othello::ID)).to_string(),
        "line 1: expected `X` or `O`, found `hello`"
    );
    let blocked = input(&drawn(["............"; 12], Side::Black), CpuTime::from_secs(1));
    assert_eq!(fault(&blocked, None), BuiltinAnswerError::NoMove);
    assert_eq!(fault(&blocked, None).to_string(), "the side to move has no legal move, so no agent runs");
}

#[test]
fn a_turn_reads_and_writes_the_files_of_an_agent() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name);
    let position = DuoOthello::start(());
    let input = input(&position, CpuTime::from_secs(300));
    fs::write(file("input.txt"), &input).unwrap();
    let mut playdata: Option<String> = None;
    for _ in 0..3 {
        run_builtin(directory.path(), &MINIMAX, 5, None).unwrap();
        let expected = answer(&MINIMAX, 5, input.as_bytes(), None, playdata.as_deref()).unwrap();
        assert_eq!(fs::read_to_string(file("output.txt")).unwrap(), expected.output);
        assert_eq!(fs::read_to_string(file("playdata.txt")).unwrap(), expected.playdata);
        playdata = Some(expected.playdata);
    }
}

#[test]
fn a_fault_names_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("input.txt");
    let fault = || run_builtin(directory.path(), &RANDOM, 0, None).unwrap_err().to_string();
    assert!(fault().starts_with(&format!("cannot read `{}`: ", path.display())));
    fs::write(&path, "X\n300\n").unwrap();
    assert!(fault().starts_with(&format!("`{}`: line 2: expected your and ", path.display())));
    assert!(!directory.path().join("output.txt").exists());
    fs::write(&path, input(&DuoOthello::start(()), CpuTime::from_secs(1))).unwrap();
    fs::create_dir(directory.path().join("output.txt")).unwrap();
    let output = directory.path().join("output.txt");
    assert!(fault().starts_with(&format!("cannot write `{}`: ", output.display())));
}

// Names.

fn agent() -> impl Strategy<Value = BuiltinAgent> {
    let depth = (1..=Depth::MAX).prop_map(|plies| Depth::new(plies).unwrap());
    let nodes = (1..=NodeLimit::MAX).prop_map(|count| NodeLimit::new(count).unwrap());
    prop_oneof![
        any::<Option<u64>>().prop_map(|seed| BuiltinAgent::Random { seed }),
        (prop::option::of(depth), any::<Option<u64>>(), prop::option::of(1..=86_400_000_000_u64)).prop_map(
            |(depth, seed, pace)| BuiltinAgent::Minimax { depth, seed, pace: pace.map(CpuTime::from_micros) }
        ),
        (prop::option::of(nodes), any::<Option<u64>>())
            .prop_map(|(nodes, seed)| BuiltinAgent::AlphaBeta { nodes, seed }),
    ]
}

proptest! {
    #[test]
    fn reading_what_was_printed_is_the_identity(agent in agent()) {
        prop_assert_eq!(agent.to_string().parse(), Ok(agent));
    }
}

#[test]
fn parameters_stand_in_any_order() {
    assert_eq!(
        "minimax,pace=0.5,seed=7,depth=2".parse(),
        Ok(BuiltinAgent::Minimax { depth: Some(Depth::TWO), seed: Some(7), pace: Some(CpuTime::from_millis(500)) })
    );
}

#[test]
fn a_wrong_text_says_what_there_is() {
    let unknown = |name: &str| {
        let all = "`random`, `minimax`, `alphabeta`, `greedy`, `aggressive`, `pruning`";
        format!("`{name}` is not a built-in agent: choose one of {all}")
    };
    let depth = "expected `depth=` with a whole number of plies from 1 to 20, found";
    let pace = "expected `pace=` with seconds above 0 and up to 86400, found";
    let seed = "expected `seed=` with a whole number from 0 to 18446744073709551615, found";
    let table = [
        ("", unknown("")),
        ("Random", unknown("Random")),
        ("alpha\u{7},depth=2", unknown(r"alpha\u{7}")),
        ("random,depth=3", "`random` has no parameter `depth`: it takes `seed=N`".to_owned()),
        (
            "minimax,time=3",
            "`minimax` has no parameter `time`: it takes `depth=N`, `pace=SECONDS` and `seed=N`".to_owned(),
        ),
        ("minimax,", "`minimax` has no parameter ``: it takes `depth=N`, `pace=SECONDS` and `seed=N`".to_owned()),
        ("minimax,depth", format!("{depth} `depth`")),
        ("minimax,depth=", format!("{depth} `depth=`")),
        ("minimax,depth=0", format!("{depth} `depth=0`")),
        ("minimax,depth=21", format!("{depth} `depth=21`")),
        ("minimax,depth=+3", format!("{depth} `depth=+3`")),
        ("minimax,pace=0", format!("{pace} `pace=0`")),
        ("minimax,pace=90000", format!("{pace} `pace=90000`")),
        ("random,seed=-1", format!("{seed} `seed=-1`")),
        ("random,seed=18446744073709551616", format!("{seed} `seed=18446744073709551616`")),
        ("alphabeta,depth=3", "`alphabeta` has no parameter `depth`: it takes `nodes=N` and `seed=N`".to_owned()),
        (
            "alphabeta,nodes=0",
            "expected `nodes=` with a whole number from 1 to 1000000000000, found `nodes=0`".to_owned(),
        ),
        ("random,seed=1,seed=1", "`seed` is given twice: give it once".to_owned()),
    ];
    for (text, message) in table {
        assert_eq!(text.parse::<BuiltinAgent>().unwrap_err().to_string(), message, "{text:?}");
    }
}
