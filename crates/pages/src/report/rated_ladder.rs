//! A ladder with its ratings, from all its games. `ladder` shows it, and `anonymization` asks whom it names.

use std::collections::BTreeSet;

use referee_course::assignment::{Assignment, LadderRules};
use referee_matches::ladder::LadderStandings;
use referee_records::{GameSummary, LadderGame, LadderRequest, Manifest, RecordError, RunFolder, RunKind};

/// What is known of a ladder beside its games.
pub(super) struct RatedLadder {
    pub(super) standings: LadderStandings,
    pub(super) rules: LadderRules,
    /// Requested pairs of which not all games are finished.
    pub(super) waiting: Vec<LadderRequest>,
}

impl RatedLadder {
    /// The ladder of `manifest`, which has all its finished games; `None` if it is none, or has no settings.
    pub(super) fn of<'a>(
        folder: &RunFolder,
        manifest: &Manifest,
        assignment: Option<&Assignment>,
        summaries: impl IntoIterator<Item = &'a GameSummary> + Clone,
    ) -> Result<Option<Self>, RecordError> {
        let rules = assignment.filter(|_| manifest.kind == RunKind::Ladder);
        let Some(rules) = rules.and_then(|assignment| assignment.ladder.clone()) else {
            return Ok(None);
        };
        let finished: BTreeSet<&str> = manifest.games.iter().map(|pairing| pairing.id.as_str()).collect();
        let is_unfinished = |game: &LadderGame| !finished.contains(game.to_string().as_str());
        let waiting = folder.requests(|pair| pair.games().iter().any(is_unfinished))?;
        Ok(Some(Self { standings: LadderStandings::of(manifest, summaries, None), rules, waiting }))
    }

    /// Whether the participant `name` is named to everybody, or on the page of the participant `own`.
    pub(super) fn names(&self, name: &str, own: Option<&str>) -> bool {
        let rank = |name: &str| self.standings.participants.iter().find(|one| one.name == name)?.rank;
        self.rules.named.names(rank(name), own.and_then(rank))
    }
}
