//! One agent's results and its use of time, for the page. It counts charges; standings and ratings come from
//! `tournament`.

use super::anonymization::PageNames;
use super::view::{AgentResults, AgentView, Bin, ColumnView, Distribution, OpponentView, Rating};
use referee_games::Side;
use referee_games::protocol::plain;
use referee_matches::tournament::{ColumnValue, Ratings, Standing, Standings, StandingsColumn, Strength};
use referee_messages::{column_text, rank_range};
use referee_records::{AgentRole, GameRecord, Manifest, TurnRecord};

/// The maximum number of moves with a mean.
const MAX_MOVES: usize = 200;

/// The maximum number of fine bins that stays readable.
const MAX_BINS: usize = 18;

/// The number of decades with bins, from 100 µs: far more than any clock.
const MAX_DECADES: u32 = 8;

/// The charges of one agent's moves in all its games.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeUse {
    charges: Vec<u64>,
    /// The sum and count of the charges for the first move of a game, the second, ...
    by_move: Vec<(u64, u64)>,
}

impl TimeUse {
    /// Adds a game with these charges for its moves.
    pub(super) fn add_charges(&mut self, charges: &[u64]) {
        for (index, &charged) in charges.iter().enumerate() {
            self.charges.push(charged);
            if index < MAX_MOVES {
                if index == self.by_move.len() {
                    self.by_move.push((0, 0));
                }
                let (sum, count) = &mut self.by_move[index];
                *sum += charged;
                *count += 1;
            }
        }
    }

    /// The bins of the charges without gaps: fine ones, unless these are too many.
    fn bins(&self) -> Vec<Bin> {
        let fine = self.bins_of(&[100, 125, 160, 200, 250, 320, 400, 500, 630, 800]);
        if fine.len() <= MAX_BINS { fine } else { self.bins_of(&[100, 200, 500]) }
    }

    /// Bins with these bounds times powers of ten.
    fn bins_of(&self, steps: &[u64]) -> Vec<Bin> {
        let decades = (0..MAX_DECADES).map(|decade| 10_u64.pow(decade));
        let edges = decades.flat_map(|decade| steps.iter().map(move |step| step * decade));
        let mut edges: Vec<u64> = std::iter::once(0).chain(edges).collect();
        edges.push(u64::MAX);
        let mut bins: Vec<Bin> = edges.windows(2).map(|edge| Bin { from: edge[0], below: edge[1], count: 0 }).collect();
        for charge in &self.charges {
            let above = edges.partition_point(|edge| edge <= charge);
            let last = bins.len();
            bins[above.clamp(1, last) - 1].count += 1;
        }
        let is_filled = |bin: &Bin| bin.count > 0;
        match (bins.iter().position(is_filled), bins.iter().rposition(is_filled)) {
            (Some(first), Some(last)) => bins[first..=last].to_vec(),
            (None, _) | (_, None) => Vec::new(),
        }
    }

    fn means(&self) -> Vec<u64> {
        self.by_move.iter().map(|(sum, count)| sum / count.max(&1)).collect()
    }
}

/// The charges of the moves of `side`, in order.
pub(super) fn charges(record: &GameRecord, side: Side) -> Vec<u64> {
    let is_run = |turn: &&TurnRecord| turn.side() == side && !turn.is_pass();
    let runs = record.turns.iter().filter(is_run);
    runs.map(|turn| turn.charged().micros()).collect()
}

impl Distribution {
    /// The distribution of `numbers`; `None` if empty.
    pub(super) fn of(numbers: &[u64]) -> Option<Self> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        // Between two ranks, the part of the way to the next number: the median of an even number is between two.
        let at = |percent: u64| {
            let rank = u64::try_from(last).unwrap_or(u64::MAX).saturating_mul(percent);
            let below = usize::try_from(rank / 100).unwrap_or(last);
            let step = sorted[last.min(below + 1)] - sorted[below];
            sorted[below] + (step * (rank % 100) + 50) / 100
        };
        Some(Self {
            count: sorted.len(),
            least: sorted[0],
            quarter: at(25),
            median: at(50),
            three_quarters: at(75),
            most_but_5_percent: at(95),
            most: sorted[last],
        })
    }
}

/// The agents in page order. `standings` and `times` are in rank order.
pub(super) fn agents(
    manifest: &Manifest,
    standings: &Standings,
    ratings: &Ratings,
    times: &[TimeUse],
    page_names: &PageNames,
) -> Vec<AgentView> {
    let columns = shown_columns(standings);
    let mut agents: Vec<(usize, AgentView)> = Vec::new();
    for (standing, time) in standings.agents.iter().zip(times) {
        if let Some(place) = page_names.place(&standing.name) {
            agents.push((place, agent(manifest, standing, &columns, ratings, time, page_names)));
        }
    }
    agents.sort_by_key(|(place, _)| *place);
    agents.into_iter().map(|(_, agent)| agent).collect()
}

fn shown_columns(standings: &Standings) -> Vec<StandingsColumn> {
    standings.columns().into_iter().filter(|column| column.title.is_some()).collect()
}

