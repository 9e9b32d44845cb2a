//! The turns of one game for the page. Judged by [`referee_matches::referee`]; `assemble` and `ledger` call it.

use std::collections::BTreeMap;

use super::analysis::AnalysisView;
use super::anonymization::PageNames;
use super::board::packed;
use super::view::{EndingView, ReplayView, TurnOutput};
use referee_analysis::LostGame;
use referee_games::protocol::{Excerpt, plain};
use referee_games::{Side, State};
use referee_matches::referee::{Difference, Explanation, GameSnapshot, TimeStory, at_each_turn, explain, time_story};
use referee_messages::{
    Characters, SideNames, board_words, close_call_sentence, counted, cut_end, draw_excerpt, time_sentences,
};
use referee_records::{GameAnalysis, GameRecord, PerSide, RunFolder, TurnRecord, Verdict};
use referee_seat::OutputFile;
use referee_time::CpuTime;

/// The maximum shown lines of an answer or a standard error per turn.
const MAX_LINES: usize = 40;
/// The maximum width of such a line.
const MAX_COLUMNS: usize = 200;
/// The maximum width of an illegal answer in the list of moves.
const MAX_WRITTEN: usize = 40;

/// A recorded game, judged again once for all that pages say of it.
pub(super) struct ReplayedGame<'a> {
    record: &'a GameRecord,
    /// Of all turns, if there is one.
    analysis: Option<GameAnalysis>,
    snapshots: Vec<GameSnapshot>,
    positions: Vec<State>,
}

impl<'a> ReplayedGame<'a> {
    /// Judges the game of `record` again, and reads its analysis in `folder` if it has one.
    ///
    /// # Errors
    ///
    /// The first [`Difference`] between the record and the rules.
    pub(super) fn judge(folder: &RunFolder, record: &'a GameRecord) -> Result<Self, Difference> {
        let each_turn = at_each_turn(record, |game| (GameSnapshot::of(game), game.position().clone()))?;
        let (snapshots, positions) = each_turn.into_iter().unzip();
        let analysis = folder.analysis(&record.id).filter(|analysis| analysis.turns.len() == record.turns.len());
        Ok(Self { record, analysis, snapshots, positions })
    }

    /// What lost the game, if it was lost and is analyzed.
    pub(super) fn lost(&self) -> Option<LostGame> {
        LostGame::of(self.record, &self.positions, self.analysis.as_ref()?)
    }

    /// The turns of the game for the page of `page_names`.
    ///
    /// # Errors
    ///
    /// The first [`Difference`] between the record and the rules.
    pub(super) fn view(&self, page_names: &PageNames) -> Result<ReplayView, Difference> {
        let Self { record, analysis, snapshots, positions } = self;
        let players = PerSide::from_fn(|side| record.players.of(side).name.as_str());
        let names = SideNames::new(record.game, &page_names.name(players.black), &page_names.name(players.white));
        let id = page_names.id(&record.id).unwrap_or_default();
        let ending = match &record.verdict {
            Verdict::Forfeit { loser, .. } => {
                let explanation = explain(record)?;
                ending(&explanation, page_names.tells_words_of(players.of(*loser)))
            }
            Verdict::Won { .. } | Verdict::Drawn { .. } => None,
        };
        let is_told = |side: Side| page_names.tells_results_of(players.of(side));
        let time = |side| is_told(side).then(|| record.conditions.play_time.of(side).micros());
        let missing = if record.verdict.is_resigned() { "resigns" } else { "" };
        let moves: Vec<String> = record.turns.iter().map(|turn| move_text(turn, missing)).collect();
        let charged = |turn: &TurnRecord| {
            if is_told(turn.side()) { turn.charged().micros() } else { 0 }
        };
        let calls = record.close_calls.iter();
        let view = |analysis| AnalysisView::of(record, positions, analysis, &names);
        Ok(ReplayView {
            id: id.to_owned(),
            play_time_cpu_us: PerSide::from_fn(time),
            sides: record.turns.iter().map(side_letter).collect(),
            move_time_cpu_us: record.conditions.move_time.map(CpuTime::micros),
            moves: moves.join("\n"),
            charged_cpu_us: record.turns.iter().map(charged).collect(),
            boards: packed(record.game, snapshots.iter().map(GameSnapshot::rows)),
            notes: if snapshots.iter().all(|snapshot| snapshot.notes.is_empty()) {
                Vec::new()
            } else {
                snapshots.iter().map(|snapshot| snapshot.notes.clone()).collect()
            },
            ending,
            analysis: analysis.as_ref().map(view),
            time: time_sentences(&self.time_story(is_told), &names),
            close_calls: calls.map(|call| close_call_sentence(call, &names)).collect(),
            left_behind: page_names.subject().map(|own| left_behind(record, own)).unwrap_or_default(),
        })
    }

