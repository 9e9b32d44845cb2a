//! What the referee and a keeper say to each other: one line of JSON each way.
//!
//! For: a whole run in one message each way, so that a run costs two wake-ups and not a conversation. Deliberately not
//! here: any meaning. What must always hold: neither side believes a line longer than [`LONGEST_LINE`].

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::isolation::{Isolation, IsolationRange, Protection};
use super::limits::Limits;
use super::report::{Bytes, Ended, Job, Run};
use super::{Charge, Meter, Program, SeatOptions};
use crate::time::WallTime;

/// The longest message: a calibration of the largest size with every byte written as an escape, and room to spare.
const LONGEST_LINE: u64 = 16 << 20;

/// What a seat is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Purpose {
    /// Runs of an agent.
    Play,
    /// Runs of a compiler on the sources in the program's folder.
    Build,
}

/// What a keeper is told before all else.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Opening {
    pub(super) purpose: Purpose,
    command: Vec<Bytes>,
    folder: Option<Bytes>,
    scratch: Bytes,
    calibration: Option<Bytes>,
    prelude: Option<String>,
    pub(super) charge: Charge,
    pub(super) meter: Option<Meter>,
    pub(super) isolation: IsolationRange,
    pub(super) limits: Limits,
    pub(super) processor: Option<usize>,
}

impl Opening {
    pub(super) fn new(purpose: Purpose, program: &Program, options: &SeatOptions) -> Self {
        Self {
            purpose,
            command: program.command.iter().map(|word| bytes(word)).collect(),
            folder: program.folder.as_ref().map(|folder| bytes(folder.as_os_str())),
            scratch: bytes(std::env::temp_dir().as_os_str()),
            calibration: options.calibration.clone().map(Bytes),
            prelude: options.prelude.clone(),
            charge: options.charge,
            meter: options.meter,
            isolation: options.isolation,
            limits: options.limits,
            processor: options.processor,
        }
    }

    pub(super) fn program(&self) -> Program {
        Program {
            command: self.command.iter().map(text).collect(),
            folder: self.folder.as_ref().map(text).map(PathBuf::from),
        }
    }

    /// What is executed: the program, behind its prelude where it has one.
    pub(super) fn executed(&self) -> Vec<OsString> {
        let shell = self
            .prelude
            .iter()
            .flat_map(|prelude| ["/bin/sh", "-c", prelude.as_str(), "sh"]);
        shell.map(OsString::from).chain(self.program().command).collect()
    }

    pub(super) fn scratch(&self) -> PathBuf {
        PathBuf::from(text(&self.scratch))
    }

    pub(super) fn calibration(&self) -> Option<Vec<u8>> {
        self.calibration.clone().map(|Bytes(bytes)| bytes)
    }
}

/// One run of a compiler.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BuildOrder {
    command: Vec<Bytes>,
    pub(super) guard: WallTime,
    into: Bytes,
}

impl BuildOrder {
    pub(super) fn new(command: &[OsString], guard: WallTime, into: &Path) -> Self {
        Self {
            command: command.iter().map(|word| bytes(word)).collect(),
            guard,
            into: bytes(into.as_os_str()),
        }
    }

    pub(super) fn command(&self) -> Vec<OsString> {
        self.command.iter().map(text).collect()
    }

    /// Where the products are handed over to.
    pub(super) fn into(&self) -> PathBuf {
        PathBuf::from(text(&self.into))
    }
}

fn bytes(text: &OsStr) -> Bytes {
    Bytes(text.as_bytes().to_vec())
}

fn text(bytes: &Bytes) -> OsString {
    OsString::from_vec(bytes.0.clone())
}

/// From the referee to a keeper.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Order {
    Open(Opening),
    /// To tell what can be had of isolation.
    Probe,
    Run(Job),
    Build(BuildOrder),
}

/// From a keeper to the referee.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reply {
    Ready {
        meter: Meter,
        isolation: Isolation,
        directory: Bytes,
    },
    NoMeter {
        meter: Meter,
        reason: String,
    },
    TooWeak {
        available: Isolation,
        why: String,
    },
    Probed(Vec<Protection>),
    Ran(Run),
    Built {
        ended: Ended,
        said: String,
    },
    Failed(String),
}

/// One end of the line.
#[derive(Debug)]
pub(super) struct Channel {
    stream: BufReader<UnixStream>,
    line: Vec<u8>,
}

impl Channel {
    pub(super) fn new(stream: UnixStream) -> Self {
        Self {
            stream: BufReader::new(stream),
            line: Vec::new(),
        }
    }

    /// How long [`Self::receive`] may wait for the other side.
    pub(super) fn set_patience(&self, patience: Duration) -> io::Result<()> {
        self.stream.get_ref().set_read_timeout(Some(patience))
    }

    pub(super) fn send<M: Serialize>(&mut self, message: &M) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, message)?;
        self.line.push(b'\n');
        self.stream.get_mut().write_all(&self.line)
    }

    /// The next message, or `None` if the other side is gone.
    pub(super) fn receive<M: DeserializeOwned>(&mut self) -> io::Result<Option<M>> {
        self.line.clear();
        let read = Read::by_ref(&mut self.stream)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut self.line);
        match read {
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(None),
            other => other?,
        };
        if self.line.pop() != Some(b'\n') {
            return Ok(None);
        }
        Ok(Some(serde_json::from_slice(&self.line)?))
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.get_ref().as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat::Task;
    use crate::time::{CpuTime, WallTime};

    fn pair() -> (Channel, Channel) {
        let (here, there) = UnixStream::pair().unwrap();
        (Channel::new(here), Channel::new(there))
    }

    #[test]
    fn a_message_arrives_as_it_was_sent() {
        let (mut here, mut there) = pair();
        let job = Job {
            task: Task::Move {
                input: "GAME\nBLACK\n".to_owned(),
            },
            kill_after: CpuTime::from_millis(1500),
            guard: WallTime::from_secs(14),
        };
        here.send(&Order::Run(job.clone())).unwrap();
        let Some(Order::Run(received)) = there.receive().unwrap() else {
            panic!("expected a run");
        };
        assert_eq!(received, job);
    }

    #[test]
    fn a_program_with_a_name_that_is_not_text_arrives_as_it_was_sent() {
        let program = Program {
            command: vec![OsString::from_vec(b"/a\xff".to_vec()), "b c".into()],
            folder: Some(PathBuf::from("/x")),
        };
        let opening = Opening::new(Purpose::Play, &program, &SeatOptions::default());
        let json = serde_json::to_string(&opening).unwrap();
        assert_eq!(serde_json::from_str::<Opening>(&json).unwrap().program(), program);
    }

    #[test]
    fn a_prelude_is_executed_and_is_no_part_of_the_program() {
        let program = Program {
            command: vec!["/a".into(), "b".into()],
            folder: None,
        };
        let options = SeatOptions {
            prelude: Some("exec \"$@\"".to_owned()),
            ..SeatOptions::default()
        };
        let opening = Opening::new(Purpose::Play, &program, &options);
        assert_eq!(opening.program(), program);
        assert_eq!(
            opening.executed(),
            ["/bin/sh", "-c", "exec \"$@\"", "sh", "/a", "b"].map(OsString::from)
        );
        let plain = Opening::new(Purpose::Play, &program, &SeatOptions::default());
        assert_eq!(plain.executed(), program.command);
    }

    #[test]
    fn the_end_of_the_other_side_is_none_even_in_mid_message() {
        let (mut here, mut there) = pair();
        here.stream.get_mut().write_all(b"{\"run\":").unwrap();
        drop(here);
        assert!(there.receive::<Order>().unwrap().is_none());
    }
}
