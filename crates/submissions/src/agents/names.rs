//! The file names of a submission's programs, and the language of each.
//!
//! Either an assignment lists the names, or they are the usual ones; misspelled names are recognized. It reads no
//! files; [`super::Submission`] interprets folders. A program's name must determine exactly one language. Every pattern
//! must itself be a matching name.

use std::str::FromStr;

use super::language::{CppStandard, Language, PythonVersion};
use referee_games::GameRef;

/// The file names of a course's submissions (RULES.md, section 1, "Names and languages").
///
/// The meaning of `homework.py` changed over the years, and homeworks use different names, so an assignment can list
/// its own. By default `homework.py` and `homework3.py` are Python 3, `homework2.py` is Python 2, `homework.cpp` is
/// C++17 and `homework11.cpp` C++11, `homework.java` is Java, and each may have a `calibrate` program of the same kind:
///
/// ```
/// use referee_submissions::agents::{CppStandard, FileNames, Language};
///
/// let names = FileNames::default();
/// assert_eq!(names.language_by_extension("homework11.cpp"), Some(Language::Cpp(CppStandard::Cpp11)));
/// assert_eq!(names.language_by_extension("greedy.cpp"), Some(Language::Cpp(CppStandard::Cpp17)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileNames {
    programs: Vec<(NamePattern, Language)>,
    calibrate: Vec<(NamePattern, Language)>,
    first_counts: bool,
}

/// A file name with at most one `*`, which matches any characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern {
    before: String,
    /// The part after the `*`, if there is one.
    after: Option<String>,
}

/// A text that cannot be a file name in a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a file name without a directory, with at most one `*`, such as `homework.py` or `hw1*.py`")]
pub struct PatternError;

/// The purpose of a program: each role has its file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramRole {
    /// Answers `input.txt`.
    Homework,
    /// Writes `calibration.txt`, once.
    Calibrate,
}

/// Most courses' programs begin with this, ...
const HOMEWORK: &str = "homework";

/// ... and programs that measure the machine's speed begin with this instead.
const CALIBRATE: &str = "calibrate";

impl FileNames {
    /// The names of an assignment. If it lists no `calibrate` programs, each program that begins with `homework` may
    /// have one, with `calibrate` instead.
    pub fn new(programs: Vec<(NamePattern, Language)>, calibrate: Option<Vec<(NamePattern, Language)>>) -> Self {
        let of_same_kind = |(pattern, language): &(NamePattern, Language)| {
            let ending = pattern.before.strip_prefix(HOMEWORK)?;
            let pattern = NamePattern { before: format!("{CALIBRATE}{ending}"), after: pattern.after.clone() };
            Some((pattern, *language))
        };
        let calibrate = calibrate.unwrap_or_else(|| programs.iter().filter_map(of_same_kind).collect());
        Self { programs, calibrate, first_counts: false }
    }

    /// The same names; `first_counts` if the first of them decides where a folder has several programs.
    #[must_use]
    pub fn with_first_counting(self, first_counts: bool) -> Self {
        Self { first_counts, ..self }
    }

    /// The place of the file's name among the names of `role`, if their order decides between several programs.
    pub(super) fn precedence(&self, role: ProgramRole, file: &str) -> Option<usize> {
        let fits = |(pattern, _): &(NamePattern, Language)| pattern.fits(file);
        self.names_of(role).iter().position(fits).filter(|_| self.first_counts)
    }

    /// The names for homeworks of `game` without an assignment: its own, and the usual ones.
    pub fn of_game(game: GameRef) -> Self {
        let own = game.profile().program_names.iter().map(|&(name, word)| {
            let language = Language::of_word(word).expect("a profile names languages as assignments do");
            (NamePattern::exactly(name), language)
        });
        let usual = Self::default();
        Self { programs: own.chain(usual.programs.clone()).collect(), ..usual }
    }

    /// The same programs with other names for `calibrate`.
    #[must_use]
    pub fn with_calibrate(self, calibrate: Vec<(NamePattern, Language)>) -> Self {
        Self { calibrate, ..self }
    }

    const fn names_of(&self, role: ProgramRole) -> &Vec<(NamePattern, Language)> {
        match role {
            ProgramRole::Homework => &self.programs,
            ProgramRole::Calibrate => &self.calibrate,
        }
    }

