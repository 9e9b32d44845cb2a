//! The ladder on a page: who stands where, what everybody has handed in, what is waiting. It rates nothing;
//! `assemble` and `ledger` call it.
//!
//! Those of whom a reader may know everything have all their versions here, others only the one that plays. Whoever may
//! not be named on a student's own page is not in the list at all: a rank would identify it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::agents::rating;
use super::anonymization::{Naming, PageNames};
use super::rated_ladder::RatedLadder;
use super::replay::lines;
use super::view::{AgentView, LadderView, ParticipantResults, ParticipantView, Rating, VersionView};
use referee_games::protocol::plain;
use referee_matches::ladder::{LadderStanding, VersionStanding};
use referee_matches::tournament::{Estimate, HeadToHead, Standings, Strength};
use referee_messages::{counted, rank_range};
use referee_records::{
    AdmissionRecord, LadderGame, Manifest, Pairing, ParticipantRecord, RecordError, RunFolder, RunKind, VersionRecord,
};

/// How many games of a ladder are on a page for all: the latest ones.
const LATEST_GAMES: usize = 1_000;

/// How many games are on a participant's own page.
const LATEST_GAMES_OF_ONE: usize = 200;

impl RatedLadder {
    /// Gives `agents` the ratings of the ladder, and their ranks by rating among all versions.
    pub(super) fn rate(&self, agents: &mut [AgentView], page_names: &PageNames) {
        for agent in agents.iter_mut().filter_map(|agent| agent.record.as_mut()) {
            agent.rating = None;
            "–".clone_into(&mut agent.rank);
            agent.unrated = Some("a rating is a difference from the reference");
        }
        let elo = |version: &VersionStanding| version.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
        let mut versions: Vec<&VersionStanding> =
            self.standings.participants.iter().flat_map(|one| &one.versions).collect();
        versions.sort_by(|one, other| elo(other).total_cmp(&elo(one)));
        for (rank, version) in (1..).zip(versions) {
            let place = page_names.place(&version.agent);
            let results = place.and_then(|place| agents.get_mut(place)?.record.as_mut());
            if let Some(results) = results {
                if version.rating.is_some() {
                    results.rank = u32::to_string(&rank);
                }
                results.rating = version.rating.and_then(rated);
                results.unrated = None;
            }
        }
    }

    pub(super) fn view(&self, manifest: &Manifest, standings: &Standings, page_names: &PageNames) -> LadderView {
        let owners = owners(manifest);
        let all = self.standings.participants.iter();
        let shown = all
            .filter(|one| page_names.subject().is_none_or(|own| own == one.name || self.names(&one.name, Some(own))));
        let shown: Vec<&LadderStanding> = shown.collect();
        LadderView {
            pairs: self.standings.last_pair,
            compared_with: self.standings.compared_with,
            reference: self.standings.reference.as_deref().map(plain),
            unnamed: self.standings.participants.len() - shown.len(),
            participants: shown
                .into_iter()
                .map(|one| ParticipantView {
                    against: results(&owners, one, standings, page_names),
                    ..self.participant(one, manifest, page_names)
                })
                .collect(),
        }
    }

    fn participant(&self, one: &LadderStanding, manifest: &Manifest, page_names: &PageNames) -> ParticipantView {
        let is_own = page_names.subject() == Some(one.name.as_str());
        let is_told = page_names.subject().is_none() || is_own;
        let recorded = manifest.participants.iter().find(|participant| participant.name == one.name);
        let versions = one.versions.iter();
        let told = versions.filter(|version| is_told || Some(version.number) == one.active_version);
        let mut versions: Vec<VersionView> = told.map(|version| admitted(version, page_names)).collect();
        let tells_words = page_names.shows_names() || is_own;
        if let Some(participant) = recorded.filter(|_| tells_words) {
            versions.extend(participant.versions.iter().filter_map(refused));
            versions.sort_by_key(|version| version.number);
        }
        ParticipantView {
            name: page_names.participant(&one.name).unwrap_or("another agent").to_owned(),
            is_own,
            rank: one.rank,
            rank_before: one.rank_before,
            plausible_ranks: one.plausible_ranks.map(rank_range),
            version: one.active_version,
            withdrawn: one.withdrawn,
            refused: if is_told { one.refused } else { 0 },
            versions,
            against: Vec::new(),
            waiting: recorded
                .filter(|_| tells_words)
                .map(|participant| self.waiting_of(one, participant, manifest, page_names))
                .unwrap_or_default(),
        }
    }

    /// What a participant waits for, one sentence each.
    fn waiting_of(
        &self,
        one: &LadderStanding,
        participant: &ParticipantRecord,
        manifest: &Manifest,
        page_names: &PageNames,
    ) -> Vec<String> {
        let mut waiting = Vec::new();
        if let Some(reason) = &participant.not_taken_in {
            let reason = plain(reason);
            waiting.push(format!("the latest submission is not taken in yet: {reason}; a later update takes it"));
        }
        if let Some(version) = one.active() {
            let (played, least) = (version.tally.games() / 2, self.rules.minimum_pairs);
            if played < least {
                let pairs = counted(least as usize, "pair");
                waiting.push(format!(
                    "version {} has played {played} of its first {pairs} of games, which come before others",
                    version.number
                ));
            }
        }
        for request in self.waiting.iter().filter(|request| request.participant == participant.name) {
            let own: BTreeSet<u32> = participant.agents().collect();
            let opponent = request.pair.agents.into_iter().find(|agent| !own.contains(agent));
            let opponent = opponent.and_then(|agent| manifest.agents.get(usize::try_from(agent).ok()?));
            let opponent = opponent.map_or_else(|| "another agent".to_owned(), |agent| page_names.name(&agent.name));
            waiting.push(format!("the games against `{opponent}` that it asked for are not finished yet"));
        }
        waiting
    }
}

