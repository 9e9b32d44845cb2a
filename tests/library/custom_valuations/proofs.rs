//! Certain results of moves, held against a solver that plays all games to their end.

use std::collections::HashMap;

use super::{kalah, random_positions, tic_tac_toe, values};
use referee_games::builtin::WIN_VALUE;
use referee_games::{Ending, History, ProvedResult, Side, State, Status};

/// The results of all positions met, by their position lines, for Black.
type Solved = HashMap<String, ProvedResult>;

fn of_side(result: ProvedResult, side: Side) -> ProvedResult {
    match (result, side) {
        (ProvedResult::Win, Side::White) => ProvedResult::Loss,
        (ProvedResult::Loss, Side::White) => ProvedResult::Win,
        (ProvedResult::Draw, _) | (_, Side::Black) => result,
    }
}

fn solve(position: &State, solved: &mut Solved) -> ProvedResult {
    let line = position.position_line().unwrap();
    if let Some(&known) = solved.get(&line) {
        return known;
    }
    let side = position.side_to_move();
    let result = match position.status() {
        Status::Over(Ending::Drawn(_)) => ProvedResult::Draw,
        Status::Over(Ending::Won { winner, .. }) => of_side(ProvedResult::Win, winner),
        Status::MustPass => solve(&position.pass(), solved),
        Status::ToMove => {
            let next = position.successors();
            let best = next.iter().map(|next| of_side(solve(next, solved), side)).max();
            of_side(best.unwrap(), side)
        }
    };
    solved.insert(line, result);
    result
}

/// Proves every move of `position`; the number of moves with a certain result, and of all.
fn assert_proofs_are_right(position: &State, nodes: u64, solved: &mut Solved) -> (usize, usize) {
    let found = values(position, nodes);
    let history = History::new(position.game().profile().draws, position.clone());
    let (next, side) = (position.successors(), position.side_to_move());
    let mut proved = 0;
    for (index, next) in next.iter().enumerate() {
        let result = of_side(solve(next, solved), side);
        // A hint may be wrong, a proof may not.
        for value in [found.values[index], WIN_VALUE, -WIN_VALUE] {
            let told = position.game().proved_result(&history.reached(position), index, value, nodes);
            assert!(told.is_none_or(|told| told == result), "{told:?}, not {result:?}, of {index} in {position:?}");
            proved += usize::from(told.is_some() && value == found.values[index]);
        }
    }
    (proved, next.len())
}

fn sum(counts: &[(usize, usize)]) -> (usize, usize) {
    counts.iter().fold((0, 0), |(proved, all), count| (proved + count.0, all + count.1))
}

/// In games at random: the results of late positions, all of which a search can prove, and of early ones, with too few
/// nodes for most.
#[test]
#[ignore = "long: proves hundreds of positions"]
fn proofs_agree_with_a_solver_in_games_of_tic_tac_toe() {
    let game = tic_tac_toe();
    let mut solved = Solved::new();
    let positions: Vec<State> = (0..20).flat_map(|seed| random_positions(game.game, seed)).collect();
    let (late, early): (Vec<State>, Vec<State>) = positions.into_iter().partition(|at| at.moves().len() <= 6);
    let counts: Vec<_> = late.iter().map(|at| assert_proofs_are_right(at, 1000, &mut solved)).collect();
    let (proved, all) = sum(&counts);
    assert!(all > 185 && proved == all, "{proved} of {all} results are certain");
    for (position, nodes) in early.iter().zip([10, 100, 400].into_iter().cycle()) {
        assert_proofs_are_right(position, nodes, &mut solved);
    }
}

/// The seeds that can still be sown, by the notes `SOUTH: 21 in the store; NORTH: 20 in the store`.
fn seeds_in_houses(position: &State) -> u32 {
    let notes = position.notes();
    48 - notes.split("; ").map(|note| note.split(' ').nth(1).unwrap().parse::<u32>().unwrap()).sum::<u32>()
}

/// Kalah has passes, and ends within one side's moves.
#[test]
#[ignore = "long: plays by rules in another process"]
fn proofs_agree_with_a_solver_at_the_end_of_kalah() {
    let game = kalah();
    let positions = (0..30).flat_map(|seed| random_positions(game.game, seed));
    let few_seeds = positions.filter(|at| seeds_in_houses(at) <= 5);
    let counts: Vec<_> = few_seeds.map(|at| assert_proofs_are_right(&at, 500, &mut Solved::new())).collect();
    let (proved, all) = sum(&counts);
    assert!(all > 60 && proved * 10 >= all * 9, "{proved} of {all} results are certain");
}

#[test]
fn too_few_nodes_prove_nothing_but_an_end() {
    let game = tic_tac_toe();
    for position in (0..6).flat_map(|seed| random_positions(game.game, seed)) {
        let history = History::new(game.game.profile().draws, position.clone());
        for (index, next) in position.successors().iter().enumerate() {
            for (value, nodes) in [(0, 0), (WIN_VALUE, 0), (-WIN_VALUE, 1)] {
                let told = game.game.proved_result(&history.reached(&position), index, value, nodes);
                assert!(told.is_none() || matches!(next.status(), Status::Over(_)) || next.moves().len() <= 1);
            }
        }
    }
}
