//! Finds the compilers and interpreters of this machine, each once. It runs no foreign source; `toolset` and the doctor
//! call it.
//!
//! Interpreters are resolved to the real program. The first one in `PATH` may be the shim of a version manager: a shell
//! script that costs more than the interpreter's own start, charged to the agent at every move. Measured CPU time of a
//! program that writes one line: `python3` through pyenv's shim 98-108 ms, the same interpreter directly 38-44 ms (30
//! ms of them for the site packages of that installation; a distribution's Python 3.11 takes 11-12 ms).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use nix::unistd::{AccessFlags, access};
use parking_lot::Mutex;

use super::bounded_run;
use super::language::PythonVersion;

/// The paths of the tools, searched when first needed and cached.
#[derive(Debug)]
pub struct Toolchain {
    folders: Vec<PathBuf>,
    python2: OnceLock<Option<PathBuf>>,
    python3: OnceLock<Option<PathBuf>>,
    java_home: OnceLock<Option<PathBuf>>,
    versions: Mutex<BTreeMap<PathBuf, String>>,
    /// Whether tools can build an empty program, by their fingerprints.
    trials: Mutex<BTreeMap<String, Result<(), BrokenTool>>>,
}

/// A tool missing on this machine, and how to install it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no working {} found in `PATH`: install {}", self.description().0, self.description().1)]
pub enum MissingTool {
    /// No Python 2.
    Python2,
    /// No Python 3.
    Python3,
    /// No C++ compiler.
    CppCompiler,
    /// No Java runtime.
    Java,
    /// A Java runtime, but no compiler.
    JavaCompiler,
}

/// A tool that fails on this machine for every program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` fails on this machine even for an empty program: {problem}", .tool.display())]
pub struct BrokenTool {
    /// The compiler or interpreter.
    pub tool: PathBuf,
    /// The first line of its output, or what else failed.
    pub problem: String,
}

impl MissingTool {
    const fn description(self) -> (&'static str, &'static str) {
        match self {
            Self::Python2 => ("`python2`", "Python 2.7 (with a version manager, make `python2.7` available here)"),
            Self::Python3 => ("`python3`", "Python 3"),
            Self::CppCompiler => ("`g++`, `clang++` or `c++`", "g++ 7 or later"),
            Self::Java => ("`java`", "a JDK, version 11 or later"),
            Self::JavaCompiler => ("`javac`", "a full JDK: only a Java runtime is installed"),
        }
    }
}

/// The time limit for a tool's answer about itself. Java needs a few tenths of a second of CPU time, which can take ten
/// seconds beside busy programs; a tool that takes longer than this hangs.
const ANSWER_LIMIT: Duration = Duration::from_mins(2);

/// Valid in Python 2 and 3. The mark separates the answer from the output of wrappers.
const ASK_PYTHON: &str = "import sys; print('referee:%d:%s' % (sys.version_info[0], sys.executable))";

/// How agents in Python run: they write no bytecode, and neither the user's packages nor variables of the environment
/// count.
pub(super) const PYTHON_FLAGS: [&str; 3] = ["-B", "-s", "-E"];

/// The distributions that an interpreter finds beside its standard library, one a line.
const ASK_MODULES: &str = "\
import importlib.metadata as metadata
for one in metadata.distributions():
    print('referee:%s %s' % (one.metadata['Name'], one.version))";

/// What agents can import in the Python 3 program `interpreter` beside its standard library: `numpy 2.1.0`. Empty also
/// if it does not say.
pub fn python_packages(interpreter: &Path) -> Vec<String> {
    let answer = ask(Command::new(interpreter).args(PYTHON_FLAGS).args(["-c", ASK_MODULES])).unwrap_or_default();
    let mut packages: Vec<String> =
        answer.lines().filter_map(|line| line.strip_prefix("referee:")).map(str::to_owned).collect();
    packages.sort_by_key(|package| package.to_lowercase());
    packages.dedup();
    packages
}

