//! Builds one program: from its source to the command that runs it, using the cache or the compiler.
//!
//! [`super::AgentBuilder`] calls it; `compile` runs the compilers. It must not write to the sources, except that the
//! products are placed beside them in our own copy, as if compiled there. The program that is run must be built from
//! the sources that were digested.

use std::env::consts::ARCH;
use std::fs;
use std::io;
use std::path::Path;

use super::cache::{BuildOutcome, cached, files_below, store};
use super::compile::{BuildOptions, BuildSite, compile};
use super::digest::Digest;
use super::error::{AgentError, system};
use super::fault::{BuildFault, SubmissionFault};
use super::language::Language;
use super::shown;
use super::submission::ProgramSource;
use super::toolchain::BrokenTool;
use super::toolset::{self, RECIPE, Toolset};
use referee_seat::{Scratch, ScratchDir};

/// A built program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Built {
    /// The command to run it.
    pub(super) toolset: Toolset,
    pub(super) remarks: Vec<String>,
    /// The compiler's output in spite of success.
    pub(super) output: Option<String>,
}

/// Builds `source`.
pub(super) fn build(
    source: &ProgramSource,
    site: BuildSite<'_>,
    terms: &BuildOptions<'_>,
) -> Result<Built, AgentError> {
    let main = site.sources.join(&source.file);
    let toolset = Toolset::find(source.language, terms.tools, terms.python2)
        .map_err(|tool| AgentError::MissingTool { path: main.clone(), tool })?;
    let compiled = compiled_or_cached(&toolset, source, site, terms)?.map_err(|fault| {
        let file = source.file.clone();
        AgentError::of_submission(site.sources, SubmissionFault::Build { file, fault })
    })?;
    let stand_in = match toolset {
        Toolset::Python { stands_in: true, .. } => {
            let file = shown::name(&source.file);
            Some(format!("{file} is Python 2, which is not installed here: it runs with Python 3"))
        }
        Toolset::Python { .. } | Toolset::Cpp { .. } | Toolset::Java { .. } => None,
    };
    Ok(Built { toolset, remarks: stand_in.into_iter().chain(compiled.remarks).collect(), output: compiled.output })
}

fn compiled_or_cached(
    toolset: &Toolset,
    source: &ProgramSource,
    site: BuildSite<'_>,
    terms: &BuildOptions<'_>,
) -> Result<BuildOutcome, AgentError> {
    let (Some(cache), Some(digest)) = (terms.cache, site.whole) else {
        return compile_with_working_tool(toolset, source, site, terms);
    };
    let key = key(toolset, source, digest, terms);
    if let Some(outcome) = cached(cache, &key, site.products)? {
        return Ok(outcome);
    }
    let outcome = compile_with_working_tool(toolset, source, site, terms)?;
    if outcome.as_ref().err().is_none_or(BuildFault::is_lasting) {
        store(cache, &key, &outcome, site.products);
    }
    Ok(outcome)
}

/// Compiles `source`. Before the first refusal, the tool must build an empty program: it may be installed in part, or
/// need files that a sandbox does not show.
fn compile_with_working_tool(
    toolset: &Toolset,
    source: &ProgramSource,
    site: BuildSite<'_>,
    terms: &BuildOptions<'_>,
) -> Result<BuildOutcome, AgentError> {
    let compiled = compile(toolset, source, site, terms)?;
    if compiled.as_ref().is_err_and(BuildFault::is_lasting) {
        let trial = || try_tool(toolset, source.language, terms);
        terms
            .tools
            .trial(toolset.fingerprint(terms.tools), trial)?
            .map_err(|broken| AgentError::BrokenTool { path: site.sources.join(&source.file), broken })?;
    }
    Ok(compiled)
}

fn try_tool(
    toolset: &Toolset,
    language: Language,
    terms: &BuildOptions<'_>,
) -> Result<Result<(), BrokenTool>, AgentError> {
    let temporary = std::env::temp_dir();
    let scratch = ScratchDir::new(Scratch::Builds).map_err(system("create", &temporary))?;
    let source = ProgramSource { file: format!("homework.{}", language.extension()), language };
    let [sources, products] = ["sources", "products"].map(|name| scratch.path().join(name));
    let main = sources.join(&source.file);
    fs::create_dir(&sources)
        .and_then(|()| fs::create_dir(&products))
        .and_then(|()| fs::write(&main, language.empty_program(&source.file)))
        .map_err(system("write", &main))?;
    let site = BuildSite { sources: &sources, whole: None, products: &products };
    // A timeout on a busy machine does not show that the tool is broken.
    let Some(fault) = compile(toolset, &source, site, terms)?.err().filter(BuildFault::is_lasting) else {
        return Ok(Ok(()));
    };
    let output = fault.compiler_output().and_then(|output| output.lines().find(|line| !line.trim().is_empty()));
    let problem = output.map_or_else(|| fault.message(), str::to_owned);
    Ok(Err(BrokenTool { tool: toolset.compiler().to_owned(), problem }))
}

/// Everything that affects the result of a build. Machines of several architectures may share one cache. The isolation
/// decides what compilers may read, and thus what they refuse.
fn key(toolset: &Toolset, source: &ProgramSource, digest: &Digest, terms: &BuildOptions<'_>) -> Digest {
    let isolation = terms.seats.isolation;
    Digest::of_text(&format!(
        "referee build {RECIPE}\n{digest}\n{}\n{}\n{}\n{} {}\n",
        ARCH,
        source.file,
        toolset.fingerprint(terms.tools),
        isolation.at_least,
        isolation.at_most,
    ))
}

/// Moves the products to where a compiler would have written them among the sources, replacing submitted files of the
/// same names.
pub(super) fn join(toolset: &Toolset, source: &ProgramSource, products: &Path, sources: &Path) -> io::Result<()> {
    if let Toolset::Cpp { .. } = toolset {
        let place = sources.join(toolset::program_of(source));
        return replace(&products.join(toolset::PROGRAM), &place);
    }
    files_below(products)?.iter().try_for_each(|name| replace(&products.join(name), &sources.join(name)))
}

/// Leaves a folder in place of a file, or a file in place of a folder, untouched: the program will then lack a
/// submitted file.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    let folder = to.parent().map_or(Ok(()), fs::create_dir_all);
    match folder.and_then(|()| fs::rename(from, to)) {
        Err(error) if is_in_the_way(error.kind()) => Ok(()),
        other => other,
    }
}

fn is_in_the_way(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory};
    matches!(kind, AlreadyExists | IsADirectory | NotADirectory)
}
