//! Game records read for their summaries: the turns are counted and their charges summed, and nothing else of them is
//! ever built. A run of any length is read in the memory of its longest files, one for each processor.

use std::fmt;
use std::io::ErrorKind;
use std::num::NonZero;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

use super::store::{LARGEST_RECORD_BYTES, SchemaOnly};
use super::{GameSummary, Manifest, Outcome, Pairing, PerSide, RecordError, RunFolder, SCHEMA, Verdict, read_bounded};
use crate::games::Side;
use crate::time::CpuTime;

/// The parts of a [`GameRecord`](super::GameRecord) that a summary is made of, by the same names.
#[derive(Deserialize)]
struct Skimmed {
    schema: u32,
    id: String,
    players: PerSide<Named>,
    first: Side,
    turns: TurnTotals,
    verdict: Verdict,
    #[serde(default)]
    close_calls: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Of a [`TurnRecord`](super::TurnRecord), whose turn it was and what was charged; a pass has no charge.
#[derive(Deserialize)]
struct Turn {
    side: Side,
    #[serde(rename = "charged_cpu_us", default)]
    charged: CpuTime,
}

#[derive(Default)]
struct TurnTotals {
    turns: u32,
    charged: PerSide<CpuTime>,
}

impl<'de> Deserialize<'de> for TurnTotals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Totals;
        impl<'de> Visitor<'de> for Totals {
            type Value = TurnTotals;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the turns of a game")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<TurnTotals, A::Error> {
                let mut totals = TurnTotals::default();
                while let Some(Turn { side, charged }) = sequence.next_element()? {
                    totals.turns += 1;
                    *totals.charged.of_mut(side) += charged;
                }
                Ok(totals)
            }
        }
        deserializer.deserialize_seq(Totals)
    }
}

/// So many records are read before the first of them is passed on.
const BATCH: usize = 2048;

/// For fewer records than this another thread is not worth starting.
const LEAST_SHARE: usize = 64;

impl RunFolder {
    /// The summaries of the finished games of `manifest`, in its order. A game that is finished while they are read may or
    /// may not be among them.
    ///
    /// Each item is an error of its own: one unreadable record does not hide the others. They are read a [`BATCH`] at a time,
    /// on all processors: it is the reading of many small files that takes the time.
    pub fn summaries(&self, manifest: &Manifest) -> impl Iterator<Item = Result<GameSummary, RecordError>> {
        manifest.games.chunks(BATCH).flat_map(|batch| self.summaries_of(batch))
    }

    fn summaries_of(&self, batch: &[Pairing]) -> Vec<Result<GameSummary, RecordError>> {
        let readers = std::thread::available_parallelism().map_or(1, NonZero::get);
        let share = batch.len().div_ceil(readers).max(LEAST_SHARE);
        let read = |pairings: &[Pairing]| {
            pairings
                .iter()
                .filter_map(|pairing| self.summary(pairing))
                .collect::<Vec<_>>()
        };
        let mut shares = batch.chunks(share);
        let own = shares.next().unwrap_or_default();
        std::thread::scope(|scope| {
            let others: Vec<_> = shares.map(|share| scope.spawn(move || read(share))).collect();
            let mut summaries = read(own);
            for other in others {
                // A panic of a reader is one of ours, and goes on as such.
                summaries.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            summaries
        })
    }

    /// The summary of one game; `None` where it has no record yet.
    fn summary(&self, pairing: &Pairing) -> Option<Result<GameSummary, RecordError>> {
        let path = self.path_of(&pairing.id);
        let summary = match read_summary(&path) {
            Err(RecordError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => return None,
            summary => summary,
        };
        Some(summary.and_then(|summary| {
            let Some(reason) = stranger(pairing, &summary) else {
                return Ok(summary);
            };
            Err(RecordError::NotARecord { path, reason })
        }))
    }
}

/// What tells that `summary` is not of the game that `pairing` asks for.
fn stranger(pairing: &Pairing, summary: &GameSummary) -> Option<String> {
    if summary.id != pairing.id {
        return Some(format!("it is the record of another game, `{}`", summary.id));
    }
    let same_players = Side::BOTH
        .into_iter()
        .all(|side| summary.name(side) == pairing.name(side));
    (!same_players || summary.first != pairing.first)
        .then(|| "its agents or the side to begin are others than in the run's manifest".to_owned())
}

/// Reads the summary of one game record.
///
/// # Errors
///
/// [`RecordError`] that says whether the file cannot be read, is something else, or is too new.
pub fn read_summary(path: &Path) -> Result<GameSummary, RecordError> {
    let text = read_bounded(path, LARGEST_RECORD_BYTES).map_err(|source| RecordError::Read {
        path: path.to_owned(),
        source,
    })?;
    let newer = |found| RecordError::NewerSchema {
        path: path.to_owned(),
        found,
    };
    let skimmed: Skimmed = serde_json::from_slice(&text).map_err(|reason| {
        // A newer format need not look like this one at all, so its version is looked for by itself.
        match serde_json::from_slice::<SchemaOnly>(&text) {
            Ok(SchemaOnly { schema }) if schema > u64::from(SCHEMA) => newer(schema),
            Ok(_) | Err(_) => RecordError::NotARecord {
                path: path.to_owned(),
                reason: reason.to_string(),
            },
        }
    })?;
    if skimmed.schema > SCHEMA {
        return Err(newer(u64::from(skimmed.schema)));
    }
    let TurnTotals { turns, charged } = skimmed.turns;
    Ok(GameSummary {
        id: skimmed.id,
        players: PerSide {
            black: skimmed.players.black.name,
            white: skimmed.players.white.name,
        },
        first: skimmed.first,
        outcome: Outcome::of(&skimmed.verdict),
        turns,
        charged,
        close_call: !skimmed.close_calls.is_empty(),
    })
}
