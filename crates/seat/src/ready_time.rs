//! How long a run was ready to run, and how long the machine kept a processor from it meanwhile.
//!
//! The wall-clock guard is for programs that wait (RULES.md, section 1). So time in which anything of the program was
//! ready to run does not count. `watch` samples here and ends a run as this says; it kills nothing itself.
//!
//! **Each thread's account**, `/proc/PID/task/TID/schedstat` (kernels with `CONFIG_SCHED_INFO`, which is usual): the
//! nanoseconds on a processor, and those ready and waiting for one. It shows a thread that is alive at a sample, and
//! the main thread until it is reaped. It misses what a process used after its last sample, and has no wait before it
//! ends: so no program is guarded while one of its threads is ready (state `R`). Time that a hypervisor took is in
//! neither number.
//!
//! **The pressure of the control group**, `cpu.pressure` (version 2, `CONFIG_PSI`): the time in which anything in it
//! was ready and waited, however short its life. A seat has such a group where the kernel limits its memory.
//!
//! Without both, as under some emulated kernels, the guard counts wall-clock time, and no delay is known.
//!
//! **Who can cheat.** Threads that wait for each other look starved, so three bounds hold. They use CPU time, which is
//! charged. What other threads of the program ran is no delay by the machine. And time counted as ready beyond that
//! delay can postpone the guard to [`MOST_POSTPONED`] times its limit, and no further. Only the delay by the machine,
//! which no program can cause, makes a game void.

use std::collections::HashMap;
use std::fs::File;
use std::time::{Duration, Instant};

use nix::fcntl::OFlag;
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::cgroup::ControlGroup;
use super::processes::{ProcDir, descendants, proc_text};
use referee_time::WallTime;

/// The time between two samples: a program with hundreds of threads pays a hundredth of a processor for them.
const PERIOD: Duration = Duration::from_millis(100);

/// The shortest time: a program that computes just below its limit must not keep the keeper busy.
const SHORTEST_PERIOD: Duration = Duration::from_millis(5);

/// An interval between two samples counts at most so long: a keeper that could not look for longer was itself stopped,
/// as by a machine that was suspended.
const LONGEST_INTERVAL: Duration = Duration::from_secs(1);

/// How much later than its limit the guard may fire at most, as a factor, not counting delays by the machine. Ten
/// processes that hand their work to each other may each wait while the busiest one's account shows a tenth of it.
pub(super) const MOST_POSTPONED: u32 = 10;

/// A program is starved after this many times its wall-clock limit. With the usual guard that is 60 times its CPU time,
/// more than beside 24 busy programs on a single processor.
pub(super) const STARVED_FACTOR: u32 = 20;

/// At least so long: short runs need a processor for their start, too.
pub(super) const STARVED_AT_LEAST: Duration = Duration::from_mins(10);

/// What `schedstat` says of a thread, or of an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ThreadTime {
    ran: Duration,
    /// Ready, and waiting for a processor.
    delayed: Duration,
}

impl ThreadTime {
    fn read(schedstat: &str) -> Option<Self> {
        let mut fields = schedstat.split_ascii_whitespace();
        let mut next = || fields.next()?.parse().ok().map(Duration::from_nanos);
        Some(Self { ran: next()?, delayed: next()? })
    }

    fn since(self, before: Self) -> Self {
        Self { ran: self.ran.saturating_sub(before.ran), delayed: self.delayed.saturating_sub(before.delayed) }
    }
}

/// Which of the kernel's accounts show that programs wait for a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitAccounts {
    /// Each thread's, `schedstat`.
    pub threads: bool,
    /// That of the seat's control group, `cpu.pressure`.
    pub group: bool,
}

impl WaitAccounts {
    /// Those of a seat.
    pub(super) fn of(main: Option<&MainThread>, pressure: Option<&Pressure>) -> Self {
        Self { threads: main.and_then(MainThread::time).is_some(), group: pressure.and_then(Pressure::total).is_some() }
    }
}

/// The main thread of the next run.
#[derive(Debug)]
pub(super) struct MainThread {
    pid: Pid,
    /// Opened beforehand, because a run may take less time than this.
    account: Option<File>,
    before: ThreadTime,
}

impl MainThread {
    /// The thread of a process that waits to become the program.
    pub(super) fn of(pid: Pid) -> Self {
        let account = File::open(format!("/proc/{pid}/schedstat")).ok();
        let mut thread = Self { pid, account, before: ThreadTime::default() };
        thread.before = thread.time().unwrap_or_default();
        thread
    }

