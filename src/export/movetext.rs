//! Numbered moves with what each was charged, in lines that are not too long.

use crate::records::{GameRecord, TurnRecord};

/// The longest line, as the PGN standard has it for export.
const LONGEST_LINE: usize = 79;

/// The moves of `record`, each pair of turns numbered: `1. 11-15 {0.52} 23-19 {0.1}`. In braces stand the CPU seconds
/// that were charged. A pass is `pass`; an answer that was no legal move is no move, and only its time is told.
///
/// `write` turns a move as it stands in the record into the notation; `end` ends the game.
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
    wrapped(&words)
}

fn wrapped(words: &[String]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        if column > 0 && column + 1 + word.len() > LONGEST_LINE {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text + "\n"
}
