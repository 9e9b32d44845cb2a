//! Points, pairings won, and the tie-breaks computed from opponents' points. Swiss, round robin and random rounds call
//! it.
//!
//! As in the FIDE Handbook, C.07: Buchholz is the sum of the opponents' points; Sonneborn-Berger is the sum of each
//! opponent's points times the points won against it. If two play several games, an opponent counts once for Buchholz.
//! A bye counts as a pairing with all games won, against an opponent with the player's own points.

use super::competition_state::{CompetitionState, RoundPair};

/// The points of some players against each other.
pub(super) struct ScoreTable {
    /// The half points of each player.
    pub(super) half_points: Vec<u32>,
    /// The pairings of which each player won more than half of the points.
    pub(super) pairings_won: Vec<u32>,
    /// Each player's opponents, with the half points won against them.
    opponents: Vec<Vec<(usize, u32)>>,
}

impl ScoreTable {
    /// The points of `players` against each other in the meetings that `counts` selects.
    pub(super) fn of(state: &CompetitionState<'_>, players: &[usize], counts: impl Fn(&RoundPair) -> bool) -> Self {
        let count = state.field.players.len();
        let mut table =
            Self { half_points: vec![0; count], pairings_won: vec![0; count], opponents: vec![Vec::new(); count] };
        let mut ranked = vec![false; count];
        for &place in players {
            ranked[place] = true;
        }
        for meeting in state.meetings.iter().filter(|meeting| counts(meeting)) {
            let [a, b] = meeting.players;
            if ranked[a] && ranked[b] {
                for ([player, opponent], half_points) in [[a, b], [b, a]].into_iter().zip(meeting.half_points()) {
                    table.add(player, opponent, half_points);
                    // With more than half of all points, games still to come cannot change it.
                    table.pairings_won[player] += u32::from(half_points > meeting.games);
                }
            }
        }
        table
    }

    /// Adds the byes of the course, each worth `half_points`.
    pub(super) fn with_byes(mut self, state: &CompetitionState<'_>, half_points: u32) -> Self {
        for &(_, place) in &state.byes {
            self.add(place, place, half_points);
        }
        self
    }

    fn add(&mut self, player: usize, opponent: usize, half_points: u32) {
        self.half_points[player] += half_points;
        self.opponents[player].push((opponent, half_points));
    }

    /// In half points.
    pub(super) fn buchholz(&self, player: usize) -> u64 {
        let points = |&(opponent, _): &(usize, u32)| u64::from(self.half_points[opponent]);
        self.opponents[player].iter().map(points).sum()
    }

    /// In quarters of a point.
    pub(super) fn sonneborn_berger(&self, player: usize) -> u64 {
        let share = |&(opponent, won): &(usize, u32)| u64::from(self.half_points[opponent]) * u64::from(won);
        self.opponents[player].iter().map(share).sum()
    }
}
