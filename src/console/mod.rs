//! What a terminal shows of a run: progress while it goes on, tables when it is asked for.
//!
//! For: progress, boards and clocks that change; standings as tables. Deliberately not here: deciding anything, and the
//! words ([`crate::wording`]).
//!
//! What must always hold: everything is legible without colours and when piped into a file; nothing that came from an agent
//! reaches the terminal unescaped.

mod conclusion;
mod lines;
mod live;
mod match_statistics;
mod person;
mod ratings;
mod sheet;
mod standings;
mod steps;

pub use conclusion::conclusion_text;
pub use live::Live;
pub use person::{AtTerminal, Telling, Terminal};
pub use match_statistics::{match_lines, sprt_line};
pub use ratings::{ratings_markdown, ratings_text};
pub use sheet::markdown_cell;
pub use standings::{crosstable_markdown, crosstable_text, standings_csv, standings_markdown, standings_text};
pub use steps::Steps;

/// How wide standard output is, in columns; where it is no terminal, wide enough for any table.
pub fn terminal_columns() -> u16 {
    const NO_TERMINAL: u16 = 200;
    console::Term::stdout()
        .size_checked()
        .map_or(NO_TERMINAL, |(_, columns)| columns)
}
