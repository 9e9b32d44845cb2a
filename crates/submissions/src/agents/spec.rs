//! Parses the agent that a user names on the command line. It reads no files; [`super::AgentBuilder`] does.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::names::FileNames;
use super::shown;
use referee_games::builtin::{BuiltinAgent, BuiltinSpecError};
use referee_games::protocol::{composed, plain};
use referee_seat::Protocol;

/// An agent as named: a source, and optionally a name.
///
/// `builtin:minimax,depth=2`, `class/ada`, `bots/greedy.py`, `./a.out`, and any of them after `NAME=`:
///
/// ```
/// use referee_submissions::agents::AgentSpec;
///
/// let spec: AgentSpec = "weak=builtin:minimax,depth=1".parse()?;
/// assert_eq!(spec.name().as_str(), "weak");
/// assert_eq!("class/ada/".parse::<AgentSpec>()?.name().as_str(), "ada");
/// # Ok::<(), referee_submissions::agents::SpecError>(())
/// ```
///
/// The text before the first `=` is a name if it contains neither `/` nor `:`; write a file whose own name contains `=`
/// with its folder: `./a=b`. Before a path, `stdio:` or `files:` says how that program is asked, whatever the others
/// do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AgentSpec {
    given_name: Option<AgentName>,
    protocol: Option<Protocol>,
    source: AgentSource,
}

/// The source of an agent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AgentSource {
    /// A built-in agent.
    Builtin(BuiltinAgent),
    /// A folder, a source file or an executable file.
    Path(PathBuf),
    /// A submission, as a student handed it in: a folder or a file that contains everything. Neighbouring files are
    /// ignored, links are not followed, and every fault is the student's.
    Submission(PathBuf),
}

/// A name that fits on one line of a table: 1 to 60 characters that are visible ([`plain`] leaves them as they are) or
/// blank, composed (NFC), without `/`, `\\` and backticks, without a leading blank or dot and without a trailing blank.
///
/// People are called by all kinds of names, so it is no file name, and needs escaping wherever a character means more
/// than itself: files of a student have names of their own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentName(String);

/// A text that does not name an agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The text is empty.
    #[error(
        "expected an agent, found an empty string: name a directory, a source file, an executable or `builtin:random`"
    )]
    Empty,
    /// The name before `=` is invalid.
    #[error("{0}; write a path as `./...`")]
    BadName(#[from] InvalidAgentName),
    /// The text after `builtin:` names no built-in agent.
    #[error(transparent)]
    Builtin(#[from] BuiltinSpecError),
}

/// A text that is not the name of an agent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a valid agent name: use 1 to 60 visible characters without `/` and `\\`", shown::name(.0))]
pub struct InvalidAgentName(String);

impl AgentSpec {
    /// The agent at `path`, under its own name.
    pub fn of_path(path: impl Into<PathBuf>) -> Self {
        Self { given_name: None, protocol: None, source: AgentSource::Path(path.into()) }
    }

    /// The submission at `path` of the student `name`.
    pub fn of_submission(name: AgentName, path: impl Into<PathBuf>) -> Self {
        Self { given_name: Some(name), protocol: None, source: AgentSource::Submission(path.into()) }
    }

    /// The source of the agent.
    pub const fn source(&self) -> &AgentSource {
        &self.source
    }

    /// How its program is asked and answers in a run whose programs do so by `usual`. A built-in agent does not live
    /// for a whole game.
    pub fn protocol(&self, usual: Protocol) -> Protocol {
        match self.source {
            AgentSource::Builtin(_) => Protocol::Files,
            AgentSource::Path(_) | AgentSource::Submission(_) => self.protocol.unwrap_or(usual),
        }
    }

    /// The given name, or the one that the source suggests: that of a folder, that of a file without its extension, or
    /// for a file named like a program of some course that of its folder.
    pub fn name(&self) -> AgentName {
        self.given_name.clone().unwrap_or_else(|| match &self.source {
            AgentSource::Builtin(agent) => AgentName::derived_from(&agent.to_string()),
            AgentSource::Path(path) | AgentSource::Submission(path) => AgentName::derived_from(&name_of_path(path)),
        })
    }
}

fn name_of_path(path: &Path) -> String {
    // `.` and `..` have names only after resolving links and dots; missing paths are refused elsewhere.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    if path.is_dir() || path.extension().is_none() {
        return text(path.file_name());
    }
    let stem = text(path.file_stem());
    if FileNames::default().is_called_like_a_program(&stem) {
        let folder = text(path.parent().and_then(Path::file_name));
        return if folder.is_empty() { stem } else { folder };
    }
    stem
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (given_name, source) = match text.split_once('=') {
            Some((name, source)) if !name.contains(['/', ':']) => (Some(name.parse()?), source),
            _ => (None, text),
        };
        if let Some(builtin) = source.strip_prefix("builtin:") {
            return Ok(Self { given_name, protocol: None, source: AgentSource::Builtin(builtin.parse()?) });
        }
        let (protocol, path) = match source.split_once(':').map(|(word, path)| (word.parse(), path)) {
            Some((Ok(protocol), path)) => (Some(protocol), path),
            Some((Err(_), _)) | None => (None, source),
        };
        if path.is_empty() {
            return Err(SpecError::Empty);
        }
        Ok(Self { given_name, protocol, source: AgentSource::Path(path.into()) })
    }
}

