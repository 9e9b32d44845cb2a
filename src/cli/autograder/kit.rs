//! `referee kit`: writes what a course hands to its students. It shares the archive with `autograder`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::archive_builder::{ArchiveBuilder, ArchiveContents, PackedAssignment};
use super::output::ArchiveOutput;
use super::trial::ArchiveTrial;
use crate::cli::{CommandOutcome, Failure};
use crate::runs::scratch_dir;
use referee_course::assignment::Assignment;
use referee_games::KnownGames;
use referee_games::protocol::{InputPurpose, TimeLeft};
use referee_messages::filled;
use referee_seat::{Protocol, Scratch};
use referee_submissions::agents::copy_with_provided;
use referee_time::CpuTime;

/// Write an archive for students: the assignment, the rules, this program, and how to check and play
///
/// Students unpack it and follow its README. Positions and opponents of the grading stay with you, unless you add them.
/// Before the archive is written, it is unpacked and its agent is checked on this machine.
#[derive(Debug, Args)]
pub(in crate::cli) struct KitCommand {
    /// Assignment file
    #[arg(value_name = "ASSIGNMENT")]
    assignment: PathBuf,
    /// Agent to start from: a directory that students may copy; may be repeated
    #[arg(long = "agent", value_name = "DIR", required = true)]
    agents: Vec<PathBuf>,
    /// Hand out these as well; may be repeated
    #[arg(long = "with", value_name = "WHAT", value_enum)]
    with: Vec<Extra>,
    #[command(flatten)]
    output: ArchiveOutput,
}

/// What a course may keep to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Extra {
    /// Positions and cases of the grading, which `check` then tries
    Positions,
    /// Opponents that are not built in, which `check` then plays against
    Opponents,
}

const README: &str = include_str!("kit_readme.md");

/// How a program is asked for a move, for the README.
const FILES: &str = "It runs anew for each of its moves, in a directory with `input.txt`. It reads that
file, writes its move to `output.txt`, and ends.";
const STDIO: &str = "It is started once and lives for the whole game. For each of its moves
it reads a question from standard input, up to an empty line, writes its answer and an empty line to standard output,
and flushes. When its input ends, it ends.";

/// What the README says of files that the course provides.
const PROVIDED: &str =
    "- some files beside that program are the course's, which adds them to whatever you hand in; do not change them
";

/// What students need on macOS and Windows, at the paths by which one names the other.
const CONTAINER: [(&str, &str); 2] = [
    (".devcontainer/devcontainer.json", include_str!("../../../packaging/containers/devcontainer.json")),
    ("containers/Containerfile.student", include_str!("../../../packaging/containers/Containerfile.student")),
];

/// How many legal moves the README shows.
const MOVES_SHOWN: usize = 3;

impl KitCommand {
    pub(in crate::cli) fn run(&self, games: &KnownGames) -> Result<CommandOutcome, Failure> {
        self.output.expect_place()?;
        let loaded = Assignment::load(&self.assignment, games).map_err(|faults| Failure::Input(faults.to_string()))?;
        let mut archive_builder = ArchiveBuilder::default();
        let has = |extra| self.with.contains(&extra);
        let contents = ArchiveContents { positions: has(Extra::Positions), opponents: has(Extra::Opponents) };
        let packed = archive_builder.add_assignment(&self.assignment, Path::new(""), contents, games)?;
        let agents = self.agents.iter().map(|folder| add_agent(&mut archive_builder, folder, &loaded));
        let agents = agents.collect::<Result<Vec<String>, Failure>>()?;
        let first = agents.first().map_or("", String::as_str);
        archive_builder.add_file("referee", &self.output.binary()?)?;
        for (name, text) in CONTAINER {
            archive_builder.add_text(name, text.to_owned());
        }
        archive_builder.add_text("README.md", readme(&loaded, &packed, &agents));
        let archive = archive_builder.into_zip().map_err(|error| Failure::Bug(error.to_string()))?;
        let words = ["check", first, "--assignment", &packed.path, "--quick", "--positions", "1"];
        // An agent to start from may have faults.
        ArchiveTrial::unpack(&archive)?.run(&words.map(AsRef::as_ref), &[0, 1])?;
        self.output.write(&archive)?;
        Ok(CommandOutcome::Yes)
    }
}

/// Adds the agent in `folder`, and beside its files those that the course provides, so that it plays without the
/// assignment, too; returns its path in the archive.
fn add_agent(archive_builder: &mut ArchiveBuilder, folder: &Path, assignment: &Assignment) -> Result<String, Failure> {
    let real = folder.canonicalize().map_err(|error| Failure::input(folder, error))?;
    if !real.is_dir() {
        return Err(Failure::input(folder, "expected a directory with one agent"));
    }
    let name = real.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Failure::input(folder, "its name is not UTF-8, so it cannot be packed"))?;
    let path = format!("agents/{name}");
    if let Some(provided) = &assignment.submission.provide {
        let copy = scratch_dir(Scratch::Other)?;
        copy_with_provided(&real, provided, &assignment.submission.names, copy.path())
            .map_err(|error| Failure::input(folder, error))?;
        archive_builder.add(&path, copy.path())?;
    } else {
        archive_builder.add(&path, &real)?;
    }
    Ok(path)
}

fn readme(assignment: &Assignment, packed: &PackedAssignment, agents: &[String]) -> String {
    let quoted = |text: &str| shlex::try_quote(text).map_or_else(|_| text.to_owned(), Into::into);
    let rules = assignment.game.rules().map_or_else(String::new, |rules| format!(" --rules {rules}"));
    let game = quoted(packed.rules.as_deref().unwrap_or(assignment.game.name())) + &rules;
    let start = assignment.game.start();
    let time = TimeLeft { own: assignment.clock.play_time, opponent: assignment.clock.play_time };
    let input = start.write_input(InputPurpose::Game, time);
    let moves: Vec<String> = start.moves().into_iter().take(MOVES_SHOWN).collect();
    let (agent, program) = (agents.first().map_or("", String::as_str), assignment.submission.names.first_program().0);
    let (protocol, question, answer, player) = match assignment.protocol {
        Protocol::Files => (FILES, "`input.txt`", "`output.txt`", quoted(agent)),
        Protocol::Stdio => (STDIO, "question", "an answer", quoted(&format!("stdio:{agent}"))),
    };
    let startup = match assignment.clock.startup_time {
        CpuTime::ZERO => String::new(),
        time => format!(" --startup-time {time}"),
    };
    let provided = if assignment.submission.provide.is_some() { PROVIDED } else { "" };
    let (path, agent, moves) = (quoted(&packed.path), quoted(agent), moves.join("\n\n"));
    filled(README, |name| match name {
        "title" => &assignment.title,
        "protocol" => protocol,
        "assignment" => &path,
        "agent" => &agent,
        "program" => &program,
        "provided" => provided,
        "question" => question,
        "input" => input.trim_end(),
        "answer" => answer,
        "moves" => &moves,
        "player" => &player,
        "game" => &game,
        "startup" => &startup,
        _ => unreachable!("the text has no such place: {name}"),
    })
}
