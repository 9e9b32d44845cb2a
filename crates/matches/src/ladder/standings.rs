//! The standings of a ladder: all versions in one fit, anchored at the reference agent. Computed from summaries of the
//! records each time; `cli/ladder` shows them, and `runs/ladder` seeds a competition by them.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::tournament::{Crosstable, Estimate, RankRange, RankRanges, Ratings, Tally, ratings};
use referee_records::{AdmissionRecord, AgentRole, GameSummary, LadderGame, Manifest, ParticipantRecord};

/// The standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LadderStandings {
    /// The number of rated games.
    pub games: u32,
    /// The number of the last pair that counts.
    pub last_pair: u32,
    /// The agent whose rating is 0.
    pub reference: Option<String>,
    /// Those who play, best first; then those who do not.
    pub participants: Vec<LadderStanding>,
}

/// The standing of a participant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LadderStanding {
    /// Its rank among those who play and have a rating, from 1.
    pub rank: Option<u32>,
    /// The ranks that its newest version may have, at 95 %.
    pub plausible_ranks: Option<RankRange>,
    /// Its name.
    pub name: String,
    /// Whether it has withdrawn.
    pub withdrawn: bool,
    /// The number of the version that plays; `None` if none does.
    pub active_version: Option<u32>,
    /// Its admitted versions, oldest first.
    pub versions: Vec<VersionStanding>,
    /// How many versions were refused.
    pub refused: u32,
}

/// The standing of a version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VersionStanding {
    /// Its number.
    pub number: u32,
    /// The name of its agent in the records.
    pub agent: String,
    /// When it was handed in, in seconds since 1970.
    pub received_unix_s: u64,
    /// Its rating, compared with the reference; `None` without a game, and where only draws were played.
    pub rating: Option<Estimate>,
    /// Its results by kind.
    #[serde(flatten)]
    pub tally: Tally,
}

impl LadderStanding {
    /// The version that plays.
    pub fn active(&self) -> Option<&VersionStanding> {
        self.versions.iter().find(|version| Some(version.number) == self.active_version)
    }

    /// The rating of the version that plays.
    pub fn rating(&self) -> Option<Estimate> {
        self.active()?.rating
    }
}

impl LadderStandings {
    /// The standings of the ladder of `manifest` from the summaries of its games, rated or not. Of pairs with a number
    /// above `until`, none counts: so what was known earlier can be computed again.
    pub fn of<'a>(manifest: &Manifest, games: impl IntoIterator<Item = &'a GameSummary>, until: Option<u32>) -> Self {
        let mut table = Crosstable::new(manifest.agents.iter().map(|agent| agent.name.as_str()));
        let mut last_pair = 0;
        for game in games {
            let Ok(LadderGame { pair, .. }) = game.id.parse() else { continue };
            if pair.rated && until.is_none_or(|until| pair.sequence <= until) {
                table.add(game);
                last_pair = last_pair.max(pair.sequence);
            }
        }
        let ratings = ratings(&table, &RankRanges::OPTIONS);
        let reference = manifest.agents.iter().find(|agent| agent.role == AgentRole::Reference);
        let reference = reference.map(|agent| agent.name.clone());
        let fit = Fit { table: &table, ratings: &ratings, reference: reference.as_deref() };
        let mut participants: Vec<LadderStanding> =
            manifest.participants.iter().map(|participant| fit.standing(participant)).collect();
        let active: BTreeSet<String> =
            participants.iter().filter_map(|one| Some(one.active()?.agent.clone())).collect();
        let ranges = RankRanges::among(&table, &ratings, |name| active.contains(name));
        participants.sort_by(|one, other| {
            let elo = |one: &LadderStanding| one.rating().map_or(f64::NEG_INFINITY, |rating| rating.elo);
            let plays = |one: &LadderStanding| one.active_version.is_some();
            plays(other).cmp(&plays(one)).then(elo(other).total_cmp(&elo(one))).then_with(|| one.name.cmp(&other.name))
        });
        for (rank, one) in (1..).zip(participants.iter_mut().filter(|one| one.rating().is_some())) {
            one.plausible_ranks = one.active().and_then(|version| ranges.range(&version.agent));
            one.rank = Some(rank);
        }
        Self { games: table.first_against_second().games(), last_pair, reference, participants }
    }
}

struct Fit<'a> {
    table: &'a Crosstable,
    ratings: &'a Ratings,
    reference: Option<&'a str>,
}

impl Fit<'_> {
    fn standing(&self, participant: &ParticipantRecord) -> LadderStanding {
        let active = participant.active();
        let versions = participant.versions.iter();
        let refused = versions.clone().filter(|one| matches!(one.admission, AdmissionRecord::Refused { .. }));
        LadderStanding {
            rank: None,
            plausible_ranks: None,
            name: participant.name.clone(),
            withdrawn: participant.withdrawn,
            active_version: versions
                .clone()
                .find(|one| active.is_some() && one.agent() == active)
                .map(|one| one.number),
            refused: u32::try_from(refused.count()).unwrap_or(u32::MAX),
            versions: versions
                .filter(|one| one.agent().is_some())
                .map(|version| {
                    let agent = participant.agent_name(version.number);
                    let index = self.table.index(&agent);
                    let tally = index.map(|index| self.table.tally(index).clone()).unwrap_or_default();
                    let has_games = tally.games() > 0;
                    VersionStanding {
                        number: version.number,
                        received_unix_s: version.received_unix_s,
                        // A rating that no game supports would be the prior's.
                        rating: self
                            .reference
                            .filter(|_| has_games)
                            .and_then(|zero| self.ratings.difference(&agent, zero)),
                        agent,
                        tally,
                    }
                })
                .collect(),
        }
    }
}
