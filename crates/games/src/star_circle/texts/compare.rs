//! Compares an answer with the right answer of the assignment. [`crate::Puzzles`] calls it.

use crate::protocol::finding::{Refusal, Tolerance};
use crate::protocol::lines::{FormatDeviations, lines, trim_end};
use crate::protocol::{ComparedLine, Comparison};

/// The meanings of the four lines.
const NAMES: [&str; 4] = ["next move", "myopic utility", "farsighted utility", "number of nodes"];

/// Compares an `output.txt` with the right answer, line by line.
///
/// A tolerant reading ignores blanks at line ends, CR and empty lines at the end, with a warning for each, as the
/// comparison of cases does; an exact one refuses them. A LF after the last line is allowed in both.
///
/// # Errors
///
/// [`Refusal`] if the text is empty, has more than four lines or, in an exact reading, violates the format.
pub fn compare_solution(solution: &str, text: &[u8], tolerance: Tolerance) -> Result<Comparison, Refusal> {
    let mut departures = FormatDeviations::new(tolerance);
    let lines = lines(text, &mut departures)?;
    if let Some(extra) = lines.get(NAMES.len()) {
        return Err(Refusal::Format(extra.whole.extra_line().hint("an answer has four lines")));
    }
    let mut expected = solution.lines().map(str::to_owned);
    let mut whole: Vec<&[u8]> = text.split(|byte| *byte == b'\n').map(trim_end).collect();
    while whole.last().is_some_and(|line| line.is_empty()) {
        whole.pop();
    }
    let mut got = whole.into_iter().map(|line| String::from_utf8_lossy(line).into_owned());
    Ok(Comparison {
        lines: NAMES
            .iter()
            .map(|name| ComparedLine { name, expected: expected.next().unwrap_or_default(), got: got.next() })
            .collect(),
        warnings: departures.into_warnings(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLUTION: &str = "pass\n-290\n-300\n5";

    fn differing(text: &str) -> Vec<usize> {
        let compared = compare_solution(SOLUTION, text.as_bytes(), Tolerance::Tolerant).unwrap();
        compared.differing().map(|(number, _)| number).collect()
    }

    #[test]
    fn the_lines_that_differ_are_named() {
        let table: [(&str, &[usize]); 9] = [
            ("pass\n-290\n-300\n5", &[]),
            ("pass \r\n-290\n-300\n5\n\n", &[]),
            ("pass\n-290\n\n-300\n5", &[3, 4]),
            (" pass\n-290\n-300\n5", &[1]),
            ("pass\n-290\n-300\n6", &[4]),
            ("F4-H2\n290\n-300\n5", &[1, 2]),
            ("Pass\n-290.0\n-300\n05", &[1, 2, 4]),
            ("pass\n-290", &[3, 4]),
            ("nonsense", &[1, 2, 3, 4]),
        ];
        for (text, expected) in table {
            assert_eq!(differing(text), expected, "{text:?}");
        }
    }

    #[test]
    fn an_exact_reading_minds_blanks_and_empty_lines() {
        let exact = |text: &str| compare_solution(SOLUTION, text.as_bytes(), Tolerance::Exact);
        for text in ["pass\n-290\n-300\n5", "pass\n-290\n-300\n5\n"] {
            assert!(exact(text).unwrap().is_right(), "{text:?}");
        }
        for text in ["pass\n-290\n-300\n5\n\n", "pass\n-290\n-300\n5 ", "pass\r\n-290\n-300\n5"] {
            assert!(matches!(exact(text), Err(Refusal::Format(_))), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        assert_eq!(compare_solution(SOLUTION, b" \n", Tolerance::Tolerant), Err(Refusal::Empty));
        let Err(Refusal::Format(found)) = compare_solution(SOLUTION, b"pass\n-290\n-300\n5\n6", Tolerance::Tolerant)
        else {
            panic!("a fifth line is refused");
        };
        assert_eq!(found.to_string(), "line 5, column 1: `6` is an extra line (an answer has four lines)");
    }
}
