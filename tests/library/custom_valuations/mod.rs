//! The values and certain results of moves of games whose rules are a separate program: held against plain minimax, an
//! exhaustive solver and games played to their end.

mod draws;
mod faults;
mod proofs;
mod values;

use std::fs;
use std::path::{Path, PathBuf};

use referee_games::builtin::TurnRng;
use referee_games::{GameRef, History, KnownGames, MoveValues, State, Status};
use referee_matches::rules_program;
use tempfile::TempDir;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Rules, and the games of a command that uses them.
pub(crate) struct LoadedExample {
    games: KnownGames,
    pub(crate) game: GameRef,
    _folder: TempDir,
}

/// The game of these rules.
pub(crate) fn load(rules: &str) -> LoadedExample {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("rules.py");
    fs::write(&file, rules).unwrap();
    fs::copy(Path::new(ROOT).join("examples/rules/referee_rules.py"), folder.path().join("referee_rules.py")).unwrap();
    let games = rules_program::known_games(Some(Path::new(env!("CARGO_BIN_EXE_referee"))));
    let game = games.at(&file).unwrap();
    LoadedExample { games, game, _folder: folder }
}

pub(crate) fn source(path: &str) -> String {
    fs::read_to_string(PathBuf::from(ROOT).join(path)).unwrap()
}

pub(crate) fn kalah() -> LoadedExample {
    load(&source("examples/rules/kalah.py"))
}

/// Tic-tac-toe, which has no `evaluate`.
pub(crate) fn tic_tac_toe() -> LoadedExample {
    load(&tic_tac_toe_rules())
}

fn tic_tac_toe_rules() -> String {
    source("crates/matches/src/rules_program/new_game/tic_tac_toe.py")
}

/// The values of a position that a game begins with.
fn values(position: &State, nodes: u64) -> MoveValues {
    let game = position.game();
    let history = History::new(game.profile().draws, position.clone());
    game.value_moves(&history.reached(position), nodes)
}

/// The positions of a random game in which somebody is to move.
pub(crate) fn random_positions(game: GameRef, seed: u64) -> Vec<State> {
    let (mut met, mut position) = (Vec::new(), game.start());
    for ply in 0..200 {
        position = match position.status() {
            Status::Over(_) => break,
            Status::MustPass => position.pass(),
            Status::ToMove => {
                met.push(position.clone());
                let next = position.successors();
                let places: Vec<usize> = (0..next.len()).collect();
                next[TurnRng::new(seed, ply).choose(&places).unwrap()].clone()
            }
        };
    }
    met
}
