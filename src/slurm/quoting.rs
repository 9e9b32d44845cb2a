//! Quotes texts for the two readers of job scripts: the shell, and Slurm's file name patterns. Pure functions; `script`
//! and advice call them.

use std::borrow::Cow;

/// `text` as one word of a POSIX shell.
pub(super) fn shell_word(text: &str) -> Cow<'_, str> {
    shlex::try_quote(text).expect("neither a path nor an argument of a program can hold a NUL")
}

/// A path as the literal part of a file name pattern (sbatch(1), "filename pattern"): 22.05 expands even the working
/// directory before a relative pattern, so a `%` in any parent folder must be doubled.
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
