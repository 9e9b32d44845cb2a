//! Recorded games in the formats of other programs: PDN, a text in the manner of PGN, CSV, JSON Lines.
//!
//! For: turning records and summaries into texts that leave this program. Deliberately not here: reading them back,
//! files, and what people see in a terminal ([`crate::console`]).
//!
//! What must always hold: a name that came from outside cannot break out of its place, be it a tag, a cell or a line; a
//! result is always told from black's side, so `1-0` is a win of black.

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
