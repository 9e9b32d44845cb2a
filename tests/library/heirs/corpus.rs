//! Positions from random play with all their legal moves, as another program lists them.

use referee_games::heirs::Heirs;
use referee_games::{Position, Side};
use serde::Deserialize;

use crate::corpora::corpus;
use crate::heirs::twin::written;

#[derive(Deserialize)]
struct Entry {
    side: String,
    board: Vec<String>,
    moves: Vec<String>,
}

#[test]
fn the_rules_list_the_moves_of_the_corpus() {
    let Some(text) = corpus("heirs-2026-sample.jsonl") else {
        return;
    };
    let entries: Vec<Entry> = text.lines().map(|line| serde_json::from_str(line).expect("an entry")).collect();
    assert_eq!(entries.len(), 143);
    for entry in entries {
        let rows: Vec<&[u8]> = entry.board.iter().map(String::as_bytes).collect();
        let side = if entry.side == "WHITE" { Side::White } else { Side::Black };
        let position = Heirs::from_rows(&rows, side, ()).expect("a board");
        let mut moves = entry.moves;
        moves.sort_unstable();
        assert_eq!(written(&position), moves, "{}", position.board());
    }
}
