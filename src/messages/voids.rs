//! The missing results of a run due to voids, and the suspicious submissions, in words. It counts nothing; commands
//! that play print it at the end.

use crate::messages::{counted, plain};
use crate::records::VoidBlame;
use crate::tournament::Voids;

/// How many games are listed.
const LISTED: usize = 20;

/// The lines for a terminal; empty without voids.
pub fn void_lines(voids: &Voids) -> Vec<String> {
    let mut lines = Vec::new();
    let by_rules = || voids.set_aside.iter().filter(|record| record.blame == VoidBlame::Rules);
    if let Some(first) = by_rules().next() {
        lines.push(format!(
            "the rules are at fault: they failed in {} without a result, first in `{}`: {}",
            counted(by_rules().count(), "game"),
            plain(&first.id),
            plain(&first.reason)
        ));
    }
    for record in voids.set_aside.iter().take(LISTED) {
        let agents: Vec<String> = record.agents.iter().map(|name| plain(name)).collect();
        lines.push(format!(
            "missing: {} ({}), void {}: {}",
            plain(&record.id),
            agents.join(" - "),
            counted(record.times as usize, "time"),
            match record.blame {
                VoidBlame::Machine => plain(&record.reason),
                VoidBlame::Rules => "the rules failed".to_owned(),
            }
        ));
    }
    let more = voids.set_aside.len().saturating_sub(LISTED);
    if more > 0 {
        lines.push(format!("missing: {more} more"));
    }
    if !voids.by_agent.is_empty() {
        let counts = voids.by_agent.iter();
        let counts = counts.map(|(name, count)| format!("{} {count}", plain(name)));
        lines.push(format!(
            "void games and answers by agent: {}",
            counts.collect::<Vec<_>>().join(", ")
        ));
    }
    if !voids.suspects.is_empty() {
        let names: Vec<String> = voids.suspects.iter().map(|name| format!("`{}`", plain(name))).collect();
        let are = if names.len() == 1 { "is" } else { "are" };
        lines.push(format!(
            "{} {are} suspect: games of {} are void again and again; read its source code",
            names.join(", "),
            if names.len() == 1 { "this agent" } else { "these agents" }
        ));
    }
    lines
}
