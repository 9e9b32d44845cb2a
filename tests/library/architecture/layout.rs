//! The limits of lines and files, and unique type names.

use std::collections::BTreeMap;

use super::{SourceFile, all_sources, assert_none, sources};

/// The widest line, in characters.
const WIDEST: usize = 120;
/// The longest file, in lines.
const LONGEST: usize = 600;

/// Names that several types have, and why that is good.
const SHARED_NAMES: &[(&str, &str)] = &[
    ("Move", "each game's own, known outside by its text alone"),
    ("Square", "each game's own, known outside by its name alone"),
    ("Squares", "each game's own set of squares"),
];

fn all() -> Vec<SourceFile> {
    let mut files = all_sources();
    files.extend(sources("tests"));
    files
}

#[test]
fn no_line_is_too_wide() {
    let mut wide = Vec::new();
    for file in all() {
        for (number, line) in file.text.lines().enumerate() {
            // A row of a table in a comment is one line.
            let is_row = line.trim_start().trim_start_matches(['/', '!']).starts_with(" |");
            if line.chars().count() > WIDEST && !is_row {
                wide.push(format!("{}:{}", file.path, number + 1));
            }
        }
    }
    assert_none("lines of more than 120 columns", &wide);
}

#[test]
fn no_file_is_too_long() {
    let files = all();
    let long = files.iter().filter(|file| file.text.lines().count() > LONGEST);
    let long: Vec<String> = long.map(|file| file.path.clone()).collect();
    assert_none("files of more than 600 lines", &long);
}

/// The type that a line begins to define.
fn type_defined(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub(") {
        Some(restricted) => restricted.split_once(") ")?.1,
        None => line.strip_prefix("pub ").unwrap_or(line),
    };
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_alphanumeric()).next()
}

#[test]
fn a_type_is_found_by_every_visibility() {
    for visibility in ["", "pub ", "pub(crate) ", "pub(super) ", "pub(in crate::grading) "] {
        for kind in ["struct", "enum", "trait", "type", "union"] {
            let line = format!("{visibility}{kind} FeedbackPage<T> {{");
            assert_eq!(type_defined(&line), Some("FeedbackPage"), "{line}");
        }
    }
    assert_eq!(type_defined("pub(crate) fn page() {"), None);
}

#[test]
fn a_name_is_one_types() {
    let files = all_sources();
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in &files {
        // Types of an implementation are indented, and named by a trait.
        for name in file.code.lines().filter(|line| !line.starts_with(' ')).filter_map(type_defined) {
            places.entry(name).or_default().push(&file.path);
        }
    }
    let twice = places
        .iter()
        .filter(|(name, places)| places.len() > 1 && !SHARED_NAMES.iter().any(|(shared, _)| shared == *name));
    let twice: Vec<String> = twice.map(|(name, places)| format!("{name}: {}", places.join(", "))).collect();
    let idle = SHARED_NAMES.iter().filter(|(name, _)| places.get(name).is_none_or(|places| places.len() < 2));
    let idle = idle.map(|(name, _)| format!("{name} is an exception for nothing"));
    assert_none("names of several types", &twice.into_iter().chain(idle).collect::<Vec<_>>());
}
