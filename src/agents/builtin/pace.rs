//! How far the minimax agent looks ahead with the time that it has left.
//!
//! What must always hold: a whole game never uses up the play time. That is so because each depth is only used while
//! very many moves of that depth would still fit into what is left.

use crate::games::GameId;
use crate::time::CpuTime;

use super::Depth;

/// More time than this is plenty.
const PLENTY: CpuTime = CpuTime::from_secs(50);
/// Less time than this is scarce.
const SCARCE: CpuTime = CpuTime::from_secs(3);

/// The depth for the next move, chosen afresh on every move from the time left to the agent.
///
/// Depth 3 with more than 50 s left, depth 1 with less than 3 s, otherwise depth 2: the example of the handout of
/// Spring 2024 (RULES.md section 4).
///
/// Halma never gets depth 3. With up to 240 moves a side, three plies were measured at 0.2 s a move and at 1 s at worst, which is
/// no danger to the clock, but half a minute for each of the thousands of games that a class is graded with;
/// two plies take 2 ms and 5 ms at worst, a second for a whole game.
pub fn depth_for(game: GameId, own: CpuTime) -> Depth {
    let [plenty, between, scarce] = match game {
        GameId::Checkers | GameId::DuoOthello | GameId::StarCircle => [Depth::THREE, Depth::TWO, Depth::ONE],
        GameId::Halma(_) => [Depth::TWO, Depth::TWO, Depth::ONE],
    };
    if own > PLENTY {
        plenty
    } else if own >= SCARCE {
        between
    } else {
        scarce
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::halma;

    #[test]
    fn the_depth_falls_with_the_time_left() {
        let table = [
            (300_000, [3, 3, 2]),
            (50_001, [3, 3, 2]),
            (50_000, [2, 2, 2]),
            (3_000, [2, 2, 2]),
            (2_999, [1, 1, 1]),
            (500, [1, 1, 1]),
            (1, [1, 1, 1]),
        ];
        let games = [
            GameId::Checkers,
            GameId::DuoOthello,
            GameId::Halma(halma::Rules::default()),
        ];
        for (millis, plies) in table {
            let own = CpuTime::from_millis(millis);
            assert_eq!(games.map(|game| depth_for(game, own).plies()), plies, "{own}");
        }
    }
}
