//! Lays out the matches of a bracket for the drawing on the page. `assemble` calls it.
//!
//! It places a match between those that its players come from, using only meetings and winners, not seeds; so it also
//! draws unfinished brackets and withdrawals. It decides no match. Every meeting and bye of the rounds must be in
//! exactly one bracket, and no two matches of a column closer than one row.

use std::collections::BTreeMap;

use super::anonymization::PageNames;
use super::view::{BracketMatchView, BracketSlot, BracketView, MeetingView, RoundView};
use referee_matches::tournament::{Advance, Format};

/// The brackets of `rounds` in `format`; empty if the format has no elimination.
pub(super) fn brackets(format: &Format, rounds: &[RoundView]) -> Vec<BracketView> {
    match format {
        Format::Knockout => split(rounds, 1),
        Format::DoubleKnockout => split(rounds, 2),
        Format::Elimination { .. } => vec![Draft::of(matches(rounds)).in_even_rows()],
        Format::RoundRobin | Format::Gauntlet { .. } | Format::Swiss { .. } | Format::RandomRounds { .. } => Vec::new(),
    }
    .into_iter()
    .filter(|bracket| !bracket.matches.is_empty())
    .collect()
}

/// Says who went on from the meetings of a knockout that the points of finished games do not decide.
pub(super) fn settle_ties(rounds: &mut [RoundView], advances: Vec<Advance>, page_names: &PageNames) {
    for Advance { round, players, is_by_seed } in advances {
        let [Some(winner), Some(loser)] = players.map(|name| page_names.place(&name)) else { continue };
        let meetings = rounds.iter_mut().filter(|it| it.number == round).flat_map(|round| &mut round.meetings);
        let mut tied = meetings.filter(|meeting| meeting.winner.is_none());
        let is_theirs = |meeting: &&mut MeetingView| [[winner, loser], [loser, winner]].contains(&meeting.agents);
        if let Some(meeting) = tied.find(is_theirs) {
            meeting.winner = Some(usize::from(meeting.agents[1] == winner));
            meeting.tie_break = Some(if is_by_seed { "better seed" } else { "opponent withdrew" });
        }
    }
}

/// A match as found in the rounds.
#[derive(Clone, Debug)]
struct SeenMatch {
    round: u32,
    slot: BracketSlot,
    agents: Vec<usize>,
    winner: Option<usize>,
}

/// All matches in the order of the rounds.
fn matches(rounds: &[RoundView]) -> Vec<SeenMatch> {
    let mut matches = Vec::new();
    for (index, round) in rounds.iter().enumerate() {
        let meetings = round.meetings.iter().enumerate();
        matches.extend(meetings.map(|(meeting, it)| SeenMatch {
            round: round.number,
            slot: BracketSlot::Meeting([index, meeting]),
            agents: it.agents.to_vec(),
            winner: it.winner.map(|seat| it.agents[seat]),
        }));
        matches.extend(round.byes.iter().map(|&agent| SeenMatch {
            round: round.number,
            slot: BracketSlot::Bye(agent),
            agents: vec![agent],
            winner: Some(agent),
        }));
    }
    matches
}

/// Splits matches into brackets by the losses of their players, at most `lives`, and the final between players with
/// different losses.
fn split(rounds: &[RoundView], lives: usize) -> Vec<BracketView> {
    let mut losses_of: BTreeMap<usize, usize> = BTreeMap::new();
    let mut parts: [Vec<SeenMatch>; 3] = Default::default();
    let [winners, losers, finals] = &mut parts;
    for seen in matches(rounds) {
        let losses: Vec<usize> = seen.agents.iter().map(|agent| losses_of.get(agent).copied().unwrap_or(0)).collect();
        for agent in &seen.agents {
            if seen.winner.is_some_and(|winner| winner != *agent) {
                *losses_of.entry(*agent).or_default() += 1;
            }
        }
        // The final may be played again, by two players with one loss each.
        let is_final = !finals.is_empty() || losses.iter().any(|count| *count != losses[0]);
        let part = match losses[0] {
            _ if lives > 1 && is_final => &mut *finals,
            0 => &mut *winners,
            _ if lives > 1 => &mut *losers,
            _ => &mut *winners,
        };
        part.push(seen);
    }
    let titles = if lives > 1 { ["winners", "losers", "final"] } else { ["", "", ""] };
    let parts = titles.into_iter().zip(parts);
    parts.map(|(title, part)| BracketView { title, ..Draft::of(part).in_trees() }).collect()
}

