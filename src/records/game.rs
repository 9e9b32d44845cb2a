//! The record of one game.

use serde::{Deserialize, Serialize};

use super::{CloseCall, Host, Noise, PerSide, Verdict};
use crate::games::{DrawRules, GameId, Side};
use crate::protocol::{Finding, Tolerance};
use crate::seat::{Charge, Isolation, Limits, Meter, Run, Usage};
use crate::time::{CpuTime, WallTime};

/// One finished game: everything that is needed to judge it again without the agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The version of this format, [`SCHEMA`](super::SCHEMA).
    pub schema: u32,
    /// The game's name within its run; also the name of its file.
    pub id: String,
    /// The game and its rule set.
    #[serde(flatten)]
    pub game: GameId,
    /// Who played.
    pub players: PerSide<PlayerRecord>,
    /// What the clocks, the reader and the draw rules went by.
    pub conditions: Conditions,
    /// Seconds since 1970 at which the first turn began.
    pub began_unix_s: u64,
    /// The board that the game began with, top row first.
    pub start: Vec<String>,
    /// Who had the first turn.
    pub first: Side,
    /// Every turn, in order.
    pub turns: Vec<TurnRecord>,
    /// How it ended.
    pub verdict: Verdict,
    /// Why the result deserves a second look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub close_calls: Vec<CloseCall>,
    /// How steady the machine was meanwhile; `None` where that was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<Noise>,
    /// The machine that it was played on; records of older versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Host>,
}

impl GameRecord {
    /// By how much the meter of each side may be off in one run.
    pub fn uncertainty(&self) -> PerSide<CpuTime> {
        PerSide::from_fn(|side| self.players.of(side).uncertainty())
    }

    /// What the sides state to be charged at least for each move.
    pub fn paces(&self) -> PerSide<Option<CpuTime>> {
        PerSide::from_fn(|side| self.players.of(side).pace())
    }

    /// Which sides people played, and by which clocks.
    pub fn people(&self) -> PerSide<Option<PersonClock>> {
        PerSide::from_fn(|side| self.players.of(side).person())
    }
}

/// One side's player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// The agent's name within its run.
    pub name: String,
    /// The digest of the agent's files; empty for a person.
    pub digest: String,
    /// What sat there.
    #[serde(flatten)]
    pub seated: Seated,
}

/// What sat at one side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Seated {
    /// A program.
    Program {
        /// How its CPU time was measured.
        meter: Meter,
        /// By how much the meter may be off in one run.
        #[serde(rename = "uncertainty_cpu_us")]
        uncertainty: CpuTime,
        /// How well it was kept apart from everything else.
        isolation: Isolation,
        /// What it states to be charged at least for each move; of built-in agents alone.
        #[serde(rename = "pace_cpu_us", default, skip_serializing_if = "Option::is_none")]
        pace: Option<CpuTime>,
    },
    /// A person: nothing was measured but the time on the wall, and nobody kept apart.
    Person {
        /// By which clock.
        #[serde(rename = "person")]
        clock: PersonClock,
    },
}

/// What the clock of a person runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonClock {
    /// The time on the wall that passes until the answer is there.
    WallTime,
    /// Nothing: no turn is ever charged, and no draw goes to whoever has more time left.
    NoClock,
}

impl PlayerRecord {
    /// By how much the meter may be off in one run; a person's time is what passed.
    pub const fn uncertainty(&self) -> CpuTime {
        match self.seated {
            Seated::Program { uncertainty, .. } => uncertainty,
            Seated::Person { .. } => CpuTime::ZERO,
        }
    }

    /// What it states to be charged at least for each move, where it is a built-in agent that does.
    pub const fn pace(&self) -> Option<CpuTime> {
        match self.seated {
            Seated::Program { pace, .. } => pace,
            Seated::Person { .. } => None,
        }
    }

    /// By which clock a person played; `None` for a program.
    pub const fn person(&self) -> Option<PersonClock> {
        match self.seated {
            Seated::Program { .. } => None,
            Seated::Person { clock } => Some(clock),
        }
    }
}

