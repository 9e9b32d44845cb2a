//! Fabricated games for tests: who moved first, against whom, and the result.

use referee_games::Side;
use referee_records::{GameSummary, Outcome, PerSide, TurnTotals};
use referee_time::CpuTime;

/// A game in which `first`, with the black pieces, moved first against `second`.
pub(crate) fn game(id: usize, first: &str, second: &str, outcome: Outcome) -> GameSummary {
    let players = PerSide { black: first.to_owned(), white: second.to_owned() };
    GameSummary {
        totals: TurnTotals {
            moves: PerSide { black: 30, white: 30 },
            charged: PerSide { black: CpuTime::from_millis(2), white: CpuTime::from_millis(3) },
            ..TurnTotals::default()
        },
        ..GameSummary::of_result(format!("g{id:04}"), players, Side::Black, outcome)
    }
}

/// A game by its result for the one that moved first: `+`, `=` or `-`.
pub(crate) fn result(id: usize, first: &str, second: &str, result: char) -> GameSummary {
    let outcome = match result {
        '+' => Outcome::Board { winner: Side::Black },
        '-' => Outcome::Board { winner: Side::White },
        _ => Outcome::Drawn,
    };
    game(id, first, second, outcome)
}
