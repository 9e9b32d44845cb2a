//! From the source of one program to the command that runs it.
//!
//! A program is compiled as the courses do it: the main file alone, with what it includes or imports. Only where that
//! fails is a second attempt made with the other sources of the folder on the command line, for those who split a
//! program into several `.cpp` files or keep two Java classes in one file.
//!
//! The commands, and why. Figures are CPU time on one machine (2 cores, `OpenJDK` 17, Python 3.11, g++ 12); they show
//! proportions.
//!
//! - C++: `-O2 -std=gnu++17 -pthread`; `gnu` because that is what a compiler without options speaks. A start costs
//!   1.4 ms (0.6 ms when linked statically, which is not done: not every machine has the libraries for it).
//! - Java: `-XX:+UseG1GC -XX:ParallelGCThreads=1 -XX:-UsePerfData`. A start costs 45-50 ms, against 59 ms with the serial
//!   and 63 ms with the parallel collector, whose heaps cannot use all of the class archive. With one thread it collects
//!   at the same cost on a laptop and on a machine with 64 cores, all of whose threads would be charged. Without
//!   `UsePerfData` no file appears under `/tmp`. `MaxRAM` is a seat's usual limit on memory, 70 % of which are the
//!   heap's: left to itself a Java machine lets garbage grow to a quarter of the machine's memory. A program with 16 MiB
//!   in use was seen at 2.0 to 2.2 GiB on a machine of 24 GiB, now and then beyond the limit; like this at 0.9 GiB, at no
//!   other cost in time. `TieredStopAtLevel=1` would save 4-8 ms a start and is not used: the same search then takes
//!   200 ms where it took 140, and agents with much time would pay for those with little.
//! - Python: `-B -s -E`, which cost nothing: no `__pycache__` is written at a move, and neither the user's packages nor
//!   environment variables change what runs. Not `-I`, which would hide the agent's own modules. These are compiled here,
//!   once, because a start that imports 1,200 lines of them costs 9 ms more without.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::bounded_run::{self, LOUDEST_MIB, Outcome};
use super::error::{AgentError, BuildFault, SubmissionFault};
use super::language::{Conventions, CppStandard, Language, PythonVersion, Role};
use super::shown;
use super::submission::Source;
use super::toolchain::{MissingTool, Toolchain};
use crate::time::WallTime;

/// Where one program is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'a> {
    /// The folder of its sources.
    pub(super) sources: &'a Path,
    /// Whether everything in that folder belongs to the program and may be compiled, and compiled in place.
    pub(super) whole_folder: bool,
    /// An empty folder of its own for what is built.
    pub(super) products: &'a Path,
}

/// A built program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Built {
    pub(super) command: Vec<OsString>,
    pub(super) remark: Option<String>,
}

/// Builds `source`, each attempt within `limit`.
pub(super) fn build(source: &Source, site: Site<'_>, tools: &Toolchain, limit: WallTime) -> Result<Built, AgentError> {
    let builder = Builder {
        source,
        site,
        tools,
        limit,
    };
    match source.language {
        Language::Python(version) => builder.python(version),
        Language::Cpp(standard) => builder.cpp(standard),
        Language::Java => builder.java(),
    }
}

struct Builder<'a> {
    source: &'a Source,
    site: Site<'a>,
    tools: &'a Toolchain,
    limit: WallTime,
}

/// Compiles the main file without running it, and, where a folder is given, its modules into `__pycache__`. What is in
/// such a folder already is written anew; a module that does not compile may never be imported and is no fault.
/// The submission's own folder leaves the path first, or its `struct.py` would run in here.
const COMPILE_PYTHON: &str = "\
import sys
sys.path.remove('')
import compileall
name = sys.argv[1]
compile(open(name, 'rb').read(), name, 'exec')
for folder in sys.argv[2:]:
    compileall.compile_dir(folder, force=True, quiet=2)
";

const PYTHON_FLAGS: [&str; 3] = ["-B", "-s", "-E"];
const JAVA_FLAGS: [&str; 5] = [
    "-XX:+UseG1GC",
    "-XX:ParallelGCThreads=1",
    "-XX:-UsePerfData",
    "-XX:MaxRAM=2g",
    "-XX:MaxRAMPercentage=70",
];

