//! Finds files whose misspelled names show that they were meant as the requested file. Only a hint: the file is never
//! used. `referee/explanation` and checks show it.

use super::{OutputFile, Run};

/// The length of a prefix that people remember: `outpu`, `calib`.
const PREFIX_LENGTH: usize = 5;

impl Run {
    /// The name of a file that the program probably meant as the missing `wanted`: `Output.txt`, `ouput.txt`,
    /// `my_output.txt`; `calibrate.txt` for `calibration.txt`. Lossy.
    pub fn misspelled(&self, wanted: &str) -> Option<&str> {
        match &self.output {
            OutputFile::Missing { lookalike } => lookalike
                .as_deref()
                .or_else(|| self.removed.iter().map(String::as_str).find(|name| resembles(name, wanted))),
            OutputFile::NotAFile { .. }
            | OutputFile::TooLarge { .. }
            | OutputFile::Unreadable { .. }
            | OutputFile::Unfinished { .. }
            | OutputFile::Unasked { .. }
            | OutputFile::Content { .. } => None,
        }
    }
}

/// Whether a file was probably meant as `wanted`: at most one letter is inserted, missing, wrong or transposed.
fn resembles(name: &str, wanted: &str) -> bool {
    let name = name.to_lowercase();
    name.contains(wanted.get(..PREFIX_LENGTH).unwrap_or(wanted)) || strsim::osa_distance(&name, wanted) <= 1
}

#[cfg(test)]
mod tests {
    use super::super::Usage;
    use super::*;

    /// The file recognized as `wanted` if only `left` exists.
    fn meant(left: &str, wanted: &str) -> bool {
        let run = Run {
            output: OutputFile::Missing { lookalike: None },
            removed: vec!["debug.log".to_owned(), left.to_owned()],
            ..Run::wrote(Vec::new(), Usage::default())
        };
        run.misspelled(wanted) == Some(left)
    }

    #[test]
    fn files_with_names_like_the_right_one_are_recognised() {
        for name in [
            "output",
            "Output.text",
            "my_output.txt",
            "ouput.txt",
            "outptu.txt",
            "outputt.txt",
            "0utput.txt",
            "output.txt.tmp",
        ] {
            assert!(meant(name, "output.txt"), "{name}");
        }
        for name in ["input.txt", "out.txt", "", "txt"] {
            assert!(!meant(name, "output.txt"), "{name}");
        }
        for name in ["calibrate.txt", "Calibration.TXT", "calibration"] {
            assert!(meant(name, "calibration.txt"), "{name}");
        }
        assert!(!meant("playdata.txt", "calibration.txt"));
    }
}
