//! Watches the folder of a run, and publishes its changes as news. `run` starts it on a thread; it writes nothing.
//!
//! It polls, which works on every shared file system. A record is read once, when it is new; the folder of records is
//! listed only when it has changed. Editions are made only as often as is cheap: a run of 18,000 games is not counted
//! again after each of them. Of a ladder, only the games that the page shows are kept in memory.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::{Duration, Instant, SystemTime};

use super::latest_view::{LatestView, RunState, RunStatus, ViewVersion};
use crate::report::{Ledger, LiveView, Naming, ReportError, ShownRun};
use referee_course::assignment::Assignment;
use referee_records::{Changes, LiveFile, LiveGame, Manifest, ManifestIndex, RunFolder, RunKind, unix_ms};

/// The interval of polling running games.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The minimum interval between versions, ...
const MIN_INTERVAL: Duration = Duration::from_millis(700);

/// ... and as a multiple of the time to make one.
const COST_FACTOR: u32 = 20;

/// How long after the last activity a run counts as being played.
const ACTIVITY_TIMEOUT: Duration = Duration::from_mins(1);

/// Whether the run of a manifest is finished, given the results in the ledger.
pub type IsOver = dyn Fn(&Manifest, &Ledger) -> bool + Send;

/// A watched run.
pub struct WatchedRun {
    /// Its folder.
    pub folder: RunFolder,
    /// Its assignment.
    pub assignment: Option<Assignment>,
    /// The naming of agents.
    pub naming: Naming,
    /// Whether it is finished once every planned game is.
    pub is_over: Box<IsOver>,
}

/// How long to read records before polling running games again.
const READ_AT_A_TIME: Duration = Duration::from_millis(150);

/// The age at which a change is distinguishable from the next by its time, on a file system with any clock resolution.
const SETTLED: Duration = Duration::from_secs(2);

/// The state seen so far.
struct Watcher {
    watch: WatchedRun,
    run: ShownRun,
    ledger: Ledger,
    marks: Marks,
    /// The file from which each game was read.
    read: HashMap<String, u64>,
    unread: VecDeque<(String, u64)>,
    /// Whether everything present at first was read.
    is_complete: bool,
    games: BTreeMap<String, SeenGame>,
    /// The last sign of somebody playing.
    last_sign: Option<Instant>,
    /// Whether something changed since the last version.
    is_changed: bool,
    /// Whether the run was finished at the last change.
    is_over: bool,
    /// When the next version may be made.
    due: Instant,
}

/// The last seen state of each part of the folder.
#[derive(Default)]
struct Marks {
    manifest: Mark,
    games: Mark,
    answers: Mark,
    voids: Mark,
}

#[derive(Default)]
struct Mark(Option<SystemTime>);

/// A running game.
struct SeenGame {
    file: LiveFile,
    game: LiveGame,
    when: Instant,
}

/// Watches until the news end.
pub(super) fn watch(watch: WatchedRun, run: ShownRun, latest_view: &LatestView) {
    let mut watcher = Watcher::new(watch, run);
    while !latest_view.is_ended() {
        let began = Instant::now();
        watcher.look(latest_view);
        std::thread::sleep(POLL_INTERVAL.saturating_sub(began.elapsed()));
    }
}

/// The version before anything was read.
pub(super) fn first_version(watch: &WatchedRun, run: &ShownRun) -> Result<ViewVersion, ReportError> {
    // Of a ladder, half a million games would have to be counted.
    let unread = ShownRun { manifest: run.manifest.clone(), of_ladder: Vec::new() };
    let snapshot = Ledger::default().snapshot(&watch.folder, &unread, None, &watch.naming)?;
    let status = RunStatus { planned: run.planned(), ..RunStatus::default() };
    Ok(ViewVersion::new(snapshot, status))
}

impl Mark {
    /// Whether a part with this modification time has, or may have, changed since the last call.
    fn has_changed(&mut self, modified: Option<SystemTime>) -> bool {
        let has_changed = modified.is_some() && self.0 != modified;
        let is_settled = |modified: &SystemTime| modified.elapsed().is_ok_and(|age| age > SETTLED);
        self.0 = modified.filter(is_settled);
        has_changed
    }
}

impl Watcher {
    fn new(watch: WatchedRun, run: ShownRun) -> Self {
        Self {
            watch,
            run,
            ledger: Ledger::default(),
            marks: Marks::default(),
            read: HashMap::new(),
            unread: VecDeque::new(),
            is_complete: false,
            games: BTreeMap::new(),
            last_sign: None,
            is_changed: true,
            is_over: false,
            due: Instant::now(),
        }
    }

    fn look(&mut self, latest_view: &LatestView) {
        self.look_for_records();
        self.read_records();
        self.look_for_games();
        let version = latest_view.version();
        if Instant::now() >= self.due {
            if self.is_changed {
                self.is_over = self.is_finished();
            }
            let state = self.state();
            if self.is_changed || state != version.status.state {
                self.publish(latest_view, state, version.status.version + 1);
            }
        }
        let version = latest_view.version();
        let shown = self.games.values().filter_map(|seen| self.shown(&version, seen));
        latest_view.show_games(shown.collect());
    }

