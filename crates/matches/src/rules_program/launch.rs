//! Makes a startable program from a named rules program: copies, compiles and digests its files. `registry` calls it;
//! `client` starts it.
//!
//! A rules program is a source file (`pente.py`), a folder with a `rules.py`, `rules.cpp` or `rules.java`, or an
//! executable file; `program_files` says which files belong to it. It is built like an agent.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::build_cache;
use super::fault::{RulesFault, ending};
use super::program_files::ProgramFiles;
use super::python_error::{PythonException, authors_lines};
use referee_games::RulesUnavailable;
use referee_seat::{Limits, Program, Scratch, ScratchDir, SeatError, SeatOptions, Service, Termination};
use referee_submissions::agents::{AgentBuilder, AgentError, AgentSpec, FileNames, Language};

/// What the main file of a rules program is called, before its extension.
const MAIN: &str = "rules";

/// What is handed out for authors, and belongs to a program that lies beside it.
pub(super) const MODULES: [(&str, &str); 2] = [
    ("referee_rules.py", include_str!("../../../../examples/rules/referee_rules.py")),
    ("referee_rules.hpp", include_str!("../../../../examples/rules/referee_rules.hpp")),
];

/// A program that can be started.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    /// What it is called in messages.
    pub(super) shown: String,
    /// The digest of its files.
    pub(super) digest: String,
    /// Its files, as a run keeps them.
    pub(super) folder: PathBuf,
    /// The folder that has all that it needs.
    pub(super) place: PathBuf,
    /// The author's name of the main file, if the rules are a single file.
    named: Option<String>,
    pub(super) program: Program,
    /// Whether this process is kept in already, and the program with it.
    is_within: bool,
    /// The executable that has the `keeper` command, if it is not this one.
    keeper: Option<PathBuf>,
    /// Kept for as long as the program may be started.
    _scratch: Option<Arc<ScratchDir>>,
}

/// What a built-in agent has to know to start the program that is its rules.
#[derive(Debug, Serialize, Deserialize)]
struct RulesLaunch {
    shown: String,
    digest: String,
    folder: PathBuf,
    command: Vec<String>,
    directory: PathBuf,
}

