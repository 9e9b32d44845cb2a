//! Sources that attack their compiler, at every level: through includes, resource use and writes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use referee_seat::{BuildSandbox, Isolation, IsolationRange, Limits, PreparationLimit, Seat, SeatOptions, Termination};
use referee_submissions::agents::{AgentBuilder, AgentError, AgentSpec, BuildFault, SubmissionFault, Toolchain};
use referee_time::CpuTime;

use crate::attack_game::{among_others, content, job, options, unique};
use crate::builder::builder;
use crate::levels::levels;
use crate::skips::{TOOLS, skip};

const LIMIT: PreparationLimit = PreparationLimit::of_cpu_time(CpuTime::from_secs(60));

/// The result of building a submission of one file at this level; `None`, with a printed message, without the tool.
fn fault(builder: AgentBuilder, level: Isolation, file: &str, source: &str) -> Option<BuildFault> {
    let _machine = among_others();
    let place = tempfile::tempdir().unwrap();
    let submission = place.path().join("submission");
    fs::create_dir(&submission).unwrap();
    fs::write(submission.join(file), source).unwrap();
    let mut builder = builder;
    builder.seats.isolation = IsolationRange::exactly(level);
    match builder.prepare(&AgentSpec::of_path(submission), &place.path().join("build")) {
        Err(AgentError::Submission { fault: SubmissionFault::Build { fault, .. }, .. }) => Some(fault),
        Err(error @ AgentError::MissingTool { .. }) => {
            skip(&TOOLS, error);
            None
        }
        other => panic!("expected a fault of the build, got {other:?}"),
    }
}

