//! The running rules program: asks one question after another. Positions and games of `rules_program` call it.
//!
//! A question must be answered within 30 s, or the program is ended and the question fails. A failed
//! program must be restarted for the next question.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_path_to_error::Segment;

use super::fault::{CHECK, LOST, REPORTED, RulesFault};
use super::launch::Launch;
use super::message_log::MessageLog;
use super::protocol::{LocationAnswer, QuestionLine, ReplyLine, RulesQuestion};
use referee_games::protocol::json_fault;
use referee_seat::{AnswerLimits, NoAnswer, NoAnswerCause, Service};
use referee_time::{CpuTime, WallTime};

/// The wall-clock limit of an answer: rules answer in milliseconds, but the machine may be busy.
const QUESTION_LIMIT: WallTime = WallTime::from_secs(30);

/// The variable with a shorter limit, in seconds, for tests of programs that hang; a longer one has no effect.
const SHORTER_LIMIT: &str = "REFEREE_RULES_SECONDS";

static LIMITS: LazyLock<AnswerLimits> = LazyLock::new(|| {
    let shorter = std::env::var(SHORTER_LIMIT).ok().and_then(|text| text.parse().ok());
    AnswerLimits {
        wall_limit: shorter.map_or(QUESTION_LIMIT, |limit: WallTime| limit.min(QUESTION_LIMIT)),
        bytes: 32 << 20,
    }
});

/// Asks one rules program.
#[derive(Debug)]
pub(super) struct Client {
    /// What is started.
    pub(super) launch: Launch,
    line: Mutex<Option<Line>>,
    log: OnceLock<MessageLog>,
    /// Whether laws are tried.
    checks: AtomicBool,
}

/// A program that runs.
#[derive(Debug)]
struct Line {
    service: Service,
    asked: u64,
    /// From questions to the ends of their answers.
    waited: Duration,
}

/// What went wrong with one question.
#[derive(Default)]
struct QuestionFailure {
    /// Whether the program has ended by itself.
    has_ended: bool,
    what: String,
    place: Option<LocationAnswer>,
    hangs: bool,
    answer: Option<String>,
}

impl Client {
    /// A client of a program that is started when it is first asked.
    pub(super) const fn new(launch: Launch) -> Self {
        Self { launch, line: Mutex::new(None), log: OnceLock::new(), checks: AtomicBool::new(false) }
    }

    /// From now on, laws are tried: the program is told how long it has, so that it can say where it hangs.
    pub(super) fn check_laws(&self) {
        self.checks.store(true, Ordering::Relaxed);
    }

    /// Writes all messages from now on to `file`; only the first file counts.
    pub(super) fn log_messages(&self, file: File) {
        let _ = self.log.set(MessageLog::new(file));
    }

    /// Writes the end of the log, if there is one.
    ///
    /// # Errors
    ///
    /// The system's, of the whole log.
    pub(super) fn finish_log(&self) -> io::Result<()> {
        self.log.get().map_or(Ok(()), MessageLog::finish)
    }

    /// The answer to a question.
    pub(super) fn ask<T: DeserializeOwned>(&self, ask: RulesQuestion<'_>) -> Result<T, Box<RulesFault>> {
        self.ask_for(ask, Ok)
    }

    /// What `check` makes of the answer to a question, or the fault that it finds, which has question and answer. It
    /// must ask nothing.
    pub(super) fn ask_for<T: DeserializeOwned, U>(
        &self,
        ask: RulesQuestion<'_>,
        check: impl FnOnce(T) -> Result<U, String>,
    ) -> Result<U, Box<RulesFault>> {
        let mut held = self.line.lock();
        let line = match held.take() {
            Some(line) => line,
            None => self.start()?,
        };
        let line = held.insert(line);
        line.asked += 1;
        // Before the limit, so that the program can still answer.
        let limit = LIMITS.wall_limit.as_secs_f64() * 0.8;
        let question =
            QuestionLine { id: line.asked, ask, check: self.checks.load(Ordering::Relaxed).then_some(limit) };
        let mut text = serde_json::to_string(&question).expect("a question consists of texts, numbers and JSON");
        text.push('\n');
        line.exchange(&text, self.log.get(), check).map_err(|mut failed| {
            // Only its end brings its standard error.
            let ended = held.take().map(|line| line.service.end());
            let mut is_of_machine = false;
            let (ended, stderr) = match ended {
                Some(Ok((ended, stderr))) => (Some(ended).filter(|_| failed.has_ended), stderr),
                Some(Err(error)) => {
                    is_of_machine = true;
                    failed.what = format!("{}; {error}", failed.what);
                    (None, String::new())
                }
                None => (None, String::new()),
            };
            let fault = RulesFault {
                question: text,
                answer: failed.answer,
                place: failed.place.map(|place| self.launch.place_of(&place.file, place.line, &place.function)),
                hangs: failed.hangs,
                is_of_machine,
                remedy: if is_of_machine { LOST } else { CHECK }.to_owned(),
                ..*self.fault("", failed.what)
            };
            Box::new(self.launch.explained(fault, ended.as_ref(), &stderr))
        })
    }

