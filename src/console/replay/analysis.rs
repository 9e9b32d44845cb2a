//! What an analysis adds to a replay: the expected score as a bar, the judgement on each move, and what lost the game.
//! The words are those of [`referee_messages`].

use crate::console::clocks::bar;
use referee_games::Side;
use referee_matches::referee::recorded_positions;
use referee_messages::{AnalysisWords, OutputStyle, SideNames, mark_words, score_words};
use referee_records::{GameAnalysis, GameRecord, MoveMark, TurnAnalysis};

/// The number of columns of the bar.
const BAR: usize = 20;

/// The analysis of a game that is replayed.
#[derive(Debug)]
pub(super) struct ReplayAnalysis {
    turns: Vec<TurnAnalysis>,
    /// The expected score of black before each turn and after the last one.
    black: Vec<f64>,
    pub(super) words: AnalysisWords,
}

impl ReplayAnalysis {
    /// `analysis` of `record`; `None` if it has other turns than the record.
    pub(super) fn of(record: &GameRecord, analysis: &GameAnalysis, names: &SideNames) -> Option<Self> {
        if analysis.turns.len() != record.turns.len() {
            return None;
        }
        let words = AnalysisWords::of(record, &recorded_positions(record).ok()?, analysis, names);
        Some(Self { black: analysis.expected_scores(Side::Black), turns: analysis.turns.clone(), words })
    }

    /// The expected scores after `turn` turns, with a bar whose thick part is the first side's.
    pub(super) fn score_line(&self, turn: usize, record: &GameRecord, look: OutputStyle) -> String {
        let black = self.black[turn];
        let [first, second] = Side::BOTH.map(|side| record.game.profile().side(side).name);
        let scores = [black, 1.0 - black].map(score_words);
        format!("{first} {} {} {} {second} (expected score)", scores[0], bar(black, BAR, look.characters), scores[1])
    }

    /// The judgement on the last of `turn` turns, if it is marked.
    pub(super) fn judgement(&self, turn: usize) -> Option<String> {
        let words = mark_words(self.turns.get(turn.checked_sub(1)?)?)?;
        Some(if self.words.decisive_turn == Some(turn) { format!("decisive {words}") } else { words })
    }

    /// The sign of the last of `turn` turns in a list of moves, after a blank; empty for most.
    pub(super) fn sign(&self, turn: usize) -> &'static str {
        let mark = turn.checked_sub(1).and_then(|index| self.turns.get(index)?.mark);
        match mark {
            None => "",
            Some(MoveMark::Mistake) if self.words.decisive_turn == Some(turn) => " ??",
            Some(MoveMark::Mistake) => " ?",
            Some(MoveMark::Unclear) => " ?!",
        }
    }
}
