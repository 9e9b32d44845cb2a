//! Chooses the minimax agent's depth from its remaining time. [`super::Plays`] uses it unless a game overrides it.
//!
//! A whole game must never use up the play time. Each depth is used only while very many moves of that depth still fit
//! into the remaining time.

use referee_time::CpuTime;

use super::Depth;

/// Above this, there is plenty of time.
const PLENTY: CpuTime = CpuTime::from_secs(50);
/// Below this, time is scarce.
const SCARCE: CpuTime = CpuTime::from_secs(3);

/// The depth for the next move, from the agent's remaining time.
///
/// Depth 3 above 50 s, depth 1 below 3 s, otherwise depth 2: the example in the handout of Spring 2024 (RULES.md
/// section 4).
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
    use crate::builtin::Plays;
    use crate::checkers::Checkers;
    use crate::halma::Halma;

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
