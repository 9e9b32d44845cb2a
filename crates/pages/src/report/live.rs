//! The view of a running game, from the live feed. It judges nothing; `serve` sends it to browsers.

use serde::Serialize;

use super::board::{cells, packed};
use super::ledger::{Ledger, RunSnapshot};
use referee_games::protocol::plain;
use referee_games::{GameRef, Side};
use referee_messages::board_words;
use referee_records::{LadderGame, LiveGame, Manifest, PerSide};

/// A running game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveView {
    /// Its name on the page.
    pub id: String,
    /// The shown names of the agents, not their indices, which change with the ranks.
    pub players: PerSide<String>,
    /// The number of turns taken.
    pub turns: usize,
    /// The boards before and after the last turn, packed as in [`ReplayView::boards`](super::ReplayView::boards).
    pub boards: String,
    /// What stands beside the board after it.
    pub notes: String,
    /// The side whose agent is running.
    pub at_work: Option<Side>,
    /// When this position first stood, in milliseconds since 1970.
    pub since_unix_ms: u64,
    /// The time for the next move at that time.
    pub left_us: PerSide<u64>,
    /// The same at the start.
    pub play_time_cpu_us: PerSide<u64>,
    /// The last move in the page's notation: `-` is a pass, empty is none.
    pub last_move: String,
    /// Its side.
    pub last_side: Option<Side>,
    /// The result, once its record exists.
    pub over: Option<LiveOver>,
}

/// The result of a game that is still shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveOver {
    /// As [`GameView::score`](super::GameView::score).
    pub score: &'static str,
    /// As a sentence.
    pub verdict: String,
}

impl RunSnapshot {
    /// The view of `game`; `None` if it is not in the run, or its board is invalid.
    pub fn live(&self, manifest: &Manifest, game: &LiveGame, ledger: &Ledger) -> Option<LiveView> {
        let planned = manifest.games.iter().find(|pairing| pairing.id == game.id);
        // A ladder lists its games only when they are finished.
        let pairing = planned.cloned().or_else(|| game.id.parse::<LadderGame>().ok()?.pairing(manifest))?;
        let before = Some(&game.before).filter(|rows| !rows.is_empty()).unwrap_or(&game.rows);
        if !self.is_board(manifest.game, before) || !self.is_board(manifest.game, &game.rows) {
            return None;
        }
        let allowed = manifest.conditions_of(&pairing).allowances();
        let over = ledger.line(&game.id, &self.page_names);
        let last_move = game.last.as_ref().map(|last| match &last.mv {
            Some(mv) => plain(&board_words(mv)),
            None => "-".to_owned(),
        });
        Some(LiveView {
            id: self.page_names.running_id(&game.id, manifest)?,
            players: PerSide::from_fn(|side| self.page_names.name(pairing.name(side))),
            turns: game.turns,
            boards: packed(manifest.game, [before.as_slice(), game.rows.as_slice()]),
            notes: plain(&game.notes),
            at_work: game.at_work.filter(|_| over.is_none()),
            since_unix_ms: game.since_unix_ms,
            left_us: PerSide::from_fn(|side| game.clocks.of(side).micros()),
            play_time_cpu_us: PerSide::from_fn(|side| allowed.of(side).micros()),
            last_move: last_move.unwrap_or_default(),
            last_side: game.last.as_ref().map(|last| last.side),
            over: over.map(|line| LiveOver { score: line.score, verdict: line.verdict }),
        })
    }

    /// Whether `rows` can be drawn: the right number of squares, with only the game's pieces.
    fn is_board(&self, game: GameRef, rows: &[String]) -> bool {
        let board = &self.view.board;
        let cells = cells(game, rows);
        let is_cell = |cell: &String| match cell.split_at_checked(1) {
            Some((".", "")) => true,
            Some((piece, height)) => {
                let is_piece = piece.chars().all(|piece| board.pieces.contains_key(&piece));
                is_piece && height.len() <= 3 && height.bytes().all(|digit| digit.is_ascii_digit())
            }
            None => false,
        };
        cells.len() == board.squares.len() && cells.iter().all(is_cell)
    }
}
