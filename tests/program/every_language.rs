//! Submissions of every language, from a folder or a file to an answer on disk.
//!
//! Needs the languages' tools. Tests of a missing tool are skipped with a message, except with `CI=true` in the
//! environment.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use referee_seat::Program;
use referee_submissions::agents::{
    Agent, AgentBuilder, AgentError, AgentSpec, BuildFault, CppStandard, FileNames, Language, PythonVersion,
    SourceStore, Submission, SubmissionFault, Toolchain,
};
use referee_time::WallTime;

use crate::builder::builder;
use crate::directly::directly;
use crate::invocation::words;
use crate::toolbox::{CPP, JAVA, PYTHON2, PYTHON3, has, require};

/// A submission, and a folder to build it in.
struct Bench {
    folder: tempfile::TempDir,
    build: tempfile::TempDir,
    builder: AgentBuilder,
}

impl Bench {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::Builder::new().prefix("ada").tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        Self { folder, build: tempfile::tempdir().unwrap(), builder: builder() }
    }

    fn prepare(&self, path: &str) -> Result<Agent, AgentError> {
        let spec = AgentSpec::of_path(self.folder.path().join(path));
        self.builder.prepare(&spec, self.build.path())
    }

    /// The same once more, built in a folder of its own.
    fn prepare_anew(&self) -> (Agent, tempfile::TempDir) {
        let build = tempfile::tempdir().unwrap();
        let spec = AgentSpec::of_path(self.folder.path());
        (self.builder.prepare(&spec, build.path()).unwrap(), build)
    }

    fn prepare_and_keep(self) -> (Agent, Self) {
        (self.prepare("").unwrap(), self)
    }

    fn fault(&self, path: &str) -> SubmissionFault {
        match self.prepare(path) {
            Err(AgentError::Submission { path, fault }) => {
                assert!(path.starts_with(self.folder.path()), "{} is not the place the user knows", path.display());
                fault
            }
            other => panic!("expected a fault of the submission, got {other:?}"),
        }
    }

    fn build_fault(&self) -> BuildFault {
        match self.fault("") {
            SubmissionFault::Build { fault, .. } => fault,
            other => panic!("expected a fault of the build, got {other:?}"),
        }
    }

    /// Every file of the submission with its content.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push((path.clone(), fs::read(path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }
}

/// The names of an assignment that knows one.
fn only(name: &str, language: Language) -> FileNames {
    FileNames::new(vec![(name.parse().unwrap(), language)], None)
}

/// What is run for an agent of a student's, whatever the game.
fn program(agent: &Agent) -> Program {
    agent.program_for(referee_games::checkers::ID, 0)
}

fn run(program: &Program, working_folder: &Path) -> Output {
    directly(program, working_folder).output().unwrap()
}

