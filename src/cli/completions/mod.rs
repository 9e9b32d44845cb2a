//! `referee completions`, and the answers to a shell that completes a command line. It names what an argument may be;
//! [`clap_complete`] finds the argument that is being typed.
//!
//! A shell's script runs this program with [`VARIABLE`] set. Which values an argument takes follows from the type that
//! it is parsed into, so a new option of a known type is completed without a line here.

use std::any::TypeId;
use std::env;
use std::ffi::OsStr;
use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::CompleteEnv;
use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{Bash, EnvCompleter, Shells};

use super::export::ExportFormat;
use super::output::print;
use super::player::PlayerArgument;
use super::{CommandOutcome, Failure};
use crate::runs::PERSON;
use referee_course::grading::exports::EXPORTS;
use referee_games::builtin::BuiltinAgent;
use referee_games::{GameName, GameRef};
use referee_matches::tournament::TieBreak;
use referee_records::RunFolder;
use referee_seat::{Isolation, Meter};
use referee_submissions::agents::AgentSpec;

/// The environment variable by which a shell asks for completions. The usual `COMPLETE` belongs to every program.
const VARIABLE: &str = "REFEREE_COMPLETE";

const NAME: &str = "referee";

/// Where runs are by default.
const RESULTS: &str = "results";

/// Print a script that completes commands, options, games, agents, runs and formats in a shell
#[derive(Debug, Args)]
pub(super) struct CompletionsCommand {
    /// Shell
    #[arg(value_name = "SHELL", value_parser = PossibleValuesParser::new(Shells::builtins().names()))]
    shell: String,
}

impl CompletionsCommand {
    pub(super) fn run(&self) -> Result<CommandOutcome, Failure> {
        let shells = Shells::builtins();
        let shell = shells
            .completer(&self.shell)
            .ok_or_else(|| Failure::Usage(format!("`{}` is not a known shell", self.shell)))?;
        let mut script = Vec::new();
        let program = own_path();
        if shell.is(Bash.name()) {
            script.extend(bash_script(&program).into_bytes());
        } else {
            let written = shell.write_registration(VARIABLE, NAME, NAME, &program, &mut script);
            written.map_err(|error| Failure::Bug(error.to_string()))?;
        }
        print(&String::from_utf8_lossy(&script))?;
        Ok(CommandOutcome::Yes)
    }
}

/// This program as the shell finds it: by name if it was called by name.
fn own_path() -> String {
    let called = env::args_os().next().unwrap_or_else(|| NAME.into());
    let called = Path::new(&called);
    let path = if called.components().count() > 1 {
        env::current_exe().unwrap_or_else(|_| called.to_owned())
    } else {
        called.to_owned()
    };
    path.to_string_lossy().into_owned()
}

/// The script of [`clap_complete`] takes Bash's words, and Bash breaks `builtin:minimax` and `ada=class/ada` apart.
fn bash_script(program: &str) -> String {
    let program = shlex::try_quote(program).unwrap_or(program.into());
    include_str!("bash.sh").replace("VARIABLE", VARIABLE).replace("PROGRAM", &program)
}

/// Answers a shell that asks for completions, and exits; returns if no shell asks.
pub(super) fn answer_shell(command: impl Fn() -> Command) {
    CompleteEnv::with_factory(|| completed(command())).var(VARIABLE).complete();
}

/// `command` and its subcommands, with the values of their arguments.
fn completed(command: Command) -> Command {
    command.mut_args(with_values).mut_subcommands(completed)
}

