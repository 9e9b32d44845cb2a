//! What people see in a terminal: boards, clocks, progress, and the wording of results.
//!
//! For: turning values of the other rooms into text. Deliberately not here: deciding anything.
//!
//! What must always hold: nothing that came from an agent reaches the terminal unescaped ([`plain()`]); everything is
//! legible without colours and when piped into a file.

mod board;
mod explained;
mod live;
mod match_statistics;
mod ratings;
mod sheet;
mod standings;
mod wording;

pub use board::{Marks, draw_board};
pub use explained::{draw_excerpt, explained, explained_in_short};
pub use live::Live;
pub use match_statistics::{match_lines, sprt_line};
pub use ratings::{ratings_markdown, ratings_text};
pub use sheet::markdown_cell;
pub use standings::{crosstable_markdown, crosstable_text, standings_csv, standings_markdown, standings_text};
pub use wording::{
    Names, board_words, clock, close_call_sentence, counted, fault_sentence, result_line, verdict_sentence,
};

pub use crate::protocol::plain;
