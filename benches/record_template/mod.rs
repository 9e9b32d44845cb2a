//! A record of the usual size, as this program writes it and reads it like a real one. Its moves are made up.

use referee_games::{GameId, GameRef, Side};
use referee_records::{Conditions, GameRecord, Host};
use serde_json::json;

/// A game of checkers with so many turns, in which the names of the players and of the game are open.
pub(crate) fn record_template(conditions: &Conditions, turns: usize) -> GameRecord<GameId> {
    let player = json!({
        "name": "", "digest": "0".repeat(64), "meter": "perf", "uncertainty_cpu_us": 50, "isolation": "sealed",
    });
    let turn = |index: usize| {
        let side = if index.is_multiple_of(2) { "black" } else { "white" };
        json!({
            "turn": "run", "side": side, "left_cpu_us": 300_000_000 - index, "charged_cpu_us": 1000 + index,
            "move": "E d6 c5", "ended": {"how": "exited", "status": 0},
            "usage": {"cpu_user_us": 1000 + index, "cpu_system_us": 0, "wall_us": 2856, "peak_rss_bytes": 5_054_464},
            "output": {"kind": "content", "bytes": "E d6 c5\n"},
        })
    };
    let game: GameRef = referee_games::checkers::ID;
    let record = json!({
        "schema": 1, "id": "", "game": "checkers", "players": {"black": player, "white": player},
        "conditions": conditions, "began_unix_s": 1_700_000_000,
        "start": game.start().with_side_to_move(Side::Black).setup(),
        "first": "black", "turns": (0..turns).map(turn).collect::<Vec<_>>(),
        "verdict": {"result": "won", "winner": "black", "by": {"kind": "no-pieces"}},
        "host": Host::this(),
    });
    serde_json::from_value(record).expect("it is one")
}
