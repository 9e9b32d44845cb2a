//! The faults of an assignment, each with its place and its remedy. Plain errors; reading collects them, and commands
//! show them.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use referee_games::protocol::plain;

/// A fault of an assignment file, or of a file that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignmentError {
    /// The file at fault.
    pub file: PathBuf,
    /// The place in the file, unless the file as a whole is at fault.
    pub place: Option<ErrorSpan>,
    /// What was expected and what was found, in lower case, without a full stop.
    pub message: String,
    /// The remedy.
    pub remedy: String,
}

/// A part of one line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorSpan {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The number of characters at fault; 0 for a place between characters.
    pub length: usize,
    /// The whole line, without line end.
    pub text: String,
}

/// All faults of an assignment, in the order of their places; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignmentErrors(Vec<AssignmentError>);

impl std::error::Error for AssignmentErrors {}

impl AssignmentErrors {
    /// Sorts `faults` by place, those in the file `first` before the others; `None` if there are none.
    pub(super) fn of(mut faults: Vec<AssignmentError>, first: &Path) -> Option<Self> {
        let place = |fault: &AssignmentError| fault.place.as_ref().map(|place| (place.line, place.column));
        faults.sort_by(|a, b| (a.file != first, &a.file, place(a)).cmp(&(b.file != first, &b.file, place(b))));
        (!faults.is_empty()).then_some(Self(faults))
    }

    /// The faults, at least one.
    pub fn all(&self) -> &[AssignmentError] {
        &self.0
    }
}

/// Every fault with its line, and finally their number.
impl fmt::Display for AssignmentErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.0 {
            writeln!(f, "{fault}\n")?;
        }
        match self.0.len() {
            1 => f.write_str("1 error in the assignment"),
            count => write!(f, "{count} errors in the assignment"),
        }
    }
}

/// The place, the fault, the line with the place marked, and the remedy:
///
/// ```text
/// hw2.toml:7:13: `play_time`: expected seconds above 0 and up to 86400, found the text `300`
///   7 | play_time = "300"
///     |             ^^^^^ write for example `play_time = 300`
/// ```
impl fmt::Display for AssignmentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, message, remedy) = (plain(&self.file.to_string_lossy()), &self.message, &self.remedy);
        match &self.place {
            None => write!(f, "{file}: {message}\n    = {remedy}"),
            Some(place) => {
                let number = place.line.to_string();
                let (line, mark) = place.marked();
                writeln!(f, "{file}:{number}:{}: {message}", place.column)?;
                writeln!(f, "  {number} | {line}")?;
                write!(f, "  {:1$} | {mark} {remedy}", "", number.len())
            }
        }
    }
}

/// The maximum number of shown characters of a line, and how many of them precede the place.
const SHOWN: usize = 100;
const SHOWN_BEFORE: usize = 50;

impl ErrorSpan {
    /// The line with the byte at `at.start` of `text`, and the part of it that `at` covers.
    pub(super) fn of(text: &str, at: Range<usize>) -> Self {
        let start = text.floor_char_boundary(at.start);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = text[line_start..].lines().next().unwrap_or_default();
        let end = text.floor_char_boundary(at.end).clamp(start, (line_start + line.len()).max(start));
        Self {
            line: before.matches('\n').count() + 1,
            column: text[line_start..start].chars().count() + 1,
            length: text[start..end].chars().count(),
            text: line.to_owned(),
        }
    }

    /// The line, escaped and cut around the place, and the carets below it.
    fn marked(&self) -> (String, String) {
        let column = self.column - 1;
        let first = if column < SHOWN - 10 { 0 } else { column - SHOWN_BEFORE };
        let part = |from: usize, to: usize| {
            let part: String = self.text.chars().skip(from).take(to.saturating_sub(from)).collect();
            plain(&part)
        };
        let end = first + SHOWN;
        let before = part(first, column.min(end));
        let marked = part(column, (column + self.length).min(end));
        let after = part((column + self.length).min(end), end);
        let width = marked.chars().count().max(1);
        let mark = format!("{}{}", " ".repeat(before.chars().count()), "^".repeat(width));
        (format!("{before}{marked}{after}"), mark)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fault(text: &str, at: Range<usize>) -> AssignmentError {
        AssignmentError {
            file: "hw2.toml".into(),
            place: Some(ErrorSpan::of(text, at)),
            message: "it is wrong".to_owned(),
            remedy: "mend it".to_owned(),
        }
    }

    #[test]
    fn the_place_is_shown_under_its_line_and_no_control_character_reaches_the_terminal() {
        let shown = fault("a = 1\nb = \"x\"\n", 10..13).to_string();
        assert_eq!(shown, "hw2.toml:2:5: it is wrong\n  2 | b = \"x\"\n    |     ^^^ mend it");
        let of_file = AssignmentError { place: None, ..fault("", 0..0) };
        assert_eq!(of_file.to_string(), "hw2.toml: it is wrong\n    = mend it");
        let shown = fault("\x1b[2J é = 1", 10..11).to_string();
        assert_eq!(shown, "hw2.toml:1:10: it is wrong\n  1 | \\u{1b}[2J é = 1\n    |               ^ mend it");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}Z{}", "x".repeat(500), "y".repeat(500));
        let shown = fault(&text, 500..501).to_string();
        let line = format!("  1 | {}Z{}", "x".repeat(50), "y".repeat(49));
        assert_eq!(shown.lines().nth(1), Some(line.as_str()));
        assert_eq!(shown.lines().nth(2).map(|mark| mark.find('^')), Some(Some(56)));
    }

    #[test]
    fn faults_stand_in_the_order_of_their_places_and_are_counted() {
        let other = AssignmentError { file: "a/1.txt".into(), ..fault("x", 0..1) };
        let all = vec![other.clone(), fault("a\nb", 2..3), fault("a\nb", 0..1)];
        let faults = AssignmentErrors::of(all, Path::new("hw2.toml")).unwrap();
        let lines: Vec<_> = faults.all().iter().map(|fault| fault.place.as_ref().unwrap().line).collect();
        assert_eq!((lines, &faults.all()[2]), (vec![1, 2, 1], &other));
        assert!(faults.to_string().ends_with("\n\n3 errors in the assignment"), "{faults}");
        assert_eq!(AssignmentErrors::of(vec![], Path::new("hw2.toml")), None);
    }

    proptest! {
        #[test]
        fn any_place_of_any_text_can_be_shown(
            text in "(\\PC|\n|\r|\x1b){0,300}",
            start in 0_usize..400,
            length in 0_usize..400,
        ) {
            let shown = fault(&text, start..start + length).to_string();
            prop_assert_eq!(shown.lines().count(), 3);
            prop_assert!(shown.chars().all(|character| character == '\n' || !character.is_control()));
        }
    }
}
