//! The pairs of a ladder for a shard's worker: unfinished ones first, then requests, then what the planner says.
//!
//! Everything comes from the ladder's folder: new versions from its manifest, results from the records, and what others
//! are playing from their claims. All records are listed at the start; later only what this process has played, and
//! what others have claimed, is looked at again. A game whose record cannot be read is finished, like in any run: it is
//! reported, and not played again.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fs;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::history::LadderHistory;
use super::pair_score::PairScore;
use super::planner::{LadderField, PlanRules, next_pair};
use crate::shards::{NextPair, PairOfGames, PairSource, ShardPlace};
use crate::tournament::{Pass, Settled, opened};
use referee_games::RulesUnavailable;
use referee_records::{GameSummary, LadderGame, LadderPair, Manifest, Pairing, RecordError, RunFolder};

/// How often to look for new versions while there is nobody to pair.
const POLL: Duration = Duration::from_secs(2);

/// The pairs of a ladder.
#[derive(Debug)]
pub struct LadderPairs {
    manifest: Arc<Manifest>,
    /// When the file of the manifest was written that was read last.
    manifest_of: Option<SystemTime>,
    field: LadderField,
    rules: PlanRules,
    opening_plies: u32,
    /// How many more pairs to play; `None` for any number.
    left: Option<usize>,
    history: LadderHistory,
    /// The pairs that were unfinished at the start. Void again, they use up nothing of the limit: it is for new games.
    left_over: BTreeSet<LadderPair>,
    /// The pairs with a key.
    begun: Vec<LadderPair>,
    /// The pairs that others had claimed when claims were listed last.
    elsewhere: BTreeSet<LadderPair>,
    /// Pairs with a void game: retried once, then given up.
    set_aside: HashSet<LadderPair>,
    /// The retries to come.
    retries: Vec<LadderPair>,
    /// The records that could not be read and were not reported yet.
    unreadable: VecDeque<RecordError>,
}

impl LadderPairs {
    /// The pairs of the ladder of `manifest` in `folder`, at most `limit` of them. Reads the records of `games`, which
    /// are all that there are.
    ///
    /// # Errors
    ///
    /// [`RecordError`], if the folder cannot be read. Records that cannot be read are reported by
    /// [`NextPair::Unreadable`].
    pub fn new(
        folder: &RunFolder,
        manifest: Arc<Manifest>,
        games: &[LadderGame],
        (rules, opening_plies): (PlanRules, u32),
        limit: Option<usize>,
    ) -> Result<Self, RecordError> {
        let mut history = LadderHistory::default();
        let mut unreadable = VecDeque::new();
        for (game, summary) in folder.ladder_summaries(&manifest, games) {
            let before = history.score(game.pair).unwrap_or_default();
            let score = match summary {
                Ok(summary) => before.with(game, &summary, &manifest),
                Err(error) => {
                    unreadable.push_back(error);
                    before.with_unreadable()
                }
            };
            history.add_score(game.pair, score);
        }
        let field = LadderField::of(&manifest);
        for void in folder.voids(&manifest)? {
            if let Ok(LadderGame { pair, .. }) = void.id.parse() {
                // Old versions get no new games.
                history.know_void(pair, pair.agents.iter().all(|agent| field.agents().any(|active| active == *agent)));
            }
        }
        Ok(Self {
            field,
            manifest,
            manifest_of: None,
            rules,
            opening_plies,
            left: limit,
            left_over: history.unfinished().collect(),
            history,
            begun: Vec::new(),
            elsewhere: BTreeSet::new(),
            set_aside: HashSet::new(),
            retries: Vec::new(),
            unreadable,
        })
    }

    /// Reads the manifest again if it was written since.
    fn look_for_versions(&mut self, place: &ShardPlace) -> Result<(), RecordError> {
        let written = fs::metadata(place.folder.manifest_path()).and_then(|found| found.modified()).ok();
        if written == self.manifest_of {
            return Ok(());
        }
        self.manifest = Arc::new(place.folder.roster()?);
        self.manifest_of = written;
        self.field = LadderField::of(&self.manifest);
        place.agent_pool.add(&self.manifest.agents);
        Ok(())
    }

    /// The claimed pairs; a stale claim of another process is returned apart, to be taken over.
    fn claimed(
        &mut self,
        place: &ShardPlace,
        own: &HashSet<String>,
    ) -> Result<(Vec<LadderPair>, Option<LadderPair>), RecordError> {
        let mut claimed = Vec::new();
        let mut abandoned = None;
        let before = std::mem::take(&mut self.elsewhere);
        for name in place.claims.names()? {
            let Ok(LadderGame { pair, .. }) = name.parse() else { continue };
            claimed.push(pair);
            if own.contains(&name) {
                continue;
            }
            self.elsewhere.insert(pair);
            if abandoned.is_none() && place.claims.current(&name)?.is_some_and(|claim| claim.abandoned) {
                abandoned = Some(pair);
            }
        }
        for pair in before {
            if !self.elsewhere.contains(&pair) {
                self.look_at(place, pair);
            }
        }
        Ok((claimed, abandoned))
    }