impl Toolchain {
    /// The tools in the folders of `PATH`.
    pub fn from_environment() -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        Self::in_folders(std::env::split_paths(&path).collect())
    }

    /// The tools in `folders`, the first folder first.
    pub fn in_folders(folders: Vec<PathBuf>) -> Self {
        Self {
            folders,
            python2: OnceLock::new(),
            python3: OnceLock::new(),
            java_home: OnceLock::new(),
            versions: Mutex::default(),
            trials: Mutex::default(),
        }
    }

    /// The Python interpreter itself.
    ///
    /// # Errors
    ///
    /// [`MissingTool`] if no candidate runs and reports this version.
    pub fn python(&self, version: PythonVersion) -> Result<&Path, MissingTool> {
        let (found, names, major, missing): (_, &[&str], _, _) = match version {
            PythonVersion::Two => (&self.python2, &["python2", "python2.7", "python"], '2', MissingTool::Python2),
            PythonVersion::Three => (&self.python3, &["python3", "python"], '3', MissingTool::Python3),
        };
        found
            .get_or_init(|| self.candidates(names).find_map(|candidate| ask_python(&candidate, major)))
            .as_deref()
            .ok_or(missing)
    }

    /// The C++ compiler.
    ///
    /// # Errors
    ///
    /// [`MissingTool`] if none of `g++`, `clang++` and `c++` exists.
    pub fn cpp_compiler(&self) -> Result<PathBuf, MissingTool> {
        self.candidates(&["g++", "clang++", "c++"]).next().ok_or(MissingTool::CppCompiler)
    }

    /// The Java virtual machine itself.
    ///
    /// # Errors
    ///
    /// [`MissingTool`] if no `java` runs and reports its home.
    pub fn java(&self) -> Result<PathBuf, MissingTool> {
        Ok(self.java_home()?.join("bin/java"))
    }

    /// The Java compiler beside the virtual machine, so that the machine can load its classes.
    ///
    /// # Errors
    ///
    /// [`MissingTool`] if there is no `java`, or no `javac` beside it or in `PATH`.
    pub fn java_compiler(&self) -> Result<PathBuf, MissingTool> {
        let beside = self.java_home()?.join("bin/javac");
        if is_executable(&beside) {
            return Ok(beside);
        }
        self.candidates(&["javac"]).next().ok_or(MissingTool::JavaCompiler)
    }

    /// The version that a compiler or interpreter reports; empty if it reports none. Each is asked once.
    pub(super) fn version(&self, tool: &Path) -> String {
        let mut versions = self.versions.lock();
        versions
            .entry(tool.to_owned())
            .or_insert_with(|| ask(Command::new(tool).arg("--version")).unwrap_or_default())
            .clone()
    }

    /// The result of `try_tool`, which is called once per tool.
    ///
    /// # Errors
    ///
    /// Those of `try_tool`, which are not remembered.
    pub(super) fn trial<E>(
        &self,
        fingerprint: String,
        try_tool: impl FnOnce() -> Result<Result<(), BrokenTool>, E>,
    ) -> Result<Result<(), BrokenTool>, E> {
        let mut trials = self.trials.lock();
        if let Some(outcome) = trials.get(&fingerprint) {
            return Ok(outcome.clone());
        }
        let outcome = try_tool()?;
        trials.insert(fingerprint, outcome.clone());
        Ok(outcome)
    }

    fn java_home(&self) -> Result<&Path, MissingTool> {
        self.java_home
            .get_or_init(|| self.candidates(&["java"]).find_map(|candidate| ask_java(&candidate)))
            .as_deref()
            .ok_or(MissingTool::Java)
    }

    fn candidates<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = PathBuf> + 'a {
        names
            .iter()
            .flat_map(|name| self.folders.iter().map(move |folder| folder.join(name)))
            .filter(|path| path.is_absolute() && is_executable(path))
    }
}

/// Whether this process may execute the file `path`.
pub(super) fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, AccessFlags::X_OK).is_ok()
}

fn ask_python(candidate: &Path, major: char) -> Option<PathBuf> {
    let answer = ask(Command::new(candidate).args(["-c", ASK_PYTHON]))?;
    let executable =
        answer.lines().find_map(|line| line.strip_prefix("referee:")?.strip_prefix(major)?.strip_prefix(':'))?;
    Some(PathBuf::from(executable)).filter(|path| is_executable(path))
}

fn ask_java(candidate: &Path) -> Option<PathBuf> {
    let answer = ask(Command::new(candidate).args(["-XshowSettings:properties", "-version"]))?;
    let home = answer.lines().find_map(|line| line.trim_start().strip_prefix("java.home = "))?;
    Some(PathBuf::from(home)).filter(|home| is_executable(&home.join("bin/java")))
}

/// A tool's output when run with the user's environment, which version managers need.
fn ask(command: &mut Command) -> Option<String> {
    let answer = bounded_run::run(command, ANSWER_LIMIT).ok()?;
    Some(String::from_utf8_lossy(&answer).into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn tool(folder: &Path, name: &str, script: &str) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn a_shim_is_followed_to_the_interpreter_itself() {
        let bin = tempfile::tempdir().unwrap();
        let real = tool(bin.path(), "real-python", "exit 0");
        tool(bin.path(), "python3", &format!("echo notice >&2; echo 'referee:3:{}'", real.display()));
        let tools = Toolchain::in_folders(vec![bin.path().to_owned()]);
        assert_eq!(tools.python(PythonVersion::Three), Ok(real.as_path()));
    }

    #[test]
    fn a_candidate_that_fails_or_is_of_another_version_is_passed_over() {
        let bin = tempfile::tempdir().unwrap();
        let real = tool(bin.path(), "real-python", "exit 0");
        tool(bin.path(), "python2", "echo 'pyenv: python2: command not found'; exit 127");
        tool(bin.path(), "python", &format!("echo 'referee:3:{}'", real.display()));
        let tools = Toolchain::in_folders(vec![bin.path().to_owned()]);
        assert_eq!(tools.python(PythonVersion::Two), Err(MissingTool::Python2));
        assert_eq!(tools.python(PythonVersion::Three), Ok(real.as_path()));
    }

    #[test]
    fn java_is_taken_from_its_home_with_the_compiler_beside_it() {
        let bin = tempfile::tempdir().unwrap();
        let home = bin.path().join("jdk");
        fs::create_dir_all(home.join("bin")).unwrap();
        tool(bin.path(), "java", &format!("echo '    java.home = {}' >&2", home.display()));
        tool(bin.path(), "javac", "exit 0");
        let tools = || Toolchain::in_folders(vec![bin.path().to_owned()]);
        assert_eq!(tools().java(), Err(MissingTool::Java));
        let java = tool(&home.join("bin"), "java", "exit 0");
        assert_eq!(tools().java(), Ok(java));
        assert_eq!(tools().java_compiler(), Ok(bin.path().join("javac")));
        let compiler = tool(&home.join("bin"), "javac", "exit 0");
        assert_eq!(tools().java_compiler(), Ok(compiler));
    }
}
