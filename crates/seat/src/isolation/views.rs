//! The file system paths that a program may see, and the access to each.
//!
//! `landlock` and `root` enforce the list. Nothing in it may belong to another agent, to the referee's results or to
//! the user's home, except the program's own folder and its interpreter.

use std::env::consts::ARCH;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::{Program, SeatPurpose};

/// Where systems keep programs, libraries and their data.
pub(crate) const SYSTEM: [&str; 9] =
    ["/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/nix/store", "/gnu/store"];

/// The files below `/etc` that loaders and runtimes read. Not all of `/etc`: it contains root's secrets.
const SETTINGS: [&str; 13] = [
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/timezone",
];

/// Those of them that are hidden from compilers, which quote included files in their messages.
const ACCOUNTS: [&str; 2] = ["/etc/group", "/etc/passwd"];

/// Settings whose names end in a version: `/etc/java-17-openjdk`.
const SETTINGS_BEGIN: [&str; 2] = ["java", "python"];

/// What runtimes read about the machine.
const MACHINE: [&str; 2] = ["/sys/devices/system/cpu", "/sys/devices/system/node"];

/// The readable files of `/proc` besides those of the program's own processes: what runtimes ask of the machine. All
/// else tells what others do on it, and some of it tells root alone (`timer_list`, `slabinfo`).
pub(super) const PROC: [&str; 4] = ["/proc/cpuinfo", "/proc/filesystems", "/proc/meminfo", "/proc/stat"];

/// The same of `/proc/sys`.
pub(super) const PROC_SYS: [&str; 2] = ["/proc/sys/kernel/random", "/proc/sys/vm"];

/// Devices that store nothing.
pub(super) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// The parts of an interpreter beside its `bin` folder. Not the whole parent folder, which may be a home directory.
const INTERPRETER: [&str; 9] = ["bin", "include", "lib", "lib64", "libexec", "share", "conf", "release", "pyvenv.cfg"];

/// The existing paths that a program may read and execute.
#[derive(Debug)]
pub(super) struct Views {
    readable: Vec<PathBuf>,
}

impl Views {
    /// The paths visible to `program`.
    pub(super) fn of(program: &Program, purpose: SeatPurpose) -> Self {
        let wanted = |path: &&&str| purpose != SeatPurpose::Build || !ACCOUNTS.contains(*path);
        let settings = SETTINGS.iter().filter(wanted);
        let fixed = SYSTEM.iter().chain(settings).chain(&MACHINE).map(PathBuf::from);
        let mut readable: Vec<PathBuf> = fixed.chain(versioned_settings()).collect();
        readable.extend(program.folder.clone());
        let executables = program.command.first().map(Path::new).into_iter();
        for executable in executables.chain(program.tools.iter().map(PathBuf::as_path)) {
            readable.extend(interpreter(executable, program.folder.as_deref()));
        }
        let mut readable: Vec<PathBuf> = readable.into_iter().filter(|path| path.exists()).collect();
        // Contained paths after their container, through links too: `/bin/true` after `/usr`.
        readable.sort_by_key(|path| (path.components().count(), path.clone()));
        readable.dedup();
        Self { readable }
    }

    /// The paths, each after those that contain it.
    pub(super) fn readable(&self) -> impl Iterator<Item = &Path> {
        self.readable.iter().map(PathBuf::as_path)
    }
}

fn versioned_settings() -> Vec<PathBuf> {
    let Ok(settings) = std::fs::read_dir("/etc") else {
        return Vec::new();
    };
    let belongs = |name: &str| SETTINGS_BEGIN.iter().any(|begin| name.starts_with(begin));
    settings
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(belongs))
        .map(|entry| entry.path())
        .collect()
}

/// The executable by its given path and its real path; each with the parts of an interpreter, if it is outside the
/// program's own folder. Of a link only the place that it leads to has them, or a virtual environment of Python: around
/// a link in `~/.local/bin` is what this user keeps.
fn interpreter(executable: &Path, folder: Option<&Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let real = executable.canonicalize().ok();
    for path in [Some(executable.to_owned()), real.clone()].into_iter().flatten() {
        let has_parts = real.as_ref().is_none_or(|real| *real == path) || is_of_environment(&path);
        if has_parts && folder.is_none_or(|folder| !path.starts_with(folder)) {
            found.extend(interpreter_paths(&path));
        }
        found.push(path);
    }
    found
}

