//! `referee explain`: reads a record and prints its explanation.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::analyzing::AnalyzeFirst;
use super::output::{SoundOutput, json_line};
use super::record::{Record, read_record};
use super::verify::against_rules;
use super::{CommandOutcome, Failure};
use crate::console::{Stream, Terminal};
use crate::runs::{WantedRecord, no_record};
use referee_course::grading::{AnswerItem, answer_item, answer_lines};
use referee_games::KnownGames;
use referee_matches::referee::{Explanation, TimeStory, explain, recorded_positions, time_story};
use referee_messages::{
    AnalysisWords, OutputStyle, SideNames, analysis_lines, answer_sentence, explained, time_story_lines,
    verdict_sentence,
};
use referee_records::GameRecord;

/// Explain how a recorded game ended or how an answer was judged
///
/// Shows what happened, the rule behind it, output.txt with the error marked, the legal moves, how the program exited,
/// and where the time went.
#[derive(Debug, Args)]
pub(super) struct ExplainCommand {
    /// Record: a file in RUN/games or RUN/answers
    record: PathBuf,
    #[command(flatten)]
    analyze: AnalyzeFirst,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

/// An explanation with the sentence of its verdict.
#[derive(Serialize)]
struct Explained<'a> {
    headline: String,
    #[serde(flatten)]
    explanation: &'a Explanation,
    time_story: TimeStory,
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<AnalysisWords>,
}

/// An answer with the sentence of its verdict.
#[derive(Serialize)]
struct ExplainedAnswer<'a> {
    headline: String,
    id: &'a str,
    #[serde(flatten)]
    answer: AnswerItem,
}

impl ExplainCommand {
    pub(super) fn run(self, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let look = Terminal::of(Stream::Stdout).look();
        let text = match read_record(&self.record, output.games)
            .map_err(|error| no_record(&self.record, WantedRecord::GameOrAnswer, error))?
        {
            Record::Game(record) => self.game(&record, output.games, look)?,
            Record::Answer(record) if self.json => json_line(&ExplainedAnswer {
                headline: answer_sentence(&record.verdict),
                id: &record.id,
                answer: answer_item(&record),
            })?,
            Record::Answer(record) => answer_lines(&record, look).join("\n") + "\n",
        };
        if self.json {
            output.print(&text)?;
        } else {
            output.say(&text)?;
        }
        Ok(CommandOutcome::Yes)
    }

    fn game(&self, record: &GameRecord, games: &KnownGames, look: OutputStyle) -> Result<String, Failure> {
        let refused = |difference| against_rules(&self.record, record.game, &difference);
        let positions = recorded_positions(record).map_err(refused)?;
        let explanation = explain(record).map_err(refused)?;
        let analysis = self.analyze.record(&self.record, record, games)?;
        let time_story = time_story(record, &positions, analysis.as_ref());
        let names = SideNames::of(record);
        let analysis = analysis.map(|analysis| AnalysisWords::of(record, &positions, &analysis, &names));
        if self.json {
            let headline = verdict_sentence(&record.verdict, &names);
            let explanation = &explanation;
            return json_line(&Explained { headline, explanation, time_story, analysis });
        }
        let mut lines = explained(&explanation, &names, look);
        lines.extend(time_story_lines(&time_story, &names, look));
        match analysis {
            Some(words) => lines.extend(analysis_lines(&words, look)),
            None => lines.extend(self.hint(record)),
        }
        Ok(lines.join("\n") + "\n")
    }

    /// How to find the mistake of a game that was lost on the board.
    fn hint(&self, record: &GameRecord) -> Option<String> {
        let is_missing = record.verdict.loser_on_board().is_some() && !self.analyze.is_asked();
        is_missing.then(|| "for the mistake that lost it, add `--analyze`".to_owned())
    }
}
