//! One side's clock through a game: the cost of each run, and where the time went.
//!
//! Reads a record's turns and judges nothing. Called by [`super::explain`]; `messages` puts it into words.

use serde::Serialize;

use referee_games::Side;
use referee_records::{GameRecord, PersonClock, TurnRecord};
use referee_seat::Usage;
use referee_time::{CpuTime, WallTime};

/// The clock of one side from the first turn to the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClockHistory {
    /// The clock of a person; `None` for a program, which is charged CPU time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonClock>,
    /// The minimum charge for each move, for a built-in agent that states one.
    #[serde(rename = "pace_cpu_us", skip_serializing_if = "Option::is_none")]
    pub pace: Option<CpuTime>,
    /// The time at the start.
    #[serde(rename = "play_time_cpu_us")]
    pub play_time: CpuTime,
    /// The limit for each move, where the game has one.
    #[serde(rename = "move_time_cpu_us", skip_serializing_if = "Option::is_none")]
    pub move_time: Option<CpuTime>,
    /// The sum of all charges.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// CPU time in user mode, charged or not.
    #[serde(rename = "user_cpu_us")]
    pub user: CpuTime,
    /// CPU time in the kernel, charged or not.
    #[serde(rename = "system_cpu_us")]
    pub system: CpuTime,
    /// The number of runs.
    pub runs: usize,
    /// The last runs, at most [`Self::LAST`], in order.
    pub last: Vec<TurnTime>,
    /// The most expensive runs, at most [`Self::SLOWEST`], the most expensive first.
    pub slowest: Vec<TurnTime>,
}

/// The cost of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TurnTime {
    /// The turn of the game, counted from 1 over both sides.
    pub turn: usize,
    /// The clock before the run.
    #[serde(rename = "left_cpu_us")]
    pub left: CpuTime,
    /// What was charged.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// Its wall-clock time.
    #[serde(rename = "wall_us")]
    pub wall: WallTime,
}

impl ClockHistory {
    /// The maximum length of [`Self::last`].
    pub const LAST: usize = 5;
    /// The maximum length of [`Self::slowest`].
    pub const SLOWEST: usize = 10;

    /// The clock of `side`.
    pub(super) fn of(record: &GameRecord, side: Side) -> Self {
        let (times, usages): (Vec<TurnTime>, Vec<Usage>) = times_of(record, side).unzip();
        Self {
            person: record.players.of(side).person(),
            pace: record.players.of(side).pace(),
            play_time: *record.conditions.play_time.of(side),
            move_time: record.conditions.move_time,
            charged: times.iter().map(|time| time.charged).sum(),
            user: usages.iter().map(|usage| usage.user).sum(),
            system: usages.iter().map(|usage| usage.system).sum(),
            runs: times.len(),
            last: times[times.len().saturating_sub(Self::LAST)..].to_vec(),
            slowest: costliest(&times, Self::SLOWEST),
        }
    }
}

/// The turns that cost the most; of equal ones, the earlier comes first.
pub(super) fn costliest(times: &[TurnTime], most: usize) -> Vec<TurnTime> {
    let mut sorted = times.to_vec();
    sorted.sort_by_key(|time| std::cmp::Reverse(time.charged));
    sorted.truncate(most);
    sorted
}

/// The cost of each run of `side`, in order.
pub(super) fn times_of(record: &GameRecord, side: Side) -> impl Iterator<Item = (TurnTime, Usage)> {
    let of_side = (1..).zip(&record.turns).filter(move |(_, played)| played.side() == side);
    of_side.filter_map(|(turn, played)| match played {
        TurnRecord::Pass { .. } => None,
        TurnRecord::Run { left, charged, run, .. } => {
            let time = TurnTime { turn, left: *left, charged: *charged, wall: run.usage.wall };
            Some((time, run.usage))
        }
    })
}
