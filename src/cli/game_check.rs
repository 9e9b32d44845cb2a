//! `referee game`: checks a rules program through [`crate::rules_program`].

use std::fmt::Write;
use std::fs::File;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output::print;
use super::{CommandOutcome, Failure};
use crate::games::{RulesWanted, load_rules};
use crate::rules_program::{self, GameCheck, QuestionSpeed};

/// Test the rules program of a custom game
#[derive(Debug, Args)]
pub(super) struct GameCommand {
    #[command(subcommand)]
    command: GameWork,
}

#[derive(Debug, Subcommand)]
enum GameWork {
    Check(GameCheckCommand),
}

/// Test a rules program on positions of random games
///
/// Exits with 1 if it breaks a law of the interface.
#[derive(Debug, Args)]
struct GameCheckCommand {
    /// Rules program: a source file, a directory or an executable
    rules: PathBuf,
    /// Number of positions
    #[arg(long, default_value_t = 2000)]
    positions: usize,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Also write every question and its answer to this file, a line each
    #[arg(long, value_name = "FILE")]
    messages: Option<PathBuf>,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

impl GameCommand {
    pub(super) fn run(&self) -> Result<CommandOutcome, Failure> {
        match &self.command {
            GameWork::Check(check) => check.run(),
        }
    }
}

impl GameCheckCommand {
    fn run(&self) -> Result<CommandOutcome, Failure> {
        let game = load_rules(&RulesWanted::At(&self.rules)).map_err(|fault| Failure::Input(fault.to_string()))?;
        let cannot = |error| {
            let path = self.messages.as_deref().unwrap_or(&self.rules);
            Failure::Write(format!("cannot write `{}`: {error}", path.display()))
        };
        let messages = self.messages.as_ref().map(File::create).transpose().map_err(cannot)?;
        let check = rules_program::check(&game.start(), self.positions, self.seed, messages)
            .map_err(cannot)?
            .ok_or_else(|| Failure::Bug("a rules program made no custom game".to_owned()))?;
        if self.json {
            let mut json = serde_json::json!({ "game": game.name(), "ready": check.is_ready() });
            json["check"] = serde_json::to_value(&check).map_err(|error| Failure::Bug(error.to_string()))?;
            print(&format!("{json}\n"))?;
        } else {
            print(&report(game.name(), &check))?;
        }
        Ok(check.is_ready().into())
    }
}

fn report(name: &str, check: &GameCheck) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{name}: {} positions of {} random games, {} of which came to an end",
        check.positions, check.games, check.ended
    );
    for law in &check.laws {
        if law.broken == 0 {
            let _ = writeln!(text, "ok      {} ({} tried)", law.law, law.tried);
            continue;
        }
        let _ = writeln!(text, "BROKEN  {} ({} of {})", law.law, law.broken, law.tried);
        for found in &law.contradictions {
            for (label, line) in [
                ("position", &found.position),
                ("one", &found.one),
                ("other", &found.other),
            ] {
                if !line.is_empty() {
                    let _ = writeln!(text, "        {label:<9} {line}");
                }
            }
        }
    }
    for QuestionSpeed {
        question,
        mean_us,
        longest_us,
        ..
    } in &check.speed
    {
        let millis = |us: &u64| format!("{}.{:03} ms", us / 1000, us % 1000);
        let _ = writeln!(
            text,
            "speed   {question}: {} on average, {} at most",
            millis(mean_us),
            millis(longest_us)
        );
    }
    let broken = check.laws.iter().filter(|law| law.broken > 0).count();
    let _ = if broken == 0 {
        writeln!(text, "ready to referee")
    } else {
        let list: Vec<&str> = check
            .laws
            .iter()
            .filter(|law| law.broken > 0)
            .map(|law| law.law)
            .collect();
        writeln!(text, "not ready, {broken} broken: {}", list.join("; "))
    };
    text
}
