//! What the commands share that play games: threads, interruption, and the way to the end of a run.

use std::future::Future;
use std::sync::{Arc, OnceLock};

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use super::Failure;
use super::events::EventLog;
use crate::console::Live;
use crate::tournament::{Agenda, LiveFeed, RunEvent, Runner, Slots};

/// Does `work` on threads of its own. What is still in hand when it ends is dropped with the process; the keepers
/// notice and kill what they started.
pub(super) fn on_threads<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Machine(format!("cannot start threads: {error}")))?;
    let done = runtime.block_on(async {
        INTERRUPTED.get_or_init(listen);
        work.await
    });
    runtime.shutdown_background();
    done
}

/// Does `work` that blocks, such as building agents, unless somebody interrupts it.
pub(super) async fn prepared<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::select! {
        prepared = tokio::task::spawn_blocking(work) => prepared.map_err(|error| Failure::Bug(error.to_string()))?,
        signal = interruption() => Err(Failure::Interrupted(format!("{signal} before the first game"))),
    }
}

/// Does `work` that blocks and leaves nothing behind, unless somebody interrupts it.
pub(super) async fn unless_interrupted<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::select! {
        done = tokio::task::spawn_blocking(work) => done.map_err(|error| Failure::Bug(error.to_string()))?,
        signal = interruption() => Err(Failure::Interrupted(format!("{signal}; the same command begins anew"))),
    }
}

/// Who is told what happens.
pub(super) struct Watched<'a> {
    /// People.
    pub(super) live: &'a Live,
    /// Programs.
    pub(super) events: EventLog,
}

impl<'a> Watched<'a> {
    /// Nobody but people.
    pub(super) fn by(live: &'a Live) -> Self {
        Self {
            live,
            events: EventLog::default(),
        }
    }
}

/// Does everything on `agenda`, unless somebody interrupts it: then `how_to_go_on` is told.
pub(super) async fn play_out(
    runner: Runner,
    agenda: impl Into<Agenda>,
    places: Slots,
    Watched { live, events }: Watched<'_>,
    how_to_go_on: &str,
) -> Result<(), Failure> {
    let shown = live.clone();
    let live_feed = Arc::new(LiveFeed::new(runner.folder.clone()));
    let heard = Arc::clone(&live_feed);
    let on_event = move |event: RunEvent| {
        events.write(&event);
        heard.on_event(&event);
        shown.show(event);
    };
    let ended = tokio::select! {
        ended = runner.run(agenda, places, on_event) => ended.map_err(Failure::from),
        signal = interruption() => Err(Failure::Interrupted(format!("{signal}; {how_to_go_on}"))),
    };
    live.close();
    live_feed.close();
    ended
}

/// By which signal the user, or whoever ends the session, has had enough; nothing while nobody has.
///
/// One for the whole process, listened to from before the first piece of work: between two pieces, nobody else would
/// hear the signal, and the system does not end the process any more.
static INTERRUPTED: OnceLock<watch::Receiver<Option<&'static str>>> = OnceLock::new();

/// Listens from now on.
fn listen() -> watch::Receiver<Option<&'static str>> {
    let (tell, told) = watch::channel(None);
    let kinds = [
        (SignalKind::interrupt(), "interrupted"),
        (SignalKind::terminate(), "terminated"),
        (SignalKind::hangup(), "hung up"),
        // Batch systems send it some time before they end a job.
        (SignalKind::user_defined1(), "told to stop"),
    ];
    for (kind, word) in kinds {
        // A signal that cannot be listened to ends the process as it always does.
        let Ok(mut signals) = signal(kind) else { continue };
        let tell = tell.clone();
        tokio::spawn(async move {
            if signals.recv().await.is_some() {
                tell.send_replace(Some(word));
            }
        });
    }
    told
}

/// Waits until somebody has had enough; says by which signal.
pub(super) async fn interruption() -> &'static str {
    let mut told = INTERRUPTED.get_or_init(listen).clone();
    let word = told.wait_for(Option::is_some).await.map(|word| *word);
    match word {
        Ok(word) => word.unwrap_or("interrupted"),
        Err(_) => std::future::pending().await,
    }
}
