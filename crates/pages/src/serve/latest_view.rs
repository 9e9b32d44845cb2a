//! The current view of a run, and its changes for subscribers. `watch` updates it, and `routes` answers from it.
//!
//! A browser requests the view once and keeps a stream open. The stream carries each running game as it moves, and the
//! number of each new version of the view, which the browser then requests; so large data is sent only to active
//! readers.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, LazyLock, OnceLock};

use axum::body::Bytes;
use axum::response::sse::Event;
use futures_util::Stream;
use futures_util::stream::unfold;
use parking_lot::Mutex;
use serde::Serialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, watch};

use crate::report::{LiveView, Module, RunSnapshot, TurnSource, page, script};
use referee_records::unix_ms;

/// The script of the page: that of reports, plus live games.
static SCRIPT: LazyLock<String> = LazyLock::new(|| script("live.js", MODULES));

const MODULES: &[Module] = &[
    ("card.js", include_str!("assets/card.js")),
    ("live.js", include_str!("assets/live.js")),
    ("running_games.js", include_str!("assets/running_games.js")),
    ("running_section.js", include_str!("assets/running_section.js")),
];

/// The maximum number of open streams.
pub(super) const MAX_STREAMS: usize = 128;

/// How many messages a stream may lag; beyond it, everything is sent again.
const MAX_LAG: usize = 1024;

/// The view at one moment, ready to send.
#[derive(Debug)]
pub(super) struct ViewVersion {
    pub(super) snapshot: RunSnapshot,
    pub(super) status: RunStatus,
    view: OnceLock<Bytes>,
    page: OnceLock<Bytes>,
}

/// The progress of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct RunStatus {
    /// The number of this version.
    pub(super) version: u64,
    /// The activity.
    pub(super) state: RunState,
    /// The number of finished games.
    pub(super) finished: usize,
    /// The number of planned games.
    pub(super) planned: usize,
    /// The number of unreadable records, which are not counted.
    pub(super) unreadable: usize,
}

/// The activity of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RunState {
    /// The records are being read for the first time.
    #[default]
    Reading,
    /// It is being played.
    Playing,
    /// It is unfinished, and nobody seems to play it.
    Waiting,
    /// It is finished.
    Over,
}

/// A message to subscribers: the name of the event, and its data.
type Message = (&'static str, Arc<str>);

fn event((name, data): Message) -> Event {
    Event::default().event(name).data(data)
}

/// The current view, shared by all clients.
#[derive(Debug)]
pub(super) struct LatestView {
    now: Mutex<CurrentView>,
    tell: broadcast::Sender<Message>,
    streams: Arc<Semaphore>,
    ended: watch::Receiver<bool>,
}

#[derive(Debug)]
struct CurrentView {
    version: Arc<ViewVersion>,
    /// The running games as JSON, by their names on the page.
    games: BTreeMap<String, Arc<str>>,
}

impl ViewVersion {
    pub(super) fn new(snapshot: RunSnapshot, status: RunStatus) -> Self {
        Self { snapshot, status, view: OnceLock::new(), page: OnceLock::new() }
    }

    /// The view as JSON.
    pub(super) fn view(&self) -> Bytes {
        self.view.get_or_init(|| json(&self.snapshot.view).into_bytes().into()).clone()
    }

    /// The page with the view.
    pub(super) fn page(&self) -> Bytes {
        let made = || {
            let source = TurnSource::Served { script: &SCRIPT, style: include_str!("assets/live.css") };
            page(&self.snapshot.view, source).unwrap_or_default().into()
        };
        self.page.get_or_init(made).clone()
    }
}

/// Plain data of ours always converts to JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl LatestView {
    /// Starts with `version`; all streams end when `ended` is set.
    pub(super) fn new(version: ViewVersion, ended: watch::Receiver<bool>) -> Self {
        let (tell, _) = broadcast::channel(MAX_LAG);
        let now = CurrentView { version: Arc::new(version), games: BTreeMap::new() };
        Self { now: Mutex::new(now), tell, streams: Arc::new(Semaphore::new(MAX_STREAMS)), ended }
    }

    pub(super) fn version(&self) -> Arc<ViewVersion> {
        Arc::clone(&self.now.lock().version)
    }

    pub(super) fn is_ended(&self) -> bool {
        *self.ended.borrow()
    }

    /// Replaces the view by `version`.
    pub(super) fn publish(&self, version: ViewVersion) {
        let status = json(&version.status);
        let mut now = self.now.lock();
        now.version = Arc::new(version);
        self.send("status", status.into());
    }

    /// Replaces the running games by `games`, and sends the new and changed ones.
    pub(super) fn show_games(&self, games: Vec<LiveView>) {
        let new: BTreeMap<String, Arc<str>> =
            games.into_iter().map(|game| (game.id.clone(), json(&game).into())).collect();
        let mut now = self.now.lock();
        for (id, text) in &new {
            if now.games.get(id) != Some(text) {
                self.send("game", Arc::clone(text));
            }
        }
        for id in now.games.keys().filter(|id| !new.contains_key(*id)) {
            self.send("gone", json(id).into());
        }
        now.games = new;
    }

    /// Having no subscribers is fine.
    fn send(&self, name: &'static str, data: Arc<str>) {
        drop(self.tell.send((name, data)));
    }

    /// The current state, then every change; `None` if there are too many streams.
    pub(super) fn stream(self: &Arc<Self>) -> Option<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let place = Arc::clone(&self.streams).try_acquire_owned().ok()?;
        let (first, messages) = self.everything();
        let listener =
            Listener { latest_view: Arc::clone(self), first, messages, ended: self.ended.clone(), _place: place };
        Some(unfold(listener, |mut listener| async {
            let event = listener.next().await?;
            Some((Ok(event), listener))
        }))
    }

    /// The current state, and a receiver of changes.
    fn everything(&self) -> (VecDeque<Message>, broadcast::Receiver<Message>) {
        // Held until the receiver exists, so that nothing is lost in between.
        let now = self.now.lock();
        let clock = ("clock", unix_ms().to_string().into());
        let games: Vec<&str> = now.games.keys().map(String::as_str).collect();
        let games = ("games", json(&games).into());
        let each = now.games.values().map(|game| ("game", Arc::clone(game)));
        let status = ("status", json(&now.version.status).into());
        let first = [clock, games].into_iter().chain(each).chain([status]);
        (first.collect(), self.tell.subscribe())
    }
}

/// A subscribed stream.
struct Listener {
    latest_view: Arc<LatestView>,
    /// The messages before those that are received.
    first: VecDeque<Message>,
    messages: broadcast::Receiver<Message>,
    ended: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
}

impl Listener {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(message) = self.first.pop_front() {
                return Some(event(message));
            }
            let message = tokio::select! {
                message = self.messages.recv() => message,
                _ = self.ended.wait_for(|ended| *ended) => return None,
            };
            match message {
                Ok(message) => return Some(event(message)),
                Err(RecvError::Lagged(_)) => (self.first, self.messages) = self.latest_view.everything(),
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
