//! A sequential test that reads results in planned order, for a match that stops once its question is answered.
//!
//! The answer is that of the shortest prefix of the planned pairs that decides. It does not choose or schedule games;
//! `runs` does and calls it. The answer must depend only on the results, never on the order in which games end: a
//! pair that finishes before an earlier one waits for it, since otherwise quick games, which may be losses, would be
//! counted first. Games after the deciding pair must change nothing.

use super::{MatchCounts, Sprt, SprtDecision, SprtState, half_points_of, pairs_of};
use referee_records::{GameSummary, Pairing};

/// A sequential test of two agents in progress.
///
/// ```
/// # use referee_games::GameRef;
/// # use referee_records::GameSummary;
/// # use referee_matches::tournament::{SprtDecision, SequentialTest, Sprt, encounter};
/// let planned = encounter(referee_games::checkers::ID, "new", "old", 100);
/// let sprt: Sprt = "elo0=0,elo1=50".parse().unwrap();
/// let mut test = SequentialTest::new(sprt, ["new", "old"], &planned);
/// let no_record = |_: &str| Ok::<Option<GameSummary>, std::io::Error>(None);
/// test.update(no_record).unwrap();
/// assert_eq!(test.state().decision, SprtDecision::Continue);
/// assert!(test.counted().is_empty());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SequentialTest {
    sprt: Sprt,
    players: [String; 2],
    pairs: Vec<[String; 2]>,
    counted: usize,
    counts: MatchCounts,
}

impl SequentialTest {
    /// The test of `sprt` on the first of `players` against the second, with the pairs of the games `planned`.
    pub fn new(sprt: Sprt, players: [&str; 2], planned: &[Pairing]) -> Self {
        let [one, other] = players;
        let pairs = pairs_of(planned, one, other).into_iter();
        Self {
            sprt,
            players: players.map(str::to_owned),
            pairs: pairs.map(|pair| pair.map(str::to_owned)).collect(),
            counted: 0,
            counts: MatchCounts { paired: true, ..MatchCounts::default() },
        }
    }

    /// Counts the following pairs, up to an unfinished one or the deciding one. `finished` finds a game by name; `None`
    /// is an unfinished game.
    ///
    /// # Errors
    ///
    /// Those of `finished`; the pair is then not counted.
    pub fn update<E>(&mut self, mut finished: impl FnMut(&str) -> Result<Option<GameSummary>, E>) -> Result<(), E> {
        while let Some([first, second]) = self.awaited() {
            let (Some(first), Some(second)) = (finished(first)?, finished(second)?) else {
                return Ok(());
            };
            let points = [first, second].map(|game| half_points_of(&self.players[0], &game));
            for half_points in points {
                self.counts.games.add(half_points);
            }
            self.counts.pairs.add(points[0] + points[1]);
            self.counted += 1;
        }
        Ok(())
    }

    /// The agents: the one that may be stronger, and the other.
    pub fn players(&self) -> [&str; 2] {
        [&self.players[0], &self.players[1]]
    }

    /// The hypotheses.
    pub const fn sprt(&self) -> Sprt {
        self.sprt
    }

    /// The current state.
    pub fn state(&self) -> SprtState {
        self.sprt.state(&self.counts)
    }

    /// The counted results.
    pub const fn counts(&self) -> MatchCounts {
        self.counts
    }

    /// The counted games, pair by pair.
    pub fn counted(&self) -> &[[String; 2]] {
        &self.pairs[..self.counted]
    }

    /// Whether the question is answered, so that no more games are needed.
    pub fn is_decided(&self) -> bool {
        self.state().decision != SprtDecision::Continue
    }

    /// The pair that the test waits for; `None` if it is decided or no pair is left.
    fn awaited(&self) -> Option<[&str; 2]> {
        let [first, second] = self.pairs.get(self.counted).filter(|_| !self.is_decided())?;
        Some([first, second])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;
    use crate::tournament::encounter;
    use referee_games::Side;
    use referee_records::{Outcome, PerSide};

    /// Records of games of "a" against "b" with these half points for "a".
    fn records(planned: &[Pairing], results: &[usize]) -> BTreeMap<String, GameSummary> {
        let games = planned.iter().zip(results);
        let record = |(game, half_points): (&Pairing, &usize)| {
            let side = if game.black == "a" { Side::Black } else { Side::White };
            let outcome = match half_points {
                0 => Outcome::Board { winner: side.other() },
                1 => Outcome::Drawn,
                _ => Outcome::Board { winner: side },
            };
            let players = PerSide::from_fn(|side| game.name(side).to_owned());
            let summary = GameSummary::of_result(game.id.clone(), players, game.first, outcome);
            (game.id.clone(), summary)
        };
        games.map(record).collect()
    }

    fn update(test: &mut SequentialTest, records: &BTreeMap<String, GameSummary>) {
        let done = test.update(|id| Ok::<_, Infallible>(records.get(id).cloned()));
        let Ok(()) = done;
    }

    fn planned() -> Vec<Pairing> {
        encounter(referee_games::checkers::ID, "a", "b", 60)
    }

    fn test(planned: &[Pairing]) -> SequentialTest {
        let sprt = "elo0=-40,elo1=40,alpha=0.2,beta=0.2".parse().unwrap();
        SequentialTest::new(sprt, ["a", "b"], planned)
    }

    proptest! {
        #[test]
        fn the_order_in_which_games_end_changes_nothing(
            results in proptest::collection::vec(0..3_usize, 60),
            order in Just((0..60).collect::<Vec<usize>>()).prop_shuffle(),
        ) {
            let planned = planned();
            let all = records(&planned, &results);
            let mut at_once = test(&planned);
            update(&mut at_once, &all);
            let (mut by_and_by, mut arrived) = (test(&planned), BTreeMap::new());
            for index in order {
                let id = &planned[index].id;
                arrived.insert(id.clone(), all[id].clone());
                update(&mut by_and_by, &arrived);
            }
            prop_assert_eq!(&by_and_by, &at_once);
            // The shortest prefix decides: one pair less does not.
            let counted = at_once.counted().len();
            let mut before = test(&planned);
            update(&mut before, &records(&planned, &results[..2 * (counted - 1)]));
            prop_assert!(!before.is_decided());
            prop_assert!(at_once.is_decided() || counted == 30);
        }

        #[test]
        fn the_counts_are_those_of_a_match_of_the_games_counted(results in proptest::collection::vec(0..3_usize, 60)) {
            let planned = planned();
            let all = records(&planned, &results);
            let mut test = test(&planned);
            update(&mut test, &all);
            let counted: Vec<&String> = test.counted().iter().flatten().collect();
            let games = all.values().filter(|game| counted.contains(&&game.id));
            prop_assert_eq!(test.counts(), MatchCounts::of("a", "b", &planned, games));
        }
    }
}