/// Others' files may lie beside a file that is named by itself: they are neither read where it is built nor where it
/// plays, whatever their folder is called.
#[test]
#[ignore = "long: more of its family"]
fn an_agent_that_is_one_file_sees_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let [bin, lib] = ["bin", "lib"].map(|name| folder.path().join(name));
    let tried = [bin.join("secret.h"), lib.join("secret.h")];
    for path in &tried {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "\"secret\"\n").unwrap();
    }
    let paths = tried.each_ref().map(|path| path.display().to_string());
    let shell =
        format!("#!/bin/sh\n{{ cat {} {}; ls {}; echo end; }} > output.txt\n", paths[0], paths[1], bin.display());
    let python = format!(
        "import os
def attempt(what):
    try:
        return what()
    except OSError:
        return ''
found = [attempt(lambda: open(path).read()) for path in {paths:?}]
found += attempt(lambda: os.listdir({bin:?}))
try:
    import neighbour
    found.append('secret')
except ImportError:
    pass
open('output.txt', 'w').write(str(found) + 'end')
"
    );
    fs::write(bin.join("neighbour.py"), "").unwrap();
    fs::write(bin.join("agent"), shell).unwrap();
    fs::set_permissions(bin.join("agent"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(bin.join("agent.py"), python).unwrap();
    fs::write(bin.join("agent.cpp"), "const char *found =\n#include \"secret.h\"\n;\nint main() {}\n").unwrap();
    for level in levels() {
        let _machine = among_others();
        let builds = tempfile::tempdir().unwrap();
        let mut builder = builder();
        builder.seats.isolation = IsolationRange::exactly(*level);
        for file in ["agent", "agent.py", "agent.cpp"] {
            let agent = match builder.prepare(&AgentSpec::of_path(bin.join(file)), &builds.path().join(file)) {
                Ok(agent) => agent,
                Err(AgentError::Submission { .. }) if file == "agent.cpp" => continue,
                Err(error @ AgentError::MissingTool { .. }) => {
                    skip(&TOOLS, error);
                    continue;
                }
                Err(error) => panic!("{level}: {file}: {error}"),
            };
            assert_ne!(file, "agent.cpp", "{level}: its compiler has read a neighbour");
            if *level == Isolation::Bare {
                // It can read all that its user can.
                continue;
            }
            let options = SeatOptions { isolation: IsolationRange::exactly(*level), ..options() };
            let found = content(&Seat::open(agent.program(), &options).unwrap().run(&job("GAME\n")).unwrap());
            assert!(found.trim_end().ends_with("end") && !found.contains("secret"), "{level}: {file}: {found}");
        }
    }
}

/// At `confined` a linker may not make its program executable, and no compiler may change its sources.
#[test]
#[ignore = "long: more of its family"]
fn honest_sources_are_built_at_every_level() {
    let sources = [
        ("homework.cpp", "#include <fstream>\nint main() { std::ofstream(\"output.txt\") << \"E\"; }\n"),
        (
            "homework.java",
            "import java.io.*;\nclass homework { public static void main(String[] a) throws IOException { \
             try (FileWriter f = new FileWriter(\"output.txt\")) { f.write('E'); } } }\n",
        ),
        ("homework.py", "import game\nopen('output.txt', 'w').write(game.X)\n"),
    ];
    for level in levels() {
        let _machine = among_others();
        for (file, source) in sources {
            let place = tempfile::tempdir().unwrap();
            fs::write(place.path().join(file), source).unwrap();
            fs::write(place.path().join("game.py"), "X = 'E'\n").unwrap();
            let mut builder = builder();
            builder.seats.isolation = IsolationRange::exactly(*level);
            let build = tempfile::tempdir().unwrap();
            let agent = match builder.prepare(&AgentSpec::of_path(place.path()), build.path()) {
                Ok(agent) => agent,
                Err(error @ AgentError::MissingTool { .. }) => {
                    skip(&TOOLS, error);
                    continue;
                }
                Err(error) => panic!("{level}: {error}"),
            };
            let mut seat = Seat::open(&agent.program_for(referee_games::checkers::ID, 0), &builder.seats).unwrap();
            let run = seat.run(&job("GAME\n")).unwrap();
            assert_eq!(content(&run), "E", "{level}: {file}");
        }
    }
}

fn confining() -> impl Iterator<Item = Isolation> {
    levels().iter().copied().filter(|level| *level != Isolation::Bare)
}

#[test]
#[ignore = "long: more of its family"]
fn a_compiler_reads_nothing_but_its_sources_and_the_system() {
    let (_elsewhere, secret) = secret();
    for level in confining() {
        for path in [secret.as_path(), Path::new("/etc/passwd"), Path::new("/etc/shadow")] {
            let Some(fault) = fault(builder(), level, "homework.cpp", &stolen(path)) else {
                return;
            };
            let BuildFault::Refused { output, .. } = fault else { panic!("{level}: {fault:?}") };
            assert!(output.contains("fatal error:"), "{level}: {output}");
            assert!(!output.contains("4711") && !output.contains("root:"), "{level}: {output}");
            // The assembler too can put any file into a program, which could then reveal it.
            let assembled = format!("asm(\".incbin \\\"{}\\\"\");\nint main() {{}}\n", path.display());
            let fault = self::fault(builder(), level, "homework.cpp", &assembled);
            assert!(matches!(fault, Some(BuildFault::Refused { .. })), "{level}: {fault:?}");
        }
    }
}

/// A secret header, and its folder.
fn secret() -> (tempfile::TempDir, PathBuf) {
    let elsewhere = tempfile::tempdir().unwrap();
    let secret = elsewhere.path().join("secret.h");
    fs::write(&secret, "#error the secret is 4711\n").unwrap();
    (elsewhere, secret)
}

fn stolen(path: &Path) -> String {
    format!("#include \"{}\"\nint main() {{}}\n", path.display())
}

/// The attack of the test above is real: a host without isolation sees this.
#[test]
fn a_compiler_without_isolation_shows_what_it_was_made_to_read() {
    let (_elsewhere, secret) = secret();
    let Some(fault) = fault(builder(), Isolation::Bare, "homework.cpp", &stolen(&secret)) else {
        return;
    };
    let BuildFault::Refused { output, .. } = &fault else { panic!("{fault:?}") };
    assert!(output.contains("4711"), "{output}");
}

#[test]
#[ignore = "long: more of its family"]
fn a_compiler_that_reads_without_end_is_stopped_at_the_limit_of_memory() {
    for level in levels() {
        let mut builder = builder();
        builder.build_limits = Limits { memory_bytes: 200 << 20, ..builder.build_limits };
        let source = "#include \"/dev/zero\"\nint main() {}\n";
        let Some(fault) = fault(builder, *level, "homework.cpp", source) else {
            return;
        };
        assert_eq!((fault.code(), fault.message().contains("exceeded 200 MiB of memory")), ("build-too-large", true));
    }
}

#[test]
#[ignore = "long: more of its family"]
fn a_compiler_that_computes_without_end_is_stopped_at_the_limit_of_time() {
    // Each step doubles the number of distinct functions.
    let endless = "template <int N, unsigned long long M> int f() {\n\
                   if constexpr (N == 0) return M; else return f<N - 1, 2 * M>() + f<N - 1, 2 * M + 1>();\n}\n\
                   int main() { return f<60, 1>(); }\n";
    for level in levels() {
        let mut builder = builder();
        builder.compile_limit.cpu = CpuTime::from_millis(300);
        let Some(fault) = fault(builder, *level, "homework.cpp", endless) else {
            return;
        };
        assert_eq!(fault.code(), "build-too-slow", "{level}: {fault:?}");
    }
}

/// The assembler can write a file of any size from one line of source.
#[test]
#[ignore = "long: more of its family"]
fn a_compiler_that_writes_without_end_is_stopped_at_the_limit_of_files() {
    let large = "asm(\".fill 0x7fffffff, 1, 7\");\nint main() {}\n";
    for level in levels() {
        let mut builder = builder();
        builder.build_limits =
            Limits { file_bytes: 1 << 20, directory_bytes: 4 << 20, memory_bytes: 200 << 20, ..builder.build_limits };
        let Some(fault) = fault(builder, *level, "homework.cpp", large) else {
            return;
        };
        assert!(["build-error", "build-too-large"].contains(&fault.code()), "{level}: {fault:?}");
    }
}

/// A shell as a stand-in for a compiler that does what its source says.
fn shell(level: Isolation, folder: &Path) -> BuildSandbox {
    let options = SeatOptions { isolation: IsolationRange::exactly(level), ..options() };
    BuildSandbox::open(Path::new("/bin/sh"), folder, &options).unwrap()
}

#[test]
fn a_compiler_writes_its_products_and_nothing_else() {
    let _machine = among_others();
    for level in confining() {
        let sources = tempfile::tempdir().unwrap();
        let neighbour = tempfile::tempdir().unwrap();
        let into = tempfile::tempdir().unwrap();
        fs::write(sources.path().join("homework.c"), "mine").unwrap();
        let mut bench = shell(level, sources.path());
        assert_eq!(bench.isolation(), level);
        let script = format!(
            "cat homework.c; echo a > ./planted; echo b > {0}/planted; echo c > {1}/planted; echo d > \
             /tmp/planted-{2}; \
             ls {0}; mkdir $TMPDIR/sub; echo e > $TMPDIR/sub/made; ln -s /etc/passwd $TMPDIR/link; mkfifo \
             $TMPDIR/fifo; \
             exit 0",
            neighbour.path().display(),
            into.path().display(),
            unique()
        );
        let build = bench.run(&["-c".into(), script.into()], LIMIT, into.path()).unwrap();
        assert_eq!(build.ended, Termination::Exited { status: 0 });
        assert!(build.said.starts_with("mine"), "{level}: {}", build.said);
        let entries = |path: &Path| {
            let mut names: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(entries(sources.path()), ["homework.c"], "{level}");
        assert!(entries(neighbour.path()).is_empty(), "{level}");
        assert_eq!(entries(into.path()), ["sub"], "{level}");
        assert_eq!(fs::read(into.path().join("sub/made")).unwrap(), b"e\n");
        let directory = bench.products();
        drop(bench);
        assert!(!directory.exists());
    }
}

#[test]
fn a_compiler_leaves_nobody_behind() {
    let _machine = among_others();
    for level in levels() {
        let folder = tempfile::tempdir().unwrap();
        let into = tempfile::tempdir().unwrap();
        let mark = format!("600.{}{}", std::process::id(), unique());
        let script = format!("sleep {mark} & (sleep {mark} &) ; exit 0");
        let mut bench = shell(*level, folder.path());
        let words = ["-c".into(), script.into()];
        bench.run(&words, LIMIT, into.path()).unwrap();
        assert!(!is_running(&mark), "{level}");
    }
}

/// The captured output is the beginning, however long it is.
#[test]
fn a_compiler_that_prints_without_end_is_heard_from_the_beginning() {
    let _machine = among_others();
    let folder = tempfile::tempdir().unwrap();
    let into = tempfile::tempdir().unwrap();
    for level in levels() {
        let mut bench = shell(*level, folder.path());
        let script = "echo first >&2; head -c 1000000 /dev/zero | tr '\\0' x; echo y > $TMPDIR/program; exit 3";
        let words = ["-c".into(), script.into()];
        let build = bench.run(&words, LIMIT, into.path()).unwrap();
        assert_eq!((&build.ended, build.said.len()), (&Termination::Exited { status: 3 }, 64 << 10));
        assert!(build.said.starts_with("first\nxxx"), "{level}");
        assert_eq!(fs::read_dir(into.path()).unwrap().count(), 0, "a compiler that failed has no products");
    }
}

/// `referee` itself, with an endless compiler, killed without warning.
#[test]
fn a_compiler_ends_with_its_referee() {
    let _machine = among_others();
    let folder = tempfile::tempdir().unwrap();
    let mark = format!("600.{}{}", std::process::id(), unique());
    let tool = folder.path().join("g++");
    fs::write(&tool, format!("#!/bin/sh\nsleep {mark}\n")).unwrap();
    fs::set_permissions(&tool, PermissionsExt::from_mode(0o755)).unwrap();
    fs::write(folder.path().join("homework.cpp"), "int main() {}\n").unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let mut referee = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["play", "--game", "checkers", "builtin:random"])
        .arg(folder.path())
        .arg("--out")
        .arg(folder.path().join("out"))
        .env("PATH", path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    await_that(|| is_running(&mark), "the compiler was never started");
    referee.kill().unwrap();
    referee.wait().unwrap();
    await_that(|| !is_running(&mark), "the compiler goes on");
}

fn await_that(holds: impl Fn() -> bool, otherwise: &str) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_mins(10), "{otherwise}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn is_running(word: &str) -> bool {
    fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).any(|other| other == word.as_bytes())
    })
}

/// A build is never made at a lower level than requested.
#[test]
fn a_build_that_cannot_be_kept_in_is_not_made() {
    if let Err(missing) = Toolchain::from_environment().cpp_compiler() {
        skip(&TOOLS, missing);
        return;
    }
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("homework.cpp"), "int main() {}\n").unwrap();
    let mut builder = builder();
    builder.seats.isolation = IsolationRange { at_least: Isolation::Sealed, at_most: Isolation::Bare };
    let build = tempfile::tempdir().unwrap();
    let error = builder.prepare(&AgentSpec::of_path(place.path()), build.path()).unwrap_err();
    assert!(error.finding().is_none());
    assert!(
        error
            .to_string()
            .ends_with("isolation `sealed` was requested, but only `bare` is available: no better level was allowed")
    );
}
