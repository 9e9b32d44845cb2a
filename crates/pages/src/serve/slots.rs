//! The slots of a server's connections, and which ones must give way when there are too few. `connection` holds them;
//! it closes nothing itself.
//!
//! A connection is answered soon after it is made, or it is slow, idle or hostile. So connections that were never
//! answered give way to a new one first, the oldest of them first; then those without a write for longer than any
//! stream of a run, or with an answer that they have not read to its end for so long. All others keep their slots, and
//! only if all are such, a new one is refused.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Context;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// The slots of a server.
#[derive(Clone, Debug)]
pub(super) struct ConnectionSlots {
    held: Arc<Mutex<HeldSlots>>,
    most: usize,
    /// How long an answered connection may be silent and keep its slot.
    idle_timeout: Duration,
}

#[derive(Debug, Default)]
struct HeldSlots {
    next: u64,
    by_number: HashMap<u64, SlotHolder>,
}

#[derive(Debug)]
struct SlotHolder {
    /// When it was last written to; `None` before the first time.
    answered: Option<Instant>,
    /// Dropped to tell the connection that it lost its slot.
    _keep: oneshot::Sender<()>,
}

impl ConnectionSlots {
    pub(super) fn new(most: usize, idle_timeout: Duration) -> Self {
        Self { held: Arc::default(), most, idle_timeout }
    }

    /// A slot for a new connection; `None` if all holders behave.
    pub(super) fn take(&self) -> Option<ConnectionSlot> {
        let mut held = self.held.lock();
        if held.by_number.len() >= self.most {
            // Whoever was never answered comes before all others.
            let first = held.by_number.iter().min_by_key(|(number, holder)| (holder.answered, **number));
            let (&number, SlotHolder { answered, .. }) = first?;
            if answered.is_some_and(|last| last.elapsed() <= self.idle_timeout) {
                return None;
            }
            held.by_number.remove(&number);
        }
        let number = held.next;
        held.next += 1;
        let (keep, gone) = oneshot::channel();
        held.by_number.insert(number, SlotHolder { answered: None, _keep: keep });
        Some(ConnectionSlot { places: self.clone(), number, gone })
    }
}

/// A slot, until it is dropped or taken away.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    places: ConnectionSlots,
    number: u64,
    gone: oneshot::Receiver<()>,
}

impl ConnectionSlot {
    /// Whether it was taken away; otherwise registers for a wake-up.
    pub(super) fn is_gone(&mut self, context: &mut Context<'_>) -> bool {
        Pin::new(&mut self.gone).poll(context).is_ready()
    }

    /// Records a write to the connection.
    pub(super) fn answered(&self) {
        if let Some(holder) = self.places.held.lock().by_number.get_mut(&self.number) {
            holder.answered = Some(Instant::now());
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.places.held.lock().by_number.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    fn is_gone(place: &mut ConnectionSlot) -> bool {
        place.is_gone(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn a_newcomer_gets_the_place_of_the_oldest_that_was_never_answered() {
        let places = ConnectionSlots::new(3, Duration::MAX);
        let mut held: Vec<ConnectionSlot> = (0..3).map(|_| places.take().unwrap()).collect();
        held[0].answered();
        let newcomer = places.take().unwrap();
        let gone: Vec<bool> = held.iter_mut().map(is_gone).collect();
        assert_eq!(gone, [false, true, false]);
        newcomer.answered();
        held[2].answered();
        assert!(places.take().is_none(), "everybody was answered");
        drop(newcomer);
        assert!(places.take().is_some());
    }

    #[test]
    fn who_was_answered_long_ago_gives_way_to_a_newcomer() {
        let places = ConnectionSlots::new(2, Duration::ZERO);
        let mut held: Vec<ConnectionSlot> = (0..2).map(|_| places.take().unwrap()).collect();
        held[1].answered();
        held[0].answered();
        // The machine's clock may not advance for a moment.
        let answered = Instant::now();
        while answered.elapsed().is_zero() {}
        drop(places.take().unwrap());
        let gone: Vec<bool> = held.iter_mut().map(is_gone).collect();
        assert_eq!(gone, [false, true], "the one that has been silent for longer");
    }
}
