//! The course of a clock: what each run cost, and where the time went.

use serde::Serialize;

use crate::games::Side;
use crate::records::{GameRecord, PersonClock, TurnRecord};
use crate::seat::Usage;
use crate::time::{CpuTime, WallTime};

/// The clock of one side from the first turn to the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClockCourse {
    /// What it ran on, where a person played; nothing for a program, which is charged CPU time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonClock>,
    /// What the side states to be charged at least for each move, where it is a built-in agent that does.
    #[serde(rename = "pace_cpu_us", skip_serializing_if = "Option::is_none")]
    pub pace: Option<CpuTime>,
    /// What it began with.
    #[serde(rename = "play_time_cpu_us")]
    pub play_time: CpuTime,
    /// What all runs were charged together.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// What they used in user mode, charged or not.
    #[serde(rename = "user_cpu_us")]
    pub user: CpuTime,
    /// What the kernel used for them, charged or not.
    #[serde(rename = "system_cpu_us")]
    pub system: CpuTime,
    /// How often the program was run.
    pub runs: usize,
    /// The last runs, at most [`Self::LAST`], in their order.
    pub last: Vec<TurnTime>,
    /// The runs that cost most, at most [`Self::SLOWEST`], the most expensive first.
    pub slowest: Vec<TurnTime>,
}

/// What one run cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TurnTime {
    /// The turn of the game, from 1, both sides' turns counted.
    pub turn: usize,
    /// What the clock had left before it.
    #[serde(rename = "left_cpu_us")]
    pub left: CpuTime,
    /// What was charged.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// How long it took on the wall.
    #[serde(rename = "wall_us")]
    pub wall: WallTime,
}

impl ClockCourse {
    /// The most runs in [`Self::last`].
    pub const LAST: usize = 5;
    /// The most runs in [`Self::slowest`].
    pub const SLOWEST: usize = 10;

    /// The course of the clock of `side`.
    pub(super) fn of(record: &GameRecord, side: Side) -> Self {
        let (times, usages): (Vec<TurnTime>, Vec<Usage>) = (1..)
            .zip(&record.turns)
            .filter(|(_, played)| played.side() == side)
            .filter_map(|(turn, played)| time_of(turn, played))
            .unzip();
        let mut slowest = times.clone();
        // The sort is stable: of equal runs the earlier comes first.
        slowest.sort_by_key(|time| std::cmp::Reverse(time.charged));
        slowest.truncate(Self::SLOWEST);
        Self {
            person: record.players.of(side).person(),
            pace: record.players.of(side).pace(),
            play_time: *record.conditions.play_time.of(side),
            charged: times.iter().map(|time| time.charged).sum(),
            user: usages.iter().map(|usage| usage.user).sum(),
            system: usages.iter().map(|usage| usage.system).sum(),
            runs: times.len(),
            last: times[times.len().saturating_sub(Self::LAST)..].to_vec(),
            slowest,
        }
    }
}

fn time_of(turn: usize, played: &TurnRecord) -> Option<(TurnTime, Usage)> {
    match played {
        TurnRecord::Pass { .. } => None,
        TurnRecord::Run { left, charged, run, .. } => {
            let time = TurnTime {
                turn,
                left: *left,
                charged: *charged,
                wall: run.usage.wall,
            };
            Some((time, run.usage))
        }
    }
}