    /// What time had to do with the game, as far as it is about sides of which the reader is told.
    fn time_story(&self, is_told: impl Fn(Side) -> bool) -> TimeStory {
        let story = time_story(self.record, &self.positions, self.analysis.as_ref());
        let TimeStory { mut clocks, draw, loss } = story;
        clocks.retain(|clock| is_told(clock.side));
        TimeStory {
            clocks,
            // The difference tells of both.
            draw: draw.filter(|_| Side::BOTH.into_iter().all(&is_told)),
            loss: loss.filter(|loss| is_told(loss.loser())),
        }
    }
}

fn side_letter(turn: &TurnRecord) -> char {
    match turn.side() {
        Side::Black => 'b',
        Side::White => 'w',
    }
}

/// The move, or `missing` where a turn has none.
fn move_text(turn: &TurnRecord, missing: &str) -> String {
    match turn {
        TurnRecord::Pass { .. } => "-".to_owned(),
        TurnRecord::Run { mv, .. } => mv.as_deref().map_or_else(|| missing.to_owned(), board_words),
    }
}

/// The details of a loss by the agent's own fault; texts by the agent only if allowed.
fn ending(explanation: &Explanation, words_are_told: bool) -> Option<EndingView> {
    let forfeit = explanation.forfeit.as_ref()?;
    let rules = explanation.citations.iter();
    let rules = rules.map(|rule| format!("{} ({}): {}", rule.name, rule.source, rule.sentence));
    let ending = EndingView {
        rules: rules.collect(),
        legal: forfeit.legal.examples.clone(),
        legal_count: forfeit.legal.count,
        ..EndingView::default()
    };
    if !words_are_told {
        return Some(ending);
    }
    Some(EndingView {
        happened: explanation.happened.clone(),
        hints: forfeit.hints.clone(),
        written: forfeit.answer.as_ref().map(written).unwrap_or_default(),
        output: forfeit.answer.as_ref().map(draw_excerpt).unwrap_or_default(),
        program: forfeit.process.how.clone(),
        stderr: forfeit.process.stderr.clone(),
        ..ending
    })
}

/// The line at fault, or else the first one.
fn written(answer: &Excerpt) -> String {
    let marked = answer.lines.iter().find(|line| line.mark.is_some());
    let line = marked.or(answer.lines.first());
    line.map_or_else(String::new, |line| cut_end(&line.text, MAX_WRITTEN, Characters::Unicode))
}

/// What the agent `own` left after each of its turns.
fn left_behind(record: &GameRecord, own: &str) -> BTreeMap<usize, TurnOutput> {
    let turns = record.turns.iter().zip(1..);
    turns
        .filter_map(|(turn, number)| match turn {
            TurnRecord::Run { side, warnings, run, .. } if record.players.of(*side).name == own => {
                let warnings = warnings.iter().map(|warning| plain(&warning.to_string()));
                let left = TurnOutput {
                    output: answer_lines(&run.output),
                    stderr: lines(&run.stderr),
                    warnings: warnings.collect(),
                };
                Some((number, left))
            }
            TurnRecord::Run { .. } | TurnRecord::Pass { .. } => None,
        })
        .collect()
}

fn answer_lines(output: &OutputFile) -> Vec<String> {
    match output {
        OutputFile::Content { bytes } | OutputFile::Unasked { bytes } => lines(&String::from_utf8_lossy(&bytes.0)),
        OutputFile::Unfinished { bytes, .. } if !bytes.0.is_empty() => lines(&String::from_utf8_lossy(&bytes.0)),
        OutputFile::Missing { .. } | OutputFile::Unfinished { .. } => vec!["there was none".to_owned()],
        OutputFile::NotAFile { found } => vec![format!("it was {}", plain(found))],
        OutputFile::TooLarge { bytes } => vec![format!("it was too large: {bytes} bytes")],
        OutputFile::Unreadable { error } => vec![format!("it could not be read: {}", plain(error))],
    }
}

/// The first lines of a foreign text, each cut.
pub(super) fn lines(text: &str) -> Vec<String> {
    let mut all = text.lines();
    let shown = all.by_ref().take(MAX_LINES);
    let mut lines: Vec<String> = shown.map(cut).collect();
    let more = all.count();
    if more > 0 {
        lines.push(format!("… and {}", counted(more, "more line")));
    }
    lines
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_COLUMNS) {
        Some((end, _)) => plain(&line[..end]) + "…",
        None => plain(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_texts_are_bounded_and_plain() {
        assert_eq!(lines("a\x1b[2J\nb\n"), [r"a\u{1b}[2J", "b"]);
        let long = "x\n".repeat(MAX_LINES + 2);
        assert_eq!(lines(&long).last().unwrap(), "… and 2 more lines");
        assert_eq!(lines(&"y".repeat(1000))[0].chars().count(), MAX_COLUMNS + 1);
    }
}
