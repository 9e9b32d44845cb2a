//! Writes a working example of a custom game, to change. `referee new-game` calls it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::launch::MODULES;
use referee_games::GameRef;

const PYTHON: &str = include_str!("new_game/tic_tac_toe.py");
const CPP: &str = include_str!("new_game/tic_tac_toe.cpp");
const ASSIGNMENT: &str = include_str!("new_game/assignment.toml");
const FIRST: &str = include_str!("new_game/first_agent.py");
const SECOND: &str = include_str!("new_game/second_agent.py");
const TESTS: &str = include_str!("new_game/test_rules.py");
/// Keywords and standard modules, which a file of rules would hide from the tests, or which cannot be imported.
const PYTHON_NAMES: &str = include_str!("new_game/python_names.txt");
const CPP_TESTS: &str = include_str!("new_game/test_rules.cpp");

/// The game that the example is, ...
const EXAMPLE: &str = "tic-tac-toe";

/// ... and what it is called, which has hyphens unlike other titles.
const EXAMPLE_TITLE: &str = "Tic-tac-toe";

/// The language of the example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewGameLanguage {
    /// Python 3.
    Python,
    /// C++17.
    Cpp,
}

/// Why no example was written.
#[derive(Debug, thiserror::Error)]
pub enum NewGameError {
    /// It cannot be the name of a game.
    #[error(
        "`{0}` cannot be the name of a game: expected 1 to 40 small letters, digits and `-`, beginning with a letter"
    )]
    Name(String),
    /// It is the name of a built-in game.
    #[error("`{0}` is a built-in game; give yours another name")]
    Builtin(String),
    /// Python has a meaning for it.
    #[error("`{0}` is a keyword or a module of Python, so its tests could not import it; give yours another name")]
    Python(String),
    /// There is something of that name.
    #[error("`{}` exists; choose another name, or remove it", .0.display())]
    Exists(PathBuf),
    /// A file cannot be written.
    #[error("cannot write `{}`: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}

/// Writes an example called `name` into a new folder of that name in `within`: the rules, an assignment, two agents
/// and tests. Returns the files, the rules first.
///
/// # Errors
///
/// [`NewGameError`]; nothing that exists is changed.
pub fn write_new_game(within: &Path, name: &str, language: NewGameLanguage) -> Result<Vec<PathBuf>, NewGameError> {
    let is_sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.len() > 40 || !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(is_sign) {
        return Err(NewGameError::Name(referee_games::protocol::plain(name)));
    }
    if GameRef::all().any(|game| game.name() == name) {
        return Err(NewGameError::Builtin(name.to_owned()));
    }
    if language == NewGameLanguage::Python && PYTHON_NAMES.split_whitespace().any(|taken| taken == name) {
        return Err(NewGameError::Python(name.to_owned()));
    }
    let folder = within.join(name);
    if folder.symlink_metadata().is_ok() {
        return Err(NewGameError::Exists(folder));
    }
    let module = name.replace('-', "_");
    let title = title_of(name);
    let class = class_of(name);
    let filled = |text: &str| {
        text.replace(EXAMPLE, name)
            .replace("TicTacToe", &class)
            .replace(&format!("\"{EXAMPLE_TITLE}\""), &format!("\"{title}\""))
            .replace("TITLE", &title)
            .replace("MODULE", &module)
    };
    let [python, cpp] = MODULES;
    let (extension, rules, (library, library_text), tests) = match language {
        NewGameLanguage::Python => ("py", PYTHON, python, TESTS),
        NewGameLanguage::Cpp => ("cpp", CPP, cpp, CPP_TESTS),
    };
    let assignment = filled(ASSIGNMENT).replace(".py\"  # rules", &format!(".{extension}\""));
    let files = [
        (format!("rules/{module}.{extension}"), filled(rules)),
        (format!("rules/{library}"), library_text.to_owned()),
        ("assignment.toml".to_owned(), assignment),
        ("agents/first/homework.py".to_owned(), FIRST.to_owned()),
        ("agents/second/homework.py".to_owned(), SECOND.to_owned()),
        (format!("test_rules.{extension}"), filled(tests)),
    ];
    files.into_iter().map(|(path, text)| write(folder.join(path), &text)).collect()
}

fn write(path: PathBuf, text: &str) -> Result<PathBuf, NewGameError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    match made.and_then(|()| fs::write(&path, text)) {
        Ok(()) => Ok(path),
        Err(source) => Err(NewGameError::Write { path, source }),
    }
}

/// `tic-tac-toe`: `TicTacToe`; not a name that Python or one of our modules has.
fn class_of(name: &str) -> String {
    let class: String = name.split('-').map(capitalized).collect();
    let is_defined = |text: &str| {
        let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let mut pairs = words.windows(2);
        pairs.any(|pair| matches!(pair[0], "class" | "struct") && pair[1] == class)
    };
    if MODULES.iter().any(|(_, text)| is_defined(text)) || matches!(&*class, "None" | "True" | "False") {
        format!("{class}Game")
    } else {
        class
    }
}

/// `lines-of-action`: `Lines of action`.
fn title_of(name: &str) -> String {
    if name == EXAMPLE { EXAMPLE_TITLE.to_owned() } else { capitalized(&name.replace('-', " ")) }
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_python_could_not_import_are_refused() {
        for name in ["class", "sys", "unittest"] {
            let refused = write_new_game(Path::new("/nonexistent"), name, NewGameLanguage::Python);
            assert!(matches!(refused, Err(NewGameError::Python(_))), "{refused:?}");
        }
    }
}
