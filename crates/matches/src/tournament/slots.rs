//! Slots: how many games run at a time, and on which processors. It starts no games; the scheduler takes and returns
//! slots.

use std::sync::Arc;

use parking_lot::{Condvar, Mutex};

/// Slots, each for one game at a time.
///
/// ```
/// use referee_matches::tournament::Slots;
///
/// assert_eq!(Slots::anywhere(2).count(), 2);
/// assert_eq!(Slots::on_cores(vec![0, 2, 4]).count(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Slots {
    count: usize,
    /// Whether each slot has its own processor.
    pub(super) on_cores: bool,
    free: Arc<FreeSlots>,
}

/// The processors of the free slots, `None` where the system chooses one; and the sign that one was freed.
type FreeSlots = (Mutex<Vec<Option<usize>>>, Condvar);

impl Slots {
    /// This many slots, on any processors.
    pub fn anywhere(jobs: usize) -> Self {
        Self::new(vec![None; jobs], false)
    }

    /// One slot per processor: both seats of a game stay there.
    pub fn on_cores(processors: Vec<usize>) -> Self {
        Self::new(processors.into_iter().map(Some).collect(), true)
    }

    fn new(processors: Vec<Option<usize>>, on_cores: bool) -> Self {
        let count = processors.len();
        Self { count, on_cores, free: Arc::new((Mutex::new(processors), Condvar::new())) }
    }

    /// The number of slots.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Waits for a free slot.
    pub(super) fn take(&self) -> Slot {
        let (processors, freed) = &*self.free;
        let mut free = processors.lock();
        freed.wait_while(&mut free, |free| free.is_empty());
        Slot { processor: free.pop().flatten(), free: Arc::clone(&self.free) }
    }

    /// A slot, if one is free now.
    pub(super) fn take_free(&self) -> Option<Slot> {
        let processor = self.free.0.lock().pop()?;
        Some(Slot { processor, free: Arc::clone(&self.free) })
    }
}

/// A slot, taken until it is dropped.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) processor: Option<usize>,
    free: Arc<FreeSlots>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let (processors, freed) = &*self.free;
        processors.lock().push(self.processor);
        freed.notify_one();
    }
}
