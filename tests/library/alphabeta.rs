//! The laws of the alpha-beta agent: it answers at any time left, answers the same for the same nodes, finds existing
//! wins, and plays better than minimax.

use proptest::prelude::*;
use referee_games::builtin::{
    BuiltinAgent, Depth, Evaluate, RecentPositions, SearchLimit, Searched, TurnRng, WIN_VALUE, alphabeta, answer,
    choose_random, minimax,
};
use referee_games::halma::{Halma, Rules};
use referee_games::protocol::{InputPurpose, TimeLeft, Tolerance};
use referee_games::{Builtin, DrawRules, Ending, History, Position, ProvedResult, Side, State, Status};
use referee_games::{
    checkers::Checkers, heirs::Heirs, little_go::LittleGo, othello::DuoOthello, star_circle::StarCircle,
};
use referee_time::CpuTime;

const CLOCKED: BuiltinAgent = BuiltinAgent::AlphaBeta { nodes: None, seed: None };

fn counted(nodes: u64) -> BuiltinAgent {
    format!("alphabeta,nodes={nodes}").parse().unwrap()
}

/// The position after some plies of random play, if its side to move can move.
fn reached<P: Position>(rules: P::Rules, seed: u64, plies: u64) -> Option<P> {
    let mut position = P::start(rules);
    for ply in 0..plies {
        match position.status() {
            Status::ToMove => position.play_unchecked(choose_random(&position, &mut TurnRng::new(seed, ply))?),
            Status::MustPass => position.pass(),
            Status::Over(_) => return None,
        }
    }
    Some(position).filter(|position| position.status() == Status::ToMove)
}

fn expect_legal<P: Builtin>(rules: P::Rules, seed: u64, plies: u64, agent: BuiltinAgent, micros: u64) {
    let Some(position) = reached::<P>(rules, seed, plies) else {
        return;
    };
    let own = CpuTime::from_micros(micros);
    let input = position.write_input(InputPurpose::Game, TimeLeft { own, opponent: own });
    let reply = answer(&agent, seed, input.as_bytes(), Some(P::id(rules)), None).unwrap();
    assert!(position.read_output(reply.output.as_bytes(), Tolerance::Exact).is_ok(), "{}", reply.output);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    /// An input cannot say that no time is left; the least that it can say is a microsecond.
    #[test]
    fn there_is_a_legal_answer_at_any_time_left(seed in any::<u64>(), plies in 0..130_u64, micros in 1..300_000_u64) {
        expect_legal::<Checkers>((), seed, plies, CLOCKED, micros);
        expect_legal::<DuoOthello>((), seed, plies, CLOCKED, micros);
        expect_legal::<Halma>(Rules::Addendum, seed, plies, CLOCKED, micros);
        expect_legal::<Halma>(Rules::Original, seed, plies, CLOCKED, micros);
        expect_legal::<Heirs>((), seed, plies, CLOCKED, micros);
    }

    #[test]
    fn a_single_node_is_enough_for_a_legal_answer(seed in any::<u64>(), plies in 0..130_u64, nodes in 1..50_u64) {
        expect_legal::<Checkers>((), seed, plies, counted(nodes), 1);
        expect_legal::<DuoOthello>((), seed, plies, counted(nodes), 1);
        expect_legal::<Halma>(Rules::Addendum, seed, plies, counted(nodes), 1);
        expect_legal::<StarCircle>((), seed, plies / 3, counted(nodes), 1);
        expect_legal::<Heirs>((), seed, plies, counted(nodes), 1);
        expect_legal::<LittleGo>((), seed, plies / 6, counted(nodes), 1);
    }

    #[test]
    fn the_same_nodes_seed_and_input_give_the_same_answer(
        seed in any::<u64>(),
        plies in 0..60_u64,
        nodes in 1..3000_u64,
    ) {
        expect_same_answers::<Checkers>((), seed, plies, nodes);
        expect_same_answers::<DuoOthello>((), seed, plies, nodes);
        expect_same_answers::<Halma>(Rules::Addendum, seed, plies, nodes);
        expect_same_answers::<Heirs>((), seed, plies, nodes);
        expect_same_answers::<LittleGo>((), seed, plies / 3, nodes);
    }
}

