//! The keeper process: opened once, then one run after another, until the referee hangs up.
//!
//! The body of the hidden `referee keeper` command, which the seat starts. It judges nothing. Setting up isolation
//! returns twice: one process serves runs, the other waits outside as its guardian.

mod living;
mod run;

use std::ffi::CStr;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::prctl::{set_child_subreaper, set_dumpable, set_name};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, SysconfVar, dup2_stdin, getegid, setgroups, sysconf};

use super::copy_artifacts::copy_out;
use super::fault::HostError;
use super::freezer::Freezer;
use super::isolation::{self, ProcessRole, Processors};
use super::kernel_limits::KernelLimits;
use super::launcher::{Command, LaunchContext, Launcher, ProcessKind};
use super::limiter::{exceeded_by, tasks_of_user};
use super::limits::OTHER_TASKS;
use super::memory_group::MemoryGroup;
use super::open_channels::ChannelCapacity;
use super::processes::children;
use super::ready_time::{MainThread, Pressure, WaitAccounts};
use super::reap::reap_orphans;
use super::report::{Build, Run, RunRequest, Task, Termination};
use super::room::expect_disk_space;
use super::system::{
    ChildStatus, ReapedChild, Wait, WaitOutcome, block_termination_signals, close_all_but, default_signals, exit_now,
    wait,
};
use super::tree_meter::TreeMeter;
use super::watch::RunBounds;
use super::wire::{BuildOrder, KeeperCommand, KeeperReply, KeeperSetup, ProgramEnd, ReadySeat, WireEnd};
use super::workdir::{Contents, Workdir, make_outer};
use super::{CALIBRATION, Charge, Isolation, OUTPUT, Protocol, SeatError, SeatPurpose};
use living::LifeStage;
use referee_time::{CpuTime, WallTime};
use run::{Go, RunCourse};

/// Ten years.
const LIFE_OF_A_SERVICE: CpuTime = CpuTime::from_secs(10 * 365 * 86_400);

const STARVED: &str = "other programs kept all of them busy; run fewer games at once (`--jobs`), or end other programs";

const FULL: &str = "the disk for temporary files is full; free some space, or set `TMPDIR` to another directory";

/// The body of the hidden `referee keeper` command. Returns the exit code.
pub fn keeper_main() -> u8 {
    let Some(mut referee) = line_to_referee() else {
        eprintln!("referee: `keeper` is internal: expected a socket as stdin");
        return 2;
    };
    match serve(&mut referee) {
        Ok(()) => 0,
        Err(fault) => {
            // If the referee is gone, nobody can receive the message.
            drop(referee.send(&KeeperReply::Error(fault)));
            1
        }
    }
}

fn line_to_referee() -> Option<WireEnd> {
    let stdin = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
    let stream = UnixStream::from(stdin);
    stream.peer_addr().ok()?;
    Some(WireEnd::new(stream))
}

fn serve(referee: &mut WireEnd) -> Result<(), SeatError> {
    prepare_process()?;
    match next_order(referee)? {
        Some(KeeperCommand::Open(opening)) => open_seat(referee, &opening),
        Some(KeeperCommand::Probe) => Ok(answer(referee, &KeeperReply::Probed(isolation::protections()))?),
        Some(KeeperCommand::Run(_) | KeeperCommand::Build(_) | KeeperCommand::Serve | KeeperCommand::EndGame)
        | None => Ok(()),
    }
}

/// May return twice, in two processes.
fn open_seat(referee: &mut WireEnd, opening: &KeeperSetup) -> Result<(), SeatError> {
    let processors = pin(opening.options.processor)?;
    let room = ChannelCapacity::read();
    let outer = make_outer(Path::new(&opening.scratch))?;
    let program = opening.program();
    let limits = opening.options.limits;
    let (isolation_setup, mounts) = match isolation::set_up(
        opening.options.isolation,
        opening.purpose,
        &program,
        outer.path(),
        &limits,
        processors,
    )? {
        ProcessRole::Keeper(isolation_setup, mounts) => (isolation_setup, mounts),
        ProcessRole::Outside(inside) => wait_outside(inside, outer.path()),
    };
    let mut kernel = KernelLimits::make(limits, &isolation_setup);
    let memory_group = kernel.parts().0.and_then(MemoryGroup::of_second_version);
    // A program that ends with its answer needs none.
    let freezer = match opening.options.protocol {
        Protocol::Files => None,
        Protocol::Stdio => Some(Freezer::choose(memory_group)),
    };
    let group = memory_group.or_else(|| freezer.as_ref().and_then(Freezer::group));
    let tree_meter = TreeMeter::choose(opening, group)?;
    let contents = Contents {
        template: program.template.clone(),
        calibration: opening.options.calibration.clone(),
        persistence: opening.options.persistence,
        limits,
    };
    let workdir = if let Some(mounts) = mounts {
        Workdir::in_memory(outer, mounts, contents)?
    } else {
        expect_disk_space(outer.path(), &limits)?;
        Workdir::on_disk(outer, contents)?
    };
    let others = match isolation_setup.level() {
        // A user namespace counts only its own processes. Counting all of the machine's takes 5 µs for each.
        Isolation::Sealed => 0,
        Isolation::Confined | Isolation::Bare => tasks_of_user() + OTHER_TASKS,
    };
    let kind = match (opening.purpose, &freezer) {
        (SeatPurpose::Play, Some(freezer)) => {
            ProcessKind::LivingAgent { is_stopped_by_signals: freezer.missing().is_some() }
        }
        (SeatPurpose::Play, None) => ProcessKind::Agent,
        (SeatPurpose::Build, _) => ProcessKind::Tool { sources: program.folder.unwrap_or_default() },
        (SeatPurpose::Service, _) => ProcessKind::Service,
    };
    let context = LaunchContext { kind, isolation_setup, limits, others, room };
    let keeper = Keeper::open(opening, context, workdir, Accounts { tree_meter, kernel, freezer })?;
    Ok(keep(referee, keeper)?)
}

