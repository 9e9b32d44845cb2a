//! Positions with all their legal placements, as the course's own host judges them.

use referee_games::little_go::{LittleGo, Point};
use referee_games::{Position, Side};
use serde::Deserialize;

use crate::corpora::corpus;
use crate::little_go::twin::{Twin, placements, point};

#[derive(Deserialize)]
struct Entry {
    side: u8,
    previous: Vec<String>,
    board: Vec<String>,
    placements: Vec<String>,
}

#[test]
fn the_rules_list_the_placements_of_the_corpus() {
    let Some(text) = corpus("little-go-sample.jsonl") else {
        return;
    };
    let entries: Vec<Entry> = text.lines().map(|line| serde_json::from_str(line).expect("an entry")).collect();
    assert_eq!(entries.len(), 300);
    for entry in entries {
        let rows: Vec<&[u8]> = entry.previous.iter().chain(&entry.board).map(String::as_bytes).collect();
        let side = if entry.side == 1 { Side::Black } else { Side::White };
        let position = LittleGo::from_rows(&rows, side, ()).expect("two boards");
        let listed: Vec<String> = placements(&position).iter().map(Point::to_string).collect();
        assert_eq!(listed, entry.placements, "{:?}", entry.board);
        let twin = Twin::of(&entry.previous, &entry.board, side);
        let twins: Vec<Point> = twin.placements().into_iter().map(point).collect();
        assert_eq!(placements(&position), twins);
    }
}
