//! Reads `[late]`: the deadline, and what a late submission costs. The parent module calls it.

use toml::de::DeValue;

use super::keys;
use super::table::TableReader;
use crate::assignment::zone::time_zone;
use crate::assignment::{Deadline, LateRules};

/// A week.
const LONGEST_GRACE: u32 = 10_080;

/// A year.
const MAX_DAYS: u32 = 365;

/// The rules, if there are any.
pub(super) fn read(top: &TableReader<'_>) -> Option<LateRules> {
    top.get("late")?;
    let late = top.table("late", &keys::LATE);
    let deadline = read_deadline(&late);
    let penalty_percent = late.require("penalty_percent").and_then(|entry| entry.integer(0..=100));
    Some(LateRules {
        grace_minutes: late.integer("grace_minutes", 0..=LONGEST_GRACE).unwrap_or(0),
        penalty_of: late.variant("penalty_of").unwrap_or_default(),
        per: late.variant("per").unwrap_or_default(),
        max_days: late.integer("max_days", 0..=MAX_DAYS),
        free_days: late.integer("free_days", 0..=MAX_DAYS).unwrap_or(0),
        penalty_percent: penalty_percent?,
        deadline: deadline?,
    })
}

/// The remedy where a zone cannot be used.
const WITH_OFFSET: &str =
    "write `deadline` with its offset from UTC, such as `2026-11-20T23:59:00-08:00`, and no `zone`";

/// A time with an offset, or one by the clock of the `zone`.
fn read_deadline(late: &TableReader<'_>) -> Option<Deadline> {
    let zone = late.get("zone").map(|entry| {
        let read = time_zone(entry.text()?);
        read.map_err(|error| entry.report_error(error, WITH_OFFSET)).ok()
    });
    let deadline = late.require("deadline")?;
    let DeValue::Datetime(written) = deadline.value else {
        return deadline.unexpected();
    };
    let text = written.to_string();
    let Some(zone) = zone else {
        return text.parse().ok().or_else(|| deadline.unexpected());
    };
    let zone = zone?;
    if written.offset.is_some() {
        deadline.report_error("it has an offset from UTC, and there is a `zone`", "remove one of them");
        return None;
    }
    let local = written.time.and_then(|_| text.parse().ok());
    let read = Deadline::in_zone(local.or_else(|| deadline.unexpected())?, zone);
    read.map_err(|error| deadline.report_error(error, WITH_OFFSET)).ok()
}
