//! The keeper's own life: opened once, then one run after another, until the referee hangs up.

use std::ffi::CStr;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::time::Instant;

use nix::sys::prctl::{set_child_subreaper, set_name};
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use nix::unistd::{SysconfVar, sysconf};

use super::Charge;
use super::fault::Fault;
use super::gauge::{Gauge, Split, gauge};
use super::processes::children;
use super::reap::{Harvest, reap};
use super::report::{Bytes, Ended, Job, Meter, Run, Task, Usage};
use super::starter::{Command, Starter};
use super::system::{Status, Wait, ignore_polite_signals, limit_cpu, wait};
use super::watch::{Outcome, Watch};
use super::wire::{Channel, Opening, Order, Reply};
use super::workdir::{CALIBRATION, OUTPUT, Workdir};
use crate::time::{CpuTime, WallTime};

/// How much later than the watch the kernel's own limit ends a program, in seconds.
const BACKSTOP_SLACK_SECONDS: u64 = 2;

/// The body of the hidden `referee keeper` command. Returns the exit status of the process.
pub fn keeper_main() -> u8 {
    let Some(mut referee) = line_to_referee() else {
        eprintln!("referee: `keeper` is for the referee itself: expected a socket as standard input");
        return 2;
    };
    match serve(&mut referee) {
        Ok(()) => 0,
        Err(fault) => {
            // If the referee is gone, there is nobody left to be told.
            drop(referee.send(&Reply::Failed(fault.to_string())));
            1
        }
    }
}

fn line_to_referee() -> Option<Channel> {
    let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
    let stream = UnixStream::from(stdin);
    stream.peer_addr().ok()?;
    Some(Channel::new(stream))
}

fn serve(referee: &mut Channel) -> Result<(), Fault> {
    settle()?;
    let Some(Order::Open(opening)) = next_order(referee)? else {
        return Ok(());
    };
    let mut keeper = Keeper::open(&opening)?;
    answer(referee, &keeper.ready())?;
    while let Some(Order::Run(job)) = next_order(referee)? {
        let Some(run) = keeper.run(&job, referee)? else {
            return Ok(());
        };
        answer(referee, &Reply::Ran(run))?;
        // From here on it is the opponent's turn, so this costs no time of this game.
        keeper.make_ready()?;
    }
    Ok(())
}

/// What a keeper does to itself, and what its programs inherit.
fn settle() -> Result<(), Fault> {
    let failed = Fault::when("set itself up");
    // No `PR_SET_PDEATHSIG` here: it is sent when the *thread* that made this process ends, and threads of a pool come
    // and go. The end of the line to the referee is what tells that the referee is gone.
    ignore_polite_signals().map_err(&failed)?;
    set_child_subreaper(true).map_err(&failed)?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0).map_err(&failed)?;
    // Without the list there would be no way to end what a program leaves behind: better to know it now.
    children().map_err(Fault::when("list its own children in `/proc`"))?;
    // A name for people who look at a list of processes; nothing depends on it.
    let _ = set_name(c"referee-keeper");
    Ok(())
}

fn next_order(referee: &mut Channel) -> Result<Option<Order>, Fault> {
    referee.receive().map_err(Fault::when("understand the referee"))
}

fn answer(referee: &mut Channel, reply: &Reply) -> Result<(), Fault> {
    referee.send(reply).map_err(Fault::when("answer the referee"))
}

struct Keeper {
    command: Command,
    meter: Meter,
    charge: Charge,
    gauge: Box<dyn Gauge>,
    processors: u32,
    workdir: Workdir,
    /// The next run's process; there is always one between runs.
    starter: Option<Starter>,
}

