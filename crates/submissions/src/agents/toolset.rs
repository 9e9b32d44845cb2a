//! The tools for one program, with their command lines. It starts none of them; `build`, `compile` and `builder` do.
//!
//! The commands, with reasons. Figures are CPU times on one machine (2 cores, `OpenJDK` 17, Python 3.11, g++ 12) and
//! show proportions.
//!
//! - C++: `-O2 -std=gnu++17 -pthread`, or the standard in the file's name; `gnu` because that is a compiler's default.
//!   A start costs 1.4 ms (0.6 ms if linked statically, for which some machines lack the libraries).
//! - Java: `-XX:+UseG1GC -XX:ParallelGCThreads=1 -XX:-UsePerfData`. A start costs 45-50 ms, compared with 59 ms for the
//!   serial and 63 ms for the parallel collector, whose heaps cannot use all of the class archive. With one thread,
//!   collection costs the same on a laptop and on a machine with 64 cores, all of whose threads would be charged.
//!   Without `UsePerfData`, no file appears under `/tmp`. `MaxRAM` is the seat's memory limit, 70 % of it for the heap:
//!   by default a Java machine lets garbage grow to a quarter of the machine's memory. A program with 16 MiB in use
//!   reached 2.0 to 2.2 GiB on a machine of 24 GiB, sometimes beyond the limit; with this setting 0.9 GiB, at no cost
//!   in time. `TieredStopAtLevel=1` would save 4-8 ms per start but is not used for agents: the same search then takes
//!   200 ms instead of 140. (The compiler, which runs for a second, is started with it.)
//! - Python: `-B -s -E`, at no cost: no `__pycache__` is written during a move, and neither the user's packages nor
//!   environment variables affect the program. Not `-I`, which would hide the agent's own modules. They are compiled
//!   once, because importing 1,200 uncompiled lines costs 9 ms per start.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::language::{CppStandard, Language, PythonVersion};
use super::submission::ProgramSource;
use super::toolchain::{MissingTool, PYTHON_FLAGS, Toolchain};
use referee_seat::Program;

/// Must increase whenever the same tools build something else from the same sources.
pub(super) const RECIPE: u32 = 3;

/// What runs Python 2 programs on a machine without Python 2 (which systems no longer ship).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Python2 {
    /// Nothing: this machine cannot grade them, which is not their author's fault.
    #[default]
    Required,
    /// Python 3, with a remark on every such program.
    ByPython3,
}

impl Python2 {
    /// Python 2, or Python 3 in its place if that is `allowed`.
    pub const fn or_python3(allowed: bool) -> Self {
        if allowed { Self::ByPython3 } else { Self::Required }
    }
}

/// A language's tools on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Toolset {
    Python {
        interpreter: PathBuf,
        /// Whether Python 3 replaces Python 2.
        stands_in: bool,
    },
    Cpp {
        compiler: PathBuf,
        standard: CppStandard,
    },
    Java {
        compiler: PathBuf,
        machine: PathBuf,
    },
}

/// Compiles the main file without running it and, if a folder is given, its modules into `__pycache__` below the
/// products; for both Pythons. A module that does not compile may never be imported and is no fault. The submission's
/// folder is removed from the path first, or its `struct.py` would run here. Python 3 compiles comments in any encoding
/// but does not run a file that cannot be decoded, so this decodes it too.
const COMPILE_PYTHON: &str = "\
import sys
sys.path.remove('')
import os, py_compile
try:
    from importlib.util import cache_from_source
except ImportError:
    cache_from_source = lambda path: path + 'c'
name, products = sys.argv[1:3]
compile(open(name, 'rb').read(), name, 'exec')
try:
    from tokenize import open as open_text
    open_text(name).read()
except ImportError:
    pass
for folder, _, files in os.walk(sys.argv[3]) if len(sys.argv) > 3 else ():
    for file in files:
        path = os.path.join(folder, file)
        target = os.path.join(products, cache_from_source(path))
        if file.endswith('.py') and path != os.path.join('.', name):
            try:
                if not os.path.isdir(os.path.dirname(target)):
                    os.makedirs(os.path.dirname(target))
                py_compile.compile(path, target, doraise=True)
            except Exception:
                pass
";

const JAVA_FLAGS: [&str; 4] =
    ["-XX:+UseG1GC", "-XX:ParallelGCThreads=1", "-XX:-UsePerfData", "-XX:MaxRAMPercentage=70"];