fn expect_same_answers<P: Builtin>(rules: P::Rules, seed: u64, plies: u64, nodes: u64) {
    let Some(position) = reached::<P>(rules, seed, plies) else {
        return;
    };
    let time = |seconds| TimeLeft { own: CpuTime::from_secs(seconds), opponent: CpuTime::from_secs(seconds) };
    let answered = |seconds| {
        let input = position.write_input(InputPurpose::Game, time(seconds));
        answer(&counted(nodes), seed, input.as_bytes(), Some(P::id(rules)), None).unwrap()
    };
    assert_eq!(answered(300), answered(1), "the time left does not matter either");
}

#[test]
fn no_time_at_all_is_time_for_a_move() {
    let start = Checkers::start(());
    let none = SearchLimit::of_time_left(CpuTime::ZERO, InputPurpose::Game);
    let chosen = alphabeta(&start, none, &RecentPositions::default(), &mut TurnRng::new(1, 0));
    assert!(chosen.is_some_and(|(mv, _)| start.is_legal(mv)));
}

#[test]
fn the_share_of_a_move_never_uses_up_the_clock() {
    let mut left = CpuTime::from_secs(5);
    for _ in 0..2_000 {
        let SearchLimit::Time { enough, most, .. } = SearchLimit::of_time_left(left, InputPurpose::Game) else {
            panic!("a clock gives time")
        };
        assert!(enough <= most && most < left);
        left = left.saturating_sub(most);
    }
}

// Wins that are there.

/// Whether `side` wins by force within so many plies.
fn wins_within<P: Position>(position: &P, side: Side, plies: u32) -> bool {
    let after = |mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        wins_within(&next, side, plies - 1)
    };
    match position.status() {
        Status::Over(ending) => matches!(ending, Ending::Won { winner, .. } if winner == side),
        _ if plies == 0 => false,
        Status::MustPass => {
            let mut next = position.clone();
            next.pass();
            wins_within(&next, side, plies - 1)
        }
        Status::ToMove if position.side_to_move() == side => position.moves().into_iter().any(after),
        Status::ToMove => position.moves().into_iter().all(after),
    }
}

/// Plays random games and looks at their last positions; returns how many wins within `plies` there were.
fn expect_wins_to_be_found<P: Searched>(rules: P::Rules, seeds: u64, plies: u32) -> u32 {
    let mut found = 0;
    for seed in 0..seeds {
        let game: Vec<P> = (0..300).map_while(|plies| reached::<P>(rules, seed, plies)).collect();
        for position in game.iter().rev().take(6) {
            let side = position.side_to_move();
            if !wins_within(position, side, plies) {
                continue;
            }
            let allowance = SearchLimit::Nodes(20_000);
            let (mv, _) =
                alphabeta(position, allowance, &RecentPositions::default(), &mut TurnRng::new(seed, 0)).unwrap();
            let next = position.after(mv);
            assert!(wins_within(&next, side, plies - 1), "{mv:?} in\n{}", position.rows().join("\n"));
            found += 1;
        }
    }
    found
}

#[test]
fn wins_in_one_and_in_three_plies_are_found() {
    for plies in [1, 3] {
        assert!(expect_wins_to_be_found::<Checkers>((), 12, plies) > 5);
        // Most games of Star and Circle are played out, so the last move seldom wins one that was not won before.
        assert!(expect_wins_to_be_found::<StarCircle>((), 40, plies) > 0);
    }
    assert!(expect_wins_to_be_found::<DuoOthello>((), 6, 1) > 2);
    assert!(expect_wins_to_be_found::<Heirs>((), 4, 1) > 2);
    assert!(expect_wins_to_be_found::<LittleGo>((), 6, 1) > 2);
}

