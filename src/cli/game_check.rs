//! `referee game`: checks a rules program through [`crate::rules_program`].

use std::fmt::Write;
use std::fs::File;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output::print;
use super::{CommandOutcome, Failure};
use crate::console::Steps;
use crate::games::{RulesWanted, load_rules};
use crate::rules_program::{self, GameCheck, LawResult, QuestionSpeed};

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
        let bar = Steps::new("positions tried", self.positions);
        let check = rules_program::check(&game.start(), self.positions, self.seed, messages, &|| bar.step())
            .map_err(cannot)?
            .ok_or_else(|| Failure::Bug("a rules program made no custom game".to_owned()))?;
        drop(bar);
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

/// Writing to a string cannot fail.
macro_rules! line {
    ($text:expr, $($words:tt)*) => { let _ = writeln!($text, $($words)*); };
}

fn report(name: &str, check: &GameCheck) -> String {
    let mut text = String::new();
    line!(text, "{name}: {}", summary(check));
    for law in &check.laws {
        let (is_broken, word) = match (law.broken, law.is_advice) {
            (0, _) => (false, "ok     "),
            (_, true) => (true, "warning"),
            (_, false) => (true, "BROKEN "),
        };
        if is_broken {
            line!(text, "{word} {} ({} of {})", law.law, law.broken, law.tried);
            broken_law(&mut text, law);
        } else {
            line!(text, "{word} {} ({} tried)", law.law, law.tried);
        }
    }
    ends(&mut text, check);
    line!(
        text,
        "tried   {} of {} listed moves",
        check.moves_tried,
        check.moves_listed
    );
    for QuestionSpeed {
        question,
        mean_us,
        longest_us,
        ..
    } in &check.speed
    {
        let millis = |us: &u64| format!("{}.{:03} ms", us / 1000, us % 1000);
        line!(
            text,
            "speed   {question}: {} on average, {} at most",
            millis(mean_us),
            millis(longest_us)
        );
    }
    let broken = check.laws.iter().filter(|law| law.broken > 0 && !law.is_advice);
    let broken: Vec<&str> = broken.map(|law| law.law).collect();
    if broken.is_empty() {
        line!(text, "ready to referee");
    } else {
        line!(
            text,
            "every question and answer: --messages FILE\nnot ready, {} broken: {}",
            broken.len(),
            broken.join("; ")
        );
    }
    text
}

/// `2000 positions of 14 random games: 13 came to an end, in 1 the rules failed`
fn summary(check: &GameCheck) -> String {
    let counted = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let parts = [
        (check.ended, format!("{} came to an end", check.ended)),
        (check.stopped, format!("{} stopped for length", check.stopped)),
        (check.failed, format!("in {} the rules failed", check.failed)),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(_, part)| part)
        .collect();
    let (positions, games) = (
        counted(check.positions, "position"),
        counted(check.games, "random game"),
    );
    format!("{positions} of {games}: {}", parts.join(", "))
}

/// The first violation: what was found, the board, and the position.
fn broken_law(text: &mut String, law: &LawResult) {
    let Some(found) = &law.contradiction else { return };
    for row in found.found.iter().chain(&found.board) {
        line!(text, "        {row}");
    }
    // At the beginning of a line, so that the line can be saved as it is.
    if let Some(position) = &found.position {
        line!(text, "{position}");
    }
    for row in found.stderr.iter().flat_map(|stderr| stderr.lines()) {
        line!(text, "        | {row}");
    }
    if law.broken > 1 {
        line!(text, "        and {} more", law.broken - 1);
    }
    line!(text, "        remedy: {}", law.remedy);
}

/// How often games ended by what, and what was never met.
fn ends(text: &mut String, check: &GameCheck) {
    let met: Vec<String> = check
        .ends
        .iter()
        .map(|end| format!("{} {}", end.code, end.met))
        .collect();
    if !met.is_empty() {
        line!(text, "ends    {}", met.join(", "));
    }
    let never = check.ends.iter().filter(|end| end.met == 0);
    let never: Vec<&str> = never.map(|end| end.code.as_str()).collect();
    if !never.is_empty() {
        line!(
            text,
            "        never met in random games: {}; test in test_rules.py",
            never.join(", ")
        );
    }
}
