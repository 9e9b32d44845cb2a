//! The protocol between the referee and a keeper: one message each way.
//!
//! One message each way per run means two wake-ups per run. A message is a line of JSON. It does not interpret them.
//! Seats and keepers use it. Neither side may accept a message longer than [`LONGEST`].

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::isolation::{Isolation, Protection};
use super::ready_time::WaitAccounts;
use super::report::{Build, PreparationLimit, Run, RunRequest, Termination};
use super::scratch::temporary_folder;
use super::{Meter, Program, SeatError, SeatOptions, SeatPurpose};

/// The maximum length of a message: the largest calibration as a list of numbers, with room to spare.
const LONGEST: u64 = 16 << 20;

/// The first message to a keeper.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeeperSetup {
    pub(super) purpose: SeatPurpose,
    command: Vec<OsString>,
    arg0: Option<OsString>,
    folder: Option<OsString>,
    template: Option<OsString>,
    tools: Vec<OsString>,
    pub(super) scratch: OsString,
    pub(super) options: SeatOptions,
}

impl KeeperSetup {
    pub(super) fn new(purpose: SeatPurpose, program: &Program, options: &SeatOptions) -> Self {
        Self {
            purpose,
            command: program.command.clone(),
            arg0: program.arg0.clone(),
            folder: program.folder.clone().map(OsString::from),
            template: program.template.clone().map(OsString::from),
            tools: program.tools.iter().map(OsString::from).collect(),
            scratch: temporary_folder().into(),
            options: options.clone(),
        }
    }

    pub(super) fn program(&self) -> Program {
        Program {
            command: self.command.clone(),
            arg0: self.arg0.clone(),
            folder: self.folder.clone().map(PathBuf::from),
            template: self.template.clone().map(PathBuf::from),
            tools: self.tools.iter().map(PathBuf::from).collect(),
            reads_position: false,
        }
    }

    /// The command line to execute: the program, behind its prelude if it has one. A shell passes the path as the name.
    pub(super) fn executed(&self) -> Vec<OsString> {
        let shell = self.options.prelude.iter().flat_map(|prelude| ["/bin/sh", "-c", prelude.as_str(), "sh"]);
        shell.map(OsString::from).chain(self.command.iter().cloned()).collect()
    }

    /// The program's own name, if it differs from its path.
    pub(super) fn arg0(&self) -> Option<OsString> {
        self.arg0.clone().filter(|_| self.options.prelude.is_none())
    }
}

/// One run of a compiler.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BuildOrder {
    pub(super) command: Vec<OsString>,
    pub(super) limit: PreparationLimit,
    /// The target folder of the products.
    pub(super) into: OsString,
}

/// A message from the referee to a keeper.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum KeeperCommand<'a> {
    Open(Box<KeeperSetup>),
    /// Report the available protections.
    Probe,
    Run(Cow<'a, RunRequest>),
    Build(BuildOrder),
    /// To run a service until the line ends.
    Serve,
    /// To let a living program end.
    EndGame,
}

/// How a service ended, or a living program after its game.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ProgramEnd {
    pub(super) ended: Termination,
    pub(super) said: String,
}

/// What a keeper says of a seat that is open.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ReadySeat {
    pub(super) meter: Meter,
    pub(super) isolation: Isolation,
    /// Why the kernel does not limit memory, if it does not.
    pub(super) no_allotment: Option<String>,
    /// Why it does not limit the number of processes, if it does not.
    pub(super) no_process_cap: Option<String>,
    /// Why it does not stop a living program between its turns, if it does not.
    pub(super) no_freezer: Option<String>,
    pub(super) wait_accounts: WaitAccounts,
    pub(super) directory: OsString,
}

/// A message from a keeper to the referee.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum KeeperReply {
    Ready(ReadySeat),
    Probed(Vec<Protection>),
    Ran(Run),
    Built(Build),
    Served(ProgramEnd),
    /// How a living program ended after the game; `None` if it was never asked.
    GameEnded(Option<ProgramEnd>),
    /// The last message of a keeper that cannot go on.
    Error(SeatError),
}

/// One end of the connection.
#[derive(Debug)]
pub(super) struct WireEnd {
    stream: BufReader<UnixStream>,
    /// The timeout of [`Self::receive`], as last set.
    timeout: Option<Duration>,
    message: Vec<u8>,
}

impl WireEnd {
    pub(super) fn new(stream: UnixStream) -> Self {
        Self { stream: BufReader::new(stream), timeout: None, message: Vec::new() }
    }

    /// Says that no order will follow; what the other side has still to say can be received.
    pub(super) fn finish_sending(&self) -> io::Result<()> {
        self.stream.get_ref().shutdown(Shutdown::Write)
    }

    /// Sets the timeout of [`Self::receive`].
    pub(super) fn set_receive_timeout(&mut self, timeout: Duration) -> io::Result<()> {
        if self.timeout != Some(timeout) {
            self.stream.get_ref().set_read_timeout(Some(timeout))?;
            self.timeout = Some(timeout);
        }
        Ok(())
    }

    pub(super) fn send<M: Serialize>(&mut self, message: &M) -> io::Result<()> {
        self.message.clear();
        serde_json::to_writer(&mut self.message, message)?;
        self.message.push(b'\n');
        self.stream.get_mut().write_all(&self.message)
    }