impl Launch {
    /// Makes the program that lies at `path`, whose messages call it `shown`, with the `keeper` command of another
    /// executable if one is named.
    ///
    /// # Errors
    ///
    /// What is wrong, with a remedy, as a sentence.
    pub(super) fn prepare(path: &Path, shown: String, keeper: Option<&Path>) -> Result<Self, RulesUnavailable> {
        let cannot = |what: &str, error: io::Error| {
            RulesUnavailable::Program(format!("cannot {what} the rules program `{}`: {error}", path.display()))
        };
        let path = path.canonicalize().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => RulesUnavailable::Program(format!(
                "there is no rules program `{}`: name a file such as `rules/pente.py`, a folder with a `rules.py`, or \
                 make one with `referee new-game`",
                path.display()
            )),
            _ => cannot("read", error),
        })?;
        let scratch = ScratchDir::new(Scratch::Builds).map_err(|error| cannot("copy", error))?;
        let folder = scratch.path().join("source");
        let builder = builder(keeper).map_err(|error| cannot("build", error))?;
        let named = copy_program(&path, &folder, &builder.names).map_err(|error| cannot("copy", error))?;
        let Some(named) = named else {
            let likely = likely_program(Path::new(&shown));
            let likely = likely.map_or_else(String::new, |file| format!("; did you mean `{}`?", file.display()));
            return Err(RulesUnavailable::Program(format!(
                "`{shown}` is no rules program: expected a `{MAIN}.py`, `{MAIN}.cpp`, `{MAIN}.java` or an executable \
                 `{MAIN}` in it{likely}",
            )));
        };
        let agent = builder
            .prepare(&AgentSpec::of_path(named), &scratch.path().join("build"))
            .map_err(|error| refused(&error, &shown, &path))?;
        let mut program = agent.program().clone();
        if program.template.is_none() {
            // An executable may read the rest of its folder.
            program.folder = Some(folder.clone());
        }
        Ok(Self {
            digest: agent.digest.to_string(),
            named: path.is_file().then(|| file_name(&path)),
            program,
            folder,
            place: scratch.path().to_owned(),
            shown,
            is_within: false,
            keeper: keeper.map(Path::to_owned),
            _scratch: Some(Arc::new(scratch)),
        })
    }

    /// The same by what [`Self::attachment`] tells.
    pub(super) fn attach(text: &str) -> Result<Self, String> {
        let attachment: RulesLaunch = serde_json::from_str(text)
            .map_err(|error| format!("`--rules-program` is for the referee itself: {error}"))?;
        Ok(Self {
            shown: attachment.shown,
            digest: attachment.digest,
            place: attachment.folder.clone(),
            folder: attachment.folder,
            named: None,
            program: Program {
                command: attachment.command.into_iter().map(OsString::from).collect(),
                folder: Some(attachment.directory),
                ..Program::default()
            },
            is_within: true,
            keeper: None,
            _scratch: None,
        })
    }

    /// What [`Self::attach`] reads.
    pub(super) fn attachment(&self) -> String {
        let directory = self.program.template.as_ref().or(self.program.folder.as_ref());
        let words = self.program.command.iter().map(|word| word.to_string_lossy().into_owned());
        let attachment = RulesLaunch {
            shown: self.shown.clone(),
            digest: self.digest.clone(),
            folder: self.folder.clone(),
            command: words.collect(),
            directory: directory.unwrap_or(&self.place).clone(),
        };
        serde_json::to_string(&attachment).unwrap_or_default()
    }

    /// A place in a file of the program's folder, as its author knows it.
    pub(super) fn place_of(&self, file: &str, line: u32, function: &str) -> String {
        let is_main = file.strip_prefix(MAIN).is_some_and(|rest| rest.starts_with('.'));
        let file = self.named.as_deref().filter(|_| is_main).unwrap_or(file);
        format!("{file}, line {line}, in {function}")
    }

    /// The fault of a program that ended so, if it did by itself, with what its standard error says of it.
    pub(super) fn explained(&self, mut fault: RulesFault, ended: Option<&Termination>, stderr: &str) -> RulesFault {
        fault.ended = ended.map(ending);
        if let Some(raised) = PythonException::last_of(stderr).filter(|_| fault.ended.is_some()) {
            if let Some((file, line, function)) = &raised.place {
                fault.place = Some(self.place_of(file, *line, function));
            }
            raised.exception.clone_into(&mut fault.what);
            fault.ended = None;
            if let Some(remedy) = raised.remedy() {
                fault.remedy = remedy;
            }
        } else if ended.is_some_and(lacks_tool) {
            fault.is_of_machine = true;
            "install the program that its first line names, or build it for this machine".clone_into(&mut fault.remedy);
        } else if fault.word() == "game" && ended == Some(&Termination::Exited { status: 0 }) && self.is_python() {
            "a Python file has to end with `YourGame().run()`".clone_into(&mut fault.remedy);
        }
        fault.stderr = authors_lines(stderr);
        if let Some(name) = &self.named {
            fault.stderr = fault.stderr.replace(&format!("File \"{MAIN}."), &format!("File \"{}.", stem(name)));
        }
        fault
    }

    fn is_python(&self) -> bool {
        self.folder.join(MAIN).with_extension("py").is_file()
    }

    /// Starts it, kept apart as well as this machine can.
    pub(super) fn start(&self) -> Result<Service, SeatError> {
        if self.is_within {
            return Service::start_within(&self.program);
        }
        let options = SeatOptions {
            limits: Limits {
                memory_bytes: 1 << 30,
                processes: 64,
                file_bytes: 1 << 20,
                directory_bytes: 4 << 20,
                directory_files: 64,
                ..Limits::default()
            },
            keeper: self.keeper.clone(),
            ..SeatOptions::default()
        };
        Service::start(&self.program, &options)
    }
}

/// Whether a program ended so because its interpreter is missing, or it is built for another machine. A shell and `env`
/// exit with 127 then.
fn lacks_tool(ended: &Termination) -> bool {
    matches!(ended, Termination::NotStarted { .. } | Termination::Exited { status: 127 })
}

