//! Runs the work of commands that play: threads and interruption. It plays nothing itself; `runs` and `shards` do.

use std::future::Future;
use std::num::NonZero;
use std::sync::OnceLock;

use nix::sys::signal::Signal;
use referee_seat::is_ignored;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use super::Failure;

/// Runs `work` on its own threads. Unfinished games are dropped with the process; the keepers notice and kill their
/// programs.
pub(super) fn on_threads<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = threads(std::thread::available_parallelism().map_or(1, NonZero::get));
    let runtime = runtime.map_err(|error| Failure::Machine(format!("cannot start threads: {error}")))?;
    let done = runtime.block_on(async {
        LISTENER.get_or_init(SignalListener::start);
        work.await
    });
    runtime.shutdown_background();
    done
}

/// Tokio would ask the environment for the number of its threads, and panic where that says nonsense.
fn threads(count: usize) -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(count).enable_all().build()
}

/// Runs blocking `work`, such as building agents, unless interrupted.
pub(super) async fn prepared<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    until_interrupted(work, |signal| format!("{signal} before the first game")).await
}

/// Runs blocking `work` that leaves nothing behind, unless interrupted.
pub(super) async fn unless_interrupted<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    until_interrupted(work, |signal| format!("{signal}; rerun the same command to start over")).await
}

/// Runs blocking `work`, unless interrupted: then `message` says what is left of it, for the name of the signal.
pub(super) async fn until_interrupted<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    message: impl FnOnce(&str) -> String,
) -> Result<T, Failure> {
    tokio::select! {
        done = tokio::task::spawn_blocking(work) => done.map_err(|error| Failure::Bug(error.to_string()))?,
        signal = interruption() => Err(Failure::Interrupted(message(signal))),
    }
}

/// One listener for the whole process, started before the first work: between two pieces of work nobody else would
/// receive the signal, and the system no longer ends the process.
static LISTENER: OnceLock<SignalListener> = OnceLock::new();

struct SignalListener {
    /// The signal that asked to stop; `None` so far.
    interrupted: watch::Receiver<Option<&'static str>>,
    /// Outlives the threads of each piece of work. `None` if it could not be made; signals keep their default actions.
    _runtime: Option<Runtime>,
}

impl SignalListener {
    fn start() -> Self {
        let (sender, interrupted) = watch::channel(None);
        let runtime = threads(1).ok();
        if let Some(runtime) = &runtime {
            let _entered = runtime.enter();
            listen(&sender);
        }
        Self { interrupted, _runtime: runtime }
    }
}

fn listen(sender: &watch::Sender<Option<&'static str>>) {
    let words = [
        (Signal::SIGINT, "interrupted"),
        (Signal::SIGTERM, "terminated"),
        (Signal::SIGHUP, "hung up"),
        // Batch systems send it some time before they end a job.
        (Signal::SIGUSR1, "told to stop"),
    ];
    // nohup(1) ignores SIGHUP, and a script ignores SIGINT in its background jobs.
    for (caught, word) in words.into_iter().filter(|(caught, _)| !is_ignored(*caught)) {
        // A signal that cannot be caught keeps its default action.
        let Ok(mut signals) = signal(SignalKind::from_raw(caught as i32)) else { continue };
        let sender = sender.clone();
        tokio::spawn(async move {
            if signals.recv().await.is_some() {
                sender.send_replace(Some(word));
            }
        });
    }
}

/// Waits for a signal; returns its name.
pub(super) async fn interruption() -> &'static str {
    let mut receiver = LISTENER.get_or_init(SignalListener::start).interrupted.clone();
    let word = receiver.wait_for(Option::is_some).await.map(|word| *word);
    match word {
        Ok(word) => word.unwrap_or("interrupted"),
        Err(_) => std::future::pending().await,
    }
}
