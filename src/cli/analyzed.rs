//! The analysis of one game in words: what lost it, and its mistakes, one line each. `analyze` prints it.

use super::Failure;
use referee_matches::referee::recorded_positions;
use referee_messages::{AnalysisWords, OutputStyle, SideNames, analysis_lines, board_words, mark_words};
use referee_records::{GameAnalysis, GameRecord};

/// The lines about a game.
pub(super) fn game_lines(
    record: &GameRecord,
    analysis: &GameAnalysis,
    look: OutputStyle,
) -> Result<Vec<String>, Failure> {
    let names = SideNames::of(record);
    let positions = recorded_positions(record).map_err(|difference| Failure::Input(difference.to_string()))?;
    let mut lines = analysis_lines(&AnalysisWords::of(record, &positions, analysis, &names), look);
    let marked = analysis.turns.iter().enumerate().filter_map(|(index, turn)| {
        let (mark, played) = (mark_words(turn)?, turn.played.as_ref()?);
        Some(format!("turn {}, {}: `{}`, {mark}", index + 1, names.side(turn.side), board_words(&played.mv)))
    });
    lines.extend(marked);
    Ok(lines)
}
