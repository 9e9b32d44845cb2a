//! Numbered moves with their charges, in lines of limited length. The exports with notation call it.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

use crate::{GameRecord, TurnRecord};

/// The maximum line length, as in the PGN standard for export.
const LONGEST_LINE: usize = 79;

/// The moves of `record`, numbered by pairs of turns: `1. 11-15 {0.52} 23-19 {0.1}`, with the charged CPU seconds in
/// braces. A pass is `pass`; an illegal answer appears only with its time.
///
/// `write` translates a recorded move into the notation; `end` ends the game.
pub(super) fn movetext(record: &GameRecord, write: impl Fn(&str) -> String, end: &str) -> String {
    let mut words = Vec::new();
    for (index, turn) in record.turns.iter().enumerate() {
        if index.is_multiple_of(2) {
            words.push(format!("{}.", index / 2 + 1));
        }
        match turn {
            TurnRecord::Pass { .. } => words.push("pass".to_owned()),
            TurnRecord::Run { mv, charged, .. } => {
                words.extend(mv.as_deref().map(&write));
                words.push(format!("{{{charged}}}"));
            }
        }
    }
    words.push(end.to_owned());
    let options = Options::new(LONGEST_LINE)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    textwrap::fill(&words.join(" "), options) + "\n"
}
