//! `referee positions`: writes practice positions from [`referee_games::positions`].

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::game::GameArguments;
use super::output::{SoundOutput, expect_free_folder};
use super::{CommandOutcome, Failure};
use referee_games::positions::{MadePosition, PositionsError, PositionsRequest};
use referee_games::{GameRef, Side};
use referee_messages::counted;
use referee_time::{CpuTime, SecondsError};

/// Generate test positions
///
/// Each is a complete input.txt: 01-opening.txt, 02-forced-jump.txt, ... The same seed and options give the same
/// positions on every machine; a smaller --count gives the first of them.
#[derive(Debug, Args)]
pub(super) struct PositionsCommand {
    #[command(flatten)]
    game: GameArguments,
    /// Number of positions
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=9999))]
    count: u32,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Output directory, which must be new or empty
    #[arg(long, value_name = "DIR", required_unless_present_any = ["json", "list_kinds"])]
    out: Option<PathBuf>,
    /// Kinds of positions, alternating in this order [default: all kinds]
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<String>,
    /// Side to move; white is the second side, also where it has another name [default: alternating]
    #[arg(long, value_parser = sides())]
    side: Option<Side>,
    /// Remaining play time to write in input.txt, in seconds
    #[arg(long, default_value = "30", value_parser = seconds)]
    time: CpuTime,
    /// List the kinds of positions of the game and exit
    #[arg(long, conflicts_with_all = ["out", "kinds", "side"])]
    list_kinds: bool,
    /// Print JSON Lines {"name", "kind", "input"} instead of writing files
    #[arg(long, conflicts_with = "out")]
    json: bool,
}

impl PositionsCommand {
    pub(super) fn run(self, output: SoundOutput<'_>) -> Result<CommandOutcome, Failure> {
        let game = self.game.game(output.games)?;
        if self.list_kinds {
            output.say(&self.kinds_of(game))?;
            return Ok(CommandOutcome::Yes);
        }
        if let Some(folder) = &self.out {
            // Positions of two runs in one folder could not be distinguished.
            expect_free_folder("--out", folder)?;
        }
        let request = PositionsRequest {
            count: self.count,
            seed: self.seed,
            kinds: self.kinds,
            side: self.side,
            time: self.time,
        };
        let made = game.positions(&request)?;
        match &self.out {
            Some(folder) => write_all(folder, &made).and_then(|()| output.say(&summary(folder, &made)))?,
            None => output.print(&json_lines(&made))?,
        }
        Ok(CommandOutcome::Yes)
    }

    fn kinds_of(&self, game: GameRef) -> String {
        let kinds = game.kinds();
        let widest = kinds.iter().map(|kind| kind.name.len()).max().unwrap_or(0);
        let lines = kinds.iter().map(|kind| {
            if self.json {
                format!("{}\n", serde_json::json!({ "kind": kind.name, "about": kind.about }))
            } else {
                format!("{:widest$}  {}\n", kind.name, kind.about)
            }
        });
        lines.collect()
    }
}

impl From<PositionsError> for Failure {
    fn from(error: PositionsError) -> Self {
        match error {
            PositionsError::UnknownKind { .. } | PositionsError::NotFound(_) => Self::Usage(error.to_string()),
            PositionsError::Rules(fault) => Self::Input(fault),
        }
    }
}

/// Sides are named the same for all games.
fn sides() -> impl TypedValueParser<Value = Side> {
    let names = PossibleValuesParser::new(["black", "white"]);
    names.map(|name| if name == "black" { Side::Black } else { Side::White })
}

fn seconds(text: &str) -> Result<CpuTime, String> {
    match text.parse() {
        Ok(CpuTime::ZERO) => Err("the play time must be more than 0 seconds".to_owned()),
        Ok(time) => Ok(time),
        Err(error @ SecondsError) => Err(error.to_string()),
    }
}

fn write_all(folder: &Path, made: &[MadePosition]) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, error))?;
    for position in made {
        write_new(&folder.join(&position.name), &position.input)?;
        if let Some((name, text)) = &position.expected {
            write_new(&folder.join(name), text)?;
        }
    }
    Ok(())
}

fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| Failure::unwritable(path, error))
}

fn summary(folder: &Path, made: &[MadePosition]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for position in made {
        *counts.entry(position.kind).or_default() += 1;
    }
    let mut text = format!("{} in `{}`\n", counted(made.len(), "position"), folder.display());
    for (kind, count) in counts {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{count:4}  {kind}");
    }
    text
}

fn json_lines(made: &[MadePosition]) -> String {
    let line = |position: &MadePosition| {
        let mut line = serde_json::json!({ "name": position.name, "kind": position.kind, "input": position.input });
        if let Some((_, text)) = &position.expected {
            line["expected"] = text.as_str().into();
        }
        format!("{line}\n")
    };
    made.iter().map(line).collect()
}
