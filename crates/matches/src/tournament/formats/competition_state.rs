//! The course of a competition so far: the plan joined with the results.
//!
//! Answers the questions of all formats about the past, with places in the field (numbers from 0) instead of names. It
//! decides nothing itself. Nothing may depend on the order of the results. A withdrawn player must lose its unplayed
//! games.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use super::{CompetitionField, Encounter, ExtraGameStart, NextStep, Results, Round};
use crate::tournament::derive_seed;
use crate::tournament::encounter::part_of_encounter;
use referee_games::Side;
use referee_records::Pairing;

/// All games between two players in a round.
#[derive(Clone, Debug)]
pub(super) struct RoundPair {
    pub(super) round: u32,
    /// Their places in the field.
    pub(super) players: [usize; 2],
    /// The number of games that each won.
    pub(super) wins: [u32; 2],
    /// The number of planned games.
    pub(super) games: u32,
    /// The number of games neither finished nor settled by a withdrawal.
    pub(super) missing: u32,
}

impl RoundPair {
    /// The score of each, in half points.
    pub(super) fn half_points(&self) -> [u32; 2] {
        let drawn = self.games - self.missing - self.wins[0] - self.wins[1];
        self.wins.map(|won| 2 * won + drawn)
    }

    /// The player who lost more than half of the games, if any.
    pub(super) fn loser(&self) -> Option<usize> {
        let beaten = |index: usize| 2 * self.wins[1 - index] > self.games;
        (0..2).find(|&index| beaten(index)).map(|index| self.players[index])
    }
}

/// The plan and the results of a competition so far.
pub(super) struct CompetitionState<'a> {
    pub(super) field: &'a CompetitionField,
    /// In planned order.
    pub(super) meetings: Vec<RoundPair>,
    /// The round and the player of each bye.
    pub(super) byes: Vec<(u32, usize)>,
    /// How many more games each player has begun than not.
    pub(super) begun: Vec<i32>,
    /// The last round's number; 0 before the first.
    pub(super) last_round: u32,
    /// The last planned round of each player; 0 for none.
    pub(super) last_seen: Vec<u32>,
    /// The places of the first round's players, best seed first: in formats of several rounds nobody joins later.
    pub(super) participants: Vec<usize>,
    index: HashMap<(u32, [usize; 2]), usize>,
}

impl<'a> CompetitionState<'a> {
    pub(super) fn new(field: &'a CompetitionField, rounds: &[Round], results: &Results) -> Self {
        let mut state = Self {
            field,
            meetings: Vec::new(),
            byes: Vec::new(),
            begun: vec![0; field.players.len()],
            last_round: rounds.iter().map(|round| round.number).max().unwrap_or(0),
            last_seen: vec![0; field.players.len()],
            participants: Vec::new(),
            index: HashMap::new(),
        };
        let places = field.players.iter().enumerate();
        let places: HashMap<_, _> = places.map(|(place, name)| (name.as_str(), place)).collect();
        for round in rounds {
            state.add_round(round, &places, results);
        }
        state.note_last_rounds();
        state.settle_withdrawals();
        state.participants = state.find_participants();
        state
    }

    fn add_round(&mut self, round: &Round, places: &HashMap<&str, usize>, results: &Results) {
        let byes = round.byes.iter().filter_map(|name| places.get(name.as_str()));
        self.byes.extend(byes.map(|&place| (round.number, place)));
        for Encounter { players, games } in &round.encounters {
            let [Some(&a), Some(&b)] = players.each_ref().map(|name| places.get(name.as_str())) else {
                // The field lacks a player: its games cannot be counted.
                continue;
            };
            let index = self.meeting_index(round.number, [a, b]);
            for game in games {
                self.add_game(index, game, results);
            }
        }
    }

    fn meeting_index(&mut self, round: u32, players: [usize; 2]) -> usize {
        let meetings = &mut self.meetings;
        *self.index.entry((round, sorted(players))).or_insert_with(|| {
            meetings.push(RoundPair { round, players, wins: [0; 2], games: 0, missing: 0 });
            meetings.len() - 1
        })
    }

    fn add_game(&mut self, index: usize, game: &Pairing, results: &Results) {
        let meeting = &mut self.meetings[index];
        let places = meeting.players;
        let is_first = |side: Side| usize::from(game.name(side) != self.field.players[places[0]]);
        meeting.games += 1;
        match results.get(&game.id) {
            Some(Some(winner)) => meeting.wins[is_first(*winner)] += 1,
            Some(None) => {}
            None => meeting.missing += 1,
        }
        let first_player = is_first(game.first);
        self.begun[places[first_player]] += 1;
        self.begun[places[1 - first_player]] -= 1;
    }

    fn note_last_rounds(&mut self) {
        let met = self.meetings.iter().flat_map(|meeting| meeting.players.map(|place| (meeting.round, place)));
        for (round, place) in met.chain(self.byes.iter().copied()) {
            self.last_seen[place] = self.last_seen[place].max(round);
        }
    }

