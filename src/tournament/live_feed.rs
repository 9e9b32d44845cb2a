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
use crate::records::{LastTurn, LiveGame, RunFolder, SCHEMA, unix_ms};
use crate::referee::Scene;

/// The minimum interval between two updates of a game: as often as a server looks.
const PACE: Duration = Duration::from_millis(200);

/// How long the last position of a finished game stays, so that pollers see it.
const CURTAIN: Duration = Duration::from_secs(2);

/// Publishes games from events. Closing it removes its files.
#[derive(Debug)]
pub struct LiveFeed {
    stage: Arc<FeedQueue>,
    teller: Mutex<Option<JoinHandle<()>>>,
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
    scene: Arc<Scene>,
    /// The position one turn earlier, if known.
    before: Option<Arc<Scene>>,
    /// When the current position first stood, in milliseconds since 1970.
    since_unix_ms: u64,
    /// Whether the current position is published.
    is_told: bool,
    /// The time of the last update.
    told: Option<Instant>,
    /// When to remove its file; `None` while it is in progress.
    gone: Option<Instant>,
}

impl FedGame {
    fn new(scene: &Arc<Scene>) -> Self {
        Self {
            scene: Arc::clone(scene),
            before: None,
            since_unix_ms: unix_ms(),
            is_told: false,
            told: None,
            gone: None,
        }
    }

    /// The published form of the game `id`.
    fn telling(&self, id: &str) -> LiveGame {
        let Scene {
            turns, at_work, clocks, ..
        } = *self.scene;
        LiveGame {
            schema: SCHEMA,
            id: id.to_owned(),
            turns,
            rows: self.scene.rows(),
            before: self.before.as_ref().map(|before| before.rows()).unwrap_or_default(),
            at_work,
            since_unix_ms: self.since_unix_ms,
            told_unix_ms: unix_ms(),
            clocks,
            last: self.scene.last.clone().map(|(side, mv)| LastTurn { side, mv }),
        }
    }

    /// When the game needs attention.
    fn due(&self, now: Instant) -> Instant {
        match (self.is_told, self.told, self.gone) {
            (false, None, _) => now,
            (false, Some(told), _) => told + PACE,
            (true, _, Some(gone)) => gone,
            (true, told, None) => told.unwrap_or(now) + LiveGame::BEAT,
        }
    }
}

/// The writing thread's next action.
enum FeedStep {
    Tell(Box<LiveGame>),
    Untell(Arc<str>),
    Wait(Duration),
    End(Vec<Arc<str>>),
}

impl LiveFeed {
    /// Publishes games in `folder`, after removing leftovers of others.
    pub fn new(folder: RunFolder) -> Self {
        let stage = Arc::new(FeedQueue::default());
        let shared = Arc::clone(&stage);
        let teller = std::thread::Builder::new().name("in-hand".to_owned());
        // Without the thread, nothing is published; the games continue.
        let teller = teller.spawn(move || shared.tell_on(&folder)).ok();
        Self {
            stage,
            teller: Mutex::new(teller),
        }
    }

    /// Handles an event.
    pub fn on_event(&self, event: &RunEvent) {
        match event {
            RunEvent::Stands(id, scene) => self.stage.stand(id, scene),
            RunEvent::Finished(record) => self.stage.finish(&record.id),
            RunEvent::Superseded { id } => self.stage.finish(id),
            RunEvent::Voided { id, .. } => self.stage.void(id),
            RunEvent::Began(_) | RunEvent::Asked(_) | RunEvent::Answered(_) => {}
        }
    }

    /// Stops publishing and removes all files.
    pub fn close(&self) {
        self.stage.games().closed = true;
        self.stage.changed.notify_one();
        let teller = self.teller.lock().unwrap_or_else(PoisonError::into_inner).take();
        // A panic of the thread was already reported.
        drop(teller.map(JoinHandle::join));
    }
}

impl FeedQueue {
    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stand(&self, id: &Arc<str>, scene: &Arc<Scene>) {
        let mut games = self.games();
        if games.closed {
            return;
        }
        let heard = games.by_id.get_mut(id);
        // With fewer turns, it is a replay from the start.
        let known = heard.filter(|shown| shown.scene.turns < scene.turns);
        // A game that is already due to be written needs no wake-up for each turn.
        let is_waited_for = known.as_ref().is_some_and(|shown| !shown.is_told);
        if let Some(shown) = known {
            shown.before = Some(std::mem::replace(&mut shown.scene, Arc::clone(scene)));
            shown.since_unix_ms = unix_ms();
            shown.is_told = false;
            shown.gone = None;
        } else {
            games.by_id.insert(Arc::clone(id), FedGame::new(scene));
        }
        drop(games);
        if !is_waited_for {
            self.changed.notify_one();
        }
    }

