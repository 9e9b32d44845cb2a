//! How far the competition of an assignment is, by the manifest of its run and the results of its games.

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use super::{Assignment, Competition};
use crate::records::{AgentRole, Manifest, RunKind};
use crate::tournament::{
    CompetitionStanding, Crosstable, Field, NextStep, Results, Standings, TieBreak, next_rounds, planned, ranking,
};

impl Assignment {
    /// The competition that the run of `manifest` is; `None` for a grading, whose assignment may have a competition
    /// besides.
    pub fn competition_of(&self, manifest: &Manifest) -> Option<&Competition> {
        let competition = self.competition.as_ref();
        competition.filter(|_| manifest.kind == RunKind::Competition)
    }
}

impl Competition {
    /// Who competes in the run of `manifest`.
    pub fn field(&self, manifest: &Manifest) -> Field {
        let agents = || manifest.agents.iter();
        let withdrawn: BTreeSet<String> = agents()
            .filter(|agent| agent.role == AgentRole::Withdrawn)
            .map(|agent| agent.name.clone())
            .collect();
        let games = NonZeroU32::new(self.games_per_pairing).unwrap_or(NonZeroU32::MIN);
        let players = agents().map(|agent| agent.name.clone()).collect();
        let mut field = Field::new(manifest.game, players, games, manifest.seed);
        field.withdrawn = withdrawn;
        field.odd_game = self.odd_game;
        field
    }

    /// What comes next in the run of `manifest`, by its plan and these results.
    pub fn next(&self, manifest: &Manifest, results: &Results) -> NextStep {
        next_rounds(&self.format, &self.field(manifest), &planned(manifest), results)
    }

    /// Who stands where in the run of `manifest`, whose games are counted in `table` and have these results.
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

/// Who stands where in the run of `manifest`: in a competition by its format, else by points and the usual tie-breaks.
/// Every table, page and file has its ranks from here.
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
