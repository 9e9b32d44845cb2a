//! Standings as tables: for people and for spreadsheets. It ranks nothing; `cli/standings` and
//! `cli/compete` print them.

use super::ratings::{RATING_COLUMNS, rating_cells};
use super::text_table::{Cell, TableForm, TextTable};
use referee_matches::tournament::{ColumnValue, HeadToHead, Ratings, Standing, Standings, StandingsColumn};
use referee_messages::{column_text, counted, plain, standings_notes};

/// The standings for people: the table, and remarks on what it cannot show.
pub fn standings_text(standings: &Standings, form: TableForm) -> String {
    let winners = winners_line(standings).map_or_else(String::new, |line| form.line(&line) + "\n\n");
    winners + &table(standings).shown(form) + &form.notes(&remarks(standings))
}

/// The standings for a spreadsheet: a row per agent with all counts.
pub fn standings_csv(standings: &Standings, ratings: Option<&Ratings>) -> String {
    let columns: Vec<StandingsColumn> = standings.columns().into_iter().filter(|column| column.csv.is_some()).collect();
    let titles = columns.iter().filter_map(|column| column.csv.clone());
    let rating_titles = ratings.map(|_| RATING_COLUMNS.map(str::to_owned));
    let mut sheet = TextTable::new(titles.chain(rating_titles.into_iter().flatten()));
    for agent in &standings.agents {
        let mut row: Vec<Cell> = columns.iter().map(|column| csv_cell(column.value(agent))).collect();
        row.extend(ratings.into_iter().flat_map(|ratings| rating_cells(ratings.rating_of(&agent.name))));
        sheet.push(row);
    }
    sheet.to_csv()
}

/// Programs read it: without the mark of a shared rank, and with the exact times.
fn csv_cell(value: ColumnValue) -> Cell {
    match value {
        ColumnValue::Rank { rank, .. } => rank.map_or_else(Cell::blank, Cell::number),
        ColumnValue::Time { time, .. } => time.map_or_else(Cell::blank, Cell::number),
        ColumnValue::Name(_)
        | ColumnValue::Ranks(_)
        | ColumnValue::Flag(_)
        | ColumnValue::Count(_)
        | ColumnValue::Number(_)
        | ColumnValue::Percent(_) => cell(value),
    }
}

fn cell(value: ColumnValue) -> Cell {
    let is_name = matches!(value, ColumnValue::Name(_));
    let text = column_text(value);
    if is_name { Cell::text(text) } else { Cell::number(text) }
}

/// The winners, as the first line; `None` if there are none yet.
fn winners_line(standings: &Standings) -> Option<String> {
    match standings.winners.as_slice() {
        [] => None,
        [one] => Some(format!("winner: {}", plain(one))),
        several => {
            let names: Vec<String> = several.iter().map(|name| plain(name)).collect();
            Some(format!("winners: {}", names.join(", ")))
        }
    }
}

fn table(standings: &Standings) -> TextTable {
    let columns: Vec<StandingsColumn> =
        standings.columns().into_iter().filter(|column| column.title.is_some()).collect();
    let mut sheet = TextTable::new(columns.iter().filter_map(|column| column.title));
    for agent in &standings.agents {
        sheet.push(columns.iter().map(|column| cell(column.value(agent))).collect());
    }
    sheet
}

/// The notes below the table, and the faults of each agent.
fn remarks(standings: &Standings) -> Vec<String> {
    let mut lines = standings_notes(standings, plain);
    lines.extend(standings.agents.iter().filter_map(forfeit_line));
    lines
}

fn forfeit_line(agent: &Standing) -> Option<String> {
    let kinds: Vec<String> = agent.tally.forfeits.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let forfeits = counted(agent.tally.lost.forfeit as usize, "forfeit");
    (!kinds.is_empty()).then(|| format!("{}: {forfeits}: {}", plain(&agent.name), kinds.join(", ")))
}

/// The crosstable: a row per agent, a column per opponent, numbered like the rows.
pub fn crosstable_text(standings: &Standings, form: TableForm) -> String {
    let numbers = (1..=standings.agents.len()).map(|number| number.to_string());
    let mut sheet =
        TextTable::new([String::new(), "agent".to_owned()].into_iter().chain(numbers).chain(["points".to_owned()]));
    for (place, agent) in standings.agents.iter().enumerate() {
        let mut row = vec![Cell::number(place + 1), Cell::text(&agent.name)];
        row.extend(agent.against.iter().enumerate().map(|(other, results)| against(place == other, *results)));
        row.push(Cell::number(agent.points));
        sheet.push(row);
    }
    sheet.shown(form)
}

/// `2.5/4`: points of games. Blank without games, and a cross on the diagonal.
fn against(is_itself: bool, results: HeadToHead) -> Cell {
    if is_itself {
        Cell::number("×")
    } else if results.games() == 0 {
        Cell::blank()
    } else {
        Cell::number(format!("{}/{}", f64::from(results.half_points()) / 2.0, results.games()))
    }
}
