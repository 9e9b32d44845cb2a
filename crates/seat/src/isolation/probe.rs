//! Tests each protection of this machine separately.
//!
//! `referee doctor` and the explanation of a refused level use it. It does not choose a level; [`super::set_up`] tries
//! all at once. Every test must run in its own child, so that it leaves nothing behind.

use std::fmt::Display;

use nix::sched::CloneFlags;
use nix::sys::prctl::set_no_new_privs;

use super::namespaces::{self, NamespaceFork};
use super::{Isolation, Protection, calls, landlock, root, seccomp};
use crate::fault::{HostError, in_words};
use crate::processes::children;
use crate::system::{Wait, exit_now, wait};

type ProbeResult = Result<(), String>;

/// Tests everything. For a keeper without seat.
pub(crate) fn protections() -> Vec<Protection> {
    let here = CloneFlags::empty();
    let user = CloneFlags::CLONE_NEWUSER;
    let mounts = user | CloneFlags::CLONE_NEWNS;
    let nothing = || Ok::<(), HostError>(());
    let listed = children().map(drop).map_err(HostError::when("read it"));
    let tried: [(&str, Isolation, ProbeResult); 13] = [
        ("list of child processes", Isolation::Bare, listed.map_err(|fault| fault.to_string())),
        ("no new privileges", Isolation::Bare, in_child(here, || set_no_new_privs().map_err(in_words))),
        ("privileges dropped", Isolation::Bare, in_child(here, || calls::drop_privileges().map_err(in_words))),
        ("Landlock", Isolation::Confined, landlock::available()),
        ("seccomp", Isolation::Confined, seccomp::available()),
        ("user namespace", Isolation::Sealed, in_child(user, nothing)),
        ("PID namespace", Isolation::Sealed, in_child(user | CloneFlags::CLONE_NEWPID, nothing)),
        ("mount namespace", Isolation::Sealed, in_child(mounts, probe_mount)),
        ("read-only mounts", Isolation::Sealed, in_child(mounts, probe_read_only)),
        ("overlay file system", Isolation::Sealed, in_child(mounts, mount_overlay)),
        ("IPC namespace", Isolation::Sealed, in_child(user | CloneFlags::CLONE_NEWIPC, nothing)),
        ("network namespace", Isolation::Sealed, in_child(user | CloneFlags::CLONE_NEWNET, nothing)),
        ("`/proc` of its own", Isolation::Sealed, in_child(namespaces::all(), mount_proc)),
    ];
    let protection = |(name, level, tried): (&str, Isolation, ProbeResult)| Protection {
        name: name.to_owned(),
        level,
        missing: tried.err(),
    };
    tried.into_iter().map(protection).collect()
}

fn probe_mount() -> Result<(), HostError> {
    root::detach_old_root().and_then(|()| root::mount_nothing()).map_err(HostError::when("mount anything"))
}

/// `mount_setattr(2)`, Linux 5.12.
fn probe_read_only() -> Result<(), HostError> {
    root::detach_old_root()
        .and_then(|()| root::mount_nothing())
        .and_then(|()| root::open_directory("/tmp"))
        .and_then(|mounted| calls::make_read_only(&mounted))
        .map_err(HostError::when("make a mount read-only"))
}

fn mount_overlay() -> Result<(), HostError> {
    root::detach_old_root()
        .and_then(|()| root::mount_nothing())
        .and_then(|()| root::mount_empty_overlay())
        .map_err(HostError::when("mount a working directory"))
}

fn mount_proc() -> Result<(), HostError> {
    let mounted = root::detach_old_root().and_then(|()| root::mount_proc());
    mounted.map_err(HostError::when("mount `/proc` of its PID namespace"))
}

/// Makes the attempt in a child, in these namespaces.
fn in_child<E: Display>(namespaces: CloneFlags, attempt: impl FnOnce() -> Result<(), E>) -> ProbeResult {
    match namespaces::split(namespaces, attempt).map_err(in_words)? {
        NamespaceFork::Inside(()) => exit_now(0),
        NamespaceFork::Outside(child) => {
            let _ = wait(Wait::For(child));
            Ok(())
        }
        NamespaceFork::Refused(why) => Err(why),
    }
}
