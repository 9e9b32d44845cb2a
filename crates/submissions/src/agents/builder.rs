//! Makes agents: from a command-line argument to a program in its own folder. It calibrates and runs nothing. Commands,
//! `shards`, `check` and `doctor` call it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::agent::{Agent, Sources};
use super::build::{build, join};
use super::compile::{BuildOptions, BuildSite};
use super::copies::FolderContents;
use super::digest::Digest;
use super::error::{AgentError, system};
use super::names::FileNames;
use super::snapshot::{self, ProvidedFiles, Snapshot};
use super::spec::{AgentSource, AgentSpec};
use super::submission::{ProgramSource, Submission, SubmissionContent, in_words};
use super::toolchain::{Toolchain, is_executable};
use super::toolset::{Python2, Toolset};
use referee_games::GameRef;
use referee_games::builtin::BuiltinAgent;
use referee_seat::{Limits, PreparationLimit, Program, SeatOptions};
use referee_time::CpuTime;

/// The default time limit for one run of a compiler.
pub const COMPILE_LIMIT: PreparationLimit = PreparationLimit::of_cpu_time(CpuTime::from_secs(60));

/// The default time limit for a `calibrate` program (RULES.md, section 1: "should take no more than 5 seconds").
pub const CALIBRATE_LIMIT: PreparationLimit = PreparationLimit::of_cpu_time(CpuTime::from_secs(10));

/// The tools and rules for making agents.
///
/// A run passes the options of its seats, so that compilers are isolated as well as programs:
///
/// ```no_run
/// use std::path::Path;
///
/// use referee_submissions::agents::{AgentSpec, AgentBuilder};
/// use referee_seat::{Isolation, IsolationRange, SeatOptions};
///
/// let mut builder = AgentBuilder::new()?;
/// builder.seats = SeatOptions {
///     isolation: IsolationRange::at_least(Isolation::Confined),
///     ..SeatOptions::default()
/// };
/// builder.cache = Some("results/built".into());
/// match builder.prepare(&AgentSpec::of_path("class/ada"), Path::new("/tmp/builds/ada")) {
///     Ok(agent) => println!("{} {}", agent.name, agent.digest),
///     Err(error) => match error.finding() {
///         Some(finding) => println!("no points: {finding}"),
///         None => println!("this machine or its user: {error}"),
///     },
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct AgentBuilder {
    /// The compilers and interpreters.
    pub toolchain: Toolchain,
    /// The game to play; `None` if nothing depends on it.
    pub game: Option<GameRef>,
    /// The meaning of the file names in a submission.
    pub names: FileNames,
    /// The folder of the files that the course provides: they are added to every submission that lacks files of these
    /// names, for building and running.
    pub provide: Option<PathBuf>,
    /// The interpreter for Python 2 programs.
    pub python2: Python2,
    /// The options of the agents' seats. Builds use their isolation and keeper too, and a Java machine is told their
    /// memory limit.
    pub seats: SeatOptions,
    /// The resource limits of a compiler besides time.
    pub build_limits: Limits,
    /// The time limit for one run of a compiler.
    pub compile_limit: PreparationLimit,
    /// The time limit for a `calibrate` program.
    pub calibrate_limit: PreparationLimit,
    /// A folder that caches builds across runs; created when needed. No agent may be able to write there; from
    /// `confined` on, none is.
    pub cache: Option<PathBuf>,
    /// The referee's own executable, which contains the built-in agents.
    pub referee: PathBuf,
}

impl AgentBuilder {
    /// A builder for agents of `game`, with the file names of its homeworks; otherwise like [`Self::new`].
    ///
    /// # Errors
    ///
    /// Those of [`Self::new`].
    pub fn for_game(game: GameRef) -> io::Result<Self> {
        Ok(Self { game: Some(game), names: FileNames::of_game(game), ..Self::new()? })
    }

