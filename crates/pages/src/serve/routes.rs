//! The routes of a run's page. They answer from [`super::latest_view`] and judge nothing; `run` installs them.
//!
//! ```text
//! /             the page
//! /view         its view, as JSON
//! /replays/ID   the turns of a finished game, by its name on the page
//! /events       changes, as a stream
//! ```

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::latest_view::LatestView;
use referee_records::RunFolder;

/// The interval of keep-alives on a silent stream: well within a connection's limit.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(4);

/// The page contains its own policy; these directives only work in a header.
pub(super) const PAGE_POLICY: &str = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The state that answers requests.
#[derive(Clone, Debug)]
pub(super) struct AppState {
    pub(super) latest_view: Arc<LatestView>,
    pub(super) folder: RunFolder,
}

pub(super) fn routes(state: AppState) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/view", get(view))
        .route("/replays/{id}", get(replay))
        .route("/events", get(events))
        .with_state(state)
}

async fn page(State(AppState { latest_view, .. }): State<AppState>) -> Response {
    let version = latest_view.version();
    made(move || Some(version.page()), "text/html; charset=utf-8", Some(PAGE_POLICY)).await
}

async fn view(State(AppState { latest_view, .. }): State<AppState>) -> Response {
    let version = latest_view.version();
    made(move || Some(version.view()), "application/json", None).await
}

/// The name is looked up on the page, and is never part of a path.
async fn replay(State(AppState { latest_view, folder }): State<AppState>, Path(id): Path<String>) -> Response {
    let version = latest_view.version();
    let replay = move || {
        let record = folder.game(version.snapshot.record_of(&id)?).ok()?;
        let replay = version.snapshot.replay(&folder, &record)?;
        Some(serde_json::to_vec(&replay).ok()?.into())
    };
    made(replay, "application/json", None).await
}

async fn events(State(AppState { latest_view, .. }): State<AppState>) -> Response {
    match latest_view.stream() {
        Some(stream) => Sse::new(stream).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response(),
        None => (StatusCode::SERVICE_UNAVAILABLE, "too many viewers\n").into_response(),
    }
}

/// The result of `make`, which may be slow; `None` becomes "not found".
async fn made(
    make: impl FnOnce() -> Option<Bytes> + Send + 'static,
    kind: &'static str,
    policy: Option<&'static str>,
) -> Response {
    match tokio::task::spawn_blocking(make).await {
        Ok(Some(body)) => {
            let mut response = ([(CONTENT_TYPE, kind)], body).into_response();
            if let Some(policy) = policy.and_then(|policy| policy.parse().ok()) {
                response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
            }
            response
        }
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
