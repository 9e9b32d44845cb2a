//! Claims: which of several processes, perhaps on several machines, is at which games of a run.
//!
//! For: shards that share a folder and nothing else. Deliberately not here: which games belong together and who should
//! play them, and what is done about a game that two have played all the same
//! ([`RunFolder::keep`](super::RunFolder::keep): the first record stays).
//!
//! A claim is a file that is created exclusively, which every file system does for one process alone (NFS from version
//! 3 on). Locks are not used: network file systems lose them, or do not have them. Its owner touches it again and
//! again; one that was not touched for a time is abandoned, and whoever finds it takes it away and claims anew. How old
//! a claim is, is told by the file system's own clock (the age of a file that is made for the purpose), for the clocks
//! of machines differ. A claim of this machine whose process is gone is abandoned at once.
//!
//! What must always hold: a claim is taken away by renaming it to a name of our own, and looked at again there. So
//! nobody removes a claim that somebody else has made in the place of the one that was found abandoned; it is put back.

mod holder;

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use nix::sys::stat::futimens;
use nix::sys::time::TimeSpec;

pub use holder::ClaimHolder;

use super::RecordError;

/// More than any claim has.
const LARGEST_CLAIM_BYTES: u64 = 4096;

/// How often something that comes and goes under a name is tried again.
const ATTEMPTS: usize = 3;

/// After how long without a sign of life a claim is abandoned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleClaim(pub Duration);

impl Default for StaleClaim {
    fn default() -> Self {
        Self(Duration::from_mins(1))
    }
}

impl StaleClaim {
    /// How often a claim has to be touched: six times, for one touch or another may be late.
    pub fn heartbeat(self) -> Duration {
        self.0 / 6
    }
}

/// The claims of one process on the games of one run.
#[derive(Debug)]
pub struct Claims {
    folder: PathBuf,
    holder: ClaimHolder,
    stale: StaleClaim,
    /// Numbers the names that are used to put claims aside.
    aside: AtomicU32,
}

/// A claim that was made. It stays until it is released: whoever dies with it leaves it to be found abandoned.
#[derive(Debug)]
pub struct Claim {
    name: String,
    file: File,
    before: Option<Taken>,
}

/// A claim of somebody else.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Who, where the claim says so.
    pub holder: Option<ClaimHolder>,
    /// When it was last touched, by the clock of the file system.
    pub touched: SystemTime,
    /// Whether it is abandoned.
    pub abandoned: bool,
}

/// What stood under the name of a claim.
struct ClaimState {
    identity: Identity,
    taken: Taken,
}

/// The same file in the same state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    inode: u64,
    modified: (i64, i64),
}

impl Claims {
    /// The claims of this process in `folder`, which is created if need be. `shard` is its number, for people to read.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`] where the folder cannot be had.
    pub fn in_folder(folder: PathBuf, shard: Option<u32>, stale: StaleClaim) -> Result<Self, RecordError> {
        fs::create_dir_all(&folder).map_err(|source| RecordError::Write {
            path: folder.clone(),
            source,
        })?;
        Ok(Self {
            folder,
            holder: ClaimHolder::this(shard),
            stale,
            aside: AtomicU32::new(0),
        })
    }

    /// After how long a claim is abandoned.
    pub const fn stale(&self) -> StaleClaim {
        self.stale
    }

    /// Claims `name`; `None` where somebody has it who seems to be alive.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn claim(&self, name: &str) -> Result<Option<Claim>, RecordError> {
        let mut before = None;
        for _ in 0..ATTEMPTS {
            match self.create(name) {
                Ok(file) => {
                    return Ok(Some(Claim {
                        name: name.to_owned(),
                        file,
                        before,
                    }));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(source) => return Err(self.failed(name, source)),
            }
            let Some(found) = self.find(name).map_err(|source| self.failed(name, source))? else {
                continue;
            };
            if !found.taken.abandoned {
                return Ok(None);
            }
            let removed = self.remove(name, |there| *there == found.identity);
            if removed.map_err(|source| self.failed(name, source))? {
                before = Some(found.taken);
            }
        }
        Ok(None)
    }

    /// The names that are claimed, in order: one listing of the folder.
    ///
    /// # Errors
    ///
    /// [`RecordError::Read`].
    pub fn names(&self) -> Result<Vec<String>, RecordError> {
        claimed_in(&self.folder)
    }

    /// Who has claimed `name`, if anybody has.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`].
    pub fn taken(&self, name: &str) -> Result<Option<Taken>, RecordError> {
        let found = self.find(name).map_err(|source| self.failed(name, source))?;
        Ok(found.map(|found| found.taken))
    }

