//! What a rules program in Python adds to a move of a game, beside the built-in rules of the same game.
//!
//! `cargo bench --bench rules_program`. Whole random games of Heirs are played by both rules: for each move the input
//! is written, the moves are listed and the answer is judged. Before a time is printed, both have reached the same
//! boards.

use std::path::Path;
use std::time::{Duration, Instant};

use referee_games::builtin::TurnRng;
use referee_games::protocol::{InputPurpose, TimeLeft, Tolerance};
use referee_games::{GameRef, State, Status};
use referee_matches::rules_program;
use referee_time::CpuTime;

const GAMES: u64 = 10;
const LONGEST: u64 = 200;

fn main() {
    let games = rules_program::known_games(Some(Path::new(env!("CARGO_BIN_EXE_referee"))));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/rules/heirs.py");
    let program = games.at(&path).expect("the rules program starts");
    let builtin: GameRef = "heirs".parse().expect("a built-in game");
    let (ours, theirs) = (run(builtin, refereed), run(program, refereed));
    assert_eq!(ours.boards, theirs.boards, "both rules reach the same boards");
    println!("{} moves of {GAMES} games of Heirs, as the referee plays them:", ours.moves);
    println!("  built-in rules   {:8.3} ms a move", ours.per_move());
    println!("  rules in Python  {:8.3} ms a move, {:.3} more", theirs.per_move(), theirs.per_move() - ours.per_move());
    let played = run(program, played_out);
    println!("random playouts in Python: {:.0} positions a second", 1000.0 / played.per_move());
}

struct Played {
    moves: u32,
    took: Duration,
    boards: Vec<String>,
}

impl Played {
    fn per_move(&self) -> f64 {
        self.took.as_secs_f64() * 1000.0 / f64::from(self.moves.max(1))
    }
}

/// Plays random games, each turn by `turn`, which is given a number to choose the move by.
fn run(game: GameRef, turn: fn(&State, &mut TurnRng) -> State) -> Played {
    let mut played = Played { moves: 0, took: Duration::ZERO, boards: Vec::new() };
    let began = Instant::now();
    for seed in 0..GAMES {
        let mut position = game.start();
        for ply in 0..LONGEST {
            if position.status() != Status::ToMove {
                break;
            }
            position = turn(&position, &mut TurnRng::new(seed, ply));
            played.moves += 1;
        }
        played.boards.push(position.board());
    }
    played.took = began.elapsed();
    played
}

/// A turn as the referee takes it, but for the agent: the input, the judgement, the board.
fn refereed(position: &State, chance: &mut TurnRng) -> State {
    let time = TimeLeft { own: CpuTime::from_secs(100), opponent: CpuTime::from_secs(99) };
    assert!(!position.write_input(InputPurpose::Game, time).is_empty());
    let next = played_out(position, chance);
    assert!(!next.board().is_empty());
    next
}

/// A turn of a random playout. The moves are sorted, because the order of a list is the rules' own.
fn played_out(position: &State, chance: &mut TurnRng) -> State {
    let mut moves = position.moves();
    moves.sort_unstable();
    let places: Vec<usize> = (0..moves.len()).collect();
    let place = chance.choose(&places).expect("somebody is to move");
    let judged = position.judge(moves[place].as_bytes(), Tolerance::Exact);
    judged.expect("a listed move is legal").next
}
