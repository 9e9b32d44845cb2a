//! Counts the games of a run from their summaries. `assemble` and `ledger` call it; it reads no record as a whole.
//!
//! A ladder has half a million games, so no summary is kept, and of each game no more than its name in numbers.

use std::borrow::Borrow;

use super::ladder::is_rated;
use super::rated_ladder::RatedLadder;
use referee_course::assignment::{Assignment, standings_of};
use referee_games::protocol::plain;
use referee_matches::tournament::{Crosstable, RatingOptions, Ratings, Results, Standings, ratings};
use referee_records::{GameSummary, LadderGame, Manifest, RecordError, RunFolder, RunKind};

/// The counts from the games.
pub(super) struct CountedGames {
    pub(super) standings: Standings,
    /// Who won each game of a run that lists its games.
    pub(super) results: Results,
    pub(super) ratings: Ratings,
    pub(super) ladder: Option<RatedLadder>,
    /// How many games are finished, also those that the page does not show.
    pub(super) finished: usize,
}

/// All games of a run, counted.
pub(super) struct AllGames {
    pub(super) counted: CountedGames,
    /// Those of a ladder that were read, in the order in which they were planned; of other runs the manifest has them.
    pub(super) of_ladder: Vec<LadderGame>,
    /// Why records of a ladder are missing from the counts; those of other runs are reported by each page.
    pub(super) unread: Vec<String>,
}

impl AllGames {
    /// Those of a run that lists its games.
    pub(super) const fn listed(counted: CountedGames) -> Self {
        Self { counted, of_ladder: Vec::new(), unread: Vec::new() }
    }

    /// Reads the summaries of all games of the run of `manifest`.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the requests of a ladder cannot be read.
    pub(super) fn read(
        folder: &RunFolder,
        assignment: Option<&Assignment>,
        manifest: &Manifest,
    ) -> Result<Self, RecordError> {
        if manifest.kind == RunKind::Ladder {
            return Self::of_ladder(folder, assignment, manifest, &folder.ladder_games());
        }
        let summaries = folder.summaries(manifest).filter_map(Result::ok);
        CountedGames::of(folder, assignment, manifest, summaries).map(Self::listed)
    }

    /// Reads the summaries of these games of a ladder.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if the requests cannot be read.
    pub(super) fn of_ladder(
        folder: &RunFolder,
        assignment: Option<&Assignment>,
        manifest: &Manifest,
        games: &[LadderGame],
    ) -> Result<Self, RecordError> {
        let (mut of_ladder, mut unread) = (Vec::with_capacity(games.len()), Vec::new());
        let summaries = folder.ladder_summaries(manifest, games).filter_map(|(game, summary)| match summary {
            Ok(summary) => {
                of_ladder.push(game);
                Some(summary)
            }
            Err(error) => {
                unread.push(plain(&error.to_string()));
                None
            }
        });
        let counted = CountedGames::of(folder, assignment, manifest, summaries)?;
        Ok(Self { counted, of_ladder, unread })
    }
}

impl CountedGames {
    /// Counts the games in `summaries`, all that were read.
    pub(super) fn of(
        folder: &RunFolder,
        assignment: Option<&Assignment>,
        manifest: &Manifest,
        summaries: impl IntoIterator<Item = impl Borrow<GameSummary>>,
    ) -> Result<Self, RecordError> {
        let mut table = Crosstable::new(manifest.agents.iter().map(|agent| agent.name.as_str()));
        let (mut results, mut finished) = (Results::new(), 0);
        let counted = summaries.into_iter().inspect(|summary| {
            let summary = summary.borrow();
            finished += 1;
            if is_rated(manifest, &summary.id) {
                table.add(summary);
            }
            if manifest.kind != RunKind::Ladder {
                results.insert(summary.id.clone(), summary.outcome.winner());
            }
        });
        let ladder = RatedLadder::of(folder, manifest, assignment, counted)?;
        let standings = standings_of(assignment, manifest, &table, &results);
        Ok(Self {
            // The ranks of a ladder are those of its participants.
            standings: if ladder.is_some() { standings } else { standings.with_certainty(&table) },
            results,
            ratings: ratings(&table, &RatingOptions::default()),
            ladder,
            finished,
        })
    }
}
