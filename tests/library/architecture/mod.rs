//! The sources must follow `ARCHITECTURE.md`: here is what Cargo and Clippy cannot say of them. An exception is listed
//! here by file, with its reason, and fails once it is unneeded.

mod circles;
mod games;
mod invariants;
mod layout;

use std::fs;
use std::path::Path;

/// A file of the project.
struct SourceFile {
    /// From the root of the project, as `crates/games/src/lib.rs`.
    path: String,
    /// Its text.
    text: String,
    /// Its text without lines of comments and without its tests.
    code: String,
}

impl SourceFile {
    /// The crate that it belongs to: `games` of `crates/games/src/lib.rs`, nothing of `src/main.rs`.
    fn package(&self) -> &str {
        let below = self.path.strip_prefix("crates/");
        below.and_then(|below| below.split('/').next()).unwrap_or_default()
    }
}

/// All sources of the program and its crates, without tests in folders of their own.
fn all_sources() -> Vec<SourceFile> {
    let mut found = sources("src");
    found.extend(sources("crates").into_iter().filter(|file| file.path.split('/').nth(2) == Some("src")));
    found
}

/// All Rust files below `folder`, which is relative to the root of the project.
fn sources(folder: &str) -> Vec<SourceFile> {
    let mut found = Vec::new();
    collect(folder, &mut found);
    found.sort_by(|one, other| one.path.cmp(&other.path));
    assert!(!found.is_empty(), "there are no sources in `{folder}`");
    found
}

fn collect(path: &str, found: &mut Vec<SourceFile>) {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if full.is_dir() {
        for entry in fs::read_dir(&full).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            collect(&format!("{path}/{name}"), found);
        }
    } else if full.extension().is_some_and(|extension| extension == "rs") {
        let text = fs::read_to_string(&full).unwrap();
        let code = code(&text);
        found.push(SourceFile { path: path.to_owned(), text, code });
    }
}

/// A source without its lines of comments and without its tests.
fn code(source: &str) -> String {
    let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .fold(String::new(), |code, line| code + line + "\n")
}

/// Asserts that `found` holds no complaint.
fn assert_none(what: &str, found: &[String]) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}
