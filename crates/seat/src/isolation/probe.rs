//! Tests each protection of this machine separately.
//!
//! `referee doctor` and the explanation of a refused level use it. It does not choose a level; [`super::set_up`] tries
//! all at once. Every test must run in its own child, so that it leaves nothing behind.

use std::convert::Infallible;
use std::io::{Read, Write};

use nix::fcntl::OFlag;
use nix::sched::CloneFlags;
use nix::sys::prctl::set_no_new_privs;
use nix::unistd::{ForkResult, getegid, geteuid, pipe2};

use super::{Isolation, Protection, calls, landlock, namespaces, root, seccomp};
use crate::fault::{HostError, in_words};
use crate::processes::children;
use crate::system::{Wait, exit_now, fork, wait};

type ProbeResult = Result<(), String>;

/// Tests everything. For a keeper without seat.
pub(crate) fn protections() -> Vec<Protection> {
    let tried: [(&str, Isolation, ProbeResult); 13] = [
        ("list of child processes", Isolation::Bare, words(children().map(drop).map_err(HostError::when("read it")))),
        ("no new privileges", Isolation::Bare, in_child(|| set_no_new_privs().map_err(in_words))),
        ("privileges dropped", Isolation::Bare, in_child(|| calls::drop_privileges().map_err(in_words))),
        ("Landlock", Isolation::Confined, landlock::available()),
        ("seccomp", Isolation::Confined, seccomp::available()),
        ("user namespace", Isolation::Sealed, in_namespaces(CloneFlags::empty(), || Ok(()))),
        ("PID namespace", Isolation::Sealed, in_namespaces(CloneFlags::CLONE_NEWPID, || Ok(()))),
        ("mount namespace", Isolation::Sealed, in_namespaces(CloneFlags::CLONE_NEWNS, probe_mount)),
        ("read-only mounts", Isolation::Sealed, in_namespaces(CloneFlags::CLONE_NEWNS, probe_read_only)),
        ("overlay file system", Isolation::Sealed, in_namespaces(CloneFlags::CLONE_NEWNS, mount_overlay)),
        ("IPC namespace", Isolation::Sealed, in_namespaces(CloneFlags::CLONE_NEWIPC, || Ok(()))),
        ("network namespace", Isolation::Sealed, in_namespaces(CloneFlags::CLONE_NEWNET, || Ok(()))),
        ("`/proc` of its own", Isolation::Sealed, in_namespaces(namespaces::all(), mount_proc)),
    ];
    let protection = |(name, level, tried): (&str, Isolation, ProbeResult)| Protection {
        name: name.to_owned(),
        level,
        missing: tried.err(),
    };
    tried.into_iter().map(protection).collect()
}

fn words(tried: Result<(), HostError>) -> ProbeResult {
    tried.map_err(|fault| fault.to_string())
}

fn probe_mount() -> ProbeResult {
    words(root::detach_old_root().and_then(|()| root::mount_nothing()).map_err(HostError::when("mount anything")))
}

/// `mount_setattr(2)`, Linux 5.12.
fn probe_read_only() -> ProbeResult {
    words(
        root::detach_old_root()
            .and_then(|()| root::mount_nothing())
            .and_then(|()| root::open_directory("/tmp"))
            .and_then(|mounted| calls::make_read_only(&mounted))
            .map_err(HostError::when("make a mount read-only")),
    )
}

fn mount_overlay() -> ProbeResult {
    words(
        root::detach_old_root()
            .and_then(|()| root::mount_nothing())
            .and_then(|()| root::mount_empty_overlay())
            .map_err(HostError::when("mount a working directory")),
    )
}

fn mount_proc() -> ProbeResult {
    let mounted = root::detach_old_root().and_then(|()| root::mount_proc());
    words(mounted.map_err(HostError::when("mount `/proc` of its PID namespace")))
}

fn in_child(attempt: impl FnOnce() -> ProbeResult) -> ProbeResult {
    child_report(|say| fork(|| say(attempt())).map_err(in_words))
}

fn in_namespaces(more: CloneFlags, attempt: impl FnOnce() -> ProbeResult) -> ProbeResult {
    let user = (geteuid(), getegid());
    child_report(|say| match calls::fork_into(CloneFlags::CLONE_NEWUSER | more) {
        Ok(ForkResult::Parent { child }) => Ok(child),
        Ok(ForkResult::Child) => match say(words(namespaces::map_user(user)).and_then(|()| attempt())) {},
        Err(errno) => Err(in_words(errno)),
    })
}

/// Lets `begin` make a child that reports the result; no report counts as failure.
fn child_report(
    begin: impl FnOnce(&dyn Fn(ProbeResult) -> Infallible) -> Result<nix::unistd::Pid, String>,
) -> ProbeResult {
    let (answer, ours) = pipe2(OFlag::O_CLOEXEC).map_err(in_words)?;
    let ours = std::fs::File::from(ours);
    let child = begin(&|tried: ProbeResult| {
        let said = tried.err().unwrap_or_else(|| "holds".to_owned());
        let _ = (&ours).write_all(said.as_bytes());
        exit_now(0)
    })?;
    drop(ours);
    let mut said = String::new();
    let read = std::fs::File::from(answer).read_to_string(&mut said);
    let _ = wait(Wait::For(child));
    match said.as_str() {
        "holds" if read.is_ok() => Ok(()),
        "" => Err("the process that tried it died".to_owned()),
        why => Err(why.to_owned()),
    }
}
