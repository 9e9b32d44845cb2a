//! Publishes the running games as small files in the run's folder, for pages served by another process.
//!
//! Local runs and shards send it their events. Nothing is computed from its files. No game may wait for it, however
//! slow the disk is: its own thread writes the files. A fast game is published at most every [`PACE`]. A failed write
//! is ignored.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::RunEvent;
use crate::referee::GameSnapshot;
use referee_records::{LastTurn, LiveGame, RunFolder, SCHEMA, unix_ms};

/// The minimum interval between two updates of a game: as often as a server looks.
const PACE: Duration = Duration::from_millis(200);

/// How long the last position of a finished game stays, so that pollers see it.
const SHOWN_AFTER_END: Duration = Duration::from_secs(2);

/// Publishes games from events. Closing it removes its files.
#[derive(Debug)]
pub struct LiveFeed {
    queue: Arc<FeedQueue>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

/// The state shared with the writing thread.
#[derive(Debug, Default)]
struct FeedQueue {
    games: Mutex<Games>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Games {
    by_id: BTreeMap<Arc<str>, FedGame>,
    closed: bool,
}

/// A game and its publishing state.
#[derive(Debug)]
struct FedGame {
    snapshot: Arc<GameSnapshot>,
    /// The position one turn earlier, if known.
    before: Option<Arc<GameSnapshot>>,
    /// When the current position first stood, in milliseconds since 1970.
    since_unix_ms: u64,
    /// Whether the current position is published.
    is_written: bool,
    /// The time of the last update.
    written: Option<Instant>,
    /// When to remove its file; `None` while it is in progress.
    remove_at: Option<Instant>,
}

impl FedGame {
    fn new(snapshot: &Arc<GameSnapshot>) -> Self {
        Self {
            snapshot: Arc::clone(snapshot),
            before: None,
            since_unix_ms: unix_ms(),
            is_written: false,
            written: None,
            remove_at: None,
        }
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

    /// When the game needs attention.
    fn due(&self, now: Instant) -> Instant {
        match (self.is_written, self.written, self.remove_at) {
            (false, None, _) => now,
            (false, Some(written), _) => written + PACE,
            (true, _, Some(remove_at)) => remove_at,
            (true, written, None) => written.unwrap_or(now) + LiveGame::HEARTBEAT,
        }
    }
}

/// The writing thread's next action.
enum FeedStep {
    Write(Box<LiveGame>),
    Remove(Arc<str>),
    Wait(Duration),
    End(Vec<Arc<str>>),
}

impl LiveFeed {
    /// Publishes games in `folder`, after removing leftovers of others.
    pub fn new(folder: RunFolder) -> Self {
        let queue = Arc::new(FeedQueue::default());
        let shared = Arc::clone(&queue);
        let writer = std::thread::Builder::new().name("live-feed".to_owned());
        // Without the thread, nothing is published; the games continue.
        let writer = writer.spawn(move || shared.write_until_closed(&folder)).ok();
        Self { queue, writer: Mutex::new(writer) }
    }

    /// Handles an event.
    pub fn on_event(&self, event: &RunEvent) {
        match event {
            RunEvent::PositionChanged(id, snapshot) => self.queue.set_position(id, snapshot),
            RunEvent::GameFinished(record) => self.queue.finish(&record.id),
            RunEvent::Superseded { id } => self.queue.finish(id),
            RunEvent::Voided { id, .. } => self.queue.void(id),
            RunEvent::GameBegan(_) | RunEvent::Asked(_) | RunEvent::Answered(_) => {}
        }
    }

    /// Stops publishing and removes all files.
    pub fn close(&self) {
        self.queue.games().closed = true;
        self.queue.changed.notify_one();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A panic of the thread was already reported.
        drop(writer.map(JoinHandle::join));
    }
}

impl FeedQueue {
    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_position(&self, id: &Arc<str>, snapshot: &Arc<GameSnapshot>) {
        let mut games = self.games();
        if games.closed {
            return;
        }
        let same = games.by_id.get_mut(id);
        // With fewer turns, it is a replay from the start.
        let known = same.filter(|game| game.snapshot.turns < snapshot.turns);
        // A game that is already due to be written needs no wake-up for each turn.
        let is_waited_for = known.as_ref().is_some_and(|game| !game.is_written);
        if let Some(game) = known {
            game.before = Some(std::mem::replace(&mut game.snapshot, Arc::clone(snapshot)));
            game.since_unix_ms = unix_ms();
            game.is_written = false;
            game.remove_at = None;
        } else {
            games.by_id.insert(Arc::clone(id), FedGame::new(snapshot));
        }
        drop(games);
        if !is_waited_for {
            self.changed.notify_one();
        }
    }

    /// The game is finished and recorded.
    fn finish(&self, id: &str) {
        if let Some(game) = self.games().by_id.get_mut(id) {
            game.remove_at = Some(Instant::now() + SHOWN_AFTER_END);
        }
        self.changed.notify_one();
    }

