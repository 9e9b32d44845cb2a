//! Slots: how many games run at a time, and on which processors. It starts no games; the runner takes and returns
//! slots.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// Slots, each for one game at a time.
///
/// ```
/// use referee::tournament::Slots;
///
/// assert_eq!(Slots::anywhere(2).count(), 2);
/// assert_eq!(Slots::on_cores(vec![0, 2, 4]).count(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Slots {
    count: usize,
    on_cores: bool,
    free: Arc<Semaphore>,
    /// The processors of the free slots; empty if the system chooses processors.
    processors: Arc<Mutex<Vec<usize>>>,
}

impl Slots {
    /// This many slots, on any processors.
    pub fn anywhere(jobs: usize) -> Self {
        Self { count: jobs, on_cores: false, free: Arc::new(Semaphore::new(jobs)), processors: Arc::default() }
    }

    /// One slot per processor: both seats of a game stay there.
    pub fn on_cores(processors: Vec<usize>) -> Self {
        let slots = Self { on_cores: true, ..Self::anywhere(processors.len()) };
        *slots.processors.lock().unwrap_or_else(PoisonError::into_inner) = processors;
        slots
    }

    /// The number of slots.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Whether each slot has its own processor.
    pub(super) const fn are_on_cores(&self) -> bool {
        self.on_cores
    }

    /// The processor of each slot, before any is taken; `None` for any processor.
    pub fn processors(&self) -> Vec<Option<usize>> {
        let processors = self.processors.lock().unwrap_or_else(PoisonError::into_inner);
        match processors.as_slice() {
            [] => vec![None; self.count],
            some => some.iter().copied().map(Some).collect(),
        }
    }

    /// Waits for a free slot.
    pub(super) async fn take(&self) -> Result<Slot, AcquireError> {
        Arc::clone(&self.free).acquire_owned().await.map(|permit| self.slot(permit))
    }

    /// A slot, if one is free now.
    pub(super) fn take_free(&self) -> Option<Slot> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        Some(self.slot(permit))
    }

    fn slot(&self, permit: OwnedSemaphorePermit) -> Slot {
        let mut processors = self.processors.lock().unwrap_or_else(PoisonError::into_inner);
        Slot { processor: processors.pop(), processors: Arc::clone(&self.processors), _permit: permit }
    }
}

/// A slot, taken until it is dropped.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) processor: Option<usize>,
    processors: Arc<Mutex<Vec<usize>>>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Slot {
    /// Returns the processor before the permit, so that the next holder of the permit finds one.
    fn drop(&mut self) {
        let mut processors = self.processors.lock().unwrap_or_else(PoisonError::into_inner);
        processors.extend(self.processor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_two_places_share_a_processor() {
        let slots = Slots::on_cores(vec![3, 5]);
        let (one, other) = (slots.take().await.unwrap(), slots.take().await.unwrap());
        assert_ne!(one.processor, other.processor);
        let freed = one.processor;
        drop(one);
        assert_eq!(slots.take().await.unwrap().processor, freed);
        assert_eq!(slots.free.available_permits(), 1);
    }

    #[tokio::test]
    async fn places_anywhere_have_no_processor() {
        let slots = Slots::anywhere(1);
        assert_eq!(slots.take().await.unwrap().processor, None);
    }
}