/// As on the command line, so that parsing it gives the same agent.
impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.given_name {
            write!(f, "{name}=")?;
        }
        if let Some(protocol) = self.protocol {
            write!(f, "{protocol}:")?;
        }
        match &self.source {
            AgentSource::Builtin(agent) => write!(f, "builtin:{agent}"),
            AgentSource::Path(path) | AgentSource::Submission(path) => write!(f, "{}", path.display()),
        }
    }
}

impl AgentName {
    /// The maximum length in characters.
    pub(super) const LONGEST: usize = 60;

    /// The name as a text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The nearest valid name: characters that show nothing are left out, and other invalid ones become `_`.
    pub fn derived_from(text: &str) -> Self {
        let visible: String = text.chars().filter(|&character| !shows_nothing(character)).collect();
        let cut: String = composed(&visible).into_iter().map(fit).take(Self::LONGEST).collect();
        let name = cut.trim_start_matches(|first| matches!(first, '.' | ' ') || is_mark(first)).trim_end();
        Self(if name.is_empty() { "agent" } else { name }.to_owned())
    }
}

/// Joiners and direction marks, which names in some scripts have.
fn shows_nothing(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Whether it is shown only upon another character.
fn is_mark(character: char) -> bool {
    plain(&character.to_string()).len() > character.len_utf8()
}

/// The character in a name that stands for it.
fn fit(character: char) -> char {
    match character {
        // As typewriters wrote an apostrophe; messages put names into backticks.
        '`' => '\'',
        '/' | '\\' => '_',
        _ if character.is_control() => '_',
        _ if character.is_whitespace() => ' ',
        // An accent or a vowel sign may follow a letter.
        _ if plain(&format!("a{character}")).len() > 1 + character.len_utf8() => '_',
        _ => character,
    }
}

impl FromStr for AgentName {
    type Err = InvalidAgentName;

    fn from_str(text: &str) -> Result<Self, InvalidAgentName> {
        // A text that is its own derived name is valid.
        let derived = Self::derived_from(text);
        if derived.0 == text { Ok(derived) } else { Err(InvalidAgentName(text.to_owned())) }
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> (String, AgentSource) {
        let spec: AgentSpec = text.parse().unwrap();
        (spec.name().to_string(), spec.source().clone())
    }

    #[test]
    fn a_spec_is_a_builtin_or_a_path_and_may_have_a_name() {
        let builtin = |text: &str| AgentSource::Builtin(text.parse().unwrap());
        let path = |text: &str| AgentSource::Path(text.into());
        let cases = [
            ("builtin:random,seed=3", "random,seed=3", builtin("random,seed=3")),
            ("easy=builtin:random", "easy", builtin("random")),
            ("class/ada_123", "ada_123", path("class/ada_123")),
            ("bots/greedy.v2.py", "greedy.v2", path("bots/greedy.v2.py")),
            ("class/ada/homework11.cpp", "ada", path("class/ada/homework11.cpp")),
            ("homework.py", "homework", path("homework.py")),
            ("Ada L.=x/y", "Ada L.", path("x/y")),
            ("O'Brien (12)/", "O'Brien (12)", path("O'Brien (12)/")),
            ("Zoe\u{308}", "Zo\u{eb}", path("Zoe\u{308}")),
            ("d’Arc – Ann & Bob", "d’Arc – Ann & Bob", path("d’Arc – Ann & Bob")),
            ("प्रिया", "प्रिया", path("प्रिया")),
            ("علی\u{200c}رضا", "علیرضا", path("علی\u{200c}رضا")),
            ("山田\u{3000}太郎", "山田 太郎", path("山田\u{3000}太郎")),
            ("./a=b", "a=b", path("./a=b")),
            ("x=./a=b", "x", path("./a=b")),
            ("stdio:class/ada", "ada", path("class/ada")),
            ("y=files:class/ada", "y", path("class/ada")),
            ("./stdio:b", "stdio:b", path("./stdio:b")),
            ("bots/\u{1b}[2J", "_[2J", path("bots/\u{1b}[2J")),
        ]
        .map(|(text, name, source)| (text.to_owned(), (name.to_owned(), source)));
        for (text, expected) in cases {
            assert_eq!(read(&text), expected, "{text:?}");
        }
    }

    #[test]
    fn what_names_nothing_is_refused() {
        let empty = "expected an agent, found an empty string: name a directory, a source file, an executable or \
                     `builtin:random`";
        let cases = [
            ("", empty),
            ("ada=", empty),
            (
                "a\nb=x",
                "`a\\nb` is not a valid agent name: use 1 to 60 visible characters without `/` and `\\`; write a path \
                 as `./...`",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(text.parse::<AgentSpec>().unwrap_err().to_string(), message, "{text:?}");
        }
    }

    #[test]
    fn a_dot_is_called_like_the_folder_it_stands_for() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(read(".").0, here.file_name().unwrap().to_string_lossy());
    }

    proptest! {
        #[test]
        fn reading_what_was_printed_is_the_identity(
            text in "([a-z .]{1,5}=)?(builtin:(random|minimax,depth=[1-9])|(stdio:|files:)?[a-z/=,.]{1,12})",
        ) {
            let Ok(spec) = text.parse::<AgentSpec>() else { return Ok(()) };
            prop_assert_eq!(spec.to_string().parse(), Ok(spec));
        }

        #[test]
        fn a_derived_name_is_a_name(text: String) {
            let name = AgentName::derived_from(&text);
            prop_assert_eq!(name.as_str().parse(), Ok(name.clone()));
        }
    }
}
