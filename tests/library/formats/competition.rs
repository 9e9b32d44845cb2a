//! Plays a whole competition with an oracle that knows the winners.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroU32;

use referee_games::Side;
use referee_matches::tournament::{
    CompetitionField, Conclusion, Encounter, Format, NextStep, Results, Round, derive_seed, next_rounds,
};
use referee_records::Pairing;

/// A competition that is over.
pub(crate) struct Competition {
    pub(crate) rounds: Vec<Round>,
    pub(crate) results: Results,
    pub(crate) conclusion: Conclusion,
    /// What came next, by how many rounds had been planned.
    pub(crate) steps: BTreeMap<usize, NextStep>,
}

/// More steps than any competition of these tests takes.
const MAX_STEPS: usize = 1000;

impl Competition {
    pub(crate) fn play(format: &Format, field: &CompetitionField, oracle: impl Fn(&Pairing) -> Option<Side>) -> Self {
        let (mut rounds, mut results, mut steps) = (Vec::new(), Results::new(), BTreeMap::new());
        for _ in 0..MAX_STEPS {
            let next = next_rounds(format, field, &rounds, &results);
            match &next {
                NextStep::Play(more) => {
                    assert!(!more.is_empty(), "{format:?}: nothing to be played");
                    steps.insert(rounds.len(), next.clone());
                    rounds.extend(more.iter().cloned());
                }
                NextStep::Waiting => {
                    let games = rounds.iter().flat_map(Round::games);
                    let missing: Vec<_> = games.filter(|game| !results.contains_key(&game.id)).collect();
                    assert!(!missing.is_empty(), "{format:?}: nothing to be waited for");
                    results.extend(missing.into_iter().map(|game| (game.id.clone(), oracle(game))));
                }
                NextStep::Over(conclusion) => {
                    return Self { rounds, results, conclusion: conclusion.clone(), steps };
                }
            }
        }
        panic!("{format:?} of {} does not end", field.players.len());
    }

    pub(crate) fn games(&self) -> impl Iterator<Item = &Pairing> {
        self.rounds.iter().flat_map(Round::games)
    }

    /// The rounds by their numbers, further games of tied encounters with the rest of the round.
    pub(crate) fn by_number(&self) -> BTreeMap<u32, Vec<&Round>> {
        let mut rounds: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for round in &self.rounds {
            rounds.entry(round.number).or_default().push(round);
        }
        rounds
    }

    /// How many games each of the two has won in an encounter.
    pub(crate) fn wins(&self, encounter: &Encounter) -> [usize; 2] {
        let won = |player: &String| {
            let games = encounter.games.iter();
            games.filter(|game| self.results[&game.id].is_some_and(|side| game.name(side) == player)).count()
        };
        encounter.players.each_ref().map(won)
    }

    /// Who has lost more than half of an encounter's games.
    pub(crate) fn loser<'a>(&self, encounter: &'a Encounter) -> Option<&'a str> {
        let wins = self.wins(encounter);
        let lost = (0..2).find(|&index| 2 * wins[1 - index] > encounter.games.len());
        lost.map(|index| encounter.players[index].as_str())
    }

    /// Who has won more games of an encounter than the other.
    pub(crate) fn winner<'a>(&self, encounter: &'a Encounter) -> Option<&'a str> {
        let [a, b] = self.wins(encounter);
        (a != b).then(|| encounter.players[usize::from(a < b)].as_str())
    }

    /// How many more games each player has begun than not.
    pub(crate) fn begun(&self) -> HashMap<&str, i64> {
        let mut begun = HashMap::new();
        for game in self.games() {
            *begun.entry(game.name(game.first)).or_insert(0) += 1;
            *begun.entry(game.name(game.first.other())).or_insert(0) -= 1;
        }
        begun
    }

    /// How many more games each player has had black than white.
    pub(crate) fn black(&self) -> HashMap<&str, i64> {
        let mut black = HashMap::new();
        for game in self.games() {
            *black.entry(game.black.as_str()).or_insert(0) += 1;
            *black.entry(game.white.as_str()).or_insert(0) -= 1;
        }
        black
    }

    /// Everybody who plays in a round.
    pub(crate) fn players(round: &Round) -> BTreeSet<&str> {
        let players = round.encounters.iter().flat_map(|encounter| &encounter.players);
        players.map(String::as_str).collect()
    }
}

/// The name of the player at a place; names sort as the places do.
pub(crate) fn name(place: usize) -> String {
    format!("agent {place:03}")
}

pub(crate) fn field(count: usize, games: u32, seed: u64) -> CompetitionField {
    let games = NonZeroU32::new(games).expect("two who meet play");
    CompetitionField::new(referee_games::checkers::ID, (0..count).map(name).collect(), games, seed)
}

pub(crate) fn chance(seed: u64, id: &str) -> u64 {
    derive_seed(seed, &["oracle", id])
}

/// Four games in ten to either side, two drawn.
pub(crate) fn by_chance(seed: u64) -> impl Fn(&Pairing) -> Option<Side> {
    move |game| match chance(seed, &game.id) % 10 {
        0..4 => Some(Side::Black),
        4..8 => Some(Side::White),
        _ => None,
    }
}

/// The player further ahead in the field wins.
pub(crate) fn by_strength() -> impl Fn(&Pairing) -> Option<Side> {
    |game| Some(if game.black < game.white { Side::Black } else { Side::White })
}

/// Every game is drawn.
pub(crate) fn drawn() -> impl Fn(&Pairing) -> Option<Side> {
    |_| None
}

/// Black wins every game, so that encounters of an even number of games are split.
pub(crate) fn black_wins() -> impl Fn(&Pairing) -> Option<Side> {
    |_| Some(Side::Black)
}

pub(crate) fn sorted([a, b]: &[String; 2]) -> [&str; 2] {
    if a < b { [a, b] } else { [b, a] }
}