impl Keeper {
    fn open(opening: &Opening) -> Result<Self, Fault> {
        let meter = Meter::Rusage;
        let mut keeper = Self {
            command: Command::new(&opening.program().command)?,
            meter,
            charge: opening.charge,
            gauge: gauge(meter, opening.charge),
            processors: processors(),
            workdir: Workdir::create(&opening.scratch(), opening.calibration())?,
            starter: None,
        };
        keeper.prepare()?;
        Ok(keeper)
    }

    fn ready(&self) -> Reply {
        Reply::Ready {
            meter: self.meter,
            directory: Bytes(self.workdir.path().as_os_str().as_bytes().to_vec()),
        }
    }

    /// Gets everything ready for the next run.
    fn make_ready(&mut self) -> Result<(), Fault> {
        self.workdir.renew()?;
        self.prepare()
    }

    fn prepare(&mut self) -> Result<(), Fault> {
        self.starter = Some(Starter::prepare(&self.command, &self.workdir)?);
        Ok(())
    }

    /// One run; `None` if the referee is gone.
    fn run(&mut self, job: &Job, referee: &Channel) -> Result<Option<Run>, Fault> {
        let task_output = self.lay_out(&job.task)?;
        let mut starter = self
            .starter
            .take()
            .ok_or_else(|| Fault::when("start the program")("nothing was prepared"))?;
        let watched = self.watch_over(&mut starter, job, referee);
        // Whatever has happened, nothing stays alive.
        let harvest = reap(starter.pid)?;
        let (outcome, wall) = watched?;
        if outcome == Outcome::Abandoned {
            return Ok(None);
        }
        let split = self.gauge.total()?;
        self.workdir
            .unlock()
            .map_err(Fault::when("look into the working directory"))?;
        Ok(Some(Run {
            ended: match starter.refusal(&self.command) {
                Some(error) => Ended::NotStarted { error },
                None => verdict(outcome, harvest.status, self.over(job, split)),
            },
            usage: usage(split, harvest, wall),
            output: self.workdir.find(task_output),
            removed: self.workdir.strays(task_output),
            survivors: survivors(outcome, harvest),
            stderr: starter.stderr.into_text(),
        }))
    }

    /// Puts the task into the working directory; returns the name of the file that the program is to leave there.
    fn lay_out(&self, task: &Task) -> Result<&'static CStr, Fault> {
        match task {
            Task::Move { input } => {
                self.workdir.put_input(input.as_bytes())?;
                Ok(OUTPUT)
            }
            Task::Calibrate => {
                self.workdir.take_calibration()?;
                Ok(CALIBRATION)
            }
        }
    }

    /// Sets the program off and waits until there is something to be done about it.
    fn watch_over(
        &mut self,
        starter: &mut Starter,
        job: &Job,
        referee: &Channel,
    ) -> Result<(Outcome, WallTime), Fault> {
        starter.await_ready()?;
        if let Some(seconds) = backstop(job.kill_after, self.charge) {
            limit_cpu(starter.pid, seconds).map_err(Fault::when("limit the program"))?;
        }
        self.gauge.begin(starter.pid)?;
        let begin = Instant::now();
        starter.go()?;
        let outcome = Watch {
            ended: starter.ended.as_fd(),
            referee: referee.as_fd(),
            stderr: &mut starter.stderr,
            gauge: &mut *self.gauge,
            processors: self.processors,
        }
        .keep(job, begin)?;
        Ok((outcome, WallTime::from_duration(begin.elapsed())))
    }

    fn over(&self, job: &Job, split: Split) -> bool {
        usage_of(split).charged(self.charge) >= job.kill_after
    }
}

impl Drop for Keeper {
    /// A starter that is not needed any more ends when its line does.
    fn drop(&mut self) {
        if let Some(Starter { pid, link, .. }) = self.starter.take() {
            drop(link);
            let _ = wait(Wait::For(pid));
        }
    }
}

/// The kernel's limit knows only the sum of both times, so it says nothing where user time alone is charged.
fn backstop(kill_after: CpuTime, charge: Charge) -> Option<u64> {
    match charge {
        Charge::Cpu => Some(kill_after.micros().div_ceil(1_000_000) + BACKSTOP_SLACK_SECONDS),
        Charge::User => None,
    }
}

