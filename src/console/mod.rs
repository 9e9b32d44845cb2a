//! Output of a run on a terminal: live progress, recorded games by keys, standings as tables, prompts for a person.
//!
//! It decides nothing and words no results ([`referee_messages`]); `cli` calls it. Everything must be legible without
//! colours and when piped into a file. Text from an agent must be escaped. No line may be wider than the terminal.
//! Without UTF-8, everything must be ASCII.

mod clocks;
mod ladder;
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

pub use ladder::{ladder_text, ladder_versions_text};
pub use lines::typed_lines;
pub use live::{FinishedLines, Live, StudentTallies};
pub use match_statistics::{match_lines, sprt_line};
pub use person::{GameNarrator, TerminalPrompt, seat};
pub use ratings::ratings_text;
pub use replay::{Frames, ReplayEnd, restore_terminal};
pub use standings::{crosstable_text, standings_csv, standings_text};
pub use steps::StepProgress;
pub use terminal::{Size, Stream, Terminal};
pub use text_table::TableForm;
