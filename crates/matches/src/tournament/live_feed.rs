//! Publishes the running games as small files in the run's folder, for pages served by another process.
//!
//! Local runs and shards send it their events. Nothing is computed from its files. No game may wait for it, however
//! slow the disk is: its own thread writes the files. A fast game is published at most every [`PACE`]. A failed write
//! is ignored.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::RunEvent;
use crate::referee::GameSnapshot;
use referee_records::{LastTurn, LiveGame, RunFolder, SCHEMA, unix_ms};

/// The minimum interval between two updates of a game: as often as a server looks.
const PACE: Duration = Duration::from_millis(200);

/// How long the last position of a finished game stays, so that pollers see it.
const SHOWN_AFTER_END: Duration = Duration::from_secs(2);

/// Publishes games from events. Closing it removes its files.
#[derive(Debug)]
pub struct LiveFeed(Mutex<Option<(Sender<FeedChange>, JoinHandle<()>)>>);

/// What the writing thread is told.
#[derive(Debug)]
enum FeedChange {
    /// The position of a game, and since when it stands, in milliseconds since 1970.
    Position(Arc<str>, Arc<GameSnapshot>, u64),
    Finished(String),
    Voided(String),
}

impl LiveFeed {
    /// Publishes games in `folder`, after removing leftovers of others.
    pub fn new(folder: RunFolder) -> Self {
        let (changes, heard) = channel();
        let writer = thread::Builder::new().name("live-feed".to_owned());
        // Without the thread, nothing is published; the games continue.
        let writer = writer.spawn(move || write_until_closed(&folder, &heard)).ok();
        Self(Mutex::new(writer.map(|writer| (changes, writer))))
    }

    /// Handles an event.
    pub fn on_event(&self, event: &RunEvent) {
        let change = match event {
            RunEvent::PositionChanged(id, snapshot) => {
                FeedChange::Position(Arc::clone(id), Arc::clone(snapshot), unix_ms())
            }
            RunEvent::GameFinished(record) => FeedChange::Finished(record.id.clone()),
            RunEvent::Superseded { id } => FeedChange::Finished(id.clone()),
            RunEvent::Voided { id, .. } => FeedChange::Voided(id.clone()),
            RunEvent::GameBegan(_) | RunEvent::Asked(_) | RunEvent::Answered(_) => return,
        };
        if let Some((changes, _)) = &*self.0.lock() {
            // A panic of the thread was already reported.
            drop(changes.send(change));
        }
    }

    /// Stops publishing and removes all files.
    pub fn close(&self) {
        let open = self.0.lock().take();
        if let Some((changes, writer)) = open {
            drop(changes);
            writer.thread().unpark();
            drop(writer.join());
        }
    }
}

