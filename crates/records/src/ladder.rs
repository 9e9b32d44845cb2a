//! The names of a ladder's games. Plain data; `matches` plans the games, and the folder of a run finds them.
//!
//! A ladder does not list its games beforehand. The name of a game says who plays it, so the folder of the records is
//! the list: `g000017-3-12a` is the first game of the pair with the sequence number 17, between the agents 3 and 12 of
//! the manifest, and `g000017-3-12b` the second, with the first move exchanged. The names of games that were asked for
//! begin with `x`; these count for no rating.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{AgentRecord, Manifest, Pairing};
use referee_games::{GameRef, Side};

/// Two games of a ladder between the same agents, from either side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LadderPair {
    /// Counted from 1 in the order of planning. Two machines that plan at the same moment may give one number twice.
    /// Pairs that were asked for have numbers of their own.
    pub sequence: u32,
    /// The agents, as their indices in the manifest; the first has the first turn in the first game.
    pub agents: [u32; 2],
    /// Whether it counts for ratings.
    pub rated: bool,
}

/// A pair that a participant has asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LadderRequest {
    /// The version of this format, [`SCHEMA`](super::SCHEMA).
    pub schema: u32,
    /// The pair, unrated.
    #[serde(skip)]
    pub pair: LadderPair,
    /// Who has asked.
    pub participant: String,
    /// When, in seconds since 1970.
    pub asked_unix_s: u64,
}

/// One game of a pair; in a file, its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LadderGame {
    /// The pair.
    pub pair: LadderPair,
    /// Whether it is the second game.
    pub second: bool,
}

impl LadderPair {
    /// Its games.
    pub fn games(self) -> [LadderGame; 2] {
        [false, true].map(|second| LadderGame { pair: self, second })
    }

    /// Whether the agent with this index plays.
    pub fn has(self, agent: u32) -> bool {
        self.agents.contains(&agent)
    }

    /// The opponent of the agent with this index; `None` if it does not play.
    pub fn opponent_of(self, agent: u32) -> Option<u32> {
        let [one, other] = self.agents;
        if agent == one { Some(other) } else { (agent == other).then_some(one) }
    }
}

impl LadderGame {
    /// The game with its agents, without an opening; `None` if `manifest` has no such agents.
    pub fn pairing(self, manifest: &Manifest) -> Option<Pairing> {
        let agent = |index: u32| manifest.agents.get(usize::try_from(index).ok()?);
        let [a, b]: [&AgentRecord; 2] = [agent(self.pair.agents[0])?, agent(self.pair.agents[1])?];
        // Where either colour may begin, the pairs take turns.
        let index = 2 * u64::from(self.pair.sequence) + u64::from(self.second);
        Some(Pairing::of_encounter(manifest.game, [&a.name, &b.name], index, self.to_string()))
    }
}

impl Pairing {
    /// The game of an encounter with this number, from 0: `a` has the first turn in the even ones, `b` in the others;
    /// where either colour may begin, every four games cover all four combinations.
    pub fn of_encounter(game: GameRef, [a, b]: [&str; 2], index: u64, id: String) -> Self {
        let (first_player, follower) = if index.is_multiple_of(2) { (a, b) } else { (b, a) };
        let first = game.profile().first_turn.drawn_by(index / 2);
        let (black, white) = match first {
            Side::Black => (first_player, follower),
            Side::White => (follower, first_player),
        };
        Self { id, black: black.to_owned(), white: white.to_owned(), first, play_time: None, start: None }
    }
}

impl fmt::Display for LadderGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LadderPair { sequence, agents: [one, other], rated } = self.pair;
        let kind = if rated { 'g' } else { 'x' };
        write!(f, "{kind}{sequence:06}-{one}-{other}{}", if self.second { 'b' } else { 'a' })
    }
}

impl From<LadderGame> for String {
    fn from(game: LadderGame) -> Self {
        game.to_string()
    }
}

impl TryFrom<String> for LadderGame {
    type Error = NotALadderGame;

    fn try_from(name: String) -> Result<Self, NotALadderGame> {
        name.parse()
    }
}

/// A name that is not that of a ladder's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not the name of a ladder's game")]
pub struct NotALadderGame;

impl FromStr for LadderGame {
    type Err = NotALadderGame;

    fn from_str(text: &str) -> Result<Self, NotALadderGame> {
        let parsed = || {
            let (rated, second) = (text.starts_with('g'), text.ends_with('b'));
            let rest = text.strip_prefix(['g', 'x'])?.strip_suffix(['a', 'b'])?;
            let mut numbers = rest.split('-').map(|number| number.parse::<u32>().ok());
            let (sequence, one, other) = (numbers.next()??, numbers.next()??, numbers.next()??);
            let game = Self { pair: LadderPair { sequence, agents: [one, other], rated }, second };
            // A game has one name only.
            (numbers.next().is_none() && game.to_string() == text).then_some(game)
        };
        parsed().ok_or(NotALadderGame)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_game_is_found_by_its_name(sequence: u32, one: u32, other: u32, rated: bool, second: bool) {
            let game = LadderGame { pair: LadderPair { sequence, agents: [one, other], rated }, second };
            prop_assert_eq!(game.to_string().parse(), Ok(game));
        }

        #[test]
        fn no_other_name_is_one(name in "[gx]?[0-9]{0,7}-?[0-9+]{0,3}-?[0-9]{0,3}[ab]?") {
            if let Ok(game) = name.parse::<LadderGame>() {
                prop_assert_eq!(game.to_string(), name);
            }
        }
    }

    #[test]
    fn the_names_of_games_are_stable() {
        let pair = LadderPair { sequence: 17, agents: [3, 12], rated: true };
        assert_eq!(pair.games().map(|game| game.to_string()), ["g000017-3-12a", "g000017-3-12b"]);
        let asked_for = LadderPair { rated: false, ..pair };
        assert_eq!(asked_for.games()[0].to_string(), "x000017-3-12a");
        for name in
            ["g17-3-12a", "g000017-3-12", "g000017-3-12c", "g0001", "", "é", "g000017-03-12a", "g000017-3-12-1a"]
        {
            assert_eq!(name.parse::<LadderGame>(), Err(NotALadderGame), "{name}");
        }
    }
}