    /// The next message, or `None` if the other side is gone, even in the middle of one. Ignores signals.
    pub(super) fn receive<M: DeserializeOwned>(&mut self) -> io::Result<Option<M>> {
        self.message.clear();
        match self.stream.by_ref().take(LONGEST).read_until(b'\n', &mut self.message) {
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => Ok(None),
            Err(error) => Err(error),
            Ok(_) if self.message.ends_with(b"\n") => Ok(Some(serde_json::from_slice(&self.message)?)),
            Ok(bytes) if bytes as u64 == LONGEST => Err(io::ErrorKind::FileTooLarge.into()),
            Ok(_) => Ok(None),
        }
    }
}

impl AsFd for WireEnd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.get_ref().as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;
    use std::os::unix::thread::JoinHandleExt;

    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

    use super::*;

    fn pair() -> (WireEnd, WireEnd) {
        let (here, there) = UnixStream::pair().unwrap();
        (WireEnd::new(here), WireEnd::new(there))
    }

    fn failure(what: &str) -> KeeperReply {
        KeeperReply::Error(SeatError::Failed(what.to_owned()))
    }

    #[test]
    fn a_program_with_a_name_that_is_not_text_arrives_as_it_was_sent() {
        let program = Program {
            command: vec![OsString::from_vec(b"/a\xff".to_vec()), "b c".into()],
            arg0: Some("./b".into()),
            folder: Some(OsString::from_vec(b"/x\xff".to_vec()).into()),
            template: Some(PathBuf::from("/y")),
            tools: vec![PathBuf::from("/z")],
            reads_position: false,
        };
        let opening = KeeperSetup::new(SeatPurpose::Play, &program, &SeatOptions::default());
        let written = serde_json::to_vec(&opening).unwrap();
        assert_eq!(serde_json::from_slice::<KeeperSetup>(&written).unwrap().program(), program);
    }

    #[test]
    fn a_prelude_is_executed_and_is_no_part_of_the_program() {
        let program = Program { command: vec!["/a".into(), "b".into()], ..Program::default() };
        let options = SeatOptions { prelude: Some("exec \"$@\"".to_owned()), ..SeatOptions::default() };
        let opening = KeeperSetup::new(SeatPurpose::Play, &program, &options);
        assert_eq!(opening.program(), program);
        assert_eq!(opening.executed(), ["/bin/sh", "-c", "exec \"$@\"", "sh", "/a", "b"].map(OsString::from));
        let plain = KeeperSetup::new(SeatPurpose::Play, &program, &SeatOptions::default());
        assert_eq!(plain.executed(), program.command);
    }

    #[test]
    fn the_end_of_the_other_side_is_none_even_in_mid_message() {
        let (mut here, mut there) = pair();
        here.stream.get_mut().write_all(b"\"Probe\"").unwrap();
        drop(here);
        assert!(there.receive::<KeeperCommand>().unwrap().is_none());
    }

    #[test]
    fn a_message_that_is_too_long_or_none_of_ours_is_not_believed() {
        let too_long = vec![b' '; LONGEST.try_into().unwrap()];
        for bytes in [&too_long, &b"\xff\n"[..], b"\"Open\"\n"] {
            let (mut here, mut there) = pair();
            let bytes = bytes.to_owned();
            let sender = std::thread::spawn(move || here.stream.get_mut().write_all(&bytes));
            assert!(there.receive::<KeeperCommand>().is_err());
            sender.join().unwrap().unwrap();
        }
    }

    #[test]
    fn a_message_arrives_in_pieces_and_behind_another_one() {
        let (mut here, mut there) = pair();
        let long = "x".repeat(100_000);
        let sender = std::thread::spawn(move || {
            for text in ["", &long, "short", &long] {
                here.send(&failure(text)).unwrap();
            }
        });
        for length in [0, 100_000, 5, 100_000] {
            let Some(KeeperReply::Error(SeatError::Failed(text))) = there.receive().unwrap() else {
                panic!("expected a failure");
            };
            assert_eq!(text.len(), length);
        }
        sender.join().unwrap();
        assert!(there.receive::<KeeperReply>().unwrap().is_none());
    }

    #[test]
    #[expect(unsafe_code, reason = "a signal for one thread, which the standard library cannot send")]
    fn whoever_waits_is_not_disturbed_by_signals() {
        extern "C" fn nothing(_: libc::c_int) {}
        let action = SigAction::new(SigHandler::Handler(nothing), SaFlags::empty(), SigSet::empty());
        // SAFETY: an empty handler may be called at any time, and nobody else here uses the signal.
        unsafe { sigaction(Signal::SIGUSR2, &action) }.unwrap();
        let (mut here, mut there) = pair();
        let waiting = std::thread::spawn(move || there.receive::<KeeperReply>());
        for _ in 0..20 {
            std::thread::sleep(Duration::from_millis(5));
            // SAFETY: the thread is not joined yet, so its number is still its own.
            let sent = unsafe { libc::pthread_kill(waiting.as_pthread_t(), libc::SIGUSR2) };
            assert_eq!(sent, 0);
        }
        here.send(&failure("yes")).unwrap();
        let received = waiting.join().unwrap();
        assert!(matches!(received, Ok(Some(KeeperReply::Error(SeatError::Failed(text)))) if text == "yes"));
    }
}
