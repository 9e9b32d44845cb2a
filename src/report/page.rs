//! The view model in an HTML file.
//!
//! For: one page that shows a [`PageView`], and knows from its [`TurnSource`] where the turns of the games are. A page from a disk
//! has them in itself, or in files beside it; a page from a server asks the server, and may have a script more.
//!
//! What must always hold: the model stands in the file as JSON in which no `<` is left, so nothing in it can end the
//! element that holds it; only the scripts and the style that were put there run, for they are named by their digests; the
//! policy lets a page ask for nothing but what its source needs.
//!
//! # What a served page can rely on
//!
//! `TurnSource::Served` puts a script of the server's at the end of the page and lets it ask its own server
//! (`connect-src 'self'`). That script calls `referee.show(view)` with a newer [`PageView`] as JSON; the page shows what has
//! changed and stays where the reader is. The turns of a game are asked for at `replays/ID`, ID escaped as part of an
//! address, and the answer is a [`ReplayView`](super::Replay) as JSON; they are asked for again when a view says that the game
//! has more turns than before. `assets/page.js` says what else there is.

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::bundle::{GAMES_IN_BUNDLE, base64};
use super::view::PageView;

const TEMPLATE: &str = include_str!("assets/page.html");
const STYLE: &str = concat!(include_str!("assets/page.css"), include_str!("assets/board.css"));
const SCRIPT: &str = concat!(
    include_str!("assets/page.js"),
    include_str!("assets/elements.js"),
    include_str!("assets/tables.js"),
    include_str!("assets/bracket.js"),
    include_str!("assets/grades.js"),
    include_str!("assets/agents.js"),
    include_str!("assets/games.js"),
    include_str!("assets/replay.js"),
    include_str!("assets/board.js"),
    include_str!("assets/charts.js"),
    include_str!("assets/start.js"),
);

/// Where a page has the turns of its games from.
#[derive(Clone, Copy, Debug)]
pub enum TurnSource<'a> {
    /// From itself: bundles of games, in the order of the games.
    Inside(&'a [String]),
    /// From files beside it, by their paths from the page; each holds a bundle.
    Beside(&'a [String]),
    /// From the server that it comes from, which has also given it this script.
    Served {
        /// A classic script, which runs after the page's own.
        script: &'a str,
        /// A style, which comes after the page's own.
        style: &'a str,
    },
}

/// What the page's script has to know of a source.
#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
enum Place<'a> {
    Inside { games: usize },
    Beside { games: usize, files: &'a [String] },
    Served,
}

/// The page that shows `view`, whose games come from `source`.
///
/// # Errors
///
/// Where the view cannot be written as JSON, which would be a bug.
pub fn page(view: &PageView, source: TurnSource<'_>) -> Result<String, serde_json::Error> {
    let games = GAMES_IN_BUNDLE;
    let (place, bundles, more) = match source {
        TurnSource::Inside(bundles) => (Place::Inside { games }, bundles, ""),
        TurnSource::Beside(files) => (Place::Beside { games, files }, &[][..], ""),
        TurnSource::Served { script, .. } => (Place::Served, &[][..], script),
    };
    let more_style = match source {
        TurnSource::Served { style, .. } => format!("<style>{style}</style>\n"),
        TurnSource::Inside(_) | TurnSource::Beside(_) => String::new(),
    };
    let parts = Parts {
        policy: policy(source),
        view: json(view)?,
        source: json(&place)?,
        bundles: bundles.iter().map(|text| bundle(text)).collect(),
        more: if more.is_empty() {
            more_style
        } else {
            format!("{more_style}<script>{more}</script>\n")
        },
    };
    Ok(parts.filled())
}

/// JSON has `<` only within strings, where the escape means the same.
fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

fn bundle(text: &str) -> String {
    format!("<script type=\"text/plain\" class=\"bundle\">{text}</script>\n")
}

/// What differs from page to page.
struct Parts {
    policy: String,
    view: String,
    source: String,
    bundles: String,
    more: String,
}

impl Parts {
    fn of_name(&self, name: &str) -> &str {
        match name {
            "policy" => &self.policy,
            "style" => STYLE,
            "script" => SCRIPT,
            "view" => &self.view,
            "source" => &self.source,
            "bundles" => &self.bundles,
            "more" => &self.more,
            _ => unreachable!("the template has no such part: {name}"),
        }
    }

    fn filled(&self) -> String {
        filled(TEMPLATE, |name| self.of_name(name))
    }
}

/// `template` with each `{{name}}` replaced by its value, in which nothing is looked for any more.
fn filled<'a>(template: &str, value: impl Fn(&str) -> &'a str) -> String {
    let mut parts = template.split("{{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("the template closes what it opens");
        text += value(name);
        text += rest;
    }
    text
}

/// Nothing is asked for but what the source needs, and nothing runs but the scripts that were put here.
fn policy(source: TurnSource<'_>) -> String {
    let digest = |text: &str| format!("'sha256-{}'", base64(&Sha256::digest(text)));
    let common = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:";
    let (mut style, script) = (digest(STYLE), digest(SCRIPT));
    let more = match source {
        TurnSource::Inside(_) => String::new(),
        // What `'self'` means for a page from a disk is not settled, so the scheme is named, too. Of the files that both
        // would allow, the page's script names only those beside the page.
        TurnSource::Beside(_) => " 'self' file:".to_owned(),
        TurnSource::Served { script, style: more } => {
            style = format!("{style} {}", digest(more));
            format!(" {}; connect-src 'self'", digest(script))
        }
    };
    format!("{common}; style-src {style}; script-src {script}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_is_not_looked_at_again() {
        let value = |name: &str| if name == "a" { "{{b}}" } else { "never" };
        assert_eq!(filled("<{{a}}>", value), "<{{b}}>");
    }

    #[test]
    fn the_assets_can_stand_in_a_page() {
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
        assert!(!SCRIPT.contains("innerHTML"), "text is set as text");
    }

    #[test]
    fn the_policy_lets_a_page_ask_for_what_its_source_needs() {
        let inside = policy(TurnSource::Inside(&[]));
        assert!(!inside.contains("'self'"), "{inside}");
        let beside = policy(TurnSource::Beside(&[]));
        assert!(
            beside.ends_with(" 'self' file:") && !beside.contains("connect-src"),
            "{beside}"
        );
        let served = policy(TurnSource::Served {
            script: "x",
            style: "y",
        });
        assert!(served.ends_with("; connect-src 'self'"), "{served}");
        assert_eq!(served.matches("'sha256-").count(), 4);
    }
}
