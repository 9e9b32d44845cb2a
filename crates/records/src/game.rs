//! The record of one game. Plain data, with the rules of charging beside it. The referee makes it; everything that
//! verifies, counts or shows games reads it.

use serde::{Deserialize, Serialize};

use super::{CloseCall, Host, MachineNoise, PerSide, Verdict};
use referee_games::protocol::{Finding, Tolerance};
use referee_games::{DrawRules, GameRef, Side};
use referee_seat::{Charge, Isolation, Limits, Meter, Protocol, Run, SeatOptions, Usage};
use referee_time::{CpuTime, WallTime};

/// A finished game, with everything needed to judge it again without the agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord<G = GameRef> {
    /// The version of this format, [`SCHEMA`](super::SCHEMA).
    pub schema: u32,
    /// The game's name in its run, and of its file.
    pub id: String,
    /// The game and its rule set; in a file, the [`GameId`](referee_games::GameId) of it.
    #[serde(flatten)]
    pub game: G,
    /// Who played.
    pub players: PerSide<PlayerRecord>,
    /// The conditions for clocks, reading and draws.
    pub conditions: Conditions,
    /// When the first turn began, in seconds since 1970.
    pub began_unix_s: u64,
    /// The start board, top row first.
    pub start: Vec<String>,
    /// The side with the first turn.
    pub first: Side,
    /// Every turn, in order.
    pub turns: Vec<TurnRecord>,
    /// The verdict.
    pub verdict: Verdict,
    /// Reasons to review the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub close_calls: Vec<CloseCall>,
    /// The noise of the machine during the game; `None` if not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<MachineNoise>,
    /// The machine; `None` in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Host>,
}

impl<G> GameRecord<G> {
    /// The same record of `game`, which its file names.
    pub fn with_game(self, game: GameRef) -> GameRecord {
        GameRecord {
            game,
            schema: self.schema,
            id: self.id,
            players: self.players,
            conditions: self.conditions,
            began_unix_s: self.began_unix_s,
            start: self.start,
            first: self.first,
            turns: self.turns,
            verdict: self.verdict,
            close_calls: self.close_calls,
            noise: self.noise,
            host: self.host,
        }
    }

    /// The meter's uncertainty for one run, per side.
    pub fn uncertainty(&self) -> PerSide<CpuTime> {
        PerSide::from_fn(|side| self.players.of(side).uncertainty())
    }

    /// The paces that the sides state.
    pub fn paces(&self) -> PerSide<Option<CpuTime>> {
        PerSide::from_fn(|side| self.players.of(side).pace())
    }

    /// The sides played by people, with their clocks.
    pub fn people(&self) -> PerSide<Option<PersonClock>> {
        PerSide::from_fn(|side| self.players.of(side).person())
    }
}

/// The player of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// The agent's name in its run.
    pub name: String,
    /// The digest of the agent's files; empty for a person.
    pub digest: String,
    /// Program or person.
    #[serde(flatten)]
    pub seated: PlayerKind,
}

/// The kind of player, with its measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PlayerKind {
    /// A program.
    Program {
        /// How its CPU time was measured.
        meter: Meter,
        /// The meter's uncertainty for one run.
        #[serde(rename = "uncertainty_cpu_us")]
        uncertainty: CpuTime,
        /// The isolation level.
        isolation: Isolation,
        /// How it was asked, and answered.
        #[serde(default, skip_serializing_if = "super::is_default")]
        protocol: Protocol,
        /// The minimum charge for each move that it states; only built-in agents do.
        #[serde(rename = "pace_cpu_us", default, skip_serializing_if = "Option::is_none")]
        pace: Option<CpuTime>,
    },
    /// A person: only wall-clock time was measured, and nothing was isolated.
    Person {
        /// The clock.
        #[serde(rename = "person")]
        clock: PersonClock,
    },
}

/// The clock of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonClock {
    /// The wall-clock time until the answer.
    WallTime,
    /// No clock: turns are not charged, and no draw is decided by time.
    NoClock,
}

impl PlayerRecord {
    /// The meter's uncertainty for one run; 0 for a person.
    pub const fn uncertainty(&self) -> CpuTime {
        match self.seated {
            PlayerKind::Program { uncertainty, .. } => uncertainty,
            PlayerKind::Person { .. } => CpuTime::ZERO,
        }
    }

    /// The minimum charge for each move, for a built-in agent that states one.
    pub const fn pace(&self) -> Option<CpuTime> {
        match self.seated {
            PlayerKind::Program { pace, .. } => pace,
            PlayerKind::Person { .. } => None,
        }
    }

    /// How it was asked, and answered.
    pub const fn protocol(&self) -> Protocol {
        match self.seated {
            PlayerKind::Program { protocol, .. } => protocol,
            PlayerKind::Person { .. } => Protocol::Files,
        }
    }

    /// The clock of a person; `None` for a program.
    pub const fn person(&self) -> Option<PersonClock> {
        match self.seated {
            PlayerKind::Program { .. } => None,
            PlayerKind::Person { clock } => Some(clock),
        }
    }
}