    /// The game will be replayed.
    fn void(&self, id: &str) {
        if let Some(game) = self.games().by_id.get_mut(id) {
            game.is_written = true;
            game.remove_at = Some(Instant::now());
        }
        self.changed.notify_one();
    }

    /// Writes until closed.
    fn write_until_closed(&self, folder: &RunFolder) {
        drop(folder.remove_leftovers());
        let mut games = self.games();
        loop {
            match games.due(Instant::now()) {
                FeedStep::Wait(pause) => {
                    let woken = self.changed.wait_timeout(games, pause);
                    games = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
                FeedStep::Write(game) => {
                    drop(games);
                    drop(folder.publish(&game));
                    games = self.games();
                }
                FeedStep::Remove(id) => {
                    drop(games);
                    drop(folder.unpublish(&id));
                    games = self.games();
                }
                FeedStep::End(ids) => {
                    for id in ids {
                        drop(folder.unpublish(&id));
                    }
                    return;
                }
            }
        }
    }
}

impl Games {
    fn due(&mut self, now: Instant) -> FeedStep {
        if self.closed {
            return FeedStep::End(std::mem::take(&mut self.by_id).into_keys().collect());
        }
        let Some((id, game)) = self.by_id.iter_mut().min_by_key(|(_, game)| game.due(now)) else {
            return FeedStep::Wait(LiveGame::HEARTBEAT);
        };
        let due = game.due(now);
        if due > now {
            return FeedStep::Wait(due - now);
        }
        if game.is_written && game.remove_at.is_some() {
            let id = Arc::clone(id);
            self.by_id.remove(&id);
            return FeedStep::Remove(id);
        }
        game.is_written = true;
        game.written = Some(now);
        FeedStep::Write(Box::new(game.file(id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee_games::Side;
    use referee_records::PerSide;

    fn snapshot(turns: usize) -> Arc<GameSnapshot> {
        Arc::new(GameSnapshot {
            turns,
            notes: String::new(),
            board: format!("{turns}\n"),
            at_work: Some(Side::Black),
            clocks: PerSide::default(),
            last: None,
        })
    }

    /// A description of the action at `now`.
    fn step(queue: &FeedQueue, now: Instant) -> String {
        match queue.games().due(now) {
            FeedStep::Write(game) => format!("write {} {} after {:?}", game.id, game.turns, game.before),
            FeedStep::Remove(id) => format!("remove {id}"),
            FeedStep::Wait(pause) => format!("wait {}", pause.as_millis().div_ceil(100)),
            FeedStep::End(ids) => format!("end {ids:?}"),
        }
    }

    #[test]
    fn games_are_written_at_once_then_at_a_pace_then_now_and_then() {
        let queue = FeedQueue::default();
        let start = Instant::now() + Duration::from_secs(1);
        let at = |millis| start + Duration::from_millis(millis);
        assert_eq!(step(&queue, at(0)), "wait 100");
        queue.set_position(&"g1".into(), &snapshot(0));
        assert_eq!(step(&queue, at(0)), "write g1 0 after []");
        assert_eq!(step(&queue, at(0)), "wait 100");
        for turns in 1..=3 {
            queue.set_position(&"g1".into(), &snapshot(turns));
        }
        assert_eq!(step(&queue, at(0)), "wait 2");
        queue.set_position(&"g2".into(), &snapshot(0));
        assert_eq!(step(&queue, at(1)), "write g2 0 after []");
        assert_eq!(step(&queue, at(200)), r#"write g1 3 after ["2"]"#);
        assert_eq!(step(&queue, at(10_001)), "write g2 0 after []");
    }

    #[test]
    fn the_last_position_is_written_before_the_game_is_removed() {
        let queue = FeedQueue::default();
        // Later than anything in this test.
        let late = Instant::now() + Duration::from_mins(1);
        queue.set_position(&"g1".into(), &snapshot(0));
        queue.set_position(&"g1".into(), &snapshot(1));
        queue.finish("g1");
        assert_eq!(step(&queue, late), r#"write g1 1 after ["0"]"#);
        assert_eq!(step(&queue, late), "remove g1");
        assert_eq!(step(&queue, late), "wait 100");
    }

    #[test]
    fn a_void_game_is_removed_and_comes_back_from_its_start() {
        let queue = FeedQueue::default();
        let late = Instant::now() + Duration::from_mins(1);
        queue.set_position(&"g1".into(), &snapshot(5));
        queue.void("g1");
        assert_eq!(step(&queue, late), "remove g1");
        queue.set_position(&"g1".into(), &snapshot(5));
        queue.set_position(&"g1".into(), &snapshot(0));
        assert_eq!(step(&queue, late), "write g1 0 after []");
        queue.games().closed = true;
        assert_eq!(step(&queue, late), r#"end ["g1"]"#);
    }
}
