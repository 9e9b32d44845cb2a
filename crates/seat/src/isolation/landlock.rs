//! Landlock (landlock(7)): which files a program may open, and which processes it may signal.
//!
//! Turns the list of `views` and the working directory into a ruleset. The kernel cannot restrict reading a file's
//! kind, size and times, or changing its mode, owner, times and attributes; seccomp or read-only mounts cover the
//! latter. Only the working directory and devices that store nothing may be writable. [`super::set_up`] builds the
//! rules; each launcher enters them.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, Ruleset, RulesetAttr, RulesetCreatedAttr, Scope,
    make_bitflags,
};
use nix::errno::Errno;
use nix::fcntl::{OFlag, open};
use nix::sys::stat::Mode;

use super::calls::{landlock_version, restrict_self};
use super::views::{DEVICES, PROC, PROC_SYS, Views};
use crate::fault::HostError;

/// The newest version in use. Parts that older ones lack are done otherwise, except that before version 2 (Linux 5.19)
/// no file can be moved from one directory into another, not even within the working directory.
const KNOWN: ABI = ABI::V7;

/// Before this version, a file could be truncated without write permission (Linux 6.2).
const SIZES: u32 = 3;

/// The first version that restricts signals (Linux 6.12).
const SIGNALS: u32 = 6;

/// Whether the kernel meets the needs of a level.
pub(super) fn available() -> Result<(), String> {
    match landlock_version() {
        0 => Err("the kernel has no Landlock (before Linux 5.13), or it is not enabled".to_owned()),
        _ => Ok(()),
    }
}

/// Whether Landlock stops a program from truncating files that it may not write to; otherwise seccomp or read-only
/// mounts have to.
pub(super) fn keeps_sizes() -> bool {
    landlock_version() >= SIZES
}

/// Whether Landlock stops a program from signalling others; otherwise seccomp has to.
pub(super) fn keeps_signals() -> bool {
    landlock_version() >= SIGNALS
}

/// The rules of one seat.
#[derive(Debug)]
pub(super) enum Landlock {
    /// The same for every run, as the kernel has them.
    Fixed(OwnedFd),
    /// Without those for the working directory and for the program's own part of `/proc`, which differ each time.
    PerRun(Vec<Rule>),
}

#[derive(Debug)]
pub(super) struct Rule {
    path: OwnedFd,
    access: BitFlags<AccessFs>,
}

impl Rule {
    fn new(path: &Path, access: BitFlags<AccessFs>) -> Result<Self, HostError> {
        // An `O_PATH` handle: it grants no read access.
        let named = open(path, OFlag::O_PATH | OFlag::O_CLOEXEC, Mode::empty());
        let possible = if path.is_dir() { access } else { access & AccessFs::from_file(KNOWN) };
        Ok(Self { path: named.map_err(HostError::when("open what the program may read"))?, access: possible })
    }
}

impl Landlock {
    /// The rules for `views`, which may lie anywhere.
    pub(super) fn per_run(views: &Views) -> Result<Self, HostError> {
        let read = make_bitflags!(AccessFs::{ReadFile | ReadDir});
        let mut rules = devices()?;
        for path in views.readable() {
            rules.push(Rule::new(path, read | AccessFs::Execute)?);
        }
        for path in existing(&PROC).chain(existing(&PROC_SYS)) {
            rules.push(Rule::new(path, read)?);
        }
        Ok(Self::PerRun(rules))
    }

    /// The rules for all of `root`, a read-only root directory. `around_work` is a directory in it in which only the
    /// working directories are mounted: the kernel looks for rules beyond mount points, so none of them needs its own.
    pub(super) fn fixed(root: &OwnedFd, around_work: OwnedFd) -> Result<Self, HostError> {
        let failed = "open the root directory";
        let mut rules = devices()?;
        rules.push(Rule {
            path: root.try_clone().map_err(HostError::when(failed))?,
            access: make_bitflags!(AccessFs::{ReadFile | ReadDir | Execute}),
        });
        rules.push(Rule { path: around_work, access: writing() });
        let ruleset = ruleset(&rules).map_err(HostError::when("make Landlock rules"))?;
        Ok(Self::Fixed(ruleset))
    }

    /// Applies the rules to this process, which must have given up new privileges. The directory `work` is writable.
    pub(super) fn enter(&self, work: BorrowedFd<'_>) -> nix::Result<()> {
        match self {
            Self::Fixed(ruleset) => restrict_self(ruleset.as_fd()),
            Self::PerRun(rules) => {
                let own = Rule::new(Path::new("/proc/self"), make_bitflags!(AccessFs::{ReadFile | ReadDir}));
                let work = Rule { path: work.try_clone_to_owned().map_err(|_| Errno::last())?, access: writing() };
                let own = own.map_err(|_| Errno::last())?;
                restrict_self(ruleset(rules.iter().chain([&work, &own]))?.as_fd())
            }
        }
    }
}

/// Turns rules into what the kernel makes of them.
fn ruleset<'a>(rules: impl IntoIterator<Item = &'a Rule>) -> nix::Result<OwnedFd> {
    let made = || -> Result<_, Box<dyn std::error::Error>> {
        let mut ruleset = Ruleset::default()
            .handle_access(AccessFs::from_all(KNOWN))?
            .handle_access(AccessNet::from_all(KNOWN))?
            .scope(Scope::from_all(KNOWN))?
            .create()?;
        for Rule { path, access } in rules {
            ruleset = ruleset.add_rule(PathBeneath::new(path.as_fd(), *access))?;
        }
        Ok(Option::<OwnedFd>::from(ruleset))
    };
    // A failure here is a failed system call, which the crate wraps several times.
    made().ok().flatten().ok_or_else(|| match Errno::last() {
        Errno::UnknownErrno => Errno::EPERM,
        errno => errno,
    })
}

fn devices() -> Result<Vec<Rule>, HostError> {
    let access = make_bitflags!(AccessFs::{ReadFile | WriteFile | Truncate});
    existing(&DEVICES).map(|path| Rule::new(path, access)).collect()
}

fn existing<'a>(paths: &'a [&str]) -> impl Iterator<Item = &'a Path> {
    paths.iter().map(Path::new).filter(|path| path.exists())
}

/// All access except making devices and sockets and executing written files: only submitted files are executed.
fn writing() -> BitFlags<AccessFs> {
    let not = make_bitflags!(AccessFs::{Execute | MakeChar | MakeBlock | MakeSock});
    AccessFs::from_all(KNOWN) & !not
}
