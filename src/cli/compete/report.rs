//! What is told and written when a competition is over.

use super::Conclusion;
use crate::assignment::Competition;
use crate::cli::Failure;
use crate::cli::events::EventLog;
use crate::cli::output::{note, say};
use crate::console::{Stream, Terminal, conclusion_text, standings_csv, standings_markdown, standings_text};
use crate::records::write_files;
use crate::tournament::{Crosstable, Runner, Standings, TieBreak};
use crate::wording::plain;

/// Prints who has won and the standings, and writes the standings into the folder of the run.
pub(super) fn report(
    runner: &Runner,
    competition: &Competition,
    conclusion: &Conclusion,
    events: &EventLog,
) -> Result<(), Failure> {
    let folder = &runner.folder;
    let mut table = Crosstable::new(runner.manifest.agents.iter().map(|agent| agent.name.as_str()));
    for summary in folder.summaries(&runner.manifest) {
        table.add(&summary?);
    }
    let standings = Standings::of(&table, TieBreak::usual(&competition.format));
    write_files(
        folder.path(),
        [
            ("standings.csv", standings_csv(&standings, None).as_str()),
            ("standings.md", standings_markdown(&standings).as_str()),
        ],
    )?;
    let winners: Vec<String> = conclusion.winners().map(plain).collect();
    let winners = match winners.as_slice() {
        [] => "nobody took part".to_owned(),
        [one] => format!("winner: {one}"),
        several => format!("winners: {}", several.join(", ")),
    };
    let stream = if events.on_stdout() {
        Stream::Stderr
    } else {
        Stream::Stdout
    };
    let look = Terminal::of(stream).look();
    let text = format!(
        "\n{winners}\n\n{}\nall games:\n\n{}\nrecords: {path}\nmore: referee standings {path} --ratings --crosstable\n",
        conclusion_text(conclusion, look),
        standings_text(&standings, look),
        path = folder.path().display()
    );
    if events.on_stdout() {
        note(text.trim_end());
        return Ok(());
    }
    say(&text)
}
