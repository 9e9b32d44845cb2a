//! The command line: arguments, one file per command, exit codes. `main` calls it; other rooms do the work.

mod against;
mod agent;
mod check;
mod compete;
mod doctor;
mod events;
mod explain;
mod export;
mod failure;
mod forfeits;
mod game;
mod game_check;
mod grade;
mod gradebook;
mod judge;
mod kind;
mod limits;
mod merge;
mod moves;
mod new_game;
mod nodes;
mod output;
mod perft;
mod places;
mod plan;
mod play;
mod player;
mod positions;
mod replay;
mod report;
mod scratch;
mod seating;
mod serve;
mod serve_play;
mod session;
mod shard;
mod slurm;
mod solve;
mod standings;
mod status;
mod verify;
mod voids;

use std::panic::PanicHookInfo;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::console::restore_terminal;
use crate::doctor::{PROBE_COMMAND, probe_main};
use crate::games::register_rules_loader;
use crate::rules_program::{self, first_fault};
use crate::seat::{KEEPER_COMMAND, keeper_main};
use failure::Failure;

/// Whether a successful command answers yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandOutcome {
    /// Success, and the answer is yes: exit code 0.
    Yes,
    /// Success, and the answer is no: exit code 1.
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
    after_help = "Exit status: 0 done, yes; 1 done, no, or done but for void games; 2 usage; 3 bad input file; 4 this \
                  machine cannot do it; \
                        5 results could not be written; 70 a bug; 75 told to stop with games left (shard); 130 \
                        interrupted"
)]
struct Arguments {
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Play games between two agents
    Play(Box<play::PlayCommand>),
    /// Run the competition of an assignment
    Compete(Box<compete::CompeteCommand>),
    /// Plan a competition that is played in parts, on one machine or on many
    Plan(Box<plan::PlanCommand>),
    /// Play a part of a planned competition
    Shard(shard::ShardCommand),
    /// Join copies of a run that were played apart
    Merge(merge::MergeCommand),
    /// Play a planned competition on a Slurm cluster
    Slurm(slurm::SlurmCommand),
    /// Grade submissions by an assignment
    Grade(Box<grade::GradeCommand>),
    /// Count the points of a grading from its records, and export them
    Gradebook(gradebook::GradebookCommand),
    /// Check a submission before it is handed in
    Check(check::CheckCommand),
    /// Judge one answer, or a stream of them
    Judge(judge::JudgeCommand),
    /// List every legal move
    Moves(moves::MovesCommand),
    /// Count move sequences
    Perft(perft::PerftCommand),
    /// Make positions for single moves
    Positions(positions::PositionsCommand),
    /// Try the rules program of a custom game
    Game(game_check::GameCommand),
    /// Write an example of a custom game, to change into yours
    NewGame(new_game::NewGameCommand),
    /// Answer a Star-and-Circle input exactly
    Solve(solve::SolveCommand),
    /// Step through a recorded game
    Replay(replay::ReplayCommand),
    /// Explain how a recorded game ended
    Explain(explain::ExplainCommand),
    /// Judge recorded games again from their records alone
    Verify(verify::VerifyCommand),
    /// Compute the standings of a run, and ratings
    Standings(standings::StandingsCommand),
    /// Make a page of a run, for a browser
    Report(report::ReportCommand),
    /// Show a run in the browser while it goes on
    Serve(serve::ServeCommand),
    /// Tell how far a run is
    Status(status::StatusCommand),
    /// Write the games of a run in another format
    Export(export::ExportCommand),
    /// Try what this machine can enforce and measure
    Doctor(doctor::DoctorCommand),
    /// Be a built-in agent: read input.txt, write output.txt
    Agent(agent::AgentCommand),
}

/// Runs the command of this process.
///
/// A seat's keeper is served first: it must stay small and start quickly.
pub fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    match words.next() {
        Some(command) if command == KEEPER_COMMAND => return ExitCode::from(keeper_main()),
        Some(command) if command == PROBE_COMMAND => {
            let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
            return ExitCode::from(probe_main(&words));
        }
        Some(_) | None => {}
    }
    std::panic::set_hook(Box::new(report_bug));
    register_rules_loader(rules_program::load);
    let mut words = std::env::args_os().skip(1);
    let command = if words.next().is_some_and(|word| word == agent::COMMAND) {
        CliCommand::Agent(agent::AgentCommand::parse_alone(words))
    } else {
        Arguments::parse().command
    };
    let done = match command {
        CliCommand::Play(command) => command.run(),
        CliCommand::Compete(command) => command.run(),
        CliCommand::Plan(command) => command.run(),
        CliCommand::Shard(command) => command.run(),
        CliCommand::Merge(command) => command.run(),
        CliCommand::Slurm(command) => command.run(),
        CliCommand::Grade(command) => command.run(),
        CliCommand::Gradebook(command) => command.run(),
        CliCommand::Check(command) => command.run(),
        CliCommand::Judge(command) => believed(command.run()),
        CliCommand::Moves(command) => believed(command.run()),
        CliCommand::Perft(command) => believed(command.run()),
        CliCommand::Positions(command) => believed(command.run()),
        CliCommand::Game(command) => command.run(),
        CliCommand::NewGame(command) => command.run(),
        CliCommand::Solve(command) => command.run(),
        CliCommand::Replay(command) => believed(command.run()),
        CliCommand::Explain(command) => believed(command.run()),
        CliCommand::Verify(command) => believed(command.run()),
        CliCommand::Standings(command) => command.run(),
        CliCommand::Report(command) => believed(command.run()),
        CliCommand::Serve(command) => command.run(),
        CliCommand::Status(command) => command.run(),
        CliCommand::Export(command) => believed(command.run()),
        CliCommand::Doctor(command) => command.run(),
        CliCommand::Agent(command) => command.run(),
    };
    match done {
        Ok(CommandOutcome::Yes) => ExitCode::SUCCESS,
        Ok(CommandOutcome::No) => ExitCode::from(1),
        Err(failure) => failure.report(),
    }
}

/// A command that has asked rules which have failed has no answer, whatever it has printed.
fn believed(done: Result<CommandOutcome, Failure>) -> Result<CommandOutcome, Failure> {
    match (done, first_fault()) {
        (Ok(_), Some(fault)) => Err(Failure::Machine(fault)),
        (done, _) => done,
    }
}

/// A panic is a bug of ours. Finished games are on disk by then, and keepers notice that their referee is gone.
fn report_bug(panic: &PanicHookInfo<'_>) {
    restore_terminal();
    output::note(&format!(
        "referee: this is a bug, please report it with the command that you gave: {panic}"
    ));
    std::process::exit(70);
}
