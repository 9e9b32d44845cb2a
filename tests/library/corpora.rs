//! Corpora of games and positions that do not ship with this project.

use std::fs;
use std::path::PathBuf;

use crate::skips::{CORPORA, skip};

/// A file of the corpora, or `None` where it is missing, after the test was said to be skipped.
pub(crate) fn corpus(file: &str) -> Option<String> {
    let shared = std::env::var_os("REFEREE_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let path = shared.join("corpus").join(file);
    let text = fs::read_to_string(&path);
    if let Err(error) = &text {
        skip(&CORPORA, format!("cannot read {}: {error}", path.display()));
    }
    text.ok()
}
