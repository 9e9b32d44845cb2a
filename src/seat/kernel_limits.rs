//! What the kernel limits for a seat's programs as a whole: their memory and their number, each by a control group
//! where one can be made.
//!
//! Without a group, `limiter` alone limits, by samples. This makes and holds the groups; `allotment` and `process_cap`
//! say what each is for. A keeper has one.

use nix::unistd::Pid;

use super::allotment::Allotment;
use super::fault::HostError;
use super::isolation::Barrier;
use super::limits::Limits;
use super::process_cap::ProcessCap;

/// The groups of one seat; `Err` says why the kernel does not limit.
#[derive(Debug)]
pub(super) struct KernelLimits {
    allotment: Result<Allotment, String>,
    /// `None` if namespaces limit the number of processes.
    cap: Result<Option<ProcessCap>, String>,
}

impl KernelLimits {
    pub(super) fn make(limits: Limits, barrier: &Barrier) -> Self {
        let allotment = Allotment::make(limits);
        let cap = if barrier.limits_processes() {
            Ok(None)
        } else {
            ProcessCap::make(limits, allotment.as_ref()).map(Some)
        };
        Self { allotment, cap }
    }

    /// Why memory is not limited, and why the number of processes is not.
    pub(super) fn lacks(&self) -> [Option<String>; 2] {
        [self.allotment.as_ref().err().cloned(), self.cap.as_ref().err().cloned()]
    }

    pub(super) fn adopt(&self, launcher: Pid) -> Result<(), HostError> {
        self.allotment.as_ref().map_or(Ok(()), |group| group.adopt(launcher))
    }

    /// Begins a run.
    pub(super) fn begin(&mut self) -> Result<(), HostError> {
        self.allotment.as_mut().map_or(Ok(()), Allotment::begin)
    }

    /// The groups that could be made.
    pub(super) fn parts(&mut self) -> (Option<&Allotment>, Option<&mut ProcessCap>) {
        let Self { allotment, cap } = self;
        (allotment.as_ref().ok(), cap.as_mut().ok().and_then(Option::as_mut))
    }
}
