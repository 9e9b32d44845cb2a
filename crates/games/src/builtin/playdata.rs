//! `playdata.txt`: the memory of an agent between the turns of one game. Only [`super::Plays`] and one game use it.
//!
//! The first line counts the turns; a second one, of the alpha-beta agent only, contains the keys of the positions
//! since the last capture or crowning:
//! ```text
//! turn 12
//! past 51118080 3fb2c1d09e8a7765 90ab34cd12ef5678
//! ```
//! An invalid text must count as none, as a whole. Reading must be bounded by the text's length.

use std::fmt;

/// An agent's memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlayData {
    /// The number of the agent's turns in this game.
    pub(super) turn: u64,
    /// Earlier positions.
    pub(super) past: RecentPositions,
}

/// The positions since the last progress: earlier ones cannot recur.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentPositions {
    /// A number that changes with every progress, for the last position.
    pub(super) stage: u64,
    /// The keys of the positions, oldest first; at most [`MAX_KEYS`].
    pub(super) keys: Vec<u64>,
}

/// More are never useful: fifty idle turns end a game in which they count.
const MAX_KEYS: usize = 100;

impl RecentPositions {
    /// The part that can still recur with the board at `stage`; everything if a game has no stages.
    pub(super) fn up_to(&self, stage: Option<u64>) -> Self {
        match stage {
            Some(stage) if stage != self.stage => Self { stage, keys: Vec::new() },
            Some(_) | None => self.clone(),
        }
    }

    /// The past after a move from the position `before` to `after`, which is at `stage`.
    pub(super) fn after_move(mut self, before: u64, after: u64, stage: Option<u64>) -> Self {
        self.keys.push(before);
        let mut past = self.up_to(stage);
        past.keys.push(after);
        let superfluous = past.keys.len().saturating_sub(MAX_KEYS);
        past.keys.drain(..superfluous);
        past
    }
}

impl PlayData {
    /// Parses the output of [`fmt::Display`], and nothing else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (turn, rest) = text.strip_prefix("turn ")?.split_once('\n')?;
        Some(Self {
            turn: turn.parse().ok()?,
            past: if rest.is_empty() { RecentPositions::default() } else { read_recent_positions(rest)? },
        })
    }
}

fn read_recent_positions(text: &str) -> Option<RecentPositions> {
    let mut words = text.strip_prefix("past ")?.strip_suffix('\n')?.split(' ');
    let stage = words.next()?.parse().ok()?;
    let keys = words.map(|key| u64::from_str_radix(key, 16).ok()).collect::<Option<Vec<_>>>()?;
    Some(RecentPositions { stage, keys }).filter(|past| past.keys.len() <= MAX_KEYS)
}

impl fmt::Display for PlayData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "turn {}", self.turn)?;
        let RecentPositions { stage, keys } = &self.past;
        if keys.is_empty() {
            return Ok(());
        }
        write!(f, "past {stage}")?;
        for key in keys {
            write!(f, " {key:x}")?;
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn reading_what_was_written_is_the_identity(
            turn in any::<u64>(),
            stage in any::<u64>(),
            keys in prop::collection::vec(any::<u64>(), 1..MAX_KEYS),
        ) {
            for past in [RecentPositions { stage, keys }, RecentPositions::default()] {
                let data = PlayData { turn, past };
                prop_assert_eq!(PlayData::read(&data.to_string()), Some(data));
            }
        }
    }

    #[test]
    fn progress_forgets_what_was_before_it() {
        let past = RecentPositions::default().up_to(Some(24)).after_move(1, 2, Some(24));
        assert_eq!(past.keys, [1, 2]);
        let on = past.up_to(Some(24)).after_move(3, 4, Some(24));
        assert_eq!(on.keys, [1, 2, 3, 4]);
        assert_eq!(on.clone().up_to(Some(23)).keys, [0; 0], "the opponent made progress");
        assert_eq!(on.clone().after_move(5, 6, Some(23)).keys, [6], "the own move made progress");
        assert_eq!((0..200).fold(on, |past, key| past.after_move(key, key, None)).keys.len(), MAX_KEYS);
    }
}