/// Pins this process and all its future children to one processor.
fn pin(processor: Option<usize>) -> Result<Processors, HostError> {
    let Some(processor) = processor else {
        return Ok(Processors::Any);
    };
    let mut one = CpuSet::new();
    one.set(processor)
        .and_then(|()| sched_setaffinity(Pid::from_raw(0), &one))
        .map_err(HostError::when("stay on the processor that it was given"))?;
    Ok(Processors::Given)
}

/// The loop of the outside process: it ends with the inside process, ends whatever that one left behind if it was
/// killed, and removes the directory on which its files were mounted.
fn wait_outside(inside: Pid, directory: &Path) -> ! {
    // A program of the same user must not inspect this process either.
    let _ = set_dumpable(false);
    // While this process holds its end of the channel, the referee does not notice the end of the inside process.
    let null = open(c"/dev/null", OFlag::O_RDWR | OFlag::O_CLOEXEC, Mode::empty());
    let hung_up = null.and_then(|null| dup2_stdin(&null).and_then(|()| close_all_but(null.as_fd()).map(|()| null)));
    let status = match wait(Wait::For(inside)) {
        Ok(WaitOutcome::Reaped(ReapedChild { status: ChildStatus::Exited(status), .. })) if hung_up.is_ok() => status,
        Ok(_) | Err(_) => 1,
    };
    reap_orphans();
    drop(std::fs::remove_dir(directory));
    // Skip destructors: the descriptors that they own are already closed.
    exit_now(status.into())
}

fn keep(referee: &mut WireEnd, mut keeper: Keeper) -> Result<(), HostError> {
    answer(referee, &keeper.ready())?;
    loop {
        keeper.wait_for_order(referee)?;
        let reply = match next_order(referee)? {
            Some(KeeperCommand::Run(job)) if keeper.freezer.is_some() => {
                let reply = keeper.take_turn(&job, referee)?;
                if let Some(reply) = &reply {
                    answer(referee, reply)?;
                    continue;
                }
                reply
            }
            Some(KeeperCommand::Run(job)) => keeper.run(&job, referee)?,
            Some(KeeperCommand::EndGame) => return answer(referee, &keeper.end_game()?),
            Some(KeeperCommand::Serve) => return answer(referee, &keeper.serve(referee)?),
            Some(KeeperCommand::Build(build)) => keeper.build(&build, referee)?,
            Some(KeeperCommand::Open(_) | KeeperCommand::Probe) | None => None,
        };
        let Some(reply) = reply else {
            return keeper.end_game().map(drop);
        };
        answer(referee, &reply)?;
        // From here on it is the opponent's turn, so this costs no time of this agent.
        keeper.make_ready()?;
    }
}

/// Prepares the keeper itself; its programs inherit some of this.
///
/// It requests no priority above that of its programs, even as root. The kernel removes a reaped process's entries in
/// `/proc` in a busy loop that waits for concurrent removals; a keeper with a higher priority would starve the process
/// it waits for.
fn prepare_process() -> Result<(), HostError> {
    let failed = HostError::when("set itself up");
    // No `PR_SET_PDEATHSIG` here: it is sent when the *thread* that made this process ends, and threads of a pool come
    // and go. End of file on the channel shows that the referee is gone.
    default_signals();
    block_termination_signals().map_err(&failed)?;
    set_child_subreaper(true).map_err(&failed)?;
    give_up_groups().map_err(&failed)?;
    // One byte: too little for a file, and unlike 0 it keeps the kernel from piping core dumps to a program (core(5)).
    let (_, hard) = getrlimit(Resource::RLIMIT_CORE).map_err(&failed)?;
    setrlimit(Resource::RLIMIT_CORE, hard.min(1), hard.min(1)).map_err(&failed)?;
    // Without this list a program's leftovers could not be ended: fail now.
    children().map_err(HostError::when("list its own children in `/proc`"))?;
    // A name for process listings; nothing depends on it.
    let _ = set_name(c"referee-keeper");
    Ok(())
}

