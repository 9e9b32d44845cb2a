//! A service: a program that answers questions on standard input and output while it lives. `rules_program` uses it.
//!
//! For rules programs, which read agents' texts and are therefore isolated like agents; their own folder is in the
//! working directory, and what they write there is discarded. It does not know the questions or their time limits.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use wait_timeout::ChildExt;

use super::wire::{KeeperCommand, KeeperReply, SeatPurpose};
use super::{END_PATIENCE, Meter, Program, Seat, SeatError, SeatOptions, Termination};

/// A program that runs until it ends, or until this is dropped.
#[derive(Debug)]
pub struct Service {
    process: ServiceProcess,
    line: UnixStream,
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
        let options = SeatOptions {
            calibration: None,
            // Nothing is charged for, so that the account of the kernel is good enough.
            meter: Some(Meter::Rusage),
            ..options.clone()
        };
        let theirs = Stdio::from(OwnedFd::from(theirs));
        let mut seat = Seat::open_for(SeatPurpose::Service, program, &options, theirs)?;
        if let Some(channel) = &mut seat.channel {
            channel.send(&KeeperCommand::Serve).map_err(no_line)?;
        }
        Ok(Self {
            process: ServiceProcess::Seated(Box::new(seat)),
            line,
        })
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
            let child = command
                .stdin(OwnedFd::from(theirs.try_clone()?))
                .stdout(OwnedFd::from(theirs))
                .spawn()?;
            Ok(Self {
                process: ServiceProcess::Child(child),
                line,
            })
        };
        started().map_err(|error: io::Error| SeatError::Failed(format!("could not start the program: {error}")))
    }

    /// The program's standard input and output, once more. It ends when the program does.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn line(&self) -> io::Result<File> {
        Ok(File::from(OwnedFd::from(self.line.try_clone()?)))
    }

    /// How long a reader or a writer of the line may wait for the program. A process that is an agent itself cannot say
    /// so, and has limits of its own.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn set_patience(&self, patience: Duration) -> io::Result<()> {
        match self.process {
            ServiceProcess::Child(_) => Ok(()),
            ServiceProcess::Seated(_) => {
                let patience = Some(patience.max(Duration::from_millis(1)));
                self.line.set_read_timeout(patience)?;
                self.line.set_write_timeout(patience)
            }
        }
    }

    /// Ends the program if it has not ended; tells how it ended, and the end of what it wrote to standard error.
    ///
    /// # Errors
    ///
    /// [`SeatError`] where nobody can tell.
    pub fn end(self) -> Result<(Termination, String), SeatError> {
        drop(self.line);
        match self.process {
            ServiceProcess::Seated(seat) => end_seat(*seat),
            ServiceProcess::Child(mut child) => {
                // It is killed as all that an agent leaves is, if it does not end by itself.
                let ended = child.wait_timeout(END_PATIENCE);
                let status = ended
                    .ok()
                    .flatten()
                    .and_then(|status| u8::try_from(status.code()?).ok());
                Ok((
                    status.map_or(Termination::Guarded, |status| Termination::Exited { status }),
                    String::new(),
                ))
            }
        }
    }
}

fn end_seat(mut seat: Seat) -> Result<(Termination, String), SeatError> {
    let Some(channel) = &mut seat.channel else {
        return Err(seat.lost("was abandoned after a failure"));
    };
    // A keeper that is gone is told of by the answer that does not come.
    let _ = channel.hang_up();
    let heard = channel.set_patience(END_PATIENCE).and_then(|()| channel.receive());
    match heard {
        Ok(Some(KeeperReply::Served { ended, said })) => Ok((ended, said)),
        Ok(Some(reply)) => Err(seat.give_up(reply)),
        Ok(None) => Err(seat.lost("has ended")),
        Err(error) => Err(seat.lost(&format!("sent an invalid message: {error}"))),
    }
}
