//! How long a built-in agent may think about one move of a custom game, by CPU time or by positions. `explorer` asks it
//! before each question.
//!
//! The CPU time is that of this process and of the rules program that it has started, because the agent is charged for
//! both; where the rules have a seat of their own, the time of their answers counts as theirs. A limit in positions is
//! independent of the machine, for tests and repeatable runs.

use nix::time::{ClockId, clock_gettime};

use crate::rules_program::game::CustomGame;
use referee_games::Game;
use referee_games::protocol::InputPurpose;
use referee_time::CpuTime;

/// Reserved time: it pays for the last starts of the rules program, tens of milliseconds each.
const RESERVE: CpuTime = CpuTime::from_millis(500);
/// One move gets this part of the time left, divided by the moves of a typical game: such a game uses two fifths of it,
/// and the longest one never all.
const MOVES_LEFT: u64 = 2;
/// How many moves a typical game has at least and at most, for that.
const TYPICAL_MOVES: (u64, u64) = (5, 60);
/// The part of the time left for a single question, which no other move follows.
const SINGLE_SHARE: u64 = 10;
/// Minimax without a depth may look at so many positions in each second of its share: few, so that its move hardly ever
/// depends on the machine.
const POSITIONS_A_SECOND: u64 = 500;
/// A question is asked for so few positions that it takes this part of the time left.
const PARTS_OF_REST: u64 = 4;
/// The most positions in one question.
const MAX_BATCH: usize = 64;
/// The most until it is known how long one takes.
const FIRST_BATCH: usize = 8;
/// The most memory for positions: agents have a limit.
const MAX_BYTES: usize = 200 << 20;

/// How much may be used of a budget until something else has its turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Milestone {
    time: Option<CpuTime>,
    asked: u64,
}

/// The share of a move of somebody with `own` time left.
pub(super) fn share_of_time_left(game: &CustomGame, own: CpuTime, purpose: InputPurpose) -> CpuTime {
    let profile = game.profile();
    let (least, most) = TYPICAL_MOVES;
    let parts = match purpose {
        InputPurpose::Single => SINGLE_SHARE,
        InputPurpose::Game => MOVES_LEFT * u64::from(profile.typical_moves).clamp(least, most),
    };
    let time = CpuTime::from_micros(own.saturating_sub(RESERVE).micros() / parts);
    let of_limit = |limit: CpuTime| CpuTime::from_micros(limit.micros() / 2);
    let time = profile.move_time.map_or(time, |limit| time.min(of_limit(limit)));
    // The program has been started at the expense of this move.
    time.saturating_sub(game.client.cpu_time())
}

/// What is left of a share.
#[derive(Debug)]
pub(super) struct SearchBudget {
    game: &'static CustomGame,
    begun: CpuTime,
    time: Option<CpuTime>,
    positions: u64,
    asked: u64,
    bytes: usize,
}

impl SearchBudget {
    /// The whole share.
    pub(super) fn of_time(game: &'static CustomGame, share: CpuTime) -> Self {
        Self { time: Some(share), ..Self::of_positions(game, u64::MAX) }
    }

    /// So many positions.
    pub(super) fn of_positions(game: &'static CustomGame, positions: u64) -> Self {
        Self { game, begun: cpu_time(game), time: None, positions, asked: 0, bytes: 0 }
    }

    /// As many positions as rules of usual speed list in a part of the share, which slow ones may use up.
    pub(super) fn of_minimax(game: &'static CustomGame, share: CpuTime) -> Self {
        let positions = share.micros().saturating_mul(POSITIONS_A_SECOND) / 1_000_000;
        Self { positions, ..Self::of_time(game, share) }
    }

    /// Whether nothing more may be asked.
    pub(super) fn is_spent(&self) -> bool {
        self.asked >= self.positions
            || self.bytes >= MAX_BYTES
            || self.time.is_some_and(|time| self.used() >= time)
            || self.game.fault().is_some()
    }

    /// The number of positions that may still be asked for.
    pub(super) const fn positions_left(&self) -> u64 {
        self.positions.saturating_sub(self.asked)
    }

    /// A third of the rest from here.
    pub(super) fn third_of_rest(&self) -> Milestone {
        let third = |used: u64, whole: u64| used + whole.saturating_sub(used) / 3;
        let used = self.used().micros();
        let time = self.time.map(|time| CpuTime::from_micros(third(used, time.micros())));
        Milestone { time, asked: third(self.asked, self.positions) }
    }

    pub(super) fn is_past(&self, milestone: Milestone) -> bool {
        self.asked >= milestone.asked || milestone.time.is_some_and(|time| self.used() >= time)
    }

    /// How many positions to ask for at once, so that the question ends before the budget does.
    pub(super) fn batch(&self) -> usize {
        let by_count = usize::try_from(self.positions_left()).unwrap_or(usize::MAX);
        let most = MAX_BATCH.min(by_count).max(1);
        let Some(time) = self.time else { return most };
        if self.asked == 0 {
            return FIRST_BATCH.min(most);
        }
        let rest = time.saturating_sub(self.used()).micros() / PARTS_OF_REST;
        let fitting = rest.saturating_mul(self.asked) / self.used().micros().max(1);
        usize::try_from(fitting).unwrap_or(most).clamp(1, most)
    }

    /// Counts positions that were asked for, and the memory that they take.
    pub(super) fn count(&mut self, positions: usize, bytes: usize) {
        self.asked += positions as u64;
        self.bytes += bytes;
    }

    fn used(&self) -> CpuTime {
        cpu_time(self.game).saturating_sub(self.begun)
    }
}

/// The CPU time of this process and of the rules program that it has started.
fn cpu_time(game: &CustomGame) -> CpuTime {
    // Without this clock the search would never end, so all time counts as used.
    let own = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)
        .map_or(CpuTime::from_micros(u64::MAX / 2), |time| CpuTime::from_duration(time.into()));
    own + game.client.cpu_time()
}
