//! Decides who wins a draw on the board: by time, by pieces, or nobody, as the game's rules say.
//!
//! A pure function. [`super::ongoing_game`] calls it when a game ends, and [`super::close_calls`] with other clocks.

use std::cmp::Ordering;

use referee_games::{DrawDecision, Side};
use referee_records::{Draw, DrawAward, PerSide};
use referee_time::CpuTime;

/// The facts besides the clocks that decide draws.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameStart {
    pub(super) decisions: &'static [DrawDecision],
    pub(super) first: Side,
    pub(super) pieces: PerSide<u32>,
    /// Whether both sides have a clock, so that times can be compared.
    pub(super) is_timed: bool,
}

/// Who gets a draw on the board: the first of the game's draw decisions that names a side decides.
pub(super) fn decide_draw(by: &Draw, clocks: PerSide<CpuTime>, beginning: GameStart) -> DrawAward {
    if !beginning.is_timed && beginning.decisions.contains(&DrawDecision::Time) {
        return DrawAward::NoClock;
    }
    let mut decisions = beginning.decisions.iter();
    let decided = decisions.find_map(|decision| match decision {
        DrawDecision::Time => by_time(clocks),
        DrawDecision::Pieces => by_pieces(beginning.pieces),
        DrawDecision::SecondMove => match by {
            Draw::EqualScores { .. } => Some(DrawAward::SecondMove { winner: beginning.first.other() }),
            Draw::Blocked
            | Draw::NoMoves
            | Draw::Reason { .. }
            | Draw::IdleTurns { .. }
            | Draw::Repetition { .. }
            | Draw::TurnLimit { .. } => None,
        },
    });
    decided.unwrap_or(DrawAward::Nobody)
}

/// The side with the larger amount; `None` if they are equal.
fn leader<T: Ord>(PerSide { black, white }: &PerSide<T>) -> Option<Side> {
    match black.cmp(white) {
        Ordering::Greater => Some(Side::Black),
        Ordering::Less => Some(Side::White),
        Ordering::Equal => None,
    }
}

fn by_time(clocks: PerSide<CpuTime>) -> Option<DrawAward> {
    let winner = leader(&clocks)?;
    let margin = clocks.of(winner).saturating_sub(*clocks.of(winner.other()));
    Some(DrawAward::Time { winner, margin })
}

fn by_pieces(pieces: PerSide<u32>) -> Option<DrawAward> {
    let winner = leader(&pieces)?;
    Some(DrawAward::Pieces { winner, pieces: *pieces.of(winner), against: *pieces.of(winner.other()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_clock_only_time_cannot_decide() {
        let clocks = PerSide::from_fn(|_| CpuTime::ZERO);
        let pieces = PerSide { black: 3, white: 9 };
        let untimed = |decisions| GameStart { decisions, first: Side::White, pieces, is_timed: false };
        let by_time = untimed(&[DrawDecision::Time, DrawDecision::Pieces]);
        assert_eq!(decide_draw(&Draw::Blocked, clocks, by_time), DrawAward::NoClock);
        let more = DrawAward::Pieces { winner: Side::White, pieces: 9, against: 3 };
        let by_pieces = untimed(&[DrawDecision::Pieces]);
        assert_eq!(decide_draw(&Draw::Blocked, clocks, by_pieces), more);
    }
}