    /// The language of the file with this exact name, if the name belongs to `role`: a literal name precedes a pattern,
    /// and a longer pattern a shorter one.
    pub(super) fn language_of(&self, role: ProgramRole, file: &str) -> Option<Language> {
        let fitting = self.names_of(role).iter().filter(|(pattern, _)| pattern.fits(file));
        let best = fitting.max_by_key(|(pattern, _)| (pattern.after.is_none(), pattern.length()));
        best.map(|(_, language)| *language)
    }

    /// The name of `role` that `file` was meant to have: with another letter case, additions by desktops, or another
    /// extension of the same language. The name itself if it is right.
    pub(super) fn meant(&self, role: ProgramRole, file: &str) -> Option<String> {
        let file = canonical_name(file);
        let mut patterns = self.names_of(role).iter();
        patterns.find_map(|(pattern, _)| pattern.respelled(&file))
    }

    /// The name of a program for messages; with its language and the names of other languages if these differ only in
    /// the name: `` `homework2.py` if it is Python 2, or to `homework.py` if it is Python 3 ``. Students number their
    /// files by homework, and number 2 would be Python 2.
    pub(super) fn with_meanings(&self, name: &str) -> String {
        let shown = super::shown::name;
        let Some(language) = self.language_of(ProgramRole::Homework, name) else {
            return shown(name);
        };
        let mut meanings = vec![(shown(name), language)];
        for (pattern, other) in &self.programs {
            let is_known = meanings.iter().any(|(_, known)| known == other);
            if other.extension() == language.extension() && !is_known {
                meanings.push((shown(&pattern.simplest()), *other));
            }
        }
        match meanings.as_slice() {
            [_] => shown(name),
            several => {
                let several = several.iter().map(|(name, language)| format!("{name} if it is {language}"));
                several.collect::<Vec<_>>().join(", or to ")
            }
        }
    }

    /// Whether a file of this name is a program of any role.
    pub fn is_program(&self, file: &str) -> bool {
        let is = |role| self.language_of(role, file).is_some();
        is(ProgramRole::Homework) || is(ProgramRole::Calibrate)
    }

    /// Whether a file of this name is a program of these, or was meant to be the one that plays.
    pub fn is_meant_for_a_program(&self, file: &str) -> bool {
        self.is_program(file) || self.meant(ProgramRole::Homework, file).is_some()
    }

    /// The name of a program in `language`.
    pub fn program_in(&self, language: Language) -> String {
        let known = self.programs.iter().find(|(_, known)| *known == language);
        known.map_or_else(|| format!("{HOMEWORK}.{}", language.extension()), |(pattern, _)| pattern.simplest())
    }

    /// The name and the language of the program that is listed first.
    pub fn first_program(&self) -> (String, Language) {
        let first = self.programs.first().map(|(pattern, language)| (pattern.simplest(), *language));
        first.unwrap_or_else(|| (format!("{HOMEWORK}.py"), Language::Python(PythonVersion::Three)))
    }

    /// The names of programs, for messages: `` `homework.py` or `homework.cpp` ``.
    pub(super) fn listed(&self) -> String {
        let names: Vec<String> = self.programs.iter().map(|(pattern, _)| super::shown::name(&pattern.text())).collect();
        match names.split_last() {
            None => String::new(),
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
        }
    }

    /// The language of a single file: by its whole name if that determines one, else by its extension, like the
    /// shortest name with this extension.
    pub fn language_by_extension(&self, file: &str) -> Option<Language> {
        let (_, extension) = file.rsplit_once('.')?;
        let by_extension = || {
            let same = self.programs.iter().filter(|(_, language)| language.extension() == extension);
            same.min_by_key(|(pattern, _)| pattern.length()).map(|(_, language)| *language)
        };
        self.language_of(ProgramRole::Homework, file)
            .or_else(|| self.language_of(ProgramRole::Calibrate, file))
            .or_else(by_extension)
    }

    /// Whether a file with this stem is named like a program of some course, rather than like its author.
    pub(super) fn is_called_like_a_program(&self, stem: &str) -> bool {
        let stem = stem.to_lowercase();
        let own = self.programs.iter().map(|(pattern, _)| pattern.before.as_str());
        let games = GameRef::all().flat_map(|game| game.profile().program_names.iter().map(|(name, _)| *name));
        let starts = own.chain(games).filter_map(|name| name.split('.').next());
        let mut starts = starts.chain([HOMEWORK]).filter(|start| !start.is_empty());
        starts.any(|start| stem.starts_with(&start.to_lowercase()))
    }
}

