//! Standings as tables: for the terminal, Markdown and spreadsheets. It ranks nothing; `cli/standings` and
//! `cli/compete` print them.

use super::ratings::{RATING_COLUMNS, rating_cells};
use super::text_table::{Cell, TextTable, markdown_cell, markdown_list};
use crate::messages::{OutputStyle, clock, counted, plain, rank_range, standings_notes};
use crate::records::FaultKind;
use crate::time::CpuTime;
use crate::tournament::{EndCounts, HeadToHead, RankingCriterion, Ratings, Standing, Standings};

/// The standings for a terminal with `look`: the table, and remarks on what it cannot show.
pub fn standings_text(standings: &Standings, look: OutputStyle) -> String {
    let mut text = winners_line(standings).map_or_else(String::new, |line| line + "\n\n");
    text += &table(standings).to_terminal(look);
    for line in remarks(standings) {
        text += &line;
        text.push('\n');
    }
    text
}

/// The same table and remarks in Markdown.
pub fn standings_markdown(standings: &Standings) -> String {
    let winners = winners_line(standings).map_or_else(String::new, |line| markdown_cell(&line) + "\n\n");
    winners + &table(standings).to_markdown() + "\n" + &markdown_list(&remarks(standings))
}

/// The standings for a spreadsheet: a row per agent with all counts.
pub fn standings_csv(standings: &Standings, ratings: Option<&Ratings>) -> String {
    let head = ["rank", "shared", "rank_best", "rank_worst", "agent", "points", "games"];
    let ways = ["", "_on_board", "_by_time", "_by_second_move", "_by_pieces", "_by_forfeit"];
    let mut titles: Vec<String> = head.map(str::to_owned).to_vec();
    titles.extend(ways.map(|way| format!("won{way}")));
    titles.push("drawn".to_owned());
    titles.extend(ways.map(|way| format!("lost{way}")));
    titles.extend(FaultKind::ALL.map(|kind| format!("forfeit_{kind}")));
    titles.extend(standings.beside_points().map(|(_, criterion)| column_title(criterion)));
    titles.extend(
        ["moved_first", "close_calls", "within_noise", "cpu_s", "cpu_s_per_game", "most_cpu_s"].map(str::to_owned),
    );
    if ratings.is_some() {
        titles.extend(RATING_COLUMNS.map(str::to_owned));
    }
    let mut sheet = TextTable::new(titles);
    for agent in &standings.agents {
        sheet.push(csv_row(standings, agent, ratings));
    }
    sheet.to_csv()
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

fn column_title(criterion: RankingCriterion) -> String {
    match criterion {
        RankingCriterion::Points
        | RankingCriterion::Rounds
        | RankingCriterion::Pairings
        | RankingCriterion::FinalPoints
        | RankingCriterion::Margin => criterion.name().replace('-', "_"),
        RankingCriterion::DirectEncounter
        | RankingCriterion::Wins
        | RankingCriterion::SonnebornBerger
        | RankingCriterion::Buchholz => {
            format!("tie_break_{}", criterion.name())
        }
    }
}

fn csv_row(standings: &Standings, agent: &Standing, ratings: Option<&Ratings>) -> Vec<Cell> {
    let tally = &agent.tally;
    let shared = if agent.shared { "yes" } else { "no" };
    let mut row = vec![
        agent.rank.map_or_else(Cell::blank, Cell::number),
        Cell::text(shared),
        agent.plausible_ranks.map_or_else(Cell::blank, |range| Cell::number(range.best)),
        agent.plausible_ranks.map_or_else(Cell::blank, |range| Cell::number(range.worst)),
        Cell::text(&agent.name),
        Cell::number(agent.points),
        Cell::number(tally.games()),
    ];
    let ways = |ways: &EndCounts| {
        [ways.total(), ways.board, ways.time, ways.second_move, ways.pieces, ways.forfeit].map(Cell::number)
    };
    row.extend(ways(&tally.won));
    row.push(Cell::number(tally.drawn));
    row.extend(ways(&tally.lost));
    let forfeits = |kind| tally.forfeits.get(&kind).copied().unwrap_or_default();
    row.extend(FaultKind::ALL.map(|kind| Cell::number(forfeits(kind))));
    let values = standings.beside_points().map(|(place, _)| agent.values[place]);
    row.extend(values.map(|value| value.map_or_else(Cell::blank, Cell::number)));
    row.extend([tally.moved_first, tally.close_calls, tally.within_noise].map(Cell::number));
    let times = [tally.charged, tally.charged_per_game(), tally.most_charged];
    row.extend(times.map(|time| if has_times(standings) { Cell::number(time) } else { Cell::blank() }));
    if let Some(rating) = ratings.map(|ratings| ratings.rating_of(&agent.name)) {
        row.extend(rating_cells(rating));
    }
    row
}

fn table(standings: &Standings) -> TextTable {
    let rules = standings.decisive_criteria();
    let mut head: Vec<&str> = vec!["#"];
    head.extend(standings.certainty.as_ref().map(|_| "95 %"));
    head.extend(["agent", "points", "games", "%", "won", "drawn", "lost"]);
    head.extend(["draws won", "draws lost", "forfeits"]);
    head.extend(rules.iter().map(|&(_, rule)| rule.short()));
    head.extend(has_times(standings).then_some("cpu s/game"));
    let mut sheet = TextTable::new(head);
    for agent in &standings.agents {
        sheet.push(row(standings, agent, &rules));
    }
    sheet
}

fn row(standings: &Standings, agent: &Standing, rules: &[(usize, RankingCriterion)]) -> Vec<Cell> {
    let tally = &agent.tally;
    let games = tally.games();
    let share = (games > 0).then(|| 50.0 * f64::from(tally.half_points()) / f64::from(games));
    let mut row = vec![Cell::number(rank_text(agent))];
    row.extend(
        standings
            .certainty
            .as_ref()
            .map(|_| agent.plausible_ranks.map(rank_range).map_or_else(Cell::blank, Cell::number)),
    );
    row.extend([
        Cell::text(&agent.name),
        Cell::number(points(agent.points)),
        Cell::number(games),
        Cell::decimal(share, 1),
        Cell::number(tally.won.total()),
        Cell::number(tally.drawn),
        Cell::number(tally.lost.total()),
        Cell::number(tally.won.drawn()),
        Cell::number(tally.lost.drawn()),
        Cell::number(tally.lost.forfeit),
    ]);
    row.extend(rules.iter().map(|&(place, _)| agent.values[place].map_or_else(Cell::blank, Cell::number)));
    row.extend(has_times(standings).then(|| Cell::number(clock(tally.charged_per_game()))));
    row
}

/// Whether CPU time was measured: no program plays in none. Results of games played elsewhere tell of none.
fn has_times(standings: &Standings) -> bool {
    let mut agents = standings.agents.iter().map(|agent| &agent.tally);
    agents.clone().all(|tally| tally.games() == 0) || agents.any(|tally| tally.charged > CpuTime::ZERO)
}

/// `3`, `3=` if shared, `-` for an unranked agent.
fn rank_text(agent: &Standing) -> String {
    match (agent.rank, agent.shared) {
        (None, _) => "-".to_owned(),
        (Some(rank), false) => rank.to_string(),
        (Some(rank), true) => format!("{rank}="),
    }
}

/// Points with a half if needed: `7`, `7.5`.
fn points(points: f64) -> String {
    points.to_string()
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

/// The crosstable for a terminal: a row per agent, a column per opponent, numbered like the rows.
pub fn crosstable_text(standings: &Standings, look: OutputStyle) -> String {
    crosstable(standings).to_terminal(look)
}

/// The crosstable in Markdown.
pub fn crosstable_markdown(standings: &Standings) -> String {
    crosstable(standings).to_markdown()
}

fn crosstable(standings: &Standings) -> TextTable {
    let numbers = (1..=standings.agents.len()).map(|number| number.to_string());
    let mut sheet =
        TextTable::new([String::new(), "agent".to_owned()].into_iter().chain(numbers).chain(["points".to_owned()]));
    for (place, agent) in standings.agents.iter().enumerate() {
        let mut row = vec![Cell::number(place + 1), Cell::text(&agent.name)];
        row.extend(agent.against.iter().enumerate().map(|(other, results)| against(place == other, *results)));
        row.push(Cell::number(points(agent.points)));
        sheet.push(row);
    }
    sheet
}

/// `2.5/4`: points of games. Blank without games, and a cross on the diagonal.
fn against(is_itself: bool, results: HeadToHead) -> Cell {
    if is_itself {
        Cell::number("×")
    } else if results.games() == 0 {
        Cell::blank()
    } else {
        Cell::number(format!("{}/{}", points(f64::from(results.half_points()) / 2.0), results.games()))
    }
}
