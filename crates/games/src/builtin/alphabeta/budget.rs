//! Limits a search by nodes or by CPU time of this process.
//!
//! Decides the share of the remaining time for one move, and tells the search when to stop; `search` calls it. A limit
//! in nodes is independent of the machine, for tests and repeatable runs.
//!
//! The share is deliberately small. It is a fixed fraction of the remaining time, so the clock never runs out, however
//! long the game; and a drawn game goes to the side with more time left, so time itself is worth something.

use nix::time::{ClockId, clock_gettime};

use crate::protocol::InputPurpose;
use referee_time::CpuTime;

/// Reserved time: it pays for starting the process, some milliseconds per move, when little is left.
const RESERVE: CpuTime = CpuTime::from_millis(300);
/// The share of one move: this part of the time beyond the reserve.
const SHARE: u64 = 120;
/// The share of a single question, which no other move follows.
const SINGLE_SHARE: u64 = 10;
/// The maximum for one move: more would hardly improve it.
const MAX_TIME: CpuTime = CpuTime::from_secs(3);
/// The hard limit, as a multiple of the share, for a search in the middle of an iteration.
const HARD_LIMIT_FACTOR: u64 = 3;
/// The cost halves each time the choice stays the same through this many iterations, ...
const ITERATIONS_PER_HALVING: u32 = 2;
/// ... down to this part of the share.
const MIN_PART: u64 = 8;
/// The minimum number of nodes, regardless of the clock: a tenth of a millisecond, so that all moves are searched.
const MIN_NODES: u64 = 512;
/// The number of nodes between two readings of the clock, a system call.
const NODES_PER_CLOCK_READING: u64 = 512;
/// The approximate speed of a fast machine, for sizing the table.
const NODES_PER_MICROSECOND: u64 = 2;

/// The limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// This many nodes.
    Nodes(u64),
    /// CPU time: no new iteration starts after `enough`, and the search aborts at `most`.
    Time {
        /// The cost if the choice has settled.
        least: CpuTime,
        /// The normal cost.
        enough: CpuTime,
        /// The maximum cost.
        most: CpuTime,
    },
}

impl SearchLimit {
    /// The share of one move in the remaining time.
    pub fn of_time_left(own: CpuTime, purpose: InputPurpose) -> Self {
        let share = match purpose {
            InputPurpose::Single => SINGLE_SHARE,
            InputPurpose::Game => SHARE,
        };
        let enough = CpuTime::from_micros(own.saturating_sub(RESERVE).micros() / share).min(MAX_TIME);
        Self::Time {
            least: CpuTime::from_micros(enough.micros() / MIN_PART),
            enough,
            most: enough.saturating_mul(HARD_LIMIT_FACTOR),
        }
    }

    /// This much CPU time, however soon the choice settles.
    pub const fn exactly(time: CpuTime) -> Self {
        Self::Time { least: time, enough: time, most: time }
    }

    /// Half of it.
    pub(super) const fn half(self) -> Self {
        const fn half_of(time: CpuTime) -> CpuTime {
            CpuTime::from_micros(time.micros() / 2)
        }
        match self {
            Self::Nodes(nodes) => Self::Nodes(nodes / 2),
            Self::Time { least, enough, most } => {
                Self::Time { least: half_of(least), enough: half_of(enough), most: half_of(most) }
            }
        }
    }

    /// The approximate number of nodes.
    pub(super) const fn nodes(self) -> u64 {
        match self {
            Self::Nodes(nodes) => nodes,
            Self::Time { enough, .. } => enough.micros().saturating_mul(NODES_PER_MICROSECOND),
        }
    }
}

/// The usage of one search so far.
#[derive(Debug)]
pub(super) struct Budget {
    allowance: SearchLimit,
    begun: CpuTime,
    nodes: u64,
    /// The number of nodes at which to read the clock next, or to stop.
    next_look: u64,
    is_spent: bool,
}

impl Budget {
    pub(super) fn begin(allowance: SearchLimit) -> Self {
        let next_look = match allowance {
            SearchLimit::Nodes(nodes) => nodes,
            SearchLimit::Time { .. } => MIN_NODES,
        };
        Self { allowance, begun: cpu_used(), nodes: 0, next_look, is_spent: false }
    }

    /// Counts a node; false from the first node over the limit on.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        !self.is_spent
    }

    /// Adds the nodes of another search; its time counts by itself.
    pub(super) fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.look();
    }

    pub(super) const fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// Whether to stop, after the choice stayed the same through `settled` iterations: the next iteration would take
    /// longer than the time left, or than it is worth.
    pub(super) fn is_enough(&self, settled: u32) -> bool {
        self.is_spent
            || match self.allowance {
                SearchLimit::Nodes(nodes) => self.nodes > nodes / 2,
                SearchLimit::Time { least, enough, .. } => {
                    let halvings = settled / ITERATIONS_PER_HALVING;
                    let value = enough.micros().checked_shr(halvings).unwrap_or(0).max(least.micros());
                    self.used() > CpuTime::from_micros(value / 2)
                }
            }
    }

    #[cold]
    fn look(&mut self) {
        let (next_look, is_spent) = match self.allowance {
            SearchLimit::Nodes(nodes) => (nodes, self.nodes >= nodes),
            SearchLimit::Time { most, .. } => (self.nodes + NODES_PER_CLOCK_READING, self.used() >= most),
        };
        self.next_look = next_look;
        self.is_spent |= is_spent;
    }

    fn used(&self) -> CpuTime {
        cpu_used().saturating_sub(self.begun)
    }
}

/// The CPU time of this process so far, user and system, over all threads.
fn cpu_used() -> CpuTime {
    // Without this clock the search would never end, so all time counts as used.
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)
        .map_or(CpuTime::from_micros(u64::MAX), |used| CpuTime::from_duration(used.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_settled_choice_is_worth_less_time_but_never_less_than_the_least() {
        let (none, hour) = (CpuTime::ZERO, CpuTime::from_secs(3600));
        let budget = |least| Budget::begin(SearchLimit::Time { least, enough: hour, most: hour });
        assert!(!budget(none).is_enough(0));
        assert!(!budget(none).is_enough(2 * ITERATIONS_PER_HALVING));
        let mut worn = budget(none);
        worn.begun = CpuTime::ZERO;
        assert!(worn.is_enough(100 * ITERATIONS_PER_HALVING));
        assert!(!budget(hour).is_enough(100 * ITERATIONS_PER_HALVING));
    }

    #[test]
    fn nodes_of_another_search_count() {
        let allowance = SearchLimit::Nodes(1000);
        let (mut whole, mut half) = (Budget::begin(allowance), Budget::begin(allowance.half()));
        assert!((1..500).all(|_| half.count_node()));
        assert!(!half.count_node());
        whole.add(&half);
        assert!((501..1000).all(|_| whole.count_node()));
        assert!(!whole.count_node());
    }
}
