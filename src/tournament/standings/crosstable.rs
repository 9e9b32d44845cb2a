//! Who has scored what against whom: the sum of a competition's games, from which everything else is computed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Tally;
use crate::games::Side;
use crate::records::GameSummary;

/// The games of two agents of which one had the first turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstAgainstSecond {
    /// Won by the one that moved first.
    pub first_won: u32,
    /// True draws.
    pub drawn: u32,
    /// Won by the one that moved second.
    pub second_won: u32,
}

impl FirstAgainstSecond {
    /// All games.
    pub const fn games(self) -> u32 {
        self.first_won + self.drawn + self.second_won
    }

    /// The points of the one that moved first, doubled.
    pub const fn first_half_points(self) -> u32 {
        2 * self.first_won + self.drawn
    }
}

/// The results of one agent against another, whoever moved first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadToHead {
    /// Won by the one.
    pub won: u32,
    /// True draws.
    pub drawn: u32,
    /// Won by the other.
    pub lost: u32,
}

impl HeadToHead {
    /// All games.
    pub const fn games(self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The points of the one, doubled.
    pub const fn half_points(self) -> u32 {
        2 * self.won + self.drawn
    }
}

/// The results of a competition, each pair of agents by itself.
///
/// Games are added one at a time and forgotten: it takes room for the agents and their pairs, not for the games.
/// Agents are known by an index; no result depends on the order in which games or agents were added, except the
/// indices.
#[derive(Clone, Debug, Default)]
pub struct Crosstable {
    names: Vec<String>,
    indices: BTreeMap<String, usize>,
    tallies: Vec<Tally>,
    /// Row by the one that moved first, column by the other.
    encounters: Vec<Vec<FirstAgainstSecond>>,
}

impl Crosstable {
    /// A table without games. Agents that are not named here join it with their first game.
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
        let first = self.index_or_join(game.beginner());
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

    /// How many agents there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there is no agent at all.
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

    /// The results of the agent at `index`.
    pub fn tally(&self, index: usize) -> &Tally {
        &self.tallies[index]
    }

    /// The games of two agents in which `first` had the first turn.
    pub fn encounter(&self, first: usize, second: usize) -> FirstAgainstSecond {
        self.encounters[first][second]
    }

    /// The results of `one` against `other`, whoever moved first.
    pub fn head_to_head(&self, one: usize, other: usize) -> HeadToHead {
        let (begun, followed) = (self.encounter(one, other), self.encounter(other, one));
        HeadToHead {
            won: begun.first_won + followed.second_won,
            drawn: begun.drawn + followed.drawn,
            lost: begun.second_won + followed.first_won,
        }
    }

    /// All games, seen from the side that moved first.
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
