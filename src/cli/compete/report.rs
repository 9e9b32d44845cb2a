//! The output of `compete` when no more games can be played. It only prints; `compete` calls it.

use crate::cli::Failure;
use crate::cli::events::EventLog;
use crate::cli::standings::{CountedRun, report_unreadable};
use crate::console::{Stream, Terminal, standings_csv, standings_markdown, standings_text};
use crate::shell::shell_path;
use referee_records::{Manifest, RunFolder, write_files};

/// Prints the standings, and writes them to the folder of the run.
pub(super) fn report(folder: &RunFolder, manifest: &Manifest, events: &EventLog) -> Result<(), Failure> {
    let counted = CountedRun::from(folder, manifest);
    report_unreadable(&counted.unreadable)?;
    let standings = counted.standings(folder, manifest)?;
    write_files(
        folder.path(),
        [
            ("standings.csv", standings_csv(&standings, None).as_str()),
            ("standings.md", standings_markdown(&standings).as_str()),
        ],
    )?;
    let stream = if events.on_stdout() { Stream::Stderr } else { Stream::Stdout };
    let look = Terminal::of(stream).look();
    let text = format!(
        "\n{}\nrecords: {}\nnext: referee standings {} --ratings --crosstable\n",
        standings_text(&standings, look),
        folder.path().display(),
        shell_path(folder.path())
    );
    events.say(&text)
}
