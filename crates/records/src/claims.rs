//! Claims: which of several processes, perhaps on several machines, plays which games of a run.
//!
//! For shards that share only a folder. It does not choose games or resolve games played twice
//! ([`RunFolder::keep`](super::RunFolder::keep): the first record stays). `shards` and `cli/status` call it.
//!
//! A claim is a file created exclusively, which every file system grants to one process (NFS since version 3). Locks
//! are not used: network file systems lose them or lack them. The owner touches the file regularly; a claim not touched
//! for some time is stale, and the next process takes it away and claims anew. The age of a claim is measured by the
//! file system's clock (against a file made for the purpose), because the clocks of machines differ. A claim of this
//! machine whose process is gone is stale at once.
//!
//! A stale claim must be taken away by renaming it to a private name and checking it there. So nobody removes a fresh
//! claim made in place of the stale one; it is put back.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use nix::sys::stat::futimens;
use nix::sys::time::TimeSpec;
use serde::{Deserialize, Serialize};

use super::files::{entries_of, if_there, unfinished_file};
use super::process::ProcessIdentity;
use super::{Host, RecordError, unix_s};

/// More than any claim.
const MAX_CLAIM_BYTES: u64 = 4096;

/// How often to retry when a file appears and vanishes.
const ATTEMPTS: usize = 3;

/// The time without a touch after which a claim is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleClaim(pub Duration);

impl Default for StaleClaim {
    fn default() -> Self {
        Self(Duration::from_mins(1))
    }
}

impl StaleClaim {
    /// The interval of touching a claim: six touches per stale time, since some may be late.
    pub fn heartbeat(self) -> Duration {
        self.0 / 6
    }
}

/// The process that holds a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimHolder {
    /// The name of its machine.
    pub host: String,
    /// Itself.
    #[serde(flatten)]
    pub process: ProcessIdentity,
    /// The number of its shard, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<u32>,
    /// When it began, in seconds since 1970 by its own clock: for people.
    pub since_unix_s: u64,
}

/// One process's claims on the games of one run.
#[derive(Debug)]
pub struct Claims {
    folder: PathBuf,
    holder: ClaimHolder,
    stale: StaleClaim,
    /// Numbers the private names of removed claims.
    aside: AtomicU32,
}

/// A claim of this process. It stays until released; if the process dies, it becomes stale.
#[derive(Debug)]
pub struct Claim {
    name: String,
    file: File,
    before: Option<ForeignClaim>,
}

/// A claim of another process.
#[derive(Clone, Debug)]
pub struct ForeignClaim {
    /// The holder, if the claim names it.
    pub holder: Option<ClaimHolder>,
    /// The last touch, by the file system's clock.
    pub touched: SystemTime,
    /// Whether it is stale.
    pub abandoned: bool,
    file: Identity,
}

/// Identifies a file in one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    modified: (i64, i64),
}

impl Claims {
    /// The claims of this process in `folder`, which is created if missing. `shard` is its number, for people.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`] if the folder cannot be created.
    pub fn in_folder(folder: PathBuf, shard: Option<u32>, stale: StaleClaim) -> Result<Self, RecordError> {
        fs::create_dir_all(&folder).map_err(|source| RecordError::Write { path: folder.clone(), source })?;
        Ok(Self {
            folder,
            holder: ClaimHolder {
                host: Host::this().name,
                process: ProcessIdentity::this(),
                shard,
                since_unix_s: unix_s(),
            },
            stale,
            aside: AtomicU32::new(0),
        })
    }

    /// The time after which a claim is stale.
    pub const fn stale(&self) -> StaleClaim {
        self.stale
    }

    /// Claims `name`; `None` if another process has it and seems alive.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn claim(&self, name: &str) -> Result<Option<Claim>, RecordError> {
        let mut before = None;
        for _ in 0..ATTEMPTS {
            match self.create(name) {
                Ok(file) => {
                    return Ok(Some(Claim { name: name.to_owned(), file, before }));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(source) => return Err(self.failed(name, source)),
            }
            let Some(found) = self.find(name).map_err(|source| self.failed(name, source))? else {
                continue;
            };
            if !found.abandoned {
                return Ok(None);
            }
            let removed = self.remove(name, |there| *there == found.file);
            if removed.map_err(|source| self.failed(name, source))? {
                before = Some(found);
            }
        }
        Ok(None)
    }

