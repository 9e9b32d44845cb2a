//! Stores the sources of a run's agents with the run, so that any machine that sees the run can build them.
//!
//! `runs` fills it and `shards` reads it. It stores no builds ([`AgentBuilder::cache`]), which may be useless on
//! another machine; interpreters, compilers and built-in agents come from that machine. Sources must be stored under
//! their digest, whole or not at all. No agent may be built from sources with another digest.
//!
//! ```text
//! agents/<digest>/folder/homework.py ...    a submission's snapshot, with the files that the course provides
//! agents/<digest>/file/greedy.py            a single file, without its neighbours
//! ```

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::agent::{Agent, Sources};
use super::builder::AgentBuilder;
use super::digest::Digest;
use super::error::{AgentError, system};
use super::snapshot::{self, ProvidedFiles};
use super::spec::{AgentSource, AgentSpec};
use referee_records::write_folder;

const FOLDER: &str = "folder";
const FILE: &str = "file";

/// A folder of sources.
#[derive(Clone, Debug)]
pub struct SourceStore {
    folder: PathBuf,
    layout: Layout,
}

/// How the sources of an agent are called.
#[derive(Clone, Copy, Debug)]
enum Layout {
    /// By their digest.
    Digests,
    /// As the agent's origin says, which is then a path of ours.
    Origins,
}

impl SourceStore {
    /// The store in `folder`, which is created when needed.
    pub const fn in_folder(folder: PathBuf) -> Self {
        Self { folder, layout: Layout::Digests }
    }

    /// The sources of a ladder in this folder: the origin of an agent is their path in it, such as
    /// `entries/ada/v001-0123456789ab`.
    pub const fn of_ladder(folder: PathBuf) -> Self {
        Self { folder, layout: Layout::Origins }
    }

    /// Stores the sources of `agent`; does nothing for a built-in one.
    ///
    /// # Errors
    ///
    /// [`AgentError`] if they cannot be read or written, or have changed since.
    pub fn keep(&self, agent: &Agent) -> Result<(), AgentError> {
        Self::keep_as(agent, &self.folder, agent.digest.as_str())
    }

    /// Stores the sources of `agent` as `name` in `parent`, unless they are there.
    ///
    /// # Errors
    ///
    /// Those of [`Self::keep`].
    pub fn keep_as(agent: &Agent, parent: &Path, name: &str) -> Result<(), AgentError> {
        if agent.is_builtin() || parent.join(name).exists() {
            return Ok(());
        }
        let failed = |path: &Path, error| system("write", path)(error);
        write_folder(parent, name, failed, |folder| {
            let (original, digest) = agent.sources.copy_into(folder)?;
            if digest == agent.digest {
                return Ok(());
            }
            Err(AgentError::Changed { path: original, difference: "it changed in the meantime; rerun the command" })
        })
    }

    /// Stores a copy of the sources at `place`, which another store keeps, of the agent with this digest.
    ///
    /// # Errors
    ///
    /// [`AgentError`] if they cannot be read or written.
    pub fn adopt(&self, place: &Path, digest: &str) -> Result<(), AgentError> {
        if self.folder.join(file_name(digest)).exists() {
            return Ok(());
        }
        let failed = |path: &Path, error| system("write", path)(error);
        write_folder(&self.folder, file_name(digest), failed, |folder| {
            let mut parts = [FOLDER, FILE].into_iter().filter(|part| place.join(part).is_dir());
            parts.try_for_each(|part| snapshot::take(&place.join(part), None, &folder.join(part)).map(drop))
        })
    }

    /// Makes the agent with this digest that was named as `origin`; `build` is as in [`AgentBuilder::prepare`].
    ///
    /// # Errors
    ///
    /// [`AgentError`].
    pub fn make(&self, builder: &AgentBuilder, origin: &str, digest: &str, build: &Path) -> Result<Agent, AgentError> {
        let place = match self.layout {
            Layout::Digests => self.folder.join(file_name(digest)),
            Layout::Origins => self.folder.join(origin),
        };
        let agent = match origin.parse::<AgentSpec>() {
            Ok(spec) if matches!(spec.source(), AgentSource::Builtin(_)) && !place.exists() => {
                builder.prepare(&spec, build)?
            }
            Ok(_) | Err(_) => builder.prepare(&within(&place, build)?, &build.join("made"))?,
        };
        if agent.digest.as_str() == digest {
            return Ok(agent);
        }
        Err(AgentError::Changed {
            path: place,
            difference: "remove it and rerun the command that started the run, or use the same `referee` everywhere",
        })
    }
}

