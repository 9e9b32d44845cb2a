//! The cells of a table of standings as texts, and the notes below it and below one of ratings, in words. It computes
//! nothing; `console` and `report` call it.

use super::{certainty_sentence, rank_range};
use referee_games::protocol::counted;
use referee_matches::tournament::{
    AgentRating, ColumnValue, FirstMove, RankingCriterion, Ratings, Standing, Standings, Strength,
};

/// The text of a value in a table for people; empty if there is none. Names are not escaped.
pub fn column_text(value: ColumnValue) -> String {
    match value {
        ColumnValue::Name(name) => name,
        ColumnValue::Rank { rank: None, .. } => "-".to_owned(),
        ColumnValue::Rank { rank: Some(rank), is_shared } => format!("{rank}{}", if is_shared { "=" } else { "" }),
        ColumnValue::Ranks(ranks) => ranks.map_or_else(String::new, rank_range),
        ColumnValue::Flag(flag) => if flag { "yes" } else { "no" }.to_owned(),
        ColumnValue::Count(count) => count.map_or_else(String::new, |count| count.to_string()),
        ColumnValue::Number(number) => number.map_or_else(String::new, |number| number.to_string()),
        ColumnValue::Percent(share) => share.map_or_else(String::new, |share| format!("{share:.1}")),
        ColumnValue::Time { time, decimals } => {
            time.map_or_else(String::new, |time| format!("{:.decimals$}", time.as_secs_f64()))
        }
    }
}

/// The notes on standings as a whole, of agents by the names that `shown` gives them: what the table cannot show.
pub fn standings_notes(standings: &Standings, shown: impl Fn(&str) -> String) -> Vec<String> {
    let mut lines = vec![order_sentence(standings)];
    lines.extend(other_points_lines(standings, &shown));
    lines.push(first_move_line(&standings.first_move));
    let certainty = standings.certainty.as_ref().and_then(certainty_sentence);
    lines.extend(certainty.map(|sentence| format!("certainty: {sentence}")));
    lines.extend(outside_range_line(standings, &shown));
    lines.extend(noise_line(standings));
    lines
}

/// The criteria of the ranks.
pub fn order_sentence(standings: &Standings) -> String {
    if standings.is_without_challenger() {
        return "no winner: the challenger has withdrawn".to_owned();
    }
    let order: Vec<&str> = standings.order.iter().map(|criterion| in_words(*criterion)).collect();
    format!("ranked by {}; ties share a rank", order.join(", then "))
}

/// What no heading of a column explains, in more words.
fn in_words(criterion: RankingCriterion) -> &'static str {
    match criterion {
        RankingCriterion::Rounds => "rounds survived",
        RankingCriterion::Pairings => "pairings won",
        RankingCriterion::FinalPoints => "points in the final round robin",
        RankingCriterion::Margin => "margin against the challenger",
        RankingCriterion::Points | RankingCriterion::TieBreak(_) => criterion.name(),
    }
}

/// Points without games, and games without points, of agents by the names that `shown` gives them, so that the columns
/// add up.
fn other_points_lines(standings: &Standings, shown: impl Fn(&str) -> String) -> Vec<String> {
    let line = |agent: &Standing| {
        let of_games = f64::from(agent.tally.half_points()) / 2.0;
        let name = shown(&agent.name);
        match agent.points - of_games {
            more if more > 0.0 => Some(format!("{name}: {} without games", points_of(more))),
            less if less < 0.0 => Some(format!("{name}: {} against withdrawn agents not counted", points_of(-less))),
            _ => None,
        }
    };
    standings.agents.iter().filter_map(line).collect()
}

/// Who has a place that is not among the ranks plausible by strength, by the names that `shown` gives them, and how
/// that can be; `None` if nobody has.
///
/// A round robin orders by points as strength would. With other numbers of games, or other opponents, it need not.
pub fn outside_range_line(standings: &Standings, shown: impl Fn(&str) -> String) -> Option<String> {
    let outside = |agent: &&Standing| {
        let (Some(rank), Some(range)) = (agent.rank, agent.plausible_ranks) else {
            return false;
        };
        let sharing = standings.agents.iter().filter(|other| other.rank == Some(rank)).count();
        let last = rank + u32::try_from(sharing).unwrap_or(u32::MAX) - 1;
        last < range.best || range.worst < rank
    };
    let with_range = |agent: &Standing| {
        let range = agent.plausible_ranks.map_or_else(String::new, rank_range);
        format!("{} ({range})", shown(&agent.name))
    };
    let all: Vec<&Standing> = standings.agents.iter().filter(outside).collect();
    let mut names: Vec<String> = all.iter().take(OUTSIDE_NAMED).map(|agent| with_range(agent)).collect();
    if all.len() > OUTSIDE_NAMED {
        names.push(format!("{} more", all.len() - OUTSIDE_NAMED));
    }
    (!all.is_empty()).then(|| {
        format!(
            "ranked outside the range by strength: {}; a rank also depends on how many games were played, and against \
             whom",
            names.join(", ")
        )
    })
}

/// Each such game has two agents.
fn noise_line(standings: &Standings) -> Option<String> {
    let games = standings.agents.iter().map(|agent| agent.tally.within_noise).sum::<u32>() / 2;
    (games > 0).then(|| {
        format!(
            "noise: {} decided on remaining time by less than the noise of CPU time on this machine",
            counted(games as usize, "game")
        )
    })
}

fn first_move_line(first_move: &FirstMove) -> String {
    let games = counted(first_move.games.games() as usize, "game");
    let Some(score) = first_move.score else {
        return "first move: no finished games".to_owned();
    };
    let [score, low, high] = [score, first_move.interval.low, first_move.interval.high].map(|share| 100.0 * share);
    format!("first move: {score:.1} % of the points in {games} (95 %: {low:.1} to {high:.1})")
}

/// How many agents a sentence names.
const OUTSIDE_NAMED: usize = 3;

/// `1 point`, `2.5 points`.
fn points_of(points: f64) -> String {
    let plural = if (points - 1.0).abs() < f64::EPSILON { "" } else { "s" };
    format!("{points} point{plural}")
}

/// That ratings have several scales, and the agents of each by the names that `shown` gives them; nothing if they have
/// one.
pub fn rating_group_lines(ratings: &Ratings, shown: impl Fn(&str) -> String) -> Vec<String> {
    if ratings.groups < 2 {
        return vec![];
    }
    let line = |group: u32| {
        let is_member =
            |agent: &&AgentRating| matches!(agent.strength, Strength::Rated { group: of, .. } if of == group);
        let members = ratings.agents.iter().filter(is_member);
        let names: Vec<String> = members.map(|agent| shown(&agent.name)).collect();
        format!("group {group}: {}", names.join(", "))
    };
    let head = format!(
        "ratings: {} groups, comparable only within a group: between groups no games, or all won by one group",
        ratings.groups
    );
    std::iter::once(head).chain((1..=ratings.groups).map(line)).collect()
}