/// Root's supplementary groups open files even to programs without root's privileges. An ordinary user cannot drop
/// groups, nor can root in a user namespace made without them.
fn give_up_groups() -> nix::Result<()> {
    match setgroups(&[getegid()]) {
        Err(Errno::EPERM) => Ok(()),
        other => other,
    }
}

fn next_order(referee: &mut WireEnd) -> Result<Option<KeeperCommand<'static>>, HostError> {
    referee.receive().map_err(HostError::when("understand the referee"))
}

fn answer(referee: &mut WireEnd, reply: &KeeperReply) -> Result<(), HostError> {
    referee.send(reply).map_err(HostError::when("answer the referee"))
}

struct Keeper {
    command: Command,
    charge: Charge,
    tree_meter: TreeMeter,
    kernel: KernelLimits,
    /// Only for programs that live for a whole game.
    freezer: Option<Freezer>,
    /// The CPU time before the first question of such a program that is not charged.
    startup: CpuTime,
    stage: LifeStage,
    context: LaunchContext,
    processors: u32,
    workdir: Workdir,
    /// The account of waiting of the programs as a whole, if there is one.
    pressure: Option<Pressure>,
    /// The next run's process; one always exists between runs.
    launcher: Option<Launcher>,
    main_thread: Option<MainThread>,
}

/// What measures, limits and stops the programs of a keeper.
struct Accounts {
    tree_meter: TreeMeter,
    kernel: KernelLimits,
    freezer: Option<Freezer>,
}

impl Keeper {
    fn open(
        opening: &KeeperSetup,
        context: LaunchContext,
        workdir: Workdir,
        Accounts { tree_meter, mut kernel, freezer }: Accounts,
    ) -> Result<Self, HostError> {
        // From here on, no program of the same user can inspect this process, even if it can see it.
        set_dumpable(false).map_err(HostError::when("keep others from looking into it"))?;
        let pressure = kernel.parts().0.and_then(MemoryGroup::of_second_version).and_then(Pressure::of);
        let mut keeper = Self {
            command: Command::of_seat(opening)?,
            charge: opening.options.charge,
            tree_meter,
            kernel,
            freezer,
            startup: opening.options.startup,
            stage: LifeStage::default(),
            processors: processors(),
            context,
            workdir,
            pressure,
            launcher: None,
            main_thread: None,
        };
        keeper.prepare_ahead()?;
        Ok(keeper)
    }

    fn ready(&self) -> KeeperReply {
        let [no_allotment, no_process_cap] = self.kernel.missing();
        KeeperReply::Ready(ReadySeat {
            meter: self.tree_meter.meter(),
            isolation: self.context.isolation_setup.level(),
            no_allotment,
            no_process_cap,
            no_freezer: self.freezer.as_ref().and_then(Freezer::missing).map(str::to_owned),
            wait_accounts: WaitAccounts::of(self.main_thread.as_ref(), self.pressure.as_ref()),
            directory: self.workdir.path().into(),
        })
    }

    /// Prepares the next run.
    fn make_ready(&mut self) -> Result<(), HostError> {
        self.workdir.renew()?;
        self.prepare_ahead()
    }

    /// A compiler's command is not known in advance, and a build can wait.
    fn prepare_ahead(&mut self) -> Result<(), HostError> {
        match self.context.kind {
            ProcessKind::Agent | ProcessKind::LivingAgent { .. } | ProcessKind::Service => self.prepare(),
            ProcessKind::Tool { .. } => Ok(()),
        }
    }

    fn prepare(&mut self) -> Result<(), HostError> {
        if let (_, Some(cap)) = self.kernel.parts() {
            cap.thaw()?;
        }
        let launcher = Launcher::prepare(&self.command, &self.workdir, &self.context)?;
        let launcher = self.launcher.insert(launcher);
        // Until it is ready, the meter can inspect it as little as it can this process.
        launcher.await_ready()?;
        self.main_thread = Some(MainThread::of(launcher.pid));
        self.kernel.adopt(launcher.pid)?;
        if let Some(freezer) = &self.freezer {
            freezer.adopt(launcher.pid)?;
        }
        self.tree_meter.adopt(launcher.pid)
    }

