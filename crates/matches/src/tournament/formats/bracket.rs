//! A bracket: matches whose players come from seeds and from other matches.
//!
//! Single and double elimination share it: which matches are ready, walkovers, tied encounters, who is out. The shape
//! of a bracket is in [`knockout`](super::knockout) and [`double_knockout`](super::double_knockout).
//!
//! A round contains every unplayed match whose two players are known; the next round follows when all of them are
//! decided. If a match has no second player, because there are fewer players than seeds or one withdrew before it was
//! planned, the other advances without a game: a bye.
//!
//! The player with more points in an encounter wins the match. A tied encounter gets up to three more pairs of games,
//! in which each player begins one; then the better seed advances. (A draw on the board was already awarded to the side
//! with more time left, so ties are rare.)

use std::cmp::{Ordering, Reverse};

use super::competition_state::{CompetitionState, RoundPair, sorted};
use super::first_turns::assign_first_turns;
use super::{Conclusion, Encounter, NextStep, RankKey, Round};

/// How many more pairs of games a tied encounter gets at most.
const EXTRA_PAIRS: u32 = 3;

/// Who goes on from a meeting of a knockout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advance {
    /// The round of the meeting.
    pub round: u32,
    /// The player who goes on, and the other one.
    pub players: [String; 2],
    /// Whether it goes on only as the better seed, from equal points.
    pub is_by_seed: bool,
}

/// The source of a player in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BracketEntry {
    /// The player at this place in the field; `None` if there are fewer players than seeds.
    Seed(Option<usize>),
    /// The winner of the match with this number.
    WinnerOf(usize),
    /// The loser of the match with this number.
    LoserOf(usize),
}

/// A match of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BracketMatch {
    /// Played when both players are known.
    Between([BracketEntry; 2]),
    /// A rematch of that match, if its second player won it.
    Again(usize),
}

/// The result of a match; a side is `None` where no player came.
#[derive(Clone, Copy, Debug)]
struct MatchDecision {
    players: [Option<usize>; 2],
    winner: Option<usize>,
    loser: Option<usize>,
}

/// The next step in a bracket of these matches, sorted so that each follows the matches its players come from. The
/// winner of the last match wins the competition. `None` if it is over.
pub(super) fn next(state: &CompetitionState<'_>, matches: &[BracketMatch]) -> Option<NextStep> {
    let extras = extra_games(state);
    if !extras.is_empty() {
        return Some(NextStep::Play(vec![Round { number: state.last_round, encounters: extras, byes: Vec::new() }]));
    }
    let mut bracket = BracketPlan::played(state, matches);
    let byes = bracket.settle_walkovers(state.last_round + 1);
    let ready = bracket.ready(&byes);
    // If only players with a bye are left, they need not wait.
    let ready = if ready.is_empty() { bracket.ready(&[]) } else { ready };
    if ready.is_empty() {
        return None;
    }
    let is_here = |place: &usize| state.field.is_active(*place) && !ready.as_flattened().contains(place);
    let byes: Vec<_> = byes.into_iter().filter(is_here).collect();
    Some(state.next_round(state.last_round + 1, &assign_first_turns(&ready, &state.begun), &byes))
}

/// The current ranking. A player with `lives` losses is out.
pub(super) fn ranking(state: &CompetitionState<'_>, matches: &[BracketMatch], lives: u32) -> Conclusion {
    let mut bracket = BracketPlan::played(state, matches);
    if !state.is_unfinished() {
        bracket.settle_walkovers(state.last_round + 1);
    }
    bracket.ranking(lives)
}

/// Another pair of games for each tied encounter of the last round that has some left.
fn extra_games(state: &CompetitionState<'_>) -> Vec<Encounter> {
    let last = state.meetings.iter().filter(|meeting| meeting.round == state.last_round);
    let extra = last.enumerate().filter(|(_, meeting)| is_played_on(state, meeting)).map(|(index, meeting)| {
        let name = CompetitionState::pairing_name(state.last_round, index);
        state.encounter(&name, meeting.players, meeting.games..meeting.games + 2)
    });
    extra.collect()
}

/// Whether a tied encounter is due another pair of games.
fn is_played_on(state: &CompetitionState<'_>, meeting: &RoundPair) -> bool {
    let [a, b] = meeting.half_points();
    let most = state.field.games_per_pairing.get() + 2 * EXTRA_PAIRS;
    a == b && meeting.games < most && meeting.players.iter().all(|&place| state.field.is_active(place))
}

/// Who goes on from each meeting that is decided.
pub(super) fn advances(state: &CompetitionState<'_>) -> Vec<Advance> {
    let advance = |meeting: &RoundPair| {
        let winner = winner(state, meeting)?;
        let [a, b] = meeting.half_points();
        let [best, other] = sorted(meeting.players);
        let loser = if winner == best { other } else { best };
        Some(Advance {
            round: meeting.round,
            players: [winner, loser].map(|place| state.field.players[place].clone()),
            is_by_seed: a == b && winner == best,
        })
    };
    state.meetings.iter().filter_map(advance).collect()
}

/// The player who goes on from `meeting`, once it is decided.
fn winner(state: &CompetitionState<'_>, meeting: &RoundPair) -> Option<usize> {
    if meeting.missing > 0 || (meeting.round == state.last_round && is_played_on(state, meeting)) {
        return None;
    }
    let [a, b] = meeting.half_points();
    Some(match a.cmp(&b) {
        Ordering::Greater => meeting.players[0],
        Ordering::Less => meeting.players[1],
        Ordering::Equal => better(state, meeting.players),
    })
}

