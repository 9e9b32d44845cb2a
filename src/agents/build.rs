//! From the source of one program to the command that runs it: found in the cache, or compiled.
//!
//! What must always hold: the sources are not written to, but for the modules of Python that are compiled beside them in
//! our own copy; what is run is what was compiled of the sources that were digested.

use std::env::consts::ARCH;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::cache::{Cache, Outcome};
use super::compile::{Compiled, compile};
use super::digest::Digest;
use super::error::{AgentError, system};
use super::fault::{BuildFault, SubmissionFault};
use super::kit::{Kit, Python2, RECIPE};
use super::names::FileNames;
use super::shown;
use super::submission::Source;
use super::toolchain::Toolchain;
use crate::seat::SeatOptions;
use crate::time::WallTime;

/// Where one program is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site<'a> {
    /// The folder of its sources.
    pub(super) sources: &'a Path,
    /// The digest of that folder, where it is a copy and everything in it belongs to the program.
    pub(super) whole: Option<&'a Digest>,
    /// An empty folder of its own for what is built.
    pub(super) products: &'a Path,
}

/// By which tools and within which limits programs are built and will be run.
#[derive(Debug)]
pub(super) struct Terms<'a> {
    pub(super) tools: &'a Toolchain,
    /// What is a program of its own, and so no part of another.
    pub(super) names: &'a FileNames,
    pub(super) python2: Python2,
    /// For the workbench.
    pub(super) seats: SeatOptions,
    /// For each run of a compiler.
    pub(super) limit: WallTime,
    /// What the program will have.
    pub(super) memory_bytes: u64,
    pub(super) cache: Option<Cache<'a>>,
}

/// A built program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Built {
    pub(super) command: Vec<OsString>,
    pub(super) remarks: Vec<String>,
    /// What the compiler said all the same.
    pub(super) output: Option<String>,
}

/// Builds `source`.
pub(super) fn build(source: &Source, site: Site<'_>, terms: &Terms<'_>) -> Result<Built, AgentError> {
    let main = site.sources.join(&source.file);
    let kit = Kit::find(source.language, terms.tools, terms.python2).map_err(|tool| AgentError::MissingTool {
        path: main.clone(),
        tool,
    })?;
    let compiled = compiled_or_cached(&kit, source, site, terms)?.map_err(|fault| {
        let file = source.file.clone();
        AgentError::of_submission(site.sources, SubmissionFault::Build { file, fault })
    })?;
    if let Kit::Python { .. } = kit
        && site.whole.is_some()
    {
        move_in(site.products, site.sources).map_err(system("write", site.sources))?;
    }
    let stand_in = match kit {
        Kit::Python { stands_in: true, .. } => {
            let file = shown::name(&source.file);
            Some(format!(
                "{file} is Python 2, which this machine lacks: it is run by Python 3"
            ))
        }
        Kit::Python { .. } | Kit::Cpp { .. } | Kit::Java { .. } => None,
    };
    Ok(Built {
        command: kit.run(&main, site.products, terms.memory_bytes),
        remarks: stand_in.into_iter().chain(compiled.remarks).collect(),
        output: compiled.output,
    })
}

fn compiled_or_cached(
    kit: &Kit,
    source: &Source,
    site: Site<'_>,
    terms: &Terms<'_>,
) -> Result<Result<Compiled, BuildFault>, AgentError> {
    let (Some(cache), Some(digest)) = (&terms.cache, site.whole) else {
        return compile(kit, source, site, terms);
    };
    let key = key(kit, source, digest, terms);
    if let Some(outcome) = cache.get(&key, site.products)? {
        return Ok(match outcome {
            Outcome::Built { remarks, output } => Ok(Compiled { remarks, output }),
            Outcome::Failed { fault } => Err(fault),
        });
    }
    let compiled = compile(kit, source, site, terms)?;
    match &compiled {
        Ok(Compiled { remarks, output }) => {
            let (remarks, output) = (remarks.clone(), output.clone());
            cache.put(&key, &Outcome::Built { remarks, output }, site.products)?;
        }
        Err(fault) if fault.is_lasting() => {
            cache.put(&key, &Outcome::Failed { fault: fault.clone() }, site.products)?;
        }
        Err(_) => {}
    }
    Ok(compiled)
}

/// Everything that decides what comes of a build. Machines of several architectures may share one cache. What compilers may read depends on the isolation, and so what they
/// refuse does.
fn key(kit: &Kit, source: &Source, digest: &Digest, terms: &Terms<'_>) -> Digest {
    let isolation = terms.seats.isolation;
    Digest::of_text(&format!(
        "referee build {RECIPE}\n{digest}\n{}\n{}\n{}\n{} {}\n",
        ARCH,
        source.file,
        kit.fingerprint(terms.tools),
        isolation.at_least,
        isolation.at_most,
    ))
}

/// Moves the files below `from` to the same places below `to`, where these are free.
fn move_in(from: &Path, to: &Path) -> io::Result<()> {
    let mut folders = vec![PathBuf::new()];
    while let Some(within) = folders.pop() {
        for entry in fs::read_dir(from.join(&within))? {
            let entry = entry?;
            let name = within.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(name);
                continue;
            }
            let place = to.join(&name);
            if let Some(folder) = place.parent() {
                fs::create_dir_all(folder)?;
            }
            if place.symlink_metadata().is_err() {
                fs::rename(entry.path(), place)?;
            }
        }
    }
    Ok(())
}