    /// Ends the program; it is started anew for the next question.
    pub(super) fn restart(&self) {
        drop(self.line.lock().take());
    }

    /// The CPU time of the running program. In a seat of its own, which does not tell it, the wall-clock time of its
    /// answers instead: on a busy machine that is more, and for a program with several threads it may be less.
    pub(super) fn cpu_time(&self) -> CpuTime {
        let held = self.line.lock();
        let used = |line: &Line| line.service.cpu_time().unwrap_or_else(|| CpuTime::from_duration(line.waited));
        held.as_ref().map_or(CpuTime::ZERO, used)
    }

    /// A fault that was found without an answer of the program, when it might have been asked `word`.
    pub(super) fn fault(&self, word: &str, what: String) -> Box<RulesFault> {
        Box::new(RulesFault {
            program: self.launch.shown.clone(),
            question: word.to_owned(),
            what,
            remedy: CHECK.to_owned(),
            ..RulesFault::default()
        })
    }

    fn start(&self) -> Result<Line, Box<RulesFault>> {
        let failed = |what: String| {
            Box::new(RulesFault {
                is_of_machine: true,
                remedy: "see that this machine can start it: `referee doctor`".to_owned(),
                ..*self.fault("", what)
            })
        };
        let service = self.launch.start().map_err(|error| failed(error.to_string()))?;
        Ok(Line { service, asked: 0, waited: Duration::ZERO })
    }
}

impl Line {
    fn exchange<T: DeserializeOwned, U>(
        &mut self,
        question: &str,
        log: Option<&MessageLog>,
        check: impl FnOnce(T) -> Result<U, String>,
    ) -> Result<U, QuestionFailure> {
        let began = Instant::now();
        let asked = self.service.ask(question.as_bytes(), *LIMITS);
        self.waited += began.elapsed();
        if let Some(log) = log {
            // The question that gets no answer matters most.
            let answer = asked.as_ref().unwrap_or_else(|none| &none.partial);
            log.add(question.as_bytes(), answer);
        }
        let answer = asked.map_err(QuestionFailure::from)?;
        let failed = |what: String| QuestionFailure {
            what,
            answer: Some(String::from_utf8_lossy(&answer).into_owned()),
            ..QuestionFailure::default()
        };
        let line: ReplyLine<'_> = serde_json::from_slice(&answer)
            .map_err(|error| failed(format!("the answer is not JSON as the protocol has it: {error}")))?;
        if line.id != self.asked {
            let what = format!("the answer has the id {}, the question has {}", line.id, self.asked);
            return Err(failed(what));
        }
        match (line.answer, line.error) {
            (Some(answer), None) => {
                let read = &mut serde_json::Deserializer::from_str(answer.get());
                let answer = serde_path_to_error::deserialize(read).map_err(|error| {
                    failed(format!("the answer is not what was asked for: {}", mismatch(&error, answer)))
                })?;
                check(answer).map_err(failed)
            }
            (None, Some(error)) => Err(QuestionFailure {
                what: format!("{REPORTED}{error}"),
                place: line.place,
                hangs: line.hangs,
                ..QuestionFailure::default()
            }),
            (Some(_), Some(_)) | (None, None) => Err(failed("expected `answer` or `error`".to_owned())),
        }
    }
}

/// What does not fit in an answer, and where.
fn mismatch(error: &serde_path_to_error::Error<serde_json::Error>, answer: &RawValue) -> String {
    let (path, inner) = (error.path(), error.inner());
    let what = if inner.is_syntax() {
        // It is JSON, so this is a value of a wrong type, which the reader of an enumeration does not name.
        let mut value: &serde_json::Value = &serde_json::from_str(answer.get()).unwrap_or_default();
        for segment in path {
            value = match segment {
                Segment::Seq { index } => &value[index],
                Segment::Map { key } => &value[key],
                Segment::Enum { .. } | Segment::Unknown => value,
            };
        }
        format!("unexpected {value}")
    } else {
        json_fault(inner)
    };
    let path = path.to_string();
    if path == "." { what } else { format!("{path}: {what}") }
}

impl From<NoAnswer> for QuestionFailure {
    fn from(NoAnswer { cause, partial }: NoAnswer) -> Self {
        Self {
            has_ended: cause == NoAnswerCause::Ended,
            place: None,
            hangs: cause == NoAnswerCause::TimedOut,
            what: match cause {
                NoAnswerCause::Ended => "it ended instead of answering".to_owned(),
                NoAnswerCause::TimedOut => format!("no answer within {} s", LIMITS.wall_limit.as_secs_f64()),
                NoAnswerCause::TooLong => format!("the answer is longer than {} MiB", LIMITS.bytes >> 20),
                NoAnswerCause::Failed(error) => error,
            },
            answer: (!partial.is_empty()).then(|| String::from_utf8_lossy(&partial).into_owned()),
        }
    }
}