    fn time(&self) -> Option<ThreadTime> {
        ThreadTime::read(&proc_text(self.account.as_ref()?).ok()?)
    }
}

/// The account of a group's waiting as a whole.
#[derive(Debug)]
pub(super) struct Pressure(File);

impl Pressure {
    /// That of `group`, if the kernel keeps it.
    pub(super) fn of(group: &ControlGroup) -> Option<Self> {
        group.file(c"cpu.pressure", OFlag::O_RDONLY).ok().map(Self)
    }

    fn total(&self) -> Option<Duration> {
        total_pressure(&proc_text(&self.0).ok()?)
    }
}

fn total_pressure(text: &str) -> Option<Duration> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let total = some.split_ascii_whitespace().find_map(|field| field.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}

/// The sources of one run's account.
#[derive(Debug)]
pub(super) struct ReadyTime<'a> {
    main: &'a MainThread,
    pressure: Option<&'a Pressure>,
    pressed: Duration,
    threads: HashMap<Pid, ThreadTime>,
    sampled: Instant,
    sums: Sums,
}

/// Why a run must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitEnd {
    /// It waited too long.
    Guarded,
    /// The machine kept it waiting too long.
    Starved,
}

impl<'a> ReadyTime<'a> {
    /// Begins at the start of the program.
    pub(super) fn begin(main: &'a MainThread, pressure: Option<&'a Pressure>) -> Self {
        Self {
            main,
            pressure,
            pressed: pressure.and_then(Pressure::total).unwrap_or_default(),
            threads: HashMap::from([(main.pid, main.before)]),
            sampled: Instant::now(),
            sums: Sums::default(),
        }
    }

    /// Begins when a program that was stopped goes on; `processes` are those that live.
    pub(super) fn resume(
        main: &'a MainThread,
        pressure: Option<&'a Pressure>,
        processes: impl Iterator<Item = (Pid, u32)>,
    ) -> Self {
        let threads = processes.flat_map(|(pid, threads)| threads_of(pid, threads));
        let threads = threads.filter_map(|thread| timed(&thread)).collect();
        Self { threads, ..Self::begin(main, pressure) }
    }

    /// When to sample next, at the latest: the guard must not fire on what was known long before.
    pub(super) fn next_sample(&self, wall_limit: WallTime) -> Option<Instant> {
        let left = wall_limit.to_duration().saturating_sub(self.sums.waited());
        self.sampled.checked_add(left.clamp(SHORTEST_PERIOD, PERIOD))
    }

    /// Samples these living processes, each with its number of threads; returns why the run must end, if it must.
    pub(super) fn sample(
        &mut self,
        processes: impl Iterator<Item = (Pid, u32)>,
        wall_limit: WallTime,
    ) -> Option<WaitEnd> {
        let threads: Vec<(Pid, ProcDir)> = processes.flat_map(|(pid, threads)| threads_of(pid, threads)).collect();
        self.add(threads.iter().filter_map(timed).collect());
        self.sums.end(wall_limit.to_duration(), || threads.iter().any(is_ready))
    }

    /// The time that the machine kept the ended run waiting.
    pub(super) fn delayed(mut self) -> WallTime {
        let main = self.main.time().map(|time| (self.main.pid, time));
        self.add(main.into_iter().collect());
        WallTime::from_duration(self.sums.delayed())
    }

    fn add(&mut self, living: HashMap<Pid, ThreadTime>) {
        let now = Instant::now();
        let pressed = self.pressure.and_then(Pressure::total).unwrap_or(self.pressed);
        self.sums.add(&SampledInterval {
            length: now.duration_since(self.sampled),
            threads: living.iter().map(|(thread, time)| time.since(self.before(*thread, *time))).collect(),
            pressed: pressed.saturating_sub(self.pressed),
        });
        (self.sampled, self.threads, self.pressed) = (now, living, pressed);
    }

    /// What is known of a thread; the number of an ended one may have a new owner.
    fn before(&self, thread: Pid, now: ThreadTime) -> ThreadTime {
        let known = self.threads.get(&thread).copied().unwrap_or_default();
        if known.ran <= now.ran && known.delayed <= now.delayed { known } else { ThreadTime::default() }
    }
}

/// The threads of a process and the folders with their accounts.
fn threads_of(pid: Pid, threads: u32) -> Vec<(Pid, ProcDir)> {
    let process = ProcDir::of(pid);
    if threads < 2 { vec![(pid, process)] } else { process.threads().collect() }
}