/// What the agent writes to `output.txt`.
fn answer(program: &Program) -> String {
    let working_folder = tempfile::tempdir().unwrap();
    let output = run(program, working_folder.path());
    fs::read_to_string(working_folder.path().join("output.txt"))
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

const PYTHON_ANSWER: &str = "import game\nopen('output.txt', 'w').write(game.MOVE)\n";
const PYTHON_GAME: &str = "MOVE = 'E c3 b4'\n";
const CPP_MAIN: &str =
    "#include <fstream>\n#include \"game.h\"\nint main() { std::ofstream(\"output.txt\") << move(); }\n";
const CPP_HEADER: &str = "#pragma once\nconst char* move();\n";
const CPP_BODY: &str = "#include \"game.h\"\nconst char* move() { return \"E c3 b4\"; }\n";
const JAVA_MAIN: &str = "import java.nio.file.*;\nclass homework {\n  public static void main(String[] a) throws \
                         Exception {\n    Files.writeString(Path.of(\"output.txt\"), new Game().move());\n  }\n}\n";
const JAVA_GAME: &str = "class Game { String move() { return \"E c3 b4\"; } }\n";

#[test]
#[ignore = "long: builds agents"]
fn a_python_submission_runs_with_its_modules_and_stays_as_it_was() {
    require!(PYTHON3);
    let hostile = "raise SystemExit('run while it was built')\n";
    let files = [
        ("homework.py", PYTHON_ANSWER),
        ("game.py", PYTHON_GAME),
        ("struct.py", hostile),
        ("broken.py", "def\n"),
        ("calibrate.py", "open('calibration.txt', 'w').write('fast')\n"),
    ];
    let bench = Bench::with(&files);
    let before = bench.files();
    let agent = bench.prepare("").unwrap();
    assert_eq!(answer(&program(&agent)), "E c3 b4");

    let working_folder = tempfile::tempdir().unwrap();
    run(&agent.calibrate.unwrap(), working_folder.path());
    assert_eq!(fs::read(working_folder.path().join("calibration.txt")).unwrap(), b"fast");

    assert_eq!(bench.files(), before);
    let compiled = bench.build.path().join("sources/__pycache__");
    let modules: Vec<_> = fs::read_dir(compiled).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(modules.iter().any(|module| module.to_string_lossy().starts_with("game.")), "{modules:?}");
}

#[test]
fn an_edit_of_the_submission_changes_the_digest_but_not_an_agent_that_is_ready() {
    require!(PYTHON3);
    let bench = Bench::with(&[("homework.py", PYTHON_ANSWER), ("game.py", PYTHON_GAME)]);
    let ready = bench.prepare("").unwrap();
    fs::write(bench.folder.path().join("game.py"), "MOVE = 'E c3 d4'\n").unwrap();
    assert_eq!(answer(&program(&ready)), "E c3 b4");

    let again = bench.builder.prepare(&ready.spec, tempfile::tempdir().unwrap().path()).unwrap();
    assert_ne!(again.digest, ready.digest);
}

#[test]
fn homework_py_is_python_2_where_the_assignment_says_so() {
    require!(PYTHON2);
    let mut bench = Bench::with(&[("homework.py", "print 'old'\nopen('output.txt', 'w').write('old')\n")]);
    assert!(matches!(bench.build_fault(), BuildFault::Refused { .. }));
    bench.builder.names = only("homework.py", Language::Python(PythonVersion::Two));
    assert_eq!(answer(&program(&bench.prepare("").unwrap())), "old");
}

#[test]
fn cpp_compiles_the_main_file_alone_where_that_works() {
    require!(CPP);
    let unused = ("old.cpp", "this is not C++\n");
    let header = ("game.h", "inline const char* move() { return \"E c3 b4\"; }\n");
    let bench = Bench::with(&[("homework.cpp", CPP_MAIN), header, unused]);
    let agent = bench.prepare("").unwrap();
    assert_eq!((answer(&program(&agent)).as_str(), agent.remarks.len()), ("E c3 b4", 0));
}

/// A program of 2019 with a global that `std` has, too, since C++17.
const CPP_OF_2019: &str = "#include <cmath>\n#include <fstream>\nusing namespace std;\nint beta = 3;\n\
                           int main() { ofstream(\"output.txt\") << beta; }\n";

#[test]
#[ignore = "long: builds agents"]
fn cpp_that_only_an_older_standard_takes_is_built_by_that_and_says_so() {
    require!(CPP);
    let mut bench = Bench::with(&[("homework.cpp", CPP_OF_2019)]);
    let cache = tempfile::tempdir().unwrap();
    bench.builder.cache = Some(cache.path().to_owned());
    let remark = "`homework.cpp` does not compile as C++17; compiled as C++14 instead";
    // The second time it comes out of the cache.
    for _ in 0..2 {
        let (agent, _build) = bench.prepare_anew();
        assert_eq!((answer(&program(&agent)).as_str(), agent.remarks.as_slice()), ("3", &[remark.to_owned()][..]));
    }
    bench.builder.names = only("homework.cpp", Language::Cpp(CppStandard::Cpp14));
    let (agent, _build) = bench.prepare_anew();
    assert_eq!((answer(&program(&agent)).as_str(), agent.remarks.as_slice()), ("3", &[][..]));
    // One that no standard takes is refused with the complaint of its own.
    let bench = Bench::with(&[("homework.cpp", "#error no standard but mine\nint main() { return __cplusplus; }\n")]);
    let BuildFault::Refused { output, .. } = bench.build_fault() else {
        panic!("not refused");
    };
    assert!(output.contains("no standard but mine"), "{output}");
}

#[test]
fn what_the_course_provides_is_there_to_build_and_to_run() {
    require!(PYTHON3);
    let kit = tempfile::tempdir().unwrap();
    fs::write(kit.path().join("write.py"), "def write(text):\n    open('output.txt', 'w').write(text)\n").unwrap();
    fs::write(kit.path().join("host.py"), "NAME = 'theirs'\n").unwrap();
    let main = "import host\nfrom write import write\nwrite(host.NAME)\n";
    let mut bench = Bench::with(&[("homework.py", main), ("host.py", "NAME = 'own'\n")]);
    bench.builder.provide = Some(kit.path().to_owned());
    let agent = bench.prepare("").unwrap();
    assert_eq!(answer(&program(&agent)), "own");
    // Another kit, another agent.
    fs::write(kit.path().join("write.py"), "def write(text):\n    pass\n").unwrap();
    assert_ne!(bench.prepare_anew().0.digest, agent.digest);
}

#[test]
fn an_agent_that_is_kept_has_what_the_course_provided() {
    require!(PYTHON3);
    let kit = tempfile::tempdir().unwrap();
    fs::write(kit.path().join("write.py"), "def write():\n    open('output.txt', 'w').write('kept')\n").unwrap();
    fs::write(kit.path().join("homework2.py"), "a program to begin with\n").unwrap();
    let mut bench = Bench::with(&[("homework.py", "from write import write\nwrite()\n")]);
    bench.builder.provide = Some(kit.path().to_owned());
    let agent = bench.prepare("").unwrap();
    let run = tempfile::tempdir().unwrap();
    let depot = SourceStore::in_folder(run.path().join("agents"));
    depot.keep(&agent).unwrap();
    // Another machine has neither the kit nor the submission.
    drop(kit);
    bench.builder.provide = None;
    let build = tempfile::tempdir().unwrap();
    let origin = agent.spec.to_string();
    let again = depot.make(&bench.builder, &origin, agent.digest.as_str(), build.path()).unwrap();
    assert_eq!(answer(&program(&again)), "kept");
}

#[test]
#[ignore = "long: builds agents"]
fn cpp_takes_the_other_files_in_where_it_must_and_says_so() {
    require!(CPP);
    let files = [
        ("zip/homework11.cpp", CPP_MAIN),
        ("zip/game.h", CPP_HEADER),
        ("zip/game.cpp", CPP_BODY),
        ("zip/calibrate.cpp", "int main() {}\n"),
    ];
    let (agent, _bench) = Bench::with(&files).prepare_and_keep();
    assert_eq!(answer(&program(&agent)), "E c3 b4");
    let remark = "`homework11.cpp` does not compile on its own; compiled together with `game.cpp`";
    assert_eq!(agent.remarks, [remark]);
}

#[test]
#[ignore = "long: builds agents"]
fn the_two_standards_of_cpp_differ() {
    require!(CPP);
    let source = "#include <fstream>\nint main() { std::ofstream(\"output.txt\") << __cplusplus; }\n";
    for (file, standard) in [("homework.cpp", "201703"), ("homework11.cpp", "201103")] {
        let (agent, _bench) = Bench::with(&[(file, source)]).prepare_and_keep();
        assert_eq!(answer(&program(&agent)), standard, "{file}");
    }
}

#[test]
#[ignore = "long: builds agents"]
fn java_finds_its_other_classes() {
    require!(JAVA);
    let both_need = "class Piece {}\n";
    let files = [("homework.java", JAVA_MAIN), ("Game.java", JAVA_GAME), ("Other.java", both_need)];
    let (agent, _bench) = Bench::with(&files).prepare_and_keep();
    assert_eq!((answer(&program(&agent)).as_str(), agent.remarks.len()), ("E c3 b4", 0));
}

#[test]
#[ignore = "long: builds agents"]
fn java_classes_that_share_a_file_are_found_with_a_remark() {
    require!(JAVA);
    let (agent, _bench) = Bench::with(&[("homework.java", JAVA_MAIN), ("All.java", JAVA_GAME)]).prepare_and_keep();
    assert_eq!(answer(&program(&agent)), "E c3 b4");
    let remark = "`homework.java` does not compile on its own; compiled together with `All.java`";
    assert_eq!(agent.remarks, [remark]);
}

#[test]
#[ignore = "long: builds agents"]
fn a_java_class_that_cannot_be_run_is_explained() {
    require!(JAVA);
    let sources = [
        ("class Homework {}\n", BuildFault::NoSuchClass { class: "homework".into() }),
        ("package edu.usc;\nclass homework {}\n", BuildFault::InPackage { package: "edu.usc".into() }),
    ];
    for (source, fault) in sources {
        assert_eq!(Bench::with(&[("homework.java", source)]).build_fault(), fault);
    }
}

#[test]
#[ignore = "long: builds agents"]
fn what_the_compiler_says_is_shown_harmlessly() {
    let sources = [
        (PYTHON3, "homework.py", "x = '\x1b[31m\n"),
        (CPP, "homework.cpp", "int main() { \x1b[31m }\n"),
        (JAVA, "homework.java", "class homework { \x1b[31m }\n"),
    ];
    for (language, file, source) in sources {
        if !has(language) {
            continue;
        }
        let bench = Bench::with(&[(file, source)]);
        let BuildFault::Refused { output, .. } = bench.build_fault() else { panic!("{file}") };
        assert!(output.contains(file) && output.len() > 20, "{output}");
        assert!(!output.contains('\x1b'), "{output:?}");
        assert!(!output.contains(bench.build.path().to_str().unwrap()), "{output}");
    }
}

#[test]
fn a_compiler_that_never_ends_is_stopped() {
    let bin = tempfile::tempdir().unwrap();
    let compiler = bin.path().join("g++");
    fs::write(&compiler, "#!/bin/sh\nsleep 600\n").unwrap();
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
    let mut bench = Bench::with(&[("homework.cpp", "int main() {}\n")]);
    let folders = [bin.path(), Path::new("/bin"), Path::new("/usr/bin")].map(Path::to_owned);
    bench.builder.toolchain = Toolchain::in_folders(folders.to_vec());
    bench.builder.compile_limit.waiting = WallTime::from_millis(100);
    assert_eq!(
        bench.build_fault().to_string(),
        "`g++` was stopped after waiting for 0.1 s: include only regular files of the submission"
    );
}

#[test]
#[ignore = "long: builds agents"]
fn a_source_file_goes_by_its_extension_and_plays_without_its_neighbours() {
    let java = JAVA_MAIN.replace("new Game().move()", "\"E c3 b4\"");
    let bench = Bench::with(&[
        ("greedy.py", "open('output.txt', 'w').write('E c3 b4')\n"),
        ("bot.cpp", "#include <fstream>\nint main() { std::ofstream(\"output.txt\") << \"E c3 b4\"; }\n"),
        ("homework.java", &java),
        ("importing.py", PYTHON_ANSWER),
        ("including.cpp", CPP_MAIN),
        ("game.py", PYTHON_GAME),
        ("game.h", "inline const char* move() { return \"E c3 b4\"; }\n"),
    ]);
    let before = bench.files();
    for (language, file, name) in
        [(PYTHON3, "greedy.py", "greedy"), (CPP, "bot.cpp", "bot"), (JAVA, "homework.java", "ada")]
    {
        if !has(language) {
            continue;
        }
        let agent = bench.prepare(file).unwrap();
        assert_eq!(answer(&program(&agent)), "E c3 b4", "{file}");
        assert!(agent.name.as_str().starts_with(name), "{}", agent.name);
        assert_eq!(agent.remarks, [""; 0]);
    }
    if has(PYTHON3) {
        let remark = "imports `game`, which lies beside it and is not there when it plays: name the folder instead";
        assert_eq!(bench.prepare("importing.py").unwrap().remarks, [remark]);
    }
    if has(CPP) {
        let fault = bench.fault("including.cpp").to_string();
        assert!(fault.contains("game.h"), "{fault}");
    }
    assert_eq!(bench.files(), before);
}

#[test]
fn an_executable_is_run_as_it_is() {
    let bench = Bench::with(&[("bot", "#!/bin/sh\nprintf 'E c3 b4' > output.txt\n")]);
    let path = bench.folder.path().join("bot");
    let refused = bench.prepare("bot").unwrap_err();
    let shown = path.canonicalize().unwrap().display().to_string();
    assert_eq!(
        refused.to_string(),
        format!(
            "`{shown}` is neither a `.py`, `.cpp` or `.java` source nor executable: if it is a program, run `chmod +x \
             {shown}`"
        )
    );
    assert!(refused.finding().is_none());
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(answer(&program(&bench.prepare("bot").unwrap())), "E c3 b4");
}

#[test]
fn what_does_not_exist_is_the_users_fault() {
    let bench = Bench::with(&[]);
    let refused = bench.prepare("nobody").unwrap_err();
    let expected = format!(
        "no such file or directory: `{}`; name a submission's directory, a source file, an executable or \
         `builtin:random`",
        bench.folder.path().join("nobody").display()
    );
    assert_eq!((refused.to_string(), refused.finding().is_some()), (expected, false));
}

#[test]
fn a_missing_tool_is_nobodys_submissions_fault() {
    let mut bench = Bench::with(&[("homework.cpp", "int main() {}\n")]);
    bench.builder.toolchain = Toolchain::in_folders(vec![]);
    let refused = bench.prepare("").unwrap_err();
    let expected = format!(
        "cannot build `{}`: no working `g++`, `clang++` or `c++` found in `PATH`: install g++ 7 or later",
        bench.folder.path().canonicalize().unwrap().display()
    );
    assert_eq!((refused.to_string(), refused.finding().is_some()), (expected, false));
}

#[test]
fn a_builtin_agent_is_the_referee_itself() {
    let builder = builder();
    let prepare = |text: &str| builder.prepare(&text.parse().unwrap(), Path::new("/nowhere")).unwrap();
    let agent = prepare("weak=builtin:minimax,depth=2");
    let program = agent.program_for(referee_games::halma::ORIGINAL, 7);
    let words = words("agent minimax,depth=2 --game halma --rules original --seed 7", &[]);
    assert_eq!(program.command[1..], words);
    assert_eq!(program.folder, None);
    assert_eq!(agent.digest, prepare("builtin:minimax,depth=2").digest);
    assert_ne!(agent.digest, prepare("builtin:minimax,depth=3").digest);
}

#[test]
fn languages_are_recognized_by_names_alone() {
    let bench = Bench::with(&[("homework.java", "no Java at all\n")]);
    let found = Submission::find(bench.folder.path(), &FileNames::default()).unwrap();
    assert_eq!(found.homework.language, Language::Java);
}
