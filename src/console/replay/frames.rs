//! A recorded game as snapshots, and as one long text. It judges nothing; `screen` draws it.

use super::analysis::ReplayAnalysis;
use referee_games::{GameRef, Side};
use referee_matches::referee::{Difference, Explanation, GameSnapshot, explain, snapshots};
use referee_messages::{
    LastMove, OutputStyle, SideNames, board_words, clock, close_call_sentence, draw_board, explained_in_short, plain,
    verdict_sentence,
};
use referee_records::{GameAnalysis, GameRecord, TurnRecord};

/// A game as snapshots: one before the first turn and one after each.
#[derive(Debug)]
pub struct Frames {
    pub(super) record: GameRecord,
    pub(super) snapshots: Vec<GameSnapshot>,
    pub(super) names: SideNames,
    /// The explanation of its end; `None` if the end does not follow from the turns.
    pub(super) explanation: Option<Explanation>,
    /// What an analysis says of the game, if it has one.
    pub(super) analysis: Option<ReplayAnalysis>,
}

impl Frames {
    /// Replays `record`.
    ///
    /// # Errors
    ///
    /// The first difference from the rules.
    pub fn of(record: GameRecord) -> Result<Self, Difference> {
        Ok(Self {
            snapshots: snapshots(&record)?,
            explanation: explain(&record).ok(),
            names: SideNames::of(&record),
            analysis: None,
            record,
        })
    }

    /// The same game with its analysis, if it has one.
    #[must_use]
    pub fn with_analysis(self, analysis: Option<&GameAnalysis>) -> Self {
        let analysis = analysis.and_then(|analysis| ReplayAnalysis::of(&self.record, analysis, &self.names));
        Self { analysis, ..self }
    }

    /// The record of the game.
    pub const fn record(&self) -> &GameRecord {
        &self.record
    }

    /// The number of turns.
    pub fn last(&self) -> usize {
        self.snapshots.len() - 1
    }

    pub(super) const fn game(&self) -> GameRef {
        self.record.game
    }

    /// The turn before snapshot `turn`; `None` for the start.
    pub(super) fn turn(&self, turn: usize) -> Option<&TurnRecord> {
        self.record.turns.get(turn.checked_sub(1)?)
    }

    /// The changes of the last of `turn` turns.
    pub(super) fn last_move(&self, turn: usize) -> LastMove {
        let Some(mv) = self.turn(turn).and_then(TurnRecord::mv) else {
            return LastMove::default();
        };
        LastMove::of(self.game(), &self.snapshots[turn - 1].rows(), &self.snapshots[turn].rows(), mv)
    }

    /// The frame after `turn` turns, line by line.
    pub fn frame(&self, turn: usize, look: OutputStyle) -> Vec<String> {
        let snapshot = &self.snapshots[turn];
        let mut lines = draw_board(self.game(), &snapshot.rows(), look);
        lines.extend(look.notes(&snapshot.notes));
        lines.extend(Side::BOTH.map(|side| {
            let left = clock(*snapshot.clocks.of(side));
            format!("{}: {left} s left", self.names.side(side))
        }));
        let caption = self.caption(turn).map(|caption| format!(": {caption}"));
        lines.push(format!("turn {turn} of {}{}", self.last(), caption.unwrap_or_default()));
        lines.extend(self.analysis_of(turn, look));
        if turn == self.last() {
            lines.extend(self.ending(look));
        }
        lines
    }

    /// What the analysis says of the last of `turn` turns and of the position after it.
    pub(super) fn analysis_of(&self, turn: usize, look: OutputStyle) -> Vec<String> {
        let Some(analysis) = &self.analysis else {
            return Vec::new();
        };
        let score = analysis.score_line(turn, &self.record, look);
        std::iter::once(score).chain(analysis.judgement(turn)).collect()
    }

    /// The last turn in words.
    pub(super) fn caption(&self, turn: usize) -> Option<String> {
        Some(match self.turn(turn)? {
            TurnRecord::Pass { side } => format!("{} passes", self.names.side(*side)),
            TurnRecord::Run { side, charged, mv, .. } => {
                format!("{} {} ({charged} s)", self.names.side(*side), self.played(mv.as_deref()))
            }
        })
    }

    /// The result, reasons to doubt it, and what an analysis says of it.
    pub(super) fn result(&self) -> Vec<String> {
        let calls = self.record.close_calls.iter();
        let calls = calls.map(|call| format!("close call: {}", close_call_sentence(call, &self.names)));
        let analyzed = self.analysis.iter().flat_map(|analysis| analysis.words.sentences.iter().cloned());
        [verdict_sentence(&self.record.verdict, &self.names)].into_iter().chain(calls).chain(analyzed).collect()
    }

    /// What the agent played.
    pub(super) fn played(&self, mv: Option<&str>) -> String {
        let missing = if self.record.verdict.is_resigned() { "resigns" } else { "no valid answer" };
        mv.map_or(missing.to_owned(), board_words)
    }

    fn ending(&self, look: OutputStyle) -> Vec<String> {
        let mut lines = self.result();
        let explanation = self.explanation.as_ref();
        let explanation = explanation.map(|explanation| explained_in_short(explanation, look));
        let explanation = explanation.unwrap_or_default();
        if !explanation.is_empty() {
            lines.push(String::new());
            lines.extend(explanation);
            if !self.record.verdict.is_resigned() {
                lines.push("`referee explain` shows the exit status, stderr and the clocks".to_owned());
            }
        }
        lines
    }

    /// The whole game as text.
    pub fn text(&self, look: OutputStyle) -> String {
        let mut text = format!("{}: {}\n", plain(&self.record.id), self.game());
        for turn in 0..=self.last() {
            text.push('\n');
            text.push_str(&self.frame(turn, look).join("\n"));
            text.push('\n');
        }
        text
    }
}