fn timed((thread, folder): &(Pid, ProcDir)) -> Option<(Pid, ThreadTime)> {
    Some((*thread, ThreadTime::read(&folder.text("schedstat").ok()?)?))
}

/// Whether the thread is on a processor or waits for one. Its account does not have the present wait before that ends.
fn is_ready((_, folder): &(Pid, ProcDir)) -> bool {
    state(folder) == Some('R')
}

/// The state of a thread (`proc_pid_stat(5)`).
fn state(folder: &ProcDir) -> Option<char> {
    // It follows the name, which may contain anything but is in parentheses.
    folder.text("stat").ok()?.rsplit_once(") ")?.1.chars().next()
}

/// Whether any thread of this process's descendants may run: it is neither stopped, nor ended, nor in the kernel, from
/// where it cannot return before it is stopped.
pub(super) fn is_any_running() -> bool {
    let threads = descendants(usize::MAX).into_iter().flat_map(|pid| threads_of(pid, u32::MAX));
    threads.filter_map(|(_, folder)| state(&folder)).any(|state| matches!(state, 'R' | 'S'))
}

/// Whether each thread of these processes waits for something that is no device: for its input, a lock or a time.
pub(super) fn are_at_rest(processes: impl Iterator<Item = (Pid, u32)>) -> bool {
    let mut threads = processes.flat_map(|(pid, threads)| threads_of(pid, threads));
    threads.all(|(_, folder)| state(&folder).is_none_or(|state| !matches!(state, 'R' | 'D')))
}

/// What happened between two samples.
#[derive(Clone, Debug, Default)]
struct SampledInterval {
    length: Duration,
    threads: Vec<ThreadTime>,
    /// What the group's pressure grew.
    pressed: Duration,
}

/// The sums over a run. The kernel adds a wait at its end, so no interval bounds what it contains; the run does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    /// The time watched.
    length: Duration,
    /// In which anything was ready, at most.
    ready: Duration,
    /// In which the busiest thread was ready and the machine ran something else, at least.
    delayed: Duration,
}

impl Sums {
    fn add(&mut self, interval: &SampledInterval) {
        let ran: Duration = interval.threads.iter().map(|thread| thread.ran).sum();
        let delayed: Duration = interval.threads.iter().map(|thread| thread.delayed).sum();
        let busiest = interval.threads.iter().max_by_key(|thread| thread.delayed).copied().unwrap_or_default();
        self.length += interval.length.min(LONGEST_INTERVAL);
        self.ready += ran + delayed.max(interval.pressed);
        self.delayed += busiest.delayed.max(interval.pressed).saturating_sub(ran.saturating_sub(busiest.ran));
    }

    /// The time in which nothing was ready.
    fn waited(&self) -> Duration {
        self.length.saturating_sub(self.ready)
    }

    fn delayed(&self) -> Duration {
        self.delayed.min(self.length)
    }

