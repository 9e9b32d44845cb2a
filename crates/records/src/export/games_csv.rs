//! A CSV file with a row per game. Pure functions of summaries; `cli/export` writes it.

use super::safe_cell;
use crate::{GameSummary, Outcome};
use referee_games::Side;

/// The columns, in order.
pub const GAMES_CSV_COLUMNS: [&str; 11] =
    ["game", "black", "white", "first", "winner", "how", "fault", "turns", "black_cpu_s", "white_cpu_s", "close_call"];

/// The row of one game. `first` and `winner` are `black` or `white`, `winner` also `draw`, `how` and `fault`
/// are the words in records, times are in seconds, `close_call` is `yes` or `no`.
pub fn games_csv_row(game: &GameSummary) -> [String; 11] {
    let fault = if let Outcome::Forfeit { fault, .. } = game.outcome { fault.into() } else { "" };
    let close_call = if game.close_call { "yes" } else { "no" };
    [
        safe_cell(&game.id).into_owned(),
        safe_cell(game.name(Side::Black)).into_owned(),
        safe_cell(game.name(Side::White)).into_owned(),
        <&str>::from(game.first).to_owned(),
        game.winner().map_or("draw", Into::into).to_owned(),
        game.outcome.word().to_owned(),
        fault.to_owned(),
        game.totals.turns.to_string(),
        game.totals.charged.black.to_string(),
        game.totals.charged.white.to_string(),
        close_call.to_owned(),
    ]
}