/// What one game is played under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// Which CPU time the clocks charge.
    pub charge: Charge,
    /// How exactly `output.txt` is read.
    pub tolerance: Tolerance,
    /// The play time of each side for the whole game.
    #[serde(rename = "play_time_cpu_us")]
    pub play_time: PerSide<CpuTime>,
    /// The most that a single move may take, where that is limited.
    #[serde(rename = "move_time_cpu_us", default, skip_serializing_if = "Option::is_none")]
    pub move_time: Option<CpuTime>,
    /// How far past its remaining time a run may go before it is killed; it loses all the same.
    #[serde(rename = "grace_cpu_us")]
    pub grace: CpuTime,
    /// The wall guard of a run is this many times the CPU time left, ...
    pub guard_factor: u32,
    /// ... plus this.
    #[serde(rename = "guard_extra_wall_us")]
    pub guard_extra: WallTime,
    /// What an agent may use besides time.
    pub limits: Limits,
    /// What makes a draw beyond the board.
    pub draws: DrawRules,
}

impl Conditions {
    /// The most that a run may take of a side that has `left` on its clock.
    pub fn longest_run(&self, left: CpuTime) -> CpuTime {
        self.move_time.map_or(left, |limit| limit.min(left))
    }

    /// Those of a game in which each side has `play_time`, where nothing else is asked for: CPU time is charged without
    /// grace, answers are read tolerantly, and the draws are those of RULES.md.
    pub fn usual(game: GameId, play_time: CpuTime) -> Self {
        Self {
            charge: Charge::Cpu,
            tolerance: Tolerance::Tolerant,
            play_time: PerSide {
                black: play_time,
                white: play_time,
            },
            move_time: game.profile().move_time,
            grace: CpuTime::ZERO,
            guard_factor: 3,
            guard_extra: WallTime::from_secs(10),
            limits: Limits::default(),
            draws: game.profile().draws,
        }
    }
}

/// What a side is charged for a turn that used `usage`: a program its CPU time as `charge` says, a person by its clock.
pub fn charged(usage: &Usage, charge: Charge, person: Option<PersonClock>) -> CpuTime {
    match person {
        None => usage.charged(charge),
        // The one place where time on the wall counts on a clock of the game.
        Some(PersonClock::WallTime) => CpuTime::from_micros(usage.wall.micros()),
        Some(PersonClock::NoClock) => CpuTime::ZERO,
    }
}

/// What a side is charged that has `left` on its clock, has used `used`, and states `pace` for each move.
///
/// A reference agent that answers within milliseconds wins every draw on time, and nobody wants to pay for hours of its
/// computing. So it may state what a move is charged instead: that, or a twentieth of what it has left where that is
/// less, so that it never loses on time by what it did not use; and never less than it used.
pub fn paced(used: CpuTime, pace: Option<CpuTime>, left: CpuTime) -> CpuTime {
    let at_most = CpuTime::from_micros(left.micros() / 20);
    pace.map_or(used, |pace| used.max(pace.min(at_most)))
}

/// One turn of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "turn")]
pub enum TurnRecord {
    /// The side had no legal move; its agent was not run.
    Pass {
        /// Whose turn it was.
        side: Side,
    },
    /// The agent was run.
    Run {
        /// Whose turn it was.
        side: Side,
        /// What its clock had left before the run.
        #[serde(rename = "left_cpu_us")]
        left: CpuTime,
        /// What was charged.
        #[serde(rename = "charged_cpu_us")]
        charged: CpuTime,
        /// The move as it would be written exactly, jumps joined by LF; `None` where there was no legal one.
        #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
        mv: Option<String>,
        /// What was odd about the run without costing the game.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<Finding>,
        /// Everything that the seat reported.
        #[serde(flatten)]
        run: Box<Run>,
    },
}

impl TurnRecord {
    /// Whose turn it was.
    pub const fn side(&self) -> Side {
        match self {
            Self::Pass { side } | Self::Run { side, .. } => *side,
        }
    }

    /// What was charged for it; nothing for a pass.
    pub const fn charged(&self) -> CpuTime {
        match self {
            Self::Pass { .. } => CpuTime::ZERO,
            Self::Run { charged, .. } => *charged,
        }
    }

    /// The move that was made, as it would be written exactly; `None` for a pass and for an answer that was no move.
    pub fn mv(&self) -> Option<&str> {
        match self {
            Self::Pass { .. } => None,
            Self::Run { mv, .. } => mv.as_deref(),
        }
    }

    /// Whether the side had no legal move, so that its agent was not run.
    pub const fn is_pass(&self) -> bool {
        matches!(self, Self::Pass { .. })
    }
}
