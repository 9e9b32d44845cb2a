//! A service: a program that answers questions on standard input and output while it lives. `rules_program` uses it.
//!
//! For rules programs, which read agents' texts and are therefore isolated like agents; their own folder is in the
//! working directory, and what they write there is discarded. It does not know the questions; the caller sets the
//! limits of each answer.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::unistd::Pid;
use wait_timeout::ChildExt;

use super::processes::cpu_clock;
use super::wire::{KeeperCommand, KeeperReply, ProgramEnd};
use super::{END_TIMEOUT, Program, Seat, SeatError, SeatOptions, SeatPurpose, Termination};
use referee_time::{CpuTime, WallTime};

/// A program that runs until it ends, or until this is dropped.
#[derive(Debug)]
pub struct Service {
    process: ServiceProcess,
    /// The same socket as `line`, for its timeouts.
    socket: UnixStream,
    /// The program's standard input and output. A file, because an agent may not receive from sockets.
    line: BufReader<File>,
}

/// The limits of one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerLimits {
    /// From the question to the end of the answer.
    pub wall_limit: WallTime,
    /// The maximum length of the answer.
    pub bytes: usize,
}

/// Why a question was not answered. The program is in an unknown state and should be ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoAnswer {
    /// The cause.
    pub cause: NoAnswerCause,
    /// What it had written of its answer.
    pub partial: Vec<u8>,
}

/// The cause of a missing answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswerCause {
    /// The program ended, or closed its line.
    Ended,
    /// The time limit passed.
    TimedOut,
    /// The answer exceeded the maximum length.
    TooLong,
    /// The system's error.
    Failed(String),
}

#[derive(Debug)]
enum ServiceProcess {
    /// In a seat.
    Seated(Box<Seat>),
    /// A child of this process.
    Child(Child),
}

impl Service {
    /// Starts `program`, kept apart and limited as `options` say.
    ///
    /// A program that cannot be started is no error here; [`Self::end`] tells it.
    ///
    /// # Errors
    ///
    /// [`SeatError`].
    pub fn start(program: &Program, options: &SeatOptions) -> Result<Self, SeatError> {
        let no_line = |source: io::Error| SeatError::Failed(format!("could not make a line to the program: {source}"));
        let (line, theirs) = UnixStream::pair().map_err(no_line)?;
        let theirs = Stdio::from(OwnedFd::from(theirs));
        let mut seat = Seat::open_for(SeatPurpose::Service, program, &options.uncharged(), theirs)?;
        if let Some(channel) = &mut seat.channel {
            channel.send(&KeeperCommand::Serve).map_err(no_line)?;
        }
        Self::new(ServiceProcess::Seated(Box::new(seat)), line).map_err(no_line)
    }

    /// Starts `program` as a child of this process, in its folder: for a process that is an agent itself, and kept in
    /// with all that it starts.
    ///
    /// # Errors
    ///
    /// [`SeatError`].
    pub fn start_within(program: &Program) -> Result<Self, SeatError> {
        let started = || {
            let (line, theirs) = UnixStream::pair()?;
            let mut words = program.command.iter();
            let mut command = Command::new(words.next().ok_or(io::ErrorKind::InvalidInput)?);
            command.args(words);
            if let Some(folder) = &program.folder {
                command.current_dir(folder);
            }
            let child = command.stdin(OwnedFd::from(theirs.try_clone()?)).stdout(OwnedFd::from(theirs)).spawn()?;
            Self::new(ServiceProcess::Child(child), line)
        };
        started().map_err(|error: io::Error| SeatError::Failed(format!("could not start the program: {error}")))
    }

    fn new(process: ServiceProcess, socket: UnixStream) -> io::Result<Self> {
        let line = File::from(OwnedFd::from(socket.try_clone()?));
        Ok(Self { process, socket, line: BufReader::new(line) })
    }

    /// The CPU time that the program has used so far, where it is a child of this process.
    pub fn cpu_time(&self) -> Option<CpuTime> {
        match &self.process {
            ServiceProcess::Seated(_) => None,
            ServiceProcess::Child(child) => cpu_clock(Pid::from_raw(child.id().cast_signed())).ok(),
        }
    }

