//! Shows an answer beside the one right answer. It compares nothing; `cli/judge` and explanations use it.

use super::plain;
use referee_games::protocol::ComparedLine;

/// The maximum shown width of a line: right answers are much shorter.
const WIDEST: usize = 40;

/// Expected and actual lines, with differences marked. Empty without lines.
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