    /// Reads the records of a pair.
    fn look_at(&mut self, place: &ShardPlace, pair: LadderPair) {
        let mut score = PairScore::default();
        for game in pair.games() {
            match place.folder.ladder_summary(&self.manifest, game) {
                None => {}
                Some(Ok(summary)) => score = score.with(game, &summary, &self.manifest),
                Some(Err(error)) => {
                    self.unreadable.push_back(error);
                    score = score.with_unreadable();
                }
            }
        }
        if score.with_record() > 0 {
            self.history.add_score(pair, score);
        }
    }

    /// Counts a pair that has ended.
    fn count(&mut self) {
        self.left = self.left.map(|left| left.saturating_sub(1));
    }

    /// The pair to play next.
    fn plan(&mut self, place: &ShardPlace, own: &HashSet<String>) -> Result<Option<LadderPair>, RecordError> {
        let (begun, abandoned) = self.claimed(place, own)?;
        if abandoned.is_some() {
            return Ok(abandoned);
        }
        let is_free = |pair: &LadderPair| !begun.contains(pair) && !self.set_aside.contains(pair);
        if let Some(pair) = self.history.unfinished().find(is_free) {
            return Ok(Some(pair));
        }
        if let Some(pair) = self.retries.pop() {
            return Ok(Some(pair));
        }
        let is_asked_for = |pair: &LadderPair| !begun.contains(pair) && self.history.score(*pair).is_none();
        if let Some(request) = place.folder.requests(|pair| is_asked_for(&pair))?.first() {
            return Ok(Some(request.pair));
        }
        Ok(next_pair(&self.field, &mut self.history, &begun, self.rules))
    }
}

impl PairSource for LadderPairs {
    fn next_pair(&mut self, place: &ShardPlace, own: &HashSet<String>) -> Result<NextPair, RecordError> {
        if let Some(error) = self.unreadable.pop_front() {
            return Ok(NextPair::Unreadable(error));
        }
        if self.left.is_some_and(|left| left <= own.len()) {
            return Ok(NextPair::Nothing);
        }
        self.look_for_versions(place)?;
        let Some(pair) = self.plan(place, own)? else { return Ok(NextPair::Wait(POLL)) };
        let games = expected_pairing(&self.manifest, pair, self.opening_plies);
        let path = || place.folder.path_of(&pair.games()[0].to_string());
        let Some(games) = games.map_err(|unavailable| RecordError::Rules { path: path(), unavailable })? else {
            // A claim on a pair of agents that this ladder does not have: nobody can play it.
            self.history.know(pair);
            return Ok(NextPair::Wait(POLL));
        };
        self.begun.push(pair);
        Ok(NextPair::Pair(PairOfGames { key: self.begun.len() - 1, games: games.into() }))
    }

    fn on_ended(&mut self, key: usize, place: &ShardPlace, outcome: Settled) -> Result<(), RecordError> {
        let pair = self.begun[key];
        match outcome {
            Settled::Kept => self.count(),
            Settled::SetAside if self.set_aside.insert(pair) => self.retries.push(pair),
            // Void again: the ladder goes on without it.
            Settled::SetAside | Settled::GivenUp => {
                self.set_aside.insert(pair);
                self.history.know(pair);
                if !self.left_over.contains(&pair) {
                    self.count();
                }
            }
            Settled::Dropped => {}
        }
        self.look_at(place, pair);
        Ok(())
    }

    fn pass_of(&self, key: usize) -> Pass {
        if self.set_aside.contains(&self.begun[key]) { Pass::Last } else { Pass::First }
    }
}

/// The games of `pair` with their opening, as every machine plays them; `None` if the ladder has no such agents.
///
/// # Errors
///
/// Why a rules program did not answer.
pub fn expected_pairing(
    manifest: &Manifest,
    pair: LadderPair,
    opening_plies: u32,
) -> Result<Option<Vec<Pairing>>, RulesUnavailable> {
    let games: Option<Vec<Pairing>> = pair.games().into_iter().map(|game| game.pairing(manifest)).collect();
    games.map(|games| opened(manifest.game, manifest.seed, &games, opening_plies)).transpose()
}

impl PairScore {
    /// The score with one more game.
    #[must_use]
    fn with(self, game: LadderGame, summary: &GameSummary, manifest: &Manifest) -> Self {
        let first = usize::try_from(game.pair.agents[0]).ok().and_then(|index| manifest.agents.get(index));
        let half_points = match summary.winner() {
            None => 1,
            Some(side) if first.is_some_and(|first| first.name == summary.name(side)) => 2,
            Some(_) => 0,
        };
        Self { half_points: self.half_points + half_points, games: self.games + 1, ..self }
    }

