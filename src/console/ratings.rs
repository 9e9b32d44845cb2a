//! Ratings as tables: for people, and as columns of a spreadsheet. It estimates nothing;
//! `cli/standings` prints them.

use super::text_table::{Cell, TableForm, TextTable, rounded};
use referee_matches::tournament::{AgentRating, Estimate, Ratings, Strength};
use referee_messages::{plain, rating_group_lines};

/// The columns of [`rating_cells`].
pub(super) const RATING_COLUMNS: [&str; 7] =
    ["elo", "elo_error", "elo_low", "elo_high", "group", "stronger_than_next", "no_rating"];

/// The ratings for people: rated agents, strongest first, and the reasons for having no rating.
pub fn ratings_text(ratings: &Ratings, form: TableForm) -> String {
    let table = match form {
        TableForm::Terminal(look) => table(ratings).to_terminal_unless_empty(look),
        TableForm::Markdown => table(ratings).shown(form),
    };
    table + &form.notes(&remarks(ratings))
}

fn table(ratings: &Ratings) -> TextTable {
    // Numbers of different groups are on different scales.
    let has_groups = ratings.groups > 1;
    let group = has_groups.then_some("group");
    let columns = ["agent", "Elo", "±95 %", "games", "> next %"];
    let mut sheet = TextTable::new(group.into_iter().chain(columns).collect::<Vec<_>>());
    for agent in &ratings.agents {
        let Strength::Rated { estimate, group } = agent.strength else {
            continue;
        };
        let mut row = vec![];
        row.extend(has_groups.then(|| Cell::number(group)));
        row.extend([
            Cell::text(&agent.name),
            Cell::decimal(Some(estimate.elo), 0),
            Cell::decimal(Some(estimate.interval.high - estimate.elo), 0),
            Cell::number(agent.games),
            Cell::decimal(agent.stronger_than_next.map(|likelihood| 100.0 * likelihood), 1),
        ]);
        sheet.push(row);
    }
    sheet
}

/// One agent's rating for a spreadsheet: the cells of [`RATING_COLUMNS`].
pub(super) fn rating_cells(rating: Option<&AgentRating>) -> [Cell; 7] {
    let strength = rating.map_or(Strength::NoGames, |rating| rating.strength);
    let value = |value: fn(Estimate) -> f64| Cell::decimal(strength.estimate().map(value), 2);
    let group = match strength {
        Strength::Rated { group, .. } => Cell::number(group),
        Strength::WonAll
        | Strength::LostAll
        | Strength::Apart
        | Strength::AllDrawn
        | Strength::OffTheScale
        | Strength::NoGames => Cell::blank(),
    };
    [
        value(|estimate| estimate.elo),
        value(|estimate| estimate.standard_error),
        value(|estimate| estimate.interval.low),
        value(|estimate| estimate.interval.high),
        group,
        Cell::decimal(rating.and_then(|rating| rating.stronger_than_next), 4),
        Cell::text(strength.reason().unwrap_or_default()),
    ]
}

fn remarks(ratings: &Ratings) -> Vec<String> {
    let mut lines = vec![];
    if let Some(worth) = ratings.first_move {
        lines.push(format!(
            "first move: {} Elo ± {}",
            rounded(worth.elo, 0),
            rounded(worth.interval.high - worth.elo, 0)
        ));
    }
    lines.extend(rating_group_lines(ratings, plain));
    let reasons = ratings.agents.iter().filter_map(|agent| {
        let reason = agent.strength.reason()?;
        Some(format!("{}: {reason}", plain(&agent.name)))
    });
    lines.extend(reasons);
    lines
}