    /// A builder with the tools of this machine, the usual names, one minute per compilation, and no cache.
    ///
    /// # Errors
    ///
    /// The system's, if it does not report this process's executable.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            toolchain: Toolchain::from_environment(),
            game: None,
            names: FileNames::default(),
            provide: None,
            python2: Python2::default(),
            seats: SeatOptions::default(),
            // Java's compiler opens every library that it searches.
            build_limits: Limits { open_files: 1024, ..Limits::default() },
            compile_limit: COMPILE_LIMIT,
            calibrate_limit: CALIBRATE_LIMIT,
            cache: None,
            referee: std::env::current_exe()?,
        })
    }

    /// Makes the agent that `spec` names. Products go to `build`, a folder for this agent alone, which is created if
    /// missing, must be empty, and must exist as long as the agent plays.
    ///
    /// # Errors
    ///
    /// [`AgentError`], with a text for the user or for the author of the submission.
    pub fn prepare(&self, spec: &AgentSpec, build: &Path) -> Result<Agent, AgentError> {
        let made = match spec.source() {
            AgentSource::Builtin(agent) => self.builtin(*agent)?,
            AgentSource::Path(path) => self.at_path(path, build)?,
            AgentSource::Submission(path) => self.submission(path, build)?,
        };
        let folders = match made.sources {
            Sources::Builtin => FolderContents::default(),
            Sources::Folder { .. } | Sources::FileOfFolder { .. } | Sources::File { .. } => {
                FolderContents::of(build).map_err(system("read", build))?
            }
        };
        Ok(Agent {
            name: spec.name(),
            spec: spec.clone(),
            program: made.program,
            calibrate: made.calibrate,
            calibrate_limit: self.calibrate_limit,
            digest: made.digest,
            sources: made.sources,
            folders,
            remarks: made.remarks,
            compiler_output: made.output,
        })
    }

    fn builtin(&self, agent: BuiltinAgent) -> Result<BuiltProgram, AgentError> {
        self.game.map_or(Ok(()), |game| agent.check_plays(game))?;
        let text = agent.to_string();
        let program = Program {
            command: vec![self.referee.clone().into(), "agent".into(), text.clone().into()],
            ..Program::default()
        };
        Ok(BuiltProgram::ready(program, Digest::of_builtin(&text), Sources::Builtin))
    }

    fn at_path(&self, path: &Path, build: &Path) -> Result<BuiltProgram, AgentError> {
        // A named link stands for its target.
        let path = path.canonicalize().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => AgentError::NotFound { path: path.to_owned() },
            _ => system("read", path)(error),
        })?;
        let kind = fs::metadata(&path).map_err(system("read", &path))?.file_type();
        if kind.is_dir() {
            return self.folder(Submission::find(&path, &self.names)?, build);
        }
        if !kind.is_file() {
            let found = in_words(kind);
            return Err(AgentError::NotAFile { path, found });
        }
        let name = path.file_name().and_then(|name| name.to_str());
        let source = name.and_then(|file| {
            let by_its_name = self.names.language_by_extension(file);
            // Opponents of submissions may use languages that submissions may not.
            let language = by_its_name.or_else(|| FileNames::default().language_by_extension(file))?;
            let file = file.to_owned();
            Some(ProgramSource { file, language })
        });
        match source {
            Some(source) => self.source_file(&source, &path, build),
            None if is_executable(&path) => executable(&path),
            None => Err(AgentError::NotExecutable { path }),
        }
    }

    /// A submission. Its path may contain links, since its parent folder may be behind one.
    fn submission(&self, path: &Path, build: &Path) -> Result<BuiltProgram, AgentError> {
        match SubmissionContent::find(path, &self.names)? {
            SubmissionContent::Folder(found) => self.folder(found, build),
            SubmissionContent::Source(source) => self.source_alone(source, path, build),
            SubmissionContent::Executable => executable_alone(path, build),
        }
    }

    fn folder(&self, mut found: Submission, build: &Path) -> Result<BuiltProgram, AgentError> {
        let dirs = BuildDirs::open(build)?;
        let provided = self.provided();
        let Snapshot { digest, left_out } = snapshot::take(&found.folder, provided.as_ref(), &dirs.sources)?;
        if !left_out.is_empty() {
            let left_out = left_out.join(", ");
            found.remarks.push(format!("ignored, not a regular file: {left_out}"));
        }
        let path = found.folder.clone();
        let sources = Sources::Folder { path, provided };
        self.copied(found, &dirs, digest, sources)
    }

    /// A single file that is a whole submission, put into a folder under its proper name.
    fn source_alone(&self, homework: ProgramSource, path: &Path, build: &Path) -> Result<BuiltProgram, AgentError> {
        let dirs = BuildDirs::open(build)?;
        let provided = self.provided();
        let digest = snapshot::take_file(path, &homework.file, provided.as_ref(), &dirs.sources)?;
        let sources = Sources::FileOfFolder { path: path.to_owned(), name: homework.file.clone(), provided };
        let found = Submission { folder: path.to_owned(), homework, calibrate: None, remarks: vec![] };
        self.copied(found, &dirs, digest, sources)
    }

    /// A submission whose files were copied to `dirs`.
    fn copied(
        &self,
        found: Submission,
        dirs: &BuildDirs,
        digest: Digest,
        sources: Sources,
    ) -> Result<BuiltProgram, AgentError> {
        let terms = self.terms();
        let mut remarks = found.remarks;
        let mut outputs = Vec::new();
        let mut make = |source: &ProgramSource, products: &str| -> Result<_, AgentError> {
            let products = make_folder(&dirs.build.join(products))?;
            let site = BuildSite { sources: &dirs.sources, whole: Some(&digest), products: &products };
            let built = build(source, site, &terms).map_err(|error| error.with_original_path(&found.folder))?;
            remarks.extend(built.remarks);
            outputs.extend(built.output);
            Ok((built.toolset, products))
        };
        let homework = make(&found.homework, "homework")?;
        let calibrate = found
            .calibrate
            .as_ref()
            .map(|source| Ok::<_, AgentError>((source, make(source, "calibrate")?)))
            .transpose()?;
        // Only after both builds, since neither may see the other's products.
        let join = |source: &ProgramSource, (toolset, products): &(Toolset, PathBuf)| {
            join(toolset, source, products, &dirs.sources).map_err(system("write", &dirs.sources))?;
            Ok::<_, AgentError>(toolset.run_in(&dirs.sources, source, products, terms.memory_bytes))
        };
        Ok(BuiltProgram {
            calibrate: calibrate.map(|(source, made)| join(source, &made)).transpose()?,
            remarks,
            output: (!outputs.is_empty()).then(|| outputs.join("\n")),
            ..BuiltProgram::ready(join(&found.homework, &homework)?, digest, sources)
        })
    }

    /// A source file, copied without its neighbours: they may be other agents.
    fn source_file(
        &self,
        source: &ProgramSource,
        path: &Path,
        build_folder: &Path,
    ) -> Result<BuiltProgram, AgentError> {
        let dirs = BuildDirs::open(build_folder)?;
        let digest = snapshot::take_file(path, &source.file, None, &dirs.sources)?;
        let products = make_folder(&dirs.build.join("homework"))?;
        let site = BuildSite { sources: &dirs.sources, whole: None, products: &products };
        let terms = self.terms();
        let built = build(source, site, &terms).map_err(|error| error.with_original_path(folder_of(path)))?;
        let program = built.toolset.run(&dirs.sources.join(&source.file), &products, terms.memory_bytes);
        let remarks = built.remarks.into_iter().chain(lost_imports(path)).collect();
        let ready = BuiltProgram::ready(program, digest, Sources::of_file(path));
        Ok(BuiltProgram { remarks, output: built.output, ..ready })
    }

    fn provided(&self) -> Option<ProvidedFiles> {
        let folder = self.provide.clone()?;
        let names = self.names.clone();
        Some(ProvidedFiles { folder, names })
    }

    fn terms(&self) -> BuildOptions<'_> {
        BuildOptions {
            tools: &self.toolchain,
            names: &self.names,
            python2: self.python2,
            seats: SeatOptions { limits: self.build_limits, ..self.seats.clone() },
            limit: self.compile_limit,
            memory_bytes: self.seats.limits.memory_bytes,
            cache: self.cache.as_deref(),
        }
    }
}