    /// The score with one more game whose record cannot be read.
    #[must_use]
    const fn with_unreadable(self) -> Self {
        Self { unreadable: self.unreadable + 1, ..self }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tempfile::TempDir;

    use super::*;
    use crate::shards::AgentPool;
    use referee_games::KnownGames;
    use referee_records::{
        AdmissionRecord, AgentRecord, AgentRole, Claims, Conditions, ParticipantRecord, RunKind, StaleClaim,
        VersionRecord, VoidBlame,
    };
    use referee_seat::SeatOptions;
    use referee_submissions::agents::{AgentBuilder, SourceStore};
    use referee_time::CpuTime;

    /// A ladder with two participants and no games, as a process that plays it has it.
    fn ladder(path: &Path) -> (ShardPlace, LadderPairs) {
        let (game, known) = (referee_games::GameRef::all().next().unwrap(), KnownGames::builtin());
        let agent = |name: &str| AgentRecord::participant(name.to_owned(), "builtin:random".to_owned(), String::new());
        let participant = |name: &str, agent: u32| ParticipantRecord {
            name: name.to_owned(),
            key: name.to_owned(),
            withdrawn: false,
            not_taken_in: None,
            versions: vec![VersionRecord {
                number: 1,
                digest: None,
                received_unix_s: 0,
                admission: AdmissionRecord::Admitted { agent, since_pair: 0 },
            }],
        };
        let manifest = Manifest {
            kind: RunKind::Ladder,
            agents: vec![
                AgentRecord { role: AgentRole::Reference, ..agent("random") },
                agent("ada v1"),
                agent("bob v1"),
            ],
            participants: vec![participant("ada", 1), participant("bob", 2)],
            ..Manifest::new(game, Conditions::usual(game, CpuTime::from_secs(30)), 7)
        };
        let folder = RunFolder::begin(path, &manifest, &known).unwrap();
        let source = (folder.clone(), SourceStore::of_ladder(path.to_owned()));
        let builder = AgentBuilder::for_game(game).unwrap();
        let builds = path.join("builds");
        let place = ShardPlace {
            claims: Claims::in_folder(folder.claims(), None, StaleClaim::default()).unwrap(),
            agent_pool: AgentPool::new(source, &manifest, builder, SeatOptions::default(), builds).unwrap(),
            folder,
        };
        let rules = PlanRules { seed: 7, minimum_pairs: 10, random_percent: 20 };
        let pairs = LadderPairs::new(&place.folder, Arc::new(manifest), &[], (rules, 0), None).unwrap();
        (place, pairs)
    }

    /// The name of the pair that is claimed next.
    fn planned(pairs: &mut LadderPairs, place: &ShardPlace) -> String {
        let NextPair::Pair(pair) = pairs.next_pair(place, &HashSet::new()).unwrap() else {
            panic!("there are two agents")
        };
        pair.name().to_owned()
    }

    /// What is reported once another process has had `pair` and left its first `broken` games as unreadable records.
    fn reported(place: &ShardPlace, pairs: &mut LadderPairs, pair: LadderPair, broken: usize) -> Vec<String> {
        let [first, _] = pair.games();
        let claim = place.claims.claim(&first.to_string()).unwrap().unwrap();
        assert_ne!(planned(pairs, place), first.to_string(), "another process has it");
        for game in &pair.games()[..broken] {
            place.folder.keep_text(&game.to_string(), b"{").unwrap();
        }
        place.claims.release(&claim).unwrap();
        // What is planned is known before something is reported: the claims are listed for it.
        planned(pairs, place);
        let mut reported = Vec::new();
        while let NextPair::Unreadable(error) = pairs.next_pair(place, &HashSet::new()).unwrap() {
            reported.push(error.to_string());
        }
        reported
    }

    #[test]
    fn a_pair_of_void_games_is_played_again_by_the_next_process_if_its_versions_still_play() {
        let folder = TempDir::new().unwrap();
        let (place, first) = ladder(folder.path());
        let pairs = [[0, 1], [1, 2]].map(|agents| LadderPair { sequence: agents[1], agents, rated: true });
        for game in pairs.into_iter().flat_map(LadderPair::games) {
            place.folder.count_void(&game.to_string(), &[], "no chalk", VoidBlame::Rules).unwrap();
        }
        let mut manifest = Manifest::clone(&first.manifest);
        manifest.participants[1].withdrawn = true;
        let again = LadderPairs::new(&place.folder, Arc::new(manifest), &[], (first.rules, 0), None).unwrap();
        assert_eq!(again.left_over, BTreeSet::from([pairs[0]]));
        assert_eq!(again.history.last_sequence(), 2);
    }

    #[test]
    fn an_unreadable_record_is_reported_and_finished_and_one_alone_is_half_a_pair() {
        for (broken, next) in [(2, "g000002-"), (1, "g000001-0-1a")] {
            let folder = TempDir::new().unwrap();
            let (place, mut pairs) = ladder(folder.path());
            let pair = LadderPair { sequence: 1, agents: [0, 1], rated: true };
            let reported = reported(&place, &mut pairs, pair, broken);
            assert_eq!(reported.len(), broken, "{reported:?}");
            assert!(reported[0].contains("games/g000001-0-1a.json` is not a record of this program"), "{reported:?}");
            assert!(planned(&mut pairs, &place).starts_with(next), "{next}");
        }
    }
}