    fn look_for_records(&mut self) {
        let Changes { manifest, games, answers, voids } = self.watch.folder.changes();
        let mut is_planned = false;
        let is_played = self.marks.games.has_changed(games);
        if self.marks.manifest.has_changed(manifest) || (is_played && self.run.manifest.kind == RunKind::Ladder) {
            // A competition gets games round by round; a ladder has those that have a record.
            if let Ok(run) = ShownRun::read(&self.watch.folder, &self.watch.naming) {
                is_planned = run.manifest != self.run.manifest;
                self.is_changed |= is_planned;
                self.run = run;
            }
        }
        self.is_changed |= self.marks.answers.has_changed(answers);
        self.is_changed |= self.marks.voids.has_changed(voids);
        if is_played || is_planned {
            // If listing fails, the next poll retries.
            let ids = self.run.manifest.games.iter().map(|pairing| pairing.id.as_str());
            match self.watch.folder.game_files(ids) {
                Ok(files) => self.compare(files),
                Err(_) => self.marks.games = Mark::default(),
            }
        }
    }

    /// Finds new, removed and replaced files, and those of games that are not shown any more.
    fn compare(&mut self, mut there: HashMap<String, u64>) {
        let gone: Vec<String> =
            self.read.iter().filter(|(id, inode)| there.get(*id) != Some(inode)).map(|(id, _)| id.clone()).collect();
        for id in gone {
            self.read.remove(&id);
            self.ledger.forget(&id);
            self.is_changed = true;
        }
        let games = self.run.manifest.games.iter();
        let known = games.filter_map(|pairing| there.remove_entry(&pairing.id));
        self.unread = known.filter(|(id, _)| !self.read.contains_key(id)).collect();
    }

    /// Reads new records, for a while.
    fn read_records(&mut self) {
        if self.unread.is_empty() {
            self.is_complete = true;
            return;
        }
        let index = ManifestIndex::of(&self.run.manifest);
        let began = Instant::now();
        while began.elapsed() < READ_AT_A_TIME {
            let Some((id, inode)) = self.unread.pop_front() else {
                self.is_complete = true;
                return;
            };
            self.ledger.read(&self.watch.folder, &index, &id);
            self.read.insert(id, inode);
            self.is_changed = true;
            if self.is_complete {
                self.last_sign = Some(Instant::now());
            }
        }
    }

    fn look_for_games(&mut self) {
        let Ok(files) = self.watch.folder.live_files() else {
            return;
        };
        let mut before = std::mem::take(&mut self.games);
        for file in files {
            let known = before.remove(&file.id).filter(|seen| seen.file == file);
            let seen = known.or_else(|| self.read_game(file));
            self.games.extend(seen.map(|seen| (seen.game.id.clone(), seen)));
        }
    }

    /// The game in `file`, unless its writer is gone.
    fn read_game(&mut self, file: LiveFile) -> Option<SeenGame> {
        let game = self.watch.folder.live_game(&file.id)?;
        // A stale file is read again each time, and ignored each time.
        if game.is_forgotten(unix_ms()) {
            return None;
        }
        let when = Instant::now();
        self.last_sign = Some(when);
        Some(SeenGame { file, game, when })
    }

    fn shown(&self, version: &ViewVersion, seen: &SeenGame) -> Option<LiveView> {
        let is_alive = seen.when.elapsed() < LiveGame::GONE_AFTER;
        is_alive.then(|| version.snapshot.live(&self.run.manifest, &seen.game, &self.ledger))?
    }

    fn is_finished(&self) -> bool {
        let WatchedRun { folder, is_over, .. } = &self.watch;
        self.ledger.finished() >= self.run.manifest.games_in_all(|id| self.read.contains_key(id))
            && folder.answered(&self.run.manifest).len() >= self.run.manifest.answers.len()
            && is_over(&self.run.manifest, &self.ledger)
    }

    fn state(&self) -> RunState {
        if !self.is_complete {
            RunState::Reading
        } else if self.is_over {
            RunState::Over
        } else if self.last_sign.is_some_and(|sign| sign.elapsed() < ACTIVITY_TIMEOUT) {
            RunState::Playing
        } else {
            RunState::Waiting
        }
    }

    fn publish(&mut self, latest_view: &LatestView, state: RunState, version: u64) {
        let began = Instant::now();
        let WatchedRun { folder, assignment, naming, .. } = &self.watch;
        // If a grading cannot be counted now, it is counted after the next change.
        if let Ok(snapshot) = self.ledger.snapshot(folder, &self.run, assignment.as_ref(), naming) {
            let status = RunStatus {
                version,
                state,
                finished: snapshot.finished,
                planned: self.run.planned(),
                unreadable: snapshot.unreadable,
            };
            latest_view.publish(ViewVersion::new(snapshot, status));
        }
        self.is_changed = false;
        self.due = Instant::now() + MIN_INTERVAL.max(COST_FACTOR * began.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_young_change_may_hide_another() {
        let mut mark = Mark::default();
        let (young, old) = (SystemTime::now(), SystemTime::now() - Duration::from_mins(1));
        assert!(!mark.has_changed(None));
        assert!(mark.has_changed(Some(old)) && !mark.has_changed(Some(old)));
        assert!(mark.has_changed(Some(young)) && mark.has_changed(Some(young)));
        assert!(mark.has_changed(Some(old)) && !mark.has_changed(Some(old)));
        let ahead = SystemTime::now() + Duration::from_mins(1);
        assert!(mark.has_changed(Some(ahead)) && mark.has_changed(Some(ahead)), "another machine's clock");
    }
}
