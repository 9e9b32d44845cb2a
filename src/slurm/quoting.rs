//! Texts quoted for the two readers of what is submitted: the shell, and Slurm's patterns of file names.

use std::borrow::Cow;

/// `text` as one word of a POSIX shell that stands for exactly this text.
pub(super) fn shell_word(text: &str) -> Cow<'_, str> {
    shlex::try_quote(text).expect("neither a path nor an argument of a program can hold a NUL")
}

/// A path as the fixed part of a pattern of file names (sbatch(1), "filename pattern"): in 22.05 even the working
/// directory before a relative pattern is expanded, so a `%` in any folder above has to be doubled.
pub(super) fn pattern(path: &str) -> String {
    path.replace('%', "%%")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn a_shell_reads_back_what_was_quoted(text in "[^\\x00]{0,30}") {
            let script = format!("printf %s {}", shell_word(&text));
            let output = Command::new("/bin/sh").args(["-c", &script]).output().unwrap();
            prop_assert_eq!(output.stdout, text.into_bytes());
        }

        #[test]
        fn a_pattern_has_no_symbol_to_replace(path in ".{0,30}") {
            let pattern = pattern(&path);
            prop_assert!(pattern.split("%%").all(|part| !part.contains('%')));
            prop_assert_eq!(pattern.replace("%%", "%"), path);
        }
    }
}
