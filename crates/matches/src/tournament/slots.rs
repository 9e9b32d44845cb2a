//! Slots: how many games run at a time, and on which processors. It starts no games; the scheduler takes and returns
//! slots.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

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

/// The free slots, each as its processor; `None` if the system chooses one.
#[derive(Debug)]
struct FreeSlots {
    processors: Mutex<Vec<Option<usize>>>,
    freed: Condvar,
}

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
        let free = FreeSlots { processors: Mutex::new(processors), freed: Condvar::new() };
        Self { count, on_cores, free: Arc::new(free) }
    }

    /// The number of slots.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Waits for a free slot.
    pub(super) fn take(&self) -> Slot {
        let mut free = self.free.processors();
        loop {
            if let Some(processor) = free.pop() {
                return Slot { processor, free: Arc::clone(&self.free) };
            }
            free = self.free.freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A slot, if one is free now.
    pub(super) fn take_free(&self) -> Option<Slot> {
        let processor = self.free.processors().pop()?;
        Some(Slot { processor, free: Arc::clone(&self.free) })
    }
}

impl FreeSlots {
    fn processors(&self) -> MutexGuard<'_, Vec<Option<usize>>> {
        self.processors.lock().unwrap_or_else(PoisonError::into_inner)
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
        self.free.processors().push(self.processor);
        self.free.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_slots_share_a_processor() {
        let slots = Slots::on_cores(vec![3, 5]);
        let (one, other) = (slots.take(), slots.take());
        assert_ne!(one.processor, other.processor);
        assert!(slots.take_free().is_none());
        let freed = one.processor;
        drop(one);
        assert_eq!(slots.take().processor, freed);
    }
}
