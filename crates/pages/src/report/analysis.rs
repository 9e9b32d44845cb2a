//! The analysis of a game for the page: a curve, marks, better moves and sentences. It computes no values; `replay`
//! calls it for games that have an analysis.

use std::collections::BTreeMap;

use serde::Serialize;

use referee_games::{Side, State};
use referee_messages::{AnalysisWords, SideNames, board_words};
use referee_records::{GameAnalysis, GameRecord, MoveMark, TurnAnalysis};

/// What a page shows of an analysis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnalysisView {
    /// What it says about the result.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<String>,
    /// The expected score of black in hundredths, before each turn and after the last one.
    pub black: Vec<u8>,
    /// The turn of the decisive mistake, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisive: Option<usize>,
    /// The better move for each turn with a mistake, as in [`ReplayView::moves`](super::ReplayView::moves).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mistakes: BTreeMap<usize, String>,
    /// The same for each turn of which it is unclear whether it is one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub unclear: BTreeMap<usize, String>,
}

impl AnalysisView {
    /// The view of `analysis`, with the `positions` before the first turn of `record` and after each turn.
    pub(super) fn of(record: &GameRecord, positions: &[State], analysis: &GameAnalysis, names: &SideNames) -> Self {
        let words = AnalysisWords::of(record, positions, analysis, names);
        Self {
            sentences: words.sentences,
            black: analysis.expected_scores(Side::Black).into_iter().map(hundredths).collect(),
            decisive: words.decisive_turn,
            mistakes: better_moves(analysis, MoveMark::Mistake),
            unclear: better_moves(analysis, MoveMark::Unclear),
        }
    }
}

fn better_moves(analysis: &GameAnalysis, mark: MoveMark) -> BTreeMap<usize, String> {
    let marked = (1..).zip(&analysis.turns).filter(|(_, turn)| turn.mark == Some(mark));
    marked.filter_map(|(number, turn)| Some((number, better_move(turn)?))).collect()
}

fn better_move(turn: &TurnAnalysis) -> Option<String> {
    turn.best.as_ref().map(|best| board_words(&best.mv))
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 100")]
fn hundredths(score: f64) -> u8 {
    (score.clamp(0.0, 1.0) * 100.0).round() as u8
}
