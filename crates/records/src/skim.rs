//! Reads game records for their summaries: of each turn only its side and its charge. A run of any length needs only
//! the memory of its longest files, one per processor. Standings, `status` and reports call it.

use std::io::ErrorKind;
use std::path::Path;

use rayon::prelude::*;
use serde::Deserialize;

use super::bounded::MAX_RECORD_BYTES;
use super::reading::parsed;
use super::{
    CloseCall, GameOnMachine, GameSummary, Host, LadderGame, Manifest, Outcome, Pairing, PerSide, PlayedOn,
    RecordError, RunFolder, RunKind, TurnTotals, Verdict, read_bounded,
};
use referee_games::Side;
use referee_seat::Meter;
use referee_time::CpuTime;

/// The fields of a [`GameRecord`](super::GameRecord) that a summary needs, under the same names.
#[derive(Deserialize)]
struct SkimmedGame {
    id: String,
    players: PerSide<RecordName>,
    first: Side,
    turns: Vec<SkimmedTurn>,
    verdict: Verdict,
    #[serde(default)]
    close_calls: Vec<CloseCall>,
    #[serde(default)]
    host: Option<Host>,
}

#[derive(Deserialize)]
struct RecordName {
    name: String,
    #[serde(default)]
    meter: Option<Meter>,
}

/// The side and the charge of a [`TurnRecord`](super::TurnRecord); a pass has no charge.
#[derive(Deserialize)]
struct SkimmedTurn {
    side: Side,
    #[serde(rename = "charged_cpu_us")]
    charged: Option<CpuTime>,
}

/// The number of records read before the first is passed on.
const BATCH: usize = 2048;

/// The number of records below which another thread does not pay.
const MIN_SHARE: usize = 64;

impl RunFolder {
    /// The summaries of the finished games of `manifest`, in order. A game that finishes meanwhile may or may not be
    /// included.
    ///
    /// Each item is its own result, so that one unreadable record does not hide the others. Reads some thousands at a
    /// time, on all processors, because opening many small files dominates.
    pub fn summaries(&self, manifest: &Manifest) -> impl Iterator<Item = Result<GameSummary, RecordError>> {
        self.games_on_machines(manifest).map(|survey| Ok(survey?.summary))
    }

    /// The same, with the machine of each game.
    pub fn games_on_machines(&self, manifest: &Manifest) -> impl Iterator<Item = Result<GameOnMachine, RecordError>> {
        // Testing each game separately takes minutes on a network file system.
        let recorded = self.recorded();
        let games = manifest.games.iter();
        let finished: Vec<&Pairing> = games.filter(|pairing| recorded.has(&pairing.id)).collect();
        let batches = finished.len().div_ceil(BATCH);
        (0..batches).flat_map(move |batch| {
            let end = finished.len().min((batch + 1) * BATCH);
            let batch = finished[batch * BATCH..end].par_iter().with_min_len(MIN_SHARE);
            batch.filter_map(|pairing| self.game_on_machine_of(pairing, manifest.kind)).collect::<Vec<_>>()
        })
    }

    /// The summaries of these games of a ladder, in this order, like [`Self::summaries`]. Left out are games of agents
    /// that `manifest` does not have, and games without a record.
    pub fn ladder_summaries(
        &self,
        manifest: &Manifest,
        games: &[LadderGame],
    ) -> impl Iterator<Item = (LadderGame, Result<GameSummary, RecordError>)> {
        self.packs.read_summaries();
        games.chunks(BATCH).flat_map(move |batch| {
            let summary = |&game: &LadderGame| Some((game, self.ladder_summary(manifest, game)?));
            batch.par_iter().with_min_len(MIN_SHARE).filter_map(summary).collect::<Vec<_>>()
        })
    }

    /// The game `id` in short, with its machine.
    ///
    /// # Errors
    ///
    /// [`RecordError`] if it has no readable record.
    pub fn game_on_machine(&self, id: &str) -> Result<GameOnMachine, RecordError> {
        let path = self.path_of(id);
        match self.packed_summary(id) {
            Some(packed) => Ok(packed),
            None => skim(&self.text_of_game(id)?, &path),
        }
    }

    /// The summary of one game of a ladder; `None` without a record, and if `manifest` does not have its agents.
    pub fn ladder_summary(&self, manifest: &Manifest, game: LadderGame) -> Option<Result<GameSummary, RecordError>> {
        let survey = self.game_on_machine_of(&game.pairing(manifest)?, RunKind::Ladder)?;
        Some(survey.map(|survey| survey.summary))
    }

    /// The survey of one game; `None` without a record.
    fn game_on_machine_of(&self, pairing: &Pairing, kind: RunKind) -> Option<Result<GameOnMachine, RecordError>> {
        let path = self.path_of(&pairing.id);
        let survey = match self.game_on_machine(&pairing.id) {
            Err(RecordError::Read { source, .. }) if source.kind() == ErrorKind::NotFound => return None,
            survey => survey,
        };
        Some(survey.and_then(|survey| {
            let Some(reason) = contradiction(pairing, kind, &survey.summary) else {
                return Ok(survey);
            };
            Err(RecordError::NotARecord { path, reason })
        }))
    }
}

/// A contradiction between `summary` and `pairing` of a run of this kind. The opening of a ladder's game, and so the
/// side to begin, is not in its name.
fn contradiction(pairing: &Pairing, kind: RunKind, summary: &GameSummary) -> Option<String> {
    if summary.id != pairing.id {
        return Some(format!("it is the record of another game, `{}`", summary.id));
    }
    let same_players = Side::BOTH.into_iter().all(|side| summary.name(side) == pairing.name(side));
    let same_first = kind == RunKind::Ladder || summary.first == pairing.first;
    (!same_players || !same_first)
        .then(|| "its agents or the side to begin differ than in the run's manifest".to_owned())
}

/// Reads the summary of one game record.
///
/// # Errors
///
/// [`RecordError`] if the file cannot be read, is not a record, or is too new.
pub fn read_summary(path: &Path) -> Result<GameSummary, RecordError> {
    let text =
        read_bounded(path, MAX_RECORD_BYTES).map_err(|source| RecordError::Read { path: path.to_owned(), source })?;
    Ok(skim(&text, path)?.summary)
}

/// The game with the `text` of the record `path`, in short.
pub(super) fn skim(text: &[u8], path: &Path) -> Result<GameOnMachine, RecordError> {
    let skimmed: SkimmedGame = parsed(text, path)?;
    let mut totals = TurnTotals::default();
    for SkimmedTurn { side, charged } in skimmed.turns {
        totals.add(side, charged);
    }
    let played_on = PlayedOn {
        host: skimmed.host,
        meters: PerSide { black: skimmed.players.black.meter, white: skimmed.players.white.meter },
    };
    let summary = GameSummary {
        id: skimmed.id,
        players: PerSide { black: skimmed.players.black.name, white: skimmed.players.white.name },
        first: skimmed.first,
        outcome: Outcome::of(&skimmed.verdict),
        totals,
        close_call: !skimmed.close_calls.is_empty(),
        within_noise: skimmed.close_calls.iter().any(CloseCall::is_within_noise),
    };
    Ok(GameOnMachine { summary, played_on })
}
