//! The languages of the courses, and how a file's name tells its language.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The language that a program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Run by an interpreter from its source.
    Python(PythonVersion),
    /// Compiled to an executable file.
    Cpp(CppStandard),
    /// Compiled to classes, of which the one called like the file is run.
    Java,
}

/// Which Python: the two are different languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PythonVersion {
    /// Python 2.7.
    Two,
    /// Whatever Python 3 the machine has.
    Three,
}

/// Which C++. Either comes with the GNU extensions, as from a compiler that is run without any option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CppStandard {
    /// C++11.
    Cpp11,
    /// C++17: what the 2024 handout asks for, and the default of every g++ since version 11.
    Cpp17,
}

/// Which course's names are in force (RULES.md, section 1, "Names and languages").
///
/// The meaning of `homework.py` has changed over the years; `homework2.py` and `homework3.py` cannot be misunderstood and
/// are taken under any convention. Names are exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conventions {
    /// `homework.py` is Python 3, as since 2021.
    #[default]
    Modern,
    /// `homework.py` is Python 2, as in the fall of 2019.
    #[serde(rename = "fall-2019")]
    Fall2019,
    /// `hw1cs561s2018.py` is a program, too, and like `homework.py` in Python 2, as in the spring of 2018.
    #[serde(rename = "spring-2018")]
    Spring2018,
}

/// The one name of the spring of 2018: "You need to create a file named "hw1cs561s2018.py"" (handout, section 2).
const NAME_OF_2018: &str = "hw1cs561s2018.py";

/// What a submission's program is for: each role has its file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Answers `input.txt`.
    Homework,
    /// Writes `calibration.txt`, once.
    Calibrate,
}

impl Role {
    pub(super) const fn stem(self) -> &'static str {
        match self {
            Self::Homework => "homework",
            Self::Calibrate => "calibrate",
        }
    }
}

impl Conventions {
    /// What may follow a role's name, and the language it tells.
    const fn endings(self) -> [(&'static str, Language); 6] {
        let plain_python = match self {
            Self::Modern => PythonVersion::Three,
            Self::Fall2019 | Self::Spring2018 => PythonVersion::Two,
        };
        [
            (".py", Language::Python(plain_python)),
            ("2.py", Language::Python(PythonVersion::Two)),
            ("3.py", Language::Python(PythonVersion::Three)),
            (".cpp", Language::Cpp(CppStandard::Cpp17)),
            ("11.cpp", Language::Cpp(CppStandard::Cpp11)),
            (".java", Language::Java),
        ]
    }

    /// The language of the file of that exact name, if it is one of the names of `role`.
    pub(super) fn language_of(self, role: Role, file: &str) -> Option<Language> {
        if self == Self::Spring2018 && role == Role::Homework && file == NAME_OF_2018 {
            return Some(Language::Python(PythonVersion::Two));
        }
        let ending = file.strip_prefix(role.stem())?;
        self.endings()
            .into_iter()
            .find_map(|(known, language)| (known == ending).then_some(language))
    }

    /// What a program in `language` is called.
    pub(super) fn homework_in(self, language: Language) -> String {
        let endings = self.endings();
        let ending = endings
            .iter()
            .find_map(|(ending, known)| (*known == language).then_some(*ending));
        format!("{}{}", Role::Homework.stem(), ending.unwrap_or_default())
    }

    /// The names of the programs of a submission, for messages.
    pub(super) const fn homework_names(self) -> &'static str {
        match self {
            Self::Modern | Self::Fall2019 => {
                "`homework.py`, `homework2.py`, `homework3.py`, `homework.cpp`, `homework11.cpp` or `homework.java`"
            }
            Self::Spring2018 => {
                "`hw1cs561s2018.py`, `homework.py`, `homework2.py`, `homework3.py`, `homework.cpp`, `homework11.cpp` or \
                 `homework.java`"
            }
        }
    }

    /// The language of a file that is named on its own: by its extension, and by the whole name where that says more.
    pub fn language_by_extension(self, file: &str) -> Option<Language> {
        let (_, extension) = file.rsplit_once('.')?;
        let by_extension = || {
            let ending = format!(".{extension}");
            self.endings()
                .into_iter()
                .find_map(|(known, language)| (known == ending).then_some(language))
        };
        self.language_of(Role::Homework, file)
            .or_else(|| self.language_of(Role::Calibrate, file))
            .or_else(by_extension)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Python(PythonVersion::Two) => "Python 2",
            Self::Python(PythonVersion::Three) => "Python 3",
            Self::Cpp(CppStandard::Cpp11) => "C++11",
            Self::Cpp(CppStandard::Cpp17) => "C++17",
            Self::Java => "Java",
        })
    }
}

impl Language {
    /// The extension of its sources, without the dot.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Python(_) => "py",
            Self::Cpp(_) => "cpp",
            Self::Java => "java",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PYTHON2: Option<Language> = Some(Language::Python(PythonVersion::Two));
    const PYTHON3: Option<Language> = Some(Language::Python(PythonVersion::Three));
    const CPP11: Option<Language> = Some(Language::Cpp(CppStandard::Cpp11));
    const CPP17: Option<Language> = Some(Language::Cpp(CppStandard::Cpp17));

    #[test]
    fn names_tell_languages_by_the_year() {
        let java = Some(Language::Java);
        let by_year = [
            ("homework.py", [PYTHON3, PYTHON2, PYTHON2]),
            ("homework2.py", [PYTHON2; 3]),
            ("homework3.py", [PYTHON3; 3]),
            ("homework.cpp", [CPP17; 3]),
            ("homework11.cpp", [CPP11; 3]),
            ("homework.java", [java; 3]),
            ("hw1cs561s2018.py", [None, None, PYTHON2]),
            ("Hw1cs561s2018.py", [None; 3]),
            ("homework11.py", [None; 3]),
            ("homework.c", [None; 3]),
            ("Homework.py", [None; 3]),
            ("calibrate.py", [None; 3]),
        ];
        let years = [Conventions::Modern, Conventions::Fall2019, Conventions::Spring2018];
        for (file, expected) in by_year {
            let found = years.map(|year| year.language_of(Role::Homework, file));
            assert_eq!(found, expected, "{file}");
        }
    }

    #[test]
    fn a_file_on_its_own_goes_by_its_extension() {
        let files = [
            ("greedy.py", PYTHON3),
            ("homework2.py", PYTHON2),
            ("calibrate11.cpp", CPP11),
            ("x11.cpp", CPP17),
            ("Bot.java", Some(Language::Java)),
            ("a.out", None),
            ("py", None),
        ];
        for (file, language) in files {
            assert_eq!(Conventions::Modern.language_by_extension(file), language, "{file}");
        }
    }
}
