//! Wording: turns values of other crates into sentences, boards and excerpts for terminals, e-mails and pages.
//!
//! It decides nothing and animates nothing (`console`). `cli`, `console`, `grading`, `check`, `report` and
//! `serve` call it. Text from an agent must be escaped ([`plain()`]). Everything must be legible without colours.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test fails by a panic"))]

mod analysis;
mod board;
mod certainty;
mod common_losses;
mod compared;
mod explained;
mod last_move;
mod output_style;
mod processor_waits;
mod results;
mod squares;
mod standings;
mod template;
mod time_story;
mod unconfined;
mod voids;

pub use analysis::{AnalysisWords, mark_words, score_words};
pub use board::{draw_board, draw_board_after, draw_board_for, near_side, side_style};
pub use certainty::{certainty_sentence, rank_range};
pub use common_losses::loss_group_sentence;
pub use compared::compared;
pub use explained::{COLUMNS, analysis_lines, draw_excerpt, explained, explained_in_short};
pub use last_move::{LastMove, SquareChange};
pub use output_style::{Characters, Colours, NO_BREAK, OutputStyle, ascii, cut_end, cut_middle, fold, width, wrap};
pub use processor_waits::ProcessorWaits;
pub use results::{
    SideNames, answer_line, answer_sentence, board_words, clock, close_call_sentence, ending_sentence, fault_sentence,
    first_few, reading_words, result_line, score, verdict_sentence,
};
pub use standings::{column_text, order_sentence, outside_range_line, rating_group_lines, standings_notes};
pub use template::filled;
pub use time_story::{time_loss_sentence, time_sentences, time_story_lines};
pub use unconfined::unconfined;
pub use voids::{counted_are, missing_lines, void_lines};

pub use referee_games::protocol::{counted, plain};
