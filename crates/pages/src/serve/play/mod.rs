//! A page on which a person plays against an agent. `cli/serve_play` calls it.
//!
//! It provides [`routes`] around one [`PlaySession`]. Rules, clocks and judgement are those of any game
//! ([`referee_matches::human`]), and boards are drawn as in reports.
//!
//! There must be one game at a time. Everything lies below a folder with a random name, which is printed for the
//! person: other users of the machine can reach the server, but must not play or look on. An action must come from the
//! page (`request_filter`). Clients send squares, which are looked up among the legal moves. `GET` must change nothing.
//!
//! ```text
//! GET  /SECRET/                              the page
//! GET  /SECRET/report                        the report of the games so far, to step through them
//! GET  /SECRET/state?after=N                 the state, once it differs from the N-th
//! GET  /SECRET/picking?question=Q&picked=A~B the squares that may follow A and B
//! POST /SECRET/game     {side}               begins a game; abandons one in which the person is to move, unrecorded
//! POST /SECRET/move     {question, picked}
//! POST /SECRET/resign   {question}
//! ```

mod page;
mod shown;
mod table;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::serve::routes::PAGE_POLICY;
use referee_games::Side;
use referee_games::protocol::plain;
use table::PlayRefusal;

pub use table::PlaySession;

/// The timeout of a long poll.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The page may use its own script and style and request its own server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The answer at any other address.
const ELSEWHERE: &str =
    "nothing is here: open the whole address that `referee serve` has printed, with its long last part\n";

const HTML: &str = "text/html; charset=utf-8";

/// The routes of the session.
pub fn routes(table: &Arc<PlaySession>) -> Router {
    let at = |name: &str| format!("/{}{name}", table.folder_name());
    Router::new()
        .route(&at(""), get(show_page))
        .route(&at("play.js"), get(show_script))
        .route(&at("play.css"), get(show_style))
        .route(&at("report"), get(show_report))
        .route(&at("state"), get(show_state))
        .route(&at("picking"), get(show_picking))
        .route(&at("game"), post(begin_game))
        .route(&at("move"), post(make_move))
        .route(&at("resign"), post(resign))
        .fallback(async || (StatusCode::NOT_FOUND, ELSEWHERE))
        .with_state(Arc::clone(table))
}

async fn show_page(State(table): State<Arc<PlaySession>>) -> Response {
    match table.page() {
        Ok(page) => typed(HTML, page),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

/// It names its own policy, by the digests of its script and style.
async fn show_report(State(table): State<Arc<PlaySession>>) -> Response {
    let page = tokio::task::spawn_blocking(move || table.report()).await;
    match page.map_err(|error| error.to_string()).and_then(|page| page.map_err(|error| error.to_string())) {
        Ok(page) => ([(CONTENT_TYPE, HTML), (CONTENT_SECURITY_POLICY, PAGE_POLICY)], page).into_response(),
        Err(reason) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{}\n", plain(&reason))).into_response(),
    }
}

async fn show_script() -> Response {
    typed("text/javascript; charset=utf-8", page::SCRIPT.as_str())
}

async fn show_style() -> Response {
    typed("text/css; charset=utf-8", page::STYLE)
}

fn typed(kind: &'static str, text: impl IntoResponse) -> Response {
    ([(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, POLICY)], text).into_response()
}

/// The state, as soon as it differs from the page's.
async fn show_state(State(table): State<Arc<PlaySession>>, RawQuery(query): RawQuery) -> Response {
    let after = parameters(query.as_deref()).get("after").and_then(|after| after.parse().ok());
    let mut version = table.versions();
    let newer = version.wait_for(|version| after != Some(*version));
    // After the timeout, the same state is sent again; a server that ends does not wait.
    drop(tokio::time::timeout(TIMEOUT, newer).await);
    json(&table.state())
}

async fn show_picking(State(table): State<Arc<PlaySession>>, RawQuery(query): RawQuery) -> Response {
    let parameters = parameters(query.as_deref());
    let question = parameters.get("question").and_then(|number| number.parse().ok());
    let picked = parameters.get("picked").copied().unwrap_or_default();
    let picked: Vec<String> = picked.split('~').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    match question.map(|question| table.picking(question, &picked)) {
        Some(Ok(picking)) => json(&picking),
        Some(Err(refusal)) => refusal.into_response(),
        None => PlayRefusal::Unclear.into_response(),
    }
}

/// The parameters of a query; none of ours needs escaping.
fn parameters(query: Option<&str>) -> HashMap<&str, &str> {
    let pairs = query.unwrap_or_default().split('&');
    pairs.filter_map(|pair| pair.split_once('=')).collect()
}

#[derive(serde::Deserialize)]
struct BeginRequest {
    side: Side,
}

#[derive(serde::Deserialize)]
struct MoveRequest {
    question: u64,
    picked: Vec<String>,
}

#[derive(serde::Deserialize)]
struct Resign {
    question: u64,
}

async fn begin_game(State(table): State<Arc<PlaySession>>, body: Bytes) -> Response {
    action_response(read(&body).and_then(|BeginRequest { side }| {
        table.leave()?;
        let table = Arc::clone(&table);
        // A game runs on its own thread, which nobody waits for: the page polls its state.
        drop(tokio::task::spawn_blocking(move || table.play(side)));
        Ok(())
    }))
}

async fn make_move(State(table): State<Arc<PlaySession>>, body: Bytes) -> Response {
    action_response(read(&body).and_then(|MoveRequest { question, picked }| table.answer(question, &picked)))
}

async fn resign(State(table): State<Arc<PlaySession>>, body: Bytes) -> Response {
    action_response(read(&body).and_then(|Resign { question }| table.resign(question)))
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, PlayRefusal> {
    serde_json::from_slice(body).map_err(|_| PlayRefusal::Unclear)
}

fn action_response(done: Result<(), PlayRefusal>) -> Response {
    match done {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

fn json(value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")).into_response(),
    }
}

impl IntoResponse for PlayRefusal {
    fn into_response(self) -> Response {
        let status = match self {
            Self::Unclear => StatusCode::BAD_REQUEST,
            Self::NotAsked | Self::AgentAtWork => StatusCode::CONFLICT,
            Self::Illegal => StatusCode::UNPROCESSABLE_ENTITY,
        };
        (status, format!("{self}\n")).into_response()
    }
}
