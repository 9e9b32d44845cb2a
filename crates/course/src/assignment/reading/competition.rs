//! Reads the section `[competition]`. It plans nothing; [`super::read`] calls it.

use super::criteria::{BY_LOT, read_agent};
use super::keys::{COMPETITION, ELIMINATION, FileSection, GAUNTLET, RANDOM_ROUNDS, ROUND_ROBIN, SWISS};
use super::table::TableReader;
use super::{Context, TIMES};
use crate::assignment::{AssignmentAgent, Competition};
use referee_matches::tournament::{ExtraGameStart, Format, RankBy};
use referee_submissions::agents::AgentName;

/// Reads what is said of a competition's format.
type FormatReader = fn(&TableReader<'_>) -> Format;

/// The formats, each with its name, its reader and the keys of its own, if it has any.
const FORMATS: [(&str, (FormatReader, Option<&FileSection>)); 7] = [
    ("round-robin", (|_| Format::RoundRobin, Some(&ROUND_ROBIN))),
    ("gauntlet", (|table| Format::Gauntlet { challenger: read_challenger(table) }, Some(&GAUNTLET))),
    ("swiss", (|table| Format::Swiss { rounds: required(table, "rounds", 10_000) }, Some(&SWISS))),
    ("knockout", (|_| Format::Knockout, None)),
    ("double-knockout", (|_| Format::DoubleKnockout, None)),
    ("elimination", (read_elimination, Some(&ELIMINATION))),
    ("random-rounds", (read_random_rounds, Some(&RANDOM_ROUNDS))),
];

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
    table.refuse_other_keys();
    let format = kind.map(|(read_format, _)| read_format(&table));
    let games = table.integer("games_per_pairing", 1..=1000_u32);
    let first_move = table.get("first_move");
    let extra_game_start = first_move
        .and_then(|entry| entry.word(&[("balanced", ExtraGameStart::Balanced), (BY_LOT, ExtraGameStart::ByLot)]));
    let extra_game_start = extra_game_start.unwrap_or_default();
    let is_unfair = |games: &u32| !games.is_multiple_of(2) && extra_game_start == ExtraGameStart::Balanced;
    if let (Some(Format::Elimination { .. }), Some(games)) = (&format, games.filter(is_unfair)) {
        let message = format!(
            "expected an even number in an elimination, where each side moves first in half of the games, found \
             `{games}`"
        );
        if let Some(entry) = table.get("games_per_pairing") {
            let remedy = format!("write `games_per_pairing = {}`, or draw with `first_move = \"lot\"`", games + 1);
            entry.report_error(message, remedy);
        }
    }
    let rank_by = table.get("rank_by");
    let rank_by = rank_by.and_then(|entry| entry.word(&[("points", RankBy::Points), ("pairings", RankBy::Pairings)]));
    Some(Competition {
        agents: read_agents(&table, context),
        games_per_pairing: games.unwrap_or(2),
        play_time: table.decimal("play_time", &TIMES).unwrap_or(context.play_time),
        opening_plies: table.integer("opening_plies", 0..=200).unwrap_or(0),
        extra_game_start,
        rank_by: rank_by.unwrap_or_default(),
        format: format?,
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

fn read_challenger(table: &TableReader<'_>) -> String {
    let is_name = |text: &str| text.parse::<AgentName>().is_ok();
    table.require("challenger").and_then(|name| name.checked_text(is_name)).unwrap_or_default().to_owned()
}

fn read_elimination(table: &TableReader<'_>) -> Format {
    Format::Elimination { round_limit: table.integer("round_limit", 1..=10_000).unwrap_or(100) }
}

fn read_random_rounds(table: &TableReader<'_>) -> Format {
    Format::RandomRounds { opponents: required(table, "opponents", 1000), rounds: required(table, "rounds", 10_000) }
}

/// A number that must be there. Zero replaces one that was reported as missing or wrong; it never leaves this module.
fn required(table: &TableReader<'_>, name: &str, most: u32) -> u32 {
    table.require(name).and_then(|number| number.integer(1..=most)).unwrap_or(0)
}
