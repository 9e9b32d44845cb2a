//! Which files a rules program consists of: the one definition for what is copied, digested, stored with a run and
//! packed for other machines. `launch` and `referee autograder` call it. It reads files and writes none.
//!
//! All files of a folder belong to the program. A file named alone brings what it imports or includes from its own
//! folder, and what those files import in turn; other neighbours are none of its business.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The most files, and the most bytes, that a rules program has.
const MAX_FILES: usize = 1_000;
const MAX_BYTES: u64 = 64 << 20;

/// The files of a rules program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramFiles {
    /// The file that was named; `None` if a folder was.
    pub main: Option<PathBuf>,
    /// The others, by their paths below the folder, or below that of the main file.
    pub others: BTreeMap<PathBuf, PathBuf>,
}

impl ProgramFiles {
    /// The files of the program at `path`, a file or a folder without links on its way.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or there are too many of them.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut found = Finder::default();
        if path.is_dir() {
            found.add_folder(path, Path::new(""))?;
            return Ok(Self { main: None, others: found.files });
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let own = path.file_name().map(PathBuf::from).unwrap_or_default();
        found.add_file(&own, path)?;
        while let Some(name) = found.unread.pop() {
            for wanted in named_in(&name, &folder.join(&name))? {
                found.add_if_there(folder, &wanted)?;
            }
        }
        found.files.remove(&own);
        Ok(Self { main: Some(path.to_owned()), others: found.files })
    }
}

#[derive(Default)]
struct Finder {
    files: BTreeMap<PathBuf, PathBuf>,
    bytes: u64,
    /// The files whose imports have not been followed.
    unread: Vec<PathBuf>,
}

impl Finder {
    fn add_file(&mut self, name: &Path, path: &Path) -> io::Result<()> {
        if self.files.insert(name.to_owned(), path.to_owned()).is_none() {
            self.bytes += fs::metadata(path)?.len();
            self.unread.push(name.to_owned());
        }
        if self.files.len() > MAX_FILES || self.bytes > MAX_BYTES {
            return Err(io::Error::other(format!(
                "its folder has more than {MAX_FILES} files or {} MiB; give the rules a folder of their own",
                MAX_BYTES >> 20
            )));
        }
        Ok(())
    }

    /// Adds all files of `folder`, which the program calls `name`, without what tools leave there.
    fn add_folder(&mut self, folder: &Path, name: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (kind, own) = (entry.file_type()?, entry.file_name());
            if own == "__pycache__" || own == ".git" {
                continue;
            }
            // A link to a file stands for it; one to a folder might lead back here.
            if kind.is_dir() {
                self.add_folder(&entry.path(), &name.join(own))?;
            } else if kind.is_file() || kind.is_symlink() && entry.path().is_file() {
                self.add_file(&name.join(own), &entry.path())?;
            }
        }
        Ok(())
    }

    fn add_if_there(&mut self, folder: &Path, name: &Path) -> io::Result<()> {
        let path = folder.join(name);
        if path.is_file() {
            self.add_file(name, &path)
        } else if path.is_dir() {
            self.add_folder(&path, name)
        } else {
            Ok(())
        }
    }
}

/// What the source file `name`, at `path`, may mean of its program's folder: files, and folders that are packages of
/// Python. Most of it is not there, because it belongs to the language.
fn named_in(name: &Path, path: &Path) -> io::Result<Vec<PathBuf>> {
    let extension = name.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let named: fn(&Path, &str) -> Vec<PathBuf> = match extension {
        "py" => imported,
        "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "inc" | "ipp" | "tpp" => included,
        "java" => named_classes,
        _ => return Ok(Vec::new()),
    };
    Ok(named(name, &String::from_utf8_lossy(&fs::read(path)?)))
}

