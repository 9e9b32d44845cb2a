//! What a page needs of a finished game beside its turns. `assemble` and `ledger` read it from records.

use super::agents::charges;
use super::anonymization::PageNames;
use super::view::GameView;
use referee_analysis::LostGame;
use referee_games::protocol::plain;
use referee_games::{GameRef, Side};
use referee_messages::{SideNames, score, verdict_sentence};
use referee_records::{GameRecord, GameSummary, ManifestIndex, PerSide, PlayerKind, RunFolder, Verdict, WinReason};

/// A finished game in short.
#[derive(Debug)]
pub(super) struct FinishedGame {
    game: GameRef,
    pub(super) summary: GameSummary,
    verdict: Verdict,
    pub(super) charges: PerSide<Vec<u64>>,
    pub(super) seated: PerSide<PlayerKind>,
    /// What lost it, if it was lost and is analyzed; whoever judges the game again sets it.
    pub(super) lost: Option<LostGame>,
}

impl FinishedGame {
    /// Reads the record of the game `id`, and what is kept of it.
    ///
    /// # Errors
    ///
    /// Why it cannot be shown: one sentence, safe on a terminal.
    pub(super) fn read(folder: &RunFolder, index: &ManifestIndex<'_>, id: &str) -> Result<(GameRecord, Self), String> {
        let record = folder.game(id).map_err(|error| plain(&error.to_string()))?;
        match index.contradiction(&record) {
            None => {
                let game = Self::of(&record);
                Ok((record, game))
            }
            Some(reason) => Err(not_shown(id, &reason)),
        }
    }

    fn of(record: &GameRecord) -> Self {
        Self {
            game: record.game,
            summary: GameSummary::of(record),
            verdict: record.verdict.clone(),
            charges: PerSide::from_fn(|side| charges(record, side)),
            seated: PerSide::from_fn(|side| record.players.of(side).seated),
            lost: None,
        }
    }

    /// Its line on the page of `page_names`.
    pub(super) fn line(&self, page_names: &PageNames) -> GameView {
        let GameSummary { id, players, totals, close_call, .. } = &self.summary;
        let names = SideNames::new(self.game, &page_names.name(&players.black), &page_names.name(&players.white));
        let place = |side| page_names.place(players.of(side)).unwrap_or_default();
        let players = PerSide::from_fn(|side| players.of(side).as_str());
        GameView {
            id: page_names.id(id).unwrap_or_default().to_owned(),
            black: place(Side::Black),
            white: place(Side::White),
            score: score(&self.verdict),
            verdict: verdict_sentence(&page_names.verdict(&self.verdict, players), &names),
            ending: ending_words(&self.verdict),
            turns: totals.turns as usize,
            forfeit: matches!(self.verdict, Verdict::Forfeit { .. }),
            close_call: *close_call,
        }
    }
}

/// Why the game `id` cannot be shown, safe on a terminal.
pub(super) fn not_shown(id: &str, reason: &str) -> String {
    plain(&format!("game `{id}` cannot be shown: {reason}"))
}

/// The kind of an ending, without any text by an agent.
fn ending_words(verdict: &Verdict) -> String {
    let word = match verdict {
        Verdict::Won { by: WinReason::NoPieces, .. } => "no pieces".to_owned(),
        Verdict::Won { by: WinReason::NoMoves, .. } => "no moves".to_owned(),
        Verdict::Won { by: WinReason::Goal { goal }, .. } => goal.clone(),
        Verdict::Won { by: WinReason::HigherScore { .. }, .. } => "higher score".to_owned(),
        Verdict::Drawn { by, .. } => format!("draw: {}", by.word()),
        Verdict::Forfeit { fault, .. } => fault.kind().to_string(),
    };
    plain(&word.replace('-', " "))
}
