//! The crosstable: who has scored what against whom. Standings and ratings are computed from it alone; it reads no
//! records itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Tally;
use referee_games::Side;
use referee_records::GameSummary;

/// The games of two agents in which the same one had the first turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstAgainstSecond {
    /// Won by the agent that moved first.
    pub first_won: u32,
    /// True draws.
    pub drawn: u32,
    /// Won by the agent that moved second.
    pub second_won: u32,
}

impl FirstAgainstSecond {
    /// All games.
    pub const fn games(self) -> u32 {
        self.first_won + self.drawn + self.second_won
    }

    /// The points of the agent that moved first, doubled.
    pub const fn first_half_points(self) -> u32 {
        2 * self.first_won + self.drawn
    }
}

/// The results of one agent against another, with either moving first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadToHead {
    /// Won by the agent.
    pub won: u32,
    /// True draws.
    pub drawn: u32,
    /// Won by the opponent.
    pub lost: u32,
}

impl HeadToHead {
    /// All games.
    pub const fn games(self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The points of the agent, doubled.
    pub const fn half_points(self) -> u32 {
        2 * self.won + self.drawn
    }

    /// By points: 0, 1/2, 1.
    pub(in crate::tournament) const fn by_points(self) -> [u32; 3] {
        [self.lost, self.drawn, self.won]
    }

    /// Adds a game worth this many half points, 0 to 2.
    pub(in crate::tournament) const fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.lost += 1,
            1 => self.drawn += 1,
            _ => self.won += 1,
        }
    }
}

/// The results of a competition, per pair of agents.
///
/// Games are added one at a time and not stored, so memory depends on the number of agents only. Agents have indices;
/// apart from these, no result depends on the order in which games or agents were added.
#[derive(Clone, Debug, Default)]
pub struct Crosstable {
    names: Vec<String>,
    indices: BTreeMap<String, usize>,
    tallies: Vec<Tally>,
    /// Row: the agent that moved first; column: the other.
    encounters: Vec<Vec<FirstAgainstSecond>>,
}

impl Crosstable {
    /// A table without games. Agents not named here join with their first game.
    pub fn new<'a>(participants: impl IntoIterator<Item = &'a str>) -> Self {
        let mut table = Self::default();
        for name in participants {
            table.index_or_join(name);
        }
        table
    }

    /// A table of `games` among `participants`.
    pub fn of<'a>(
        participants: impl IntoIterator<Item = &'a str>,
        games: impl IntoIterator<Item = &'a GameSummary>,
    ) -> Self {
        let mut table = Self::new(participants);
        for game in games {
            table.add(game);
        }
        table
    }

    /// Adds a finished game.
    pub fn add(&mut self, game: &GameSummary) {
        let first = self.index_or_join(game.first_player());
        let second = self.index_or_join(game.follower());
        self.tallies[first].add(game, game.first);
        self.tallies[second].add(game, game.first.other());
        let encounter = &mut self.encounters[first][second];
        match game.winner() {
            None => encounter.drawn += 1,
            Some(winner) if winner == game.first => encounter.first_won += 1,
            Some(Side::Black | Side::White) => encounter.second_won += 1,
        }
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no agents.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names of all agents, by their indices.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The index of the agent called `name`.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.indices.get(name).copied()
    }

    /// The indices of all agents in the order of their names.
    pub fn by_name(&self) -> impl Iterator<Item = usize> {
        self.indices.values().copied()
    }

    /// The tally of the agent at `index`.
    pub fn tally(&self, index: usize) -> &Tally {
        &self.tallies[index]
    }

    /// The games of two agents in which `first` moved first.
    pub fn encounter(&self, first: usize, second: usize) -> FirstAgainstSecond {
        self.encounters[first][second]
    }

    /// The results of `one` against `other`, with either moving first.
    pub fn head_to_head(&self, one: usize, other: usize) -> HeadToHead {
        let (begun, followed) = (self.encounter(one, other), self.encounter(other, one));
        HeadToHead {
            won: begun.first_won + followed.second_won,
            drawn: begun.drawn + followed.drawn,
            lost: begun.second_won + followed.first_won,
        }
    }

    /// All games, from the view of the side that moved first.
    pub fn first_against_second(&self) -> FirstAgainstSecond {
        let all = self.encounters.iter().flatten();
        all.fold(FirstAgainstSecond::default(), |sum, encounter| FirstAgainstSecond {
            first_won: sum.first_won + encounter.first_won,
            drawn: sum.drawn + encounter.drawn,
            second_won: sum.second_won + encounter.second_won,
        })
    }

    fn index_or_join(&mut self, name: &str) -> usize {
        if let Some(index) = self.index(name) {
            return index;
        }
        let index = self.names.len();
        self.names.push(name.to_owned());
        self.indices.insert(name.to_owned(), index);
        self.tallies.push(Tally::default());
        for row in &mut self.encounters {
            row.push(FirstAgainstSecond::default());
        }
        self.encounters.push(vec![FirstAgainstSecond::default(); index + 1]);
        index
    }
}