impl Builder<'_> {
    fn python(&self, version: PythonVersion) -> Result<Built, AgentError> {
        let python = self.tools.python(version).map_err(|tool| self.missing(tool))?;
        let mut check = words(
            python,
            PYTHON_FLAGS
                .into_iter()
                .chain(["-c", COMPILE_PYTHON, &self.source.file]),
        );
        if self.site.whole_folder {
            check.push(".".into());
        }
        self.first_that_compiles(&[check])?;
        let mut command = words(python, PYTHON_FLAGS);
        command.push(self.main_file().into());
        Ok(Built { command, remark: None })
    }

    fn cpp(&self, standard: CppStandard) -> Result<Built, AgentError> {
        let compiler = self.tools.cpp_compiler().map_err(|tool| self.missing(tool))?;
        let standard = match standard {
            CppStandard::Cpp11 => "-std=gnu++11",
            CppStandard::Cpp17 => "-std=gnu++17",
        };
        let program = self.site.products.join("program");
        let mut compile = words(&compiler, ["-O2", standard, "-pthread", "-w", "-fmax-errors=20", "-o"]);
        compile.push(program.clone().into());
        compile.push(local_name(&self.source.file));
        let remark = self.main_alone_or_with_others(compile)?;
        let command = vec![program.into()];
        Ok(Built { command, remark })
    }

    fn java(&self) -> Result<Built, AgentError> {
        let compiler = self.tools.java_compiler().map_err(|tool| self.missing(tool))?;
        let java = self.tools.java().map_err(|tool| self.missing(tool))?;
        // No annotation processors: they are programs of the submission that would run inside the compiler.
        let flags = [
            "-nowarn",
            "-proc:none",
            "-encoding",
            "UTF-8",
            "-Xmaxerrs",
            "20",
            "-sourcepath",
            ".",
            "-d",
        ];
        let mut compile = words(&compiler, flags);
        compile.push(self.site.products.into());
        compile.push(local_name(&self.source.file));
        let remark = self.main_alone_or_with_others(compile)?;
        let class = self.source.file.trim_end_matches(".java");
        self.expect_class(class)?;
        let mut command = words(&java, JAVA_FLAGS.into_iter().chain(["-cp"]));
        command.push(self.site.products.into());
        command.push(class.into());
        Ok(Built { command, remark })
    }

    /// Compiles with `main`, or else with the other sources of the folder after it; then says so.
    fn main_alone_or_with_others(&self, main: Vec<OsString>) -> Result<Option<String>, AgentError> {
        let others = self.other_sources()?;
        if others.is_empty() {
            return self.first_that_compiles(&[main]).map(|_| None);
        }
        let with_others = main
            .iter()
            .cloned()
            .chain(others.iter().map(|file| local_name(file)))
            .collect();
        let attempt = self.first_that_compiles(&[main, with_others])?;
        let remark = || {
            let (main, others) = (shown::name(&self.source.file), shown::names(&others));
            format!("{main} does not compile on its own, it was compiled together with {others}")
        };
        Ok((attempt > 0).then(remark))
    }

    /// Runs the compilers in turn until one succeeds; the index of that one. If none does, the first one's complaint
    /// is the one to read: it is what the course would have said.
    fn first_that_compiles(&self, compilers: &[Vec<OsString>]) -> Result<usize, AgentError> {
        let mut first_fault = None;
        for (attempt, compile) in compilers.iter().enumerate() {
            match self.compile(compile)? {
                Ok(()) => return Ok(attempt),
                Err(fault) => {
                    first_fault.get_or_insert(fault);
                }
            }
        }
        Err(self.at_fault(first_fault.expect("at least one attempt is made, and all of them failed")))
    }

    fn compile(&self, compile: &[OsString]) -> Result<Result<(), BuildFault>, AgentError> {
        let path = PathBuf::from(&compile[0]);
        let mut command = Command::new(&path);
        command.args(&compile[1..]).current_dir(self.site.sources);
        self.clean_environment(&mut command);
        let (outcome, output) =
            bounded_run::run(&mut command, self.limit.to_duration()).map_err(|error| AgentError::System {
                action: "run",
                path: path.clone(),
                error,
            })?;
        let compiler = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(match outcome {
            Outcome::Finished(status) if status.success() => Ok(()),
            Outcome::Finished(_) => Err(BuildFault::Refused {
                compiler,
                output: shown::lines(output.trim_ascii_end()),
            }),
            Outcome::TooSlow => Err(BuildFault::TooSlow {
                compiler,
                limit: self.limit,
            }),
            Outcome::TooLoud => Err(BuildFault::TooLoud {
                compiler,
                limit_mib: LOUDEST_MIB,
            }),
        })
    }

    /// Variables such as `CPATH` or `JAVA_TOOL_OPTIONS` would make builds depend on who runs them. A compiler needs the
    /// path to its assembler and linker, and a folder for temporary files.
    fn clean_environment(&self, command: &mut Command) {
        let path = std::env::join_paths(self.tools.folders()).unwrap_or_default();
        command
            .env_clear()
            .env("PATH", path)
            .env("LC_ALL", "C.UTF-8")
            .env("TMPDIR", self.site.products);
    }

    /// The other sources of the same language in the folder, without those of programs.
    fn other_sources(&self) -> Result<Vec<String>, AgentError> {
        if !self.site.whole_folder {
            return Ok(vec![]);
        }
        let is_program = |file: &str| {
            [Role::Homework, Role::Calibrate]
                .iter()
                .any(|&role| Conventions::Modern.language_of(role, file).is_some())
        };
        let extension = Some(OsStr::new(self.source.language.extension()));
        let list = || -> io::Result<Vec<String>> {
            let mut files = Vec::new();
            for entry in fs::read_dir(self.site.sources)? {
                let file = entry?.file_name();
                if Path::new(&file).extension() == extension {
                    files.extend(file.into_string());
                }
            }
            Ok(files)
        };
        let mut files = list().map_err(|error| AgentError::System {
            action: "read",
            path: self.site.sources.to_owned(),
            error,
        })?;
        files.retain(|file| !is_program(file));
        files.sort();
        Ok(files)
    }

    fn expect_class(&self, class: &str) -> Result<(), AgentError> {
        let file = format!("{class}.class");
        if self.site.products.join(&file).is_file() {
            return Ok(());
        }
        let package = package_of(self.site.products, &file);
        let class = class.to_owned();
        Err(self.at_fault(match package {
            Some(package) => BuildFault::InPackage { package },
            None => BuildFault::NoSuchClass { class },
        }))
    }

    fn main_file(&self) -> PathBuf {
        self.site.sources.join(&self.source.file)
    }

    fn at_fault(&self, fault: BuildFault) -> AgentError {
        AgentError::Submission {
            path: self.site.sources.to_owned(),
            fault: SubmissionFault::Build {
                file: self.source.file.clone(),
                fault,
            },
        }
    }

    fn missing(&self, tool: MissingTool) -> AgentError {
        AgentError::MissingTool {
            path: self.main_file(),
            tool,
        }
    }
}

/// A file's name as an argument: one that begins with a dash would be read as an option.
fn local_name(file: &str) -> OsString {
    Path::new(".").join(file).into()
}

fn words<'a>(program: &Path, arguments: impl IntoIterator<Item = &'a str>) -> Vec<OsString> {
    std::iter::once(program.into())
        .chain(arguments.into_iter().map(OsString::from))
        .collect()
}

/// The package whose folder below `classes` holds `file`, with dots.
fn package_of(classes: &Path, file: &str) -> Option<String> {
    let mut folders = vec![PathBuf::new()];
    while let Some(package) = folders.pop() {
        for entry in fs::read_dir(classes.join(&package)).ok()?.flatten() {
            let name = package.join(entry.file_name());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(name);
            } else if entry.file_name() == file {
                return Some(package.display().to_string().replace('/', "."));
            }
        }
    }
    None
}