fn write_until_closed(folder: &RunFolder, changes: &Receiver<FeedChange>) {
    drop(folder.remove_leftovers());
    let mut games = FedGames::default();
    loop {
        match changes.recv_timeout(games.pause(Instant::now())) {
            Ok(change) => games.apply(change),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        for change in changes.try_iter() {
            games.apply(change);
        }
        for (id, game) in games.due(Instant::now()) {
            match game {
                Some(game) => drop(folder.publish(&game)),
                None => drop(folder.unpublish(&id)),
            }
        }
        // Not woken for each turn: what changes meanwhile is written at once. Closing ends it.
        thread::park_timeout(PACE);
    }
    for id in games.0.keys() {
        drop(folder.unpublish(id));
    }
}

/// The games that have a file, or get one.
#[derive(Debug, Default)]
struct FedGames(BTreeMap<Arc<str>, FedGame>);

/// A game and its publishing state.
#[derive(Debug)]
struct FedGame {
    snapshot: Arc<GameSnapshot>,
    /// The position one turn earlier, if known.
    before: Option<Arc<GameSnapshot>>,
    /// When the current position first stood, in milliseconds since 1970.
    since_unix_ms: u64,
    /// When the current position was published last; `None` if it was not yet.
    written: Option<Instant>,
    /// When to remove its file; `None` while it is in progress.
    remove_at: Option<Instant>,
}

impl FedGames {
    fn apply(&mut self, change: FeedChange) {
        match change {
            FeedChange::Position(id, snapshot, since_unix_ms) => {
                // With no more turns than before, it is a replay from the start.
                let known = self.0.remove(&id).filter(|game| game.snapshot.turns < snapshot.turns);
                let before = known.map(|game| game.snapshot);
                self.0.insert(id, FedGame { snapshot, before, since_unix_ms, written: None, remove_at: None });
            }
            FeedChange::Finished(id) => {
                if let Some(game) = self.0.get_mut(&*id) {
                    game.remove_at = Some(Instant::now() + SHOWN_AFTER_END);
                }
            }
            FeedChange::Voided(id) => {
                if let Some(game) = self.0.get_mut(&*id) {
                    let now = Instant::now();
                    (game.written, game.remove_at) = (Some(now), Some(now));
                }
            }
        }
    }

    /// The games to write now, and those whose files to remove.
    fn due(&mut self, now: Instant) -> Vec<(Arc<str>, Option<LiveGame>)> {
        let mut due = Vec::new();
        self.0.retain(|id, game| {
            let is_over = game.written.is_some() && game.remove_at.is_some_and(|remove_at| remove_at <= now);
            if is_over || game.next() <= Some(now) {
                due.push((Arc::clone(id), (!is_over).then(|| game.file(id))));
                game.written = Some(now);
            }
            !is_over
        });
        due
    }

    /// How long nothing is to be done, unless a game changes.
    fn pause(&self, now: Instant) -> Duration {
        let next = self.0.values().filter_map(FedGame::next).min();
        next.map_or(LiveGame::HEARTBEAT, |next| next.saturating_duration_since(now))
    }
}

impl FedGame {
    /// When it is written again or removed; `None` if its position is not written yet.
    fn next(&self) -> Option<Instant> {
        self.written.map(|written| self.remove_at.unwrap_or(written + LiveGame::HEARTBEAT))
    }

    /// The published form of the game `id`.
    fn file(&self, id: &str) -> LiveGame {
        let GameSnapshot { turns, at_work, clocks, .. } = *self.snapshot;
        LiveGame {
            schema: SCHEMA,
            id: id.to_owned(),
            turns,
            rows: self.snapshot.rows(),
            notes: self.snapshot.notes.clone(),
            before: self.before.as_ref().map(|before| before.rows()).unwrap_or_default(),
            at_work,
            since_unix_ms: self.since_unix_ms,
            written_unix_ms: unix_ms(),
            clocks,
            last: self.snapshot.last.clone().map(|(side, mv)| LastTurn { side, mv }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_games::Side;
    use referee_records::PerSide;

    fn position(id: &str, turns: usize) -> FeedChange {
        let snapshot = GameSnapshot {
            turns,
            notes: String::new(),
            board: format!("{turns}\n"),
            at_work: Some(Side::Black),
            clocks: PerSide::default(),
            last: None,
        };
        FeedChange::Position(id.into(), Arc::new(snapshot), 0)
    }

    /// What is done at `now`, after `changes`.
    fn done<const N: usize>(games: &mut FedGames, changes: [FeedChange; N], now: Instant) -> Vec<String> {
        for change in changes {
            games.apply(change);
        }
        let done = games.due(now).into_iter().map(|(id, game)| match game {
            Some(game) => format!("write {id} {} after {:?}", game.turns, game.before),
            None => format!("remove {id}"),
        });
        done.collect()
    }

    const NOTHING: [&str; 0] = [];

    #[test]
    fn a_position_is_written_once_and_then_now_and_then() {
        let mut games = FedGames::default();
        let start = Instant::now() + Duration::from_secs(1);
        let at = |millis| start + Duration::from_millis(millis);
        assert_eq!(games.pause(at(0)), LiveGame::HEARTBEAT);
        assert_eq!(done(&mut games, [position("g1", 0)], at(0)), ["write g1 0 after []"]);
        assert_eq!(done(&mut games, [], at(0)), NOTHING);
        let changes = [position("g1", 1), position("g1", 2), position("g2", 0), position("g1", 3)];
        assert_eq!(done(&mut games, changes, at(200)), [r#"write g1 3 after ["2"]"#, "write g2 0 after []"]);
        assert_eq!(done(&mut games, [position("g1", 4)], at(400)), [r#"write g1 4 after ["3"]"#]);
        assert_eq!(games.pause(at(400)), Duration::from_millis(9_800));
        assert_eq!(done(&mut games, [], at(10_200)), ["write g2 0 after []"]);
    }

    #[test]
    fn the_last_position_is_written_before_the_game_is_removed() {
        let mut games = FedGames::default();
        // Later than anything in this test.
        let late = Instant::now() + Duration::from_mins(1);
        let changes = [position("g1", 0), position("g1", 1), FeedChange::Finished("g1".to_owned())];
        assert_eq!(done(&mut games, changes, late), [r#"write g1 1 after ["0"]"#]);
        assert_eq!(done(&mut games, [], late), ["remove g1"]);
        assert_eq!(done(&mut games, [], late), NOTHING);
    }

    #[test]
    fn a_void_game_is_removed_and_comes_back_from_its_start() {
        let mut games = FedGames::default();
        let late = Instant::now() + Duration::from_mins(1);
        assert_eq!(done(&mut games, [position("g1", 5), FeedChange::Voided("g1".to_owned())], late), ["remove g1"]);
        let changes = [position("g1", 5), position("g1", 0)];
        assert_eq!(done(&mut games, changes, late), ["write g1 0 after []"]);
    }
}
