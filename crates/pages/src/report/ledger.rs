//! The report of a running run: reads each record once and keeps only what the page needs. `serve/watch` feeds it.
//!
//! A [`Ledger`] that has read all records of a run must give the same view as the
//! [`ReportSource`](super::ReportSource) of its folder.

use std::collections::BTreeMap;

use super::anonymization::{Naming, PageNames};
use super::assemble::{CountedGames, PlayedRecords, ReportError, view};
use super::finished_game::FinishedGame;
use super::ladder::with_shown_games;
use super::replay::ReplayedGame;
use super::view::{GameView, PageView, ReplayView};
use referee_course::assignment::Assignment;
use referee_matches::tournament::Results;
use referee_records::{GameRecord, GameSummary, Manifest, ManifestIndex, RunFolder};

/// The kept data of a run's finished games.
#[derive(Debug, Default)]
pub struct Ledger {
    entries: BTreeMap<String, Result<FinishedGame, String>>,
}

/// The current state of a run, for spectators.
#[derive(Debug)]
pub struct RunSnapshot {
    /// The view.
    pub view: PageView,
    pub(super) page_names: PageNames,
}

impl Ledger {
    /// Reads the record of the game `id`; remembers if it cannot be read.
    pub fn read(&mut self, folder: &RunFolder, index: &ManifestIndex<'_>, id: &str) {
        let entry = FinishedGame::read(folder, index, id).map(|(record, game)| {
            let is_analyzed = folder.path_of_analysis(id).exists();
            let replayed = is_analyzed.then(|| ReplayedGame::judge(folder, &record).ok()).flatten();
            game.with_loss(replayed.and_then(|replayed| replayed.lost()))
        });
        self.entries.insert(id.to_owned(), entry);
    }

    /// Forgets the game `id`, whose record is gone.
    pub fn forget(&mut self, id: &str) {
        self.entries.remove(id);
    }

    /// The number of readable finished games.
    pub fn len(&self) -> usize {
        self.entries.values().flatten().count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Why records could not be read: one sentence each, safe on a terminal.
    pub fn unreadable(&self) -> impl Iterator<Item = &str> {
        self.entries.values().filter_map(|entry| entry.as_ref().err()).map(String::as_str)
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
        manifest: &Manifest,
        assignment: Option<&Assignment>,
        naming: &Naming,
    ) -> Result<RunSnapshot, ReportError> {
        let summaries: Vec<&GameSummary> = self.entries.values().flatten().map(|entry| &entry.summary).collect();
        let counted = CountedGames::of(folder, assignment, manifest, summaries)?;
        let manifest = with_shown_games(manifest, naming);
        let page_names = PageNames::new(naming.clone(), &manifest, &counted.standings, counted.ladder.as_ref());
        let played = self.played(&manifest, &page_names);
        let view = view(folder, &manifest, assignment, &counted, played, &page_names)?;
        Ok(RunSnapshot { view, page_names })
    }

    fn played(&self, manifest: &Manifest, page_names: &PageNames) -> PlayedRecords {
        let mut played =
            PlayedRecords { unreadable: self.unreadable().map(str::to_owned).collect(), ..PlayedRecords::default() };
        for pairing in page_names.in_order(manifest) {
            if let Some(Ok(entry)) = self.entries.get(&pairing.id) {
                played.games.push(entry.line(page_names));
            }
        }
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