/// All that are there: a program may widen its own affinity again.
fn processors() -> u32 {
    sysconf(SysconfVar::_NPROCESSORS_ONLN)
        .ok()
        .flatten()
        .and_then(|count| u32::try_from(count).ok())
        .unwrap_or(1)
        .max(1)
}

fn usage_of(Split { user, system }: Split) -> Usage {
    Usage {
        user,
        system,
        ..Usage::default()
    }
}

fn usage(split: Split, harvest: Harvest, wall: WallTime) -> Usage {
    Usage {
        wall,
        peak_rss_bytes: harvest.peak_rss_bytes,
        ..usage_of(split)
    }
}

/// Of a tree that was killed whole, nobody has outlived the program.
fn survivors(outcome: Outcome, harvest: Harvest) -> u32 {
    match outcome {
        Outcome::Ended => harvest.killed,
        Outcome::OutOfCpu | Outcome::Guarded | Outcome::Abandoned => 0,
    }
}

/// How it ended, in one word: a program that was about to be killed and ended by itself ended by itself.
fn verdict(outcome: Outcome, status: Status, over: bool) -> Ended {
    let signal = match status {
        Status::Exited(status) => return Ended::Exited { status },
        Status::Signalled(signal) => signal,
    };
    let killed = signal == Signal::SIGKILL as i32;
    match outcome {
        Outcome::OutOfCpu if killed => Ended::OutOfCpu,
        Outcome::Guarded if killed => Ended::Guarded,
        // The kernel's own limit came first.
        _ if over && (killed || signal == Signal::SIGXCPU as i32) => Ended::OutOfCpu,
        _ => Ended::Signalled {
            signal,
            name: name_of(signal),
        },
    }
}

fn name_of(signal: i32) -> String {
    Signal::try_from(signal).map_or_else(|_| format!("signal {signal}"), |signal| signal.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KILL: i32 = Signal::SIGKILL as i32;
    const SEGV: i32 = Signal::SIGSEGV as i32;
    const XCPU: i32 = Signal::SIGXCPU as i32;

    #[test]
    fn a_verdict_names_what_came_first() {
        use Outcome::{Ended as Over, Guarded, OutOfCpu};
        use Status::{Exited, Signalled};
        let exited = |status| Ended::Exited { status };
        let signalled = |signal, name: &str| Ended::Signalled {
            signal,
            name: name.to_owned(),
        };
        let cases = [
            (Over, Exited(3), false, exited(3)),
            (Over, Exited(0), true, exited(0)),
            (OutOfCpu, Exited(0), true, exited(0)),
            (OutOfCpu, Signalled(KILL), true, Ended::OutOfCpu),
            (OutOfCpu, Signalled(SEGV), true, signalled(SEGV, "SIGSEGV")),
            (Guarded, Signalled(KILL), false, Ended::Guarded),
            (Over, Signalled(KILL), false, signalled(KILL, "SIGKILL")),
            (Over, Signalled(KILL), true, Ended::OutOfCpu),
            (Over, Signalled(XCPU), true, Ended::OutOfCpu),
            (Over, Signalled(40), false, signalled(40, "signal 40")),
        ];
        for (outcome, status, over, expected) in cases {
            assert_eq!(
                verdict(outcome, status, over),
                expected,
                "{outcome:?} {status:?} {over}"
            );
        }
    }

    #[test]
    fn the_backstop_is_whole_seconds_and_later() {
        assert_eq!(backstop(CpuTime::from_millis(1500), Charge::Cpu), Some(4));
        assert_eq!(backstop(CpuTime::from_secs(10), Charge::Cpu), Some(12));
        assert_eq!(backstop(CpuTime::from_secs(10), Charge::User), None);
    }
}
