//! Reads `[late]`: the deadline, and what a late submission costs. The parent module calls it.

use toml::de::DeValue;

use super::keys;
use super::table::TableReader;
use crate::assignment::{Deadline, LateRules};

/// A week.
const LONGEST_GRACE: u32 = 10_080;

/// A year.
const MOST_DAYS: u32 = 365;

/// The rules, if there are any.
pub(super) fn read(top: &TableReader<'_>) -> Option<LateRules> {
    top.get("late")?;
    let late = top.table("late", &keys::LATE);
    let deadline = late.require("deadline").and_then(|entry| match entry.value {
        DeValue::Datetime(written) => match written.to_string().parse::<Deadline>() {
            Ok(deadline) => Some(deadline),
            Err(_) => entry.unexpected(),
        },
        _ => entry.unexpected(),
    });
    let whole = |name, most: u32| late.get(name).and_then(|entry| entry.whole(0..=most));
    let penalty_percent = late
        .require("penalty_percent")
        .and_then(|entry| entry.whole(0..=100_u32));
    let penalty_of = late.get("penalty_of").and_then(|entry| entry.variant());
    let per = late.get("per").and_then(|entry| entry.variant());
    Some(LateRules {
        grace_minutes: whole("grace_minutes", LONGEST_GRACE).unwrap_or(0),
        penalty_of: penalty_of.unwrap_or_default(),
        per: per.unwrap_or_default(),
        max_days: whole("max_days", MOST_DAYS),
        free_days: whole("free_days", MOST_DAYS).unwrap_or(0),
        penalty_percent: penalty_percent?,
        deadline: deadline?,
    })
}
