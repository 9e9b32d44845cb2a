//! The running rules program: asks one question after another. Positions and games of `rules_program` call it.
//!
//! A question must be answered within [`QUESTION_LIMIT`], or the program is ended and the question fails. A failed
//! program must be restarted for the next question.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use super::fault::{RulesFault, ending};
use super::launch::Launch;
use super::protocol::{Ask, QuestionLine, ReplyLine};
use crate::seat::Service;

/// The wall-clock limit of an answer: rules answer in milliseconds, but the machine may be busy.
pub const QUESTION_LIMIT: Duration = Duration::from_secs(30);

/// The maximum length of an answer.
const LONGEST_ANSWER_BYTES: usize = 32 << 20;

/// What is wrong with a program whose line has ended.
const ENDED: &str = "it ended instead of answering";

/// Why a question cannot be answered whose program is alive.
const CHECK: &str = "mend the rules program: `referee game check` tries it";

/// Asks one rules program.
#[derive(Debug)]
pub(super) struct Client {
    launch: Launch,
    line: Mutex<Option<Line>>,
}

/// A program that runs.
#[derive(Debug)]
struct Line {
    service: Service,
    reader: BufReader<File>,
    /// What the service was told last, so that it is not told at each question.
    patience: Duration,
    asked: u64,
}

/// What went wrong with one question.
struct Failed {
    /// Whether the program has ended by itself.
    has_ended: bool,
    what: String,
    answer: Option<String>,
}

impl Client {
    /// A client of a program that is started when it is first asked.
    pub(super) const fn new(launch: Launch) -> Self {
        Self {
            launch,
            line: Mutex::new(None),
        }
    }

    /// What is started.
    pub(super) const fn launch(&self) -> &Launch {
        &self.launch
    }

    /// The answer to a question.
    pub(super) fn ask<T: DeserializeOwned>(&self, ask: Ask<'_>) -> Result<T, Box<RulesFault>> {
        let mut held = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        let line = match held.take() {
            Some(line) => line,
            None => self.start()?,
        };
        let line = held.insert(line);
        line.asked += 1;
        let word = ask.word();
        let question = QuestionLine { id: line.asked, ask };
        let mut text = match serde_json::to_string(&question) {
            Ok(text) => text,
            Err(error) => return Err(self.fault(word, format!("the question cannot be written: {error}"))),
        };
        text.push('\n');
        line.exchange(&text).map_err(|failed| {
            let ended = held.take().map(|line| {
                let Line { service, reader, .. } = line;
                drop(reader);
                service.end()
            });
            let (ended, stderr) = match ended {
                Some(Ok((ended, stderr))) => (failed.has_ended.then(|| ending(&ended)), stderr),
                Some(Err(error)) => (Some(error.to_string()), String::new()),
                None => (None, String::new()),
            };
            Box::new(RulesFault {
                program: self.launch.shown.clone(),
                question: text,
                answer: failed.answer,
                what: failed.what,
                ended,
                stderr,
                remedy: CHECK,
            })
        })
    }

    /// Ends the program; it is started anew for the next question.
    pub(super) fn restart(&self) {
        drop(self.line.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// A fault of what was answered to the question `word`.
    pub(super) fn fault(&self, word: &str, what: String) -> Box<RulesFault> {
        Box::new(RulesFault {
            program: self.launch.shown.clone(),
            question: word.to_owned(),
            answer: None,
            what,
            ended: None,
            stderr: String::new(),
            remedy: CHECK,
        })
    }

    fn start(&self) -> Result<Line, Box<RulesFault>> {
        let failed = |what: String| {
            Box::new(RulesFault {
                question: String::new(),
                remedy: "see that this machine can start it: `referee doctor`",
                ..*self.fault("", what)
            })
        };
        let service = self.launch.start().map_err(|error| failed(error.to_string()))?;
        let reader = service
            .line()
            .and_then(|line| service.set_patience(QUESTION_LIMIT).map(|()| BufReader::new(line)))
            .map_err(|error| failed(format!("its line cannot be read: {error}")))?;
        Ok(Line {
            service,
            reader,
            patience: QUESTION_LIMIT,
            asked: 0,
        })
    }
}

impl Line {
    fn exchange<T: DeserializeOwned>(&mut self, question: &str) -> Result<T, Failed> {
        let until = Instant::now() + QUESTION_LIMIT;
        let silent = |what: String| Failed {
            has_ended: what.contains(ENDED),
            what,
            answer: None,
        };
        self.write(question, until)
            .map_err(|error| silent(format!("it does not take the question: {}", timed(&error))))?;
        let mut answer = Vec::new();
        self.read_line(&mut answer, until).map_err(|what| Failed {
            has_ended: what == ENDED,
            what,
            answer: (!answer.is_empty()).then(|| String::from_utf8_lossy(&answer).into_owned()),
        })?;
        let failed = |what: String| Failed {
            has_ended: false,
            what,
            answer: Some(String::from_utf8_lossy(&answer).into_owned()),
        };
        let line: ReplyLine<'_> = serde_json::from_slice(&answer)
            .map_err(|error| failed(format!("the answer is not one of ours: {error}")))?;
        if line.id != self.asked {
            let what = format!("the answer has the id {}, the question has {}", line.id, self.asked);
            return Err(failed(what));
        }
        match (line.answer, line.error) {
            (Some(answer), None) => serde_json::from_str(answer.get())
                .map_err(|error| failed(format!("the answer is not what was asked for: {error}"))),
            (None, Some(error)) => Err(failed(format!("it says: {error}"))),
            (Some(_), Some(_)) | (None, None) => Err(failed("expected `answer` or `error`".to_owned())),
        }
    }

    fn write(&mut self, question: &str, until: Instant) -> io::Result<()> {
        self.wait_at_most_until(until)?;
        self.reader.get_mut().write_all(question.as_bytes())
    }

    /// In whole limits, so that the system need not be told at each question; what comes in pieces is waited for less
    /// and less.
    fn wait_at_most_until(&mut self, until: Instant) -> io::Result<()> {
        let left = until.saturating_duration_since(Instant::now());
        let patience = if left + Duration::from_secs(1) > QUESTION_LIMIT {
            QUESTION_LIMIT
        } else {
            left
        };
        if patience != self.patience {
            self.service.set_patience(patience)?;
            self.patience = patience;
        }
        Ok(())
    }

    /// Reads up to the end of a line, which is not kept.
    fn read_line(&mut self, answer: &mut Vec<u8>, until: Instant) -> Result<(), String> {
        loop {
            let rest = until.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return Err(format!("no answer within {} s", QUESTION_LIMIT.as_secs()));
            }
            self.wait_at_most_until(until).map_err(|error| timed(&error))?;
            let come = match self.reader.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(timed(&error)),
                Ok([]) => return Err(ENDED.to_owned()),
                Ok(come) => come,
            };
            let end = come.iter().position(|&byte| byte == b'\n');
            answer.extend_from_slice(&come[..end.unwrap_or(come.len())]);
            let taken = end.map_or(come.len(), |end| end + 1);
            self.reader.consume(taken);
            if answer.len() > LONGEST_ANSWER_BYTES {
                return Err(format!("the answer is longer than {} MiB", LONGEST_ANSWER_BYTES >> 20));
            }
            if end.is_some() {
                return Ok(());
            }
        }
    }
}

fn timed(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            format!("no answer within {} s", QUESTION_LIMIT.as_secs())
        }
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => ENDED.to_owned(),
        _ => error.to_string(),
    }
}