    /// Runs an agent once; `None` if the referee is gone.
    fn run(&mut self, job: &RunRequest, referee: &WireEnd) -> Result<Option<KeeperReply>, HostError> {
        if let Some(limit) = exceeded_by(self.workdir.set_aside(), &self.context.limits) {
            self.dismiss_launcher();
            return Ok(Some(KeeperReply::Ran(Run::not_begun(Termination::Exceeded { limit }))));
        }
        let task_output = self.lay_out(&job.task)?;
        let bounds = RunBounds::of_run(job.kill_after, job.wall_limit);
        let Some(run) = self.run_program(bounds, referee)? else {
            return Ok(None);
        };
        let removed = self.workdir.files_to_be_lost(task_output);
        Ok(Some(KeeperReply::Ran(Run { removed, output: self.workdir.find(task_output), ..run })))
    }

    /// The one run of a service, to its own end or until the referee hangs up, which is its usual end.
    fn serve(&mut self, referee: &WireEnd) -> Result<KeeperReply, HostError> {
        // Who asks keeps the time of each question.
        let bounds = RunBounds::of_run(LIFE_OF_A_SERVICE, WallTime::from_micros(LIFE_OF_A_SERVICE.micros()));
        let RunCourse { run, .. } = self.run_even_if_abandoned(bounds, referee)?;
        Ok(KeeperReply::Served(ProgramEnd { ended: run.ended, said: run.stderr }))
    }

    /// Runs a compiler once and hands over its products on success; `None` if the referee is gone.
    fn build(&mut self, build: &BuildOrder, referee: &WireEnd) -> Result<Option<KeeperReply>, HostError> {
        self.command = Command::new(&build.command)?;
        self.prepare()?;
        let bounds = RunBounds::of_run(build.limit.cpu, build.limit.waiting);
        let Some(run) = self.run_program(bounds, referee)? else {
            return Ok(None);
        };
        if run.ended == (Termination::Exited { status: 0 }) {
            copy_out(self.workdir.work(), Path::new(&build.into), &self.context.limits)
                .map_err(HostError::when("hand over what the compiler has made"))?;
        }
        let used = run.usage.charged(Charge::Cpu);
        Ok(Some(KeeperReply::Built(Build { ended: run.ended, used, said: run.stderr })))
    }

    /// Starts the program and waits for the end of all its processes; `None` if the referee is gone.
    fn run_program(&mut self, bounds: RunBounds, referee: &WireEnd) -> Result<Option<Run>, HostError> {
        let RunCourse { is_abandoned, run } = self.run_even_if_abandoned(bounds, referee)?;
        Ok((!is_abandoned).then_some(run))
    }

    /// The same, and how it ended where the referee is gone.
    fn run_even_if_abandoned(&mut self, bounds: RunBounds, referee: &WireEnd) -> Result<RunCourse, HostError> {
        let mut program = self.take_prepared()?;
        let watched = self.watch(&mut program, bounds, Some(referee.as_fd()), Go::Start);
        self.end(&mut program, watched, bounds)
    }

    /// Waits for the next order, and keeps a living program stopped meanwhile.
    fn wait_for_order(&self, referee: &WireEnd) -> Result<(), HostError> {
        while let Some(period) = self.freezer.as_ref().and_then(Freezer::hold_period) {
            let mut order = [PollFd::new(referee.as_fd(), PollFlags::POLLIN)];
            let timeout = PollTimeout::try_from(period).unwrap_or(PollTimeout::MAX);
            match poll(&mut order, timeout) {
                Ok(0) => self.hold()?,
                Ok(_) => break,
                Err(Errno::EINTR) => {}
                Err(errno) => return Err(HostError::when("wait for the referee")(errno)),
            }
        }
        Ok(())
    }

    /// A launcher that is no longer needed ends when its channel closes.
    fn dismiss_launcher(&mut self) {
        if let Some(Launcher { pid, link, .. }) = self.launcher.take() {
            drop(link);
            let _ = wait(Wait::For(pid));
        }
    }

    /// Puts the task into the working directory; returns the name of the expected output file.
    fn lay_out(&mut self, task: &Task) -> Result<&'static CStr, HostError> {
        match task {
            Task::Move { input } => {
                self.workdir.put_input(input.as_bytes())?;
                Ok(OUTPUT)
            }
            Task::Calibrate => {
                self.workdir.expect_calibration();
                Ok(CALIBRATION)
            }
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.dismiss_launcher();
    }
}

/// All processors: a program may widen its affinity again.
fn processors() -> u32 {
    sysconf(SysconfVar::_NPROCESSORS_ONLN)
        .ok()
        .flatten()
        .and_then(|count| u32::try_from(count).ok())
        .unwrap_or(1)
        .max(1)
}