/// The specification of the agent at `place`. A file is copied into `build`, because a program runs from its own folder
/// on this machine.
fn within(place: &Path, build: &Path) -> Result<AgentSpec, AgentError> {
    let folder = place.join(FOLDER);
    if folder.is_dir() {
        return Ok(AgentSpec::of_path(folder));
    }
    let folder = place.join(FILE);
    let entry = fs::read_dir(&folder).ok().and_then(|mut entries| entries.next()?.ok());
    let Some(name) = entry.map(|entry| entry.file_name()) else {
        return Err(AgentError::NotFound { path: place.to_owned() });
    };
    snapshot::take_file(&folder.join(&name), &name, None, build)?;
    Ok(AgentSpec::of_path(build.join(name)))
}

/// The digest, or a name of nothing if it is invalid.
fn file_name(digest: &str) -> &str {
    let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digest { digest } else { "no-digest" }
}

impl Sources {
    /// Copies the sources below `place`; returns their origin.
    fn copy_into(&self, place: &Path) -> Result<(PathBuf, Digest), AgentError> {
        let file = |path: &Path, kind: &str, name: &OsStr, provided: Option<&ProvidedFiles>| {
            let digest = snapshot::take_file(path, name, provided, &place.join(kind))?;
            Ok((path.to_owned(), digest))
        };
        match self {
            Self::Builtin => Err(system("copy", place)(io::ErrorKind::NotFound.into())),
            Self::Folder { path, provided } => {
                let taken = snapshot::take(path, provided.as_ref(), &place.join(FOLDER))?;
                Ok((path.clone(), taken.digest))
            }
            Self::FileOfFolder { path, name, provided } => file(path, FOLDER, &OsString::from(name), provided.as_ref()),
            Self::File { path, name } => file(path, FILE, name, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn source_store() -> (tempfile::TempDir, SourceStore) {
        let folder = tempfile::tempdir().unwrap();
        let source_store = SourceStore::in_folder(folder.path().join("agents"));
        (folder, source_store)
    }

    fn builder() -> AgentBuilder {
        AgentBuilder::new().unwrap()
    }

    /// An agent of a single program.
    fn entered(folder: &Path) -> Agent {
        let path = folder.join("greedy");
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        builder().prepare(&AgentSpec::of_path(&path), &folder.join("build")).unwrap()
    }

    #[test]
    fn an_agent_of_the_referee_needs_nothing() {
        let (folder, source_store) = source_store();
        let spec = "weak=builtin:random".parse().unwrap();
        let agent = builder().prepare(&spec, folder.path()).unwrap();
        source_store.keep(&agent).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let digest = agent.digest.as_str();
        let again = source_store.make(&builder(), "weak=builtin:random", digest, folder.path());
        assert_eq!(again.unwrap().digest, agent.digest);
        let other = source_store.make(&builder(), "weak=builtin:random,seed=1", digest, folder.path());
        assert!(matches!(other, Err(AgentError::Changed { .. })), "{other:?}");
    }

    #[test]
    fn what_is_not_what_it_was_makes_no_agent() {
        let (folder, source_store) = source_store();
        let agent = entered(folder.path());
        source_store.keep(&agent).unwrap();
        let digest = agent.digest.as_str();
        let kept = folder.path().join("agents").join(digest).join("file/greedy");
        fs::write(&kept, "#!/bin/sh\nexit 1\n").unwrap();
        let made =
            |digest: &str, build: &str| source_store.make(&builder(), "greedy", digest, &folder.path().join(build));
        assert!(matches!(made(digest, "one"), Err(AgentError::Changed { .. })));
        for stranger in ["", "../..", "0000"] {
            assert!(matches!(made(stranger, "two"), Err(AgentError::NotFound { .. })), "{stranger}");
        }
    }

    #[test]
    fn an_original_that_changes_meanwhile_is_told() {
        let (folder, source_store) = source_store();
        let agent = entered(folder.path());
        fs::write(folder.path().join("greedy"), "#!/bin/sh\nexit 1\n").unwrap();
        assert!(matches!(source_store.keep(&agent), Err(AgentError::Changed { .. })));
        assert_eq!(fs::read_dir(folder.path().join("agents")).unwrap().count(), 0);
    }
}