// Proofs.

/// The values of all moves after so many idle turns, and what is proved of each.
fn values_and_proofs<P: Builtin>(position: &P, draws: DrawRules, idle: u32) -> Vec<(i32, Option<ProvedResult>)> {
    const NODES: u64 = 30_000;
    let state = State::from(position.clone());
    let mut history = History::new(draws, state.clone());
    for _ in 0..idle {
        history.add_pass();
    }
    let (game, reached) = (state.game(), history.reached(&state));
    let values = game.value_moves(&reached, NODES).values;
    assert_eq!(values.len(), position.moves().len());
    let proof = |(index, &value)| (value, game.proved_result(&reached, index, value, NODES));
    values.iter().enumerate().map(proof).collect()
}

/// The positions of a random game in which a side can move.
fn random_game<P: Position>(seed: u64) -> impl Iterator<Item = P> {
    let mut plies = 0..400;
    let positions = std::iter::successors(Some(P::start(P::Rules::default())), move |position| {
        let mut next = position.clone();
        let mut chance = TurnRng::new(seed, plies.next()?);
        match position.status() {
            Status::ToMove => next.play_unchecked(choose_random(position, &mut chance)?),
            Status::MustPass => next.pass(),
            Status::Over(_) => return None,
        }
        Some(next)
    });
    positions.filter(|position| position.status() == Status::ToMove)
}

/// Asserts that each win or loss that is proved in few plies is one, in the first position of a random game that
/// `is_wanted`; how many there were.
fn expect_forced<P: Builtin>(seed: u64, most_plies: i32, is_wanted: impl Fn(&P) -> bool) -> usize {
    let Some(position) = random_game(seed).find(is_wanted) else { return 0 };
    let side = position.side_to_move();
    let mut count = 0;
    for (&mv, (value, proved)) in position.moves().iter().zip(values_and_proofs(&position, DrawRules::NONE, 0)) {
        let winner = match proved {
            Some(ProvedResult::Win) => side,
            Some(ProvedResult::Loss) => side.other(),
            Some(ProvedResult::Draw) | None => continue,
        };
        // A win at once is worth twice the least value of a win; each ply before it takes one away.
        let plies = 2 * WIN_VALUE - value.abs();
        if plies <= most_plies {
            count += 1;
            let is_forced = (0..=plies + 2).any(|plies| wins_within(&position.after(mv), winner, plies.unsigned_abs()));
            assert!(is_forced, "{}{mv}: {value} {proved:?}", position.board());
        }
    }
    count
}

#[test]
fn what_is_proved_in_the_middle_of_a_game_is_so() {
    let has_few = |board: &State, most| Side::BOTH.iter().any(|&side| board.pieces(side) <= most);
    let few = |board: &Checkers| has_few(&State::from(board.clone()), 2);
    let late = |board: &Heirs| has_few(&State::from(board.clone()), 10);
    let checkers: usize = (0..150).map(|seed| expect_forced(seed, 5, few)).sum();
    let heirs: usize = (0..100).map(|seed| expect_forced(seed, 2, late)).sum();
    assert!(checkers > 50 && heirs > 3, "{checkers} {heirs}");
}

/// A win in three plies that the history may turn into a draw.
#[test]
fn a_win_is_proved_only_if_no_draw_comes_before_it() {
    let empty = ".".repeat(8);
    // White's king goes next to the last black man, which must run into it.
    let rows = [&*empty, &empty, &empty, "b.......", &empty, &empty, "...W....", &empty].map(str::as_bytes);
    let position = Checkers::from_rows(&rows, Side::White, ()).unwrap();
    let winning = |draws, idle| {
        let found = values_and_proofs(&position, draws, idle);
        found.iter().any(|&(value, proved)| value >= WIN_VALUE && proved == Some(ProvedResult::Win))
    };
    let idle_turns = DrawRules { idle_turns: Some(50), ..DrawRules::NONE };
    assert!(winning(DrawRules::NONE, 0));
    assert!(winning(idle_turns, 20));
    assert!(!winning(idle_turns, 48), "the game is drawn before");
    assert!(!winning(DrawRules { turn_limit: Some(50), ..DrawRules::NONE }, 48));
    assert!(!winning(DrawRules { repetitions: Some(2), ..DrawRules::NONE }, 0), "any return would be a draw");
}

