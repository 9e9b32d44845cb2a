//! The command line: arguments, one file a command, exit statuses. Everything it does is done in other rooms.

mod agent;
mod failure;
mod game;
mod judge;
mod moves;
mod output;
mod perft;
mod play;
mod replay;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Whether a command that was carried out answers yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// Done, and the answer is yes: exit status 0.
    Yes,
    /// Done, and the answer is no: exit status 1.
    No,
}

/// Referees games between agent programs that read `input.txt`, write `output.txt` and are charged CPU time.
#[derive(Debug, Parser)]
#[command(
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
#[command(
    after_help = "Exit status: 0 done, yes; 1 done, no; 2 usage; 3 bad input file; 4 this machine cannot do it; \
                        5 results could not be written; 70 a bug; 130 interrupted"
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games between two agents
    Play(play::Play),
    /// Judge one answer, or a stream of them
    Judge(judge::Judge),
    /// List every legal move
    Moves(moves::Moves),
    /// Count move sequences
    Perft(perft::Perft),
    /// Step through a recorded game
    Replay(replay::Replay),
    /// Judge recorded games again from their records alone
    Verify(verify::Verify),
    /// Be a built-in agent: read input.txt, write output.txt
    Agent(agent::Agent),
}

/// Runs the command that the process was started with.
///
/// The keeper of a seat is served before anything else is looked at: it must stay small and start quickly.
pub fn main() -> ExitCode {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|command| command == crate::seat::KEEPER_COMMAND)
    {
        return ExitCode::from(crate::seat::keeper_main());
    }
    let done = match Arguments::parse().command {
        Command::Play(command) => command.run(),
        Command::Judge(command) => command.run(),
        Command::Moves(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Agent(command) => command.run(),
    };
    match done {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(failure) => failure.report(),
    }
}
