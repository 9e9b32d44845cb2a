//! The command line: arguments, one file per command, exit codes. `main` calls it; other modules and crates do the
//! work.

mod agent;
mod analyze;
mod analyzing;
mod assignment;
mod autograder;
mod check;
mod compete;
mod completions;
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
mod ladder;
mod limits;
mod listen;
mod man;
mod merge;
mod moves;
mod new_game;
mod nodes;
mod output;
mod perft;

mod plan;
mod play;
mod play_time;
mod player;
mod positions;
mod protocol;
mod record;
mod remedy;
mod replay;
mod report;
mod roster;
mod run_arguments;
mod run_display;
mod serve;
mod serve_play;
mod session;
mod shard;
mod slots;
mod slurm;
mod solve;
mod standings;
mod status;
mod student_pages;
mod verify;
mod voids;
mod worker_arguments;

use std::error::Error as _;
use std::panic::PanicHookInfo;
use std::path::Path;
use std::process::ExitCode;

use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use nix::sys::signal::Signal;
use nix::sys::stat::{Mode, umask};

use crate::console::restore_terminal;
use crate::doctor::{PROBE_COMMAND, probe_main};
use failure::Failure;
use output::SoundOutput;
use referee_games::{KnownGames, UnknownGame};
use referee_matches::rules_program::{known_games, likely_program};
use referee_messages::plain;
use referee_seat::{KEEPER_COMMAND, keeper_main, restore_signals};

/// Whether a successful command answers yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandOutcome {
    /// Success, and the answer is yes: exit code 0.
    Yes,
    /// Success, and the answer is no: exit code 1.
    No,
}

impl From<bool> for CommandOutcome {
    fn from(answer: bool) -> Self {
        if answer { Self::Yes } else { Self::No }
    }
}

/// Play and judge games between agent programs that read input.txt and write output.txt, on CPU time
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, disable_help_subcommand = true, max_term_width = 100)]
#[command(after_help = "Exit codes:\n  0  success, or yes\n  1  no, or void games are left\n  2  usage error\n  \
                  3  invalid input file\n  4  not possible on this machine\n  5  cannot write results\n  \
                  70  bug\n  75  stopped before the end (shard)\n  130  interrupted")]
struct Arguments {
    #[command(subcommand)]
    command: CliCommand,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    Play(Box<play::PlayCommand>),
    Compete(Box<compete::CompeteCommand>),
    Plan(Box<plan::PlanCommand>),
    Shard(shard::ShardCommand),
    Merge(merge::MergeCommand),
    /// Play a planned competition on a Slurm cluster
    ///
    /// First plan it: `referee plan ASSIGNMENT AGENT... --out RUN`, in a directory that every node sees under the same
    /// path. Slurm may cancel, requeue or lose any task at any time: finished games are kept, and missing games are
    /// played after the next submission.
    #[command(subcommand)]
    Slurm(slurm::SlurmCommand),
    /// Run a ladder: versions of agents that play each other all semester
    ///
    /// Make one with `referee ladder new`, take submissions in with `referee ladder update` as often as you like, and
    /// play with `referee ladder play`, on one machine or several. `referee ladder standings` and `pages` show who
    /// leads; `replay`, `explain`, `report` and `verify` work as with every run.
    #[command(subcommand)]
    Ladder(Box<ladder::LadderCommand>),
    Grade(Box<grade::GradeCommand>),
    Gradebook(gradebook::GradebookCommand),
    Check(check::CheckCommand),
    Judge(judge::JudgeCommand),
    Moves(moves::MovesCommand),
    Perft(perft::PerftCommand),
    Positions(positions::PositionsCommand),
    /// Test the rules program of a custom game
    #[command(subcommand)]
    Game(game_check::GameCommand),
    NewGame(new_game::NewGameCommand),
    Solve(solve::SolveCommand),
    Replay(replay::ReplayCommand),
    Explain(explain::ExplainCommand),
    Analyze(analyze::AnalyzeCommand),
    Verify(verify::VerifyCommand),
    Standings(standings::StandingsCommand),
    Report(report::ReportCommand),
    Serve(serve::ServeCommand),
    Status(status::StatusCommand),
    Export(export::ExportCommand),
    Doctor(doctor::DoctorCommand),
    Agent(agent::AgentCommand),
    Autograder(autograder::AutograderCommand),
    Kit(autograder::KitCommand),
    Completions(completions::CompletionsCommand),
    Man(man::ManCommand),
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
    // Whatever the caller hides from others, this process reads and enters what it makes.
    let inherited = umask(Mode::empty());
    umask(inherited - Mode::S_IRWXU);
    // It cannot fail for a signal that exists.
    let _ = restore_signals(&[Signal::SIGCHLD]);
    completions::answer_shell(Arguments::command);
    let mut words = std::env::args_os().skip(1);
    let command = if words.next().is_some_and(|word| word == agent::COMMAND) {
        CliCommand::Agent(agent::AgentCommand::parse_alone(words))
    } else {
        match arguments() {
            Ok(arguments) => arguments.command,
            Err(failure) => return failure.report(),
        }
    };
    match run(command, &known_games(None)) {
        Ok(CommandOutcome::Yes) => ExitCode::SUCCESS,
        Ok(CommandOutcome::No) => ExitCode::from(1),
        Err(failure) => failure.report(),
    }
}

