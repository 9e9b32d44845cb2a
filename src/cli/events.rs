//! Writes the events of a run as JSON Lines, for other programs. Commands that play pass events to it.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::Serialize;

use super::Failure;
use super::output::{note, say};
use crate::console::Stream;
use referee_matches::tournament::{Round, RunEvent, VoidRetry};
use referee_records::{GameSummary, Pairing};

/// The destination of events, with the stream that is left for people; nowhere if not requested.
#[derive(Clone, Default)]
pub(super) struct EventLog(Option<(Stream, Writer)>);

/// Several threads write to it.
type Writer = Arc<Mutex<Box<dyn Write + Send>>>;

/// A line. Events within a game are left out: its record will contain them.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
enum EventLine<'a> {
    RoundPlanned { round: u32, games: usize, byes: &'a [String] },
    GameBegan(&'a Pairing),
    GameFinished(GameSummary),
    Asked { id: &'a str, agent: &'a str, question: &'a str },
    Answered { id: &'a str, agent: &'a str, right: bool },
    Superseded { id: &'a str },
    Voided { id: &'a str, reason: &'a str, retry: VoidRetry },
}

impl EventLog {
    /// Appends to the file at `path`, or writes to standard output for `-`.
    pub(super) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let (stream, writer): (_, Box<dyn Write + Send>) = match path {
            None => return Ok(Self(None)),
            Some(path) if path.as_os_str() == "-" => (Stream::Stderr, Box::new(io::stdout())),
            Some(path) => {
                let file = File::options().append(true).create(true).open(path);
                let file = file.map_err(|error| Failure::unwritable(path, error))?;
                (Stream::Stdout, Box::new(file))
            }
        };
        Ok(Self(Some((stream, Arc::new(Mutex::new(writer))))))
    }

    /// The stream for people: standard error where the events have standard output.
    pub(super) fn other_stream(&self) -> Stream {
        self.0.as_ref().map_or(Stream::Stdout, |(stream, _)| *stream)
    }

    /// Says `text` to people.
    pub(super) fn say(&self, text: &str) -> Result<(), Failure> {
        match self.other_stream() {
            Stream::Stdout => say(text),
            Stream::Stderr => {
                note(text);
                Ok(())
            }
        }
    }

    /// Writes an event.
    pub(super) fn write(&self, event: &RunEvent) {
        match event {
            RunEvent::GameBegan(pairing) => self.line(&EventLine::GameBegan(pairing)),
            RunEvent::PositionChanged(..) => {}
            RunEvent::GameFinished(record) => self.line(&EventLine::GameFinished(GameSummary::of(record))),
            RunEvent::Asked(asked) => {
                self.line(&EventLine::Asked { id: &asked.id, agent: &asked.agent, question: &asked.question });
            }
            RunEvent::Answered(record) => self.line(&EventLine::Answered {
                id: &record.id,
                agent: &record.agent.name,
                right: record.verdict.is_right(),
            }),
            RunEvent::Superseded { id } => self.line(&EventLine::Superseded { id }),
            RunEvent::Voided { id, reason, retry } => self.line(&EventLine::Voided { id, reason, retry: *retry }),
        }
    }

    /// Writes the rounds added to the plan.
    pub(super) fn planned(&self, rounds: &[Round]) {
        for round in rounds {
            self.line(&EventLine::RoundPlanned {
                round: round.number,
                games: round.games().count(),
                byes: &round.byes,
            });
        }
    }

    /// A closed pipe does not stop the games: their records count.
    fn line(&self, line: &EventLine<'_>) {
        let Some((_, writer)) = &self.0 else { return };
        let Ok(mut text) = serde_json::to_vec(line) else { return };
        text.push(b'\n');
        let mut writer = writer.lock();
        drop(writer.write_all(&text).and_then(|()| writer.flush()));
    }
}
