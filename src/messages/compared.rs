//! An answer beside the one right answer.

use super::plain;
use crate::protocol::ComparedLine;

/// How much of a line of an answer is shown: right ones are much shorter.
const WIDEST: usize = 40;

/// Expected and got, a line each; those that differ are marked. Nothing for no lines.
pub fn compared(lines: &[ComparedLine]) -> Vec<String> {
    if lines.is_empty() {
        return Vec::new();
    }
    let row = |mark: &str, name: &str, expected: &str, got: &str| format!("{mark} {name:<20}{expected:<14}{got}");
    let heading = row(" ", "", "expected", "got");
    let rows = lines.iter().map(|line| {
        let mark = if line.is_right() { " " } else { "x" };
        let got = line.got.as_deref().map_or_else(|| "-".to_owned(), shown);
        row(mark, line.name, &line.expected, &got)
    });
    [heading].into_iter().chain(rows).collect()
}

fn shown(line: &str) -> String {
    let mut shown: String = plain(line).chars().take(WIDEST + 1).collect();
    if shown.chars().count() > WIDEST {
        shown.pop();
        shown.push('…');
    }
    shown
}
