//! `referee agent`: one turn of a built-in agent, which a seat starts, or a whole game of one. It chooses no move
//! itself.

use std::ffi::OsString;
use std::io::{stdin, stdout};
use std::path::Path;

use clap::{Args, Parser};

use super::game::{rules_help, with_rules};
use super::{CommandOutcome, Failure};
use referee_games::builtin::BuiltinAgent;
use referee_games::{GameName, KnownGames};
use referee_seat::Protocol;
use referee_submissions::agents::{run_builtin, run_builtin_alive};

/// Run a built-in agent: read input.txt and write output.txt
#[derive(Debug, Args)]
pub(super) struct AgentCommand {
    /// Built-in agent: random, minimax or alphabeta, with optional parameters: minimax,depth=3,seed=7
    #[arg(value_name = "AGENT")]
    named: BuiltinAgent,
    /// Game [default: detected from input.txt]
    #[arg(long)]
    game: Option<GameName>,
    #[arg(long, requires = "game", help = rules_help())]
    rules: Option<String>,
    // How the rules are started that are a program of their own; the referee itself says so.
    #[arg(long, hide = true, conflicts_with = "game")]
    rules_program: Option<String>,
    /// How it is asked: files (one turn) or stdio (questions on standard input, for a whole game)
    #[arg(long, value_name = "NAME", default_value = "files")]
    protocol: Protocol,
    /// Random seed; a `seed` parameter of the agent takes precedence
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

// The command alone: parsing must not build the descriptions of all other commands, which takes half as long as the
// rest of an agent's start.
#[derive(Debug, Parser)]
#[command(name = COMMAND_LINE, max_term_width = 100)]
struct AgentCommandLine {
    #[command(flatten)]
    agent: AgentCommand,
}

/// The name of the command.
pub(super) const COMMAND: &str = "agent";

const COMMAND_LINE: &str = "referee agent";

impl AgentCommand {
    /// Parses the arguments after [`COMMAND`]; exits on a request for help or an error.
    pub(super) fn parse_alone(words: impl Iterator<Item = OsString>) -> Self {
        AgentCommandLine::parse_from(std::iter::once(COMMAND_LINE.into()).chain(words)).agent
    }

    pub(super) fn run(self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        let game = self.game.map(|game| with_rules(games.named(&game)?, self.rules.as_deref())).transpose()?;
        let attached = self.rules_program.as_deref().map(|text| games.attached(text));
        let attached = attached.transpose().map_err(|fault| Failure::Machine(fault.to_string()))?;
        let game = game.or(attached);
        let ran = match self.protocol {
            Protocol::Files => run_builtin(Path::new("."), &self.named, self.seed, game),
            Protocol::Stdio => run_builtin_alive(stdin().lock(), stdout().lock(), &self.named, self.seed, game),
        };
        ran.map(|()| CommandOutcome::Yes).map_err(|error| match games.first_fault() {
            // This exit status is what the referee takes for it, too (`referee/play.rs`).
            Some(fault) => Failure::Machine(fault),
            None => Failure::Input(error.to_string()),
        })
    }
}
