//! Splits a keeper in two where it has no PID namespace, whose first process would end everything with it.
//!
//! The guardian outlives the keeper: processes of a killed keeper become the guardian's children, and it ends them.
//! `keeper` has the guardian's waiting loop. If either of the two is killed, nothing of a run may survive. Killing both
//! at the same moment defeats this; at `bare` a program of the same user can.

use nix::sched::CloneFlags;
use nix::sys::prctl::set_child_subreaper;
use nix::unistd::{ForkResult, Pid, getpid, getppid};

use super::calls::fork_into;
use crate::fault::HostError;
use crate::system::{exit_now, hang_up_with_parent};

/// The role of this process after the split.
pub(super) enum GuardianFork {
    /// The parent, which only waits.
    Guardian { keeper: Pid },
    /// The child, which does all the work.
    Keeper,
}

/// Splits this process.
pub(super) fn split() -> Result<GuardianFork, HostError> {
    let failed = HostError::when::<nix::errno::Errno>("have a guardian");
    let guardian = getpid();
    match fork_into(CloneFlags::empty()).map_err(&failed)? {
        ForkResult::Parent { child } => Ok(GuardianFork::Guardian { keeper: child }),
        ForkResult::Child => {
            // The setting is not inherited.
            set_child_subreaper(true).map_err(&failed)?;
            // As if the referee were gone: it ends its processes and cleans up.
            hang_up_with_parent().map_err(&failed)?;
            if getppid() != guardian {
                exit_now(1);
            }
            Ok(GuardianFork::Keeper)
        }
    }
}
