//! The report of a running run: reads each record once and keeps only what the page needs. `serve/watch` feeds it.
//!
//! A [`Ledger`] that has read all records of a run must give the same view as the
//! [`ReportSource`](super::ReportSource) of its folder. Of a ladder it has the games that are shown, the latest ones;
//! the others are counted again for each view, so that half a million need no memory.

use std::collections::{BTreeMap, HashSet};

use super::anonymization::{Naming, PageNames};
use super::assemble::{PlayedRecords, ReportError, view};
use super::counted_games::{AllGames, CountedGames};
use super::finished_game::FinishedGame;
use super::ladder::{ShownRun, with_shown_games};
use super::replay::ReplayedGame;
use super::view::{GameView, PageView, ReplayView};
use referee_course::assignment::Assignment;
use referee_matches::tournament::Results;
use referee_records::{GameRecord, LadderGame, Manifest, ManifestIndex, RunFolder, RunKind};

/// The kept data of a run's finished games, of a ladder of those that are shown.
#[derive(Debug, Default)]
pub struct Ledger {
    entries: BTreeMap<String, Result<FinishedGame, String>>,
}

/// The current state of a run, for spectators.
#[derive(Debug)]
pub struct RunSnapshot {
    /// The view.
    pub view: PageView,
    /// How many games are finished, also those of a ladder that it does not show.
    pub finished: usize,
    /// How many records cannot be read.
    pub unreadable: usize,
    pub(super) page_names: PageNames,
}

impl Ledger {
    /// Reads the record of the game `id`; remembers if it cannot be read.
    pub fn read(&mut self, folder: &RunFolder, index: &ManifestIndex<'_>, id: &str) {
        let entry = FinishedGame::read(folder, index, id).map(|(record, mut game)| {
            let is_analyzed = folder.path_of_analysis(id).exists();
            let replayed = is_analyzed.then(|| ReplayedGame::judge(folder, &record).ok()).flatten();
            game.lost = replayed.and_then(|replayed| replayed.lost());
            game
        });
        self.entries.insert(id.to_owned(), entry);
    }

    /// Forgets the game `id`, whose record is gone.
    pub fn forget(&mut self, id: &str) {
        self.entries.remove(id);
    }

    /// The number of readable finished games.
    pub fn finished(&self) -> usize {
        self.entries.values().flatten().count()
    }

    /// The winner of each game.
    pub fn results(&self) -> Results {
        let entries = self.entries.iter();
        let read = entries.filter_map(|(id, entry)| Some((id, entry.as_ref().ok()?)));
        read.map(|(id, entry)| (id.clone(), entry.summary.outcome.winner())).collect()
    }

    /// The current state of the run, from the records read; the answers of a grading are read each time.
    ///
    /// # Errors
    ///
    /// [`ReportError`] if the answers of a grading cannot be read.
    pub fn snapshot(
        &self,
        folder: &RunFolder,
        ShownRun { manifest, of_ladder }: &ShownRun,
        assignment: Option<&Assignment>,
        naming: &Naming,
    ) -> Result<RunSnapshot, ReportError> {
        let all = if manifest.kind == RunKind::Ladder {
            // Those that are shown count when they were read.
            let shown = manifest.games.iter().filter(|pairing| !self.entries.contains_key(&pairing.id));
            let unread: HashSet<LadderGame> = shown.filter_map(|pairing| pairing.id.parse().ok()).collect();
            let games: Vec<LadderGame> = of_ladder.iter().filter(|game| !unread.contains(game)).copied().collect();
            AllGames::of_ladder(folder, assignment, manifest, &games)?
        } else {
            let summaries = self.entries.values().flatten().map(|entry| &entry.summary);
            AllGames::listed(CountedGames::of(folder, assignment, manifest, summaries)?)
        };
        let AllGames { counted, of_ladder, unread } = all;
        let manifest = with_shown_games(manifest, &of_ladder, naming);
        let page_names = PageNames::new(naming.clone(), &manifest, &counted.standings, counted.ladder.as_ref());
        let played = self.played(&manifest, &page_names, unread);
        let (finished, unreadable) = (counted.finished, played.unreadable.len());
        let view = view(folder, &manifest, assignment, &counted, played, &page_names)?;
        Ok(RunSnapshot { view, finished, unreadable, page_names })
    }

    fn played(&self, manifest: &Manifest, page_names: &PageNames, unread: Vec<String>) -> PlayedRecords {
        let mut played = PlayedRecords::default();
        for pairing in page_names.in_order(manifest) {
            match self.entries.get(&pairing.id) {
                Some(Ok(entry)) => played.games.push(entry.line(page_names)),
                Some(Err(reason)) => played.unreadable.push(reason.clone()),
                None => {}
            }
        }
        played.unreadable.extend(unread);
        for game in self.entries.values().flatten() {
            played.count(game);
        }
        played
    }

    /// The line of the game `id` on the page of `page_names`, if it is finished.
    pub(super) fn line(&self, id: &str, page_names: &PageNames) -> Option<GameView> {
        let entry = self.entries.get(id)?.as_ref().ok()?;
        Some(entry.line(page_names))
    }
}

impl RunSnapshot {
    /// The real name of the game shown as `id`; `None` if the page has none.
    pub fn record_of(&self, id: &str) -> Option<&str> {
        self.page_names.real_id(id)
    }

    /// The turns of the game of `record` in `folder`; `None` if they contradict the rules.
    pub fn replay(&self, folder: &RunFolder, record: &GameRecord) -> Option<ReplayView> {
        ReplayedGame::judge(folder, record).and_then(|replayed| replayed.view(&self.page_names)).ok()
    }
}
