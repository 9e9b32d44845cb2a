//! Runs the compilers of one program in a build sandbox, and interprets their result. `build` calls it.
//!
//! A program is compiled as the courses do it: the main file alone, with its includes or imports. Only if that fails, a
//! second attempt adds the other sources of the folder to the command line, for programs split into several `.cpp`
//! files and for two Java classes in one file.
//!
//! A few lines of source can make a compiler run for hours, fill the memory, or print any file in its messages. So
//! compilers are isolated like agents: [`referee_seat::BuildSandbox`].

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::cache::{BuildOutcome, Compiled, files_below};
use super::digest::Digest;
use super::error::{AgentError, system};
use super::fault::BuildFault;
use super::language::Language;
use super::names::FileNames;
use super::shown;
use super::submission::ProgramSource;
use super::toolchain::Toolchain;
use super::toolset::{PROGRAM, Python2, Toolset, local_name};
use referee_seat::{Build, BuildSandbox, PreparationLimit, SeatError, SeatOptions, Termination};
use referee_time::CpuTime;

/// The folders for building one program.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildSite<'a> {
    /// The folder of its sources.
    pub(super) sources: &'a Path,
    /// The digest of that folder, if it is a copy and everything in it belongs to the program.
    pub(super) whole: Option<&'a Digest>,
    /// An empty folder for the products.
    pub(super) products: &'a Path,
}

/// The tools and limits for building programs.
#[derive(Debug)]
pub(super) struct BuildOptions<'a> {
    pub(super) tools: &'a Toolchain,
    /// The names of programs, which are not part of another program.
    pub(super) names: &'a FileNames,
    pub(super) python2: Python2,
    /// The options of the build sandbox.
    pub(super) seats: SeatOptions,
    /// The limit for each run of a compiler.
    pub(super) limit: PreparationLimit,
    /// The memory that the program will have.
    pub(super) memory_bytes: u64,
    /// The folder that caches builds, if any.
    pub(super) cache: Option<&'a Path>,
}

/// Compiles `source` into the products of `site`.
pub(super) fn compile(
    toolset: &Toolset,
    source: &ProgramSource,
    site: BuildSite<'_>,
    terms: &BuildOptions<'_>,
) -> Result<BuildOutcome, AgentError> {
    let failed = |error: SeatError| system("run", toolset.compiler())(io::Error::other(error));
    let sandbox = BuildSandbox::open(toolset.compiler(), site.sources, &terms.seats).map_err(failed)?;
    let used = CpuTime::ZERO;
    let mut job = Compilation { toolset: toolset.clone(), source, site, terms, sandbox, used };
    let compiled = match job.by_this_or_an_older_standard()? {
        Ok(compiled) => compiled,
        Err(fault) => return Ok(Err(fault)),
    };
    Ok(job.expect_program().map(|()| compiled))
}

struct Compilation<'a> {
    toolset: Toolset,
    source: &'a ProgramSource,
    site: BuildSite<'a>,
    terms: &'a BuildOptions<'a>,
    sandbox: BuildSandbox,
    /// The CPU time of all compilers so far.
    used: CpuTime,
}

