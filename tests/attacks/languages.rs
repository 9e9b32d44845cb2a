//! Honest programs in the courses' languages run at every level, with the needs of their runtimes.

use std::fs;
use std::path::Path;

use referee_seat::{Isolation, IsolationRange, Program, Run, Seat, SeatOptions, Termination};
use referee_submissions::agents::{AgentError, AgentSpec};

use crate::attack_game::{among_others, content, job, options};
use crate::builder::builder;
use crate::levels::levels;
use crate::skips::{TOOLS, skip};

const PYTHON: &str = r#"
import collections, json, math, os, random, subprocess, tempfile, threading
import game
found = {"input": open("input.txt").read().strip(), "module": game.NAME}
thread = threading.Thread(target=lambda: found.update(thread=math.factorial(10)))
thread.start()
thread.join()
with tempfile.TemporaryFile() as file:
    file.write(b"x" * 1000)
found["shell"] = subprocess.run(["/bin/sh", "-c", "echo hello"], capture_output=True, text=True).stdout.strip()
found["random"] = random.Random(1).randrange(10) < 10 and len(os.urandom(8))
with open("playdata.txt", "a") as file:
    file.write("x")
found["runs"] = len(open("playdata.txt").read())
open("output.txt", "w").write(json.dumps(found, sort_keys=True))
"#;

const PYTHON_FOUND: &str =
    r#"{"input": "GAME", "module": "game", "random": 8, "runs": RUNS, "shell": "hello", "thread": 3628800}"#;

const POOL: &str = r#"
import multiprocessing, shutil
if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        found = sum(pool.map(abs, range(-10, 0)))
    shutil.copy2("input.txt", "copy.txt")
    open("output.txt", "w").write(str(found))
"#;

const CPP: &str = r#"
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>
int main() {
    std::string word;
    std::ifstream("input.txt") >> word;
    std::vector<std::future<int>> parts;
    for (int i = 0; i < 8; i++)
        parts.push_back(std::async(std::launch::async, [i] { return i * i; }));
    int sum = 0;
    for (auto &part : parts)
        sum += part.get();
    std::ofstream("playdata.txt", std::ios::app) << "x";
    auto runs = std::filesystem::file_size("playdata.txt");
    std::vector<char> block(64 << 20, 1);
    std::ofstream("output.txt") << word << " " << sum << " " << runs << " " << int(block[12345]);
}
"#;

const JAVA: &str = r#"
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;
public class homework {
    public static void main(String[] words) throws Exception {
        String word = Files.readAllLines(Path.of("input.txt")).get(0);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        int sum = 0;
        List<Callable<Integer>> tasks =
            IntStream.range(0, 8).<Callable<Integer>>mapToObj(i -> () -> i * i).collect(Collectors.toList());
        for (Future<Integer> part : pool.invokeAll(tasks))
            sum += part.get();
        pool.shutdown();
        List<byte[]> blocks = new ArrayList<>();
        for (int i = 0; i < 64; i++)
            blocks.add(new byte[1 << 20]);
        try (FileWriter file = new FileWriter("playdata.txt", true)) {
            file.write("x");
        }
        long runs = Files.size(Path.of("playdata.txt"));
        try (PrintWriter file = new PrintWriter("output.txt")) {
            file.print(word + " " + sum + " " + runs + " " + blocks.size() + " "
                + new Random(1).nextInt(1) + UUID.randomUUID().version());
        }
    }
}
"#;

/// 3 GiB of garbage, of which 16 MiB are in use at a time.
const WASTEFUL_JAVA: &str = r#"
import java.nio.file.*;
public class homework {
    public static void main(String[] words) throws Exception {
        byte[][] used = new byte[64][];
        for (int i = 0; i < 12288; i++)
            used[i % 64] = new byte[1 << 18];
        Files.writeString(Path.of("output.txt"), "" + used.length);
    }
}
"#;

/// The program of a submission with these files, or `None`, with a printed message, without its tools.
pub(crate) fn program(files: &[(&str, &[u8])], build: &Path) -> Option<Program> {
    let submission = build.join("submission");
    fs::create_dir(&submission).unwrap();
    for (name, content) in files {
        let path = submission.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let products = build.join("products");
    match builder().prepare(&AgentSpec::of_path(submission), &products) {
        Ok(agent) => Some(agent.program_for(referee_games::checkers::ID, 0)),
        Err(error @ AgentError::MissingTool { .. }) => {
            skip(&TOOLS, error);
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// The two first runs of a program at one level.
pub(crate) fn two_runs(program: &Program, level: Isolation) -> [Run; 2] {
    let _machine = among_others();
    let isolation = IsolationRange::exactly(level);
    let mut seat = Seat::open(program, &SeatOptions { isolation, ..options() }).unwrap();
    [(), ()].map(|()| seat.run(&job("GAME\n")).unwrap())
}

/// Each run answers `expected`, with its number instead of `RUNS`, without errors.
pub(crate) fn runs_everywhere(files: &[(&str, &[u8])], expected: &str) {
    let build = tempfile::tempdir().unwrap();
    let Some(program) = program(files, build.path()) else {
        return;
    };
    for level in levels() {
        for (index, run) in two_runs(&program, *level).iter().enumerate() {
            assert_eq!(run.ended, Termination::Exited { status: 0 }, "{level}: {}", run.stderr);
            assert_eq!(content(run), expected.replace("RUNS", &(index + 1).to_string()), "{level}");
            assert_eq!((run.stderr.as_str(), run.removed.as_slice(), run.survivors), ("", [].as_slice(), 0), "{level}");
        }
    }
}

#[test]
fn a_python_program_runs_at_every_level() {
    runs_everywhere(&[("homework.py", PYTHON.as_bytes()), ("game.py", b"NAME = 'game'\n")], PYTHON_FOUND);
}

/// Python's inter-process locks are files below `/dev/shm`, which a sealed program has; there it may also change modes
/// and times of its files.
#[test]
#[ignore = "long: more of its family"]
fn a_python_program_of_many_processes_and_copies_runs_where_it_has_files_of_its_own() {
    let build = tempfile::tempdir().unwrap();
    let Some(program) = program(&[("homework.py", POOL.as_bytes())], build.path()) else {
        return;
    };
    for level in levels().iter().filter(|level| **level != Isolation::Confined) {
        let [run, _] = two_runs(&program, *level);
        assert_eq!(run.ended, Termination::Exited { status: 0 }, "{level}: {}", run.stderr);
        assert_eq!(content(&run), "55", "{level}");
    }
}

#[test]
#[ignore = "long: more of its family"]
fn a_cpp_program_runs_at_every_level() {
    runs_everywhere(&[("homework.cpp", CPP.as_bytes())], "GAME 140 RUNS 1");
}

#[test]
#[ignore = "long: more of its family"]
fn a_java_program_runs_at_every_level() {
    runs_everywhere(&[("homework.java", JAVA.as_bytes())], "GAME 140 RUNS 64 04");
}

/// By default a Java machine lets garbage grow to a quarter of the machine's memory before collecting.
#[test]
#[ignore = "long: more of its family"]
fn a_wasteful_java_program_stays_within_the_limit_of_memory() {
    runs_everywhere(&[("homework.java", WASTEFUL_JAVA.as_bytes())], "64");
}
