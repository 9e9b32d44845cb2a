//! The page of a run, served.

use std::future::Future;
use std::io;
use std::sync::Arc;

use tokio::sync::watch as flag;

use super::news::News;
use super::routes::{AppState, routes};
use super::watch::{WatchedRun, first_edition, watch};
use super::{RequestPolicy, Server};
use crate::report::ReportError;

/// Shows the run of `run` at `server` until `end` is done.
///
/// # Errors
///
/// [`ReportError`] where the run's manifest cannot be read; the inner one is the system's, where connections cannot be
/// taken any more.
pub async fn serve_run(
    server: Server,
    run: WatchedRun,
    end: impl Future<Output = ()> + Send + 'static,
) -> Result<io::Result<()>, ReportError> {
    let manifest = run.folder.manifest()?;
    let folder = run.folder.clone();
    let (ending, ended) = flag::channel(false);
    let news = Arc::new(News::new(first_edition(&run, &manifest)?, ended));
    let told = Arc::clone(&news);
    // It goes on looking for a moment when the server has ended; nobody waits for it.
    let watching = std::thread::Builder::new().name("watch".to_owned());
    let watching = watching.spawn(move || watch(run, manifest, &told));
    if let Err(error) = watching {
        return Ok(Err(error));
    }
    let end = async move {
        end.await;
        ending.send_replace(true);
    };
    Ok(server
        .serve(routes(AppState { news, folder }), RequestPolicy::Look, end)
        .await)
}
