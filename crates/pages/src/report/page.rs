//! Writes the view model into an HTML file. `write` and `serve` call it.
//!
//! A page shows a [`PageView`] and knows from its [`TurnSource`] where the games' turns are: in the page itself, in
//! files beside it, or on the server that served it, which also provides another script. The model must be JSON without
//! any `<`, so that nothing in it can end its element. Only our scripts and style may run, which are named by digest.
//! The policy must allow only the requests that the source needs.
//!
//! # Served pages
//!
//! `TurnSource::Served` has its own script, which includes the report's modules and may request its own server
//! (`connect-src 'self'`). It calls `showView(view)` with a newer [`PageView`] as JSON; the page shows the changes and
//! stays where the reader is. The turns of a game are requested at `replays/ID`, ID URL-escaped, and come as a
//! [`ReplayView`](super::ReplayView) in JSON; they are requested again when a view has more turns for the game.
//! `assets/start.js` documents the rest.

use std::sync::LazyLock;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::bundle::{GAMES_IN_BUNDLE, base64};
use super::script::script;
use super::view::PageView;
use referee_messages::filled;

const TEMPLATE: &str = include_str!("assets/page.html");
const STYLE: &str = concat!(include_str!("assets/page.css"), include_str!("assets/board.css"));
static SCRIPT: LazyLock<String> = LazyLock::new(|| script("start.js", &[]));

/// Where a page gets the turns of its games.
#[derive(Clone, Copy, Debug)]
pub enum TurnSource<'a> {
    /// In the page: bundles of games, in the order of the games.
    Inside(&'a [String]),
    /// In files beside it, by relative path; each contains a bundle.
    Beside(&'a [String]),
    /// On its server.
    Served {
        /// The whole script of the page, including the report's modules.
        script: &'a str,
        /// A style after the page's own.
        style: &'a str,
    },
}

/// A source, as the page's script needs it.
#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
enum TemplatePart<'a> {
    Inside { games: usize },
    Beside { games: usize, files: &'a [String] },
    Served,
}

/// The page that shows `view` with games from `source`.
///
/// # Errors
///
/// If the view cannot be written as JSON, which would be a bug.
pub fn page(view: &PageView, source: TurnSource<'_>) -> Result<String, serde_json::Error> {
    let games = GAMES_IN_BUNDLE;
    let (place, bundles) = match source {
        TurnSource::Inside(bundles) => (TemplatePart::Inside { games }, bundles),
        TurnSource::Beside(files) => (TemplatePart::Beside { games, files }, &[][..]),
        TurnSource::Served { .. } => (TemplatePart::Served, &[][..]),
    };
    // The policy allows only the requests that the source needs, and only our scripts.
    let (script, more_style, requests) = match source {
        TurnSource::Inside(_) => (SCRIPT.as_str(), "", ""),
        // The meaning of `'self'` for a page from a disk is undefined, so the scheme is listed too. The page's script
        // uses only files beside the page.
        TurnSource::Beside(_) => (SCRIPT.as_str(), "", " 'self' file:"),
        TurnSource::Served { script, style } => (script, style, "; connect-src 'self'"),
    };
    let style = format!("{STYLE}{more_style}");
    let digest = |text: &str| format!("'sha256-{}'", base64(&Sha256::digest(text)));
    let policy = format!(
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src {}; script-src {}{requests}",
        digest(&style),
        digest(script)
    );
    let (view, place) = (json(view)?, json(&place)?);
    let bundles: String = bundles.iter().map(|text| bundle(text)).collect();
    Ok(filled(TEMPLATE, |name| match name {
        "policy" => &policy,
        "style" => &style,
        "script" => script,
        "view" => &view,
        "source" => &place,
        "bundles" => &bundles,
        _ => unreachable!("the template has no such part: {name}"),
    }))
}

/// JSON contains `<` only in strings, where the escape is equivalent.
fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

fn bundle(text: &str) -> String {
    format!("<script type=\"text/plain\" class=\"bundle\">{text}</script>\n")
}
