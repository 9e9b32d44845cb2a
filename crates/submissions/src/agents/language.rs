//! The languages of the courses. Plain data; names, builds and assignments use it.

use std::fmt;

/// The language of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Interpreted from its source.
    Python(PythonVersion),
    /// Compiled to an executable file.
    Cpp(CppStandard),
    /// Compiled to classes; the one named like the file is run.
    Java,
}

/// The version of Python: the two are different languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PythonVersion {
    /// Python 2.7.
    Two,
    /// The Python 3 of the machine.
    Three,
}

/// The C++ standard, oldest first. Each includes the GNU extensions, as by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CppStandard {
    /// C++98, the default of g++ before version 6.
    Cpp98,
    /// C++11.
    Cpp11,
    /// C++14, the default of g++ from version 6 to 10.
    Cpp14,
    /// C++17: required by the 2024 handout, and the default of g++ since version 11.
    Cpp17,
    /// C++20.
    Cpp20,
}

impl Language {
    /// Every language with its word in an assignment file.
    pub const WORDS: [(&str, Self); 8] = [
        ("python2", Self::Python(PythonVersion::Two)),
        ("python3", Self::Python(PythonVersion::Three)),
        ("c++98", Self::Cpp(CppStandard::Cpp98)),
        ("c++11", Self::Cpp(CppStandard::Cpp11)),
        ("c++14", Self::Cpp(CppStandard::Cpp14)),
        ("c++17", Self::Cpp(CppStandard::Cpp17)),
        ("c++20", Self::Cpp(CppStandard::Cpp20)),
        ("java", Self::Java),
    ];

    /// The language with this word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, language)| *language)
    }

    /// A complete program that does nothing, in the file of this name. In C++ it includes standard headers, as every
    /// submission does.
    pub fn empty_program(self, file: &str) -> String {
        match self {
            Self::Python(_) => "pass\n".to_owned(),
            Self::Cpp(_) => "#include <fstream>\n#include <string>\nint main() {}\n".to_owned(),
            Self::Java => {
                let class = file.trim_end_matches(".java");
                format!("class {class} {{ public static void main(String[] words) {{}} }}\n")
            }
        }
    }

    /// The extension of its sources, without dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Python(_) => "py",
            Self::Cpp(_) => "cpp",
            Self::Java => "java",
        }
    }
}

impl CppStandard {
    /// The previous standard.
    pub(super) const fn older(self) -> Option<Self> {
        match self {
            Self::Cpp98 => None,
            Self::Cpp11 => Some(Self::Cpp98),
            Self::Cpp14 => Some(Self::Cpp11),
            Self::Cpp17 => Some(Self::Cpp14),
            Self::Cpp20 => Some(Self::Cpp17),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Python(PythonVersion::Two) => f.write_str("Python 2"),
            Self::Python(PythonVersion::Three) => f.write_str("Python 3"),
            Self::Cpp(standard) => standard.fmt(f),
            Self::Java => f.write_str("Java"),
        }
    }
}

impl fmt::Display for CppStandard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpp98 => "C++98",
            Self::Cpp11 => "C++11",
            Self::Cpp14 => "C++14",
            Self::Cpp17 => "C++17",
            Self::Cpp20 => "C++20",
        })
    }
}
