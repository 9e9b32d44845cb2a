//! What time had to do with a recorded game: where it went, what was left, whom a draw favoured, and when a loss on
//! time became unavoidable.
//!
//! A pure function of the record, and of its analysis where there is one, which tells turns that changed nothing. It
//! says nothing of the board or of faults other than running out of time. `messages` puts it into words.

use serde::Serialize;

use super::clock::{TurnTime, costliest, times_of};
use referee_games::{DrawDecision, Side, State};
use referee_records::{DrawAward, Fault, GameAnalysis, GameRecord, PersonClock, TurnRecord, Verdict};
use referee_time::CpuTime;

/// With fewer turns, a side has no usual pace.
const LEAST_TURNS: usize = 3;
/// A turn cost much if it cost so many times the usual pace, and took a noticeable part of the time.
const COSTLY: u32 = 2;
/// One part in so many of the time at the start is noticeable: about what a turn has in a game of a hundred turns.
const NOTICEABLE: u64 = 50;
/// One part in so many of the time at the start is a lot to leave unused in a lost game.
const MUCH: u64 = 2;
/// A search of fewer plies does not say that moves are equally good.
const LEAST_DEPTH: u32 = 2;

/// What time had to do with a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimeStory {
    /// The clock of each side that has one and had a turn.
    pub clocks: Vec<ClockStory>,
    /// Whom time favoured in a draw, in games that decide draws by time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawByTime>,
    /// What time had to do with the loss, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<TimeLoss>,
}

/// Where the time of one side went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClockStory {
    /// The side.
    pub side: Side,
    /// The time at the start.
    #[serde(rename = "play_time_cpu_us")]
    pub play_time: CpuTime,
    /// The number of turns in which it was charged.
    pub turns: usize,
    /// The sum of all charges.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// The time at the end of the game.
    #[serde(rename = "left_cpu_us")]
    pub left: CpuTime,
    /// The median of the charges, the lower one of two; `None` with few turns.
    #[serde(rename = "pace_cpu_us", skip_serializing_if = "Option::is_none")]
    pub pace: Option<CpuTime>,
    /// The most expensive turns, at most [`Self::COSTLIEST`], the most expensive first.
    pub costliest: Vec<TurnTime>,
    /// What these took of all charges, in per cent, rounded down.
    pub costliest_percent: u64,
    /// Turns that cost much and changed nothing, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub useless: Vec<UselessTurn>,
}

/// A turn that cost much and changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct UselessTurn {
    /// The turn of the game, counted from 1 over both sides.
    pub turn: usize,
    /// What was charged.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// Why it changed nothing.
    pub reason: UselessTurnReason,
}

/// Why thinking changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UselessTurnReason {
    /// There was one legal move.
    OnlyMove,
    /// By the analysis, all legal moves were equally good.
    AllEqual,
}

/// Whom time favoured in a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum DrawByTime {
    /// The game was a draw, and time has decided it.
    Decided {
        /// The side with more time.
        winner: Side,
        /// The difference.
        #[serde(rename = "margin_cpu_us")]
        margin: CpuTime,
    },
    /// The game was won; a draw at the end would have been decided by time, and the difference is noticeable.
    Hypothetical {
        /// The side with more time.
        winner: Side,
        /// The difference.
        #[serde(rename = "margin_cpu_us")]
        margin: CpuTime,
    },
}

/// What time had to do with a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum TimeLoss {
    /// From a turn on, the time left did not suffice at the usual pace up to the turn on which it ran out.
    Pace {
        /// The loser.
        loser: Side,
        /// Its usual charge.
        #[serde(rename = "pace_cpu_us")]
        pace: CpuTime,
        /// The first such turn, counted from 1.
        from: TurnTime,
        /// How many turns it still played, with that one and the last.
        needed: usize,
    },
    /// At the usual pace the time would have lasted: the last turn took too much.
    LastTurn {
        /// The loser.
        loser: Side,
        /// Its usual charge.
        #[serde(rename = "pace_cpu_us")]
        pace: CpuTime,
        /// The turn on which it lost.
        last: TurnTime,
    },
    /// It lost on the board, with much of its time unused.
    Unused {
        /// The loser.
        loser: Side,
        /// Its time at the end.
        #[serde(rename = "left_cpu_us")]
        left: CpuTime,
        /// Its time at the start.
        #[serde(rename = "play_time_cpu_us")]
        play_time: CpuTime,
    },
}

impl TimeLoss {
    /// The side that lost.
    pub const fn loser(&self) -> Side {
        match self {
            Self::Pace { loser, .. } | Self::LastTurn { loser, .. } | Self::Unused { loser, .. } => *loser,
        }
    }
}

impl ClockStory {
    /// The maximum length of [`Self::costliest`].
    pub const COSTLIEST: usize = 3;

    /// Whether `time` is a noticeable part of the time at the start.
    pub fn is_noticeable(&self, time: CpuTime) -> bool {
        time > CpuTime::ZERO && time.saturating_mul(NOTICEABLE) >= self.play_time
    }
}

/// What time had to do with the game in `record`, with the `positions` before its first turn and after each turn.
pub fn time_story(record: &GameRecord, positions: &[State], analysis: Option<&GameAnalysis>) -> TimeStory {
    let judged = TimedGame { record, analysis, positions };
    let clocks: Vec<ClockStory> = Side::BOTH.into_iter().filter_map(|side| judged.clock_of(side)).collect();
    let draw = draw_by_time(record, &clocks);
    TimeStory { clocks, draw, loss: time_loss(record) }
}