impl Compilation<'_> {
    /// A name of a newer standard library may clash with one of the program: `std::beta` of C++17 with a global `beta`.
    /// So a program refused by the standard in force is tried with older ones, the newest first, within the time of one
    /// run. If none accepts it, the first error is reported: it is what the course would have shown.
    fn by_this_or_an_older_standard(&mut self) -> Result<BuildOutcome, AgentError> {
        let first = self.main_alone_or_with_others()?;
        let Err(BuildFault::Refused { .. }) = first else {
            return Ok(first);
        };
        while let Some(older) = self.toolset.by_an_older_standard() {
            if self.used > self.terms.limit.cpu {
                break;
            }
            self.toolset = older;
            if let Ok(mut compiled) = self.main_alone_or_with_others()? {
                compiled.remarks.extend(self.language_standard_remark());
                return Ok(Ok(compiled));
            }
        }
        Ok(first)
    }

    /// The standard that compiled the program, if its name implies another one.
    fn language_standard_remark(&self) -> Option<String> {
        let (Toolset::Cpp { standard, .. }, Language::Cpp(asked)) = (&self.toolset, self.source.language) else {
            return None;
        };
        let file = shown::name(&self.source.file);
        (*standard != asked).then(|| format!("{file} does not compile as {asked}; compiled as {standard} instead"))
    }

    /// If neither succeeds, the first error is reported.
    fn main_alone_or_with_others(&mut self) -> Result<BuildOutcome, AgentError> {
        let mut words = self.toolset.compile(
            &self.source.file,
            &self.sandbox.products(),
            self.site.whole.is_some(),
            self.terms.seats.limits.memory_bytes,
        );
        let first = self.attempt(&words)?;
        let Err(BuildFault::Refused { .. }) = first else {
            return Ok(first);
        };
        let others = self.other_sources()?;
        if others.is_empty() {
            return Ok(first);
        }
        words.extend(others.iter().map(|file| local_name(file)));
        let (main, others) = (shown::name(&self.source.file), shown::names(&others));
        let remark = format!("{main} does not compile on its own; compiled together with {others}");
        Ok(match self.attempt(&words)? {
            Ok(compiled) => Ok(Compiled { remarks: vec![remark], ..compiled }),
            Err(_) => first,
        })
    }

    fn attempt(&mut self, words: &[OsString]) -> Result<BuildOutcome, AgentError> {
        let failed = |error: SeatError| system("run", self.toolset.compiler())(io::Error::other(error));
        let limit = self.terms.limit;
        let Build { ended, used, said } = self.sandbox.run(words, limit, self.site.products).map_err(failed)?;
        self.used += used;
        let output = self.legible(&said);
        let compiler = self.compiler();
        Ok(match ended {
            Termination::Answered | Termination::Exited { status: 0 } => {
                Ok(Compiled { remarks: vec![], output: Some(output).filter(|output| !output.is_empty()) })
            }
            Termination::Exited { .. } => Err(self.refusal(output)),
            Termination::Signalled { name, .. } => Err(self.refusal(format!("{output}\nterminated by {name}"))),
            Termination::OutOfCpu => Err(BuildFault::TooSlow { compiler, limit: limit.cpu }),
            Termination::Guarded => Err(BuildFault::Hung { compiler, limit: limit.waiting }),
            Termination::Exceeded { limit } => Err(BuildFault::TooMuch { compiler, limit: limit.limit_in_words() }),
            Termination::NotStarted { error } => {
                return Err(system("run", self.toolset.compiler())(io::Error::other(error)));
            }
        })
    }

    /// Replaces paths of this machine, which are private.
    fn legible(&self, said: &str) -> String {
        let workplace = format!("{}/", self.sandbox.products().display());
        shown::lines(said.replace(&workplace, "").trim_end().as_bytes())
    }

    fn refusal(&self, output: String) -> BuildFault {
        let compiler = self.compiler();
        // A Java machine gives up by itself before it exceeds the limit.
        if output.contains("java.lang.OutOfMemoryError") {
            let limit = format!("{} MiB of memory", self.terms.seats.limits.memory_bytes >> 20);
            return BuildFault::TooMuch { compiler, limit };
        }
        match self.line_not_utf8() {
            Some(line) if is_encoding_error(&output) => BuildFault::NotUtf8 { compiler, line, output },
            Some(_) | None => BuildFault::Refused { compiler, output },
        }
    }

    /// The first line of the main file that is not UTF-8.
    fn line_not_utf8(&self) -> Option<u32> {
        let source = fs::read(self.main_file()).ok()?;
        let valid = str::from_utf8(&source).err()?.valid_up_to();
        let line = source[..valid].split(|byte| *byte == b'\n').count();
        u32::try_from(line).ok()
    }

    fn compiler(&self) -> String {
        let name = self.toolset.compiler().file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    fn main_file(&self) -> PathBuf {
        self.site.sources.join(&self.source.file)
    }

    /// The other sources of the same language in the folder, except programs.
    fn other_sources(&self) -> Result<Vec<String>, AgentError> {
        if self.site.whole.is_none() || !self.toolset.takes_others() {
            return Ok(vec![]);
        }
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
        let mut files = list().map_err(system("read", self.site.sources))?;
        files.retain(|file| *file != self.source.file && !self.terms.names.is_program(file));
        files.sort_unstable();
        Ok(files)
    }

    fn expect_program(&self) -> Result<(), BuildFault> {
        match &self.toolset {
            Toolset::Python { .. } => Ok(()),
            Toolset::Cpp { .. } => {
                let program = fs::metadata(self.site.products.join(PROGRAM));
                let is_there = program.is_ok_and(|found| found.is_file() && found.len() > 0);
                is_there.then_some(()).ok_or_else(|| BuildFault::NoProduct { compiler: self.compiler() })
            }
            Toolset::Java { .. } => self.expect_class(self.source.file.trim_end_matches(".java")),
        }
    }

    fn expect_class(&self, class: &str) -> Result<(), BuildFault> {
        let file = format!("{class}.class");
        if self.site.products.join(&file).is_file() {
            return Ok(());
        }
        let class = class.to_owned();
        Err(package_of(self.site.products, &file)
            .map_or(BuildFault::NoSuchClass { class }, |package| BuildFault::InPackage { package }))
    }
}

/// In the messages of Python 3, of Python 2 and of Java.
fn is_encoding_error(output: &str) -> bool {
    ["codec can't decode", "missing encoding declaration", "no encoding declared", "unmappable character"]
        .iter()
        .any(|words| output.contains(words))
}

/// The package, with dots, whose folder below `classes` contains `file`.
fn package_of(classes: &Path, file: &str) -> Option<String> {
    let files = files_below(classes).ok()?;
    let place = files.iter().find(|place| place.file_name() == Some(OsStr::new(file)))?;
    Some(place.parent()?.display().to_string().replace('/', "."))
}
