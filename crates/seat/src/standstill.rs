//! Stops a tree of processes, and kills one that grows meanwhile, where neither a namespace, nor a control group, nor a
//! process group that none can leave holds them together.
//!
//! Processes that fork, and that notice each other's end, come into being as fast as they are killed one after the
//! other. So they are stopped first (SIGSTOP), each before its children are listed, until a pass finds no new one: a
//! stopped process cannot fork. Then all are killed, children before their parents, so that no parent's death wakes a
//! child (`PR_SET_PDEATHSIG`). `reap` calls it, again and again as long as something lives. Only descendants of this
//! process may be signalled: a number in a list could belong to a stranger by now.

use std::collections::BTreeSet;

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::{Pid, getpid};

use super::fault::HostError;
use super::processes::{children, children_of, is_first_of_namespace, parent_of};
use super::system::{pidfd, signal_by_pidfd};

/// The number of passes without an end after which all are killed that were found.
const MAX_PASSES: u32 = 100;

/// All processes but this one, of the namespace whose first process it is (kill(2)).
const EVERYTHING_ELSE: Pid = Pid::from_raw(-1);

/// A process and its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ParentLink {
    process: Pid,
    parent: Pid,
}

/// Stops all descendants of this process, and kills them.
pub(super) fn stop_and_kill_all() -> Result<(), HostError> {
    for one in signal_all(Signal::SIGSTOP)?.iter().rev() {
        one.send(Signal::SIGKILL);
    }
    Ok(())
}

/// Stops all descendants of this process; returns those that were stopped, parents before their children.
pub(super) fn stop_all() -> Result<Vec<ParentLink>, HostError> {
    if is_first_of_namespace() {
        // Nothing in the namespace can fork during the call, so none is missed. Anywhere else this would signal every
        // process of the user.
        let _ = kill(EVERYTHING_ELSE, Signal::SIGSTOP);
        return Ok(Vec::new());
    }
    signal_all(Signal::SIGSTOP)
}

/// Continues all descendants of this process that are stopped.
pub(super) fn continue_all() -> Result<(), HostError> {
    if is_first_of_namespace() {
        let _ = kill(EVERYTHING_ELSE, Signal::SIGCONT);
        return Ok(());
    }
    signal_all(Signal::SIGCONT).map(drop)
}

/// Signals all descendants, each before its children are listed; returns them, parents before their children.
fn signal_all(signal: Signal) -> Result<Vec<ParentLink>, HostError> {
    let (mut seen, mut stopped) = (BTreeSet::new(), Vec::new());
    for _ in 0..MAX_PASSES {
        let before = stopped.len();
        let own = children().map_err(HostError::when("list what the program left behind"))?;
        for leader in &own {
            // The group of an unreaped child cannot be a stranger's. An older kernel has no other way to its children.
            let _ = killpg(*leader, signal);
        }
        let mut waiting = parent_links(getpid(), own);
        while let Some(one) = waiting.pop() {
            if one.send(signal) {
                if seen.insert(one.process) {
                    stopped.push(one);
                }
                waiting.extend(parent_links(one.process, children_of(one.process)));
            }
        }
        if stopped.len() == before {
            break;
        }
    }
    Ok(stopped)
}

fn parent_links(parent: Pid, children: Vec<Pid>) -> Vec<ParentLink> {
    let child = |process| ParentLink { process, parent };
    children.into_iter().map(child).collect()
}

impl ParentLink {
    /// Signals the process, if it is still there.
    fn send(self, signal: Signal) -> bool {
        let Self { process, parent } = self;
        if parent == getpid() {
            // An unreaped child keeps its number.
            return kill(process, signal).is_ok();
        }
        // While it is held, the kernel signals nobody else by it, and the parent of a stranger is another one. An older
        // kernel cannot hold it; then it becomes a child itself, when its parent is killed.
        pidfd(process).is_ok_and(|held| parent_of(process) == Some(parent) && signal_by_pidfd(&held, signal).is_ok())
    }
}