fn run(command: CliCommand, games: &KnownGames) -> Result<CommandOutcome, Failure> {
    match command {
        CliCommand::Play(command) => command.run(games),
        CliCommand::Compete(command) => command.run(games),
        CliCommand::Plan(command) => command.run(games),
        CliCommand::Shard(command) => command.run(games),
        CliCommand::Merge(command) => command.run(games),
        CliCommand::Slurm(command) => command.run(games),
        CliCommand::Ladder(command) => command.run(games),
        CliCommand::Grade(command) => command.run(games),
        CliCommand::Gradebook(command) => command.run(games),
        CliCommand::Check(command) => expecting_sound_rules(games, |output| command.run(output)),
        CliCommand::Judge(command) => expecting_sound_rules(games, |output| command.run(output)),
        CliCommand::Moves(command) => expecting_sound_rules(games, |output| command.run(output)),
        CliCommand::Perft(command) => expecting_sound_rules(games, |output| command.run(output)),
        CliCommand::Positions(command) => expecting_sound_rules(games, |output| command.run(output)),
        CliCommand::Game(command) => command.run(games),
        CliCommand::NewGame(command) => command.run(),
        CliCommand::Solve(command) => command.run(games),
        CliCommand::Replay(command) => expecting_sound_rules(games, |output| command.run(output)),
        CliCommand::Explain(command) => expecting_sound_rules(games, |output| command.run(output)),
        CliCommand::Analyze(command) => expecting_sound_rules(games, |output| command.run(output)),
        CliCommand::Verify(command) => expecting_sound_rules(games, |output| command.run(output)),
        CliCommand::Standings(command) => command.run(games),
        CliCommand::Report(command) => command.run(games),
        CliCommand::Serve(command) => command.run(games),
        CliCommand::Status(command) => command.run(games),
        CliCommand::Export(command) => expecting_sound_rules(games, |output| command.run(output)),
        CliCommand::Doctor(command) => command.run(),
        CliCommand::Agent(command) => command.run(games),
        CliCommand::Autograder(command) => command.run(games),
        CliCommand::Kit(command) => command.run(games),
        CliCommand::Completions(command) => command.run(),
        CliCommand::Man(command) => command.run(Arguments::command()),
    }
}

/// Parses the command line. A negative number after an option is its value, so that the option itself refuses it.
fn arguments() -> Result<Arguments, Failure> {
    let with_numbers = |argument: Arg| {
        let is_option = argument.get_long().is_some() && argument.get_action().takes_values();
        let takes_numbers = is_option && !argument.is_allow_hyphen_values_set();
        if takes_numbers { argument.allow_negative_numbers(true) } else { argument }
    };
    let command = Arguments::command().mut_subcommands(|command| command.mut_args(with_numbers));
    let matches = command.try_get_matches();
    let parsed = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    parsed.or_else(|error| misnamed_rules(&error).map_or_else(|| error.exit(), Err))
}

/// The failure that `--game` names the folder of a rules program without a path to it.
fn misnamed_rules(error: &clap::Error) -> Option<Failure> {
    let UnknownGame(name) = error.source()?.downcast_ref()?;
    let program = plain(&likely_program(Path::new(name))?.display().to_string());
    Some(Failure::Usage(format!("`{}` is not a game: did you mean `{program}`?", plain(name))))
}

/// Runs a command that only asks rules. Once they have failed it has no answer, prints nothing more, and fails with
/// their fault: what else it would say, of its arguments or of a file, follows from false answers.
fn expecting_sound_rules(
    games: &KnownGames,
    command: impl FnOnce(SoundOutput<'_>) -> Result<CommandOutcome, Failure>,
) -> Result<CommandOutcome, Failure> {
    let output = SoundOutput { games };
    let done = command(output);
    output.expect_sound_rules().and(done)
}

/// A panic is a bug of ours. Finished games are on disk by then, and keepers notice that their referee is gone.
fn report_bug(panic: &PanicHookInfo<'_>) {
    restore_terminal();
    // The libraries panic where the system starts no more threads (EAGAIN).
    if panic.to_string().contains("Resource temporarily unavailable") {
        output::note(
            "referee: cannot start threads: end other programs, or raise the limit on processes (`ulimit -u`)",
        );
        std::process::exit(4);
    }
    output::note(&format!("referee: bug, please report it with the command line: {panic}"));
    std::process::exit(70);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing is looked for, and nothing started: whether there is such a program is for the command to find out.
    #[test]
    fn a_command_line_only_names_its_game() {
        let moves = Arguments::try_parse_from(["referee", "moves", "--game", "./no/such/rules.py"]).unwrap();
        let CliCommand::Moves(moves) = moves.command else { unreachable!("it was named") };
        let failure = expecting_sound_rules(&KnownGames::builtin(), |output| moves.run(output)).unwrap_err();
        assert!(matches!(failure, Failure::Input(why) if why == "rules programs cannot be used here"));
        let unknown = Arguments::try_parse_from(["referee", "moves", "--game", "no-such-game"]).unwrap_err();
        assert!(unknown.to_string().contains("`no-such-game` is not a game: choose one of"), "{unknown}");
    }
}
