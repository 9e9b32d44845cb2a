//! Quotes words for a POSIX shell, in job scripts and in the commands that messages name. Pure functions.

use std::borrow::Cow;
use std::path::Path;

use referee_messages::plain;

/// `text` as one word of a POSIX shell.
pub(crate) fn shell_word(text: &str) -> Cow<'_, str> {
    shlex::try_quote(text).expect("neither a path nor an argument of a program can hold a NUL")
}

/// `path` as one word of a command in a message, safe on a terminal.
pub(crate) fn shell_path(path: &Path) -> String {
    plain(&shell_word(&path.display().to_string()))
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
    }

    #[test]
    fn a_path_is_one_word_and_no_sequence_for_a_terminal() {
        assert_eq!(shell_path(Path::new("runs/2024")), "runs/2024");
        assert_eq!(shell_path(Path::new("my runs")), "'my runs'");
        assert!(!shell_path(Path::new("a\x1b[2J b")).contains('\x1b'));
    }
}
