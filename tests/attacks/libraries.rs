//! Submitted native libraries load at every level; at `sealed`, files written by a program do not.

use std::fs;
use std::process::Command;

use referee_seat::{Isolation, IsolationRange, Program, Seat, SeatOptions, Termination};

use crate::attack_game::{among_others, attacker, by_name, content, job, options};
use crate::files::state;
use crate::languages::runs_everywhere;
use crate::levels::levels;

/// A library with the answer, for each language under the name that it looks for.
const LIBRARY: &str = "int answer(void) { return 41; }\n\
                       int Java_homework_answer(void *machine, void *class) { (void)machine, (void)class; return 41; \
                       }\n";

/// `None`, with a printed message, without a C compiler.
fn library() -> Option<Vec<u8>> {
    attacker()?;
    let folder = tempfile::tempdir().unwrap();
    let [source, library] = ["answer.c", "libanswer.so"].map(|name| folder.path().join(name));
    fs::write(&source, LIBRARY).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).args([&library, &source]);
    assert!(compiler.status().unwrap().success());
    Some(fs::read(library).unwrap())
}

const PYTHON: &str = r#"
import ctypes, os
here = os.path.dirname(os.path.abspath(__file__))
one = ctypes.CDLL("./libanswer.so").answer()
other = ctypes.CDLL(os.path.join(here, "native", "deeper", "libanswer.so.1")).answer()
open("output.txt", "w").write("%d %d" % (one, other))
"#;

const CPP: &str = r#"
#include <dlfcn.h>
#include <fstream>
static int answer(const char *name) {
    void *library = dlopen(name, RTLD_NOW);
    auto found = library ? reinterpret_cast<int (*)()>(dlsym(library, "answer")) : nullptr;
    return found ? found() : -1;
}
int main() {
    std::ofstream("output.txt") << answer("./libanswer.so") << " " << answer("native/deeper/libanswer.so.1");
}
"#;

const JAVA: &str = r#"
import java.nio.file.*;
public class homework {
    static native int answer();
    public static void main(String[] words) throws Exception {
        System.load(Path.of("libanswer.so").toAbsolutePath().toString());
        System.load(Path.of("native/deeper/libanswer.so.1").toAbsolutePath().toString());
        Files.writeString(Path.of("output.txt"), answer() + " " + answer());
    }
}
"#;

fn loads_everywhere(name: &str, source: &str) {
    let Some(library) = library() else { return };
    let files: [(&str, &[u8]); 3] =
        [(name, source.as_bytes()), ("libanswer.so", &library), ("native/deeper/libanswer.so.1", &library)];
    runs_everywhere(&files, "41 41");
}

#[test]
#[ignore = "long: more of its family"]
fn a_python_program_loads_libraries_that_were_handed_in() {
    loads_everywhere("homework.py", PYTHON);
}

#[test]
#[ignore = "long: more of its family"]
fn a_cpp_program_loads_libraries_that_were_handed_in() {
    loads_everywhere("homework.cpp", CPP);
}

#[test]
#[ignore = "long: more of its family"]
fn a_java_program_loads_libraries_that_were_handed_in() {
    loads_everywhere("homework.java", JAVA);
}

/// Whoever may map a file as code may execute it, too: what was handed in under the name of a library.
#[test]
fn of_the_programs_that_were_handed_in_only_those_named_like_libraries_run_where_it_is_sealed() {
    let Some(attacker) = attacker() else { return };
    let folder = tempfile::tempdir().unwrap();
    for name in ["program", "program.so"] {
        fs::copy(attacker, folder.path().join(name)).unwrap();
    }
    let script =
        "./program who; one=$?; ./program.so who; two=$?; { echo program $one; echo library $two; } > output.txt";
    for level in levels() {
        let _machine = among_others();
        let program = Program {
            command: ["/bin/sh", "-c", script].map(Into::into).to_vec(),
            template: Some(folder.path().to_owned()),
            ..Program::default()
        };
        let isolation = IsolationRange::exactly(*level);
        let mut seat = Seat::open(&program, &SeatOptions { isolation, ..options() }).unwrap();
        let told = by_name(&content(&seat.run(&job("GAME\n")).unwrap()));
        let runs = ["program", "library"].map(|name| told[name] == "0");
        let expected = match level {
            Isolation::Bare => [true, true],
            Isolation::Confined => [false, false],
            Isolation::Sealed => [false, true],
        };
        assert_eq!(runs, expected, "{level}: {told:?}");
    }
}

/// What a program may do with its own files, and which it can map. At the lower levels the attacks succeed, which shows
/// that they are real.
#[test]
fn only_libraries_that_were_handed_in_can_be_mapped_where_it_is_sealed() {
    let (Some(attacker), Some(library)) = (attacker(), library()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for name in ["handed.so", "sub/handed.so"] {
        fs::write(folder.path().join(name), &library).unwrap();
    }
    let before = [folder.path(), &folder.path().join("sub")].map(state);
    for level in levels() {
        let _machine = among_others();
        let program = Program {
            command: vec![attacker.into(), "libraries".into()],
            template: Some(folder.path().to_owned()),
            ..Program::default()
        };
        let isolation = IsolationRange::exactly(*level);
        let mut seat = Seat::open(&program, &SeatOptions { isolation, ..options() }).unwrap();
        // The second run finds what the first has left: nothing.
        for _ in 0..2 {
            let run = seat.run(&job("GAME\n")).unwrap();
            assert_eq!(run.ended, Termination::Exited { status: 0 }, "{level}: {}", run.stderr);
            let told = by_name(&content(&run));
            let done = |name: &str| told.get(name).is_some_and(|came| came == "done");
            assert!(done("handed") && done("handed-below"), "{level}: {told:?}");
            let own: Vec<&String> = told.keys().filter(|name| name.starts_with("own-") && done(name)).collect();
            assert_eq!(done("handed-as-it-was"), *level == Isolation::Sealed, "{told:?}");
            let expected = match level {
                Isolation::Bare | Isolation::Confined => {
                    vec!["own-below", "own-copy", "own-in-its-place", "own-symlink"]
                }
                Isolation::Sealed => vec![],
            };
            assert_eq!(own, expected, "{level}: {told:?}");
        }
        drop(seat);
        let after = [folder.path(), &folder.path().join("sub")].map(state);
        assert_eq!(after, before, "{level}");
    }
}
