//! The failure of a rules program: our fault, never an agent's. Plain error; `client` makes it, and voids and commands
//! show it.

use std::fmt;

use serde_json::Value;

use referee_games::RulesUnavailable;
use referee_games::protocol::plain;
use referee_seat::Termination;

/// The start of an error that the program itself reported.
pub(super) const REPORTED: &str = "it says: ";

/// What to do about a fault of the author's, if nothing better is known.
pub(super) const CHECK: &str =
    "fix the rules program: `referee game check RULES` tries it, and writes whole questions with `--messages FILE`";

/// What to do where the process that runs the program was lost.
pub(super) const LOST: &str = "see that nothing on this machine ends its processes; the rules are not at fault";

/// The maximum length of a board or an answer in a message: a board of 19x19 fits.
const MAX_SHOWN: usize = 500;

/// The question at which a rules program failed, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulesFault {
    /// The program, as named.
    pub(super) program: String,
    /// The whole question, or only its word if it was not asked; empty if none was asked yet.
    pub(super) question: String,
    /// The rows of the board that it was asked about, if there was one.
    pub(super) board: Vec<String>,
    /// Its answer, as far as received.
    pub(super) answer: Option<String>,
    /// The fault.
    pub(super) what: String,
    /// The last place in a file of the author's: `pente.py, line 109, in status`.
    pub(super) place: Option<String>,
    /// Whether the program was too slow to answer.
    pub(super) hangs: bool,
    /// Whether this machine lacks what it needs.
    pub(super) is_of_machine: bool,
    /// How it ended, if it has.
    pub(super) ended: Option<String>,
    /// The end of its standard error.
    pub(super) stderr: String,
    /// The remedy.
    pub(super) remedy: String,
}

impl fmt::Display for RulesFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the rules program `{}` failed: {}", plain(&self.program), plain(&self.what))?;
        if let Some(place) = &self.place {
            write!(f, " ({})", plain(place))?;
        }
        if let Some(ended) = &self.ended {
            write!(f, "; it {}", plain(ended))?;
        }
        for part in self.exchange() {
            write!(f, "; {part}")?;
        }
        if let Some(lines) = self.stderr_shown() {
            write!(f, "; standard error: {}", lines.join(" | "))?;
        }
        write!(f, "; {}", self.remedy)
    }
}

impl std::error::Error for RulesFault {}

impl RulesFault {
    /// The fault in one sentence that begins with its place, without question and answer.
    pub(super) fn brief(&self) -> String {
        let what = self.what.strip_prefix(REPORTED).unwrap_or(&self.what);
        let place = self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
        let ended = self.ended.as_ref().map(|ended| format!("; it {ended}")).unwrap_or_default();
        plain(&format!("{place}{what}{ended}"))
    }

    /// The word of the question.
    pub(super) fn word(&self) -> String {
        let question: Value = serde_json::from_str(&self.question).unwrap_or_default();
        question["ask"].as_str().unwrap_or(&self.question).to_owned()
    }

    /// The beginning of its answer.
    pub(super) fn answer_shown(&self) -> Option<String> {
        self.answer.as_deref().map(|answer| shown(answer, MAX_SHOWN))
    }

    /// Question and answer, as far as there are any.
    fn exchange(&self) -> Vec<String> {
        let mut parts = Vec::new();
        if !self.question.is_empty() {
            // Not its state, which may be long, and which only programs read.
            let question: Value = serde_json::from_str(&self.question).unwrap_or_default();
            let output = question["output"].as_str().map(|output| format!(" of `{}`", shown(output, MAX_SHOWN)));
            let at = format!(" at `{}`", shown(&self.board.join(" / "), MAX_SHOWN));
            let at = (!self.board.is_empty()).then_some(at);
            parts.push(
                ["question: ".to_owned() + &self.word(), output.unwrap_or_default(), at.unwrap_or_default()].concat(),
            );
        }
        parts.extend(self.answer_shown().map(|answer| format!("answer: {answer}")));
        parts
    }

    /// The lines of its standard error, without those that [`Self::brief`] repeats.
    pub(super) fn stderr_left(&self) -> Vec<&str> {
        let what = self.what.strip_prefix(REPORTED).unwrap_or(&self.what);
        let is_what = |line: &str| !what.is_empty() && line.ends_with(what);
        // As Python says it: `File "pente.py", line 109, in status`.
        let is_place = |line: &str| {
            let place = line.strip_prefix("File ").map(|place| place.replace('"', ""));
            place.is_some() && place == self.place
        };
        let lines = self.stderr.trim().lines();
        lines.filter(|line| !is_what(line.trim()) && !is_place(line.trim())).collect()
    }

    /// The end of them, which says more than the beginning; `None` if there are none.
    fn stderr_shown(&self) -> Option<Vec<String>> {
        let text = self.stderr_left().join("\n");
        let skipped = text.chars().count().saturating_sub(MAX_SHOWN);
        let end: String = text.chars().skip(skipped).collect();
        let end = if skipped > 0 { format!("…{end}") } else { end };
        let lines: Vec<String> = end.lines().map(|line| plain(line.trim())).collect();
        (!end.trim().is_empty()).then_some(lines)
    }

    /// The fault of a program that does not get as far as to say what its game is like.
    pub(super) fn at_start(&self) -> RulesUnavailable {
        let (program, brief) = (plain(&self.program), self.brief());
        let stderr = self.stderr_shown().unwrap_or_default();
        let stderr = stderr.iter().map(|line| format!("| {line}"));
        let more: Vec<String> = self.exchange().into_iter().chain(stderr).collect();
        let remedy = if self.remedy == CHECK { "fix the rules program" } else { &self.remedy };
        let first = format!("the rules program `{program}` cannot be used: {brief}; {remedy}");
        let why = [&[first], &*more].concat().join("\n  ");
        self.blaming(why)
    }

    /// `why` the rules are unavailable, with whose failure it is.
    pub(super) fn blaming(&self, why: String) -> RulesUnavailable {
        if self.is_of_machine { RulesUnavailable::Machine(why) } else { RulesUnavailable::Program(why) }
    }
}

/// How a program ended, as the end of a sentence.
pub(super) fn ending(ended: &Termination) -> String {
    match ended {
        Termination::Answered => "did not end".to_owned(),
        Termination::Exited { status } => format!("exited with status {status}"),
        Termination::Signalled { name, .. } => format!("was terminated by {name}"),
        Termination::OutOfCpu | Termination::Guarded => "was killed after too long a time".to_owned(),
        Termination::Exceeded { limit } => format!("was killed for using more than {}", limit.limit_in_words()),
        Termination::NotStarted { error } => format!("could not be started: {error}"),
    }
}

/// The first `most` characters of a text without blanks around it.
pub(super) fn shown(text: &str, most: usize) -> String {
    let text = text.trim();
    let mut shown: String = text.chars().take(most).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    plain(&shown)
}
