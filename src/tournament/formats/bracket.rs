//! A bracket: matches whose players come from seeds and from other matches.
//!
//! For: what single and double elimination share: which matches can be played now, walkovers, tied encounters, who is
//! out when. Deliberately not here: the shape of a bracket ([`knockout`](super::knockout),
//! [`double_knockout`](super::double_knockout)).
//!
//! A round brings every match of which both players are known and that was not played yet; the next round comes when
//! all of them are decided. A match without a second player, because there are fewer players than seeds or because one
//! withdrew before it was planned, goes to the other without a game: that one has a bye, and plays on in the next
//! round.
//!
//! Who has won more points of an encounter has won the match. A tied one is played on with another pair of games, each
//! of the two beginning one, up to three times; then the better seed goes on. (A draw by the board was given to the
//! side with more time left before it comes here, so all this is rare.)

use std::cmp::{Ordering, Reverse};

use super::course::{Course, Meeting};
use super::first_turns::deal_first_turns;
use super::{Conclusion, Encounter, Merit, NextStep, Round};

/// How often a tied encounter gets another pair of games.
const EXTRA_PAIRS: u32 = 3;

/// Where a player of a match comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BracketEntry {
    /// The place of a player in the field; `None` where there are fewer players than seeds.
    Seed(Option<usize>),
    /// Who wins the match of that number.
    WinnerOf(usize),
    /// Who loses it.
    LoserOf(usize),
}

/// A match of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BracketMatch {
    /// It is played when both are known.
    Between([BracketEntry; 2]),
    /// The players of that match play again if the second of them has won it.
    Again(usize),
}

/// How a match ended; either is missing where nobody came.
#[derive(Clone, Copy, Debug)]
struct MatchDecision {
    players: [Option<usize>; 2],
    winner: Option<usize>,
    loser: Option<usize>,
}

/// What comes next in a bracket of these matches, each of which comes after those that its players come from. Who wins
/// the last one has won the competition; whoever has lost so many as there are `lives` is out.
pub(super) fn next(course: &Course<'_>, matches: &[BracketMatch], lives: u32) -> NextStep {
    if course.is_unfinished() {
        return NextStep::Waiting;
    }
    let extras = extra_games(course);
    if !extras.is_empty() {
        return NextStep::Play(vec![Round {
            number: course.last_round,
            encounters: extras,
            byes: Vec::new(),
        }]);
    }
    let mut bracket = BracketPlan::played(course, matches);
    let byes = bracket.settle_walkovers(course.last_round + 1);
    let ready = bracket.ready(&byes);
    // Where nobody but those with a bye is left, they need not wait.
    let ready = if ready.is_empty() { bracket.ready(&[]) } else { ready };
    if ready.is_empty() {
        return NextStep::Over(bracket.ranking(lives));
    }
    let is_here = |place: &usize| course.field.is_active(*place) && !ready.as_flattened().contains(place);
    let byes: Vec<_> = byes.into_iter().filter(is_here).collect();
    course.play(course.last_round + 1, &deal_first_turns(&ready, &course.begun), &byes)
}

/// Who stands where now. A player is out who has lost so many matches as there are `lives`.
pub(super) fn ranking(course: &Course<'_>, matches: &[BracketMatch], lives: u32) -> Conclusion {
    let mut bracket = BracketPlan::played(course, matches);
    if !course.is_unfinished() {
        bracket.settle_walkovers(course.last_round + 1);
    }
    bracket.ranking(lives)
}

/// Another pair of games for each encounter of the last round that is tied and has not had enough of them.
fn extra_games(course: &Course<'_>) -> Vec<Encounter> {
    let last = course
        .meetings
        .iter()
        .filter(|meeting| meeting.round == course.last_round);
    let tied = last.enumerate().filter(|(_, meeting)| is_played_on(course, meeting));
    let extra = tied.map(|(index, meeting)| {
        let name = Course::pairing_name(course.last_round, index);
        course.encounter(&name, meeting.players, meeting.games..meeting.games + 2)
    });
    extra.collect()
}

/// Whether another pair of games is due, because the two are level.
fn is_played_on(course: &Course<'_>, meeting: &Meeting) -> bool {
    let [a, b] = meeting.half_points();
    let most = course.field.games_per_pairing.get() + 2 * EXTRA_PAIRS;
    a == b && meeting.games < most && meeting.players.iter().all(|&place| course.field.is_active(place))
}

