//! How far the minimax agent looks ahead with the time that it has left.
//!
//! What must always hold: a whole game never uses up the play time. That is so because each depth is only used while
//! very many moves of that depth would still fit into what is left.

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
pub fn depth_for(own: CpuTime) -> Depth {
    if own > PLENTY {
        Depth::THREE
    } else if own >= SCARCE {
        Depth::TWO
    } else {
        Depth::ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::builtin::Plays;
    use crate::games::checkers::Checkers;
    use crate::games::halma::Halma;

    #[test]
    fn the_depth_falls_with_the_time_left() {
        let table = [
            (300_000, [3, 2]),
            (50_001, [3, 2]),
            (50_000, [2, 2]),
            (3_000, [2, 2]),
            (2_999, [1, 1]),
            (500, [1, 1]),
            (1, [1, 1]),
        ];
        for (millis, plies) in table {
            let own = CpuTime::from_millis(millis);
            let depths = [Checkers::depth_for(own), Halma::depth_for(own)];
            assert_eq!(depths.map(Depth::plies), plies, "{own}");
        }
    }
}