/// What time had to do with the loss of the game in `record`, if anything.
pub fn time_loss(record: &GameRecord) -> Option<TimeLoss> {
    match &record.verdict {
        Verdict::Forfeit { loser, fault: Fault::OutOfTime { .. } } => loss_on_time(record, *loser),
        Verdict::Forfeit { .. } => None,
        Verdict::Won { .. } | Verdict::Drawn { .. } => unused_time(record, record.verdict.loser_on_board()?),
    }
}

/// A game with the position before each turn.
struct TimedGame<'a> {
    record: &'a GameRecord,
    analysis: Option<&'a GameAnalysis>,
    positions: &'a [State],
}

impl TimedGame<'_> {
    fn clock_of(&self, side: Side) -> Option<ClockStory> {
        let times = times(self.record, side);
        let last = times.last().filter(|_| has_clock(self.record, side))?;
        let charged: CpuTime = times.iter().map(|time| time.charged).sum();
        let costliest = costliest(&times, ClockStory::COSTLIEST);
        let by_these: CpuTime = costliest.iter().map(|time| time.charged).sum();
        let clock = ClockStory {
            side,
            play_time: *self.record.conditions.play_time.of(side),
            turns: times.len(),
            charged,
            left: left_after(last),
            pace: usual_pace(&times),
            costliest_percent: by_these.saturating_mul(100).micros().checked_div(charged.micros()).unwrap_or(0),
            costliest,
            useless: Vec::new(),
        };
        Some(ClockStory { useless: self.useless(&times, &clock), ..clock })
    }

    fn useless(&self, times: &[TurnTime], clock: &ClockStory) -> Vec<UselessTurn> {
        let Some(pace) = clock.pace else { return Vec::new() };
        let is_costly = |charged: CpuTime| charged > pace.saturating_mul(COSTLY.into()) && clock.is_noticeable(charged);
        let costly = times.iter().filter(|time| is_costly(time.charged));
        let useless = costly.filter_map(|time| {
            let reason = self.reason_of(time.turn)?;
            Some(UselessTurn { turn: time.turn, charged: time.charged, reason })
        });
        useless.collect()
    }

    /// Why a turn, counted from 1, changed nothing; `None` for one with a choice, and for one without a legal answer.
    fn reason_of(&self, turn: usize) -> Option<UselessTurnReason> {
        let played: &TurnRecord = &self.record.turns[turn - 1];
        played.mv()?;
        let moves = self.positions.get(turn - 1)?.moves().len();
        if moves == 1 {
            return Some(UselessTurnReason::OnlyMove);
        }
        let analyzed = self.analysis?.turns.get(turn - 1)?;
        let is_equal = analyzed.depth >= LEAST_DEPTH && usize::try_from(analyzed.equally_good) == Ok(moves);
        is_equal.then_some(UselessTurnReason::AllEqual)
    }
}

/// Whether the time of the game means anything to `side`: with a limit for each move, there is nothing to save.
fn has_clock(record: &GameRecord, side: Side) -> bool {
    record.conditions.move_time.is_none() && record.players.of(side).person() != Some(PersonClock::NoClock)
}

fn left_after(last: &TurnTime) -> CpuTime {
    last.left.saturating_sub(last.charged)
}

fn times(record: &GameRecord, side: Side) -> Vec<TurnTime> {
    times_of(record, side).map(|(time, _)| time).collect()
}

/// The median charge, the lower one of two.
fn usual_pace(times: &[TurnTime]) -> Option<CpuTime> {
    let mut charges: Vec<CpuTime> = times.iter().map(|time| time.charged).collect();
    charges.sort_unstable();
    (charges.len() >= LEAST_TURNS).then(|| charges[(charges.len() - 1) / 2])
}

fn draw_by_time(record: &GameRecord, clocks: &[ClockStory]) -> Option<DrawByTime> {
    match &record.verdict {
        Verdict::Drawn { decided: DrawAward::Time { winner, margin }, .. } => {
            Some(DrawByTime::Decided { winner: *winner, margin: *margin })
        }
        Verdict::Won { .. } => hypothetical_draw(record, clocks),
        Verdict::Drawn { .. } | Verdict::Forfeit { .. } => None,
    }
}

/// Only where time comes first: what else decides a draw depends on the draw.
fn hypothetical_draw(record: &GameRecord, clocks: &[ClockStory]) -> Option<DrawByTime> {
    if record.game.profile().draw_decisions.first() != Some(&DrawDecision::Time) {
        return None;
    }
    let [one, other] = clocks else { return None };
    let winner = if one.left > other.left { one.side } else { other.side };
    let margin = one.left.max(other.left).saturating_sub(one.left.min(other.left));
    let is_noticeable = one.is_noticeable(margin) && other.is_noticeable(margin);
    is_noticeable.then_some(DrawByTime::Hypothetical { winner, margin })
}

fn loss_on_time(record: &GameRecord, loser: Side) -> Option<TimeLoss> {
    let times = times(record, loser);
    let (pace, last) = (usual_pace(&times)?, *times.last()?);
    let lasts = |(index, time): (usize, &TurnTime)| time.left >= pace.saturating_mul((times.len() - index) as u64);
    let first = times.iter().enumerate().rposition(lasts).map_or(0, |index| index + 1);
    Some(match times.get(first) {
        Some(&from) => TimeLoss::Pace { loser, pace, from, needed: times.len() - first },
        None => TimeLoss::LastTurn { loser, pace, last },
    })
}

fn unused_time(record: &GameRecord, loser: Side) -> Option<TimeLoss> {
    let times = times(record, loser);
    let last = times.last().filter(|_| times.len() >= LEAST_TURNS && has_clock(record, loser))?;
    let (left, play_time) = (left_after(last), *record.conditions.play_time.of(loser));
    (left.saturating_mul(MUCH) >= play_time).then_some(TimeLoss::Unused { loser, left, play_time })
}
