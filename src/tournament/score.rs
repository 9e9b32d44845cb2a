//! The score of two or more agents, from game records alone.

use std::collections::BTreeMap;

use crate::games::Side;
use crate::records::{Decided, GameRecord, Verdict};

/// The results of one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won in any way.
    pub won: u32,
    /// True draws: nobody won.
    pub drawn: u32,
    /// Games lost in any way.
    pub lost: u32,
    /// How many of the games won were draws on the board, given to it by remaining time or by the second move.
    pub won_level: u32,
    /// How many of the games lost were lost by a fault of its own and not on the board.
    pub forfeited: u32,
}

impl Tally {
    /// All games.
    pub const fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// One point a win, half a point a draw, counted in half points so that it stays exact.
    pub const fn half_points(&self) -> u32 {
        2 * self.won + self.drawn
    }
}

/// The tallies of all agents by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// One tally for each agent that has finished a game.
    pub tallies: BTreeMap<String, Tally>,
}

impl Score {
    /// Adds a finished game.
    pub fn add(&mut self, record: &GameRecord) {
        for side in Side::BOTH {
            let tally = self.tallies.entry(record.players.of(side).name.clone()).or_default();
            count(tally, side, &record.verdict);
        }
    }

    /// The tally of `name`; all zero where it has finished no game.
    pub fn of(&self, name: &str) -> Tally {
        self.tallies.get(name).copied().unwrap_or_default()
    }
}

fn count(tally: &mut Tally, side: Side, verdict: &Verdict) {
    let won = verdict.winner() == Some(side);
    match verdict.winner() {
        None => tally.drawn += 1,
        Some(_) if won => tally.won += 1,
        Some(_) => tally.lost += 1,
    }
    match verdict {
        Verdict::Drawn {
            decided: Decided::Time { .. } | Decided::SecondMove { .. },
            ..
        } => {
            tally.won_level += u32::from(won);
        }
        Verdict::Forfeit { .. } => tally.forfeited += u32::from(!won),
        Verdict::Won { .. }
        | Verdict::Drawn {
            decided: Decided::Nobody,
            ..
        } => {}
    }
}
