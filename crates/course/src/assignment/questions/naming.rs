//! Interprets file names: which question they belong to, and whether they are the input or the answer. A pure function;
//! [`super::folder`] calls it.

use std::cmp::Ordering;

/// Input or answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CaseFile {
    Input,
    Answer,
}

const WORDS: [(&str, CaseFile); 3] =
    [("input", CaseFile::Input), ("expected", CaseFile::Answer), ("output", CaseFile::Answer)];

/// The name of a text file without extension; `None` for other files.
pub(super) fn stem(file: &str) -> Option<String> {
    let (stem, ending) = file.rsplit_once('.')?;
    ending.eq_ignore_ascii_case("txt").then(|| stem.to_owned())
}

/// The role of all files in a folder with this name.
pub(super) fn role_of_folder(name: &str) -> Option<CaseFile> {
    let found = WORDS.iter().find(|(word, _)| name.eq_ignore_ascii_case(word));
    found.map(|(_, role)| *role)
}

/// The role of a file with this stem, and the name of its case: `forced.input`, `INPUT7`, `output-07`.
pub(super) fn role_and_case(stem: &str) -> Option<(CaseFile, String)> {
    let lower = stem.to_ascii_lowercase();
    WORDS.iter().find_map(|(word, role)| {
        // In ASCII, letter case does not change the length, and the words are ASCII.
        let case = if let Some(case) = lower.strip_suffix(word).and_then(|rest| rest.strip_suffix('.')) {
            &stem[..case.len()]
        } else {
            let rest = &stem[lower.strip_prefix(word).map(|rest| stem.len() - rest.len())?..];
            // `inputs` or `outputted` is not `input` with a name.
            if rest.starts_with(|first: char| first.is_alphabetic()) {
                return None;
            }
            rest.trim_start_matches(['-', '_', '.'])
        };
        Some((*role, if case.is_empty() { "case" } else { case }.to_owned()))
    })
}

/// Whether `name` is valid in file names and tables.
pub(super) fn is_fit(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=60).contains(&name.len()) && name.bytes().all(is_plain) && !name.starts_with('.')
}

/// Compares numbers within names by value, everything else by letters: `case-7` before `case-10`.
pub(super) fn natural_order(a: &str, b: &str) -> Ordering {
    parts(a).cmp(&parts(b)).then_with(|| a.cmp(b))
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum NamePart {
    /// The number of digits and the digits, without leading zeros.
    Number(usize, String),
    Text(char),
}

fn parts(name: &str) -> Vec<NamePart> {
    let mut parts = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let number = rest[..digits].trim_start_matches('0');
            parts.push(NamePart::Number(number.len(), number.to_owned()));
            rest = &rest[digits..];
        } else {
            parts.push(NamePart::Text(first));
            rest = &rest[first.len_utf8()..];
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_of_many_courses_are_understood() {
        let cases = [
            ("a.b.output", Some((CaseFile::Answer, "a.b"))),
            ("input-07", Some((CaseFile::Input, "07"))),
            ("expected_x", Some((CaseFile::Answer, "x"))),
            ("input", Some((CaseFile::Input, "case"))),
            ("output", Some((CaseFile::Answer, "case"))),
            ("inputs", None),
            ("case1", None),
            ("", None),
        ];
        for (stem, expected) in cases {
            let expected = expected.map(|(role, name)| (role, name.to_owned()));
            assert_eq!(role_and_case(stem), expected, "{stem:?}");
        }
        assert_eq!(stem("x.TXT"), Some("x".to_owned()));
        assert_eq!((stem("x.md"), stem("txt")), (None, None));
    }

    #[test]
    fn numbers_count_by_their_values() {
        let mut names = ["p10", "p9", "p09", "p1", "q", "p", "10", "9"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["9", "10", "p", "p1", "p09", "p9", "p10", "q"]);
    }

    proptest! {
        #[test]
        fn any_name_is_taken_apart(name in "\\PC{0,20}|(input|OUTPUT|expected|.){0,3}\\PC{0,5}(.input|.expected)?") {
            if let Some((_, case)) = role_and_case(&name) {
                prop_assert!(!case.is_empty());
            }
            let _ = stem(&name);
        }

        #[test]
        fn the_order_is_total(a in "[a0-9]{0,6}", b in "[a0-9]{0,6}", c in "[a0-9]{0,6}") {
            prop_assert_eq!(natural_order(&a, &b), natural_order(&b, &a).reverse());
            if natural_order(&a, &b).is_le() && natural_order(&b, &c).is_le() {
                prop_assert!(natural_order(&a, &c).is_le());
            }
        }
    }
}
