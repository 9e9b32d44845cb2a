//! One agent's results, and where its time went.

use super::discretion::Cast;
use super::view::{Against, Agent, Rating, Spread};
use crate::games::Side;
use crate::protocol::plain;
use crate::records::{GameRecord, Manifest, Role, TurnRecord};
use crate::tournament::{Ratings, Standing, Standings};

/// The most moves of a game of which a mean is kept.
const MOST_MOVES: usize = 200;

/// What one agent was charged for its moves in all its games.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeUse {
    charges: Vec<u64>,
    /// The sum and the number of the charges for the first move of a game, the second, ...
    by_move: Vec<(u64, u64)>,
}

impl TimeUse {
    /// Adds the game of `record`, in which the agent played `side`.
    pub(super) fn add(&mut self, record: &GameRecord, side: Side) {
        let is_run = |turn: &&TurnRecord| turn.side() == side && !turn.is_pass();
        for (index, turn) in record.turns.iter().filter(is_run).enumerate() {
            let charged = turn.charged().micros();
            self.charges.push(charged);
            if index < MOST_MOVES {
                if index == self.by_move.len() {
                    self.by_move.push((0, 0));
                }
                let (sum, count) = &mut self.by_move[index];
                *sum += charged;
                *count += 1;
            }
        }
    }

    fn means(&self) -> Vec<u64> {
        self.by_move.iter().map(|(sum, count)| sum / count.max(&1)).collect()
    }
}

impl Spread {
    /// The spread of `numbers`; `None` where there are none.
    pub(super) fn of(numbers: &[u64]) -> Option<Self> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        // The nearest rank: always one of the numbers.
        let at = |percent: usize| sorted[(last * percent + 50) / 100];
        Some(Self {
            count: sorted.len(),
            least: sorted[0],
            quarter: at(25),
            median: at(50),
            three_quarters: at(75),
            most_but_5_percent: at(95),
            most: sorted[last],
        })
    }
}

/// All agents in the order of `standings`; `times` are in that order, too.
pub(super) fn agents(
    manifest: &Manifest,
    standings: &Standings,
    ratings: &Ratings,
    times: &[TimeUse],
    cast: &Cast,
) -> Vec<Agent> {
    let agents = standings.agents.iter().zip(times);
    agents
        .map(|(standing, time)| agent(manifest, standing, ratings, time, cast))
        .collect()
}

fn agent(manifest: &Manifest, standing: &Standing, ratings: &Ratings, time: &TimeUse, cast: &Cast) -> Agent {
    let recorded = manifest.agents.iter().find(|agent| agent.name == standing.name);
    let strength = ratings.of(&standing.name).map(|rating| rating.strength);
    let estimate = strength.and_then(|strength| strength.estimate());
    let role = recorded.and_then(|agent| match agent.role {
        Role::Entrant => None,
        Role::Reference => Some("reference"),
        Role::Withdrawn => Some("withdrawn"),
    });
    let remarks = recorded
        .filter(|_| !cast.is_discreet())
        .map(|agent| agent.remarks.iter().map(|remark| plain(remark)).collect());
    let tally = &standing.tally;
    Agent {
        name: cast.name(&standing.name),
        role,
        rank: format!("{}{}", standing.rank, if standing.shared { "=" } else { "" }),
        points: standing.points,
        games: tally.games(),
        won: tally.won.total(),
        drawn: tally.drawn,
        lost: tally.lost.total(),
        forfeits: tally.forfeits.clone(),
        close_calls: tally.close_calls,
        rating: estimate.map(|estimate| Rating {
            elo: estimate.elo,
            low: estimate.interval.low,
            high: estimate.interval.high,
        }),
        unrated: strength.and_then(|strength| strength.reason()),
        against: against(standing),
        cpu_us: Spread::of(&time.charges),
        cpu_us_by_move: time.means(),
        remarks: remarks.unwrap_or_default(),
    }
}

fn against(standing: &Standing) -> Vec<Against> {
    let met = standing
        .against
        .iter()
        .enumerate()
        .filter(|(_, results)| results.games() > 0);
    met.map(|(agent, results)| Against {
        agent,
        won: results.won,
        drawn: results.drawn,
        lost: results.lost,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_made_of_the_numbers_themselves() {
        assert_eq!(Spread::of(&[]), None);
        let numbers: Vec<u64> = (0..=100).rev().collect();
        let spread = Spread::of(&numbers).unwrap();
        assert_eq!((spread.least, spread.quarter, spread.median), (0, 25, 50));
        assert_eq!(
            (spread.three_quarters, spread.most_but_5_percent, spread.most),
            (75, 95, 100)
        );
        assert_eq!(Spread::of(&[7]).unwrap().median, 7);
    }
}
