//! Compares an `output.txt` with the only right answer, line by line. It does not interpret the lines; the judge calls
//! it for cases.

use super::finding::{Finding, Tolerance};
use super::lines::trim_end;

/// Compares `got`, a whole `output.txt`, with `expected` (RULES.md, section 5). The last line of either may end with a
/// LF.
///
/// A tolerant reading ignores white space at line ends, including CR, and empty lines at the end, each with a warning.
/// An exact one ignores nothing.
///
/// ```
/// use referee_games::protocol::{Tolerance, compare};
///
/// let expected = "F4-H2\n160\n160\n5";
/// assert_eq!(compare(expected, b"F4-H2\n160\n160\n4", Tolerance::Exact), Err(vec![4]));
/// assert_eq!(compare(expected, b"F4-H2\n160", Tolerance::Tolerant), Err(vec![3, 4]));
/// assert!(compare(expected, b"F4-H2\n160 \n160\n5\n", Tolerance::Tolerant).is_ok());
/// ```
///
/// # Errors
///
/// The numbers of the differing lines, from 1: not empty. Of the lines after the last expected one, only the first is
/// included.
pub fn compare(expected: &str, got: &[u8], tolerance: Tolerance) -> Result<Vec<Finding>, Vec<u32>> {
    let expected = expected.strip_suffix('\n').unwrap_or(expected);
    let got = got.strip_suffix(b"\n").unwrap_or(got);
    let exact = different_lines(expected.as_bytes(), got, |line| line, false);
    match tolerance {
        _ if exact.is_empty() => Ok(vec![]),
        Tolerance::Exact => Err(exact),
        Tolerance::Tolerant => {
            let different = different_lines(expected.as_bytes(), got, trim_end, true);
            if different.is_empty() { Ok(vec![stray_space(&exact)]) } else { Err(different) }
        }
    }
}

fn stray_space(lines: &[u32]) -> Finding {
    let numbers: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let message = match numbers.as_slice() {
        [one] => format!("line {one} differs only in white space"),
        several => format!("lines {} differ only in white space", several.join(", ")),
    };
    Finding::new("stray-space", message)
}

fn different_lines(expected: &[u8], got: &[u8], trim: fn(&[u8]) -> &[u8], ignore_empty_end: bool) -> Vec<u32> {
    let lines = |text| -> Vec<Option<&[u8]>> {
        let mut lines: Vec<_> = <[u8]>::split(text, |byte| *byte == b'\n').map(trim).map(Some).collect();
        while ignore_empty_end && lines.last().is_some_and(|line| line.is_some_and(<[u8]>::is_empty)) {
            lines.pop();
        }
        lines
    };
    let (expected, got) = (lines(expected), lines(got));
    let line = |text: &[Option<_>], index: usize| text.get(index).copied().flatten();
    // Of any number of extra lines, the first is enough.
    (1..)
        .zip(0..expected.len().max(got.len()).min(expected.len() + 1))
        .filter(|(_, index)| line(&expected, *index) != line(&got, *index))
        .map(|(number, _)| number)
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const EXPECTED: &str = "pass\n-290\n-300\n5";

    #[test]
    fn tolerance_overlooks_white_space_and_nothing_else() {
        let cases: [(&[u8], &[u32], &[u32]); 11] = [
            (b"pass\n-290\n-300\n5", &[], &[]),
            (b"pass\n-290\n-300\n5\n", &[], &[]),
            (b"pass\r\n-290\r\n-300\r\n5\r\n", &[], &[1, 2, 3, 4]),
            (b"pass\n-290  \n-300\n5\n\n\n", &[], &[2, 5]),
            (b"pass\n-290\n-300\n5\nx\ny\nz", &[5], &[5]),
            (b" pass\n-290\n-300\n5", &[1], &[1]),
            (b"pass\n\n-290\n-300\n5", &[2, 3, 4, 5], &[2, 3, 4, 5]),
            (b"PASS\n-290\n-300\n5", &[1], &[1]),
            (b"pass\n-290\n-300", &[4], &[4]),
            (b"", &[1, 2, 3, 4], &[1, 2, 3, 4]),
            (b"pass\n-290\n-300\n5\nx", &[5], &[5]),
        ];
        for (got, tolerant, exact) in cases {
            let found = |tolerance| compare(EXPECTED, got, tolerance).err().unwrap_or_default();
            assert_eq!(found(Tolerance::Exact), exact, "{}", got.escape_ascii());
            assert_eq!(found(Tolerance::Tolerant), tolerant, "{}", got.escape_ascii());
        }
    }

    #[test]
    fn a_last_line_end_is_no_part_of_what_is_expected() {
        assert_eq!(compare("1\n2\n", b"1\n2", Tolerance::Exact), Ok(vec![]));
    }

    #[test]
    fn what_was_overlooked_is_told() {
        for (got, told) in [
            ("pass\n-290 \n-300\n5\n", "line 2 differs only in white space"),
            ("pass\n-290 \n-300\n5 \n\n", "lines 2, 4, 5 differ only in white space"),
        ] {
            let warnings = compare(EXPECTED, got.as_bytes(), Tolerance::Tolerant).unwrap();
            assert_eq!(warnings[0].message, told);
        }
    }

    proptest! {
        #[test]
        fn what_is_exactly_right_is_tolerably_right(got in "[ab \\r\\n]{0,12}", expected in "[ab\\n]{0,12}") {
            if compare(&expected, got.as_bytes(), Tolerance::Exact).is_ok() {
                prop_assert_eq!(compare(&expected, got.as_bytes(), Tolerance::Tolerant), Ok(vec![]));
            }
        }
    }
}
