//! Reads the section `[competition]`. It plans nothing; [`super::read`] calls it.

use super::criteria::{BY_LOT, read_agent};
use super::keys::{COMPETITION, ELIMINATION, FileSection, GAUNTLET, RANDOM_ROUNDS, ROUND_ROBIN, SWISS};
use super::table::TableReader;
use super::{Context, TIMES};
use crate::assignment::{AssignmentAgent, Competition};
use referee_matches::tournament::{ExtraGameStart, Format, RankBy};
use referee_submissions::agents::AgentName;

#[derive(Clone, Copy)]
enum FormatWord {
    RoundRobin,
    Gauntlet,
    Swiss,
    Knockout,
    DoubleKnockout,
    Elimination,
    RandomRounds,
}

/// The formats, each with its name and the keys of its own, if it has any.
const FORMATS: [(&str, (FormatWord, Option<&FileSection>)); 7] = [
    ("round-robin", (FormatWord::RoundRobin, Some(&ROUND_ROBIN))),
    ("gauntlet", (FormatWord::Gauntlet, Some(&GAUNTLET))),
    ("swiss", (FormatWord::Swiss, Some(&SWISS))),
    ("knockout", (FormatWord::Knockout, None)),
    ("double-knockout", (FormatWord::DoubleKnockout, None)),
    ("elimination", (FormatWord::Elimination, Some(&ELIMINATION))),
    ("random-rounds", (FormatWord::RandomRounds, Some(&RANDOM_ROUNDS))),
];

/// The default round limit of an elimination.
const ROUND_LIMIT: u32 = 100;

/// The competition; `None` if there is none, or if it cannot be read.
pub(super) fn read(top: &TableReader<'_>, context: &Context<'_>) -> Option<Competition> {
    let entry = top.get("competition")?;
    let table = TableReader::new(&COMPETITION, Some(entry.table()?), entry.at.clone(), top.report);
    let kind = table.require("format").and_then(|format| format.word(&FORMATS));
    let table = match kind {
        Some((_, section)) => section.into_iter().fold(table, TableReader::known_as),
        // The format is unknown, so accept the keys of all formats, but no others.
        None => FORMATS.iter().filter_map(|(_, (_, section))| *section).fold(table, TableReader::with),
    };
    let kind = kind.map(|(kind, _)| kind);
    table.refuse_other_keys();
    let games = table.integer("games_per_pairing", 1..=1000_u32);
    let first_move = table.get("first_move");
    let extra_game_start = first_move
        .and_then(|entry| entry.word(&[("balanced", ExtraGameStart::Balanced), (BY_LOT, ExtraGameStart::ByLot)]));
    let extra_game_start = extra_game_start.unwrap_or_default();
    let is_unfair = |games: &u32| !games.is_multiple_of(2) && extra_game_start == ExtraGameStart::Balanced;
    if let (Some(FormatWord::Elimination), Some(games)) = (kind, games.filter(is_unfair)) {
        let message = format!(
            "expected an even number in an elimination, where each side moves first in half of the games, found \
             `{games}`"
        );
        if let Some(entry) = table.get("games_per_pairing") {
            let remedy = format!("write `games_per_pairing = {}`, or draw with `first_move = \"lot\"`", games + 1);
            entry.report_error(message, remedy);
        }
    }
    // No other format has the key.
    let is_round_robin = matches!(kind, Some(FormatWord::RoundRobin));
    let rank_by = is_round_robin.then(|| table.get("rank_by")).flatten();
    let rank_by = rank_by.and_then(|entry| entry.word(&[("points", RankBy::Points), ("pairings", RankBy::Pairings)]));
    Some(Competition {
        agents: read_agents(&table, context),
        games_per_pairing: games.unwrap_or(2),
        play_time: table.decimal("play_time", &TIMES).unwrap_or(context.play_time),
        opening_plies: table.integer("opening_plies", 0..=200).unwrap_or(0),
        extra_game_start,
        rank_by: rank_by.unwrap_or_default(),
        format: read_format(&table, kind?),
    })
}

/// The agents that always take part.
fn read_agents(table: &TableReader<'_>, context: &Context<'_>) -> Vec<AssignmentAgent> {
    let elements = table.get("agents").and_then(|agents| agents.list());
    let mut invited: Vec<AssignmentAgent> = Vec::new();
    for element in elements.unwrap_or_default() {
        let Some((spec, name)) = read_agent(&element, context) else {
            continue;
        };
        if invited.iter().any(|agent| agent.name == name) {
            let message = format!("two agents are named `{name}`");
            element.report_error(message, "rename one: `\"NAME=builtin:minimax\"`");
        }
        invited.push(AssignmentAgent { name, spec });
    }
    invited
}

fn read_format(table: &TableReader<'_>, kind: FormatWord) -> Format {
    // Zero replaces a value that was reported as missing or wrong; it never leaves this module.
    let required = |name: &str, most: u32| {
        let number = table.require(name).and_then(|number| number.integer(1..=most));
        number.unwrap_or(0)
    };
    match kind {
        FormatWord::RoundRobin => Format::RoundRobin,
        FormatWord::Gauntlet => {
            let is_name = |text: &str| text.parse::<AgentName>().is_ok();
            let challenger = table.require("challenger").and_then(|name| name.checked_text(is_name));
            let challenger = challenger.unwrap_or_default().to_owned();
            Format::Gauntlet { challenger }
        }
        FormatWord::Swiss => Format::Swiss { rounds: required("rounds", 10_000) },
        FormatWord::Knockout => Format::Knockout,
        FormatWord::DoubleKnockout => Format::DoubleKnockout,
        FormatWord::Elimination => {
            Format::Elimination { round_limit: table.integer("round_limit", 1..=10_000).unwrap_or(ROUND_LIMIT) }
        }
        FormatWord::RandomRounds => {
            Format::RandomRounds { opponents: required("opponents", 1000), rounds: required("rounds", 10_000) }
        }
    }
}