    /// Writes `question`, a line with its end, and returns the line that the program answers, without its end.
    ///
    /// # Errors
    ///
    /// [`NoAnswer`], within the time limit whatever the program does. Only a program started by
    /// [`Self::start_within`] has no time limit here.
    pub fn ask(&mut self, question: &[u8], limits: AnswerLimits) -> Result<Vec<u8>, NoAnswer> {
        let until = Instant::now() + limits.wall_limit.to_duration();
        let mut answer = Vec::new();
        let asked = self.write_question(question, until);
        match asked.and_then(|()| self.read_answer(&mut answer, limits.bytes, until)) {
            Ok(()) => Ok(answer),
            Err(cause) => Err(NoAnswer { cause, partial: answer }),
        }
    }

    fn write_question(&mut self, mut rest: &[u8], until: Instant) -> Result<(), NoAnswerCause> {
        while !rest.is_empty() {
            self.wait_at_most_until(until)?;
            match self.line.get_mut().write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(NoAnswerCause::of(&error)),
            }
        }
        Ok(())
    }

    fn read_answer(&mut self, answer: &mut Vec<u8>, most: usize, until: Instant) -> Result<(), NoAnswerCause> {
        loop {
            self.wait_at_most_until(until)?;
            let come = match self.line.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(NoAnswerCause::of(&error)),
                Ok([]) => return Err(NoAnswerCause::Ended),
                Ok(come) => come,
            };
            let end = come.iter().position(|&byte| byte == b'\n');
            answer.extend_from_slice(&come[..end.unwrap_or(come.len())]);
            let taken = end.map_or(come.len(), |end| end + 1);
            self.line.consume(taken);
            if answer.len() > most {
                return Err(NoAnswerCause::TooLong);
            }
            if end.is_some() {
                return Ok(());
            }
        }
    }

    /// Limits the next read or write. A process that is an agent itself cannot set this, and has limits of its own.
    fn wait_at_most_until(&self, until: Instant) -> Result<(), NoAnswerCause> {
        match self.process {
            ServiceProcess::Child(_) => Ok(()),
            ServiceProcess::Seated(_) => {
                let rest = until.saturating_duration_since(Instant::now());
                if rest.is_zero() {
                    return Err(NoAnswerCause::TimedOut);
                }
                // The system counts in microseconds, and zero would be no timeout at all.
                let timeout = Some(rest.max(Duration::from_millis(1)));
                let set = |()| self.socket.set_write_timeout(timeout);
                self.socket.set_read_timeout(timeout).and_then(set).map_err(|error| NoAnswerCause::of(&error))
            }
        }
    }

    /// Ends the program if it has not ended; tells how it ended, and the end of what it wrote to standard error.
    ///
    /// # Errors
    ///
    /// [`SeatError`] where nobody can tell.
    pub fn end(self) -> Result<(Termination, String), SeatError> {
        let Self { process, socket, line } = self;
        drop((socket, line));
        match process {
            ServiceProcess::Seated(seat) => end_seat(*seat),
            ServiceProcess::Child(mut child) => {
                // It is killed as all that an agent leaves is, if it does not end by itself.
                let ended = child.wait_timeout(END_TIMEOUT);
                let status = ended.ok().flatten().and_then(|status| u8::try_from(status.code()?).ok());
                Ok((status.map_or(Termination::Guarded, |status| Termination::Exited { status }), String::new()))
            }
        }
    }
}

impl NoAnswerCause {
    fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Self::TimedOut,
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => Self::Ended,
            _ => Self::Failed(error.to_string()),
        }
    }
}

fn end_seat(mut seat: Seat) -> Result<(Termination, String), SeatError> {
    let Some(channel) = &mut seat.channel else {
        return Err(seat.lost("was abandoned after a failure"));
    };
    // A keeper that is gone is told of by the answer that does not come.
    let _ = channel.finish_sending();
    let received = channel.set_receive_timeout(END_TIMEOUT).and_then(|()| channel.receive());
    match seat.reply(received)? {
        KeeperReply::Served(ProgramEnd { ended, said }) => Ok((ended, said)),
        reply => Err(seat.give_up(reply)),
    }
}
