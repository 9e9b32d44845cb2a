//! `referee game`: checks a rules program through [`referee_matches::rules_program`].

use std::fs::File;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output::print;
use super::{CommandOutcome, Failure};
use crate::console::StepProgress;
use referee_games::{GameRef, KnownGames, RulesProgram};
use referee_matches::rules_program::{self, GameCheck, LawResult};
use referee_messages::counted;
use referee_seat::Protocol;

#[derive(Debug, Subcommand)]
pub(super) enum GameCommand {
    Check(GameCheckCommand),
}

/// Test a rules program on positions of random games
///
/// Exits with 1 if it breaks a law of the interface.
#[derive(Debug, Args)]
pub(super) struct GameCheckCommand {
    /// Rules program: a source file, a directory or an executable
    rules: PathBuf,
    /// Number of positions
    #[arg(long, default_value_t = 2000)]
    positions: usize,
    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Protocol of the agents: for stdio, an input may have no empty line
    #[arg(long, value_name = "NAME", default_value = "files")]
    protocol: Protocol,
    /// Also write every question and its answer to this file, a line each
    #[arg(long, value_name = "FILE")]
    messages: Option<PathBuf>,
    /// Print a JSON object instead
    #[arg(long)]
    json: bool,
}

/// A longer line with a position is left to programs.
const LONGEST_POSITION: usize = 500;

impl GameCommand {
    pub(super) fn run(&self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let Self::Check(check) = self;
        check.run(games)
    }
}

impl GameCheckCommand {
    fn run(&self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let game = games.at(&self.rules)?;
        let cannot = |error| Failure::unwritable(self.messages.as_deref().unwrap_or(&self.rules), error);
        let messages = self.messages.as_ref().map(File::create).transpose().map_err(cannot)?;
        let bar = StepProgress::new("positions tried", self.positions);
        let check =
            rules_program::check(&game.start(), self.positions, self.seed, self.protocol, messages, &|| bar.step())
                .map_err(cannot)?
                .ok_or_else(|| Failure::Bug("a rules program made no custom game".to_owned()))?;
        drop(bar);
        if self.json {
            let mut json = serde_json::json!({ "game": game.name(), "ready": check.is_ready() });
            json["check"] = serde_json::to_value(&check).map_err(|error| Failure::Bug(error.to_string()))?;
            print(&format!("{json}\n"))?;
        } else {
            print(&report(game, &check))?;
        }
        Ok(check.is_ready().into())
    }
}

fn report(game: GameRef, check: &GameCheck) -> String {
    let mut lines = vec![format!("{game}: {}", summary(check))];
    if check.stopped_early() {
        let (tried, wanted) = (check.positions, check.positions_wanted);
        lines.push(format!("stopped after {tried} of {wanted} positions, because the rules failed too often"));
    }
    for law in &check.laws {
        match (law.tried, law.broken, law.is_advice) {
            (0, _, _) if check.stopped_early() => lines.push(format!("-       {} (not tried)", law.law)),
            (0, _, _) => lines.push(format!("-       {} (not tried: needs {})", law.law, law.needs)),
            (tried, 0, _) => lines.push(format!("ok      {} ({tried} tried)", law.law)),
            (tried, broken, is_advice) => {
                let word = if is_advice { "warning" } else { "BROKEN " };
                lines.push(format!("{word} {} ({broken} of {tried})", law.law));
                lines.extend(violation(law));
            }
        }
    }
    lines.extend(ends(game, check));
    let (tried, listed) = (check.moves_tried, check.moves_listed);
    lines.push(format!("tried   {tried} of {listed} listed moves"));
    for speed in &check.speed {
        let millis = |us: u64| format!("{}.{:03} ms", us / 1000, us % 1000);
        let (mean, longest) = (millis(speed.mean_wall_us), millis(speed.longest_wall_us));
        lines.push(format!("speed   {}: {mean} on average, {longest} at most", speed.question));
    }
    let broken = check.laws.iter().filter(|law| law.broken > 0 && !law.is_advice);
    let broken: Vec<&str> = broken.map(|law| law.law).collect();
    if broken.is_empty() {
        lines.push("ready to referee".to_owned());
    } else {
        lines.push("every question and answer: --messages FILE".to_owned());
        lines.push(format!("not ready, {} broken: {}", broken.len(), broken.join("; ")));
    }
    lines.join("\n") + "\n"
}

/// `2000 positions of 14 random games: 13 came to an end, in 1 the rules failed, passes in 25 turns`
fn summary(check: &GameCheck) -> String {
    let parts = [
        (check.ended, format!("{} came to an end", check.ended)),
        (check.stopped, format!("{} stopped for length", check.stopped)),
        (check.failed, format!("in {} the rules failed", check.failed)),
        (check.passes, format!("passes in {}", counted(check.passes, "turn"))),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|(count, _)| *count > 0).map(|(_, part)| part).collect();
    let (positions, games) = (counted(check.positions, "position"), counted(check.games, "random game"));
    format!("{positions} of {games}: {}", parts.join(", "))
}

/// The first violation: what was found, the board, the position, and what to do.
fn violation(law: &LawResult) -> Vec<String> {
    let Some(found) = &law.contradiction else {
        return Vec::new();
    };
    let indented = |row: &String| format!("        {row}");
    let mut lines: Vec<String> = found.found.iter().chain(&found.board).map(indented).collect();
    // At the beginning of a line, so that the line can be saved as it is.
    lines.extend(found.position.as_ref().map(|line| match line.len() {
        0..LONGEST_POSITION => line.clone(),
        bytes => format!("        this position in a line, of {bytes} bytes: `position` of --json"),
    }));
    lines.extend(found.stderr.iter().flat_map(|stderr| stderr.lines()).map(|row| format!("        | {row}")));
    if law.broken > 1 {
        lines.push(format!("        and {} more", law.broken - 1));
    }
    lines.push(format!("        remedy: {}", law.remedy));
    lines
}

/// How often games ended by what, and what was never met.
fn ends(game: GameRef, check: &GameCheck) -> Vec<String> {
    let is_python = |program: &RulesProgram| program.folder.join("rules.py").is_file();
    let tests = if game.rules_program().is_some_and(is_python) {
        "test them in test_rules.py"
    } else {
        "test them with positions of your own, by `referee judge`"
    };
    let (met, never): (Vec<_>, Vec<_>) = check.ends.iter().partition(|end| end.met > 0);
    let met: Vec<String> = met.iter().map(|end| format!("{} {}", end.code, end.met)).collect();
    let never: Vec<&str> = never.iter().map(|end| end.code.as_str()).collect();
    let odd = check.ends.iter().filter(|end| end.met > 0 && end.won_without_moving == end.met);
    let odd = odd.map(|end| {
        format!("ends    {}: always won by the side that had not just moved; is the winner right?", end.code)
    });
    let met = (!met.is_empty()).then(|| format!("ends    {}", met.join(", ")));
    let never = (!never.is_empty()).then(|| {
        let codes = never.join(", ");
        format!("ends    never in these random games: {codes}; {tests}")
    });
    met.into_iter().chain(odd).chain(never).collect()
}