/// Matches with columns, before they have rows.
struct Draft {
    seen: Vec<SeenMatch>,
    columns: Vec<u32>,
    from: Vec<Vec<usize>>,
}

impl Draft {
    fn of(seen: Vec<SeenMatch>) -> Self {
        let mut columns: Vec<u32> = seen.iter().map(|seen| seen.round).collect();
        columns.dedup();
        let mut last: BTreeMap<usize, usize> = BTreeMap::new();
        let mut from = Vec::with_capacity(seen.len());
        for (index, seen) in seen.iter().enumerate() {
            let mut sources: Vec<usize> = seen.agents.iter().filter_map(|agent| last.get(agent).copied()).collect();
            sources.dedup();
            from.push(sources);
            last.extend(seen.agents.iter().map(|&agent| (agent, index)));
        }
        Self { seen, columns, from }
    }

    /// Places each match in the middle of those that its players come from.
    fn in_trees(self) -> BracketView {
        let mut rows = vec![None; self.seen.len()];
        let mut next = 0;
        // From the last one, so that each is placed by the match that it leads to.
        for root in (0..self.seen.len()).rev() {
            self.place(root, &mut rows, &mut next);
        }
        let rows: Vec<f64> = rows.into_iter().map(Option::unwrap_or_default).collect();
        self.drawn(&rows, next)
    }

    fn place(&self, index: usize, rows: &mut [Option<f64>], next: &mut usize) -> f64 {
        if let Some(row) = rows[index] {
            return row;
        }
        let new = self.from[index].iter().filter(|&&source| rows[source].is_none());
        let new: Vec<usize> = new.copied().collect();
        let sources: Vec<f64> = new.into_iter().map(|source| self.place(source, rows, next)).collect();
        let row = if let (Some(first), Some(last)) = (sources.first(), sources.last()) {
            f64::midpoint(*first, *last)
        } else {
            *next += 1;
            row_of(*next - 1)
        };
        rows[index] = Some(row);
        row
    }

    /// Places the matches of a column in even rows, in the order of those that their players come from.
    fn in_even_rows(self) -> BracketView {
        let mut rows = vec![0.0; self.seen.len()];
        let mut most = 0;
        for column in &self.columns {
            let here = (0..self.seen.len()).filter(|&index| self.seen[index].round == *column);
            let middle = |index: usize| {
                let sources = &self.from[index];
                let sum: f64 = sources.iter().map(|&source| rows[source]).sum();
                sum / row_of(sources.len().max(1))
            };
            let mut here: Vec<(f64, usize)> = here.map(|index| (middle(index), index)).collect();
            here.sort_by(|a, b| a.0.total_cmp(&b.0));
            most = most.max(here.len());
            for (row, (_, index)) in here.into_iter().enumerate() {
                rows[index] = row_of(row);
            }
        }
        self.drawn(&rows, most)
    }

    fn drawn(self, rows: &[f64], most: usize) -> BracketView {
        let column_of = |round: u32| self.columns.iter().position(|column| *column == round);
        let matches = self.seen.iter().zip(&self.from).zip(rows);
        let matches = matches.map(|((seen, from), row)| BracketMatchView {
            column: column_of(seen.round).expect("every round of a match has a column"),
            row: *row,
            slot: seen.slot,
            from: from.clone(),
        });
        BracketView { title: "", matches: matches.collect(), columns: self.columns, rows: most }
    }
}

