//! Texts quoted for the two readers of what is submitted: the shell, and Slurm's patterns of file names.

/// `text` as one word of a POSIX shell that stands for exactly this text.
///
/// Words that need no quotes have none, so that scripts stay readable.
pub(super) fn shell_word(text: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "/._-+:,=@%^".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        quoted(text)
    }
}

/// `text` in single quotes, as the value of a variable in a script.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A path as the fixed part of a pattern of file names (sbatch(1), "filename pattern"): in 22.05 even the working directory
/// before a relative pattern is expanded, so a `%` in any folder above has to be doubled.
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
            let script = format!("printf %s {}; printf '|%s' {}", shell_word(&text), quoted(&text));
            let output = Command::new("/bin/sh").args(["-c", &script]).output().unwrap();
            prop_assert_eq!(output.stdout, format!("{text}|{text}").into_bytes());
        }

        #[test]
        fn a_pattern_has_no_symbol_to_replace(path in ".{0,30}") {
            let pattern = pattern(&path);
            prop_assert!(pattern.split("%%").all(|part| !part.contains('%')));
            prop_assert_eq!(pattern.replace("%%", "%"), path);
        }
    }

    #[test]
    fn plain_words_are_left_alone() {
        assert_eq!(shell_word("--output=/scratch/a_b/%A_%a.txt"), "--output=/scratch/a_b/%A_%a.txt");
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word(""), "''");
    }
}