    /// Like [`Self::claim`], but waits until no other process holds it.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn wait_for(&self, name: &str) -> Result<Claim, RecordError> {
        loop {
            if let Some(claim) = self.claim(name)? {
                return Ok(claim);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The claimed names, sorted: one listing of the folder.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`].
    pub fn names(&self) -> Result<Vec<String>, RecordError> {
        claimed_in(&self.folder)
    }

    /// The claim on `name`, if there is one.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn current(&self, name: &str) -> Result<Option<ForeignClaim>, RecordError> {
        self.find(name).map_err(|source| self.failed(name, source))
    }

    /// Renews `claim`. Returns false if it was taken away: another process considered us dead.
    ///
    /// # Errors
    ///
    /// The system's. They may be temporary; the claim may still be ours.
    pub fn touch(&self, claim: &Claim) -> io::Result<bool> {
        // UTIME_NOW uses the file system's clock.
        let touched = futimens(&claim.file, &TimeSpec::UTIME_NOW, &TimeSpec::UTIME_NOW);
        match touched {
            Ok(()) => {}
            // A network file system reports a deleted file this way.
            Err(nix::Error::ESTALE) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        let ours = claim.file.metadata()?;
        let there = if_there(fs::symlink_metadata(self.path_of(&claim.name)))?;
        Ok(there.is_some_and(|there| is_same_file(&ours, &there)))
    }

    /// Gives up `claim`. Returns false if it was taken away.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`]; the claim then becomes stale.
    pub fn release(&self, claim: &Claim) -> Result<bool, RecordError> {
        let released = || {
            let ours = claim.file.metadata()?;
            self.remove(&claim.name, |there| (there.device, there.inode) == (ours.dev(), ours.ino()))
        };
        released().map_err(|source| self.failed(&claim.name, source))
    }

    fn create(&self, name: &str) -> io::Result<File> {
        let path = self.path_of(name);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o644).open(&path)?;
        // An empty claim is valid too, but nobody's: the others would wait until it is stale.
        file.write_all(&serde_json::to_vec(&self.holder)?).inspect_err(|_| drop(fs::remove_file(&path)))?;
        Ok(file)
    }

    /// The file under `name`, if any.
    fn find(&self, name: &str) -> io::Result<Option<ForeignClaim>> {
        let path = self.path_of(name);
        // Opened although its age and owner could be read otherwise: this makes a network file system ask its server
        // for the age instead of using cached attributes.
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC)
            .open(&path);
        let (metadata, text) = match opened {
            Ok(mut file) => {
                let mut text = Vec::new();
                // A folder can be opened but not read.
                drop((&mut file).take(MAX_CLAIM_BYTES).read_to_end(&mut text));
                (file.metadata()?, text)
            }
            Err(_) => match if_there(fs::symlink_metadata(&path))? {
                Some(metadata) => (metadata, vec![]),
                None => return Ok(None),
            },
        };
        let holder: Option<ClaimHolder> = serde_json::from_slice(&text).ok();
        let touched = metadata.modified()?;
        // A claim of ours is never a folder or a link.
        let abandoned = !metadata.is_file()
            || holder.as_ref().is_some_and(|holder| holder.process.is_gone(&self.holder.process))
            || self.is_old(touched)?;
        Ok(Some(ForeignClaim { holder, touched, abandoned, file: Identity::of(&metadata) }))
    }

    /// Whether the claim is too old. A time in the future is not from a process of ours.
    fn is_old(&self, touched: SystemTime) -> io::Result<bool> {
        let now = unfinished_file(&self.folder)?.as_file().metadata()?.modified()?;
        let apart = now.duration_since(touched).unwrap_or_else(|ahead| ahead.duration());
        Ok(apart > self.stale.0)
    }

    /// Removes the file under `name` if `is_meant` accepts it; returns whether it did.
    fn remove(&self, name: &str, is_meant: impl Fn(&Identity) -> bool) -> io::Result<bool> {
        let path = self.path_of(name);
        let there = if_there(fs::symlink_metadata(&path))?;
        if !there.is_some_and(|there| is_meant(&Identity::of(&there))) {
            return Ok(false);
        }
        let aside = self.aside();
        if if_there(fs::rename(&path, &aside))?.is_none() {
            // Another process was faster.
            return Ok(false);
        }
        let meant = is_meant(&Identity::of(&fs::symlink_metadata(&aside)?));
        if !meant {
            // In between, another process took the stale claim away, and this is its new claim. If a third process has
            // claimed meanwhile, two play the same game, and the first result counts.
            drop(fs::hard_link(&aside, &path));
        }
        // A nonempty folder stays aside, where it does no harm.
        if fs::remove_file(&aside).is_err() {
            drop(fs::remove_dir(&aside));
        }
        Ok(meant)
    }

    /// A unique name.
    fn aside(&self) -> PathBuf {
        let number = self.aside.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!(".aside-{}-{number}", self.holder.process))
    }

    fn path_of(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn failed(&self, name: &str, source: io::Error) -> RecordError {
        RecordError::Write { path: self.path_of(name), source }
    }
}

impl Claim {
    /// The claimed name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The previous, stale claim, if there was one.
    pub const fn before(&self) -> Option<&ForeignClaim> {
        self.before.as_ref()
    }
}

impl Identity {
    fn of(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino(), modified: (metadata.mtime(), metadata.mtime_nsec()) }
    }
}

fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// The claimed names in a folder, sorted; none if the folder does not exist.
pub(super) fn claimed_in(folder: &Path) -> Result<Vec<String>, RecordError> {
    let names = entries_of(folder)?.into_iter().map(|entry| entry.file_name());
    let mut names: Vec<String> = names.filter_map(|name| is_claim(&name)).collect();
    names.sort_unstable();
    Ok(names)
}

/// The name of a claim; names with a leading dot are temporary.
fn is_claim(name: &OsStr) -> Option<String> {
    let name = name.to_str()?;
    (!name.starts_with('.')).then(|| name.to_owned())
}