/// The columns of the standings, as the page shows them.
pub(super) fn column_views(standings: &Standings) -> Vec<ColumnView> {
    let views = shown_columns(standings)
        .into_iter()
        .filter_map(|column| Some(ColumnView { title: column.page_title.or(column.title)?, rare: column.is_rare }));
    views.collect()
}

/// An empty cell of a wide table looks like a mistake.
fn shown_text(value: ColumnValue, page_names: &PageNames) -> String {
    let text = match value {
        ColumnValue::Name(name) => page_names.name(&name),
        value => column_text(value),
    };
    if ["", "-"].contains(&text.as_str()) { "–".to_owned() } else { text }
}

fn agent(
    manifest: &Manifest,
    standing: &Standing,
    columns: &[StandingsColumn],
    ratings: &Ratings,
    time: &TimeUse,
    page_names: &PageNames,
) -> AgentView {
    let name = page_names.name(&standing.name);
    if !page_names.tells_results_of(&standing.name) {
        return AgentView { name, role: None, record: None };
    }
    let recorded = manifest.agents.iter().find(|agent| agent.name == standing.name);
    let role = recorded.and_then(|agent| match agent.role {
        AgentRole::Participant => None,
        AgentRole::Reference => Some("reference"),
        AgentRole::Withdrawn => Some("withdrawn"),
    });
    let remarks = recorded.filter(|agent| page_names.tells_words_of(&agent.name));
    let strength = ratings.rating_of(&standing.name).map(|rating| rating.strength);
    let tally = &standing.tally;
    let results = AgentResults {
        rank: shown_text(ColumnValue::Rank { rank: standing.rank, is_shared: standing.shared }, page_names),
        plausible_ranks: standing.plausible_ranks.map(rank_range),
        points: standing.points,
        cells: columns.iter().map(|column| shown_text(column.value(standing), page_names)).collect(),
        games: tally.games(),
        won: tally.won.total(),
        drawn: tally.drawn,
        lost: tally.lost.total(),
        close_calls: tally.close_calls,
        rating: strength.and_then(rating),
        unrated: strength.and_then(|strength| strength.reason()),
        against: against(standing, page_names),
        cpu_us: Distribution::of(&time.charges),
        cpu_us_bins: time.bins(),
        cpu_us_by_move: time.means(),
        remarks: remarks.map(|agent| agent.remarks.iter().map(|remark| plain(remark)).collect()).unwrap_or_default(),
    };
    AgentView { name, role, record: Some(results) }
}

pub(super) fn rating(strength: Strength) -> Option<Rating> {
    let Strength::Rated { group, estimate } = strength else {
        return None;
    };
    Some(Rating { elo: estimate.elo, low: estimate.interval.low, high: estimate.interval.high, group })
}

/// The results against the agents on the page. `standings` and their results are in rank order.
fn against(standing: &Standing, page_names: &PageNames) -> Vec<OpponentView> {
    let met = standing.against.iter().enumerate();
    let met = met.filter(|(_, results)| results.games() > 0);
    let against = met
        .filter_map(|(rank, results)| Some(OpponentView { agent: page_names.place_of_rank(rank)?, results: *results }));
    let mut against: Vec<OpponentView> = against.collect();
    // Rank order would reveal the others' ranks.
    against.sort_by_key(|results| results.agent);
    against
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_charge_is_in_one_bin_and_there_are_few() {
        let bins = |charges: &[u64]| {
            let time = TimeUse { charges: charges.to_vec(), by_move: vec![] };
            let bins = time.bins().into_iter();
            bins.map(|bin| (bin.from, bin.below, bin.count)).collect::<Vec<_>>()
        };
        assert_eq!(bins(&[]), []);
        assert_eq!(bins(&[0, 99]), [(0, 100, 2)]);
        assert_eq!(bins(&[2_000, 2_499, 3_999]), [(2_000, 2_500, 2), (2_500, 3_200, 0), (3_200, 4_000, 1)]);
        let wide = bins(&[0, 5_000_000, u64::MAX]);
        assert_eq!(wide.iter().map(|bin| bin.2).sum::<usize>(), 3);
        assert!(wide.iter().all(|bin| bin.0 == 0 || [1, 2, 5].contains(&leading_digit(bin.0))), "{wide:?}");
    }

    fn leading_digit(number: u64) -> u64 {
        number / 10_u64.pow(number.ilog10())
    }

    #[test]
    fn a_spread_is_made_of_the_numbers_themselves() {
        assert_eq!(Distribution::of(&[]), None);
        let numbers: Vec<u64> = (0..=100).rev().collect();
        let spread = Distribution::of(&numbers).unwrap();
        assert_eq!((spread.least, spread.quarter, spread.median), (0, 25, 50));
        assert_eq!((spread.three_quarters, spread.most_but_5_percent, spread.most), (75, 95, 100));
        assert_eq!(Distribution::of(&[7]).unwrap().median, 7);
    }
}
