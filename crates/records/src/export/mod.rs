//! Exports recorded games in other formats: PDN, PGN-like text, CSV, JSON Lines.
//!
//! It turns records and summaries into text. It does not read these formats, write files, or print for people
//! (`console`); `cli/export` calls it. A foreign name must not break out of its tag, cell or line. Scores must
//! be from black's view, so `1-0` is a win for black.

mod cell;
mod game_text;
mod games_csv;
mod movetext;
mod notation;
mod tags;

pub use cell::{csv_text, safe_cell};
pub use game_text::game_text;
pub use games_csv::{GAMES_CSV_COLUMNS, games_csv_row};
pub use notation::in_notation;
