//! `referee kit`: writes what a course hands to its students. It shares the archive with `autograder`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::archive_builder::{ArchiveBuilder, ArchiveContents, PackedAssignment};
use super::output::ArchiveOutput;
use super::trial::ArchiveTrial;
use crate::cli::run_arguments::Python2Argument;
use crate::cli::{CommandOutcome, Failure};
use crate::runs::scratch_dir;
use referee_course::assignment::Assignment;
use referee_games::KnownGames;
use referee_games::protocol::{InputPurpose, TimeLeft};
use referee_messages::filled;
use referee_seat::{Protocol, Scratch};
use referee_submissions::agents::{Submission, copy_with_provided};

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
    python2: Python2Argument,
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
        let agents = agents.collect::<Result<Vec<PackedAgent>, Failure>>()?;
        let first = agents.first().ok_or_else(|| Failure::Usage("name an agent with `--agent`".to_owned()))?;
        archive_builder.add_file("referee", &self.output.binary()?)?;
        for (name, text) in CONTAINER {
            archive_builder.add_text(name, text.to_owned());
        }
        archive_builder.add_text("README.md", readme(&loaded, &packed, first));
        let archive = archive_builder.into_zip().map_err(|error| Failure::Bug(error.to_string()))?;
        try_out(&ArchiveTrial::unpack(&archive)?, &packed.path, &first.path, self.python2)?;
        self.output.write(&archive)?;
        Ok(CommandOutcome::Yes)
    }
}

/// Checks the agent of the unpacked archive, and plays with it as its README says, on a short clock.
fn try_out(trial: &ArchiveTrial, assignment: &str, agent: &str, python2: Python2Argument) -> Result<(), Failure> {
    let run = |words: &[&str], accepted: &[i32]| {
        let words: Vec<&OsStr> = words.iter().copied().chain(python2.option()).map(AsRef::as_ref).collect();
        trial.run(&words, accepted)
    };
    // An agent to start from may have faults, and then it may not even start.
    if run(&["check", agent, "--assignment", assignment, "--quick", "--positions", "1"], &[0, 1])? == 0 {
        run(&["play", agent, "builtin:random", "--assignment", assignment, "--time", "1"], &[0])?;
    }
    Ok(())
}

/// An agent in the archive.
#[derive(Debug)]
struct PackedAgent {
    path: String,
    /// The file with its program.
    program: String,
}

/// Adds the agent in `folder`, and beside its files those that the course provides, so that it plays without the
/// assignment, too.
fn add_agent(
    archive_builder: &mut ArchiveBuilder,
    folder: &Path,
    assignment: &Assignment,
) -> Result<PackedAgent, Failure> {
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
    let names = &assignment.submission.names;
    // `check` says what is wrong with one that has no program.
    let program = Submission::find(&real, names).map_or_else(|_| names.first_program().0, |found| found.homework.file);
    Ok(PackedAgent { path, program })
}

fn readme(assignment: &Assignment, packed: &PackedAssignment, agent: &PackedAgent) -> String {
    let quoted = |text: &str| shlex::try_quote(text).map_or_else(|_| text.to_owned(), Into::into);
    let rules = assignment.game.rules().map_or_else(String::new, |rules| format!(" --rules {rules}"));
    let game = quoted(packed.rules.as_deref().unwrap_or(assignment.game.name())) + &rules;
    let start = assignment.game.start();
    let time = TimeLeft { own: assignment.clock.play_time, opponent: assignment.clock.play_time };
    let input = start.write_input(InputPurpose::Game, time);
    let (protocol, question, answer) = match assignment.protocol {
        Protocol::Files => (FILES, "`input.txt`", "`output.txt`"),
        Protocol::Stdio => (STDIO, "question", "an answer"),
    };
    let solved = assignment.game.puzzles().and_then(|puzzles| (puzzles.solve)(input.as_bytes()).ok());
    let answers = if let Some(solution) = solved {
        format!("The right answer, as {answer} has it:\n\n```text\n{}\n```", solution.text)
    } else {
        let moves: Vec<String> = start.moves().into_iter().take(MOVES_SHOWN).collect();
        let moves = moves.join("\n\n");
        format!("Legal moves in this position, one in each block, as {answer} has them:\n\n```text\n{moves}\n```")
    };
    let provided = if assignment.submission.provide.is_some() { PROVIDED } else { "" };
    let (path, program, agent) = (quoted(&packed.path), &agent.program, quoted(&agent.path));
    filled(README, |name| match name {
        "title" => &assignment.title,
        "protocol" => protocol,
        "assignment" => &path,
        "agent" => &agent,
        "program" => program,
        "provided" => provided,
        "question" => question,
        "input" => input.trim_end(),
        "answers" => &answers,
        "game" => &game,
        _ => unreachable!("the text has no such place: {name}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_with_one_right_answer_is_shown_with_that_answer() {
        let text = "title = \"T\"\ngame = \"star-circle\"\n[[grade]]\nkind = \"cases\"\ncases = \"cases\"\ntime = 9\n\
                    points_each = 1\n";
        let assignment = Assignment::parse(text, Path::new("a.toml"), &KnownGames::builtin()).unwrap();
        let packed = PackedAssignment { path: "a.toml".to_owned(), rules: None };
        let agent = PackedAgent { path: "agents/mine".to_owned(), program: "homework2.py".to_owned() };
        let text = readme(&assignment, &packed, &agent);
        let answer = "The right answer, as `output.txt` has it:\n\n```text\nB2-C1\n10\n0\n194\n```\n";
        assert!(text.contains(answer) && text.contains("copy it and change `homework2.py`"), "{text}");
    }
}
