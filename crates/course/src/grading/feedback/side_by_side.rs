//! A case in three columns: input, expected answer, answer. It compares nothing; details and `cli/explain` show it.

use crate::grading::AnswerItem;
use referee_games::protocol::plain;
use referee_records::AnswerVerdict;

/// The maximum number of lines.
const MAX_LINES: usize = 32;

/// The maximum width of a column.
const WIDEST: usize = 40;

/// The columns under their heads, with marks at the end of differing lines.
pub(in crate::grading) fn side_by_side(answer: &AnswerItem) -> Vec<String> {
    let got = answer.got.as_ref().map(|bytes| String::from_utf8_lossy(&bytes.0).into_owned());
    let expected = answer.expected.as_deref();
    let nothing = format!("({})", answer.found.as_deref().unwrap_or("there was none"));
    let mut columns = vec![SideColumn::new("input.txt", Some(&answer.input), &nothing)];
    if expected.is_some() {
        columns.push(SideColumn::new("expected", expected, &nothing));
    }
    columns.push(SideColumn::new("output.txt", got.as_deref(), &nothing));
    let height = columns.iter().map(|column| column.lines.len()).max().unwrap_or_default();
    let mut drawn = vec![row(&columns, |column| column.title.to_owned(), "     "), rule(&columns)];
    drawn.extend((0..height.min(MAX_LINES)).map(|index| {
        let mark = if differs(answer, index) { " <<<" } else { "" };
        let number = format!("{:>3}  ", index + 1);
        row(&columns, |column| column.lines.get(index).cloned().unwrap_or_default(), &number) + mark
    }));
    if height > MAX_LINES {
        drawn.push(format!("     ... {} lines more", height - MAX_LINES));
    }
    drawn.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The end of the program's standard error; empty if it wrote nothing.
pub(in crate::grading) fn last_words(answer: &AnswerItem) -> Vec<String> {
    if answer.stderr.is_empty() {
        return Vec::new();
    }
    let head = "end of its stderr:".to_owned();
    let lines = answer.stderr.iter().map(|line| format!("     | {line}").trim_end().to_owned());
    std::iter::once(head).chain(lines).collect()
}

fn differs(answer: &AnswerItem, index: usize) -> bool {
    match &answer.verdict {
        AnswerVerdict::Different { lines } => lines.iter().any(|&line| line as usize == index + 1),
        AnswerVerdict::Legal { .. } | AnswerVerdict::Equal | AnswerVerdict::Fault { .. } => false,
    }
}

struct SideColumn {
    title: &'static str,
    lines: Vec<String>,
    width: usize,
}

impl SideColumn {
    fn new(title: &'static str, text: Option<&str>, nothing: &str) -> Self {
        let lines: Vec<String> = match text {
            None => vec![nothing.to_owned()],
            Some("") => vec!["(empty)".to_owned()],
            // As many as are shown, plus one to indicate that there are more.
            Some(text) => text.split_terminator('\n').map(visible).collect(),
        };
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
        Self { title, lines, width: width.max(title.len()) }
    }
}

/// A line with invisible characters made visible: leading and trailing spaces as `·`, control characters as escapes.
fn visible(line: &str) -> String {
    let inner = line.trim_matches(' ');
    let leading = line.len() - line.trim_start_matches(' ').len();
    let trailing = line.len() - leading - inner.len();
    let cut = |blanks: usize| "·".repeat(blanks.min(WIDEST));
    let shown = format!("{}{}{}", cut(leading), plain(inner), cut(trailing));
    if shown.chars().count() <= WIDEST {
        return shown;
    }
    let kept: String = shown.chars().take(WIDEST - 1).collect();
    kept + "…"
}

fn row(columns: &[SideColumn], cell: impl Fn(&SideColumn) -> String, number: &str) -> String {
    let cells: Vec<String> =
        columns.iter().map(|column| format!("{:width$}", cell(column), width = column.width)).collect();
    format!("{number}{}", cells.join(" | "))
}

fn rule(columns: &[SideColumn]) -> String {
    let rules: Vec<String> = columns.iter().map(|column| "-".repeat(column.width)).collect();
    format!("     {}", rules.join("-+-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_seat::Bytes;
    use referee_time::CpuTime;

    fn answer(expected: Option<&str>, got: Option<&[u8]>, lines: &[u32]) -> AnswerItem {
        AnswerItem {
            verdict: AnswerVerdict::Different { lines: lines.to_vec() },
            input: "STAR\n2\n".to_owned(),
            expected: expected.map(str::to_owned),
            got: got.map(|bytes| Bytes(bytes.to_vec())),
            found: None,
            charged: CpuTime::ZERO,
            stderr: Vec::new(),
            explanation: None,
            warnings: Vec::new(),
            close_calls: Vec::new(),
        }
    }

    #[test]
    fn what_there_was_instead_of_an_answer_is_said() {
        let none = answer(None, None, &[]);
        assert_eq!(side_by_side(&none)[2], "  1  STAR      | (there was none)");
        let huge = AnswerItem { found: Some("a file of 10000000 bytes".to_owned()), ..none };
        assert!(side_by_side(&huge)[2].ends_with("(a file of 10000000 bytes)"));
    }

    #[test]
    fn the_lines_that_differ_are_marked() {
        let drawn = side_by_side(&answer(Some("E3\n12\n5\n"), Some(b"E3 \n13\n\x1b\n"), &[1, 2, 3]));
        let expected = [
            "     input.txt | expected | output.txt",
            "     ----------+----------+-----------",
            "  1  STAR      | E3       | E3·        <<<",
            "  2  2         | 12       | 13         <<<",
            r"  3            | 5        | \u{1b}     <<<",
        ];
        assert_eq!(drawn, expected);
    }

    #[test]
    fn long_texts_are_cut() {
        let long = [b"x".repeat(100), b"\n".repeat(500)].concat();
        let drawn = side_by_side(&answer(Some("a"), Some(&long), &[1]));
        assert_eq!(drawn.len(), MAX_LINES + 3);
        assert_eq!(drawn.last().unwrap(), "     ... 468 lines more");
        assert!(drawn.iter().all(|line| line.chars().count() < 80));
    }
}