/// `import a.b as c, d` and `from a.b import c`: `a.py` or the package `a`, and `d`.
fn imported(_: &Path, text: &str) -> Vec<PathBuf> {
    let modules = text.lines().flat_map(|line| {
        let line = line.trim();
        let list = line.strip_prefix("import ").map(|list| list.split(',').collect::<Vec<_>>());
        let from =
            line.strip_prefix("from ").and_then(|rest| rest.split_once(" import")).map(|(module, _)| vec![module]);
        list.or(from).unwrap_or_default()
    });
    let names = modules.filter_map(|module| {
        let first = module.trim().split(|sign: char| !sign.is_alphanumeric() && sign != '_').next()?;
        (!first.is_empty()).then_some(first)
    });
    names.flat_map(|name| [PathBuf::from(format!("{name}.py")), PathBuf::from(name)]).collect()
}

/// `#include "x.hpp"`, relative to the file and to the program's folder.
fn included(name: &Path, text: &str) -> Vec<PathBuf> {
    let headers = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let (header, _) = rest.trim_start().strip_prefix('"')?.split_once('"')?;
        Some(PathBuf::from(header))
    });
    let here = name.parent().unwrap_or(Path::new(""));
    headers.flat_map(|header| [here.join(&header), header]).filter_map(|path| inside(&path)).collect()
}

/// Classes of Java need no import within their folder: any word may be one.
fn named_classes(_: &Path, text: &str) -> Vec<PathBuf> {
    let words = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_' && sign != '$');
    let names = words.filter(|word| word.starts_with(|sign: char| sign.is_alphabetic()));
    names.map(|name| PathBuf::from(format!("{name}.java"))).collect()
}

/// The path without `.` and `..`; `None` if it leads out of the folder.
fn inside(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir if plain.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain).filter(|plain| !plain.as_os_str().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn others(files: &[(&str, &str)], named: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found = ProgramFiles::of(&folder.path().join(named)).unwrap();
        assert_eq!(found.main.is_some(), !named.is_empty());
        found.others.into_keys().map(|name| name.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_python_file_brings_what_it_imports_and_what_that_imports() {
        let files = [
            (
                "pente.py",
                "import json, board as b\nfrom captures.pairs import pairs\nfrom referee_rules import (\n Game)",
            ),
            ("board.py", "def f():\n    import squares\n"),
            ("squares.py", "import pente"),
            ("captures/__init__.py", ""),
            ("captures/pairs.py", "import symmetry"),
            ("captures/__pycache__/pairs.pyc", ""),
            ("symmetry.py", ""),
            ("referee_rules.py", ""),
            ("gomoku.py", "import board"),
            ("notes.txt", "import gomoku"),
        ];
        let expected =
            ["board.py", "captures/__init__.py", "captures/pairs.py", "referee_rules.py", "squares.py", "symmetry.py"];
        assert_eq!(others(&files, "pente.py"), expected);
    }

    #[test]
    fn a_file_in_cpp_brings_its_includes_from_its_folder_alone() {
        let files = [
            ("pente.cpp", "#include <vector>\n# include \"lib/board.hpp\"\n#include \"../outside.hpp\"\n"),
            ("lib/board.hpp", "#include \"squares.hpp\"\n#include \"../rules.inc\""),
            ("lib/squares.hpp", ""),
            ("lib/unused.hpp", ""),
            ("rules.inc", ""),
            ("vector", ""),
        ];
        assert_eq!(others(&files, "pente.cpp"), ["lib/board.hpp", "lib/squares.hpp", "rules.inc"]);
    }

    #[test]
    fn a_class_of_java_brings_the_classes_that_it_names() {
        let files = [
            ("rules.java", "class rules { Board board = new Board(); }"),
            ("Board.java", "class Board extends Grid<Square> {}"),
            ("Square.java", "class Square {}"),
            ("Other.java", "class Other {}"),
        ];
        assert_eq!(others(&files, "rules.java"), ["Board.java", "Square.java"]);
    }

    #[test]
    fn a_folder_is_the_program_without_what_tools_leave_there() {
        let files = [("rules.py", ""), ("data/book.txt", ""), ("__pycache__/rules.pyc", ""), (".git/HEAD", "")];
        assert_eq!(others(&files, ""), ["data/book.txt", "rules.py"]);
    }
}