/// A name without its extension.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Why the program at `path`, which messages call `shown`, cannot be made.
fn refused(error: &AgentError, shown: &str, path: &Path) -> RulesUnavailable {
    let why = format!("the rules program `{shown}` cannot be used: {}", authors_text(&error.to_string(), path));
    match error {
        AgentError::MissingTool { .. } | AgentError::BrokenTool { .. } | AgentError::System { .. } => {
            RulesUnavailable::Machine(why)
        }
        // It names the copy.
        AgentError::NotExecutable { .. } => {
            let main = path.is_dir().then(|| Path::new(shown).join(MAIN));
            let path = main.unwrap_or_else(|| PathBuf::from(shown));
            RulesUnavailable::Program(AgentError::NotExecutable { path }.to_string())
        }
        AgentError::NotFound { .. }
        | AgentError::Builtin(_)
        | AgentError::NotAFile { .. }
        | AgentError::Submission { .. }
        | AgentError::Provided { .. }
        | AgentError::Changed { .. } => RulesUnavailable::Program(why),
    }
}

/// What a builder says, with the author's path instead of those of the copy.
fn authors_text(said: &str, path: &Path) -> String {
    // `folder`: `rules.py` cannot be built: ...
    let said = said.split_once("`: ").map_or(said, |(_, rest)| rest);
    // The frame of the call that compiles is none of the author's.
    let lines = said.lines().filter(|line| !line.contains("File \"<string>\""));
    let said = lines.collect::<Vec<_>>().join("\n");
    if path.is_dir() {
        return said;
    }
    let name = file_name(path);
    let main = format!("{MAIN}.{}", path.extension().unwrap_or_default().to_string_lossy());
    ["`", "\""]
        .into_iter()
        .fold(said, |said, quote| said.replace(&format!("{quote}{main}{quote}"), &format!("{quote}{name}{quote}")))
}

fn builder(keeper: Option<&Path>) -> io::Result<AgentBuilder> {
    let names = ["python3", "c++17", "java"].into_iter().filter_map(|word| {
        let (_, language) = Language::WORDS.iter().find(|(known, _)| *known == word)?;
        let name = format!("{MAIN}.{}", language.extension());
        Some((name.parse().ok()?, *language))
    });
    let builder = AgentBuilder::new()?;
    // Another program has not said that it wants a folder here.
    let cache = build_cache::folder().filter(|_| keeper.is_none());
    cache.as_deref().inspect(|folder| build_cache::prune(folder));
    Ok(AgentBuilder {
        cache,
        names: FileNames::new(names.collect(), Some(Vec::new())),
        seats: SeatOptions { keeper: keeper.map(Path::to_owned), ..SeatOptions::default() },
        ..builder
    })
}

/// What is built of `folder`: the folder, or the executable in it.
fn main_of(folder: &Path) -> Option<PathBuf> {
    let is_source = |extension: &&str| folder.join(MAIN).with_extension(extension).is_file();
    if ["py", "cpp", "java"].iter().any(is_source) {
        return Some(folder.to_owned());
    }
    Some(folder.join(MAIN)).filter(|file| file.is_file())
}

/// The only source file of rules in `folder`, or in its folder `rules`: what somebody probably means who names it.
pub fn likely_program(folder: &Path) -> Option<PathBuf> {
    let is_source = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let extension = file.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("py" | "cpp" | "java"))
            && !MODULES.iter().any(|(module, _)| *module == name)
            && !name.starts_with("test")
    };
    let sources = |folder: &Path| {
        let listed = fs::read_dir(folder).into_iter().flatten().flatten();
        listed.map(|entry| entry.path()).filter(is_source).collect::<Vec<_>>()
    };
    [folder.to_owned(), folder.join(MAIN)].into_iter().find_map(|folder| {
        match <[PathBuf; 1]>::try_from(sources(&folder)) {
            Ok([file]) => Some(file),
            Err(_) => None,
        }
    })
}

/// Copies the program at `path` into `folder`, its main file by the name that it has there. Returns what is built;
/// `None` if there is no main file.
fn copy_program(path: &Path, folder: &Path, names: &FileNames) -> io::Result<Option<PathBuf>> {
    let ProgramFiles { main, others } = ProgramFiles::of(path)?;
    for (name, file) in &others {
        let to = folder.join(name);
        fs::create_dir_all(to.parent().unwrap_or(folder))?;
        fs::copy(file, to)?;
    }
    if let Some(file) = main {
        fs::create_dir_all(folder)?;
        let language = names.language_by_extension(&file_name(&file));
        let name = Path::new(MAIN).with_extension(language.map_or("", Language::extension));
        if others.contains_key(&name) {
            return Err(io::Error::other(format!(
                "it needs a `{0}` beside it, and is itself called `{0}` when it runs; rename that file",
                name.display()
            )));
        }
        fs::copy(file, folder.join(name))?;
    }
    Ok(main_of(folder))
}