    /// Why the run must end; `is_ready` says whether anything of the program is ready at this moment.
    fn end(&self, wall_limit: Duration, is_ready: impl FnOnce() -> bool) -> Option<WaitEnd> {
        let undelayed = self.length.saturating_sub(self.delayed);
        let is_at_the_cap = undelayed >= wall_limit.saturating_mul(MOST_POSTPONED);
        if is_at_the_cap || self.waited() >= wall_limit && !is_ready() {
            return Some(WaitEnd::Guarded);
        }
        let bound = wall_limit.saturating_mul(STARVED_FACTOR).max(STARVED_AT_LEAST);
        (self.delayed() >= bound).then_some(WaitEnd::Starved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// The sums after ten such intervals of a tenth of a second a second, for so many seconds.
    fn after(seconds: u32, threads: &[(u64, u64)], pressed: u64) -> Sums {
        let threads = threads.iter().map(|&(ran, delayed)| ThreadTime { ran: ms(ran), delayed: ms(delayed) }).collect();
        let interval = SampledInterval { length: PERIOD, threads, pressed: ms(pressed) };
        let mut sums = Sums::default();
        for _ in 0..seconds * 10 {
            sums.add(&interval);
        }
        sums
    }

    /// The end at each of these numbers of seconds, with a guard of ten.
    fn ends<const N: usize>(seconds: [u32; N], threads: &[(u64, u64)], pressed: u64) -> [Option<WaitEnd>; N] {
        seconds.map(|seconds| after(seconds, threads, pressed).end(Duration::from_secs(10), || false))
    }

    #[test]
    fn a_program_that_sleeps_is_guarded_at_the_limit_however_busy_the_machine() {
        use WaitEnd::Guarded;
        assert_eq!(ends([9, 10], &[], 0), [None, Some(Guarded)]);
        assert_eq!(ends([9, 10], &[(0, 0); 30], 0), [None, Some(Guarded)]);
        // One that wakes up now and then, and waits for a processor half of the time.
        assert_eq!(ends([19, 20], &[(1, 49)], 0), [None, Some(Guarded)]);
    }

    #[test]
    fn a_program_that_the_machine_starves_is_never_guarded_and_its_game_is_void_in_the_end() {
        use WaitEnd::Starved;
        for (threads, pressed) in
            [(vec![(4, 96)], 0), (vec![(4, 96), (0, 0)], 0), (vec![], 100), (vec![(2, 49); 2], 98)]
        {
            assert_eq!(ends([599, 640], &threads, pressed), [None, Some(Starved)], "{threads:?} {pressed}");
        }
    }

    #[test]
    fn threads_that_take_turns_are_not_guarded_before_the_cap() {
        // Each is ready a tenth of the time, and at any time one of them is.
        assert_eq!(ends([99], &[(0, 10); 10], 0), [None]);
    }

    /// Children that queue against each other, or threads that all wake up at once: the machine delays nobody.
    #[test]
    fn a_program_that_delays_itself_postpones_the_guard_to_the_cap_and_is_never_void() {
        for (threads, pressed) in [(vec![(2, 98); 256], 0), (vec![(2, 98); 256], 100), (vec![(60, 40), (60, 40)], 0)] {
            let sums = after(99, &threads, pressed);
            assert_eq!(sums.delayed(), Duration::ZERO, "{threads:?}");
            assert_eq!(sums.end(Duration::from_secs(10), || false), None, "{threads:?}");
            assert_eq!(ends([100, 5000], &threads, pressed), [Some(WaitEnd::Guarded); 2], "{threads:?}");
        }
    }

    #[test]
    fn a_wait_that_is_added_at_its_end_counts_for_the_time_before() {
        let mut sums = after(9, &[], 0);
        let late = ThreadTime { ran: Duration::ZERO, delayed: Duration::from_secs(9) };
        sums.add(&SampledInterval { length: PERIOD, threads: vec![late], pressed: Duration::ZERO });
        assert_eq!((sums.waited(), sums.delayed()), (ms(100), Duration::from_secs(9)));
    }

    /// The kernel adds the wait in progress when it ends, and that may take longer than a guard.
    #[test]
    fn a_program_that_is_ready_is_not_guarded_before_the_cap() {
        let guarded =
            |seconds, ready: bool| after(seconds, &[(0, 0)], 0).end(Duration::from_secs(10), || ready).is_some();
        assert_eq!([guarded(10, true), guarded(99, true), guarded(100, true)], [false, false, true]);
        assert!(guarded(10, false));
    }

    #[test]
    fn a_machine_that_was_stopped_lets_nobody_wait() {
        let mut sums = Sums::default();
        sums.add(&SampledInterval { length: Duration::from_hours(1), ..SampledInterval::default() });
        assert_eq!(sums.end(Duration::from_secs(10), || false), None);
    }

    #[test]
    fn the_kernels_accounts_are_read() {
        let time = ThreadTime { ran: Duration::from_nanos(12), delayed: Duration::from_nanos(345) };
        assert_eq!(ThreadTime::read("12 345 6\n"), Some(time));
        assert_eq!(["", "12", "a b c"].map(ThreadTime::read), [None; 3]);
        let pressure = "some avg10=98.70 avg60=98.71 avg300=71.94 total=399150825\nfull avg10=0.00 total=7\n";
        assert_eq!(total_pressure(pressure), Some(Duration::from_micros(399_150_825)));
        assert_eq!(["", "some total=x", "full total=7"].map(total_pressure), [None; 3]);
    }

    #[test]
    fn a_thread_of_this_process_is_found_with_its_account() {
        let own = nix::unistd::gettid();
        let found: HashMap<Pid, ThreadTime> = threads_of(Pid::this(), 2).iter().filter_map(timed).collect();
        assert!(found.contains_key(&own) || !std::path::Path::new("/proc/self/schedstat").exists());
    }
}
