//! The standings of a ladder as a table. It computes nothing; `cli/ladder` prints it.

use super::text_table::{Cell, TextTable};
use referee_matches::ladder::{LadderStanding, LadderStandings, VersionStanding};
use referee_matches::tournament::Estimate;
use referee_messages::{OutputStyle, counted, plain};

/// The newest versions for a terminal, best first, and who plays no more.
pub fn ladder_text(standings: &LadderStandings, look: OutputStyle) -> String {
    let mut table = TextTable::new(vec![
        "rank",
        "before",
        "95 %",
        "participant",
        "version",
        "rating",
        "±95 %",
        "games",
        "won",
        "drawn",
        "lost",
    ]);
    let (playing, others): (Vec<_>, Vec<_>) =
        standings.participants.iter().partition(|one| one.active_version.is_some());
    for one in playing {
        let ranks = one.plausible_ranks.map(|range| format!("{}-{}", range.best, range.worst));
        let [version, rating, error, games, won, drawn, lost] =
            one.active().map_or_else(|| [const { Cell::blank() }; 7], cells);
        let [rank, before] = [one.rank, one.rank_before].map(|rank| rank.map_or_else(Cell::blank, Cell::number));
        let ranks = Cell::number(ranks.unwrap_or_default());
        table.push(vec![rank, before, ranks, Cell::text(&one.name), version, rating, error, games, won, drawn, lost]);
    }
    let mut text = table.to_terminal_unless_empty(look);
    text.extend(others.into_iter().map(|one| format!("{}: {}\n", plain(&one.name), absent(one))));
    let before = standings.compared_with.map(|pair| format!("before: rank after pair {pair}\n"));
    text + &foot(standings) + &before.unwrap_or_default()
}

/// All versions of all participants, for a terminal.
pub fn ladder_versions_text(standings: &LadderStandings, look: OutputStyle) -> String {
    let mut table = TextTable::new(vec!["participant", "version", "rating", "±95 %", "games", "won", "drawn", "lost"]);
    for one in &standings.participants {
        for version in &one.versions {
            let mut row = vec![Cell::text(&one.name)];
            row.extend(cells(version));
            table.push(row);
        }
    }
    table.to_terminal_unless_empty(look) + &foot(standings)
}

fn cells(version: &VersionStanding) -> [Cell; 7] {
    let value = |value: fn(Estimate) -> f64| Cell::decimal(version.rating.map(value), 0);
    [
        Cell::number(version.number),
        value(|rating| rating.elo),
        value(|rating| rating.interval.high - rating.elo),
        Cell::number(version.tally.games()),
        Cell::number(version.tally.won.total()),
        Cell::number(version.tally.drawn),
        Cell::number(version.tally.lost.total()),
    ]
}

/// Why a participant does not play.
fn absent(one: &LadderStanding) -> String {
    match (one.withdrawn, one.refused) {
        (true, _) => "has withdrawn".to_owned(),
        (false, 0) => "no version plays yet".to_owned(),
        (false, refused) => format!("no version plays; {refused} refused"),
    }
}

fn foot(standings: &LadderStandings) -> String {
    let zero = standings
        .reference
        .as_deref()
        .map_or_else(String::new, |name| format!("; rating 0 is the reference agent `{}`", plain(name)));
    format!("{} up to pair {}{zero}\n", counted(standings.games as usize, "rated game"), standings.last_pair)
}
