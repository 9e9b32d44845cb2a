//! A game in hand, as a page shows it.

use serde::Serialize;

use super::board::{cells, packed};
use super::ledger::{Ledger, Stand};
use crate::games::{GameId, Side};
use crate::messages::board_words;
use crate::protocol::plain;
use crate::records::{LiveGame, Manifest, PerSide};

/// A game in hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveView {
    /// Its name on the page.
    pub id: String,
    /// What the agents are called on the page. Not by their indices, which change with the ranks.
    pub players: PerSide<String>,
    /// How many turns have been taken.
    pub turns: usize,
    /// The board before the last turn and the board now, packed as [`ReplayView::boards`](super::ReplayView::boards).
    pub boards: String,
    /// Whose agent is at work.
    pub at_work: Option<Side>,
    /// Milliseconds since 1970 at which it stood so first.
    pub since_unix_ms: u64,
    /// What each side had left then.
    pub left_us: PerSide<u64>,
    /// What each clock began with.
    pub play_time_us: PerSide<u64>,
    /// The last move, as the page writes moves: `-` is a pass, and nothing is none.
    pub last_move: String,
    /// Whose it was.
    pub last_side: Option<Side>,
    /// How it ended, once its record is there.
    pub over: Option<LiveOver>,
}

/// How a game ended that is still looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LiveOver {
    /// As [`GameView::score`](super::GameView::score).
    pub score: &'static str,
    /// In a sentence.
    pub verdict: String,
}

impl Stand {
    /// `game` as it is shown; `None` where it is no game of the run, or what is told of it is no board.
    pub fn live(&self, manifest: &Manifest, game: &LiveGame, ledger: &Ledger) -> Option<LiveView> {
        let pairing = manifest.games.iter().find(|pairing| pairing.id == game.id)?;
        let before = Some(&game.before).filter(|rows| !rows.is_empty()).unwrap_or(&game.rows);
        if !self.is_board(manifest.game, before) || !self.is_board(manifest.game, &game.rows) {
            return None;
        }
        let play_time = manifest.conditions_of(pairing).play_time;
        let over = ledger.line(&game.id, &self.page_names);
        let last_move = game.last.as_ref().map(|last| match &last.mv {
            Some(mv) => plain(&board_words(mv)),
            None => "-".to_owned(),
        });
        Some(LiveView {
            id: self.page_names.id(&game.id)?.to_owned(),
            players: PerSide::from_fn(|side| self.page_names.name(pairing.name(side))),
            turns: game.turns,
            boards: packed(manifest.game, [before.as_slice(), game.rows.as_slice()]),
            at_work: game.at_work.filter(|_| over.is_none()),
            since_unix_ms: game.since_unix_ms,
            left_us: PerSide::from_fn(|side| game.clocks.of(side).micros()),
            play_time_us: PerSide::from_fn(|side| play_time.of(side).micros()),
            last_move: last_move.unwrap_or_default(),
            last_side: game.last.as_ref().map(|last| last.side),
            over: over.map(|line| LiveOver {
                score: line.score,
                verdict: line.verdict,
            }),
        })
    }

    /// Whether `rows` can be drawn: as many squares as the board has, and nothing on them but its pieces.
    fn is_board(&self, game: GameId, rows: &[String]) -> bool {
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
        cells.len() == board.size * board.size && cells.iter().all(is_cell)
    }
}
