//! What is shown at the moment, and who is told of changes.
//!
//! A browser asks for the view once and holds a stream open. On it comes each game in hand as it moves, and the number
//! of each new edition of the view, which is asked for anew then: so nothing large is sent to somebody who does not
//! look.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::body::Bytes;
use axum::response::sse::Event;
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Serialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast, watch};

use crate::records::unix_ms;
use crate::report::{LiveView, Module, Stand, TurnSource, page, script};

/// The script of the page: that of reports, and the games in hand.
static SCRIPT: LazyLock<String> = LazyLock::new(|| script("live.js", MODULES));

const MODULES: &[Module] = &[
    ("card.js", include_str!("assets/card.js")),
    ("live.js", include_str!("assets/live.js")),
    ("scenes.js", include_str!("assets/scenes.js")),
    ("stage.js", include_str!("assets/stage.js")),
];

/// How many streams are open at a time.
pub(super) const MOST_STREAMS: usize = 128;

/// How many messages a stream may be behind; it gets everything anew then.
const MOST_BEHIND: usize = 1024;

/// The view at one moment, as it is sent.
#[derive(Debug)]
pub(super) struct Edition {
    stand: Stand,
    status: RunStatus,
    view: OnceLock<Bytes>,
    page: OnceLock<Bytes>,
}

/// How far the run is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct RunStatus {
    /// The number of the edition that says so.
    pub(super) edition: u64,
    /// What goes on.
    pub(super) state: RunState,
    /// How many games are finished.
    pub(super) finished: usize,
    /// How many games there are, as far as they are planned.
    pub(super) planned: usize,
    /// Records that cannot be read and are not counted.
    pub(super) unreadable: usize,
}

/// What goes on in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RunState {
    /// The records are being read for the first time.
    #[default]
    Reading,
    /// It is played.
    Playing,
    /// It is not finished, and nobody seems to play it.
    Waiting,
    /// It is finished.
    Over,
}

/// What there is to tell.
#[derive(Clone, Debug)]
enum Message {
    Status(Arc<str>),
    Game(Arc<str>),
    Gone(Arc<str>),
}

impl Message {
    fn event(self) -> Event {
        let (name, text) = match self {
            Self::Status(text) => ("status", text),
            Self::Game(text) => ("game", text),
            Self::Gone(text) => ("gone", text),
        };
        Event::default().event(name).data(text)
    }
}

/// Everything that is shown, shared by whoever asks.
#[derive(Debug)]
pub(super) struct News {
    now: Mutex<Now>,
    tell: broadcast::Sender<Message>,
    streams: Arc<Semaphore>,
    ended: watch::Receiver<bool>,
}

#[derive(Debug)]
struct Now {
    edition: Arc<Edition>,
    /// What was told of the games in hand, by their names on the page.
    games: BTreeMap<String, Arc<str>>,
}

impl Edition {
    pub(super) fn new(stand: Stand, status: RunStatus) -> Self {
        Self {
            stand,
            status,
            view: OnceLock::new(),
            page: OnceLock::new(),
        }
    }

    pub(super) const fn stand(&self) -> &Stand {
        &self.stand
    }

    pub(super) const fn status(&self) -> &RunStatus {
        &self.status
    }

    /// The view as JSON.
    pub(super) fn view(&self) -> Bytes {
        self.view
            .get_or_init(|| json(&self.stand.view).into_bytes().into())
            .clone()
    }

    /// The page that shows it.
    pub(super) fn page(&self) -> Bytes {
        let made = || {
            let source = TurnSource::Served {
                script: &SCRIPT,
                style: include_str!("assets/live.css"),
            };
            page(&self.stand.view, source).unwrap_or_default().into()
        };
        self.page.get_or_init(made).clone()
    }
}

/// Plain data of ours, which JSON can always hold.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

impl News {
    /// Begins with `edition`; all streams end when `ended` says so.
    pub(super) fn new(edition: Edition, ended: watch::Receiver<bool>) -> Self {
        let (tell, _) = broadcast::channel(MOST_BEHIND);
        let now = Now {
            edition: Arc::new(edition),
            games: BTreeMap::new(),
        };
        Self {
            now: Mutex::new(now),
            tell,
            streams: Arc::new(Semaphore::new(MOST_STREAMS)),
            ended,
        }
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn edition(&self) -> Arc<Edition> {
        Arc::clone(&self.now().edition)
    }

    pub(super) fn is_ended(&self) -> bool {
        *self.ended.borrow()
    }

    /// Shows `edition` from now on.
    pub(super) fn publish(&self, edition: Edition) {
        let status = json(edition.status()).into();
        let mut now = self.now();
        now.edition = Arc::new(edition);
        self.send(Message::Status(status));
    }

    /// Shows `games` in hand from now on, and no others. Tells of those that are new or have changed.
    pub(super) fn show_games(&self, games: Vec<LiveView>) {
        let new: BTreeMap<String, Arc<str>> = games
            .into_iter()
            .map(|game| (game.id.clone(), json(&game).into()))
            .collect();
        let mut now = self.now();
        for (id, text) in &new {
            if now.games.get(id) != Some(text) {
                self.send(Message::Game(Arc::clone(text)));
            }
        }
        for id in now.games.keys().filter(|id| !new.contains_key(*id)) {
            self.send(Message::Gone(json(id).into()));
        }
        now.games = new;
    }

    /// That nobody listens is nothing to complain of.
    fn send(&self, message: Message) {
        drop(self.tell.send(message));
    }

    /// Everything as it is now, then every change; `None` where there are enough streams.
    pub(super) fn stream(self: &Arc<Self>) -> Option<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let place = Arc::clone(&self.streams).try_acquire_owned().ok()?;
        let (first, messages) = self.everything();
        let listener = Listener {
            news: Arc::clone(self),
            first,
            messages,
            ended: self.ended.clone(),
            _place: place,
        };
        Some(unfold(listener, |mut listener| async {
            let event = listener.next().await?;
            Some((Ok(event), listener))
        }))
    }

    /// Everything as it is now, and what comes after.
    fn everything(&self) -> (VecDeque<Event>, broadcast::Receiver<Message>) {
        // Held until the receiver is there, so nothing is told in between.
        let now = self.now();
        let clock = Event::default().event("clock").data(unix_ms().to_string());
        let games: Vec<&str> = now.games.keys().map(String::as_str).collect();
        let games = Event::default().event("games").data(json(&games));
        let each = now.games.values().map(|game| Message::Game(Arc::clone(game)).event());
        let status = Message::Status(json(now.edition.status()).into()).event();
        let first = [clock, games].into_iter().chain(each).chain([status]);
        (first.collect(), self.tell.subscribe())
    }
}

/// A stream that somebody listens to.
struct Listener {
    news: Arc<News>,
    /// What comes before the messages.
    first: VecDeque<Event>,
    messages: broadcast::Receiver<Message>,
    ended: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
}

impl Listener {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.first.pop_front() {
                return Some(event);
            }
            let message = tokio::select! {
                message = self.messages.recv() => message,
                _ = self.ended.wait_for(|ended| *ended) => return None,
            };
            match message {
                Ok(message) => return Some(message.event()),
                Err(RecvError::Lagged(_)) => (self.first, self.messages) = self.news.everything(),
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