// Matches.

/// Points of alpha-beta with so many nodes in two games against minimax, one with each colour, after a random opening.
fn points<P: Searched + Evaluate>(rules: P::Rules, seed: u64, nodes: u64) -> u32 {
    let mut points = 0;
    for strong in Side::BOTH {
        let Some(mut position) = reached::<P>(rules, seed, 4) else {
            continue;
        };
        let mut past = RecentPositions::default();
        for turn in 0..300 {
            let mut chance = TurnRng::new(seed, turn);
            match (position.status(), position.side_to_move() == strong) {
                (Status::Over(ending), _) => {
                    points += u32::from(matches!(ending, Ending::Won { winner, .. } if winner == strong));
                    break;
                }
                (Status::MustPass, _) => position.pass(),
                (Status::ToMove, true) => {
                    let (mv, now) = alphabeta(&position, SearchLimit::Nodes(nodes), &past, &mut chance).unwrap();
                    past = now;
                    position.play_unchecked(mv);
                }
                (Status::ToMove, false) => {
                    position.play_unchecked(minimax(&position, Depth::TWO, &mut chance).unwrap());
                }
            }
        }
    }
    points
}

/// With so many nodes and seeds the games are the same each time: these are no samples that could turn out otherwise.
#[test]
#[ignore = "long: plays many games"]
fn alpha_beta_beats_minimax() {
    let won = [
        (0..3).map(|seed| points::<Checkers>((), seed, 6_000)).sum::<u32>(),
        (1..4).map(|seed| points::<DuoOthello>((), seed, 3_000)).sum(),
        (0..1).map(|seed| points::<Halma>(Rules::Addendum, seed, 2_500)).sum(),
        (0..3).map(|seed| points::<StarCircle>((), seed, 3_000)).sum(),
        (0..1).map(|seed| points::<Heirs>((), seed, 2_500)).sum(),
        (0..3).map(|seed| points::<LittleGo>((), seed, 3_000)).sum(),
    ];
    let least = [5, 5, 1, 4, 2, 5];
    assert!(won.iter().zip(least).all(|(&won, least)| won >= least), "{won:?}");
}

/// Without its memory the side that is ahead would move a king to and fro.
#[test]
fn a_won_ending_is_not_drawn_by_repetition() {
    let rows: [&[u8]; 8] =
        [b"........", b"........", b"...B....", b"........", b".....B..", b"B.......", b".......W", b"........"];
    let mut position = Checkers::from_rows(&rows, Side::Black, ()).unwrap();
    let (mut past, mut idle, mut seen) = (RecentPositions::default(), 0, vec![position.clone()]);
    for turn in 0..200 {
        let mut chance = TurnRng::new(1, turn);
        let mv = match (position.status(), position.side_to_move()) {
            (Status::Over(ending), _) => {
                assert!(matches!(ending, Ending::Won { winner: Side::Black, .. }));
                return;
            }
            (_, Side::Black) => {
                let (mv, now) = alphabeta(&position, SearchLimit::Nodes(30_000), &past, &mut chance).unwrap();
                past = now;
                mv
            }
            (_, Side::White) => minimax(&position, Depth::THREE, &mut chance).unwrap(),
        };
        idle = if position.makes_progress(mv) { 0 } else { idle + 1 };
        position.play_unchecked(mv);
        seen.push(position.clone());
        let times = seen.iter().filter(|earlier| earlier.same_placement(&position)).count();
        assert!(idle < 50 && times < 3, "level after {turn} turns:\n{}", position.rows().join("\n"));
    }
    panic!("the game does not end");
}