/// Whether an executable is that of a virtual environment (PEP 405).
fn is_of_environment(executable: &Path) -> bool {
    executable.parent().and_then(Path::parent).is_some_and(|above| above.join("pyvenv.cfg").exists())
}

fn interpreter_paths(executable: &Path) -> Vec<PathBuf> {
    let Some(programs) = executable.parent().filter(|folder| folder.ends_with("bin")) else {
        return Vec::new();
    };
    let above = programs.parent().unwrap_or(programs);
    // A compiler with a prefix of its own has the libraries and the linker of each target in a folder of that name.
    let of_target = |name: &str| name.strip_prefix(ARCH).is_some_and(|rest| rest.starts_with('-'));
    let found = std::fs::read_dir(above).into_iter().flatten().flatten().map(|entry| entry.path());
    let targets = found.filter(|path| path.file_name().and_then(OsStr::to_str).is_some_and(of_target));
    INTERPRETER.iter().map(|name| above.join(name)).chain(targets).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(command: &Path, folder: Option<&Path>) -> Vec<PathBuf> {
        let program =
            Program { command: vec![command.into()], folder: folder.map(Path::to_owned), ..Program::default() };
        Views::of(&program, SeatPurpose::Play).readable().map(Path::to_owned).collect()
    }

    #[test]
    fn an_interpreter_brings_its_libraries_and_nothing_else_of_the_home_it_is_in() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let target = format!("{ARCH}-conda-linux-gnu");
        for folder in ["bin", "include", "lib", &target, "papers"] {
            std::fs::create_dir(home.join(folder)).unwrap();
        }
        let python = home.join("bin/python3");
        std::fs::write(&python, "").unwrap();
        let seen = seen(&python, None);
        for expected in ["bin", "include", "lib", &target, "bin/python3"] {
            assert!(seen.contains(&home.join(expected)), "{expected}: {seen:?}");
        }
        assert!(!seen.iter().any(|path| path == &home || path.starts_with(home.join("papers"))));
    }

    #[test]
    fn a_link_to_an_interpreter_shows_only_what_it_leads_to() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for folder in [".local/bin", ".local/share/keys", "python/bin", "python/lib", "venv/bin", "venv/lib"] {
            std::fs::create_dir_all(home.join(folder)).unwrap();
        }
        std::fs::write(home.join("python/bin/python3"), "").unwrap();
        std::fs::write(home.join("venv/pyvenv.cfg"), "").unwrap();
        for (place, lib) in [(".local", "python/lib"), ("venv", "venv/lib")] {
            let link = home.join(place).join("bin/python3");
            std::os::unix::fs::symlink(home.join("python/bin/python3"), &link).unwrap();
            let seen = seen(&link, None);
            for expected in [&link, &home.join("python/bin"), &home.join(lib)] {
                assert!(seen.contains(expected), "{}: {seen:?}", expected.display());
            }
            assert!(!seen.contains(&home.join(".local/share")), "{seen:?}");
        }
    }

    #[test]
    fn a_program_of_its_own_folder_brings_that_folder() {
        let home = tempfile::tempdir().unwrap();
        let bin = home.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::fs::create_dir(home.path().join("lib")).unwrap();
        let seen = seen(&bin.join("agent"), Some(&bin));
        assert!(seen.contains(&bin) && !seen.contains(&home.path().join("lib")), "{seen:?}");
    }

    #[test]
    fn what_is_secret_in_settings_is_not_seen() {
        let seen = seen(Path::new("/bin/true"), None);
        for secret in ["/etc", "/etc/shadow", "/etc/ssl/private", "/root", "/home", "/"] {
            assert!(!seen.iter().any(|path| path == Path::new(secret)), "{secret}");
        }
    }
}
