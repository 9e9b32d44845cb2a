//! Plays the tasks of a prepared run, and publishes its running games. `tournament` plays each.

use std::sync::Arc;

use super::error::RunFailure;
use super::progress::{OnProgress, Progress};
use referee_matches::tournament::{LiveFeed, RunEvent, Runner, Slots, TaskList};
use referee_records::RunFolder;

/// Does everything on `task_list`. Dropping the future drops what is under way.
pub(super) async fn do_tasks(
    runner: &Runner,
    task_list: impl Into<TaskList>,
    slots: &Slots,
    on_progress: &OnProgress,
) -> Result<(), RunFailure> {
    let (live_feed, _closed_at_last) = publishing(&runner.folder);
    let notify = Arc::clone(on_progress);
    let on_event = move |event: RunEvent| {
        live_feed.on_event(&event);
        notify(Progress::Event(event));
    };
    let played = runner.clone().run(task_list, slots.clone(), on_event).await;
    on_progress(Progress::PlayEnded);
    Ok(played?)
}

/// The feed of the running games in `folder`, and what closes it.
pub(super) fn publishing(folder: &RunFolder) -> (Arc<LiveFeed>, CloseFeedOnDrop) {
    let live_feed = Arc::new(LiveFeed::new(folder.clone()));
    (Arc::clone(&live_feed), CloseFeedOnDrop(live_feed))
}

/// Closes the feed when it is dropped. Games that continue for a moment hold the feed, but must publish nothing more.
pub(super) struct CloseFeedOnDrop(Arc<LiveFeed>);

impl Drop for CloseFeedOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Runs `work`, such as building agents, on a thread of its own.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RunFailure> + Send + 'static,
) -> Result<T, RunFailure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| RunFailure::Bug(error.to_string()))?
}
