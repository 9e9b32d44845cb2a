//! A keeper in two parts where it has no PID namespace, whose first process would take everything with it.
//!
//! For: a guardian, which outlives the keeper: what a keeper that is killed leaves behind becomes the guardian's and is
//! ended. Deliberately not here: what the guardian does while it waits (`keeper`). What must always hold: whichever of
//! the two is killed, nothing of a run is left. Whoever can kill both at the same moment is beyond that, at `bare` a
//! program of the same user.

use nix::sched::CloneFlags;
use nix::sys::prctl::set_child_subreaper;
use nix::unistd::{ForkResult, Pid, getpid, getppid};

use super::calls::fork_into;
use crate::seat::fault::HostError;
use crate::seat::system::{exit_now, hang_up_with_parent};

/// What this process is now.
pub(super) enum GuardianFork {
    /// The parent, which has nothing to do but to wait.
    Guardian { keeper: Pid },
    /// The child, which does everything.
    Keeper,
}

/// Splits this process.
pub(super) fn split() -> Result<GuardianFork, HostError> {
    let failed = HostError::when::<nix::errno::Errno>("have a guardian");
    let guardian = getpid();
    match fork_into(CloneFlags::empty()).map_err(&failed)? {
        ForkResult::Parent { child } => Ok(GuardianFork::Guardian { keeper: child }),
        ForkResult::Child => {
            // Not inherited.
            set_child_subreaper(true).map_err(&failed)?;
            // As if the referee were gone: it ends what it runs and cleans up.
            hang_up_with_parent().map_err(&failed)?;
            if getppid() != guardian {
                exit_now(1);
            }
            Ok(GuardianFork::Keeper)
        }
    }
}