    /// The game is finished and recorded.
    fn finish(&self, id: &str) {
        if let Some(shown) = self.games().by_id.get_mut(id) {
            shown.gone = Some(Instant::now() + CURTAIN);
        }
        self.changed.notify_one();
    }

    /// The game will be replayed.
    fn void(&self, id: &str) {
        if let Some(shown) = self.games().by_id.get_mut(id) {
            shown.is_told = true;
            shown.gone = Some(Instant::now());
        }
        self.changed.notify_one();
    }

    /// Writes until closed.
    fn tell_on(&self, folder: &RunFolder) {
        drop(folder.forget_left_overs());
        let mut games = self.games();
        loop {
            match games.next_step(Instant::now()) {
                FeedStep::Wait(pause) => {
                    let woken = self.changed.wait_timeout(games, pause);
                    games = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
                FeedStep::Tell(game) => {
                    drop(games);
                    drop(folder.tell(&game));
                    games = self.games();
                }
                FeedStep::Untell(id) => {
                    drop(games);
                    drop(folder.untell(&id));
                    games = self.games();
                }
                FeedStep::End(ids) => {
                    for id in ids {
                        drop(folder.untell(&id));
                    }
                    return;
                }
            }
        }
    }
}

impl Games {
    fn next_step(&mut self, now: Instant) -> FeedStep {
        if self.closed {
            return FeedStep::End(std::mem::take(&mut self.by_id).into_keys().collect());
        }
        let Some((id, shown)) = self.by_id.iter_mut().min_by_key(|(_, shown)| shown.due(now)) else {
            return FeedStep::Wait(LiveGame::BEAT);
        };
        let due = shown.due(now);
        if due > now {
            return FeedStep::Wait(due - now);
        }
        if shown.is_told && shown.gone.is_some() {
            let id = Arc::clone(id);
            self.by_id.remove(&id);
            return FeedStep::Untell(id);
        }
        shown.is_told = true;
        shown.told = Some(now);
        FeedStep::Tell(Box::new(shown.telling(id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Side;
    use crate::records::PerSide;

    fn scene(turns: usize) -> Arc<Scene> {
        Arc::new(Scene {
            turns,
            board: format!("{turns}\n"),
            at_work: Some(Side::Black),
            clocks: PerSide::default(),
            last: None,
        })
    }

    /// A description of the action at `now`.
    fn step(stage: &FeedQueue, now: Instant) -> String {
        match stage.games().next_step(now) {
            FeedStep::Tell(game) => format!("tell {} {} after {:?}", game.id, game.turns, game.before),
            FeedStep::Untell(id) => format!("untell {id}"),
            FeedStep::Wait(pause) => format!("wait {}", pause.as_millis().div_ceil(100)),
            FeedStep::End(ids) => format!("end {ids:?}"),
        }
    }

    #[test]
    fn games_are_told_of_at_once_then_at_a_pace_then_now_and_then() {
        let stage = FeedQueue::default();
        let start = Instant::now() + Duration::from_secs(1);
        let at = |millis| start + Duration::from_millis(millis);
        assert_eq!(step(&stage, at(0)), "wait 100");
        stage.stand(&"g1".into(), &scene(0));
        assert_eq!(step(&stage, at(0)), "tell g1 0 after []");
        assert_eq!(step(&stage, at(0)), "wait 100");
        for turns in 1..=3 {
            stage.stand(&"g1".into(), &scene(turns));
        }
        assert_eq!(step(&stage, at(0)), "wait 2");
        stage.stand(&"g2".into(), &scene(0));
        assert_eq!(step(&stage, at(1)), "tell g2 0 after []");
        assert_eq!(step(&stage, at(200)), r#"tell g1 3 after ["2"]"#);
        assert_eq!(step(&stage, at(10_001)), "tell g2 0 after []");
    }

    #[test]
    fn the_last_position_is_told_before_the_game_goes() {
        let stage = FeedQueue::default();
        // Later than anything in this test.
        let late = Instant::now() + Duration::from_mins(1);
        stage.stand(&"g1".into(), &scene(0));
        stage.stand(&"g1".into(), &scene(1));
        stage.finish("g1");
        assert_eq!(step(&stage, late), r#"tell g1 1 after ["0"]"#);
        assert_eq!(step(&stage, late), "untell g1");
        assert_eq!(step(&stage, late), "wait 100");
    }

    #[test]
    fn a_void_game_goes_and_comes_back_from_its_start() {
        let stage = FeedQueue::default();
        let late = Instant::now() + Duration::from_mins(1);
        stage.stand(&"g1".into(), &scene(5));
        stage.void("g1");
        assert_eq!(step(&stage, late), "untell g1");
        stage.stand(&"g1".into(), &scene(5));
        stage.stand(&"g1".into(), &scene(0));
        assert_eq!(step(&stage, late), "tell g1 0 after []");
        stage.games().closed = true;
        assert_eq!(step(&stage, late), r#"end ["g1"]"#);
    }
}