const JAVAC_FLAGS: [&str; 10] = [
    "-J-XX:+UseSerialGC",
    "-J-XX:-UsePerfData",
    "-J-XX:TieredStopAtLevel=1",
    // No annotation processors: they are programs of the submission that would run inside the compiler.
    "-proc:none",
    "-encoding",
    "UTF-8",
    "-Xmaxerrs",
    "20",
    "-sourcepath",
    ".",
];

impl Toolset {
    /// The tools for a program in `language`.
    pub(super) fn find(language: Language, tools: &Toolchain, python2: Python2) -> Result<Self, MissingTool> {
        let python = |interpreter: &Path, stands_in| Self::Python { interpreter: interpreter.to_owned(), stands_in };
        match language {
            Language::Python(version) => match (tools.python(version), version, python2) {
                (Ok(interpreter), _, _) => Ok(python(interpreter, false)),
                (Err(_), PythonVersion::Two, Python2::ByPython3) => {
                    Ok(python(tools.python(PythonVersion::Three)?, true))
                }
                (Err(missing), _, _) => Err(missing),
            },
            Language::Cpp(standard) => Ok(Self::Cpp { compiler: tools.cpp_compiler()?, standard }),
            Language::Java => Ok(Self::Java { compiler: tools.java_compiler()?, machine: tools.java()? }),
        }
    }

    /// The compiler or checker of a program.
    pub(super) fn compiler(&self) -> &Path {
        match self {
            Self::Python { interpreter, .. } => interpreter,
            Self::Cpp { compiler, .. } | Self::Java { compiler, .. } => compiler,
        }
    }

    /// Identifies the tools; if it changes, the same sources must be built again.
    pub(super) fn fingerprint(&self, tools: &Toolchain) -> String {
        let version = match self {
            Self::Python { interpreter, stands_in } => format!("{stands_in} {}", tools.version(interpreter)),
            Self::Cpp { compiler, standard } => format!("{standard:?} {}", tools.version(compiler)),
            // Java's release file, since version 9; asking the machine itself costs a third of a second.
            Self::Java { machine, .. } => {
                let home = machine.parent().and_then(Path::parent);
                home.and_then(|home| fs::read_to_string(home.join("release")).ok()).unwrap_or_default()
            }
        };
        format!("{}\n{version}", self.compiler().display())
    }

    /// The arguments of the compiler, run in the folder of the sources, for the main file `file` alone. Products go to
    /// `products`. For Python it compiles every module of the folder, if the folder belongs to the program (`whole`).
    /// The compiler has `memory` bytes.
    pub(super) fn compile(&self, file: &str, products: &Path, whole: bool, memory: u64) -> Vec<OsString> {
        match self {
            Self::Python { .. } => {
                let mut words = words(PYTHON_FLAGS.into_iter().chain(["-c", COMPILE_PYTHON, file]));
                words.push(products.into());
                words.extend(whole.then(|| OsString::from(".")));
                words
            }
            Self::Cpp { standard, .. } => {
                let standard = match standard {
                    CppStandard::Cpp98 => "-std=gnu++98",
                    CppStandard::Cpp11 => "-std=gnu++11",
                    CppStandard::Cpp14 => "-std=gnu++14",
                    CppStandard::Cpp17 => "-std=gnu++17",
                    // g++ before version 10 does not know `gnu++20`.
                    CppStandard::Cpp20 => "-std=gnu++2a",
                };
                let mut words = words(["-O2", standard, "-pthread", "-fmax-errors=20", "-o"]);
                words.push(products.join(PROGRAM).into());
                words.push(local_name(file));
                words
            }
            Self::Java { .. } => {
                // At most half of its limit: it needs memory besides its heap.
                let mut words = vec![format!("-J-Xmx{}m", (memory >> 21).max(1)).into()];
                words.extend(JAVAC_FLAGS.into_iter().map(OsString::from));
                words.extend(["-d".into(), products.into(), local_name(file)]);
                words
            }
        }
    }

    /// The same tools with the previous standard, if there is one.
    pub(super) fn by_an_older_standard(&self) -> Option<Self> {
        match self {
            Self::Cpp { compiler, standard } => {
                Some(Self::Cpp { compiler: compiler.clone(), standard: standard.older()? })
            }
            Self::Python { .. } | Self::Java { .. } => None,
        }
    }

