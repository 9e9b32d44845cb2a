//! Values of moves.

use super::{kalah, random_positions, tic_tac_toe, values};
use referee_games::builtin::WIN_VALUE;
use referee_games::{Ending, Side, State, Status};

/// The value of a position to `side` by plain minimax, after so many moves.
fn minimax(position: &State, side: Side, plies: u32, moves: i32, evaluate: fn(&State, Side) -> i32) -> i32 {
    match position.status() {
        Status::Over(Ending::Drawn(_)) => return 0,
        Status::Over(Ending::Won { winner, .. }) => {
            let win = WIN_VALUE + 1000 - moves;
            return if winner == side { win } else { -win };
        }
        Status::ToMove | Status::MustPass if plies == 0 => return evaluate(position, side),
        Status::MustPass => return minimax(&position.pass(), side, plies - 1, moves, evaluate),
        Status::ToMove => {}
    }
    let next = position.successors();
    let worths = next.iter().map(|next| minimax(next, side, plies - 1, moves + 1, evaluate));
    if position.side_to_move() == side { worths.max().unwrap() } else { worths.min().unwrap() }
}

/// What `kalah.py` makes of a position, read from its notes: `SOUTH: 3 in the store; NORTH: 1 in the store`.
fn difference_of_stores(position: &State, side: Side) -> i32 {
    let notes = position.notes();
    let mut stores = notes.split("; ").map(|note| note.split(' ').nth(1).unwrap().parse::<i32>().unwrap());
    let (south, north) = (stores.next().unwrap(), stores.next().unwrap());
    if side == Side::Black { south - north } else { north - south }
}

fn assert_are_of_minimax(position: &State, nodes: u64, evaluate: fn(&State, Side) -> i32) -> u32 {
    let found = values(position, nodes);
    let side = position.side_to_move();
    let next = position.successors();
    let expected: Vec<i32> = next.iter().map(|next| minimax(next, side, found.depth - 1, 1, evaluate)).collect();
    assert_eq!(found.values, expected, "{} plies of {position:?}", found.depth);
    found.depth
}

#[test]
fn values_are_those_of_plain_minimax_of_the_same_depth() {
    let kalah = kalah();
    let mut depths = Vec::new();
    for seed in 0..6 {
        for position in random_positions(kalah.game, seed).iter().step_by(4) {
            depths.push(assert_are_of_minimax(position, 60, difference_of_stores));
        }
    }
    assert!(depths.len() > 20 && depths.iter().all(|&depth| depth >= 2), "{depths:?}");
}

/// Of the last moves of a game, no search is deeper than the game.
#[test]
fn values_of_the_last_moves_are_those_of_the_whole_game() {
    let game = tic_tac_toe();
    let mut met = 0;
    for position in (0..12).flat_map(|seed| random_positions(game.game, seed)) {
        let left = u32::try_from(position.moves().len()).unwrap();
        if left <= 5 {
            assert!(assert_are_of_minimax(&position, 1000, |_, _| 0) <= left);
            met += 1;
        }
    }
    assert!(met > 20, "{met}");
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn without_an_evaluation_playouts_tell_moves_apart() {
    let game = tic_tac_toe();
    let found = values(&game.game.start(), 3000);
    assert!(found.values.iter().all(|value| value.abs() < 1000), "{found:?}");
    let best = found.values.iter().enumerate().max_by_key(|(_, value)| **value).unwrap().0;
    assert_eq!(game.game.start().moves()[best], "b2", "{found:?}");
}

#[test]
#[ignore = "long: plays by rules in another process"]
fn the_same_position_has_the_same_values_in_another_process() {
    for rules in [kalah, tic_tac_toe] {
        let (one, other) = (rules(), rules());
        let positions = random_positions(one.game, 3);
        let twins = random_positions(other.game, 3);
        for nodes in [20, 150] {
            for (position, twin) in positions.iter().zip(&twins).step_by(5) {
                let found = values(position, nodes);
                assert_eq!(found, values(twin, nodes), "{position:?}");
                assert_eq!(found, values(position, nodes), "{position:?}");
            }
        }
    }
}

/// With one node for each move, and with one fewer.
#[test]
fn too_few_nodes_say_nothing_and_say_so() {
    for rules in [kalah(), tic_tac_toe()] {
        let start = rules.game.start();
        let moves = start.moves().len();
        for nodes in 0..moves {
            let found = values(&start, nodes as u64);
            assert_eq!((found.values, found.depth), (vec![0; moves], 0), "{nodes}");
        }
        assert_eq!(values(&start, moves as u64 + 1).depth, 1);
    }
}
