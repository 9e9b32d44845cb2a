//! Landlock (landlock(7)): which files a program may open, and whom it may signal.
//!
//! For: the list of `views` and the working directory, made a rule. What it does not restrict, because the kernel
//! cannot: looking at a file's kind, size and times, and changing its mode, owner, times and attributes. The latter is
//! the business of seccomp, or of mounting everything read-only.
//! What must always hold: nothing can be written but the working directory and devices that keep nothing.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, Scope,
    make_bitflags,
};
use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;

use super::calls::landlock_version;
use super::views::{DEVICES, Views};
use crate::seat::fault::HostError;

/// The version that is made use of; older ones leave out what is done otherwise here, as far as [`OLDEST`] goes.
const KNOWN: ABI = ABI::V7;

/// Before this one a file could be cut to nothing by who may not write to it (Linux 6.2).
const OLDEST: u32 = 3;

/// The first one that keeps signals within (Linux 6.12).
const SIGNALS: u32 = 6;

/// Where everybody's `/proc` is there: what is the same for all and no secret.
const PROC: [&str; 6] = [
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel/random",
    "/proc/sys/vm",
];

/// Whether the kernel has what a level needs.
pub(super) fn available() -> Result<(), String> {
    match landlock_version() {
        0 => Err("the kernel has no Landlock, or it is not enabled".to_owned()),
        version if version < OLDEST => Err(format!(
            "the kernel's Landlock is version {version}, expected {OLDEST} or later (Linux 6.2)"
        )),
        _ => Ok(()),
    }
}

/// Whether Landlock keeps a program from signalling others; where it does not, seccomp has to.
pub(super) fn keeps_signals() -> bool {
    landlock_version() >= SIGNALS
}

/// The rules of one seat.
#[derive(Debug)]
pub(super) struct Landlock {
    rules: Vec<Rule>,
    /// Of `/proc` a program sees its own part, which is another one each time.
    own_process: bool,
}

#[derive(Debug)]
struct Rule {
    path: OwnedFd,
    access: BitFlags<AccessFs>,
}

impl Rule {
    fn new(path: &Path, access: BitFlags<AccessFs>) -> Result<Self, HostError> {
        // A handle that only names: what may not be read cannot be read by it.
        let named = open(path, OFlag::O_PATH | OFlag::O_CLOEXEC, Mode::empty());
        let possible = if path.is_dir() {
            access
        } else {
            access & AccessFs::from_file(KNOWN)
        };
        Ok(Self {
            path: named.map_err(HostError::when("open what the program may read"))?,
            access: possible,
        })
    }
}

impl Landlock {
    /// The rules for what `views` names; or, for a root directory with nothing else in it, for all of it.
    pub(super) fn new(views: &Views, root: Option<&OwnedFd>) -> Result<Self, HostError> {
        let read = make_bitflags!(AccessFs::{ReadFile | ReadDir});
        let mut rules = Vec::new();
        if let Some(root) = root {
            rules.push(Rule {
                path: root.try_clone().map_err(HostError::when("open the root directory"))?,
                access: read | AccessFs::Execute,
            });
        } else {
            for path in views.readable() {
                rules.push(Rule::new(path, read | AccessFs::Execute)?);
            }
            for path in existing(&PROC) {
                rules.push(Rule::new(path, read)?);
            }
        }
        for path in existing(&DEVICES) {
            rules.push(Rule::new(
                path,
                make_bitflags!(AccessFs::{ReadFile | WriteFile | Truncate}),
            )?);
        }
        Ok(Self {
            rules,
            own_process: root.is_none(),
        })
    }

    /// Puts this process under the rules. The directory `work` may be written.
    pub(super) fn enter(&self, work: BorrowedFd<'_>) -> nix::Result<()> {
        // What fails here fails by an error of a system call, which the crate wraps several times over.
        self.try_enter(work).map_err(|_| match Errno::last() {
            Errno::UnknownErrno => Errno::EPERM,
            errno => errno,
        })
    }

    fn try_enter(&self, work: BorrowedFd<'_>) -> Result<(), Box<dyn std::error::Error>> {
        let mut ruleset = Ruleset::default()
            .handle_access(AccessFs::from_all(KNOWN))?
            .handle_access(AccessNet::from_all(KNOWN))?
            .scope(Scope::from_all(KNOWN))?
            .create()?;
        for Rule { path, access } in &self.rules {
            ruleset = ruleset.add_rule(PathBeneath::new(path.as_fd(), *access))?;
        }
        ruleset = ruleset.add_rule(PathBeneath::new(work, writing()))?;
        if self.own_process {
            let own = make_bitflags!(AccessFs::{ReadFile | ReadDir});
            ruleset = ruleset.add_rule(PathBeneath::new(PathFd::new("/proc/self")?, own))?;
        }
        ruleset.restrict_self()?;
        Ok(())
    }
}

fn existing<'a>(paths: &'a [&str]) -> impl Iterator<Item = &'a Path> {
    paths.iter().map(Path::new).filter(|path| path.exists())
}

/// Everything but making devices and sockets, and but running what was written there: what runs is what was handed in.
fn writing() -> BitFlags<AccessFs> {
    let not = make_bitflags!(AccessFs::{Execute | MakeChar | MakeBlock | MakeSock});
    AccessFs::from_all(KNOWN) & !not
}
