//! Serves the page of a run: starts the watcher and the routes. It shows nothing itself; `cli/serve` calls it.

use std::future::Future;
use std::io;
use std::sync::Arc;

use tokio::sync::watch as flag;

use super::latest_view::LatestView;
use super::routes::{AppState, routes};
use super::watch::{WatchedRun, first_version, watch};
use super::{RequestPolicy, Server};
use crate::report::{ReportError, ShownRun};

/// Serves the run `run` at `server` until `end` completes.
///
/// # Errors
///
/// [`ReportError`] if the run's manifest cannot be read; the inner error is the system's, if connections cannot be
/// accepted any more.
pub async fn serve_run(
    server: Server,
    run: WatchedRun,
    end: impl Future<Output = ()> + Send + 'static,
) -> Result<io::Result<()>, ReportError> {
    let shown = ShownRun::read(&run.folder, &run.naming)?;
    let folder = run.folder.clone();
    let (ending, ended) = flag::channel(false);
    let latest_view = Arc::new(LatestView::new(first_version(&run, &shown)?, ended));
    let told = Arc::clone(&latest_view);
    // It continues for a moment after the server has ended; nobody waits for it.
    let watching = std::thread::Builder::new().name("watch".to_owned());
    let watching = watching.spawn(move || watch(run, shown, &told));
    if let Err(error) = watching {
        return Ok(Err(error));
    }
    let end = async move {
        end.await;
        ending.send_replace(true);
    };
    Ok(server.serve(routes(AppState { latest_view, folder }), RequestPolicy::Look, end).await)
}
