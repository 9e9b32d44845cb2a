//! The results of one agent, counted. The crosstable fills it; tables and gradebooks show it.

use std::collections::BTreeMap;

use serde::Serialize;

use referee_games::Side;
use referee_records::{FaultKind, GameSummary, Outcome};
use referee_time::CpuTime;

/// The numbers of games won or lost, by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EndCounts {
    /// On the board.
    pub board: u32,
    /// Draws on the board, awarded to the side with more time left.
    pub time: u32,
    /// Draws on the board and in time, awarded to the side that moved second.
    pub second_move: u32,
    /// Draws on the board and in time, awarded to the side with more pieces.
    pub pieces: u32,
    /// By a fault of the loser.
    pub forfeit: u32,
}

impl EndCounts {
    /// All of them.
    pub const fn total(&self) -> u32 {
        self.board + self.drawn() + self.forfeit
    }

    /// Those drawn on the board.
    pub const fn drawn(&self) -> u32 {
        self.time + self.second_move + self.pieces
    }
}

/// The results of one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub won: EndCounts,
    /// True draws.
    pub drawn: u32,
    /// Games lost.
    pub lost: EndCounts,
    /// Its own forfeits by their kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub forfeits: BTreeMap<FaultKind, u32>,
    /// Games in which it had the first turn.
    pub moved_first: u32,
    /// Games in which it had the black pieces.
    pub played_black: u32,
    /// Its games whose result depends on how time is measured.
    pub close_calls: u32,
    /// Its draws on the board that were decided by less CPU time than the noise.
    pub within_noise: u32,
    /// Its moves, an illegal answer included: its turns without passes.
    pub moves: u32,
    /// The sum of its charges.
    #[serde(rename = "charged_cpu_us")]
    pub charged: CpuTime,
    /// Its highest charge in one game.
    #[serde(rename = "most_charged_cpu_us")]
    pub most_charged: CpuTime,
}

impl Tally {
    /// All games.
    pub const fn games(&self) -> u32 {
        self.won.total() + self.drawn + self.lost.total()
    }

    /// One point a win, half a point a draw, doubled to stay exact.
    pub const fn half_points(&self) -> u32 {
        2 * self.won.total() + self.drawn
    }

    /// Its average charge per game.
    pub fn charged_per_game(&self) -> CpuTime {
        let games = u64::from(self.games().max(1));
        CpuTime::from_micros(self.charged.micros() / games)
    }

    /// Its average charge per move.
    pub fn charged_per_move(&self) -> CpuTime {
        CpuTime::from_micros(self.charged.micros() / u64::from(self.moves.max(1)))
    }

    /// Adds a game that it played as `side`.
    pub fn add(&mut self, game: &GameSummary, side: Side) {
        let charged = *game.totals.charged.of(side);
        self.moves += game.totals.moves.of(side);
        self.charged += charged;
        self.most_charged = self.most_charged.max(charged);
        self.moved_first += u32::from(game.first == side);
        self.played_black += u32::from(side == Side::Black);
        self.close_calls += u32::from(game.close_call);
        self.within_noise += u32::from(game.within_noise);
        let ways = match game.winner() {
            None => {
                self.drawn += 1;
                return;
            }
            Some(winner) if winner == side => &mut self.won,
            Some(_) => &mut self.lost,
        };
        match game.outcome {
            Outcome::Board { .. } => ways.board += 1,
            Outcome::DrawnByTime { .. } => ways.time += 1,
            Outcome::DrawnBySecondMove { .. } => ways.second_move += 1,
            Outcome::DrawnByPieces { .. } => ways.pieces += 1,
            Outcome::Drawn => {}
            Outcome::Forfeit { loser, fault } => {
                ways.forfeit += 1;
                if loser == side {
                    *self.forfeits.entry(fault).or_default() += 1;
                }
            }
        }
    }
}