impl Default for FileNames {
    fn default() -> Self {
        let names = [
            ("homework.py", Language::Python(PythonVersion::Three)),
            ("homework2.py", Language::Python(PythonVersion::Two)),
            ("homework3.py", Language::Python(PythonVersion::Three)),
            ("homework.cpp", Language::Cpp(CppStandard::Cpp17)),
            ("homework11.cpp", Language::Cpp(CppStandard::Cpp11)),
            ("homework.java", Language::Java),
        ];
        let names = names.map(|(name, language)| (NamePattern::exactly(name), language));
        Self::new(names.into(), None)
    }
}

impl NamePattern {
    /// A pattern that matches only `name`.
    fn exactly(name: &str) -> Self {
        Self { before: name.to_owned(), after: None }
    }

    /// As written.
    pub fn text(&self) -> String {
        match &self.after {
            None => self.before.clone(),
            Some(after) => format!("{}*{after}", self.before),
        }
    }

    /// The shortest matching name.
    fn simplest(&self) -> String {
        match &self.after {
            None => self.before.clone(),
            Some(after) if self.before.is_empty() && after.starts_with('.') => format!("{HOMEWORK}{after}"),
            Some(after) => format!("{}{after}", self.before),
        }
    }

    /// The number of fixed bytes.
    fn length(&self) -> usize {
        self.before.len() + self.after.as_ref().map_or(0, String::len)
    }

    fn fits(&self, file: &str) -> bool {
        self.respelled_as(file, str::to_owned).is_some_and(|name| name == file)
    }

    /// The matching name that equals `file` except for letter case.
    fn respelled(&self, file: &str) -> Option<String> {
        self.respelled_as(&file.to_lowercase(), str::to_lowercase)
    }

    /// The matching name that equals `file` under `form`.
    fn respelled_as(&self, file: &str, form: impl Fn(&str) -> String) -> Option<String> {
        let rest = file.strip_prefix(&form(&self.before))?;
        match &self.after {
            None => rest.is_empty().then(|| self.before.clone()),
            Some(after) => rest.strip_suffix(&form(after)).map(|between| format!("{}{between}{after}", self.before)),
        }
    }
}

impl FromStr for NamePattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let is_odd = |character: char| character == '/' || character.is_control();
        if text.is_empty() || text.len() > 100 || text.starts_with('.') || text.contains(is_odd) {
            return Err(PatternError);
        }
        let (before, after) = match text.split_once('*') {
            None => (text, None),
            Some((_, after)) if after.contains('*') => return Err(PatternError),
            Some((before, after)) => (before, Some(after.to_owned())),
        };
        Ok(Self { before: before.to_owned(), after })
    }
}

/// A name without additions by desktops, and with the usual extension of its language.
fn canonical_name(name: &str) -> String {
    let name = without_ending(name, ".txt").unwrap_or(name);
    let Some((stem, extension)) = name.rsplit_once('.') else {
        return name.to_owned();
    };
    let extension = match extension.to_lowercase().as_str() {
        "c" | "cc" | "cxx" | "c++" => "cpp".to_owned(),
        "py3" | "pyw" => "py".to_owned(),
        _ => extension.to_owned(),
    };
    format!("{}.{extension}", without_copy_mark(stem))
}

/// `homework (1)`, `homework - Copy`, `homework copy`
fn without_copy_mark(stem: &str) -> &str {
    let number = |stem: &str| -> Option<usize> {
        let (before, number) = stem.strip_suffix(')')?.rsplit_once('(')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then_some(before.len())
    };
    let stem = number(stem).map_or(stem, |end| &stem[..end]).trim_end();
    let stem = without_ending(stem, "copy").map_or(stem, |before| {
        let cut = before.trim_end_matches([' ', '-', '_']);
        if cut.len() < before.len() { cut } else { stem }
    });
    stem.trim_end()
}

