//! Detects what an output stream can show: whether it is a terminal, its size, colours and characters. Everything that
//! prints asks it; it draws nothing.
//!
//! Output that is not a terminal must be the same everywhere: UTF-8, unlimited width, and no colours unless forced. The
//! locale only describes terminals, so files and pipes must not depend on it.

use std::env;

use console::Term;

use referee_messages::{Characters, Colours, OutputStyle};

/// One of the standard streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Results.
    Stdout,
    /// Progress and errors.
    Stderr,
}

/// The capabilities of a standard stream.
#[derive(Clone, Debug)]
pub struct Terminal {
    term: Term,
    attended: bool,
    moves: bool,
    colours: Colours,
    characters: Characters,
}

/// The size of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Lines.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
}

impl Size {
    /// The size assumed for a terminal that does not report one.
    const USUAL: Self = Self { rows: 24, columns: 80 };
}

impl Terminal {
    /// The capabilities of `stream`, from its type and the environment.
    pub fn of(stream: Stream) -> Self {
        let term = match stream {
            Stream::Stdout => Term::stdout(),
            Stream::Stderr => Term::stderr(),
        };
        let variable = |name: &str| env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        let is_terminal = term.is_term();
        Self {
            attended: is_terminal,
            moves: is_terminal && !is_dumb(variable),
            colours: colours(is_terminal, variable),
            characters: characters(is_terminal, variable),
            term,
        }
    }

    /// Whether it is a terminal, so that lines must fit.
    pub const fn is_terminal(&self) -> bool {
        self.attended
    }

    /// Whether drawn lines can be overwritten.
    pub const fn moves(&self) -> bool {
        self.moves
    }

    /// Its current size; a terminal may be resized at any time.
    pub fn size(&self) -> Size {
        match self.term.size_checked() {
            Some((rows, columns)) => Size { rows: usize::from(rows), columns: usize::from(columns) },
            None => Size::USUAL,
        }
    }

    /// The current look: colours, characters and width.
    pub fn look(&self) -> OutputStyle {
        let columns = if self.attended { self.size().columns } else { usize::MAX };
        OutputStyle { colours: self.colours, characters: self.characters, columns }
    }
}

/// Whether to use colours: `NO_COLOR` disables them (<https://no-color.org>), `CLICOLOR_FORCE` forces them, otherwise
/// terminals have them unless `CLICOLOR` is 0 (<https://bixense.com/clicolors>) or they are dumb.
fn colours(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Colours {
    let says = |name: &str| variable(name).filter(|value| !value.is_empty());
    if says("NO_COLOR").is_some() {
        return Colours::Plain;
    }
    if says("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        return Colours::Ansi;
    }
    let is_wanted = says("CLICOLOR").is_none_or(|value| value != "0");
    if is_terminal && is_wanted && !is_dumb(variable) { Colours::Ansi } else { Colours::Plain }
}

/// Whether a terminal cannot move its cursor, or its type is unknown (terminfo(5), `dumb`).
fn is_dumb(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable("TERM").is_none_or(|kind| kind.is_empty() || kind == "dumb")
}

/// The available characters, by the first locale variable that is set (locale(7)). The POSIX locale has only ASCII, and
/// is the default.
fn characters(is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Characters {
    if !is_terminal {
        return Characters::Unicode;
    }
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| variable(name).filter(|value| !value.is_empty()));
    let locale = locale.unwrap_or_default();
    // language_TERRITORY.charset@modifier
    let charset = locale.split_once('.').map_or("", |(_, charset)| charset);
    let charset = charset.split('@').next().unwrap_or_default();
    if ["utf-8", "utf8"].iter().any(|name| charset.eq_ignore_ascii_case(name)) {
        Characters::Unicode
    } else {
        Characters::Ascii
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<'a>(environment: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |name| {
            let found = environment.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        }
    }

    #[test]
    fn colours_follow_the_environment() {
        use Colours::{Ansi, Plain};
        const XTERM: (&str, &str) = ("TERM", "xterm");
        type Environment = &'static [(&'static str, &'static str)];
        let cases: &[(Environment, Colours, Colours)] = &[
            (&[XTERM], Ansi, Plain),
            (&[], Plain, Plain),
            (&[("TERM", "dumb")], Plain, Plain),
            (&[XTERM, ("NO_COLOR", "1")], Plain, Plain),
            (&[XTERM, ("NO_COLOR", "0")], Plain, Plain),
            (&[XTERM, ("NO_COLOR", "")], Ansi, Plain),
            (&[XTERM, ("CLICOLOR", "0")], Plain, Plain),
            (&[XTERM, ("CLICOLOR", "1")], Ansi, Plain),
            (&[XTERM, ("CLICOLOR_FORCE", "1")], Ansi, Ansi),
            (&[XTERM, ("CLICOLOR_FORCE", "0")], Ansi, Plain),
            (&[("TERM", "dumb"), ("CLICOLOR_FORCE", "1")], Ansi, Ansi),
            (&[XTERM, ("CLICOLOR_FORCE", "1"), ("CLICOLOR", "0")], Ansi, Ansi),
            (&[XTERM, ("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], Plain, Plain),
        ];
        for (environment, terminal, pipe) in cases {
            assert_eq!(colours(true, of(environment)), *terminal, "{environment:?}");
            assert_eq!(colours(false, of(environment)), *pipe, "{environment:?}");
        }
    }

    #[test]
    fn characters_follow_the_locale_on_terminals_alone() {
        use Characters::{Ascii, Unicode};
        let cases: &[(&[(&str, &str)], Characters)] = &[
            (&[], Ascii),
            (&[("LANG", "en_US.UTF-8")], Unicode),
            (&[("LANG", "de_DE.utf8@euro")], Unicode),
            (&[("LANG", "C.UTF-8")], Unicode),
            (&[("LANG", "C")], Ascii),
            (&[("LANG", "POSIX")], Ascii),
            (&[("LANG", "de_DE.ISO-8859-1")], Ascii),
            (&[("LANG", "en_US.UTF-8"), ("LC_CTYPE", "C")], Ascii),
            (&[("LANG", "C"), ("LC_CTYPE", "C.utf8")], Unicode),
            (&[("LANG", "en_US.UTF-8"), ("LC_ALL", "C")], Ascii),
            (&[("LANG", "en_US.UTF-8"), ("LC_ALL", "")], Unicode),
        ];
        for (environment, expected) in cases {
            assert_eq!(characters(true, of(environment)), *expected, "{environment:?}");
            assert_eq!(characters(false, of(environment)), Unicode);
        }
    }
}
