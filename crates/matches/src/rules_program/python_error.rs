//! Reads the end of a Python program's standard error. `launch` calls it for a program that has died.

/// An exception that ended a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PythonException {
    /// The last file of the program's own folder in the traceback, its line and function.
    pub(super) place: Option<(String, u32, String)>,
    /// `KeyError: 'oops'`
    pub(super) exception: String,
}

/// The module handed out for authors, which is not their file.
const MODULE: &str = "referee_rules.py";

impl PythonException {
    /// The exception of the last traceback in `stderr`.
    pub(super) fn last_of(stderr: &str) -> Option<Self> {
        let (_, traceback) = stderr.rsplit_once("Traceback (most recent call last):")?;
        let exception = traceback.lines().skip(1).find(|line| !line.starts_with([' ', '\t']))?;
        let place = traceback.lines().filter_map(frame).next_back();
        Some(Self { place, exception: exception.trim().to_owned() })
    }

    /// What to do about it, if that is known.
    pub(super) fn remedy(&self) -> Option<String> {
        let module = self.exception.split_once("No module named '")?.1.trim_end_matches('\'');
        Some(if module == "referee_rules" {
            "copy `referee_rules.py` beside it; `referee new-game` writes one".to_owned()
        } else {
            format!(
                "a rules program of several files is a folder with `rules.py`, `{module}.py` and \
                 `referee_rules.py` in it; name the folder"
            )
        })
    }
}

/// A standard error without the paths of a seat and without the frames of the module; empty if nothing else was in it.
pub(super) fn authors_lines(stderr: &str) -> String {
    let mut kept = Vec::new();
    let mut is_kept = true;
    for line in stderr.lines() {
        let is_frame = line.starts_with("  File \"");
        if is_frame {
            is_kept = !line.contains(MODULE);
        } else if !line.starts_with("    ") {
            // The beginning of a traceback tells nothing.
            is_kept = !line.starts_with("Traceback (");
        }
        if is_kept {
            let shown = frame(line).filter(|_| is_frame);
            kept.push(match shown {
                Some((file, number, function)) => format!("  File \"{file}\", line {number}, in {function}"),
                None => line.to_owned(),
            });
        }
    }
    kept.join("\n")
}

/// `File "/scratch/work/rules.py", line 97, in play`, if the file is one of the author's.
fn frame(line: &str) -> Option<(String, u32, String)> {
    let (path, rest) = line.trim().strip_prefix("File \"")?.split_once("\", line ")?;
    let (number, function) = rest.split_once(", in ").unwrap_or((rest, "<module>"));
    // A seat's working directory is called `work`; other files belong to Python.
    let file = path.rsplit_once("/work/").map_or(path, |(_, file)| file);
    let is_own = !file.starts_with(['/', '<']) && file != MODULE;
    is_own.then_some(())?;
    Some((file.to_owned(), number.parse().ok()?, function.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{PythonException, authors_lines};

    #[test]
    fn the_last_frame_of_the_author_is_the_place() {
        let stderr = concat!(
            "counting\nTraceback (most recent call last):\n",
            "  File \"/tmp/referee-seat.X/work/rules.py\", line 9, in <module>\n    import lines\n",
            "  File \"/tmp/referee-seat.X/work/lines.py\", line 3, in all\n    {}[1]\n",
            "  File \"/usr/lib/python3/json.py\", line 7, in loads\n    x\n",
            "  File \"/tmp/referee-seat.X/work/referee_rules.py\", line 7, in run\n    y\nKeyError: 'oops'\n",
        );
        let raised = PythonException::last_of(stderr).expect("a traceback");
        assert_eq!(raised.place, Some(("lines.py".to_owned(), 3, "all".to_owned())));
        assert_eq!(raised.exception, "KeyError: 'oops'");
        assert_eq!(raised.remedy(), None);
        let lines = authors_lines(stderr);
        assert!(
            lines.starts_with(
                "counting\n  File \"rules.py\", line 9, in <module>\n    import lines\n  File \"lines.py\""
            )
        );
        assert!(lines.ends_with("line 7, in loads\n    x\nKeyError: 'oops'"), "{lines}");
        assert_eq!(PythonException::last_of("no traceback"), None);
    }
}
