//! The missing results of a run due to voids, and the suspicious submissions, in words. It counts nothing; commands
//! and pages show it.

use super::{counted, plain};
use referee_matches::tournament::Voids;
use referee_records::{VoidBlame, VoidRecord};

/// How many games are listed.
const LISTED: usize = 20;

/// `1 game is`, `3 games are`.
pub fn counted_are(number: usize, thing: &str) -> String {
    format!("{} {}", counted(number, thing), if number == 1 { "is" } else { "are" })
}

/// What to say of `voids` at the end of a run; empty without voids.
pub fn void_lines(voids: &Voids) -> Vec<String> {
    let mut lines = missing_lines(&voids.set_aside);
    if !voids.by_agent.is_empty() {
        let counts = voids.by_agent.iter();
        let counts = counts.map(|(name, count)| format!("{} {count}", plain(name)));
        lines.push(format!("void games and answers by agent: {}", counts.collect::<Vec<_>>().join(", ")));
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

/// Which results are missing, and why: first of the rules, whose fault is the same in many games. A reason that
/// readers may not know is empty.
pub fn missing_lines(set_aside: &[VoidRecord]) -> Vec<String> {
    let mut lines = Vec::new();
    let by_rules = || set_aside.iter().filter(|record| record.is_of_rules());
    if let Some(first) = by_rules().next() {
        lines.push(format!(
            "the rules are at fault: they failed in {} without a result, first in `{}`{}",
            counted(by_rules().count(), "game"),
            plain(&first.id),
            reason(&first.reason)
        ));
    }
    for record in set_aside.iter().take(LISTED) {
        let agents: Vec<String> = record.agents.iter().map(|name| plain(name)).collect();
        lines.push(format!(
            "missing: {} ({}), void {}{}",
            plain(&record.id),
            agents.join(" - "),
            counted(record.times as usize, "time"),
            match record.blame {
                VoidBlame::Machine => reason(&record.reason),
                VoidBlame::Rules => ": the rules failed".to_owned(),
            }
        ));
    }
    let more = set_aside.len().saturating_sub(LISTED);
    if more > 0 {
        lines.push(format!("missing: {more} more"));
    }
    lines
}

fn reason(reason: &str) -> String {
    if reason.is_empty() { String::new() } else { format!(": {}", plain(reason)) }
}
