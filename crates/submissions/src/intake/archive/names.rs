//! Turns names in archives into safe paths. It opens nothing; `units` calls it.
//!
//! A path from here must be relative, without `..` and without anything that any system reads as a separator, a drive
//! or a control character. Two names of different bytes must never become the same path.

use crate::agents::{ArchiveFault, is_left_behind};

/// The longest name of a file, in bytes, on the file systems of Linux.
const LONGEST_NAME: usize = 255;

/// The longest path, in bytes. Far below what the system takes, since it comes on top of the folder's own.
const LONGEST_PATH: usize = 2048;

/// A name that is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NameRefusal {
    /// The parts before the one at fault.
    pub(super) within: Vec<String>,
    /// What is wrong with it.
    pub(super) fault: ArchiveFault,
}

/// The place of an entry by its name, from the outermost folder inwards; nowhere for the archive's own folder. `None`
/// for what a desktop or a build left behind. A backslash is a separator, as Windows writes it.
pub(super) fn place(name: &str) -> Result<Option<Vec<String>>, NameRefusal> {
    let mut parts: Vec<String> = Vec::new();
    let outside = |within: &[String]| NameRefusal {
        within: within.to_vec(),
        fault: ArchiveFault::Outside { entry: shortened(name) },
    };
    let unfit = |within: &[String]| NameRefusal {
        within: within.to_vec(),
        fault: ArchiveFault::UnfitEntry { entry: shortened(name) },
    };
    if name.starts_with(['/', '\\']) || has_a_drive(name) {
        return Err(outside(&[]));
    }
    for part in name.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => return Err(outside(&parts)),
            _ if is_junk(part) => return Ok(None),
            _ if part.len() > LONGEST_NAME || part.chars().any(char::is_control) => return Err(unfit(&parts)),
            _ => parts.push(part.to_owned()),
        }
    }
    if parts.iter().map(String::len).sum::<usize>() > LONGEST_PATH {
        return Err(unfit(&parts[..1]));
    }
    Ok(Some(parts))
}

/// `C:`, and anything else with a colon as its second character.
fn has_a_drive(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic()) && characters.next() == Some(':')
}

/// macOS writes what its file systems know beside a file into `._NAME`.
fn is_junk(part: &str) -> bool {
    is_left_behind(part) || part.starts_with("._")
}

/// For a message.
fn shortened(name: &str) -> String {
    const SHOWN: usize = 100;
    match name.char_indices().nth(SHOWN) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path(name: &str) -> Result<String, &'static str> {
        let parts = place(name).map_err(|bad| bad.fault.code())?;
        Ok(parts.map_or("(left behind)".to_owned(), |parts| parts.join("/")))
    }

    #[test]
    fn names_that_lead_outside_are_refused() {
        let outside = Err("archive-path-outside");
        let names = r"/etc/passwd ../x a/../../x a/.. .. ..\x a\..\..\x \\server\share C:\x c:x C:/x";
        for name in names.split(' ') {
            assert_eq!(path(name), outside.clone(), "{name}");
        }
        let unfit = Err("archive-bad-name");
        assert_eq!(path("a\0b"), unfit.clone());
        assert_eq!(path("a\u{1b}[2Jb"), unfit.clone());
        assert_eq!(path(&"a".repeat(256)), unfit.clone());
        assert_eq!(path(&"abcdefgh/".repeat(300)), unfit);
    }

    #[test]
    fn ordinary_names_are_paths() {
        for (name, expected) in [
            ("./homework.py", "homework.py"),
            ("a//b/", "a/b"),
            (r"src\homework.py", "src/homework.py"),
            ("学生/é ü.py", "学生/é ü.py"),
            ("...", "..."),
            ("", ""),
            ("a/.DS_Store", "(left behind)"),
            ("__MACOSX/a/._b", "(left behind)"),
            ("._homework.py", "(left behind)"),
        ] {
            assert_eq!(path(name), Ok(expected.to_owned()), "{name}");
        }
    }

    proptest! {
        #[test]
        fn a_path_never_leaves_its_folder(name in r"[a./\\:C~\x00 -]{0,12}") {
            if let Ok(Some(parts)) = place(&name) {
                let path: std::path::PathBuf = parts.iter().collect();
                let normal = |part| matches!(part, std::path::Component::Normal(_));
                prop_assert!(path.components().all(normal));
                prop_assert_eq!(path.components().count(), parts.len());
            }
        }
    }
}