    /// Whether other sources can be compiled with the main file by adding their names.
    pub(super) const fn takes_others(&self) -> bool {
        match self {
            Self::Python { .. } => false,
            Self::Cpp { .. } | Self::Java { .. } => true,
        }
    }

    /// The command for the program with the main file `main`, in place, with its products in `products`, within
    /// `memory` bytes.
    pub(super) fn run(&self, main: &Path, products: &Path, memory: u64) -> Program {
        let (command, folder) = match self {
            // An interpreter reads the source in place: here, a copy.
            Self::Python { interpreter, .. } => (python(interpreter, main.into()), main.parent().unwrap_or(main)),
            Self::Cpp { .. } => (vec![products.join(PROGRAM).into()], products),
            Self::Java { machine, .. } => (java(machine, memory, products, main), products),
        };
        Program { command, folder: Some(folder.to_owned()), ..Program::default() }
    }

    /// The command for a submission's program as its author runs it: in its folder, a copy of `files`, with its
    /// products.
    pub(super) fn run_in(&self, files: &Path, source: &ProgramSource, products: &Path, memory: u64) -> Program {
        let template = Some(files.to_owned());
        match self {
            Self::Python { interpreter, .. } => {
                Program { command: python(interpreter, plain_name(&source.file)), template, ..Program::default() }
            }
            Self::Java { machine, .. } => Program {
                command: java(machine, memory, Path::new("."), Path::new(&source.file)),
                template,
                ..Program::default()
            },
            Self::Cpp { .. } => {
                let name = program_of(source);
                let (inside, outside) = (files.join(&name), products.join(PROGRAM));
                Program {
                    // The original instead of the one in the working directory, which can be changed and is not
                    // executable.
                    command: vec![if outside.exists() { outside } else { inside }.into()],
                    arg0: Some(Path::new(".").join(name).into()),
                    template,
                    ..Program::default()
                }
            }
        }
    }
}

fn python(interpreter: &Path, main: OsString) -> Vec<OsString> {
    let mut command = vec![interpreter.into()];
    command.extend(words(PYTHON_FLAGS));
    command.push(main);
    command
}

fn java(machine: &Path, memory: u64, classes: &Path, main: &Path) -> Vec<OsString> {
    let mut command = vec![machine.into()];
    command.extend(words(JAVA_FLAGS));
    command.extend([format!("-XX:MaxRAM={memory}").into(), "-cp".into(), classes.into()]);
    command.push(main.file_stem().unwrap_or_default().to_owned());
    command
}

/// The name of a compiled program in a submission's folder.
pub(super) fn program_of(source: &ProgramSource) -> OsString {
    Path::new(&source.file).file_stem().unwrap_or_default().to_owned()
}

/// As its author would write it, unless that would be an option.
fn plain_name(file: &str) -> OsString {
    if file.starts_with('-') { local_name(file) } else { file.into() }
}

/// The name of a compiled program.
pub(super) const PROGRAM: &str = "program";

/// A file name as an argument: a leading dash would make it an option.
pub(super) fn local_name(file: &str) -> OsString {
    Path::new(".").join(file).into()
}

fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<OsString> {
    words.into_iter().map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_keeps_to_the_memory_that_its_seat_allows() {
        let toolset = Toolset::Java { compiler: "/jdk/bin/javac".into(), machine: "/jdk/bin/java".into() };
        let run = toolset.run(Path::new("/b/homework.java"), Path::new("/b/homework"), 300 << 20);
        let run = run.command;
        let tail = ["-XX:MaxRAM=314572800", "-cp", "/b/homework", "homework"];
        assert_eq!(run[run.len() - 4..], tail);
        let compile = toolset.compile("homework.java", Path::new("/w"), true, 1 << 30);
        assert_eq!(compile[0], "-J-Xmx512m");
    }

    #[test]
    fn where_there_is_no_python_2_the_grader_decides() {
        let tools = Toolchain::in_folders(vec![]);
        let two = Language::Python(PythonVersion::Two);
        assert_eq!(Toolset::find(two, &tools, Python2::Required), Err(MissingTool::Python2));
        assert_eq!(Toolset::find(two, &tools, Python2::ByPython3), Err(MissingTool::Python3));
    }
}