fn with_values(arg: Arg) -> Arg {
    let type_id = arg.get_value_parser().type_id();
    let is = |id: TypeId| type_id == id;
    let named = |name: &str| arg.get_long() == Some(name);
    let value = arg.get_value_names().and_then(|names| names.first()).map(|name| name.as_str().to_owned());
    if is(TypeId::of::<GameName>()) {
        arg.add(ArgValueCompleter::new(games))
    } else if is(TypeId::of::<AgentSpec>()) {
        arg.add(ArgValueCompleter::new(agents))
    } else if is(TypeId::of::<PlayerArgument>()) {
        arg.add(ArgValueCompleter::new(players))
    } else if is(TypeId::of::<BuiltinAgent>()) {
        arg.add(words(|| BuiltinAgent::names().map(str::to_owned).collect()))
    } else if is(TypeId::of::<Isolation>()) {
        arg.add(words(|| Isolation::ALL.map(|level| level.to_string()).into()))
    } else if is(TypeId::of::<Meter>()) {
        arg.add(words(|| Meter::BEST_FIRST.map(|meter| meter.to_string()).into()))
    } else if is(TypeId::of::<TieBreak>()) {
        arg.add(words(|| TieBreak::ALL.map(|tie_break| tie_break.to_string()).into()))
    } else if is(TypeId::of::<ExportFormat>()) {
        arg.add(words(|| ExportFormat::names().map(str::to_owned).collect()))
    } else if named("export") {
        arg.add(words(|| EXPORTS.each_ref().map(|format| format.name.to_owned()).into()))
    } else if named("rules") {
        arg.add(words(variants))
    } else if value.as_deref() == Some("RUN") {
        arg.add(ArgValueCompleter::new(runs))
    } else {
        arg
    }
}

fn words(list: impl Fn() -> Vec<String> + Send + Sync + 'static) -> ArgValueCandidates {
    ArgValueCandidates::new(move || list().into_iter().map(CompletionCandidate::new).collect())
}

/// The rule sets of all games.
fn variants() -> Vec<String> {
    let variants = GameRef::all().flat_map(|game| game.variants().collect::<Vec<_>>());
    variants.filter_map(|variant| variant.rules().map(str::to_owned)).collect()
}

/// Games, and files that may be rules programs.
fn games(typed: &OsStr) -> Vec<CompletionCandidate> {
    let games = GameRef::all().map(|game| (game.name().to_owned(), game.profile().title));
    starting_with(typed, games).chain(PathCompleter::any().complete(typed)).collect()
}

/// Built-in agents, folders and files; after `NAME=`, too.
fn agents(typed: &OsStr) -> Vec<CompletionCandidate> {
    of_agents(typed, None)
}

fn players(typed: &OsStr) -> Vec<CompletionCandidate> {
    of_agents(typed, Some((PERSON.to_owned(), "you, at this terminal")))
}

fn of_agents(typed: &OsStr, person: Option<(String, &'static str)>) -> Vec<CompletionCandidate> {
    let text = typed.to_string_lossy();
    let (name, source) = match text.split_once('=') {
        Some((name, source)) if !name.contains(['/', ':']) => (format!("{name}="), source),
        Some(_) | None => (String::new(), &*text),
    };
    let source = OsStr::new(source);
    let builtin = BuiltinAgent::names().map(|name| (format!("builtin:{name}"), "built-in agent"));
    let all = starting_with(source, builtin.chain(person)).chain(PathCompleter::any().complete(source));
    all.map(|candidate| candidate.add_prefix(&name)).collect()
}

/// Directories, those of runs first; without a word, the runs in the usual place.
fn runs(typed: &OsStr) -> Vec<CompletionCandidate> {
    let completer = PathCompleter::any().filter(RunFolder::is_begun);
    let mut found = completer.complete(typed);
    if typed.is_empty() {
        let usual = completer.complete(OsStr::new(&format!("{RESULTS}/")));
        found.splice(0..0, usual);
    }
    found
}

fn starting_with(
    typed: &OsStr,
    words: impl Iterator<Item = (String, &'static str)>,
) -> impl Iterator<Item = CompletionCandidate> {
    let typed = typed.to_string_lossy().into_owned();
    words
        .filter(move |(word, _)| word.starts_with(&typed))
        .map(|(word, about)| CompletionCandidate::new(word).help(Some(about.into())))
}