fn row_of(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use proptest::prelude::*;

    use super::*;
    use referee_games::Side;
    use referee_matches::tournament::{CompetitionField, Encounter, NextStep, Results, derive_seed, next_rounds};

    /// The rounds of a competition decided by lots, as on the page.
    fn played(format: &Format, players: usize, seed: u64) -> Vec<RoundView> {
        let names: Vec<String> = (0..players).map(|number| format!("{number:03}")).collect();
        let games = NonZeroU32::new(2).unwrap();
        let field = CompetitionField::new(referee_games::checkers::ID, names, games, seed);
        let best_of =
            |encounter: &Encounter| usize::from(derive_seed(seed, &[&encounter.games[0].id]).is_multiple_of(2));
        let (mut plan, mut results) = (Vec::new(), Results::new());
        while let NextStep::Play(more) = next_rounds(format, &field, &plan, &results) {
            for encounter in more.iter().flat_map(|round| &round.encounters) {
                let best = best_of(encounter);
                let wins = |game: &referee_records::Pairing| {
                    let side = if game.black == encounter.players[best] { Side::Black } else { Side::White };
                    (game.id.clone(), Some(side))
                };
                results.extend(encounter.games.iter().map(wins));
            }
            plan.extend(more);
        }
        let place = |name: &String| name.parse::<usize>().unwrap();
        let view = |round: &referee_matches::tournament::Round| RoundView {
            number: round.number,
            meetings: round
                .encounters
                .iter()
                .map(|encounter| MeetingView {
                    agents: encounter.players.each_ref().map(place),
                    points: [0.0; 2],
                    winner: Some(best_of(encounter)),
                    tie_break: None,
                    games: vec![],
                })
                .collect(),
            byes: round.byes.iter().map(place).collect(),
        };
        plan.iter().map(view).collect()
    }

    fn formats() -> impl Strategy<Value = Format> {
        prop_oneof![Just(Format::Knockout), Just(Format::DoubleKnockout), Just(Format::Elimination { round_limit: 9 }),]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn every_match_has_one_place_of_its_own(format in formats(), players in 2_usize..40, seed: u64) {
            let rounds = played(&format, players, seed);
            let drawn = brackets(&format, &rounds);
            let mut slots: Vec<String> = drawn
                .iter()
                .flat_map(|bracket| &bracket.matches)
                .map(|it| match it.slot {
                    BracketSlot::Meeting(place) => format!("{place:?}"),
                    BracketSlot::Bye(agent) => format!("bye {agent}"),
                })
                .collect();
            let mut expected: Vec<String> = Vec::new();
            for (index, round) in rounds.iter().enumerate() {
                expected.extend((0..round.meetings.len()).map(|meeting| format!("{:?}", [index, meeting])));
                expected.extend(round.byes.iter().map(|agent| format!("bye {agent}")));
            }
            slots.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(slots, expected);
            for bracket in &drawn {
                let mut places: Vec<(usize, f64)> = bracket.matches.iter().map(|it| (it.column, it.row)).collect();
                places.sort_by(|a, b| a.partial_cmp(b).unwrap());
                for pair in places.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
                    prop_assert!(pair[1].1 - pair[0].1 >= 1.0, "{:?} in {}", pair, bracket.title);
                }
                for it in &bracket.matches {
                    prop_assert!(it.row <= row_of(bracket.rows.saturating_sub(1)));
                    for &source in &it.from {
                        prop_assert!(bracket.matches[source].column < it.column);
                    }
                }
            }
        }
    }

    #[test]
    fn a_knockout_of_four_is_the_picture_that_everybody_knows() {
        let rounds = played(&Format::Knockout, 4, 1);
        let [bracket] = brackets(&Format::Knockout, &rounds).try_into().unwrap();
        let places: Vec<(usize, f64)> = bracket.matches.iter().map(|it| (it.column, it.row)).collect();
        assert_eq!(places, [(0, 0.0), (0, 1.0), (1, 0.5)]);
        assert_eq!(bracket.matches[2].from, [0, 1]);
        assert_eq!((bracket.rows, bracket.title), (2, ""));
    }

    #[test]
    fn a_double_knockout_has_three_parts_and_a_swiss_has_none() {
        let rounds = played(&Format::DoubleKnockout, 8, 3);
        let drawn = brackets(&Format::DoubleKnockout, &rounds);
        let titles: Vec<&str> = drawn.iter().map(|bracket| bracket.title).collect();
        assert_eq!(titles, ["winners", "losers", "final"]);
        assert!(brackets(&Format::Swiss { rounds: 3 }, &rounds).is_empty());
    }
}
