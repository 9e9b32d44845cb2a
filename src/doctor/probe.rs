//! The probe: a program that tries every trick, run in a seat like an agent. The hidden command of the doctor runs it.
//!
//! It burns an exact amount of CPU time in some way, or tries something forbidden to agents and reports in `output.txt`
//! whether it succeeded. It does no harm if it succeeds.

use std::fs;
use std::io::{Read, stdin};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use nix::fcntl::{Flock, FlockArg, PosixFadviseAdvice, posix_fadvise};
use nix::sys::signal::kill;
use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

use referee_seat::forget_children;

/// The hidden command, the first argument, that makes this executable a probe.
pub const PROBE_COMMAND: &str = "probe";

/// Executes `arguments`: a verb and its parameters. Returns the exit code.
pub fn probe_main(arguments: &[String]) -> u8 {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["burn", millis, ..] => burn(ClockId::CLOCK_PROCESS_CPUTIME_ID, number(millis)),
        ["threads", millis, ..] => burn_in_threads(number(millis)),
        ["child", millis, ..] => wait_for(&mut probe(&["burn", millis])),
        // End of file on a pipe shows that all its writers are gone, without waiting for them.
        [verb @ ("unwaited" | "forgotten"), millis, children] => {
            if *verb == "forgotten" && forget_children().is_err() {
                return 1;
            }
            (0..number(children)).for_each(|_| read_to_end(&mut probe(&["burn", millis])));
        }
        ["orphan", millis, ..] => read_to_end(&mut probe(&["leave", "burn", millis])),
        ["leave", verb, millis] => drop(probe(&[verb, millis]).stdout(Stdio::inherit()).spawn()),
        ["live", words @ ..] => {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            live(|| _ = probe_main(&words));
        }
        ["live-on"] => {
            drop(probe(&["burn", "60000"]).stdout(Stdio::null()).spawn());
            live(|| {});
        }
        ["survivor", millis] => {
            drop(probe(&["burn", "60000"]).stdout(Stdio::null()).spawn());
            burn(ClockId::CLOCK_PROCESS_CPUTIME_ID, number(millis));
        }
        ["read", path] => report(fs::read(path).map(drop)),
        ["read-folder", path] => report(fs::read_dir(path).map(drop)),
        ["write", path] => report(fs::write(path, "a probe was here")),
        ["exists", path] => report(fs::metadata(path).map(drop)),
        ["connect", address] => report(connect(address)),
        ["lock", path] => report(lock(path)),
        ["evict", path] => report(evict(path)),
        ["make-group"] => report(make_group()),
        ["signal", process] => report(signal(process)),
        ["memory", mebibytes] => fill_memory(number(mebibytes)),
        ["crowd", count] => start_threads(number(count)),
        _ => return 2,
    }
    0
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or(0)
}

/// Computes until `clock` has advanced by `millis`.
fn burn(clock: ClockId, millis: u64) {
    let start = now(clock);
    while now(clock).saturating_sub(start) < Duration::from_millis(millis) {}
}

fn now(clock: ClockId) -> Duration {
    clock_gettime(clock).map_or(Duration::MAX, Duration::from)
}

fn burn_in_threads(millis: u64) {
    let burner = || thread::spawn(move || burn(ClockId::CLOCK_THREAD_CPUTIME_ID, millis / 2));
    for burning in [burner(), burner()] {
        drop(burning.join());
    }
}

/// Another process of this program.
fn probe(words: &[&str]) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.arg(PROBE_COMMAND).args(words).stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// Answers each question of a game after `work`.
fn live(work: impl Fn()) {
    for line in stdin().lines().map_while(Result::ok) {
        if line.is_empty() {
            work();
            println!("done\n");
        }
    }
}

fn wait_for(command: &mut Command) {
    drop(command.stdout(Stdio::null()).status());
}

fn read_to_end(command: &mut Command) {
    let Ok(child) = command.spawn() else { return };
    if let Some(mut output) = child.stdout {
        drop(output.read_to_end(&mut Vec::new()));
    }
}

fn connect(address: &str) -> std::io::Result<()> {
    let address: SocketAddr = address.parse().map_err(std::io::Error::other)?;
    TcpStream::connect_timeout(&address, Duration::from_secs(2)).map(drop)
}

/// Locks a file that others can read too, which they could notice.
fn lock(path: &str) -> std::io::Result<()> {
    let lock = Flock::lock(fs::File::open(path)?, FlockArg::LockExclusiveNonblock);
    lock.map(drop).map_err(|(_, errno)| errno.into())
}

/// Evicts the cached pages of a file that others can read too, which they could notice.
fn evict(path: &str) -> std::io::Result<()> {
    let file = fs::File::open(path)?;
    Ok(posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED)?)
}

/// Makes a control group at the top of any hierarchy, and removes it.
fn make_group() -> std::io::Result<()> {
    let top = Path::new("/sys/fs/cgroup");
    let hierarchies = fs::read_dir(top)?.flatten().map(|entry| entry.path());
    let mut tried = hierarchies.chain([top.to_owned()]).map(|hierarchy| {
        let group = hierarchy.join(format!("referee-probe-{}", std::process::id()));
        fs::create_dir(&group).and_then(|()| fs::remove_dir(&group))
    });
    let refused = std::io::ErrorKind::PermissionDenied.into();
    tried
        .try_fold(refused, |_, tried: std::io::Result<()>| match tried {
            Ok(()) => Err(()),
            Err(error) => Ok(error),
        })
        .map_or(Ok(()), Err)
}

/// Tests whether a process could be signalled, without sending a signal.
fn signal(process: &str) -> std::io::Result<()> {
    let process: i32 = process.parse().map_err(std::io::Error::other)?;
    Ok(kill(Pid::from_raw(process), None)?)
}

/// Starts so many threads, one after the other, and waits to be ended.
fn start_threads(count: u64) {
    for _ in 0..count {
        if thread::Builder::new().stack_size(64 << 10).spawn(thread::park).is_err() {
            break;
        }
    }
    thread::sleep(Duration::MAX);
}

/// Allocates this much memory, and keeps it long enough to be sampled.
fn fill_memory(mebibytes: u64) {
    let bytes = usize::try_from(mebibytes << 20).unwrap_or(0);
    let memory = vec![1_u8; bytes];
    thread::sleep(Duration::from_secs(2));
    report(if memory.iter().all(|&byte| byte == 1) { Ok(()) } else { Err(std::io::Error::other("lost")) });
}

fn report(tried: std::io::Result<()>) {
    let text = match tried {
        Ok(()) => "done".to_owned(),
        Err(error) => format!("refused: {error}"),
    };
    drop(fs::write("output.txt", text));
}
