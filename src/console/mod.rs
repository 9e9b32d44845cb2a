//! What a terminal shows of a run: progress while it goes on, tables when it is asked for.
//!
//! For: what a terminal can show; progress, boards and clocks that change; recorded games by keys; standings as tables.
//! Deliberately not here: deciding anything, and the words ([`crate::messages`]).
//!
//! What must always hold: everything is legible without colours and when piped into a file; nothing that came from an
//! agent reaches the terminal unescaped; nothing is wider than the terminal; where it has no UTF-8, everything is
//! ASCII.

mod clocks;
mod lines;
mod live;
mod match_statistics;
mod person;
mod ratings;
mod replay;
mod standings;
mod steps;
mod terminal;
mod text_table;
mod voids;

pub use live::Live;
pub use match_statistics::{match_lines, sprt_line};
pub use person::{AtTerminal, PersonTerminal, Telling};
pub use ratings::{ratings_markdown, ratings_text};
pub use replay::{Left, Reel, restore_terminal};
pub use standings::{crosstable_markdown, crosstable_text, standings_csv, standings_markdown, standings_text};
pub use steps::Steps;
pub use terminal::{Size, Stream, Terminal};
pub use text_table::markdown_cell;
pub use voids::void_lines;
