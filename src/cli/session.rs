//! Runs the work of commands that play: threads and interruption. It plays nothing itself; `runs` and `shards` do.

use std::future::Future;
use std::sync::OnceLock;

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use super::Failure;

/// Runs `work` on its own threads. Unfinished games are dropped with the process; the keepers notice and kill their
/// programs.
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

/// Runs blocking `work`, such as building agents, unless interrupted.
pub(super) async fn prepared<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::select! {
        prepared = tokio::task::spawn_blocking(work) => prepared.map_err(|error| Failure::Bug(error.to_string()))?,
        signal = interruption() => Err(Failure::Interrupted(format!("{signal} before the first game"))),
    }
}

/// Runs blocking `work` that leaves nothing behind, unless interrupted.
pub(super) async fn unless_interrupted<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    tokio::select! {
        done = tokio::task::spawn_blocking(work) => done.map_err(|error| Failure::Bug(error.to_string()))?,
        signal = interruption() => Err(Failure::Interrupted(format!("{signal}; rerun the same command to start over"))),
    }
}

/// The signal that asked to stop; `None` so far.
///
/// One listener for the whole process, started before the first work: between two pieces of work nobody else would
/// receive the signal, and the system no longer ends the process.
static INTERRUPTED: OnceLock<watch::Receiver<Option<&'static str>>> = OnceLock::new();

/// Starts listening.
fn listen() -> watch::Receiver<Option<&'static str>> {
    let (sender, receiver) = watch::channel(None);
    let kinds = [
        (SignalKind::interrupt(), "interrupted"),
        (SignalKind::terminate(), "terminated"),
        (SignalKind::hangup(), "hung up"),
        // Batch systems send it some time before they end a job.
        (SignalKind::user_defined1(), "told to stop"),
    ];
    for (kind, word) in kinds {
        // A signal that cannot be caught keeps its default action.
        let Ok(mut signals) = signal(kind) else { continue };
        let sender = sender.clone();
        tokio::spawn(async move {
            if signals.recv().await.is_some() {
                sender.send_replace(Some(word));
            }
        });
    }
    receiver
}

/// Waits for a signal; returns its name.
pub(super) async fn interruption() -> &'static str {
    let mut receiver = INTERRUPTED.get_or_init(listen).clone();
    let word = receiver.wait_for(Option::is_some).await.map(|word| *word);
    match word {
        Ok(word) => word.unwrap_or("interrupted"),
        Err(_) => std::future::pending().await,
    }
}