/// Who advances if games do not decide: the player who has not withdrawn; if both have, the one with a later planned
/// match; else the better seed.
fn better(state: &CompetitionState<'_>, players: [usize; 2]) -> usize {
    let [a, b] = players;
    let worth = |place: usize| {
        let is_active = state.field.is_active(place);
        let later = if is_active { 0 } else { state.last_seen[place] };
        (is_active, later, Reverse(place))
    };
    if worth(a) > worth(b) { a } else { b }
}

struct BracketPlan<'a> {
    state: &'a CompetitionState<'a>,
    matches: &'a [BracketMatch],
    decisions: Vec<Option<MatchDecision>>,
    /// The round of each player's last loss.
    lost_in: Vec<u32>,
    /// The number of each player's losses.
    losses: Vec<u32>,
}

impl<'a> BracketPlan<'a> {
    /// The state after the games played so far.
    fn played(state: &'a CompetitionState<'a>, matches: &'a [BracketMatch]) -> Self {
        let players = state.field.players.len();
        let mut bracket = Self {
            state,
            matches,
            decisions: vec![None; matches.len()],
            lost_in: vec![0; players],
            losses: vec![0; players],
        };
        for round in 1..=state.last_round {
            bracket.settle_walkovers(round);
            bracket.decide_planned(round);
        }
        bracket
    }

    /// Decides all matches that need no game, in order, because one can follow from another; returns their winners.
    fn settle_walkovers(&mut self, round: u32) -> Vec<usize> {
        let mut winners = Vec::new();
        for index in 0..self.matches.len() {
            let Some(players) = self.players(index) else {
                continue;
            };
            let winner = match (self.matches[index], players) {
                (BracketMatch::Again(of), _) if !self.second_won(of) => players[0],
                (BracketMatch::Between(_) | BracketMatch::Again(_), [Some(a), Some(b)]) => {
                    match self.walkover(round, [a, b]) {
                        Some(winner) => Some(winner),
                        None => continue,
                    }
                }
                (BracketMatch::Between(_) | BracketMatch::Again(_), [a, b]) => a.or(b),
            };
            winners.extend(winner);
            self.record(index, round, players, winner);
        }
        winners
    }

    /// The player who advances without a game because the other withdrew before the match was planned.
    fn walkover(&self, round: u32, players: [usize; 2]) -> Option<usize> {
        // In a later round too, if both had a bye in this one.
        let mut rounds = round..=self.state.last_round;
        let was_planned = rounds.any(|round| self.state.meeting(round, players).is_some());
        let withdrew = players.iter().any(|&place| !self.state.field.is_active(place));
        (withdrew && !was_planned).then(|| better(self.state, players))
    }

    /// The players of an undecided match, once they are known.
    fn players(&self, index: usize) -> Option<[Option<usize>; 2]> {
        if self.decisions[index].is_some() {
            return None;
        }
        match self.matches[index] {
            BracketMatch::Between(entries) => {
                let mut players = [None; 2];
                for (player, entry) in players.iter_mut().zip(entries) {
                    *player = match entry {
                        BracketEntry::Seed(place) => place,
                        BracketEntry::WinnerOf(index) => self.decisions[index]?.winner,
                        BracketEntry::LoserOf(index) => self.decisions[index]?.loser,
                    };
                }
                Some(players)
            }
            BracketMatch::Again(of) => self.decisions[of].map(|decision| decision.players),
        }
    }

    fn second_won(&self, index: usize) -> bool {
        self.decisions[index].is_some_and(|decision| decision.winner == decision.players[1])
    }

    /// The players of all matches that can be played now, except those in `resting`.
    fn ready(&self, resting: &[usize]) -> Vec<[usize; 2]> {
        let known = (0..self.matches.len()).filter_map(|index| {
            let [a, b] = self.players(index)?;
            Some([a?, b?])
        });
        let all_here = |players: &[usize; 2]| !players.iter().any(|player| resting.contains(player));
        known.filter(all_here).collect()
    }

    /// Decides the matches planned for the round. The plan names them, because players may have withdrawn since.
    fn decide_planned(&mut self, round: u32) {
        let state = self.state;
        let decided = (0..self.matches.len()).filter_map(|index| {
            let [a, b] = self.players(index)?;
            Some((index, winner(state, state.meeting(round, [a?, b?])?)?))
        });
        for (index, winner) in decided.collect::<Vec<_>>() {
            let players = self.players(index).expect("a match of the plan has its players");
            self.record(index, round, players, Some(winner));
        }
    }

    fn record(&mut self, index: usize, round: u32, players: [Option<usize>; 2], winner: Option<usize>) {
        let loser = players.into_iter().flatten().find(|&player| Some(player) != winner);
        // Nobody loses an unneeded second match.
        let was_needed = match self.matches[index] {
            BracketMatch::Between(_) => true,
            BracketMatch::Again(of) => self.second_won(of),
        };
        if let Some(loser) = loser.filter(|_| was_needed) {
            self.lost_in[loser] = round;
            self.losses[loser] += 1;
        }
        self.decisions[index] = Some(MatchDecision { players, winner, loser });
    }

    fn ranking(&self, lives: u32) -> Conclusion {
        let champion = self.decisions.last().map(|decision| decision.and_then(|last| last.winner));
        // Walkovers may already have decided matches of the next round, which the remaining players have survived.
        let last_decided = self.lost_in.iter().copied().fold(self.state.last_round, u32::max);
        let rank_keys = self.state.participants.iter().map(|&place| {
            let is_in = match champion {
                Some(Some(champion)) => place == champion,
                // Nobody has lost yet, or there is nobody to play against.
                Some(None) | None => self.losses[place] < lives,
            };
            let survived = if is_in { last_decided } else { self.lost_in[place].saturating_sub(1) };
            (place, vec![RankKey::Rounds(survived)])
        });
        Conclusion::by_rank_keys(self.state.field, rank_keys.collect())
    }
}