/// The name of a program submitted as a single file.
const PROGRAM: &str = "homework";

struct BuiltProgram {
    program: Program,
    calibrate: Option<Program>,
    digest: Digest,
    sources: Sources,
    remarks: Vec<String>,
    output: Option<String>,
}

impl BuiltProgram {
    /// A program without remarks.
    fn ready(program: Program, digest: Digest, sources: Sources) -> Self {
        Self { program, calibrate: None, digest, sources, remarks: vec![], output: None }
    }
}

/// The folder of an agent, with a copy of its sources.
struct BuildDirs {
    build: PathBuf,
    sources: PathBuf,
}

impl BuildDirs {
    fn open(build: &Path) -> Result<Self, AgentError> {
        let build = make_folder(build)?;
        let sources = make_folder(&build.join("sources"))?;
        Ok(Self { build, sources })
    }
}

/// An executable that is a whole submission, put into a folder.
fn executable_alone(path: &Path, build: &Path) -> Result<BuiltProgram, AgentError> {
    let dirs = BuildDirs::open(build)?;
    let digest = snapshot::take_file(path, PROGRAM, None, &dirs.sources)?;
    let sources = Sources::File { path: path.to_owned(), name: PROGRAM.into() };
    let program = Program {
        command: vec![dirs.sources.join(PROGRAM).into()],
        arg0: Some(Path::new(".").join(PROGRAM).into()),
        template: Some(dirs.sources.clone()),
        ..Program::default()
    };
    Ok(BuiltProgram::ready(program, digest, sources))
}

/// A program that the system executes directly: a binary, or a script with a `#!` line. It is run in its place, because
/// a script may find what it starts by its own path.
fn executable(path: &Path) -> Result<BuiltProgram, AgentError> {
    let program = Program { command: vec![path.into()], folder: Some(path.to_owned()), ..Program::default() };
    Ok(BuiltProgram::ready(program, snapshot::digest_file(path)?, Sources::of_file(path)))
}

/// The modules beside the Python program `path` that it imports, in a remark: they are not there where it plays.
fn lost_imports(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok().filter(|_| path.extension().is_some_and(|extension| extension == "py"))?;
    let module = |line: &str| {
        let mut words = line.split_whitespace();
        let is_import = matches!(words.next(), Some("import" | "from"));
        words.next().filter(|_| is_import).and_then(|name| name.split(['.', ',']).next()).map(str::to_owned)
    };
    let is_beside = |name: &String| path.with_file_name(format!("{name}.py")).is_file();
    let name = text.lines().filter_map(module).find(is_beside)?;
    Some(format!("imports `{name}`, which lies beside it and is not there when it plays: name the folder instead"))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().expect("an absolute path to a file has a parent")
}

fn make_folder(path: &Path) -> Result<PathBuf, AgentError> {
    fs::create_dir_all(path).and_then(|()| path.canonicalize()).map_err(system("create", path))
}
