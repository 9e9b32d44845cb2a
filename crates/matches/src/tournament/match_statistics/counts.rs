//! Counts results: of single games, and of pairs of games with the agents exchanged. It draws no conclusions; its
//! parent module does.

use serde::{Deserialize, Serialize};

use referee_records::Pairing;

/// The numbers of pairs of games worth 0, 1/2, 1, 3/2 and 2 points: LL, LD, DD or WL, WD, WW.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u32; 5]);

impl Pentanomial {
    /// All pairs.
    pub const fn pairs(self) -> u32 {
        let [ll, ld, even, wd, ww] = self.0;
        ll + ld + even + wd + ww
    }

    /// Adds a pair worth this many half points, 0 to 4.
    pub(super) const fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }
}

/// The pairs among the games of `one` against `other`: two consecutive games with the same side to begin and the agents
/// exchanged. Other games are in no pair.
pub(super) fn pairs_of<'a>(planned: &'a [Pairing], one: &str, other: &str) -> Vec<[&'a str; 2]> {
    let between = |pairing: &&Pairing| {
        let names = [pairing.black.as_str(), pairing.white.as_str()];
        names == [one, other] || names == [other, one]
    };
    let mut games = planned.iter().filter(between).peekable();
    let mut pairs = Vec::new();
    while let Some(game) = games.next() {
        let exchanged = |next: &&Pairing| next.black == game.white && next.first == game.first;
        if let Some(next) = games.next_if(exchanged) {
            pairs.push([game.id.as_str(), next.id.as_str()]);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::encounter;

    #[test]
    fn games_of_others_do_not_part_a_pair() {
        let mut planned = encounter(referee_games::checkers::ID, "a", "b", 2);
        let mut stranger = encounter(referee_games::checkers::ID, "a", "c", 1);
        stranger[0].id = "x".to_owned();
        planned.insert(1, stranger.remove(0));
        assert_eq!(pairs_of(&planned, "a", "b"), [["g0001", "g0002"]]);
        assert!(pairs_of(&planned, "a", "c").is_empty());
    }
}
