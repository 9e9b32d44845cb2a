//! The columns of the standings: one list, from which terminal, Markdown, CSV, JSON with its schema, the page, and the
//! table in `docs/competitions.md` follow.
//!
//! It formats nothing: `messages` has the text of a value, and `console` and `report` show it.

use super::{EndCounts, Standing, Standings, Tally};
use crate::tournament::RankRange;
use referee_records::FaultKind;
use referee_time::CpuTime;

/// A column, with its names wherever it is shown.
pub struct StandingsColumn {
    /// What it shows, for the documentation.
    pub meaning: String,
    /// The heading in the tables of terminal, Markdown and page; `None` if it is too much for them.
    pub title: Option<&'static str>,
    /// The heading on the page, where that is another one.
    pub page_title: Option<&'static str>,
    /// Whether the page leaves it out while it is 0 for all agents.
    pub is_rare: bool,
    /// The heading in CSV; `None` if other columns there say the same.
    pub csv: Option<String>,
    /// The field of [`Standing`] in JSON, with dots between the names of nested ones; `None` if others say the same.
    pub json: Option<String>,
    value: Box<dyn Fn(&Standing) -> ColumnValue>,
}

/// A value in a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValue {
    /// The name of an agent.
    Name(String),
    /// The rank; `None` for an agent that is not ranked.
    Rank {
        /// From 1.
        rank: Option<u32>,
        /// Whether others share it.
        is_shared: bool,
    },
    /// The plausible ranks; `None` without games.
    Ranks(Option<RankRange>),
    /// Yes or no.
    Flag(bool),
    /// A count; `None` if there is nothing to count.
    Count(Option<u32>),
    /// Points, or the value of a criterion; `None` if it was not needed.
    Number(Option<f64>),
    /// A share in percent; `None` without games.
    Percent(Option<f64>),
    /// A CPU time; `None` if it was not measured.
    Time {
        /// The time.
        time: Option<CpuTime>,
        /// The decimals of its seconds in tables for people.
        decimals: usize,
    },
}

impl StandingsColumn {
    /// The value of `agent`.
    pub fn value(&self, agent: &Standing) -> ColumnValue {
        (self.value)(agent)
    }

    fn new(meaning: impl Into<String>, value: impl Fn(&Standing) -> ColumnValue + 'static) -> Self {
        Self {
            meaning: meaning.into(),
            title: None,
            page_title: None,
            is_rare: false,
            csv: None,
            json: None,
            value: Box::new(value),
        }
    }

    fn count(meaning: impl Into<String>, count: impl Fn(&Tally) -> u32 + 'static) -> Self {
        Self::new(meaning, move |agent| ColumnValue::Count(Some(count(&agent.tally))))
    }

    fn title(self, title: &'static str) -> Self {
        Self { title: Some(title), ..self }
    }

    fn title_if(self, is_shown: bool, title: &'static str) -> Self {
        Self { title: is_shown.then_some(title), ..self }
    }

    fn page_title(self, title: &'static str) -> Self {
        Self { page_title: Some(title), ..self }
    }

    fn rare(self) -> Self {
        Self { is_rare: true, ..self }
    }

    fn csv(self, name: impl Into<String>) -> Self {
        Self { csv: Some(name.into()), ..self }
    }

    fn field(self, path: impl Into<String>) -> Self {
        Self { json: Some(path.into()), ..self }
    }
}

use StandingsColumn as Column;

impl Standings {
    /// All columns in order.
    pub fn columns(&self) -> Vec<StandingsColumn> {
        let mut columns = place_columns(self.certainty.is_some());
        columns.extend(result_columns());
        columns.extend(self.criterion_columns());
        columns.extend(turn_columns(&self.agents));
        columns
    }

    /// The criteria of the ranks besides points. Tables have those that were needed: with a value for any agent.
    fn criterion_columns(&self) -> impl Iterator<Item = StandingsColumn> {
        let value = |place: usize| move |agent: &Standing| agent.values.get(place).copied().flatten();
        self.beside_points().map(move |(place, criterion)| {
            let value = value(place);
            let is_needed = self.agents.iter().any(|agent| value(agent).is_some());
            let meaning = format!("the criterion `{}`", criterion.name());
            Column::new(meaning, move |agent| ColumnValue::Number(value(agent)))
                .title_if(is_needed, criterion.short())
                .csv(criterion.csv_name())
        })
    }
}

fn place_columns(has_certainty: bool) -> Vec<StandingsColumn> {
    let rank = |agent: &Standing| ColumnValue::Rank { rank: agent.rank, is_shared: agent.shared };
    let best = |agent: &Standing| ColumnValue::Count(agent.plausible_ranks.map(|ranks| ranks.best));
    let worst = |agent: &Standing| ColumnValue::Count(agent.plausible_ranks.map(|ranks| ranks.worst));
    vec![
        Column::new("rank; `=` marks a shared one", rank).title("#").csv("rank").field("rank"),
        Column::new("whether others share the rank", |agent| ColumnValue::Flag(agent.shared))
            .csv("shared")
            .field("shared"),
        Column::new("ranks that are plausible by strength", |agent| ColumnValue::Ranks(agent.plausible_ranks))
            .title_if(has_certainty, "95 %")
            .page_title("95 % ranks"),
        Column::new("best plausible rank", best).csv("rank_best").field("plausible_ranks.best"),
        Column::new("worst plausible rank", worst).csv("rank_worst").field("plausible_ranks.worst"),
        Column::new("name", |agent| ColumnValue::Name(agent.name.clone())).title("agent").csv("agent").field("name"),
        Column::new("points that count for the rank", |agent| ColumnValue::Number(Some(agent.points)))
            .title("points")
            .csv("points")
            .field("points"),
    ]
}

