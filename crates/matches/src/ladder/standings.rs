//! The standings of a ladder: all versions in one fit, anchored at the reference agent. Computed from summaries of the
//! records each time; `cli/ladder` shows them, and `runs/ladder` seeds a competition by them.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::tournament::{Crosstable, Estimate, RankRange, RankRanges, Ratings, Tally, ratings};
use referee_records::{
    AdmissionRecord, AgentRole, GameSummary, LadderGame, Manifest, ParticipantRecord, VersionRecord,
};

/// The standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LadderStandings {
    /// The number of rated games.
    pub games: u32,
    /// The number of the last pair that counts.
    pub last_pair: u32,
    /// The number of the pair after which the ranks before were computed; `None` as long as too little was played.
    pub compared_with: Option<u32>,
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
    /// Its rank after the pair [`LadderStandings::compared_with`], with the version that played then.
    pub rank_before: Option<u32>,
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

/// The number of pairs of each participant since the ranks with which the present ones are compared.
const PAIRS_SINCE: u32 = 5;

impl LadderStandings {
    /// The standings of the ladder of `manifest` from the summaries of its games, rated or not. Of pairs with a number
    /// above `until`, none counts, and neither do versions admitted since it began: so what was known earlier can be
    /// computed again.
    pub fn of(
        manifest: &Manifest,
        games: impl IntoIterator<Item = impl Borrow<GameSummary>>,
        until: Option<u32>,
    ) -> Self {
        let new_table = || Crosstable::new(manifest.agents.iter().map(|agent| agent.name.as_str()));
        let (mut table, mut table_before) = (new_table(), new_table());
        let playing = manifest.participants.iter().filter(|one| known_active(one, until).is_some()).count();
        let since = u32::try_from(playing).unwrap_or(u32::MAX).saturating_mul(PAIRS_SINCE).div_ceil(2);
        // The latest games wait until it is known that they are old enough to count for the ranks before.
        let mut latest: BTreeMap<u32, Vec<GameSummary>> = BTreeMap::new();
        let mut last_pair = 0;
        for game in games {
            let game = game.borrow();
            let Ok(LadderGame { pair, .. }) = game.id.parse() else { continue };
            if !pair.rated || until.is_some_and(|until| pair.sequence > until) {
                continue;
            }
            table.add(game);
            last_pair = last_pair.max(pair.sequence);
            latest.entry(pair.sequence).or_default().push(game.clone());
            while let Some(old) = latest.first_entry().filter(|old| old.key().saturating_add(since) <= last_pair) {
                old.remove().iter().for_each(|game| table_before.add(game));
            }
        }
        let now = Fit::of(manifest, table, until);
        let mut standings = now.standings(manifest, last_pair);
        let active: BTreeSet<&str> =
            standings.participants.iter().filter_map(|one| Some(one.active()?.agent.as_str())).collect();
        let ranges = RankRanges::among(&now.table, &now.ratings, |name| active.contains(name));
        for one in standings.participants.iter_mut().filter(|one| one.rank.is_some()) {
            one.plausible_ranks = one.active().and_then(|version| ranges.range(&version.agent));
        }
        if let Some(before) = last_pair.checked_sub(since).filter(|pair| *pair > 0) {
            standings.compare_with(&Fit::of(manifest, table_before, Some(before)).standings(manifest, before));
            standings.compared_with = Some(before);
        }
        standings
    }

    fn compare_with(&mut self, before: &Self) {
        let ranks = before.participants.iter().map(|one| (one.name.as_str(), one.rank));
        let ranks: BTreeMap<&str, Option<u32>> = ranks.collect();
        for one in &mut self.participants {
            one.rank_before = ranks.get(one.name.as_str()).copied().flatten();
        }
    }
}

/// The version of `participant` that plays, by what was known before the pair `until` began.
fn known_active(participant: &ParticipantRecord, until: Option<u32>) -> Option<&VersionRecord> {
    let known = participant.versions.iter().rev().find(|version| is_known(version, until));
    known.filter(|_| !participant.withdrawn)
}

/// Whether `version` was admitted before the pair `until` began.
fn is_known(version: &VersionRecord, until: Option<u32>) -> bool {
    let AdmissionRecord::Admitted { since_pair, .. } = version.admission else { return false };
    until.is_none_or(|until| since_pair < until)
}

/// The strengths after a pair.
struct Fit<'a> {
    until: Option<u32>,
    table: Crosstable,
    ratings: Ratings,
    reference: Option<&'a str>,
}

impl<'a> Fit<'a> {
    fn of(manifest: &'a Manifest, table: Crosstable, until: Option<u32>) -> Self {
        let ratings = ratings(&table, &RankRanges::OPTIONS);
        let reference = manifest.agents.iter().find(|agent| agent.role == AgentRole::Reference);
        Self { until, table, ratings, reference: reference.map(|agent| agent.name.as_str()) }
    }

    /// The participants by rating, without what is computed from several fits.
    fn standings(&self, manifest: &Manifest, last_pair: u32) -> LadderStandings {
        let mut participants: Vec<LadderStanding> =
            manifest.participants.iter().map(|participant| self.standing(participant)).collect();
        let waits = |name: &str| manifest.participants.iter().any(|one| one.name == name && one.not_taken_in.is_some());
        participants.retain(|one| one.refused > 0 || !one.versions.is_empty() || waits(&one.name));
        participants.sort_by(|one, other| {
            let elo = |one: &LadderStanding| one.rating().map_or(f64::NEG_INFINITY, |rating| rating.elo);
            let plays = |one: &LadderStanding| one.active_version.is_some();
            plays(other).cmp(&plays(one)).then(elo(other).total_cmp(&elo(one))).then_with(|| one.name.cmp(&other.name))
        });
        for (rank, one) in (1..).zip(participants.iter_mut().filter(|one| one.rating().is_some())) {
            one.rank = Some(rank);
        }
        LadderStandings {
            games: self.table.first_against_second().games(),
            last_pair,
            compared_with: None,
            reference: self.reference.map(str::to_owned),
            participants,
        }
    }

    fn standing(&self, participant: &ParticipantRecord) -> LadderStanding {
        let admitted = participant.versions.iter().filter(|version| is_known(version, self.until));
        let refused = participant.versions.iter().filter(|version| version.agent().is_none());
        LadderStanding {
            rank: None,
            rank_before: None,
            plausible_ranks: None,
            name: participant.name.clone(),
            withdrawn: participant.withdrawn,
            active_version: known_active(participant, self.until).map(|one| one.number),
            refused: u32::try_from(refused.count()).unwrap_or(u32::MAX),
            versions: admitted.map(|version| self.version(participant.agent_name(version.number), version)).collect(),
        }
    }

    fn version(&self, agent: String, version: &VersionRecord) -> VersionStanding {
        let index = self.table.index(&agent);
        let tally = index.map(|index| self.table.tally(index).clone()).unwrap_or_default();
        // A rating that no game supports would be the prior's.
        let reference = self.reference.filter(|_| tally.games() > 0);
        VersionStanding {
            number: version.number,
            received_unix_s: version.received_unix_s,
            rating: reference.and_then(|zero| self.ratings.difference(&agent, zero)),
            agent,
            tally,
        }
    }
}
