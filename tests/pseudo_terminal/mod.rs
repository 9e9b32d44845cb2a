//! `referee` on a pseudo-terminal, and what the terminal would show.
#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each user of it needs another part, so that it is dead code in the others"
)]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{Termios, tcgetattr};
use nix::unistd::{Pid, ttyname};

/// How large a terminal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) rows: u16,
    pub(crate) columns: u16,
}

/// No test depends on how fast the machine is; one that waits for so long has failed.
const TIMEOUT: Duration = Duration::from_mins(10);

/// A program on a terminal of its own.
pub(crate) struct PseudoTerminal {
    master: File,
    /// Held, so that the terminal is there for as long as it is looked at.
    slave: OwnedFd,
    device: PathBuf,
    program: Child,
    screen: vt100::Parser,
    /// Everything that was written to the terminal.
    pub(crate) written: Vec<u8>,
    found: Termios,
}

/// Variables that would make a test see another terminal than it says.
const CLEARED: [&str; 8] =
    ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LC_ALL", "LC_CTYPE", "COLORTERM", "LINES", "COLUMNS"];

impl PseudoTerminal {
    /// Starts `referee` at `program` with `arguments`; the terminal has colours and UTF-8 unless `environment` says
    /// otherwise.
    pub(crate) fn start(program: &Path, arguments: &[&str], size: Size, environment: &[(&str, &str)]) -> Self {
        let window = Winsize { ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0 };
        let pair = openpty(&window, None).expect("the system has pseudo-terminals");
        for end in [&pair.master, &pair.slave] {
            fcntl(end, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).expect("an open descriptor has flags");
        }
        let device = ttyname(&pair.slave).expect("the slave is a terminal");
        let found = tcgetattr(&pair.slave).expect("the slave is a terminal");
        let end = || Stdio::from(pair.slave.try_clone().expect("there are descriptors left"));
        let mut command = Command::new(program);
        command.args(arguments).stdin(end()).stdout(end()).stderr(end());
        for name in CLEARED {
            command.env_remove(name);
        }
        command.env("TERM", "xterm-256color").env("LANG", "C.UTF-8");
        command.envs(environment.iter().copied());
        let program = command.spawn().expect("it starts");
        Self {
            master: File::from(pair.master),
            slave: pair.slave,
            device,
            program,
            screen: vt100::Parser::new(size.rows, size.columns, 0),
            written: Vec::new(),
            found,
        }
    }

    /// What the terminal shows.
    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.screen.screen()
    }

    /// The lines that the terminal shows, without the blanks at their ends.
    pub(crate) fn lines(&self) -> Vec<String> {
        let (_, columns) = self.screen().size();
        let rows = self.screen().rows(0, columns);
        rows.map(|line| line.trim_end().to_owned()).collect()
    }

    /// Presses keys, given as the bytes that a terminal sends.
    pub(crate) fn press(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).expect("the terminal is there");
    }

    /// Takes the terminal away, as when its window is closed. The program does not get SIGHUP, since its session has
    /// another terminal or none.
    pub(crate) fn hang_up(&mut self) {
        self.master = File::open("/dev/null").expect("it is always there");
    }

    /// Sends a signal to the program.
    pub(crate) fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.program.id()).expect("process ids are small");
        kill(Pid::from_raw(id), signal).expect("it runs");
    }

    /// Makes the terminal larger or smaller, and tells the program as a terminal does.
    pub(crate) fn resize(&mut self, size: Size) {
        let Size { rows, columns } = size;
        let mut stty = Command::new("stty");
        stty.arg("-F").arg(&self.device);
        stty.args(["rows", &rows.to_string(), "cols", &columns.to_string()]);
        assert!(stty.status().expect("there is stty").success());
        self.screen.screen_mut().set_size(rows, columns);
        self.signal(Signal::SIGWINCH);
    }

    /// Waits until the terminal shows what it should.
    pub(crate) fn until(&mut self, shows: impl Fn(&[String]) -> bool) {
        self.until_so(|terminal| shows(&terminal.lines()));
    }

    /// Waits until it is so.
    pub(crate) fn until_so(&mut self, is_so: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + TIMEOUT;
        while !is_so(self) {
            assert!(
                Instant::now() < deadline && self.program.try_wait().expect("it is ours").is_none(),
                "the terminal shows:\n{}",
                self.lines().join("\n")
            );
            self.take(Duration::from_millis(50));
        }
    }

    /// Waits for the end of the program and takes in all that it wrote.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let ended = self.program.try_wait().expect("it is ours");
            while self.take(Duration::ZERO) {}
            if let Some(status) = ended {
                return status;
            }
            assert!(Instant::now() < deadline, "it shows:\n{}", self.lines().join("\n"));
            self.take(Duration::from_millis(50));
        }
    }

    /// Whether keys are read and the cursor is shown as before the program was started.
    pub(crate) fn is_as_found(&self) -> bool {
        let now = tcgetattr(&self.slave).expect("the slave is a terminal");
        let screen = self.screen();
        now == self.found && !screen.hide_cursor() && !screen.alternate_screen()
    }

    /// Takes in what was written, waiting for so long; says whether there was anything.
    fn take(&mut self, deadline: Duration) -> bool {
        let timeout = PollTimeout::try_from(deadline).expect("it is short");
        let mut watched = [PollFd::new(self.master.as_fd(), PollFlags::POLLIN)];
        if poll(&mut watched, timeout) != Ok(1) {
            return false;
        }
        let mut bytes = [0; 4096];
        let Ok(length @ 1..) = self.master.read(&mut bytes) else {
            return false;
        };
        self.written.extend_from_slice(&bytes[..length]);
        self.screen.process(&bytes[..length]);
        true
    }
}

impl Drop for PseudoTerminal {
    fn drop(&mut self) {
        // Where a test has failed, the program may still run.
        drop(self.program.kill());
        drop(self.program.wait());
    }
}