struct BracketPlan<'a> {
    course: &'a Course<'a>,
    matches: &'a [BracketMatch],
    decisions: Vec<Option<MatchDecision>>,
    /// The round in which each player lost last.
    lost_in: Vec<u32>,
    /// How many matches each player has lost.
    losses: Vec<u32>,
}

impl<'a> BracketPlan<'a> {
    /// As it stands by what has been played.
    fn played(course: &'a Course<'a>, matches: &'a [BracketMatch]) -> Self {
        let players = course.field.players.len();
        let mut bracket = Self {
            course,
            matches,
            decisions: vec![None; matches.len()],
            lost_in: vec![0; players],
            losses: vec![0; players],
        };
        for round in 1..=course.last_round {
            bracket.settle_walkovers(round);
            bracket.decide_planned(round);
        }
        bracket
    }

    /// Decides all matches that need no game, in their order, so that one such can follow from another; says who won
    /// them.
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

    /// Who goes on without a game because of a withdrawal before the match was planned.
    fn walkover(&self, round: u32, players: [usize; 2]) -> Option<usize> {
        // In a later round, too, where both had a bye in this one.
        let mut rounds = round..=self.course.last_round;
        let was_planned = rounds.any(|round| self.course.meeting(round, players).is_some());
        let withdrew = players.iter().any(|&place| !self.course.field.is_active(place));
        (withdrew && !was_planned).then(|| self.better(players))
    }

    /// Who goes on where games do not tell: whoever is still in; where both withdrew, whoever was given a later place
    /// in the plan; else the better seed.
    fn better(&self, players: [usize; 2]) -> usize {
        let [a, b] = players;
        let worth = |place: usize| {
            let is_active = self.course.field.is_active(place);
            let later = if is_active { 0 } else { self.course.last_seen[place] };
            (is_active, later, Reverse(place))
        };
        if worth(a) > worth(b) { a } else { b }
    }

    /// The players of a match that is not decided yet, once it is known who they are.
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

    /// The players of the matches that can be played now, while some rest.
    fn ready(&self, resting: &[usize]) -> Vec<[usize; 2]> {
        let known = (0..self.matches.len()).filter_map(|index| match self.players(index)? {
            [Some(a), Some(b)] => Some([a, b]),
            [Some(_) | None, None] | [None, Some(_)] => None,
        });
        let all_here = |players: &[usize; 2]| !players.iter().any(|player| resting.contains(player));
        known.filter(all_here).collect()
    }

    /// Decides the matches that the plan has for the round. The plan says which they were: players may have withdrawn
    /// since.
    fn decide_planned(&mut self, round: u32) {
        let course = self.course;
        let planned = (0..self.matches.len()).filter_map(|index| match self.players(index)? {
            [Some(a), Some(b)] => Some((index, course.meeting(round, [a, b])?)),
            [Some(_) | None, None] | [None, Some(_)] => None,
        });
        let is_over =
            |meeting: &Meeting| meeting.missing == 0 && (round < course.last_round || !is_played_on(course, meeting));
        let planned = planned.filter(|(_, meeting)| is_over(meeting));
        for (index, meeting) in planned.collect::<Vec<_>>() {
            let [a, b] = meeting.half_points();
            let winner = match a.cmp(&b) {
                Ordering::Greater => meeting.players[0],
                Ordering::Less => meeting.players[1],
                Ordering::Equal => self.better(meeting.players),
            };
            let players = self.players(index).expect("a match of the plan has its players");
            self.record(index, round, players, Some(winner));
        }
    }

    fn record(&mut self, index: usize, round: u32, players: [Option<usize>; 2], winner: Option<usize>) {
        let loser = players.into_iter().flatten().find(|&player| Some(player) != winner);
        // A second match of the same two that was not needed is not lost by anybody.
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
        let champion = self
            .decisions
            .last()
            .map(|decision| decision.and_then(|last| last.winner));
        let merits = self.course.participants().iter().map(|&place| {
            let is_in = match champion {
                Some(Some(champion)) => place == champion,
                // Nobody was out yet, or there is nobody to play against.
                Some(None) | None => self.losses[place] < lives,
            };
            let survived = if is_in {
                self.course.last_round
            } else {
                self.lost_in[place].saturating_sub(1)
            };
            (place, vec![Merit::Rounds(survived)])
        });
        Conclusion::by_merits(self.course.field, merits.collect())
    }
}