    /// Says that `claim` is still wanted. False where it is not ours any more: we were thought to be dead.
    ///
    /// # Errors
    ///
    /// The system's. They may pass; the claim may be ours all the same.
    pub fn touch(&self, claim: &Claim) -> io::Result<bool> {
        // The time is the file system's: it is not told ours.
        let touched = futimens(&claim.file, &TimeSpec::UTIME_NOW, &TimeSpec::UTIME_NOW);
        match touched {
            Ok(()) => {}
            // A network file system's way to say that the file is gone.
            Err(nix::Error::ESTALE) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        let ours = claim.file.metadata()?;
        match fs::symlink_metadata(self.path_of(&claim.name)) {
            Ok(there) => Ok(is_same_file(&ours, &there)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Gives up `claim`. False where it was not ours any more.
    ///
    /// # Errors
    ///
    /// [`RecordError::Write`]; the claim is then found abandoned in the end.
    pub fn release(&self, claim: &Claim) -> Result<bool, RecordError> {
        let released = || {
            let ours = claim.file.metadata()?;
            self.remove(&claim.name, |there| {
                (there.device, there.inode) == (ours.dev(), ours.ino())
            })
        };
        released().map_err(|source| self.failed(&claim.name, source))
    }

    fn create(&self, name: &str) -> io::Result<File> {
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o644)
            .open(self.path_of(name))?;
        // A claim without a content is a claim all the same: it is abandoned when it is old.
        file.write_all(&serde_json::to_vec(&self.holder)?)?;
        Ok(file)
    }

    /// What stands under `name`, if anything does.
    fn find(&self, name: &str) -> io::Result<Option<ClaimState>> {
        let path = self.path_of(name);
        // It is opened although its age and its owner could be had otherwise: that makes a network file system ask its
        // server how old the file is, instead of telling what it was told a minute ago.
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC)
            .open(&path);
        let (metadata, text) = match opened {
            Ok(mut file) => {
                let mut text = Vec::new();
                // A folder can be opened and not be read.
                drop((&mut file).take(LARGEST_CLAIM_BYTES).read_to_end(&mut text));
                (file.metadata()?, text)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(_) => match fs::symlink_metadata(&path) {
                Ok(metadata) => (metadata, vec![]),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error),
            },
        };
        let holder: Option<ClaimHolder> = serde_json::from_slice(&text).ok();
        let touched = metadata.modified()?;
        // Nobody of ours claims by a folder or a link.
        let abandoned = !metadata.is_file()
            || holder.as_ref().is_some_and(|holder| holder.is_gone(&self.holder))
            || self.is_old(touched)?;
        Ok(Some(ClaimState {
            identity: Identity::of(&metadata),
            taken: Taken {
                holder,
                touched,
                abandoned,
            },
        }))
    }

    /// Whether nothing was heard for too long. What was touched in the future was touched by nobody of ours.
    fn is_old(&self, touched: SystemTime) -> io::Result<bool> {
        let now = tempfile::Builder::new()
            .prefix(".clock-")
            .tempfile_in(&self.folder)?
            .as_file()
            .metadata()?
            .modified()?;
        let apart = now.duration_since(touched).unwrap_or_else(|ahead| ahead.duration());
        Ok(apart > self.stale.0)
    }

    /// Removes what stands under `name` if it is what `is_meant` says; whether it was.
    fn remove(&self, name: &str, is_meant: impl Fn(&Identity) -> bool) -> io::Result<bool> {
        let path = self.path_of(name);
        match fs::symlink_metadata(&path) {
            Ok(there) if is_meant(&Identity::of(&there)) => {}
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        }
        let aside = self.aside();
        match fs::rename(&path, &aside) {
            Ok(()) => {}
            // Somebody was faster.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        }
        let meant = is_meant(&Identity::of(&fs::symlink_metadata(&aside)?));
        if !meant {
            // In the moment between, the one that was meant was taken away by another process, and this is its claim.
            // If a third has claimed meanwhile, two are at the same game, and the first result counts.
            drop(fs::hard_link(&aside, &path));
        }
        // A folder that is not empty stays aside, where it is in nobody's way.
        if fs::remove_file(&aside).is_err() {
            drop(fs::remove_dir(&aside));
        }
        Ok(meant)
    }

    /// A name that nobody else uses.
    fn aside(&self) -> PathBuf {
        let number = self.aside.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!(".aside-{}-{number}", self.holder.unique()))
    }

    fn path_of(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn failed(&self, name: &str, source: io::Error) -> RecordError {
        RecordError::Write {
            path: self.path_of(name),
            source,
        }
    }
}

impl Claim {
    /// What is claimed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The claim that stood there before, where it was found abandoned.
    pub const fn before(&self) -> Option<&Taken> {
        self.before.as_ref()
    }
}

impl Identity {
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// The names that are claimed in a folder, in order; none where there is no such folder.
pub(super) fn claimed_in(folder: &Path) -> Result<Vec<String>, RecordError> {
    let listed = match fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
        Ok(listed) => listed,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
        Err(source) => {
            return Err(RecordError::Read {
                path: folder.to_owned(),
                source,
            });
        }
    };
    let names = listed.into_iter().map(|entry| entry.file_name());
    let mut names: Vec<String> = names.filter_map(|name| is_claim(&name)).collect();
    names.sort_unstable();
    Ok(names)
}

/// The name of a claim; what begins with a dot is on its way to be one or not to be one any more.
fn is_claim(name: &OsStr) -> Option<String> {
    let name = name.to_str()?;
    (!name.starts_with('.')).then(|| name.to_owned())
}
