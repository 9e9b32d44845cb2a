//! The HTML page of a game against an agent: a template, and the data for its script. It knows no rules; its parent
//! module serves it.

use std::sync::LazyLock;

use serde::Serialize;

use crate::report::{Board, Module, board_of, script};
use referee_games::protocol::plain;
use referee_games::{MoveForm, Side};
use referee_matches::human::PersonMatch;
use referee_records::PersonClock;

const TEMPLATE: &str = include_str!("../assets/play.html");

/// The style of reports, plus the page's own.
pub(super) const STYLE: &str = concat!(
    include_str!("../../report/assets/page.css"),
    include_str!("../../report/assets/board.css"),
    include_str!("../assets/play.css"),
);

/// The script of reports, plus the page's own.
pub(super) static SCRIPT: LazyLock<String> = LazyLock::new(|| script("play.js", MODULES));

const MODULES: &[Module] = &[
    ("picking.js", include_str!("../assets/picking.js")),
    ("play.js", include_str!("../assets/play.js")),
    ("play_table.js", include_str!("../assets/play_table.js")),
    ("announcements.js", include_str!("../assets/announcements.js")),
    ("play_state.js", include_str!("../assets/play_state.js")),
    ("squares.js", include_str!("../assets/squares.js")),
];

/// The constants of an open page.
#[derive(Debug, Serialize)]
pub(super) struct PageSettings {
    title: String,
    board: Board,
    /// The names of the two.
    person: String,
    agent: String,
    /// The game and its rule set.
    game: String,
    /// The person's side in the first game.
    side: Side,
    /// The kinds of clock, in a sentence.
    clocks: String,
    /// Whether moves are ambiguous by their end squares, so that picking jump by jump makes sense.
    has_ways: bool,
}

impl PageSettings {
    pub(super) fn of(against: &PersonMatch, side: Side) -> Self {
        let manifest = &against.manifest;
        let time = manifest.conditions.play_time.of(side);
        let time = match manifest.conditions.move_time {
            Some(limit) => format!("{limit} s for each move, and {time} s for the whole game"),
            None => format!("{time} s for the whole game"),
        };
        let clocks = match against.clock {
            PersonClock::WallTime => format!(
                "You have {time}, in wall-clock time; the agent has as much CPU time. Running out of time loses the \
                 game, but closing this page leaves it: then it is not recorded."
            ),
            PersonClock::NoClock => format!("You have no clock; the agent has {time}, in CPU time."),
        };
        let (person, agent) = (plain(&against.person), plain(against.participant.name()));
        Self {
            title: format!("{person} against {agent}: {}", manifest.game),
            board: board_of(manifest.game),
            person,
            agent,
            game: manifest.game.to_string(),
            side,
            clocks,
            has_ways: manifest.game.profile().moves == MoveForm::StepsAndJumps { captures: false },
        }
    }
}

/// The page with `setting`.
pub(super) fn page(setting: &PageSettings) -> Result<String, serde_json::Error> {
    // Without a `<`, nothing in it can end its element.
    let json = serde_json::to_string(setting)?.replace('<', "\\u003c");
    Ok(TEMPLATE.replace("{{setting}}", &json))
}