/// Whose version each agent is.
fn owners(manifest: &Manifest) -> BTreeMap<String, &str> {
    let owned = manifest.participants.iter().flat_map(|participant| {
        let numbers = participant.versions.iter().map(|version| version.number);
        numbers.map(|number| (participant.agent_name(number), participant.name.as_str()))
    });
    owned.collect()
}

/// The results of the participant `one` against each other one, if the reader may know them.
fn results(
    owners: &BTreeMap<String, &str>,
    one: &LadderStanding,
    standings: &Standings,
    page_names: &PageNames,
) -> Vec<ParticipantResults> {
    if page_names.subject().is_some_and(|own| own != one.name) {
        return Vec::new();
    }
    let mut results = BTreeMap::new();
    let own = standings.agents.iter().filter(|agent| owners.get(&agent.name) == Some(&one.name.as_str()));
    for (opponent, met) in own.flat_map(|agent| standings.agents.iter().zip(&agent.against)) {
        if met.games() > 0 {
            let owner = owners.get(&opponent.name).and_then(|owner| page_names.participant(owner));
            let name = owner.map_or_else(|| page_names.name(&opponent.name), str::to_owned);
            let sum: &mut HeadToHead = results.entry(name).or_default();
            sum.won += met.won;
            sum.drawn += met.drawn;
            sum.lost += met.lost;
        }
    }
    results.into_iter().map(|(name, results)| ParticipantResults { name, results }).collect()
}

/// `manifest` with the games that the page shows: of a ladder the latest ones among `games`, newest first.
pub(super) fn with_shown_games<'a>(manifest: &'a Manifest, games: &[LadderGame], naming: &Naming) -> Cow<'a, Manifest> {
    if manifest.kind != RunKind::Ladder {
        return Cow::Borrowed(manifest);
    }
    let own = naming.own_agents(manifest);
    let is_shown = |pairing: &Pairing| {
        own.is_empty() || [&pairing.black, &pairing.white].into_iter().any(|player| own.contains(player))
    };
    let most = if own.is_empty() { LATEST_GAMES } else { LATEST_GAMES_OF_ONE };
    let games = games.iter().rev().filter_map(|game| game.pairing(manifest)).filter(is_shown).take(most).collect();
    Cow::Owned(Manifest { games, ..manifest.clone() })
}

/// A run with the games that a page shows.
#[derive(Debug)]
pub struct ShownRun {
    /// Its manifest, of a ladder with the latest games.
    pub manifest: Manifest,
    /// All games of a ladder, in the order in which they were planned; of other runs the manifest has all.
    pub of_ladder: Vec<LadderGame>,
}

impl ShownRun {
    /// The run in `folder` as it is now.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it cannot be read.
    pub fn read(folder: &RunFolder, naming: &Naming) -> Result<Self, RecordError> {
        let roster = folder.roster()?;
        let is_ladder = roster.kind == RunKind::Ladder;
        let of_ladder = if is_ladder { folder.ladder_games() } else { Vec::new() };
        Ok(Self { manifest: with_shown_games(&roster, &of_ladder, naming).into_owned(), of_ladder })
    }

    /// The number of its games, shown or not.
    pub fn planned(&self) -> usize {
        self.manifest.games.len().max(self.of_ladder.len())
    }
}

/// Whether a game counts for ratings; all games of other runs do.
pub(super) fn is_rated(manifest: &Manifest, id: &str) -> bool {
    manifest.kind != RunKind::Ladder || id.parse().is_ok_and(|LadderGame { pair, .. }| pair.rated)
}

fn admitted(version: &VersionStanding, page_names: &PageNames) -> VersionView {
    let tally = &version.tally;
    VersionView {
        number: version.number,
        received_unix_s: version.received_unix_s,
        agent: page_names.place(&version.agent),
        rating: version.rating.and_then(rated),
        games: tally.games(),
        won: tally.won.total(),
        drawn: tally.drawn,
        lost: tally.lost.total(),
        ..VersionView::default()
    }
}

fn rated(estimate: Estimate) -> Option<Rating> {
    rating(Strength::Rated { group: 1, estimate })
}

fn refused(version: &VersionRecord) -> Option<VersionView> {
    let AdmissionRecord::Refused { fault, compiler_output, .. } = &version.admission else { return None };
    Some(VersionView {
        number: version.number,
        received_unix_s: version.received_unix_s,
        fault: Some(plain(&fault.to_string())),
        compiler: compiler_output.as_deref().map(lines).unwrap_or_default(),
        ..VersionView::default()
    })
}
