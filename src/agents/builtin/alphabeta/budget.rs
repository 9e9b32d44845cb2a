//! How long a search may go on: so many nodes, or so much CPU time of this process.
//!
//! For: the share of the time left that goes into one move, and the clock that holds the search to it. With a number
//! of nodes nothing depends on the machine, so that is what tests and repeatable runs use.
//!
//! The share is small on purpose. It is a fixed fraction of what is left, so the clock can never run out, however
//! long the game; and a level game goes to the side with more time left, so time is worth something by itself.

use nix::time::{ClockId, clock_gettime};

use crate::protocol::InputPurpose;
use crate::time::CpuTime;

/// This much is never planned with: it pays for starting the process, some milliseconds a move, when little is left.
const RESERVE: CpuTime = CpuTime::from_millis(300);
/// One move gets this part of what is left beyond the reserve.
const SHARE: u64 = 120;
/// A move that stands alone gets more, since nothing comes after it.
const SINGLE_SHARE: u64 = 10;
/// No move gets more: it would hardly be better.
const MOST: CpuTime = CpuTime::from_secs(3);
/// A search that is in the middle of something may take so many times its share.
const PATIENCE: u64 = 3;
/// A choice that stays the same through so many iterations is to cost half as much, ...
const ITERATIONS_PER_HALVING: u32 = 2;
/// ... but never less than this part of the share.
const LEAST_PART: u64 = 8;
/// Nodes that are searched whatever the clock says: about a tenth of a millisecond, and all moves are looked at.
const LEAST_NODES: u64 = 512;
/// The clock is read once in so many nodes: reading it is a system call.
const NODES_PER_LOOK: u64 = 512;
/// About what a fast machine searches in a microsecond, for the size of the table.
const NODES_PER_MICROSECOND: u64 = 2;

/// What a search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchLimit {
    /// So many nodes.
    Nodes(u64),
    /// So much CPU time: after `enough` nothing new is begun, after `most` all is dropped.
    Time {
        /// What the move is to cost where its choice has settled.
        least: CpuTime,
        /// What the move is to cost.
        enough: CpuTime,
        /// What it costs at the most.
        most: CpuTime,
    },
}

impl SearchLimit {
    /// The share of one move in the time that is left.
    pub fn of_time_left(own: CpuTime, purpose: InputPurpose) -> Self {
        let share = match purpose {
            InputPurpose::Single => SINGLE_SHARE,
            InputPurpose::Game => SHARE,
        };
        let enough = CpuTime::from_micros(own.saturating_sub(RESERVE).micros() / share).min(MOST);
        Self::Time {
            least: CpuTime::from_micros(enough.micros() / LEAST_PART),
            enough,
            most: enough.saturating_mul(PATIENCE),
        }
    }

    /// So much CPU time, however soon the choice settles.
    pub const fn exactly(time: CpuTime) -> Self {
        Self::Time {
            least: time,
            enough: time,
            most: time,
        }
    }

    /// Half of it.
    pub(super) const fn half(self) -> Self {
        const fn half_of(time: CpuTime) -> CpuTime {
            CpuTime::from_micros(time.micros() / 2)
        }
        match self {
            Self::Nodes(nodes) => Self::Nodes(nodes / 2),
            Self::Time { least, enough, most } => Self::Time {
                least: half_of(least),
                enough: half_of(enough),
                most: half_of(most),
            },
        }
    }

    /// About how many nodes can be searched with it.
    pub(super) const fn nodes(self) -> u64 {
        match self {
            Self::Nodes(nodes) => nodes,
            Self::Time { enough, .. } => enough.micros().saturating_mul(NODES_PER_MICROSECOND),
        }
    }
}

/// The running account of one search.
#[derive(Debug)]
pub(super) struct Budget {
    allowance: SearchLimit,
    begun: CpuTime,
    nodes: u64,
    /// The number of nodes at which to look at the clock next, or to stop.
    next_look: u64,
    is_spent: bool,
}

impl Budget {
    pub(super) fn begin(allowance: SearchLimit) -> Self {
        let next_look = match allowance {
            SearchLimit::Nodes(nodes) => nodes,
            SearchLimit::Time { .. } => LEAST_NODES,
        };
        Self {
            allowance,
            begun: cpu_used(),
            nodes: 0,
            next_look,
            is_spent: false,
        }
    }

    /// Counts a node; false where it is one too many, and from then on.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        !self.is_spent
    }

    /// Counts the nodes of another search; the time that it took counts by itself.
    pub(super) fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.look();
    }

    pub(super) const fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// Whether it is time to come to an end, the choice having been the same through so many `settled` iterations: the
    /// next iteration would take longer than what is left, or than it is worth.
    pub(super) fn is_enough(&self, settled: u32) -> bool {
        self.is_spent
            || match self.allowance {
                SearchLimit::Nodes(nodes) => self.nodes > nodes / 2,
                SearchLimit::Time { least, enough, .. } => {
                    let halvings = settled / ITERATIONS_PER_HALVING;
                    let worth = enough.micros().checked_shr(halvings).unwrap_or(0).max(least.micros());
                    self.used() > CpuTime::from_micros(worth / 2)
                }
            }
    }

    #[cold]
    fn look(&mut self) {
        let (next_look, is_spent) = match self.allowance {
            SearchLimit::Nodes(nodes) => (nodes, self.nodes >= nodes),
            SearchLimit::Time { most, .. } => (self.nodes + NODES_PER_LOOK, self.used() >= most),
        };
        self.next_look = next_look;
        self.is_spent |= is_spent;
    }

    fn used(&self) -> CpuTime {
        cpu_used().saturating_sub(self.begun)
    }
}

/// The CPU time of this process so far, over all its threads, in the kernel as well as outside.
fn cpu_used() -> CpuTime {
    // Without the clock there would be no end, so a machine without one has used all there is.
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map_or(CpuTime::from_micros(u64::MAX), |used| {
        CpuTime::from_duration(used.into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_settled_choice_is_worth_less_time_but_never_less_than_the_least() {
        let (none, hour) = (CpuTime::ZERO, CpuTime::from_secs(3600));
        let budget = |least| {
            Budget::begin(SearchLimit::Time {
                least,
                enough: hour,
                most: hour,
            })
        };
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
