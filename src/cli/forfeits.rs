//! Reports the forfeits of a run after its score: the first of each agent in full, the others by name. `play` prints
//! it.

use std::collections::BTreeMap;

use super::Failure;
use crate::shell::shell_path;
use referee_matches::referee::explain;
use referee_messages::{OutputStyle, SideNames, explained, first_few, plain};
use referee_records::{GameRecord, GameSummary, Outcome, RunFolder};

/// The maximum number of further games listed.
const MAX_NAMED: usize = 5;

/// The forfeited games of each agent.
#[derive(Debug, Default)]
pub(super) struct Forfeits(BTreeMap<String, Vec<String>>);

impl Forfeits {
    /// Records a finished game.
    pub(super) fn add(&mut self, game: &GameSummary) {
        if let Outcome::Forfeit { loser, .. } = game.outcome {
            let name = game.name(loser).to_owned();
            self.0.entry(name).or_default().push(game.id.clone());
        }
    }

    /// The report, line by line; empty without forfeits.
    pub(super) fn lines(&self, folder: &RunFolder, look: OutputStyle) -> Result<Vec<String>, Failure> {
        let mut lines = Vec::new();
        for (name, games) in &self.0 {
            let [first, others @ ..] = games.as_slice() else {
                continue;
            };
            lines.push(String::new());
            lines.extend(in_full(&folder.game(first)?, look));
            lines.extend(by_name(name, others, folder));
        }
        Ok(lines)
    }
}

fn in_full(record: &GameRecord, look: OutputStyle) -> Vec<String> {
    match explain(record) {
        Ok(explanation) => explained(&explanation, &SideNames::of(record), look),
        Err(difference) => vec![format!("{} does not follow the rules: {}", record.id, plain(&difference.to_string()))],
    }
}

/// How to see the other games forfeited by `name`.
fn by_name(name: &str, games: &[String], folder: &RunFolder) -> Option<String> {
    let (next, rest) = games.split_first()?;
    let forfeits = if rest.is_empty() { "1 more forfeit".to_owned() } else { format!("{} more forfeits", games.len()) };
    let path = folder.path_of(next);
    let also = first_few(rest.iter().cloned(), MAX_NAMED);
    let also = if also.is_empty() { also } else { format!(" (also {also})") };
    Some(format!("{forfeits} of {}: referee explain {}{also}", plain(name), shell_path(&path)))
}