/// The conditions of one game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// The kind of CPU time that the clocks charge.
    pub charge: Charge,
    /// The tolerance for reading `output.txt`.
    pub tolerance: Tolerance,
    /// The play time of each side for the whole game.
    #[serde(rename = "play_time_cpu_us")]
    pub play_time: PerSide<CpuTime>,
    /// The limit for a single move, if any.
    #[serde(rename = "move_time_cpu_us", default, skip_serializing_if = "Option::is_none")]
    pub move_time: Option<CpuTime>,
    /// How many moves of a side may take longer than that before one loses.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub overruns: u32,
    /// The limit of such a move, if any.
    #[serde(rename = "longest_move_cpu_us", default, skip_serializing_if = "Option::is_none")]
    pub longest_move: Option<CpuTime>,
    /// How programs are asked for a move, and answer, unless one was named with a protocol of its own.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub protocol: Protocol,
    /// The CPU time that a living program may use before its first question without charge.
    #[serde(rename = "startup_time_cpu_us", default, skip_serializing_if = "super::is_default")]
    pub startup_time: CpuTime,
    /// How far beyond its remaining time a run may go before it is killed; it loses anyway.
    #[serde(rename = "grace_cpu_us")]
    pub grace: CpuTime,
    /// The wall-clock limit of a run is this multiple of the CPU time left, ...
    pub wall_limit_factor: u32,
    /// ... plus this.
    #[serde(rename = "wall_limit_extra_us")]
    pub wall_limit_extra: WallTime,
    /// The resource limits besides time.
    pub limits: Limits,
    /// The rules for draws beyond the board.
    pub draws: DrawRules,
}

impl Conditions {
    /// The options of the seats of games under them.
    pub fn seats(&self) -> SeatOptions {
        SeatOptions {
            charge: self.charge,
            limits: self.limits,
            protocol: self.protocol,
            startup: self.startup_time,
            ..SeatOptions::default()
        }
    }

    /// The longest run of a side with `left` on its clock that overruns nothing.
    pub fn longest_run(&self, left: CpuTime) -> CpuTime {
        self.move_time.map_or(left, |limit| limit.min(left))
    }

    /// The limit for a single move whose excess loses, for a side that has overrun [`Self::move_time`] this often.
    pub fn move_limit(&self, overruns: u32) -> Option<CpuTime> {
        if overruns < self.overruns { self.move_time.and(self.longest_move) } else { self.move_time }
    }

    /// The longest run that does not lose, of a side with `left` on its clock and so many overruns.
    pub fn longest_run_after(&self, overruns: u32, left: CpuTime) -> CpuTime {
        self.move_limit(overruns).map_or(left, |limit| limit.min(left))
    }

    /// The longest allowed first run of each side.
    pub fn allowances(&self) -> PerSide<CpuTime> {
        PerSide::from_fn(|side| self.longest_run(*self.play_time.of(side)))
    }

    /// The default conditions with `play_time` for each side: CPU time is charged without grace period, answers are
    /// read tolerantly, and draws follow RULES.md.
    pub fn usual(game: GameRef, play_time: CpuTime) -> Self {
        Self {
            charge: Charge::Cpu,
            tolerance: Tolerance::Tolerant,
            play_time: PerSide { black: play_time, white: play_time },
            move_time: game.profile().move_time,
            overruns: 0,
            longest_move: None,
            protocol: Protocol::Files,
            startup_time: CpuTime::ZERO,
            grace: CpuTime::ZERO,
            wall_limit_factor: 3,
            wall_limit_extra: WallTime::from_secs(10),
            limits: Limits::default(),
            draws: game.profile().draws,
        }
    }
}

/// The charge for a turn with `usage`: for a program the CPU time selected by `charge`, for a person the time of its
/// clock.
pub fn charged(usage: &Usage, charge: Charge, person: Option<PersonClock>) -> CpuTime {
    match person {
        None => usage.charged(charge),
        // The only place where wall-clock time counts on a clock of the game.
        Some(PersonClock::WallTime) => CpuTime::from_micros(usage.wall.micros()),
        Some(PersonClock::NoClock) => CpuTime::ZERO,
    }
}

/// The charge for a side with `left` on its clock that used `used` and states `pace` for each move.
///
/// A reference agent that answers within milliseconds would win every draw on time, and computing for hours only to use
/// time is wasteful. So it may state a charge per move. The charge is that pace, but at most a twentieth of the time
/// left, so that it never loses on time it did not use, and at least the time used.
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
        /// The clock before the run.
        #[serde(rename = "left_cpu_us")]
        left: CpuTime,
        /// The charge.
        #[serde(rename = "charged_cpu_us")]
        charged: CpuTime,
        /// The move in exact notation, jumps joined by LF; `None` if there was no legal one.
        #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
        mv: Option<String>,
        /// Oddities of the run that did not cost the game.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<Finding>,
        /// The seat's report.
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

    /// The charge; zero for a pass.
    pub const fn charged(&self) -> CpuTime {
        match self {
            Self::Pass { .. } => CpuTime::ZERO,
            Self::Run { charged, .. } => *charged,
        }
    }

    /// The move in exact notation; `None` for a pass and for an illegal answer.
    pub fn mv(&self) -> Option<&str> {
        match self {
            Self::Pass { .. } => None,
            Self::Run { mv, .. } => mv.as_deref(),
        }
    }

    /// The run of the agent; `None` for a forced pass.
    pub fn run(&self) -> Option<&Run> {
        match self {
            Self::Pass { .. } => None,
            Self::Run { run, .. } => Some(run),
        }
    }

    /// Whether it is a pass: the side had no legal move, and its agent was not run.
    pub const fn is_pass(&self) -> bool {
        matches!(self, Self::Pass { .. })
    }
}
