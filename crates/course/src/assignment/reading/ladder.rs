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
    let play_time = table.get("play_time").and_then(|time| time.seconds(&TIMES));
    let opening_plies = table.get("opening_plies").and_then(|plies| plies.integer(0..=100_u32));
    let minimum_pairs = table.get("minimum_pairs").and_then(|pairs| pairs.integer(1..=1000_u32));
    let random_percent = table.get("random_percent").and_then(|percent| percent.integer(0..=100_u32));
    let versions_per_day = table.get("versions_per_day").and_then(|versions| versions.integer(1..=1000_u32));
    let first = table.get("named_first").and_then(|first| first.integer(0..=1000_u32)).unwrap_or(10);
    let named = table.get("named").and_then(|named| {
        named.word(&[
            ("everybody", NamedParticipants::Everybody),
            ("neighbours", NamedParticipants::Neighbours { first }),
            ("nobody", NamedParticipants::Nobody),
        ])
    });
    Some(LadderRules {
        reference: reference.or_else(|| builtin("builtin:minimax"))?,
        play_time: play_time.unwrap_or(context.play_time),
        opening_plies: opening_plies.unwrap_or(2),
        minimum_pairs: minimum_pairs.unwrap_or(10),
        random_percent: random_percent.unwrap_or(20),
        versions_per_day: versions_per_day.unwrap_or(10),
        named: named.unwrap_or_default(),
    })
}

fn builtin(text: &str) -> Option<BuiltinAgent> {
    text.strip_prefix("builtin:")?.parse().ok()
}