/// The part before `ending`, in any letter case.
fn without_ending<'a>(text: &'a str, ending: &str) -> Option<&'a str> {
    let (before, end) = text.split_at_checked(text.len().checked_sub(ending.len())?)?;
    end.eq_ignore_ascii_case(ending).then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PYTHON2: Option<Language> = Some(Language::Python(PythonVersion::Two));
    const PYTHON3: Option<Language> = Some(Language::Python(PythonVersion::Three));
    const CPP11: Option<Language> = Some(Language::Cpp(CppStandard::Cpp11));
    const CPP17: Option<Language> = Some(Language::Cpp(CppStandard::Cpp17));

    /// As in an assignment: each name with the word of its language.
    fn names(listed: &[(&str, &str)]) -> FileNames {
        let listed = listed.iter().map(|(name, word)| (name.parse().unwrap(), Language::of_word(word).unwrap()));
        FileNames::new(listed.collect(), None)
    }

    #[test]
    fn every_game_knows_its_own_names_and_the_usual_ones() {
        for game in GameRef::all() {
            let names = FileNames::of_game(game);
            for (name, word) in game.profile().program_names {
                let language = Language::of_word(word);
                assert!(language.is_some(), "{game}: {word}");
                assert_eq!(names.language_of(ProgramRole::Homework, name), language, "{game}: {name}");
            }
            assert_eq!(names.language_of(ProgramRole::Homework, "homework.py"), PYTHON3, "{game}");
            assert_eq!(names.language_of(ProgramRole::Calibrate, "calibrate.py"), PYTHON3, "{game}");
        }
    }

    #[test]
    fn names_tell_languages() {
        let usual = FileNames::default();
        let alone = ["greedy.py", "x11.cpp", "Bot.java", "a.out", "py"].map(|file| usual.language_by_extension(file));
        assert_eq!(alone, [PYTHON3, CPP17, Some(Language::Java), None, None], "a file alone goes by its extension");
        let cases = [
            ("homework.py", PYTHON3),
            ("homework2.py", PYTHON2),
            ("homework3.py", PYTHON3),
            ("homework.cpp", CPP17),
            ("homework11.cpp", CPP11),
            ("homework.java", Some(Language::Java)),
            ("hw1cs561s2018.py", None),
            ("homework11.py", None),
            ("homework.c", None),
            ("Homework.py", None),
            ("calibrate.py", None),
        ];
        for (file, language) in cases {
            assert_eq!(usual.language_of(ProgramRole::Homework, file), language, "{file}");
            let calibrate = file.replace("homework", "calibrate");
            if language.is_some() {
                assert_eq!(usual.language_by_extension(&calibrate), language, "{calibrate}");
            }
            if file.starts_with("homework") {
                assert_eq!(usual.language_of(ProgramRole::Calibrate, &calibrate), language, "{calibrate}");
            }
        }
    }

    #[test]
    fn an_assignment_has_its_own_names() {
        let go = names(&[("my_player.py", "python2"), ("my_player3.py", "python3"), ("my_player11.cpp", "c++11")]);
        assert_eq!(go.language_of(ProgramRole::Homework, "my_player.py"), PYTHON2);
        assert_eq!(go.language_of(ProgramRole::Homework, "my_player3.py"), PYTHON3);
        assert_eq!(go.language_of(ProgramRole::Homework, "homework.py"), None);
        assert_eq!(go.language_of(ProgramRole::Calibrate, "calibrate.py"), None);
        assert_eq!(go.listed(), "`my_player.py`, `my_player3.py` or `my_player11.cpp`");
        assert_eq!(go.meant(ProgramRole::Homework, "My_Player3.PY"), Some("my_player3.py".to_owned()));
        assert!(go.is_called_like_a_program("my_player3"));
        let capitals = names(&[("MyPlayer.java", "java")]);
        assert_eq!(capitals.language_of(ProgramRole::Homework, "MyPlayer.java"), Some(Language::Java));
        assert_eq!(capitals.meant(ProgramRole::Homework, "myplayer.java"), Some("MyPlayer.java".to_owned()));
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        let year = names(&[("hw*.py", "python3"), ("hw1cs561s2018.py", "python2"), ("hw1*.py", "python2")]);
        for (file, language) in [
            ("hw2cs561.py", PYTHON3),
            ("hw.py", PYTHON3),
            ("hw1.py", PYTHON2),
            ("hw1cs561s2018.py", PYTHON2),
            ("h.py", None),
            ("hw1.cpp", None),
        ] {
            assert_eq!(year.language_of(ProgramRole::Homework, file), language, "{file}");
        }
        assert_eq!(year.meant(ProgramRole::Homework, "HW7.py.txt"), Some("hw7.py".to_owned()));
        assert_eq!(year.program_in(Language::Python(PythonVersion::Three)), "hw.py");
        assert_eq!(names(&[("*.py", "python3")]).program_in(Language::Python(PythonVersion::Three)), "homework.py");
        for text in ["", "a/b.py", "a*b*.py", ".py", "a\nb.py"] {
            assert_eq!(text.parse::<NamePattern>(), Err(PatternError), "{text:?}");
        }
    }
}
