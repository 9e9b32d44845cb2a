//! Submissions that need what came with them: data files, subfolders, modules, in three languages. They are started in
//! their own folder, at every level, wherever the program runs one: in a game, in a check, in a grading.
//!
//! They are the sample agents of checkers with a few lines more, which give up where anything is missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use referee_games::{KnownGames, checkers, little_go};
use referee_records::{RunFolder, Verdict};
use referee_seat::{Bytes, IsolationRange, OutputFile, RunRequest, SeatOptions, Task, Termination};
use referee_submissions::agents::{AgentSpec, Language, Participant};
use referee_time::{CpuTime, WallTime};
use serde_json::Value;
use tempfile::TempDir;

use crate::builder::builder;
use crate::invocation::command;
use crate::levels::levels;
use crate::toolbox::{CPP, JAVA, PYTHON3, has};

const LANGUAGES: [Language; 3] = [PYTHON3, CPP, JAVA];

const PYTHON_NEEDS: &str = r#"
import os, sys
from helpers import names
HERE = os.path.dirname(os.path.abspath(__file__))
assert open("weights.txt").read() == "weights\n"
assert open(os.path.join(HERE, "data", "book.txt")).read() == "book\n"
assert os.path.samefile(HERE, os.getcwd()) and os.path.samefile(sys.path[0], HERE)
assert os.path.exists(os.path.join(HERE, "input.txt")) and names.NAME == "names"
assert sys.argv[0] == "homework.py" and not os.path.exists("output.txt")
open("weights.txt", "a").write("changed\n")
os.remove(os.path.join("data", "book.txt"))
"#;

const CPP_NEEDS: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <errno.h>
#include <fstream>
#include <iterator>
#include <string>
static std::string text_of(const std::string &name) {
    std::ifstream file(name);
    return std::string(std::istreambuf_iterator<char>(file), {});
}
static struct Needs {
    Needs() {
        std::string own = program_invocation_name, here = own.substr(0, own.rfind('/') + 1);
        if (own != "./homework" || text_of("weights.txt") != "weights\n" || text_of(here + "data/book.txt") != "book\n"
            || text_of(here + "input.txt").empty() || !text_of("output.txt").empty() || text_of("homework").empty())
            std::abort();
        std::ofstream("weights.txt", std::ios::app) << "changed\n";
        std::remove("data/book.txt");
    }
} needs;
"#;

const JAVA_NEEDS: &str = r#"
import java.nio.file.*;
class Needs {
    static void check() throws java.io.IOException {
        Path book = Path.of("data/book.txt");
        boolean there = Files.readString(Path.of("weights.txt")).equals("weights\n")
            && Files.readString(book).equals("book\n")
            && Needs.class.getResource("data/book.txt") != null
            && System.getProperty("java.class.path").equals(".")
            && Files.exists(Path.of("homework.class")) && Files.exists(Path.of("homework.java"))
            && Files.exists(Path.of("input.txt")) && !Files.exists(Path.of("output.txt"));
        if (!there)
            throw new IllegalStateException("something is missing");
        Files.writeString(Path.of("weights.txt"), "changed\n", StandardOpenOption.APPEND);
        Files.delete(book);
    }
}
"#;

fn sample(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("agents").join(path)).unwrap()
}

/// The submission in `language`, with the files that it needs and others that could be taken for the referee's.
fn submission(language: Language) -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("weights.txt", "weights\n");
    write("data/book.txt", "book\n");
    write("input.txt", "of an older test\n");
    write("output.txt", "E a1 a1\n");
    write("playdata.txt", "of an older game\n");
    match language {
        Language::Python(_) => {
            write("helpers/__init__.py", "");
            write("helpers/names.py", "from .words import NAME\n");
            write("helpers/words.py", "NAME = \"names\"\n");
            write("homework.py", &format!("{PYTHON_NEEDS}\n{}", sample("checkers-python/homework.py")));
        }
        Language::Cpp(_) => write("homework.cpp", &format!("{CPP_NEEDS}\n{}", sample("checkers-cpp/homework.cpp"))),
        Language::Java => {
            let main = "public static void main(String[] arguments) throws IOException {";
            let source = sample("checkers-java/homework.java");
            assert!(source.contains(main));
            write("homework.java", &source.replace(main, &format!("{main} Needs.check();")));
            write("Board.java", &sample("checkers-java/Board.java"));
            write("Needs.java", JAVA_NEEDS);
            write("homework.class", "of an older compiler\n");
        }
    }
    folder
}

const START: &str =
    "GAME\nBLACK\n300.0\n.b.b.b.b\nb.b.b.b.\n.b.b.b.b\n........\n........\nw.w.w.w.\n.w.w.w.w\nw.w.w.w.\n";

