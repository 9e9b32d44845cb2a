//! A ladder with its ratings, from all its games. `ladder` shows it, and `anonymization` asks whom it names.

use std::borrow::Borrow;

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
    /// The ladder of `manifest` from the `summaries` of its games, all of which it takes in any case; `None` if it is
    /// none, or has no settings.
    pub(super) fn of(
        folder: &RunFolder,
        manifest: &Manifest,
        assignment: Option<&Assignment>,
        summaries: impl Iterator<Item = impl Borrow<GameSummary>>,
    ) -> Result<Option<Self>, RecordError> {
        let rules = assignment.filter(|_| manifest.kind == RunKind::Ladder);
        let Some(rules) = rules.and_then(|assignment| assignment.ladder.clone()) else {
            summaries.for_each(drop);
            return Ok(None);
        };
        let standings = LadderStandings::of(manifest, summaries, None);
        let is_unfinished = |game: &LadderGame| !folder.has_game(&game.to_string());
        let waiting = folder.requests(|pair| pair.games().iter().any(is_unfinished))?;
        Ok(Some(Self { standings, rules, waiting }))
    }

    /// Whether the participant `name` is named to everybody, or on the page of the participant `own`.
    pub(super) fn names(&self, name: &str, own: Option<&str>) -> bool {
        let rank = |name: &str| self.standings.participants.iter().find(|one| one.name == name)?.rank;
        self.rules.named.names(rank(name), own.and_then(rank))
    }
}