    /// A withdrawn player loses its unplayed games. If both withdrew and one has a match in a later round, the other
    /// had withdrawn first; so later calls decide the same.
    fn settle_withdrawals(&mut self) {
        for meeting in &mut self.meetings {
            let [a, b] = meeting.players.map(|place| (self.field.is_active(place), self.last_seen[place]));
            if a.0 && b.0 {
                continue;
            }
            let missing = std::mem::take(&mut meeting.missing);
            match a.cmp(&b) {
                Ordering::Greater => meeting.wins[0] += missing,
                Ordering::Less => meeting.wins[1] += missing,
                // Nobody wins, and no game is missing.
                Ordering::Equal => meeting.games -= missing,
            }
        }
    }

    fn find_participants(&self) -> Vec<usize> {
        if self.last_round == 0 {
            return self.field.active();
        }
        let first = self.meetings.iter().filter(|meeting| meeting.round == 1);
        let met = first.flat_map(|meeting| meeting.players);
        let byes = self.byes.iter().filter(|(round, _)| *round == 1);
        let all: BTreeSet<_> = met.chain(byes.map(|&(_, place)| place)).collect();
        all.into_iter().collect()
    }

    /// Whether a planned game is unplayed.
    pub(super) fn is_unfinished(&self) -> bool {
        self.meetings.iter().any(|meeting| meeting.missing > 0)
    }

    /// To play these rounds, or else to wait for those that were planned; `None` if all have been played.
    pub(super) fn play_or_wait(&self, rounds: Vec<Round>) -> Option<NextStep> {
        match (rounds.is_empty(), self.is_unfinished()) {
            (false, _) => Some(NextStep::Play(rounds)),
            (true, true) => Some(NextStep::Waiting),
            (true, false) => None,
        }
    }

    /// The meeting of the two in this round, if any.
    pub(super) fn meeting(&self, round: u32, players: [usize; 2]) -> Option<&RoundPair> {
        self.index.get(&(round, sorted(players))).map(|&index| &self.meetings[index])
    }

    /// The number of byes of each player.
    pub(super) fn bye_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.field.players.len()];
        for &(_, place) in &self.byes {
            counts[place] += 1;
        }
        counts
    }

    /// A new round in which each `[beginner, follower]` plays the games of a pairing, named like `r03-p007-g02`: round,
    /// pairing, game.
    pub(super) fn round(&self, number: u32, pairs: &[[usize; 2]], byes: &[usize]) -> Round {
        let games = self.field.games_per_pairing.get();
        let encounters = pairs.iter().enumerate();
        Round {
            number,
            encounters: encounters
                .map(|(index, &players)| self.encounter(&Self::pairing_name(number, index), players, 0..games))
                .collect(),
            byes: byes.iter().map(|&place| self.field.players[place].clone()).collect(),
        }
    }

    /// The name of the pairing at `index` (from 0) in a round.
    pub(super) fn pairing_name(round: u32, index: usize) -> String {
        format!("r{round:02}-p{:03}", index + 1)
    }

    /// The games at `indices` of `[beginner, follower]`, named after the pairing with `-g01` and so on.
    ///
    /// Names depend only on the plan, so replanning a pairing draws the same colours.
    pub(super) fn encounter(&self, name: &str, mut players: [usize; 2], indices: std::ops::Range<u32>) -> Encounter {
        let is_drawn = match self.field.extra_game_start {
            ExtraGameStart::Balanced => false,
            ExtraGameStart::ByLot => !indices.len().is_multiple_of(2),
        };
        if is_drawn {
            players.sort_unstable();
            let seed = derive_seed(self.field.seed, &["first move", name]);
            players.rotate_left(usize::from(!seed.is_multiple_of(2)));
        }
        let players = players.map(|place| self.field.players[place].clone());
        let [a, b] = players.each_ref().map(String::as_str);
        let games = part_of_encounter(self.field.game, [a, b], indices, |number| format!("{name}-g{number:02}"));
        Encounter { players, games }
    }

    /// [`NextStep::Play`] with a single round.
    pub(super) fn next_round(&self, number: u32, pairs: &[[usize; 2]], byes: &[usize]) -> NextStep {
        NextStep::Play(vec![self.round(number, pairs, byes)])
    }
}

pub(super) const fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

/// How often each two players have met.
pub(super) struct Meetings {
    players: usize,
    counts: Vec<u32>,
}

impl Meetings {
    pub(super) fn of(state: &CompetitionState<'_>) -> Self {
        let players = state.field.players.len();
        let mut counts = vec![0; players * players];
        for meeting in &state.meetings {
            let [a, b] = meeting.players;
            counts[a * players + b] += 1;
            counts[b * players + a] += 1;
        }
        Self { players, counts }
    }

    pub(super) fn between(&self, a: usize, b: usize) -> u32 {
        self.counts[a * self.players + b]
    }
}