#[test]
#[ignore = "long: plays whole games"]
fn every_run_finds_the_files_of_the_submission_at_every_level() {
    for language in LANGUAGES.into_iter().filter(|language| has(*language)) {
        let (folder, build) = (submission(language), TempDir::new().unwrap());
        let spec = AgentSpec::of_path(folder.path());
        let participant = Participant::new(builder().prepare(&spec, build.path()).unwrap());
        for level in levels() {
            let options =
                SeatOptions { isolation: IsolationRange { at_least: *level, at_most: *level }, ..builder().seats };
            let mut seat = participant.take_seat(checkers::ID, 0, &options).unwrap();
            for turn in 0..2 {
                let run = seat.run(&RunRequest {
                    task: Task::Move { input: START.to_owned() },
                    kill_after: CpuTime::from_secs(300),
                    wall_limit: WallTime::from_secs(910),
                });
                let run = run.unwrap();
                assert_eq!(run.ended, Termination::Exited { status: 0 }, "{language:?} {level} {turn}: {}", run.stderr);
                let answered = matches!(&run.output, OutputFile::Content { bytes } if bytes.0.starts_with(b"E "));
                assert!(answered, "{language:?} {level} {turn}: {:?}", run.output);
                assert_eq!(run.removed, [""; 0], "{language:?} {level} {turn}");
            }
        }
    }
}

/// An agent that counts its moves in a file of its own, as those of Little-Go do: a profile says where that is of use.
const COUNTS: &str = r#"
import os
count = os.path.getsize("anything.bin") if os.path.exists("anything.bin") else 0
open("anything.bin", "ab").write(b"x")
open("output.txt", "w").write(str(count))
"#;

#[test]
#[ignore = "long: plays whole games"]
fn what_lives_from_move_to_move_is_the_games_to_say() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("homework.py"), COUNTS).unwrap();
    let build = TempDir::new().unwrap();
    let agent = builder().prepare(&AgentSpec::of_path(folder.path()), build.path()).unwrap();
    let participant = Participant::new(agent);
    let job = RunRequest {
        task: Task::Move { input: "any\n".to_owned() },
        kill_after: CpuTime::from_secs(60),
        wall_limit: WallTime::from_secs(60),
    };
    for level in levels() {
        let options = SeatOptions {
            isolation: IsolationRange { at_least: *level, at_most: *level },
            keeper: Some(env!("CARGO_BIN_EXE_referee").into()),
            ..SeatOptions::default()
        };
        for (game, counted) in [(little_go::ID, ["0", "1", "2"]), (checkers::ID, ["0"; 3])] {
            // The second seat is another game: nothing lives on there.
            for _ in 0..2 {
                let mut seat = participant.take_seat(game, 0, &options).unwrap();
                for expected in counted {
                    let run = seat.run(&job).unwrap();
                    let expected = OutputFile::Content { bytes: Bytes(expected.into()) };
                    assert_eq!(run.output, expected, "{level} {game}: {}", run.stderr);
                }
            }
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

fn referee(words: &[&str], paths: &[&Path]) -> std::process::Output {
    command(words).args(paths).output().unwrap()
}

#[test]
#[ignore = "long: plays whole games"]
fn such_submissions_play_to_the_end_and_pass_a_check() {
    for language in LANGUAGES.into_iter().filter(|language| has(*language)) {
        let folder = submission(language);
        let run = TempDir::new().unwrap();
        let words = ["play", "--game", "checkers", "--games", "1", "builtin:random"];
        let played = referee(&words, &[folder.path(), Path::new("--out"), run.path()]);
        assert!(played.status.success(), "{language:?}: {}", String::from_utf8_lossy(&played.stderr));
        let run = RunFolder::open(run.path(), &KnownGames::builtin()).unwrap();
        let [game] = run.finished(&run.manifest().unwrap()).try_into().unwrap();
        let verdict = run.game(&game).unwrap().verdict;
        assert!(!matches!(verdict, Verdict::Forfeit { .. }), "{language:?}: {verdict:?}");

        let words = ["check", "--game", "checkers", "--quick", "--positions", "2", "--json"];
        let checked = referee(&words, &[folder.path()]);
        let report: Value = serde_json::from_slice(&checked.stdout).unwrap();
        let red: Vec<&Value> =
            report["items"].as_array().unwrap().iter().filter(|item| item["light"] == "red").collect();
        assert!(red.is_empty(), "{language:?}: {red:?}");
    }
}

#[test]
#[ignore = "long: plays whole games"]
fn such_submissions_earn_their_points() {
    let class = TempDir::new().unwrap();
    let folders: Vec<TempDir> = LANGUAGES.into_iter().filter(|language| has(*language)).map(submission).collect();
    for (index, folder) in folders.iter().enumerate() {
        let mut copy = Command::new("cp");
        let student = class.path().join(format!("student-{index}"));
        assert!(copy.arg("-r").arg(folder.path()).arg(student).status().unwrap().success());
    }
    let run = TempDir::new().unwrap();
    let assignment = run.path().join("assignment.toml");
    // What is compared is whether they move at all: a game against somebody who moves at random, with one point.
    let text = "title = \"needs\"\ngame = \"checkers\"\n[clock]\nplay_time = 300\n[[grade]]\nkind = \"games\"\n\
                name = \"random\"\ntitle = \"Games\"\nopponent = \"builtin:random\"\ngames = 1\npoints_each = 1\n";
    fs::write(&assignment, text).unwrap();
    let out: PathBuf = run.path().join("run");
    let graded = referee(&["grade"], &[&assignment, Path::new("--class"), class.path(), Path::new("--out"), &out]);
    assert!(graded.status.success(), "{}", String::from_utf8_lossy(&graded.stderr));
    let gradebook: Value = serde_json::from_slice(&fs::read(out.join("gradebook.json")).unwrap()).unwrap();
    let students = gradebook["students"].as_array().unwrap();
    assert_eq!(students.len(), folders.len());
    for student in students {
        assert_eq!(student["points"], 1, "{student}");
    }
}
