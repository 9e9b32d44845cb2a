//! Reads the section `[ladder]`. It plans nothing; [`super::read`] calls it.

use super::keys::LADDER;
use super::table::TableReader;
use super::{Context, TIMES};
use crate::assignment::{LadderRules, NamedParticipants};
use referee_games::builtin::BuiltinAgent;

/// The ladder; `None` if there is none, or if it cannot be read.
pub(super) fn read(top: &TableReader<'_>, context: &Context<'_>) -> Option<LadderRules> {
    let entry = top.get("ladder")?;
    let table = TableReader::new(&LADDER, Some(entry.table()?), entry.at.clone(), top.report);
    table.refuse_other_keys();
    let reference = table.get("reference").and_then(|reference| {
        let name = reference.checked_text(|text| builtin(text).is_some())?;
        let agent = builtin(name)?;
        if let Some(Err(fault)) = context.game.map(|game| agent.check_plays(game)) {
            reference.report_error(fault, reference.key.remedy());
        }
        Some(agent)
    });
    let first = table.integer("named_first", 0..=1000).unwrap_or(10);
    let named = table.get("named").and_then(|named| {
        named.word(&[
            ("everybody", NamedParticipants::Everybody),
            ("neighbours", NamedParticipants::Neighbours { first }),
            ("nobody", NamedParticipants::Nobody),
        ])
    });
    Some(LadderRules {
        play_time: table.decimal("play_time", &TIMES).unwrap_or(context.play_time),
        opening_plies: table.integer("opening_plies", 0..=200).unwrap_or(2),
        minimum_pairs: table.integer("minimum_pairs", 1..=1000).unwrap_or(10),
        random_percent: table.integer("random_percent", 0..=100).unwrap_or(20),
        versions_per_day: table.integer("versions_per_day", 1..=1000).unwrap_or(10),
        named: named.unwrap_or_default(),
        reference: reference.or_else(|| builtin("builtin:minimax"))?,
    })
}

fn builtin(text: &str) -> Option<BuiltinAgent> {
    text.strip_prefix("builtin:")?.parse().ok()
}
