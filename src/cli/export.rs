//! `referee export`: reads a run and writes its games in another format.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

use super::output::{SoundOutput, json_line};
use super::standings::{readable, report_unreadable};
use super::{CommandOutcome, Failure};
use crate::runs::open_run;
use referee_games::{GameRef, Notation};
use referee_records::export::{GAMES_CSV_COLUMNS, csv_text, game_text, games_csv_row, in_notation};
use referee_records::{GameRecord, GameSummary, Manifest, RecordError, RunFolder};

/// Export the finished games of a run in another format
#[derive(Debug, Args)]
pub(super) struct ExportCommand {
    /// Run directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
    #[arg(long, help = formats_help())]
    format: ExportFormat,
    /// Output file [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A format on the command line.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExportFormat {
    /// A notation of one game.
    Own(&'static Notation),
    /// A PGN-like text, for every game.
    Text,
    /// A row per game, for spreadsheets.
    Csv,
    /// A JSON object per game, one per line.
    Jsonl,
}

/// The notations of all games.
fn notations() -> impl Iterator<Item = &'static Notation> {
    GameRef::all().flat_map(|game| game.profile().notations)
}

fn formats_help() -> String {
    let own: Vec<String> = notations().map(|own| format!("{} ({})", own.name, own.about)).collect();
    format!(
        "Export format: text (PGN-like, every game), csv (a row per game), jsonl (a JSON object per game), {}",
        own.join(", ")
    )
}

impl ExportFormat {
    /// The names of all formats.
    pub(super) fn names() -> impl Iterator<Item = &'static str> {
        ["text", "csv", "jsonl"].into_iter().chain(notations().map(|own| own.name))
    }
}

impl FromStr for ExportFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "text" => Ok(Self::Text),
            "csv" => Ok(Self::Csv),
            "jsonl" => Ok(Self::Jsonl),
            _ => notations()
                .find(|own| own.name == name)
                .map(Self::Own)
                .ok_or_else(|| format!("choose one of {}", Self::names().collect::<Vec<_>>().join(", "))),
        }
    }
}

impl ExportCommand {
    pub(super) fn run(self, sound: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let (folder, manifest) = open_run(&self.run, sound.games)?;
        let own = manifest.game.profile().notations;
        if let ExportFormat::Own(notation) = self.format
            && own.iter().all(|own| own.name != notation.name)
        {
            let Notation { name, about, .. } = notation;
            let fitting = own.first().map_or("text", |own| own.name);
            return Err(Failure::Usage(format!(
                "`--format {name}` is {about}; this is a run of {}: use `--format {fitting}`",
                manifest.game
            )));
        }
        let mut output = Output::open(self.out.as_deref(), sound)?;
        let unreadable = match self.format {
            ExportFormat::Own(_) | ExportFormat::Text => self.write_texts(&folder, &manifest, &mut output)?,
            ExportFormat::Csv => write_rows(&folder, &manifest, &mut output)?,
            ExportFormat::Jsonl => write_summaries(folder.summaries(&manifest), &mut output, json_line)?,
        };
        output.close()?;
        sound.expect_sound_rules()?;
        report_unreadable(&unreadable)?;
        Ok(CommandOutcome::Yes)
    }

    fn write_texts(
        &self,
        folder: &RunFolder,
        manifest: &Manifest,
        output: &mut Output<'_>,
    ) -> Result<Vec<String>, Failure> {
        let event = folder.path().file_name().map_or_else(|| "?".into(), |name| name.to_string_lossy());
        let (mut unreadable, mut separator) = (Vec::new(), "");
        let records = folder.finished(manifest).into_iter().map(|id| folder.game(&id));
        for record in readable(records, &mut unreadable) {
            output.write(separator)?;
            output.write(&self.text(&record, &event))?;
            separator = "\n";
        }
        Ok(unreadable)
    }

    fn text(&self, record: &GameRecord, event: &str) -> String {
        match self.format {
            ExportFormat::Own(notation) => in_notation(record, notation, event),
            ExportFormat::Text | ExportFormat::Csv | ExportFormat::Jsonl => game_text(record, event),
        }
    }
}

fn write_rows(folder: &RunFolder, manifest: &Manifest, output: &mut Output<'_>) -> Result<Vec<String>, Failure> {
    output.write(&csv_text([GAMES_CSV_COLUMNS]))?;
    write_summaries(folder.summaries(manifest), output, |game| Ok(csv_text([games_csv_row(game)])))
}

/// Writes each summary in the format of `text`, one at a time; returns why some could not be read.
fn write_summaries(
    summaries: impl Iterator<Item = Result<GameSummary, RecordError>>,
    output: &mut Output<'_>,
    text: impl Fn(&GameSummary) -> Result<String, Failure>,
) -> Result<Vec<String>, Failure> {
    let mut unreadable = Vec::new();
    for summary in readable(summaries, &mut unreadable) {
        output.write(&text(&summary)?)?;
    }
    Ok(unreadable)
}

/// A file, or standard output.
struct Output<'a> {
    name: String,
    writer: Box<dyn Write>,
    sound: SoundOutput<'a>,
}

impl<'a> Output<'a> {
    fn open(path: Option<&Path>, sound: SoundOutput<'a>) -> Result<Self, Failure> {
        let Some(path) = path else {
            return Ok(Self {
                name: "standard output".to_owned(),
                writer: Box::new(BufWriter::new(io::stdout().lock())),
                sound,
            });
        };
        let name = format!("`{}`", path.display());
        match File::create(path) {
            Ok(file) => Ok(Self { name, writer: Box::new(BufWriter::new(file)), sound }),
            Err(error) => Err(Failure::Write(format!("cannot write to {name}: {error}"))),
        }
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        self.sound.expect_sound_rules()?;
        self.writer.write_all(text.as_bytes()).map_err(|error| self.failure(&error))
    }

    fn close(mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(|error| self.failure(&error))
    }

    /// A closed pipe (`| head`) ends the command without an error.
    fn failure(&self, error: &io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::Write(format!("cannot write to {}: {error}", self.name)),
        }
    }
}
