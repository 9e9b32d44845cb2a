//! The view model in an HTML file.
//!
//! For: one page that shows a [`PageView`], and knows from its [`TurnSource`] where the turns of the games are. A page
//! from a disk has them in itself, or in files beside it; a page from a server asks the server, and has a script of its
//! own.
//!
//! What must always hold: the model stands in the file as JSON in which no `<` is left, so nothing in it can end the
//! element that holds it; only the scripts and the style that were put there run, for they are named by their digests;
//! the policy lets a page ask for nothing but what its source needs.
//!
//! # What a served page can rely on
//!
//! `TurnSource::Served` has a script of its own, with the modules of the report in it, and lets it ask its own server
//! (`connect-src 'self'`). That script calls `showView(view)` with a newer [`PageView`] as JSON; the page shows what
//! has changed and stays where the reader is. The turns of a game are asked for at `replays/ID`, ID escaped as part of
//! an address, and the answer is a [`ReplayView`](super::ReplayView) as JSON; they are asked for again when a view says
//! that the game has more turns than before. `assets/start.js` says what else there is.

use std::sync::LazyLock;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::bundle::{GAMES_IN_BUNDLE, base64};
use super::script::script;
use super::view::PageView;

const TEMPLATE: &str = include_str!("assets/page.html");
const STYLE: &str = concat!(include_str!("assets/page.css"), include_str!("assets/board.css"));
static SCRIPT: LazyLock<String> = LazyLock::new(|| script("start.js", &[]));

/// Where a page has the turns of its games from.
#[derive(Clone, Copy, Debug)]
pub enum TurnSource<'a> {
    /// From itself: bundles of games, in the order of the games.
    Inside(&'a [String]),
    /// From files beside it, by their paths from the page; each holds a bundle.
    Beside(&'a [String]),
    /// From the server that it comes from.
    Served {
        /// The whole script of the page, which has the modules of the report in it.
        script: &'a str,
        /// A style, which comes after the page's own.
        style: &'a str,
    },
}

impl<'a> TurnSource<'a> {
    fn script(self) -> &'a str {
        match self {
            Self::Inside(_) | Self::Beside(_) => &SCRIPT,
            Self::Served { script, .. } => script,
        }
    }

    /// The style that comes after the page's own.
    const fn more_style(self) -> &'a str {
        match self {
            Self::Inside(_) | Self::Beside(_) => "",
            Self::Served { style, .. } => style,
        }
    }
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
    let (place, bundles) = match source {
        TurnSource::Inside(bundles) => (Place::Inside { games }, bundles),
        TurnSource::Beside(files) => (Place::Beside { games, files }, &[][..]),
        TurnSource::Served { .. } => (Place::Served, &[][..]),
    };
    let style = format!("{STYLE}{}", source.more_style());
    let parts = Parts {
        policy: policy(source, &style),
        view: json(view)?,
        source: json(&place)?,
        bundles: bundles.iter().map(|text| bundle(text)).collect(),
        script: source.script(),
        style,
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
struct Parts<'a> {
    policy: String,
    style: String,
    script: &'a str,
    view: String,
    source: String,
    bundles: String,
}

impl Parts<'_> {
    fn of_name(&self, name: &str) -> &str {
        match name {
            "policy" => &self.policy,
            "style" => &self.style,
            "script" => self.script,
            "view" => &self.view,
            "source" => &self.source,
            "bundles" => &self.bundles,
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
fn policy(source: TurnSource<'_>, style: &str) -> String {
    let digest = |text: &str| format!("'sha256-{}'", base64(&Sha256::digest(text)));
    let common = "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:";
    let (style, script) = (digest(style), digest(source.script()));
    let more = match source {
        TurnSource::Inside(_) => "",
        // What `'self'` means for a page from a disk is not settled, so the scheme is named, too. Of the files that
        // both would allow, the page's script names only those beside the page.
        TurnSource::Beside(_) => " 'self' file:",
        TurnSource::Served { .. } => "; connect-src 'self'",
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
        let inside = policy(TurnSource::Inside(&[]), STYLE);
        assert!(!inside.contains("'self'"), "{inside}");
        let beside = policy(TurnSource::Beside(&[]), STYLE);
        assert!(
            beside.ends_with(" 'self' file:") && !beside.contains("connect-src"),
            "{beside}"
        );
        let source = TurnSource::Served {
            script: "x",
            style: "y",
        };
        let served = policy(source, "z");
        assert!(served.ends_with("; connect-src 'self'"), "{served}");
        assert_eq!(served.matches("'sha256-").count(), 2);
    }
}
