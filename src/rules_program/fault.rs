//! The failure of a rules program: our fault, never an agent's. Plain error; `client` makes it, and voids and commands
//! show it.

use std::fmt;

use serde_json::Value;

use crate::games::RulesUnavailable;
use crate::protocol::plain;
use crate::seat::Termination;

/// What an error begins with that the program itself reports.
pub(super) const SAYS: &str = "it says: ";

/// What to do about a fault of the author's, if nothing better is known.
pub(super) const CHECK: &str =
    "mend the rules program: `referee game check RULES` tries it, and writes whole questions with `--messages FILE`";

/// The maximum length of a board or an answer in a message: a board of 19x19 fits.
const MOST_SHOWN: usize = 500;

/// The question at which a rules program failed, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesFault {
    /// The program, as named.
    pub(super) program: String,
    /// The word of the question.
    pub(super) word: String,
    /// The whole question; empty if none was asked yet.
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
        write!(
            f,
            "the rules program `{}` failed: {}",
            plain(&self.program),
            plain(&self.what)
        )?;
        if let Some(place) = &self.place {
            write!(f, " ({})", plain(place))?;
        }
        if let Some(ended) = &self.ended {
            write!(f, "; it {}", plain(ended))?;
        }
        self.write_exchange(f)?;
        write!(f, "; {}", self.remedy)
    }
}

impl std::error::Error for RulesFault {}

impl RulesFault {
    /// The fault in one sentence that begins with its place, without question and answer.
    pub(super) fn brief(&self) -> String {
        let what = self.what.strip_prefix(SAYS).unwrap_or(&self.what);
        let place = self
            .place
            .as_ref()
            .map(|place| format!("{place}: "))
            .unwrap_or_default();
        let ended = self
            .ended
            .as_ref()
            .map(|ended| format!("; it {ended}"))
            .unwrap_or_default();
        plain(&format!("{place}{what}{ended}"))
    }

    /// The beginning of its answer.
    pub(super) fn answer_shown(&self) -> Option<String> {
        self.answer.as_deref().map(shown)
    }

    /// Writes question, answer and standard error, as far as there are any, each after a semicolon.
    fn write_exchange(&self, told: &mut impl fmt::Write) -> fmt::Result {
        if !self.question.is_empty() {
            write!(told, "; question: {}", self.word)?;
        }
        // Not its state, which may be long, and which only programs read.
        let question: Value = serde_json::from_str(&self.question).unwrap_or_default();
        if let Some(output) = question["output"].as_str() {
            write!(told, " of `{}`", shown(output))?;
        }
        if !self.board.is_empty() {
            write!(told, " at `{}`", shown(&self.board.join(" / ")))?;
        }
        if let Some(answer) = self.answer_shown() {
            write!(told, "; answer: {answer}")?;
        }
        if !self.stderr.trim().is_empty() {
            write!(told, "; standard error: {}", shown_end(self.stderr.trim()))?;
        }
        Ok(())
    }

    /// The fault of a program that does not get as far as to say what its game is like.
    pub(super) fn at_start(&self) -> RulesUnavailable {
        let (program, brief) = (plain(&self.program), self.brief());
        let mut exchange = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_exchange(&mut exchange);
        let remedy = if self.remedy == CHECK {
            "mend the rules program"
        } else {
            &self.remedy
        };
        let why = format!("the rules program `{program}` cannot be used: {brief}{exchange}; {remedy}");
        if self.is_of_machine {
            RulesUnavailable::Machine(why)
        } else {
            RulesUnavailable::Program(why)
        }
    }
}

/// How a program ended, as the end of a sentence.
pub(super) fn ending(ended: &Termination) -> String {
    match ended {
        Termination::Exited { status } => format!("exited with status {status}"),
        Termination::Signalled { name, .. } => format!("was terminated by {name}"),
        Termination::OutOfCpu | Termination::Guarded => "was killed after too long a time".to_owned(),
        Termination::Exceeded { limit } => format!("was killed for using more than {}", limit.limit_in_words()),
        Termination::NotStarted { error } => format!("could not be started: {error}"),
    }
}

fn shown(text: &str) -> String {
    let text = text.trim();
    let mut shown: String = text.chars().take(MOST_SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    plain(&shown)
}

/// The end of a traceback says what is wrong.
fn shown_end(text: &str) -> String {
    let skipped = text.chars().count().saturating_sub(MOST_SHOWN);
    let end: String = text.chars().skip(skipped).collect();
    let end = end.split('\n').map(str::trim).collect::<Vec<_>>().join(" | ");
    if skipped > 0 {
        format!("…{}", plain(&end))
    } else {
        plain(&end)
    }
}
