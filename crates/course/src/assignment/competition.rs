//! The state of an assignment's competition, from the manifest of its run and the results. It stores and plays nothing;
//! `runs`, `shards`, standings and reports call it.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use super::{Assignment, Competition};
use referee_matches::tournament::{
    Advance, CompetitionField, CompetitionStanding, Crosstable, NextStep, Results, Standings, TieBreak, advances,
    next_rounds, planned, ranking,
};
use referee_records::{AgentRole, Manifest, RunKind};

impl Assignment {
    /// The competition of the run of `manifest`; `None` for a grading, even if its assignment also has a competition.
    pub fn competition_of(&self, manifest: &Manifest) -> Option<&Competition> {
        let competition = self.competition.as_ref();
        competition.filter(|_| manifest.kind == RunKind::Competition)
    }
}

impl Competition {
    /// The field of the run of `manifest`.
    pub fn field(&self, manifest: &Manifest) -> CompetitionField {
        let agents = || manifest.agents.iter();
        let withdrawn: BTreeSet<String> =
            agents().filter(|agent| agent.role == AgentRole::Withdrawn).map(|agent| agent.name.clone()).collect();
        let games = NonZeroU32::new(self.games_per_pairing).unwrap_or(NonZeroU32::MIN);
        let players = agents().map(|agent| agent.name.clone()).collect();
        let mut field = CompetitionField::new(manifest.game, players, games, manifest.seed);
        field.withdrawn = withdrawn;
        field.extra_game_start = self.extra_game_start;
        field.rank_by = self.rank_by;
        field
    }

    /// The next step of the run of `manifest`, with its plan and these results.
    pub fn next(&self, manifest: &Manifest, results: &Results) -> NextStep {
        next_rounds(&self.format, &self.field(manifest), &planned(manifest), results)
    }

    /// Who goes on from each decided meeting of the run of `manifest`, if it is a knockout.
    pub fn advances(&self, manifest: &Manifest, results: &Results) -> Vec<Advance> {
        advances(&self.format, &self.field(manifest), &planned(manifest), results)
    }

    /// The standings of the run of `manifest`, with the games in `table` and these results.
    pub fn standings(&self, manifest: &Manifest, table: &Crosstable, results: &Results) -> Standings {
        let (field, plan) = (self.field(manifest), planned(manifest));
        let standing = match next_rounds(&self.format, &field, &plan, results) {
            NextStep::Over(conclusion) => CompetitionStanding::Over(conclusion),
            NextStep::Play(_) | NextStep::Waiting => {
                CompetitionStanding::GoesOn(ranking(&self.format, &field, &plan, results))
            }
        };
        Standings::of_competition(table, standing)
    }
}

/// The standings of the run of `manifest`: for a competition by its format, else by points and the default tie-breaks.
/// Every table, page and file takes its ranks from here.
pub fn standings_of(
    assignment: Option<&Assignment>,
    manifest: &Manifest,
    table: &Crosstable,
    results: &Results,
) -> Standings {
    let competition = assignment.and_then(|assignment| assignment.competition_of(manifest));
    competition.map_or_else(
        || Standings::of(table, &TieBreak::ROUND_ROBIN),
        |competition| competition.standings(manifest, table, results),
    )
}