fn result_columns() -> Vec<StandingsColumn> {
    let mut columns = vec![
        Column::count("finished games", Tally::games).title("games").csv("games"),
        Column::new("share of the points of these games, in percent", |agent| {
            let games = agent.tally.games();
            let share = 50.0 * f64::from(agent.tally.half_points()) / f64::from(games);
            ColumnValue::Percent((games > 0).then_some(share))
        })
        .title("%"),
        Column::count("games won", |tally| tally.won.total()).title("won").csv("won"),
    ];
    columns.extend(end_columns("won", |tally| tally.won));
    columns.push(Column::count("games drawn", |tally| tally.drawn).title("drawn").csv("drawn").field("drawn"));
    columns.push(Column::count("games lost", |tally| tally.lost.total()).title("lost").csv("lost"));
    columns.extend(end_columns("lost", |tally| tally.lost));
    columns.extend([
        Column::count("games drawn on the board and won by another rule", |tally| tally.won.drawn())
            .title("draws won")
            .rare(),
        Column::count("games drawn on the board and lost by another rule", |tally| tally.lost.drawn())
            .title("draws lost")
            .rare(),
        Column::count("games lost by a fault of its own", |tally| tally.lost.forfeit)
            .title("forfeits")
            // The page links the counts of this heading to the games (`standings.js`).
            .page_title("by fault"),
    ]);
    columns.extend(<FaultKind as strum::VariantArray>::VARIANTS.iter().map(|kind| {
        let count = move |tally: &Tally| tally.forfeits.get(kind).copied().unwrap_or_default();
        Column::count(format!("forfeits by `{kind}`"), count).csv(format!("forfeit_{kind}"))
    }));
    columns
}

/// The games `won` or `lost`, by how they ended.
fn end_columns(result: &'static str, ends: fn(&Tally) -> EndCounts) -> impl Iterator<Item = StandingsColumn> {
    /// The name in CSV, the field in JSON, and its count.
    type Way = (&'static str, &'static str, fn(EndCounts) -> u32);
    let ways: [Way; 5] = [
        ("on_board", "board", |ends| ends.board),
        ("by_time", "time", |ends| ends.time),
        ("by_second_move", "second_move", |ends| ends.second_move),
        ("by_pieces", "pieces", |ends| ends.pieces),
        ("by_forfeit", "forfeit", |ends| ends.forfeit),
    ];
    ways.into_iter().map(move |(csv, field, count)| {
        let words = csv.replace('_', " ").replace("on board", "on the board");
        Column::count(format!("games {result} {words}"), move |tally| count(ends(tally)))
            .csv(format!("{result}_{csv}"))
            .field(format!("{result}.{field}"))
    })
}

fn turn_columns(agents: &[Standing]) -> Vec<StandingsColumn> {
    let is_timed = is_timed(agents.iter().map(|agent| &agent.tally));
    let time = |meaning: &str, decimals: usize, time: fn(&Tally) -> CpuTime| {
        Column::new(meaning, move |agent| ColumnValue::Time { time: is_timed.then(|| time(&agent.tally)), decimals })
    };
    vec![
        Column::count("games in which it moved first", |tally| tally.moved_first)
            .csv("moved_first")
            .field("moved_first"),
        Column::count("games whose result depends on how time is measured", |tally| tally.close_calls)
            .csv("close_calls")
            .field("close_calls"),
        Column::count("draws decided by less CPU time than the noise", |tally| tally.within_noise)
            .csv("within_noise")
            .field("within_noise"),
        Column::count("moves, without passes", |tally| tally.moves).csv("moves").field("moves"),
        time("CPU time of all games", 2, |tally| tally.charged).csv("cpu_s").field("charged_cpu_us"),
        time("average CPU time of a game", 2, Tally::charged_per_game)
            .title_if(is_timed, "cpu s/game")
            .csv("cpu_s_per_game"),
        time("average CPU time of a move", 3, Tally::charged_per_move)
            .title_if(is_timed, "cpu s/move")
            .csv("cpu_s_per_move")
            .field("cpu_us_per_move"),
        time("highest CPU time of a game", 2, |tally| tally.most_charged)
            .csv("most_cpu_s")
            .field("most_charged_cpu_us"),
    ]
}

/// Whether CPU time was measured: no program plays in none. Results of games played elsewhere tell of none.
pub(super) fn is_timed<'a>(mut tallies: impl Iterator<Item = &'a Tally> + Clone) -> bool {
    tallies.clone().all(|tally| tally.games() == 0) || tallies.any(|tally| tally.charged > CpuTime::ZERO)
}
